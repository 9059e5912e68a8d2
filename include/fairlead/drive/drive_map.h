// DriveMap: a map prepared for one DriveTable, so that turning units can be routed over it.
//
//     Result<DriveMap> roads_for_trucks = make_drive_map(*town, truck_moves);      // bridge/grid_drive.h
//     Result<Route> way = find_route(*roads_for_trucks, {.start = {{10, 10}, 0}, .goal = {{80, 42}, kHalfPi}}, scratch);
//
// It holds the free cells, which primitives may be driven from where (edge_map.h), and which poses are joined with
// each other: the largest set of poses that all reach each other (the core), the poses that reach it, and those that it
// reaches. So whether there is a way is known before a search in nearly every case:
//   * start reaches the core and the core reaches the goal: there is;
//   * else what start reaches, or what reaches the goal, is small and is looked through.
//
// Immutable, shared by any number of searches and threads. It is the map as it was when made (revision()).
//
// Cost: make is linear in cells: 10 to 40 ms for 512 x 512. Memory: cells x primitives / 8 + 3 bits a pose.
// Deterministic.
#pragma once

#include <cstdint>

#include <fairlead/base/array.h>
#include <fairlead/base/result.h>
#include <fairlead/drive/drive_table.h>
#include <fairlead/drive/edge_map.h>
#include <fairlead/math/pose.h>

namespace fairlead {

namespace drive {
struct GroundBits;
struct LatticePose;
}  // namespace drive

struct DriveMapOptions {
    Vec2 origin{};               ///< of cell (0, 0)'s low corner, world units
    std::int32_t layer = 0;      ///< for the routes' places
    std::uint64_t revision = 0;  ///< of the world, for the routes
    Allocator allocator{};
};

class DriveMap {
  public:
    /// The table must outlive the map. Errors: those of EdgeMap::make.
    [[nodiscard]] static Result<DriveMap> make(const DriveGround& rows, const DriveTable& table,
                                               const DriveMapOptions& options = {});

    /// After edits: compares with the map's own copy and remakes what has changed. `revision` is the new one. No search may
    /// be under way over it. The sizes must be the same (size_mismatch). Errors: out_of_memory, the map as it was.
    [[nodiscard]] Result<void> update(const DriveGround& ground, std::uint64_t revision);

    [[nodiscard]] const DriveMapOptions& options() const { return options_; }
    [[nodiscard]] const DriveTable& table() const { return edges_.table(); }
    [[nodiscard]] const EdgeMap& edges() const { return edges_; }
    [[nodiscard]] drive::GroundBits free_cells() const;
    [[nodiscard]] std::size_t bytes() const { return edges_.bytes() + free_.bytes() + joined_.bytes(); }

    enum class Joined : std::uint8_t { no, yes, unknown };
    /// What the core says about a way between two poses of the lattice.
    [[nodiscard]] Joined joined(const drive::LatticePose& from, const drive::LatticePose& to) const;
    /// Does this pose reach the core?
    [[nodiscard]] bool reaches_core(const drive::LatticePose& from) const { return in(0, from); }

  private:
    explicit DriveMap(EdgeMap&& edges) : edges_(std::move(edges)) {}
    [[nodiscard]] bool copy_free_cells(const DriveGround& rows);
    [[nodiscard]] bool find_core();
    [[nodiscard]] bool in(std::size_t set, const drive::LatticePose& pose) const;

    DriveMapOptions options_;
    EdgeMap edges_;
    Array<std::uint64_t> free_;    // with a border of blocked words
    Array<std::uint64_t> joined_;  // two sets of poses: those that reach the core, those that it reaches
};

}  // namespace fairlead
