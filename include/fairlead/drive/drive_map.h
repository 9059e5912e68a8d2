// DriveMap: a map prepared for one DriveTable, so that turning units can be routed over it.
//
//     Result<DriveMap> roads_for_trucks = make_drive_map(*town, truck_moves);      // bridge/grid_drive.h
//     Result<Route> way = find_route(*roads_for_trucks, {.start = {{10, 10}, 0}, .goal = {{80, 42}, kHalfPi}}, scratch);
//
// It holds the free cells, which primitives may be driven from where, and which poses are joined with
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
// Edits and snapshots. An update makes a new revision; a snapshot is the map at one revision and never changes. One thread updates and
// acquires; a snapshot may be searched and released on any thread. A revision that nobody holds is updated in place; one that is held
// is copied first.
//
// Cost: make is linear in cells and primitives. A town of 512 x 512, turning radius 3, forward and with reverse, processor time:
// 14 and 19 ms with 8 headings and stretch 1.05, 46 and 124 ms with the 16 headings that a DriveTable has by default. An
// update is linear in what has changed, 0.2 to 0.7 ms with 8 headings where the cores stay whole near it; else they are found
// anew, up to as much as make. Memory: cells x primitives / 8 bytes, and 1 or 2 bits a pose and core.
// Deterministic.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <fairlead/base/allocator.h>
#include <fairlead/base/assert.h>
#include <fairlead/base/borrowed.h>
#include <fairlead/base/result.h>
#include <fairlead/base/snapshot.h>
#include <fairlead/drive/drive_ground.h>
#include <fairlead/drive/drive_table.h>
#include <fairlead/drive/road_rules.h>
#include <fairlead/math/vec.h>

namespace fairlead {

namespace drive {
class MapData;      // src/drive/map/map_data.h
struct MapVersion;  // the same
struct MapEditor;   // src/drive/map/drive_map.cpp
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

/// Floors lie above each other in the ground's rows, the first one lowest, with one row of walls between two: floor i has the rows
/// from i x (rows of a floor + 1) on, so that the ground has count x (rows of a floor + 1) - 1 rows.
struct DriveFloors {
    std::int32_t count = 1;
    Borrowed<DriveLink> links{};  ///< read during the call
};

struct DriveMapOptions {
    Vec2 origin{};               ///< of cell (0, 0)'s low corner, of all floors; world units
    std::int32_t layer = 0;      ///< for the routes' places: that of the first floor
    DriveFloors floors{};        ///< links: not kept here
    std::uint64_t revision = 0;  ///< of the world, for the routes
    RoadRules roads{};           ///< what roads mean, if the ground has some
    Allocator allocator{};
};

/// One revision of a map, read only. Reading is safe from any thread while a snapshot of it is held (or, for the current one, while
/// nobody updates).
class DriveMapState {
  public:
    [[nodiscard]] const DriveMapOptions& options() const;
    [[nodiscard]] std::uint64_t revision() const { return options().revision; }
    [[nodiscard]] const DriveTable& table() const;
    /// In cells of the map. Rows of all floors and of what is between them.
    [[nodiscard]] std::int32_t width() const;
    [[nodiscard]] std::int32_t height() const;
    [[nodiscard]] std::int32_t floors() const;
    [[nodiscard]] bool has_links() const;
    /// One floor and no links: what PoseField, TimedSearch and the article's ways need.
    [[nodiscard]] bool is_plain() const;
    [[nodiscard]] bool has_roads() const;
    [[nodiscard]] std::size_t bytes() const;

    /// For the library's own modules.
    [[nodiscard]] const drive::MapData& data() const;

  private:
    friend class DriveMap;
    friend class Snapshot<DriveMapState>;
    [[nodiscard]] bool has_data() const { return version_ != nullptr; }
    void hold() const;
    void let_go() const;

    const drive::MapVersion* version_ = nullptr;
};

/// Keeps one revision alive (base/snapshot.h). Released before its DriveMap is destroyed.
using DriveMapSnapshot = Snapshot<DriveMapState>;

/// The owner and editor of a map. Move only.
class DriveMap {
  public:
    /// The table must outlive the map. Errors: size_zero, size_limit (16384 a side), out_of_range (road_rules), out_of_memory;
    /// floors (index: which link): out_of_range a link's end or cost; size_mismatch floors that the rows are not a
    /// multiple of; incompatible links or several floors with a table whose poses lie in the corners of cells, or of a unit whose axle
    /// lies outside its body.
    [[nodiscard]] static Result<DriveMap> make(const DriveGround& rows, const DriveTable& table,
                                               const DriveMapOptions& options = {});

    DriveMap(DriveMap&& other) noexcept;
    DriveMap& operator=(DriveMap&& other) noexcept;
    DriveMap(const DriveMap&) = delete;
    DriveMap& operator=(const DriveMap&) = delete;
    ~DriveMap();

    /// The current revision. The reference follows the updates; it is valid while the DriveMap lives.
    [[nodiscard]] const DriveMapState& state() const {
        FAIRLEAD_ASSERT(editor_ != nullptr && "a world that was moved from has no state");
        return state_;
    }
    operator const DriveMapState&() const { return state(); }

    /// Freezes the current revision. O(1).
    [[nodiscard]] DriveMapSnapshot acquire() const;

    /// After edits: compares with the map's own copy and remakes what has changed. `revision` is the new one. The sizes must be the
    /// same (size_mismatch), and it must have roads if it had (incompatible). Errors: out_of_memory, the map as it was. Where there is
    /// memory for the map but not for the index of what is joined, the map is updated without it: searches find out for themselves, and
    /// the next update makes the index.
    [[nodiscard]] Result<void> update(const DriveGround& ground, std::uint64_t revision);

  private:
    DriveMap() = default;
    DriveMapState state_;
    drive::MapEditor* editor_ = nullptr;
};

}  // namespace fairlead
