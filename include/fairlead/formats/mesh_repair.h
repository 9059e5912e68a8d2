// Polygons of a file made fit for a NavMesh: convex, exactly, and counter-clockwise.
//
//     formats::MeshRepairs repairs;
//     if (Result<void> done = formats::repair_mesh(*file, repairs); !done) return report(done.error());
//     const NavMeshTile tile = file->tile();                     // NavMesh::make takes it
//
// Other programs' polygons are convex up to their rounding, if at all. Polygons that are convex stay as they are, in
// their order. What is not:
// - all run clockwise (the sum of their areas is below 0): all are turned round;
// - a polygon without area, or that alone runs the wrong way (a sliver that rounding has turned over): it is taken out,
//   and the neighbour across its longest side takes the corners in between, so that what was joined stays joined;
// - a polygon that is not convex: it is cut along diagonals, so that no vertex is added and neighbours stay neighbours;
// - a side that several polygons have on the same side, also one that cutting has made: the first keeps it, the others are taken
//   out.
// Cost: linear, and n log n for what is mended.
#pragma once

#include <cstdint>
#include <vector>

#include <fairlead/base/result.h>
#include <fairlead/formats/mesh_file.h>

namespace fairlead::formats {

/// What was done, by the polygons' numbers before, each list in order.
struct MeshRepairs {
    bool turned_round = false;           ///< all polygons
    std::vector<std::uint32_t> dropped;  ///< taken out
    std::vector<std::uint32_t> cut;      ///< cut into several
    std::vector<std::uint32_t> from;     ///< for each polygon there is now, the one that it was

    [[nodiscard]] bool none() const { return !turned_round && dropped.empty() && cut.empty(); }
};

/// Vertices stay as they are. Errors: unknown_id (index = the polygon; a corner that is no vertex), size_mismatch,
/// not_finite (index = the vertex), out_of_memory.
[[nodiscard]] Result<void> repair_mesh(MeshFile& mesh, MeshRepairs& repairs);

}  // namespace fairlead::formats
