// What a watched search over a level mesh tells, from the start and from the goal alike.
#pragma once

#include <cstdint>

#include <fairlead/base/platform.h>
#include <fairlead/math/pose.h>
#include <fairlead/search/hooks.h>

namespace fairlead::bridge {

class MeshLattice;

/// Tells the user's hook, if there is one, of either search's states as poses in the world.
struct MeshDriveTrace {
    const MeshLattice* lattice = nullptr;  ///< null: not watched
    SearchTrace hook{};
    Pose end{};     ///< that no place of the lattice is: where the search goes to
    Vec2 origin{};  ///< of the mesh

    FAIRLEAD_INLINE void expanded(std::uint32_t state, Cost g) const {
        if (FAIRLEAD_UNLIKELY(lattice != nullptr)) tell(TraceEventKind::expanded, state, g);
    }
    FAIRLEAD_INLINE void generated(std::uint32_t state, Cost g) const {
        if (FAIRLEAD_UNLIKELY(lattice != nullptr)) tell(TraceEventKind::generated, state, g);
    }
    void tell(TraceEventKind kind, std::uint32_t state, Cost g) const;
};

}  // namespace fairlead::bridge
