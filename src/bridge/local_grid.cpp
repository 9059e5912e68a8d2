#include <fairlead/bridge/local_grid.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/no_memory.h"
#include "bridge/sheet_cells.h"
#include "math/segment.h"
#include "mesh/surface/surface.h"
#include "mesh/surface/walk.h"

namespace fairlead {

namespace {

constexpr double kOnBorder = 1e-6;  // cells
constexpr double kCellsSlack = 1e-9;

// The piece's corners are counter-clockwise: all is on the left of its sides, by `sense`.
double sense_of(const MeshObstacle& piece) {
    double area = 0.0;
    for (std::uint32_t i = 1; i + 1 < piece.count; ++i)
        area += cross(piece.points[i] - piece.points[0], piece.points[i + 1] - piece.points[0]);
    return area < 0.0 ? -1.0 : 1.0;
}

Result<void> check_piece(const MeshObstacle& piece, std::int64_t index) {
    if (piece.count < 3 || piece.count > kObstaclePointsMax)
        return Error{ErrorCode::out_of_range, Field::obstacles, index, 0};
    if (!std::isfinite(piece.low) || !std::isfinite(piece.high))
        return Error{ErrorCode::not_finite, Field::obstacles, index, 0};
    for (std::uint32_t i = 0; i < piece.count; ++i) {
        if (!is_finite(piece.points[i])) return Error{ErrorCode::not_finite, Field::obstacles, index, 0};
        if (std::abs(piece.points[i].x) > 2.0 * kMeshSpan || std::abs(piece.points[i].y) > 2.0 * kMeshSpan)
            return Error{ErrorCode::out_of_range, Field::obstacles, index, 0};
    }
    const double sense = sense_of(piece);
    for (std::uint32_t i = 0; i < piece.count; ++i) {
        const Vec2 a = piece.points[i], b = piece.points[(i + 1) % piece.count];
        const Vec2 c = piece.points[(i + 2) % piece.count];
        if (sense * cross(b - a, c - b) < 0.0)
            return Error{ErrorCode::incompatible, Field::obstacles, index, 0};
    }
    return {};
}

bool piece_holds(const MeshObstacle& piece, Vec2 p) {
    const double sense = sense_of(piece);
    for (std::uint32_t i = 0; i < piece.count; ++i) {
        const Vec2 a = piece.points[i], b = piece.points[(i + 1) % piece.count];
        if (sense * cross(b - a, p - a) < 0.0) return false;
    }
    return true;
}

// From a segment to a convex piece; 0 where they meet.
double apart_from_piece(const MeshObstacle& piece, Vec2 a, Vec2 b) {
    if (piece_holds(piece, a)) return 0.0;
    double least = 1e300;
    for (std::uint32_t i = 0; i < piece.count; ++i)
        least = std::min(least,
                         math::segments_distance(a, b, piece.points[i], piece.points[(i + 1) % piece.count]));
    return least;
}

// Does a cell come nearer to a piece than `by`?
bool cell_is_near(const MeshObstacle& piece, const Aabb& cell, double by) {
    const Vec2 corners[] = {cell.low, {cell.high.x, cell.low.y}, cell.high, {cell.low.x, cell.high.y}};
    if (cell.contains(piece.points[0])) return true;
    for (int i = 0; i < 4; ++i) {
        const double off = apart_from_piece(piece, corners[i], corners[(i + 1) & 3]);
        if (off < by || off == 0.0) return true;
    }
    return false;
}

// As much smaller as the mesh keeps from walls. False: not of these kinds.
bool make_body(const Agent& agent, double margin, Agent& body) {
    const BodyCore core = body_beyond(agent, margin);
    body = agent;
    if (agent.footprint > 0 || agent.shape == BodyShape::capsule) return false;
    body.radius = core.radius;
    if (agent.shape == BodyShape::disc) return true;
    body.length = core.core.high.x - core.core.low.x;
    body.width = core.core.high.y - core.core.low.y;
    body.axle_offset = 0.5 * (core.core.high.x + core.core.low.x);
    return agent.turning_radius > 0.0 && body.length > 0.0 && body.width > 0.0;
}

}  // namespace

LocalGrid::LocalGrid(const LocalGridOptions& options, Grid&& grid)
    : options_(options),
      grid_(std::move(grid)),
      polygons_(options.allocator),
      clutter_(options.allocator),
      tiles_(options.allocator) {}

Result<LocalGrid> LocalGrid::make(const LocalGridOptions& options) {
    if (!std::isfinite(options.cell_size)) return Error{ErrorCode::not_finite, Field::cell_size};
    if (!(options.cell_size >= 1e-6 && options.cell_size <= 1e6))
        return Error{ErrorCode::out_of_range, Field::cell_size};
    if (options.cells < 8 || options.cells > 256) return Error{ErrorCode::out_of_range, Field::cells};
    if (!std::isfinite(options.unit_height)) return Error{ErrorCode::not_finite, Field::unit_height};
    if (options.unit_height < 0.0) return Error{ErrorCode::out_of_range, Field::unit_height};
    Result<Grid> grid = Grid::make({.width = options.cells,
                                    .height = options.cells,
                                    .cell_size = options.cell_size,
                                    .allocator = options.allocator});
    if (!grid) return grid.error();
    return LocalGrid(options, std::move(*grid));
}

Aabb LocalGrid::bounds() const {
    const double side = options_.cells * options_.cell_size;
    return {grid_.state().origin(), grid_.state().origin() + Vec2{side, side}};
}

std::int64_t LocalGrid::cell_at(Vec2 place) const {
    const Vec2 at = (place - grid_.state().origin()) * (1.0 / options_.cell_size);
    const auto n = static_cast<double>(options_.cells);
    if (!(at.x >= 0.0 && at.y >= 0.0 && at.x < n && at.y < n)) return -1;
    return static_cast<std::int64_t>(at.y) * options_.cells + static_cast<std::int64_t>(at.x);
}

// A cell of the sheet that the place is in, or on the border of; -1: none.
std::int64_t LocalGrid::sheet_cell(Vec2 place) const {
    if (mesh_ == nullptr) return -1;
    for (const double dy : {0.0, -kOnBorder, kOnBorder}) {
        for (const double dx : {0.0, -kOnBorder, kOnBorder}) {
            const std::int64_t cell = cell_at(place + Vec2{dx, dy} * options_.cell_size);
            if (cell >= 0 && polygons_[static_cast<std::size_t>(cell)] != mesh::kNone) return cell;
        }
    }
    return -1;
}

bool LocalGrid::on_sheet(Vec2 place) const { return sheet_cell(place) >= 0; }

double LocalGrid::height(Vec2 place) const {
    const std::int64_t cell = sheet_cell(place);
    FAIRLEAD_ASSERT(cell >= 0);
    const mesh::StateData& state = mesh_->data();
    const auto x = static_cast<double>(cell % options_.cells), y = static_cast<double>(cell / options_.cells);
    mesh::Walk walk;
    walk.from = origin_ + Vec2{x + 0.5, y + 0.5} * options_.cell_size;
    walk.to = place - ground(state.origin);
    walk.polygon = polygons_[static_cast<std::size_t>(cell)];
    mesh::finish_walk(state, walk);
    return state.origin.z + mesh::ground_near(state, walk.polygon, walk.to);
}

bool LocalGrid::meets_clutter(Vec2 a, Vec2 b) const {
    const double radius = circumscribed_radius(agent_);
    for (const MeshObstacle& piece : clutter_) {
        const double off = apart_from_piece(piece, a, b);
        if (off < radius - kCellsSlack * options_.cell_size || off == 0.0) return true;
    }
    return false;
}

// From the middle cell outwards.
bool LocalGrid::follow_cells(std::uint32_t polygon, const MeshFilter& filter) {
    const std::int32_t n = options_.cells;
    bridge::SheetCells cells(options_.allocator);
    if (!cells.begin(mesh_->data(), origin_, options_.cell_size, n, n, 0.0, filter.areas.closed_mask()) ||
        !cells.follow(static_cast<std::uint32_t>(n / 2 * n + n / 2), polygon))
        return false;
    cells.finish();
    for (std::size_t i = 0; i < polygons_.size(); ++i) polygons_[i] = cells.polygon(i);
    return true;
}

Result<void> LocalGrid::write_tiles() {
    return grid_.set({{0, 0}, {options_.cells, options_.cells}}, tiles_.span());
}

Result<void> LocalGrid::lay(const NavMeshState& mesh, Vec3 middle, const Agent& agent, const MeshReach& reach,
                            const MeshFilter& filter) {
    for (const double value : {middle.x, middle.y, middle.z}) {
        if (!std::isfinite(value)) return Error{ErrorCode::not_finite, Field::start};
        if (std::abs(value) > 2.0 * kMeshSpan) return Error{ErrorCode::out_of_range, Field::start};
    }
    if (const Result<void> good = check_body(agent); !good) return good.error();
    Agent body;
    if (!make_body(agent, mesh.agent_radius(), body)) return Error{ErrorCode::unsupported, Field::agent};
    const mesh::StateData& state = mesh.data();
    const Vec3 at = middle + state.origin * -1.0;
    const mesh::SurfacePoint under =
        mesh::nearest_point(state, at, {0.0, reach.above, reach.below}, filter.areas.closed_mask());
    if (under.polygon == mesh::kNone) return Error{ErrorCode::unknown_id, Field::start};
    const std::size_t cells =
        static_cast<std::size_t>(options_.cells) * static_cast<std::size_t>(options_.cells);
    if (!polygons_.resize(cells) || !tiles_.resize(cells)) return kNoMemory;
    mesh_ = &mesh;
    agent_ = agent;
    body_ = body;
    grown_ = agent.shape == BodyShape::disc ? agent.radius - body.radius : mesh.agent_radius();
    clutter_.clear();
    // The middle of the window's middle cell is the place itself.
    const double half = (options_.cells / 2 + 0.5) * options_.cell_size;
    origin_ = ground(at) - Vec2{half, half};
    Result<Grid> grid = Grid::make({.width = options_.cells,
                                    .height = options_.cells,
                                    .origin = ground(state.origin) + origin_,
                                    .cell_size = options_.cell_size,
                                    .allocator = options_.allocator});
    if (!grid) return grid.error();
    grid_ = std::move(*grid);
    if (!follow_cells(under.polygon, filter)) return kNoMemory;
    return set_clutter({});
}

// The cells that a piece reaches into, grown, on floors that it stands on.
void LocalGrid::close_cells(const MeshObstacle& piece) {
    Aabb box{piece.points[0], piece.points[0]};
    for (std::uint32_t i = 1; i < piece.count; ++i) {
        const Vec2 p = piece.points[i];
        box.low = {std::min(box.low.x, p.x), std::min(box.low.y, p.y)};
        box.high = {std::max(box.high.x, p.x), std::max(box.high.y, p.y)};
    }
    const Vec2 origin = grid_.state().origin();
    const double size = options_.cell_size, n = options_.cells - 1.0;
    const auto index = [&](double value) {
        return static_cast<std::int32_t>(std::clamp(std::floor(value / size), -1.0, n + 1.0));
    };
    const std::int32_t x1 = std::min(index(box.high.x + grown_ - origin.x), options_.cells - 1);
    const std::int32_t y1 = std::min(index(box.high.y + grown_ - origin.y), options_.cells - 1);
    for (std::int32_t y = std::max(index(box.low.y - grown_ - origin.y), 0); y <= y1; ++y) {
        for (std::int32_t x = std::max(index(box.low.x - grown_ - origin.x), 0); x <= x1; ++x) {
            const auto cell = static_cast<std::size_t>(y * options_.cells + x);
            if (tiles_[cell] == 0) continue;
            const Aabb square{origin + Vec2{x * size, y * size},
                              origin + Vec2{(x + 1) * size, (y + 1) * size}};
            const double z = height((square.low + square.high) * 0.5);
            if (z < piece.low - options_.unit_height || z > piece.high) continue;
            if (cell_is_near(piece, square, grown_)) tiles_[cell] = 0;
        }
    }
}

Result<void> LocalGrid::set_clutter(std::span<const MeshObstacle> clutter) {
    for (std::size_t i = 0; i < clutter.size(); ++i) {
        if (const Result<void> good = check_piece(clutter[i], static_cast<std::int64_t>(i)); !good)
            return good;
    }
    if (!clutter_.assign(clutter)) return kNoMemory;
    if (mesh_ == nullptr) return {};
    for (std::size_t i = 0; i < tiles_.size(); ++i) tiles_[i] = polygons_[i] != mesh::kNone ? 1 : 0;
    for (const MeshObstacle& piece : clutter_) close_cells(piece);
    return write_tiles();
}

}  // namespace fairlead
