// Jumps that a level offers: down from ledges and across gaps, as off-mesh links.
//
//     Array<MeshLink> jumps;
//     Result<void> found = bake::find_jump_links(soup, bake_options, *level, {.agent_radius = 0.4}, jumps);
//     for (const MeshLink& jump : jumps) edits.push_back(MeshEdit::add_link(jump));
//
// Take-offs are sampled along the sides of the mesh that are walls, every `sample_step` or nearer; the jump goes straight away
// from the side. Landings are tried every cell further out, and the nearest one counts that is on the mesh and can be flown to:
//
//   * down: the landing is between drop_min and drop_max lower, and at most drop_reach away;
//   * across: it is less than drop_min lower and at most rise_max higher, and at most gap_max away.
//
// The flight is a parabola: up to `apex` above the take-off, then down to the landing, under `gravity`, at a constant speed on
// the ground plane which must not be above speed_max. An upright cylinder of the unit's radius and height, its foot on the
// parabola, must not meet anything solid: of every column of the span field that it comes near, all heights that it passes there
// are compared. What is less than a cell height above its foot does not count, nor what is less than `climb` above the ground
// within a radius and a cell of its ends: that is what it stands on. The test errs on the safe side: the cylinder is taken as a box
// of its width, and a column is solid where anything in it is.
//
// Neighbouring samples of one side with landings at the same distance are one link, as wide as from the first to the last of them.
// Every link leads one way; a gap that can be jumped from both sides has two.
//
// Deterministic: the same mesh and the same triangles give the same links. Cost: about 1 us a sample and cell of distance.
// Errors: out_of_range of the field ( size_limit: more than 2^32 ids), those of prepare_soup and
// SpanField, out_of_memory.
#pragma once

#include <cstdint>

#include <fairlead/base/array.h>
#include <fairlead/base/result.h>
#include <fairlead/mesh/nav_mesh.h>
#include <fairlead/mesh_bake/options.h>
#include <fairlead/raster/span_field.h>

namespace fairlead::bake {

struct JumpOptions {
    double agent_radius = 0.6;
    double agent_height = 2.0;
    double climb = 0.9;
    double drop_min = 0.9;  ///< what is less is no drop
    double drop_max = 4.0;
    double drop_reach = 3.0;  ///< on the ground plane
    double gap_max = 3.0;
    double rise_max = 0.3;  ///< at most apex
    double apex = 0.5;      ///< above the take-off
    double gravity = 9.81;
    double speed_max = 6.0;  ///< on the ground plane
    double sample_step = 0.3;
    std::uint32_t first_id = 0;  ///< they are numbered from here
    std::uint8_t kind_down = 0;
    std::uint8_t kind_across = 1;
    std::uint32_t tag_down = 0;
    std::uint32_t tag_across = 0;
};

/// What is solid, and where it is.
struct SolidSpace {
    const SpanField* field = nullptr;
    GridFrame frame{};
};

/// A flight: the place of the foot after a share of it, 0 to 1.
struct JumpFlight {
    Vec3 from{};
    Vec3 to{};
    double up = 0.0;  ///< z = from.z + up * share - fall * share^2
    double fall = 0.0;
    double time = 0.0;  ///< seconds

    [[nodiscard]] Vec3 at(double share) const {
        return {from.x + (to.x - from.x) * share, from.y + (to.y - from.y) * share,
                from.z + (up - fall * share) * share};
    }
};

/// The flight from one place to another; `to` at most apex above `from`.
[[nodiscard]] JumpFlight make_flight(Vec3 from, Vec3 to, const JumpOptions& options);

/// Can the unit fly there without meeting anything?
[[nodiscard]] bool is_clear(const SolidSpace& space, const JumpFlight& flight, const JumpOptions& options);

/// All jumps of a mesh, in the order of its polygons and sides; `out` is filled anew.
[[nodiscard]] Result<void> find_jump_links(const SolidSpace& space, const NavMeshState& mesh,
                                           const JumpOptions& options, Array<MeshLink>& out);

/// The same, with the field made from the triangles that the mesh was baked from, in cells of the bake.
[[nodiscard]] Result<void> find_jump_links(const TriangleSoup& soup, const BakeOptions& bake,
                                           const NavMeshState& mesh, const JumpOptions& options,
                                           Array<MeshLink>& out);

}  // namespace fairlead::bake
