// DriveMap: a map prepared for one DriveTable, so that turning units can be routed over it.
//
//     Result<DriveMap> roads_for_trucks = make_drive_map(*town, truck_moves);      // bridge/grid_drive.h
//     Result<Route> way = find_route(*roads_for_trucks, {.start = {{10, 10}, 0}, .goal = {{80, 42}, kHalfPi}}, scratch);
//
// It holds the free cells, which primitives may be driven from where (edge_map.h), and which poses are joined with
// each other: up to four cores (with a reverse gear up to 24), sets of poses that all reach each other, and for each the
// poses that reach it and those that it reaches. So whether there is a way is known before a search in nearly every case:
//   * start and goal are in parts of the ground that are not joined: there is none, at once;
//   * start reaches a core and that core reaches the goal: there is;
//   * one of them is joined to a core, the other not: there is none;
//   * else what start reaches and what reaches the goal are looked through in turn, until one of them, which is small, ends.
//
// Roads. Where the ground has roads (road_rules.h) what the rules forbid is part of all this: such a move is not there, not in
// the search, nor in the cores, so `unreachable` is as well proven as without; and free curves, at the ends and in the smoothing,
// keep to the rules as well. What the rules only make dearer is part of the cost. Moves in a lane's direction cannot be
// driven back: then there are two sets a core with a reverse gear, too.
//
// Floors. A map may have several floors of one size and links between places: stairs, lifts, ramps that are not drawn (DriveLink).
// A link is a move of the search: the unit takes it with its axle in the middle of the link's cell, in any heading of the lattice in
// which its body stands there and at the other end, and leaves it there in the same heading and gear. It costs what the link says,
// whatever the terrain, at least kLinkCostMin of the lattice's cells. Curves, the smoothing and clearances stay on a floor and
// never lead across a link. The parts of the ground and the cores know no links: where there are some, closures over both tell
// whether there is a way, as far as they must.
//
// Shared by any number of searches and threads; while it is updated none may be under way (a sliced search that finds the map
// changed begins anew). It is the map as it was when made or updated last (revision()).
//
// Cost: make is linear in cells and primitives. A town of 512 x 512, turning radius 3, forward and with reverse, processor time:
// 14 and 19 ms with 8 headings and stretch 1.05, 46 and 124 ms with the 16 headings that a DriveTable has by default. An
// update is linear in what has changed, 0.2 to 0.7 ms with 8 headings where the cores stay whole near it; else they are found
// anew, up to as much as make. Memory: cells x primitives / 8 bytes, and 1 or 2 bits a pose and core.
// Deterministic.
#pragma once

#include <cstdint>
#include <span>

#include <fairlead/base/array.h>
#include <fairlead/base/result.h>
#include <fairlead/drive/drive_table.h>
#include <fairlead/drive/edge_map.h>
#include <fairlead/math/pose.h>

namespace fairlead {

namespace drive {
struct CellBox;
struct GroundBits;
struct Terrain;
struct LatticePose;
class PoseClosure;

/// A link in one direction, between places of the lattice.
struct LatticeLink {
    std::int32_t x = 0;
    std::int32_t y = 0;
    std::int32_t to_x = 0;
    std::int32_t to_y = 0;
    double cost = 0.0;  ///< the lattice's cells
    std::uint32_t id = 0;
};

/// Those of a sorted list that lead from a place.
[[nodiscard]] std::span<const LatticeLink> links_at(std::span<const LatticeLink> links, std::int32_t x,
                                                    std::int32_t y);

/// Free cells of a row, from `left` to before `right`, and the part of the ground that they are in.
struct GroundRun {
    std::uint16_t left = 0;
    std::uint16_t right = 0;
    std::uint32_t part = 0;
};
}  // namespace drive

/// A place that a link leads from or to: the middle of a cell.
struct DriveLinkEnd {
    std::int32_t x = 0;
    std::int32_t y = 0;
    std::int32_t floor = 0;

    friend bool operator==(const DriveLinkEnd&, const DriveLinkEnd&) = default;
};

struct DriveLink {
    DriveLinkEnd from{};
    DriveLinkEnd to{};
    double cost = 1.0;     ///< cells of the map, above 0, at most 1e6
    std::uint32_t id = 0;  ///< Leg::link_id
    bool two_way = true;

    friend bool operator==(const DriveLink&, const DriveLink&) = default;
};

inline constexpr double kLinkCostMin = 1.0 / 64.0;

/// As a query's layer: the map's own, of several floors the first.
inline constexpr std::int32_t kMapLayer = -1;

/// Floors lie above each other in the ground's rows, the first one lowest, with one row of walls between two: floor i has the rows
/// from i x (rows of a floor + 1) on, so that the ground has count x (rows of a floor + 1) - 1 rows.
struct DriveFloors {
    std::int32_t count = 1;
    std::span<const DriveLink> links{};  ///< read during the call
};

struct DriveMapOptions {
    Vec2 origin{};               ///< of cell (0, 0)'s low corner, of all floors; world units
    std::int32_t layer = 0;      ///< for the routes' places: that of the first floor
    DriveFloors floors{};        ///< links: not kept here
    std::uint64_t revision = 0;  ///< of the world, for the routes
    RoadRules roads{};           ///< what roads mean, if the ground has some
    Allocator allocator{};
};

/// A pose and the cores: bit i tells of core i.
struct CoreLinks {
    std::uint32_t reaches = 0;  ///< from the pose to the core
    std::uint32_t reached = 0;  ///< from the core to the pose

    friend bool operator==(const CoreLinks&, const CoreLinks&) = default;
};

class DriveMap {
  public:
    /// The table must outlive the map. Errors: those of EdgeMap::make (out_of_range: a road rule); index 2 (floors; detail =
    /// which link, else -1): out_of_range a link's end or cost; size_mismatch floors that the rows are not a multiple of;
    /// incompatible links or several floors with a table whose poses lie in the corners of cells, or of a unit whose axle lies
    /// outside its body.
    [[nodiscard]] static Result<DriveMap> make(const DriveGround& rows, const DriveTable& table,
                                               const DriveMapOptions& options = {});

    /// After edits: compares with the map's own copy and remakes what has changed. `revision` is the new one. No search may
    /// be under way over it. The sizes must be the same (size_mismatch), and it must have roads if it had (incompatible).
    /// Errors: out_of_memory, the map as it was. Where there is memory for the map but not for the index of what is joined, the
    /// map is updated without it: searches find out for themselves, and the next update makes the index.
    [[nodiscard]] Result<void> update(const DriveGround& ground, std::uint64_t revision);

    [[nodiscard]] const DriveMapOptions& options() const { return options_; }
    [[nodiscard]] const DriveTable& table() const { return edges_.table(); }
    /// Of the map, in its own cells; edges() counts in the lattice's.
    [[nodiscard]] std::int32_t width() const { return edges_.width() / table().pitch(); }
    /// Rows of all floors and of what is between them.
    [[nodiscard]] std::int32_t height() const { return edges_.height() / table().pitch(); }
    [[nodiscard]] std::int32_t floors() const { return options_.floors.count; }
    /// From a floor's first row to the next one's, in the lattice's cells. With one floor all rows.
    [[nodiscard]] std::int32_t floor_rows() const {
        return floors() == 1 ? edges_.height() : (height() + 1) / floors() * table().pitch();
    }
    [[nodiscard]] bool has_links() const { return !links_.empty(); }
    /// What PoseField, TimedSearch and the article's ways need.
    [[nodiscard]] bool is_plain() const { return floors() == 1 && !has_links(); }
    /// All links, in both directions where they are two-way, by the place that they lead from.
    [[nodiscard]] std::span<const drive::LatticeLink> links() const;
    /// Those that lead from a place of the lattice, by cell.
    [[nodiscard]] std::span<const drive::LatticeLink> links_from(std::int32_t x, std::int32_t y) const;
    /// All of them turned round, as moves from their end back to where they lead from, by their end.
    [[nodiscard]] std::span<const drive::LatticeLink> links_back() const;
    [[nodiscard]] const EdgeMap& edges() const { return edges_; }
    [[nodiscard]] drive::GroundBits free_cells() const;
    [[nodiscard]] drive::Terrain terrain() const;
    /// All cells cost the same: 1.
    [[nodiscard]] bool uniform() const { return costs_.empty() && !has_roads(); }
    [[nodiscard]] bool has_roads() const { return edges_.has_roads(); }
    /// Least and greatest cost of a length in a free cell.
    [[nodiscard]] std::int32_t cheapest() const { return cheapest_; }
    [[nodiscard]] std::int32_t dearest() const;
    [[nodiscard]] std::size_t bytes() const {
        return edges_.bytes() + free_.bytes() + costs_.bytes() + joined_.bytes() + facings_.bytes() +
               ground_runs_.bytes() + ground_rows_.bytes();
    }

    enum class Joined : std::uint8_t { no, yes, unknown };
    [[nodiscard]] CoreLinks links(const drive::LatticePose& pose) const;
    /// What the cores say about a way from one pose of the lattice to another.
    [[nodiscard]] static Joined joined(const CoreLinks& from, const CoreLinks& to) {
        if ((from.reaches & to.reached) != 0) return Joined::yes;
        // From a core on everything that it reaches is reached: what it does not reach, nor does this.
        const bool never = (from.reached & ~to.reached) != 0 || (to.reaches & ~from.reaches) != 0;
        return never ? Joined::no : Joined::unknown;
    }
    [[nodiscard]] Joined joined(const drive::LatticePose& from, const drive::LatticePose& to) const {
        return joined(links(from), links(to));
    }
    /// Are two places, in the lattice's cells, known to be in parts of the ground that no body comes from one to the other?
    [[nodiscard]] bool divided(Vec2 a, Vec2 b) const;
    /// Counts updates that changed something.
    [[nodiscard]] std::uint64_t changes() const { return changes_; }
    [[nodiscard]] std::int32_t cores() const { return cores_; }

  private:
    struct Box {
        std::int32_t left, low, right, top;  // half open
        bool blocks = false;                 // cells in it are blocked that were free, or roads have changed
    };
    explicit DriveMap(EdgeMap&& edges);
    [[nodiscard]] Result<void> set_links(std::span<const DriveLink> links);
    [[nodiscard]] bool copy_free_cells(const DriveGround& rows);
    [[nodiscard]] bool copy_costs(const DriveGround& rows);
    [[nodiscard]] bool reserve(const DriveGround& rows);
    [[nodiscard]] bool copy_roads(const DriveGround& rows);
    void add_road_changes(const DriveGround& rows, Box& box);
    [[nodiscard]] Result<Box> find_changes(const DriveGround& rows);
    [[nodiscard]] bool find_ground();
    // drive_cores.cpp
    [[nodiscard]] bool find_cores();
    [[nodiscard]] bool repair_cores(const Box& changed);
    [[nodiscard]] bool drop_lost(std::int32_t core, const drive::CellBox& near, const drive::CellBox& box,
                                 drive::PoseClosure& closure);
    [[nodiscard]] bool grow(std::int32_t core, const drive::CellBox& box, drive::PoseClosure& closure);
    void drop_blocked(const Box& box);
    [[nodiscard]] std::span<std::uint64_t> reaching(std::int32_t core);
    [[nodiscard]] std::span<std::uint64_t> reached(std::int32_t core);
    [[nodiscard]] bool in(std::size_t set, std::size_t word, std::int32_t x) const;

    DriveMapOptions options_;
    EdgeMap edges_;
    Array<std::uint64_t> free_;   // with a border of blocked words
    Array<std::uint16_t> costs_;  // of cells, row by row; none: all are 1
    Array<std::uint64_t> row_;    // room for updates
    Array<std::uint16_t> fresh_;
    Array<std::uint16_t> facings_;  // of cells: which the roads allow (src/drive/cost/road_facings.h)
    Array<std::uint8_t> road_row_;
    std::int32_t cheapest_ = 1;
    std::int32_t dearest_ = 1;
    Array<std::uint64_t>
        joined_;  // sets of poses, one or two a core: those that reach it, those that it reaches
    std::int32_t cores_ = 0;
    bool indexed_ = true;           // the cores and the ground's parts are known
    std::int32_t sets_a_core_ = 2;  // 1: with a reverse gear both are the same
    std::uint64_t changes_ = 0;
    Array<drive::GroundRun> ground_runs_;  // none: the parts are not known
    Array<std::uint32_t> ground_rows_;     // where the runs of a row begin
    Array<drive::LatticeLink> links_;
    Array<drive::LatticeLink> links_back_;
};

}  // namespace fairlead
