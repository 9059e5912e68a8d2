// Which region is each triangle of a triangulation in? Floods from the outside, or from the sides of segments, that
// stop at the edges which segments cover.
//
//     Array<std::uint32_t> parity;
//     Result<RegionConflicts> ok = find_parity_into(*town, walls, scratch, parity);
//     // parity[t] bit k: triangle t is inside the segments of label bit k
//
// Three rules, by what the segments are:
// - parity: closed curves in any direction, several families of them told apart by the bits of the label. Even-odd.
// - winding: closed curves with a direction; how often they run around a triangle counter-clockwise.
// - sides: segments that know what lies to their left and to their right (the borders of regions).
//
// Rounding and overlaps. All three read the segments themselves (Triangulation::sources), not the labels: an edge
// under two segments counts twice, and what rounding has folded together cancels. So closed curves stay closed
// whatever the crossings do.
//
// Curves that are not closed, and sides that disagree, are contradictions: no failure. The flood keeps what it came
// upon first (from the first half-edge of the hull, or the first half-edge with sides, in order) and counts the
// edges that say otherwise.
//
// Cost: 10 to 40 ns a triangle. A warm call allocates nothing.
#pragma once

#include <cstdint>
#include <span>

#include <fairlead/polygon/triangulate.h>

namespace fairlead {

inline constexpr std::uint32_t kNoRegion = 0xffffffffU;

/// What a flood could not reconcile.
struct RegionConflicts {
    std::uint32_t edges = 0;           ///< how many edges contradict the result; each counted once
    std::uint32_t half = kNoHalfEdge;  ///< the first of them

    friend bool operator==(const RegionConflicts&, const RegionConflicts&) = default;
};

/// Looking for conflicts is half of the work.
enum class LookForConflicts : std::uint8_t { yes, no };

/// parity[t]: bit k is set if triangle t is inside the curves that have label bit k, by the even-odd rule. `segments`
/// are those of the triangulation. Errors: size_mismatch (detail = the number of segments that the triangulation
/// needs at least), out_of_memory.
[[nodiscard]] Result<RegionConflicts> find_parity_into(const Triangulation& mesh,
                                                       std::span<const ConstraintSegment> segments,
                                                       PolygonScratch& scratch, Array<std::uint32_t>& parity,
                                                       LookForConflicts look = LookForConflicts::yes);

/// winding[t]: how many times the segments whose label has a bit of `mask` run around triangle t, counter-clockwise
/// positive. Errors as above.
[[nodiscard]] Result<RegionConflicts> find_winding_into(const Triangulation& mesh,
                                                        std::span<const ConstraintSegment> segments,
                                                        std::uint32_t mask, PolygonScratch& scratch,
                                                        Array<std::int32_t>& winding,
                                                        LookForConflicts look = LookForConflicts::yes);

/// What lies along a segment, seen in its direction. Both the same: it bounds nothing, the flood runs over it.
struct SegmentSides {
    std::uint32_t left = kNoRegion;
    std::uint32_t right = kNoRegion;

    friend bool operator==(const SegmentSides&, const SegmentSides&) = default;
};

/// region[t]: the region that segments put triangle t in, kNoRegion where the flood comes from no side, or from one
/// that is kNoRegion. An edge under several segments is read as a strip between them that has closed: what one has on
/// its right and another on its left cancels. Errors: size_mismatch (`sides` must have an entry for every segment).
[[nodiscard]] Result<RegionConflicts> find_regions_into(const Triangulation& mesh,
                                                        std::span<const SegmentSides> sides,
                                                        PolygonScratch& scratch, Array<std::uint32_t>& region,
                                                        LookForConflicts look = LookForConflicts::yes);

}  // namespace fairlead
