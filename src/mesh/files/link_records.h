// Links in baked meshes, section LINK of FORMAT.md: records to links and back, and what must hold once they are on the surface.
#pragma once

#include <cstdint>

#include <fairlead/base/baked.h>
#include <fairlead/base/bytes.h>
#include <fairlead/mesh/link.h>

#include "base/section_loader.h"
#include "mesh/data/state.h"

namespace fairlead::mesh {

inline constexpr SectionKind kLinkSection{four_letters("LINK"), 104};  ///< only with links

struct StoredLink {
    MeshLink link{};
    bool measured = false;  ///< the landmarks of the file know it
};

void put_link(ByteWriter& out, const StoredLink& stored);

/// False: it means nothing.
[[nodiscard]] bool get_link(ByteReader& in, StoredLink& stored);

/// What the parts of links may be on a mesh from a file of so many bytes. A link may lie over every polygon, and a file
/// hold thousands of those.
[[nodiscard]] std::uint64_t link_room(std::uint64_t file_bytes);

/// The place of a link that the landmarks cannot know as it is: on no surface when they were measured, or between points whose
/// distances differ by more than its cost. kNone: there is none.
[[nodiscard]] std::uint32_t find_unknown_link(const StateData& state, const Array<StoredLink>& stored);

}  // namespace fairlead::mesh
