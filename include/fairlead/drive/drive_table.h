// DriveTable: what a turning unit can do on a lattice, worked out once for its body and turning radius.
//
//     Result<DriveTable> truck_moves = DriveTable::make({.agent = truck, .cell_size = 1.0});
//
// An asset: make it at load time, keep it as long as there are such units, share it between any number of searches,
// threads and maps of the same cell size. It holds
//   * the motion primitives (primitives.h);
//   * for each of them the cells that the body sweeps on its way, exactly: a cell is in the list if and only if the body
//     reaches into it by more than 1e-9 of a cell somewhere along the curve (both end poses included);
//   * for each heading the cells that the body covers when it stands in the centre of a cell;
//   * lengths of shortest curves on open ground, which searches use as a lower bound.
//
// Cost: make takes 10 to 60 ms, linear in primitives x cells swept; bytes() is 60 to 600 KB.
// Deterministic: the same table on every toolchain.
//
// Errors of make: those of PrimitiveSet::make;
// incompatible (agent): a footprint in tiles, which has no heading; out_of_range (agent): a box or capsule thinner than 1e-6
// cells; size_limit (agent): a body that reaches 40 cells or more from its axle; out_of_memory.
//
// Source: technique D11 (Pinter 2001), made exact.
#pragma once

#include <cstdint>
#include <span>

#include <fairlead/base/array.h>
#include <fairlead/base/result.h>
#include <fairlead/base/use_count.h>
#include <fairlead/drive/primitives.h>
#include <fairlead/math/pose.h>
#include <fairlead/route/agent.h>

namespace fairlead {

namespace drive {
enum class GroundCorner : std::uint8_t;
}

/// Where the poses of the lattice lie.
enum class DriveNodes : std::uint8_t {
    centres,  ///< in the middle of each cell
    corners,  ///< where cells meet: for units that fit gaps of an even number of cells
    halves,   ///< both, and in the middle of the cells' sides: every half cell. Four times the poses
    fitting,  ///< centres or corners, by the unit's width
};

struct DriveTableOptions {
    Agent agent{};               ///< body, turning radius > 0, reverse, pivot; world units
    double cell_size = 1.0;      ///< world units, as the map's
    std::int32_t headings = 16;  ///< 8, 16 or 32
    std::int32_t rings =
        0;  ///< 0: a set chosen for the turning radius; 1, 2, 3, 4: Directional-8, -24, -48, -80
    double stretch = 1.02;  ///< rings 0: see PrimitiveOptions
    DriveNodes nodes = DriveNodes::centres;
    bool every_word = false;  ///< rings: see PrimitiveOptions
    Allocator allocator{};
};

/// Cells (x + dx .. x + dx + count - 1, y + dy), seen from the cell that the unit starts in.
struct CellRun {
    std::int16_t dx = 0;
    std::int16_t dy = 0;
    std::int16_t count = 0;

    friend bool operator==(const CellRun&, const CellRun&) = default;
};

/// A cell that the axle passes, seen from the cell that it starts in, and how far it goes there.
struct TerrainVisit {
    double length = 0.0;  ///< cells
    std::int16_t dx = 0;
    std::int16_t dy = 0;
};

/// Move only. It must outlive every EdgeMap, DriveMap and SpeedTable made from it, and stay where it is meanwhile (an assertion).
class DriveTable {
  public:
    [[nodiscard]] static Result<DriveTable> make(const DriveTableOptions& options);

    /// As a file's bytes (FORMAT.md, kind DTAB). Errors: out_of_memory.
    [[nodiscard]] Result<void> save(Array<std::uint8_t>& out) const;
    /// The table as it was saved; what no table can hold is refused. 0.2 ms for 200 KB. Whether the swept cells are those of
    /// this body is another question (is_as_made). Errors: those of BakedFile::open; baked_value; out_of_memory.
    [[nodiscard]] static Result<DriveTable> load(std::span<const std::uint8_t> bytes,
                                                 const Allocator& allocator = {});
    /// Is every number what make() gives for the same options? Costs as much as make. Errors: those of make.
    [[nodiscard]] Result<bool> is_as_made() const;

    [[nodiscard]] const DriveTableOptions& options() const { return options_; }
    [[nodiscard]] const PrimitiveSet& primitives() const { return primitives_; }
    [[nodiscard]] std::int32_t headings() const { return options_.headings; }
    /// As chosen: never `fitting`.
    [[nodiscard]] DriveNodes nodes() const { return nodes_; }
    /// Poses along a cell's side: 1 or 2. From here on, and in the search, a "cell" is a map's cell cut into so many
    /// along each side: its size is cell_size / pitch.
    [[nodiscard]] std::int32_t pitch() const { return nodes_ == DriveNodes::halves ? 2 : 1; }
    [[nodiscard]] double lattice_size() const { return options_.cell_size / pitch(); }
    /// Where in its cell a pose lies, on both axes: 0.5 (centres) or 0.
    [[nodiscard]] double node_offset() const { return nodes_ == DriveNodes::centres ? 0.5 : 0.0; }
    /// In cells.
    [[nodiscard]] Pose node(std::int32_t x, std::int32_t y, std::int32_t heading) const {
        return {{x + node_offset(), y + node_offset()}, heading_rad(options_.headings, heading)};
    }
    /// In cells.
    [[nodiscard]] double turning_radius() const { return primitives_.options().turning_radius; }
    /// In cells.
    [[nodiscard]] const BodyCore& body() const { return body_; }

    /// The cells swept along primitive i of primitives().all(), in rows from low to high, no cell twice.
    [[nodiscard]] std::span<const CellRun> swept(std::size_t i) const {
        return runs_.span().subspan(first_run_[i], first_run_[i + 1] - first_run_[i]);
    }
    /// The cells covered when standing.
    [[nodiscard]] std::span<const CellRun> covered(std::int32_t heading) const {
        return swept(primitives_.all().size() + static_cast<std::size_t>(heading));
    }
    /// The cells that its axle passes, in order, and how far it goes in each.
    [[nodiscard]] std::span<const TerrainVisit> visits(std::size_t i) const {
        return visits_.span().subspan(first_visit_[i], first_visit_[i + 1] - first_visit_[i]);
    }
    /// No cell of any list is farther than this from the start on either axis. At most 60.
    [[nodiscard]] std::int32_t margin() const { return margin_; }
    /// Lengths of shortest curves on open ground, as src/drive/lattice/curve_bounds.h reads them.
    [[nodiscard]] std::span<const std::uint16_t> curve_bounds() const { return curve_bounds_.span(); }
    /// No primitive that drives is shorter than this times the ground distance (src/drive/ground/ground_distance.h) between
    /// its ends, in cells, along the cells that its own curve passes. 0 to 1; 0: the axle does not lie inside the body, so
    /// it may pass over walls.
    [[nodiscard]] double ground_factor() const { return ground_factor_; }
    /// Every move driven the other way round, its ends' headings turned by half a circle, is a move too and sweeps the same
    /// cells. So what reaches a pose is what the pose turned round reaches, turned round.
    [[nodiscard]] bool is_two_way() const { return two_way_; }
    /// Points may pass between two walls that meet at a corner.
    [[nodiscard]] drive::GroundCorner ground_corner() const;
    [[nodiscard]] std::size_t bytes() const;
    /// For what is made from it.
    [[nodiscard]] const UseCount& uses() const { return uses_; }

  private:
    DriveTable() = default;
    [[nodiscard]] static Result<DriveTable> empty(const DriveTableOptions& options, PrimitiveOptions& moves);
    [[nodiscard]] bool add_runs(std::size_t primitive);
    [[nodiscard]] bool add_visits(const Primitive& primitive);
    [[nodiscard]] bool add_cover(std::int32_t heading);
    [[nodiscard]] bool find_ground_factor();
    void find_margin();
    void find_two_way();
    [[nodiscard]] bool has_way_back(std::size_t i) const;

    UseCount uses_;
    DriveTableOptions options_;
    PrimitiveSet primitives_;
    BodyCore body_;
    Array<CellRun> runs_;
    Array<std::uint32_t> first_run_;
    DriveNodes nodes_ = DriveNodes::centres;
    Array<TerrainVisit> visits_;
    Array<std::uint32_t> first_visit_;
    Array<std::uint16_t> curve_bounds_;
    double ground_factor_ = 1.0;
    std::int32_t margin_ = 0;
    bool two_way_ = false;
};

}  // namespace fairlead
