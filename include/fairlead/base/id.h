// Strong ids: a number that cannot be mixed up with another kind of number.
//
//     struct CellTag;
//     using CellId = Id<CellTag>;
//
// Kernels work on raw integers; ids stand in the public API.
#pragma once

#include <compare>
#include <cstdint>

#include <fairlead/base/platform.h>

namespace fairlead {

template <class Tag, class Integer = std::uint32_t>
struct Id {
    using value_type = Integer;
    static constexpr Integer kNone = static_cast<Integer>(~Integer{0});

    Integer value = kNone;

    [[nodiscard]] constexpr bool valid() const { return value != kNone; }
    friend constexpr bool operator==(Id, Id) = default;
    friend constexpr auto operator<=>(Id, Id) = default;
};

}  // namespace fairlead
