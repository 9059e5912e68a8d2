// The names of the techniques that the pictures show: what the small labels below a picture mean. docs/gallery.md has the same list.
#pragma once

#include <span>
#include <string_view>

namespace fairlead::gallery {

struct Technique {
    std::string_view id;
    std::string_view name;
};

/// In the order of their ids: by letter, then by number.
[[nodiscard]] std::span<const Technique> all_techniques();

/// "" for an id that is not in the list.
[[nodiscard]] std::string_view technique_name(std::string_view id);

}  // namespace fairlead::gallery
