// The cells of a window's floor, found from the vehicles that stand in it; a map of them for a kind of vehicle; exact curves between places
// that are not on whole cells and those that are, by sweeping the core over the surface.
#include "fleet/mesh_window.h"

#include <algorithm>
#include <cmath>

#include "bridge/tile_blocker.h"
#include "drive/body/swept_cells.h"
#include "mesh/surface/surface.h"

namespace fairlead::fleet {

namespace {

constexpr double kCellsMax = 512.0;     // along a side
constexpr std::int32_t kSeedRings = 2;  // cells around a vehicle from which the sheet is followed
constexpr std::int32_t kNearRings = 4;  // around a place, one of which tells its height
constexpr double kInset = 4.0 * drive::kSweepSlack;  // cells: flush with walls is free
constexpr double kOffCells = 1.5;                    // cells: so far beside the cells exact curves may lead
constexpr double kThin = 1e-6;                       // of a body's size: a core of no width has a little

struct SheetRows {
    const bridge::SheetCells* cells;
    std::span<const Blocker> walls;
    Vec2 origin;  ///< world units
    double grown;

    static void read_free(const void* user, std::int32_t y, std::span<std::uint64_t> row) {
        const SheetRows& self = *static_cast<const SheetRows*>(user);
        const std::int32_t width = self.cells->width();
        std::fill(row.begin(), row.end(), std::uint64_t{0});
        for (std::int32_t x = 0; x < width; ++x) {
            if (self.cells->known(static_cast<std::size_t>(y * width + x)))
                row[static_cast<std::size_t>(x >> 6)] |= std::uint64_t{1} << (x & 63);
        }
        for (const Blocker& wall : self.walls) {
            Blocker grown = wall;
            grown.radius += self.grown;
            bridge::TileBlocker(grown, self.origin, self.cells->frame().size).close(y, width, row);
        }
    }
};

// Of two cells that touch at a corner alone one is dropped: a body that is a point would pass there.
void part_corners(bridge::SheetCells& cells) {
    const auto width = static_cast<std::size_t>(cells.width());
    for (std::size_t y = 0; y + 1 < static_cast<std::size_t>(cells.height()); ++y) {
        for (std::size_t x = 0; x + 1 < width; ++x) {
            const std::size_t a = y * width + x, b = a + 1, c = a + width, d = c + 1;
            const bool rising = cells.known(a) && cells.known(d) && !cells.known(b) && !cells.known(c);
            const bool falling = cells.known(b) && cells.known(c) && !cells.known(a) && !cells.known(d);
            if (rising) cells.drop(static_cast<std::uint32_t>(d));
            if (falling) cells.drop(static_cast<std::uint32_t>(c));
        }
    }
}

}  // namespace

Agent core_of(const Agent& agent, double margin) {
    const BodyCore body = body_beyond(agent, margin);
    Agent core = agent;
    const double length = body.core.high.x - body.core.low.x;
    switch (agent.shape) {
        case BodyShape::disc: core.radius = body.radius; break;
        case BodyShape::box:
            core.length = std::max(length, kThin * agent.length);
            core.width = std::max(body.core.high.y - body.core.low.y, kThin * agent.width);
            core.axle_offset = 0.5 * (body.core.high.x + body.core.low.x);
            break;
        case BodyShape::capsule:
            core.radius = std::max(body.radius, kThin * agent.radius);
            core.length = length + 2.0 * core.radius;
            core.axle_offset = 0.5 * (body.core.high.x + body.core.low.x);
            break;
        default: break;
    }
    return core;
}

double beyond_core(const Agent& agent, double margin) {
    const BodyCore whole = body_core(agent);
    const BodyCore core = body_beyond(agent, margin);
    const double x =
        std::max({core.core.low.x - whole.core.low.x, whole.core.high.x - core.core.high.x, 0.0});
    const double y =
        std::max({core.core.low.y - whole.core.low.y, whole.core.high.y - core.core.high.y, 0.0});
    return std::sqrt(x * x + y * y) + (whole.radius - core.radius);
}

// From the cell that a vehicle stands in, and those around it: its own may lie partly off the surface.
bool MeshWindow::seed(bridge::SheetCells& cells, const Place& at) const {
    const mesh::StateData& state = mesh_->data();
    const Vec3 from = at.position + state.origin * -1.0;
    const Vec2 p = cells.frame().in_cells(ground(from));
    const double low_x = std::floor(p.x), low_y = std::floor(p.y);
    for (std::int32_t ring = 0; ring <= kSeedRings; ++ring) {
        for (std::int32_t dy = -ring; dy <= ring; ++dy) {
            const std::int32_t across = std::abs(dy) == ring ? 1 : 2 * ring;
            for (std::int32_t dx = -ring; dx <= ring; dx += across) {
                const double x = low_x + dx, y = low_y + dy;
                if (!(x >= 0.0 && y >= 0.0 && x < cells.width() && y < cells.height())) continue;
                const auto cell = static_cast<std::uint32_t>(y * cells.width() + x);
                if (cells.known(cell)) continue;
                const Vec2 middle = cells.frame().to_mesh(cells.middle_of(cell));
                const mesh::SurfacePoint under = mesh::nearest_point(state, {middle.x, middle.y, from.z},
                                                                     {0.0, 0.5 * height_, 0.5 * height_});
                if (under.polygon != mesh::kNone && !cells.follow(cell, under.polygon)) return false;
            }
        }
    }
    return true;
}

Result<void> MeshWindow::lay(bridge::SheetCells& cells, double cell_size) const {
    const mesh::StateData& state = mesh_->data();
    const double margin = state.agent_radius;
    // the lattice of all searches on the mesh: whole cells from its origin
    const Vec2 low = (area_.low + Vec2{margin, margin} - ground(state.origin)) * (1.0 / cell_size);
    const Vec2 high = (area_.high - Vec2{margin, margin} - ground(state.origin)) * (1.0 / cell_size);
    const Vec2 first{std::ceil(low.x), std::ceil(low.y)};
    const double width = std::floor(high.x) - first.x, height = std::floor(high.y) - first.y;
    if (!(width >= 1.0 && height >= 1.0)) return Error{ErrorCode::size_zero};
    if (width > kCellsMax || height > kCellsMax) return Error{ErrorCode::size_limit};
    if (!cells.begin(state, first * cell_size, cell_size, static_cast<std::int32_t>(width),
                     static_cast<std::int32_t>(height), kInset))
        return Error{ErrorCode::out_of_memory};
    for (const Place& at : stand_) {
        if (!seed(cells, at)) return Error{ErrorCode::out_of_memory};
    }
    cells.finish();
    part_corners(cells);
    return {};
}

Result<void> MeshWindow::open(const NavMeshSnapshot& mesh, const FleetWindow& window) {
    mesh_ = mesh;
    area_ = window.area;
    layer_ = window.layer;
    height_ = window.height;
    if (!stand_.assign(window.stand)) return Error{ErrorCode::out_of_memory};
    if (const Result<void> laid = lay(cells_, window.cell_size); !laid) return laid;
    if (!heights_.resize(cells_.size())) return Error{ErrorCode::out_of_memory};
    const mesh::StateData& state = mesh_->data();
    bool any = false;
    for (std::uint32_t cell = 0; cell < cells_.size(); ++cell) {
        if (!cells_.known(cell)) continue;
        const Vec2 middle = cells_.frame().to_mesh(cells_.middle_of(cell));
        heights_[cell] = mesh::ground_near(state, cells_.polygon(cell), middle);
        any = true;
    }
    return any ? Result<void>{} : Error{ErrorCode::size_zero};
}

void MeshWindow::drop() { mesh_ = NavMeshSnapshot(); }

// Is there a cell of about the same height within reach? Mesh coordinates.
bool MeshWindow::near_cell(Vec2 at, double reach, double z) const {
    const Vec2 p = cells_.frame().in_cells(at);
    const double r = reach * cells_.frame().scale;
    const auto index = [](double v, std::int32_t most) {
        return static_cast<std::int32_t>(std::clamp(std::floor(v), 0.0, static_cast<double>(most)));
    };
    const std::int32_t last_x = index(p.x + r, cells_.width() - 1),
                       last_y = index(p.y + r, cells_.height() - 1);
    for (std::int32_t y = index(p.y - r, cells_.height()); y <= last_y; ++y) {
        for (std::int32_t x = index(p.x - r, cells_.width()); x <= last_x; ++x) {
            const auto cell = static_cast<std::size_t>(y * cells_.width() + x);
            if (!cells_.known(cell) || std::abs(heights_[cell] - z) > height_) continue;
            const double dx = std::max({x - p.x, p.x - x - 1.0, 0.0});
            const double dy = std::max({y - p.y, p.y - y - 1.0, 0.0});
            if (dx * dx + dy * dy < r * r) return true;
        }
    }
    return false;
}

bool MeshWindow::touches(const Place& at, double radius) const {
    const mesh::StateData& state = mesh_->data();
    const Vec3 from = at.position + state.origin * -1.0;
    return near_cell(ground(from), radius + state.agent_radius + kOffCells * cells_.frame().size, from.z);
}

bool MeshWindow::overlaps(const MeshWindow& other) const {
    // of a cell about its middle
    const double reach = (0.75 + 2.0 * kOffCells) * cells_.frame().size + 2.0 * mesh_->data().agent_radius;
    for (std::uint32_t cell = 0; cell < cells_.size(); ++cell) {
        if (!cells_.known(cell)) continue;
        if (other.near_cell(cells_.frame().to_mesh(cells_.middle_of(cell)), reach, heights_[cell]))
            return true;
    }
    return false;
}

Result<DriveMap> MeshWindow::map(const DriveTable& table, const Agent& agent,
                                 std::span<const Blocker> walls) const {
    const mesh::StateData& state = mesh_->data();
    bridge::SheetCells finer(allocator_);
    const bool same = table.options().cell_size == cells_.frame().size;
    if (!same) {
        if (const Result<void> laid = lay(finer, table.options().cell_size); !laid) return laid.error();
    }
    const bridge::SheetCells& cells = same ? cells_ : finer;
    const Vec2 origin = ground(state.origin) + cells.frame().origin;
    const SheetRows rows{&cells, walls, origin, beyond_core(agent, state.agent_radius)};
    DriveMapOptions options;
    options.origin = origin;
    options.layer = layer_;
    options.revision = state.revision;
    options.allocator = allocator_;
    return DriveMap::make({cells.width(), cells.height(), SheetRows::read_free, nullptr, &rows}, table,
                          options);
}

std::uint32_t MeshWindow::surface_under(Vec2 at) const {
    const Vec2 p = cells_.frame().in_cells(at);
    const double low_x = std::floor(p.x), low_y = std::floor(p.y);
    double least = 1e300;
    double z = 0.0;
    for (std::int32_t dy = -kNearRings; dy <= kNearRings; ++dy) {
        for (std::int32_t dx = -kNearRings; dx <= kNearRings; ++dx) {
            const double x = low_x + dx, y = low_y + dy;
            if (!(x >= 0.0 && y >= 0.0 && x < cells_.width() && y < cells_.height())) continue;
            const auto cell = static_cast<std::uint32_t>(y * cells_.width() + x);
            if (!cells_.known(cell)) continue;
            const double off = distance(cells_.middle_of(cell), p);
            if (off >= least) continue;
            least = off;
            z = heights_[cell];
        }
    }
    if (least >= 1e300) return mesh::kNone;
    return mesh::nearest_point(mesh_->data(), {at.x, at.y, z}, {0.0, height_, height_}).polygon;
}

// Others know of the window's cells and of what is near them: curves may not leave them, nor the window. `from`: mesh coordinates.
bool MeshWindow::keeps_near(const Agent& agent, const Pose& from, double radius,
                            const CurveWord& word) const {
    const double whole = circumscribed_radius(agent);
    const Aabb box = bounds_of_curve(from, radius, word);
    const Vec2 origin = ground(mesh_->data().origin);
    if (box.low.x - whole < area_.low.x - origin.x || box.low.y - whole < area_.low.y - origin.y ||
        box.high.x + whole > area_.high.x - origin.x || box.high.y + whole > area_.high.y - origin.y)
        return false;
    const double step = 0.5 * cells_.frame().size;
    const double reach = kOffCells * cells_.frame().size;
    const double length = radius * word.length;
    for (double along = 0.0;; along += step) {
        along = std::min(along, length);
        const Vec2 place = pose_on_curve(from, radius, word, along).position;
        const Vec2 p = cells_.frame().in_cells(place);
        bool near = false;
        for (std::int32_t dy = -2; dy <= 2 && !near; ++dy) {
            for (std::int32_t dx = -2; dx <= 2 && !near; ++dx) {
                const double x = std::floor(p.x) + dx, y = std::floor(p.y) + dy;
                if (!(x >= 0.0 && y >= 0.0 && x < cells_.width() && y < cells_.height())) continue;
                const auto cell = static_cast<std::uint32_t>(y * cells_.width() + x);
                near = cells_.known(cell) &&
                       distance(cells_.frame().to_mesh(cells_.middle_of(cell)), place) <= reach;
            }
        }
        if (!near) return false;
        if (along >= length) return true;
    }
}

bool MeshWindow::is_free(const Agent& agent, const Pose& from, double radius, const CurveWord& word) {
    const mesh::StateData& state = mesh_->data();
    const Vec2 at = from.position - ground(state.origin);
    if (!keeps_near(agent, {at, from.heading_rad}, radius, word)) return false;
    std::uint32_t polygon = surface_under(at);
    if (polygon == mesh::kNone) return false;
    const bridge::MeshFrame& frame = cells_.frame();
    sweep_.begin(state, frame, scaled_body(body_beyond(agent, state.agent_radius), frame.scale), {});
    return sweep_.is_free(polygon, {frame.in_cells(at), from.heading_rad}, radius * frame.scale, word);
}

}  // namespace fairlead::fleet
