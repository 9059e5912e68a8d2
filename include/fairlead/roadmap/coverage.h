// What a hand-made net leaves out (technique W2): places from which no waypoint is in sight, and edges that the
// unit cannot walk.
//
//     std::vector<Cover> cover(40 * 22);
//     Result<CoverageCount> count = find_coverage(*harbour, {.agent = {.radius = 0.4}},
//                                                 CoverageArea{.width = 40, .height = 22}, scratch, cover);
//     // cover[y * 40 + x] == Cover::uncovered: a unit at the centre of that cell cannot get onto the net
//
//     EdgeFault faults[16];
//     Result<AuditCount> audit = audit_edges(*harbour, {.agent = {.radius = 0.4}}, faults);
//
// "In sight" is what find_route means by it: the body, a disc, moves straight from the place to the waypoint clear
// of the roadmap's own walls and of the user's (`sight`); touching is allowed. For a tile world take the sight of
// bridge/tile_sight.h, and the area of the map. A place that lies on a waypoint (within half the contact slack) is
// covered if the body can stand there. Where there are no walls at all, only the range counts.
//
// What is found for a place depends on that place and the roadmap alone: not on the other places, not on the slicing,
// not on how the roadmap came about.
//
// Cost. A place costs one test of sight to see whether the body can stand there, then one test for the waypoint that
// the last place saw; most places of an area end there. A place that no waypoint sees costs a test for each waypoint
// within range: give a range. A test of the roadmap's own walls takes 0.1 to 1 us, one of a tile world's 0.1 us and
// 6 ns a row. An audit is one test an edge and direction. A warm call allocates nothing.
//
// Errors, Error::field names the field: not_finite, out_of_range, incompatible (footprint; detail: RoadmapRule); of the area or the
// list (places, index: which) not_finite, out_of_range, size_mismatch (`cover` has another size; detail = the size wanted);
// out_of_memory.
#pragma once

#include <cstdint>
#include <limits>
#include <span>

#include <fairlead/base/result.h>
#include <fairlead/roadmap/roadmap.h>
#include <fairlead/route/agent.h>
#include <fairlead/route/sight.h>
#include <fairlead/search/scratch.h>

namespace fairlead {

struct CoverageQuery {
    Agent agent{};       ///< a disc
    SightQuery sight{};  ///< the user's walls; the roadmap's own walls count too
    double range = std::numeric_limits<double>::infinity();  ///< no waypoint further away counts, >= 0
    bool edges = false;  ///< points in the middle of edges count as well: all that find_route attaches to
};

/// Cells in rows. Cell (x, y) is place y * width + x; what is asked about is its centre. With the origin, cell size
/// and size of a tile world, its cells.
struct CoverageArea {
    Vec2 origin{};
    double cell_size = 1.0;  ///< > 0
    std::int32_t width = 0;  ///< >= 0
    std::int32_t height = 0;
    double z = 0.0;

    [[nodiscard]] Vec3 centre(std::int32_t x, std::int32_t y) const;
};

enum class Cover : std::uint8_t {
    uncovered,  ///< the body can stand there, and no waypoint is in sight within range
    covered,
    blocked,  ///< the body cannot stand there
};

struct CoverageCount {
    std::uint64_t covered = 0;
    std::uint64_t uncovered = 0;
    std::uint64_t blocked = 0;
    std::uint64_t tests = 0;  ///< of sight

    friend bool operator==(const CoverageCount&, const CoverageCount&) = default;
};

/// Looks at every place; `cover` has an entry for each. On an error its contents are not specified.
[[nodiscard]] Result<CoverageCount> find_coverage(const RoadmapState& roadmap, const CoverageQuery& query,
                                                  std::span<const Vec3> places, Scratch& scratch,
                                                  std::span<Cover> cover);
[[nodiscard]] Result<CoverageCount> find_coverage(const RoadmapState& roadmap, const CoverageQuery& query,
                                                  const CoverageArea& area, Scratch& scratch,
                                                  std::span<Cover> cover);

namespace roadmap {
class CoverageRun;  // src/roadmap/coverage_run.h
}

/// The same in slices. It holds a snapshot of the roadmap and leases the scratch; the spans and the scratch must outlive it.
///
///     CoverageSearch search(*roadmap, query, area, scratch, cover);
///     while (search.running()) search.step(500);  // the next frame goes on
///     Result<CoverageCount> count = search.take();
class CoverageSearch {
  public:
    CoverageSearch(RoadmapSnapshot roadmap, const CoverageQuery& query, std::span<const Vec3> places,
                   Scratch& scratch, std::span<Cover> cover);
    CoverageSearch(RoadmapSnapshot roadmap, const CoverageQuery& query, const CoverageArea& area,
                   Scratch& scratch, std::span<Cover> cover);

    /// Works for `units` pieces of bounded work: a test of sight, or a look into a box of waypoints. The units used.
    std::uint64_t step(std::uint64_t units);
    [[nodiscard]] bool running() const;
    /// Once, when it is not running any more. Then the scratch is free again.
    [[nodiscard]] Result<CoverageCount> take();

  private:
    RoadmapSnapshot roadmap_;
    ScratchLease lease_;
    roadmap::CoverageRun* run_ = nullptr;  ///< lives in the scratch; null: there was no memory for it
};

struct AuditQuery {
    Agent agent{};
    SightQuery sight{};
};

/// An edge, in one direction, along which the body cannot move: from.. to.. and its label name it for edits.
struct EdgeFault {
    WaypointId from{};
    WaypointId to{};
    std::uint32_t label = 0;

    friend bool operator==(const EdgeFault&, const EdgeFault&) = default;
};

struct AuditCount {
    std::uint64_t tested =
        0;  ///< edges, one that goes both ways counted twice; links are not walked: never tested
    std::uint64_t faults = 0;  ///< of them; those that fit stand in `faults`

    friend bool operator==(const AuditCount&, const AuditCount&) = default;
};

/// Tests every edge. The first faults.size() bad ones are written, ordered by `from`, then by `to`. An empty span
/// counts only.
[[nodiscard]] Result<AuditCount> audit_edges(const RoadmapState& roadmap, const AuditQuery& query,
                                             std::span<EdgeFault> faults);

/// The same in slices; the span must outlive it. Holds a snapshot of the roadmap, and no memory.
class EdgeAudit {
  public:
    EdgeAudit(RoadmapSnapshot roadmap, const AuditQuery& query, std::span<EdgeFault> faults);

    /// Tests up to `edges` edges (and passes at most as many waypoints). The number of both.
    std::uint64_t step(std::uint64_t edges);
    [[nodiscard]] bool running() const { return running_; }
    [[nodiscard]] Result<AuditCount> take() const;

  private:
    friend Result<AuditCount> audit_edges(const RoadmapState& roadmap, const AuditQuery& query,
                                          std::span<EdgeFault> faults);
    EdgeAudit(const RoadmapState& state, const AuditQuery& query, std::span<EdgeFault> faults,
              RoadmapSnapshot held);

    RoadmapSnapshot held_;
    RoadmapState state_;
    AuditQuery query_{};
    std::span<EdgeFault> faults_{};
    AuditCount count_{};
    Result<void> checked_{};
    bool running_ = false;
    std::size_t chunk_ = 0;    ///< of the list of ids
    std::uint32_t entry_ = 0;  ///< in it: waypoints in the order of their numbers
    std::uint32_t arc_ = 0;
};

}  // namespace fairlead
