// MapData: what one revision of a DriveMap holds: the free cells, which primitives may be driven from where (edge_map.h), what the
// ground costs, and which poses are joined with each other.
//
// The cores are up to four (with a reverse gear up to 24) sets of poses that all reach each other; for each the poses that reach it and
// those that it reaches are known. So whether there is a path is known before a search in nearly every case.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <utility>

#include <fairlead/base/array.h>
#include <fairlead/base/result.h>
#include <fairlead/drive/drive_map.h>
#include "drive/map/edge_map.h"

#include "drive/ground/ground_plane.h"

namespace fairlead::drive {

/// As a query's layer: the map's own, of several floors the first. No floor has this number.
inline constexpr std::int32_t kMapLayer = INT32_MIN;

struct CellBox;
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

/// A pose and the cores: bit i tells of core i.
struct CoreLinks {
    std::uint32_t reaches = 0;  ///< from the pose to the core
    std::uint32_t reached = 0;  ///< from the core to the pose

    friend bool operator==(const CoreLinks&, const CoreLinks&) = default;
};

class MapData {
  public:
    static constexpr std::int32_t kCoresMax = 24;

    /// Errors as DriveMap::make says.
    [[nodiscard]] static Result<MapData> make(const DriveGround& rows, const DriveTable& table,
                                              const DriveMapOptions& options = {});

    /// Compares with its own copy and remakes what has changed. Errors: as DriveMap::update says; then it is as it was.
    [[nodiscard]] Result<void> update(const DriveGround& ground, std::uint64_t revision);

    /// Nothing yet, for copy_from().
    explicit MapData(const Allocator& allocator) : MapData(EdgeMap(allocator), allocator) {}
    /// False: out of memory, and it means nothing any more.
    [[nodiscard]] bool copy_from(const MapData& other);

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
    [[nodiscard]] std::span<const LatticeLink> links() const;
    /// Those that lead from a place of the lattice, by cell.
    [[nodiscard]] std::span<const LatticeLink> links_from(std::int32_t x, std::int32_t y) const;
    /// All of them turned round, as moves from their end back to where they lead from, by their end.
    [[nodiscard]] std::span<const LatticeLink> links_back() const;
    [[nodiscard]] const EdgeMap& edges() const { return edges_; }
    [[nodiscard]] GroundBits free_cells() const;
    [[nodiscard]] Terrain terrain() const;
    /// All cells cost the same: 1.
    [[nodiscard]] bool uniform() const { return costs_.empty() && !has_roads(); }
    [[nodiscard]] bool has_roads() const { return edges_.has_roads(); }
    /// Least and greatest cost of a length in a free cell.
    [[nodiscard]] std::int32_t cheapest() const { return cheapest_; }
    [[nodiscard]] std::int32_t dearest() const;
    [[nodiscard]] std::size_t bytes() const {
        return edges_.bytes() + free_.bytes() + costs_.bytes() + joined_.bytes() + facings_.bytes() +
               ground_runs_.bytes() + ground_rows_.bytes() + planes_.bytes();
    }

    enum class Joined : std::uint8_t { no, yes, unknown };
    [[nodiscard]] CoreLinks links(const LatticePose& pose) const;
    /// What the cores say about a way from one pose of the lattice to another.
    [[nodiscard]] static Joined joined(const CoreLinks& from, const CoreLinks& to) {
        if ((from.reaches & to.reached) != 0) return Joined::yes;
        // From a core on everything that it reaches is reached: what it does not reach, nor does this.
        const bool never = (from.reached & ~to.reached) != 0 || (to.reaches & ~from.reaches) != 0;
        return never ? Joined::no : Joined::unknown;
    }
    [[nodiscard]] Joined joined(const LatticePose& from, const LatticePose& to) const {
        return joined(links(from), links(to));
    }
    /// Are two places, in the lattice's cells, known to be in parts of the ground that no body comes from one to the other?
    [[nodiscard]] bool divided(Vec2 a, Vec2 b) const;
    [[nodiscard]] std::int32_t cores() const { return cores_; }
    /// The poses from which a core is reached, and those that it reaches, as words of a PoseSet.
    [[nodiscard]] std::span<const std::uint64_t> reaching(std::int32_t core) const;
    [[nodiscard]] std::span<const std::uint64_t> reached(std::int32_t core) const;
    /// Poses of a core, as many as when the cores were found.
    [[nodiscard]] std::uint64_t core_size(std::int32_t core) const { return core_size_[core]; }
    /// Of the 64 cells of word `w` of a row: those with a pose of the core.
    [[nodiscard]] std::uint64_t core_cells(std::int32_t core, std::int32_t w, std::int32_t y) const;
    /// Empty: not known.
    [[nodiscard]] const GroundPlanes& planes() const { return planes_; }

  private:
    struct Box {
        std::int32_t left, low, right, top;  // half open
        bool blocks = false;                 // cells in it are blocked that were free, or roads have changed
    };
    MapData(EdgeMap&& edges, const Allocator& allocator);
    [[nodiscard]] Result<void> set_links(std::span<const DriveLink> links);
    [[nodiscard]] bool copy_free_cells(const DriveGround& rows);
    void copy_costs(const DriveGround& rows);
    [[nodiscard]] bool reserve(const DriveGround& rows);
    void copy_roads(const DriveGround& rows);
    void add_road_changes(const DriveGround& rows, Box& box);
    [[nodiscard]] Result<Box> find_changes(const DriveGround& rows);
    [[nodiscard]] bool find_ground();
    [[nodiscard]] bool find_planes();
    // drive_cores.cpp
    [[nodiscard]] bool find_cores();
    [[nodiscard]] bool repair_cores(const Box& changed);
    [[nodiscard]] bool drop_lost(std::int32_t core, const CellBox& near, const CellBox& box,
                                 PoseClosure& closure);
    [[nodiscard]] bool grow(std::int32_t core, const CellBox& box, PoseClosure& closure);
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
    std::uint64_t core_size_[kCoresMax] = {};
    GroundPlanes planes_;
    bool indexed_ = true;               // the cores and the ground's parts are known
    std::int32_t sets_a_core_ = 2;      // 1: with a reverse gear both are the same
    Array<GroundRun> ground_runs_;      // none: the parts are not known
    Array<std::uint32_t> ground_rows_;  // where the runs of a row begin
    Array<LatticeLink> links_;
    Array<LatticeLink> links_back_;
};

/// A revision, counted by the snapshots that hold it.
struct MapVersion {
    explicit MapVersion(MapData&& made) : data(std::move(made)) {}

    MapData data;
    mutable std::atomic<std::uint32_t> held{0};
};

}  // namespace fairlead::drive
