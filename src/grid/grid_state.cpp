// GridState: what can be asked of one revision.

#include <fairlead/grid/grid.h>

#include <algorithm>
#include <cmath>

#include "grid/block.h"
#include "grid/clearance.h"
#include "grid/connectivity.h"
#include "grid/half_body.h"
#include "grid/half_gap.h"
#include "grid/hierarchy/clusters.h"
#include "grid/joined.h"
#include "grid/stand.h"
#include "grid/state.h"

namespace fairlead {

namespace {

using grid::Body;
using grid::BodyKey;
using grid::StateData;

bool joined_cells(const StateData& state, const Body& body, Cell a, Cell b) {
    return grid::component_of(state, body, a.x, a.y, a.layer) ==
           grid::component_of(state, body, b.x, b.y, b.layer);
}

}  // namespace

std::int32_t GridState::width() const { return data_->width; }
std::int32_t GridState::height() const { return data_->height; }
std::int32_t GridState::layers() const { return data_->layers; }
Vec2 GridState::origin() const { return data_->origin; }
double GridState::cell_size() const { return data_->cell_size; }
bool GridState::wrap_x() const { return data_->wrap_x; }
bool GridState::wrap_y() const { return data_->wrap_y; }
CornerRule GridState::corner() const { return data_->corner; }
std::uint64_t GridState::revision() const { return data_->revision; }
std::span<const Portal> GridState::portals() const { return {data_->portals, data_->portal_count}; }
bool GridState::uniform() const { return data_->rough_cells == 0 && data_->costs[1] == 1; }
std::int64_t GridState::free_cells() const { return data_->bodies[0].free_cells; }

bool GridState::inside(Cell cell) const {
    return data_->inside(cell.x, cell.y) &&
           static_cast<std::uint32_t>(cell.layer) < static_cast<std::uint32_t>(data_->layers);
}

bool GridState::blocked(Cell cell) const {
    return !inside(cell) || !data_->row_lines(data_->bodies[0], cell.layer).get(cell.x, cell.y);
}

std::uint8_t GridState::tile(Cell cell) const {
    if (blocked(cell)) return 0;
    const std::uint8_t* row = data_->tile_row(cell.y, cell.layer);
    return row == nullptr ? std::uint8_t{1} : row[cell.x];
}

std::int32_t GridState::cost(Cell cell) const {
    const std::uint8_t kind = tile(cell);
    return kind == 0 ? 0 : data_->costs[kind];
}

double GridState::clearance(Cell cell, double limit) const {
    if (blocked(cell) || !(limit > 0.0)) return 0.0;
    const double limit_cells = limit / data_->cell_size;
    const std::int32_t kind = grid::clearance_class(data_->clearance_lines(cell.layer), cell.x, cell.y);
    if (kind < grid::kClearanceClasses - 1) {
        const auto sum = static_cast<double>(grid::kClearanceSums[kind - 1]);
        return std::min(std::sqrt(sum) / 2 * data_->cell_size, limit);
    }
    const double cap = std::min(2.0 * limit_cells, 4.0 * grid::kSideMax);
    const double limit_sum = std::ceil(cap * cap);
    if (limit_sum <= static_cast<double>(grid::kClearanceBeyondSum)) return limit;
    const grid::WallReader walls{data_->row_lines(data_->bodies[0], cell.layer), data_->rows, data_->wrap_y,
                                 data_->wrap_x};
    const std::int64_t sum =
        grid::clearance_sum_on_demand(walls, cell.x, cell.y, static_cast<std::int64_t>(limit_sum));
    return std::min(std::sqrt(static_cast<double>(sum)) / 2 * data_->cell_size, limit);
}

bool GridState::can_stand(Cell cell, const Agent& agent) const {
    if (!inside(cell) || !grid::check_agent(agent) || grid::too_large(agent, data_->cell_size)) return false;
    const BodyKey key = grid::body_key(agent, data_->cell_size);
    return grid::body_fits(*data_, key, cell.x, cell.y, cell.layer);
}

Result<bool> GridState::connected(Cell a, Cell b, const Agent& agent) const {
    if (const Result<void> good = grid::check_agent(agent); !good) return good.error();
    if (!inside(a)) return Error{ErrorCode::out_of_range, Field::from};
    if (!inside(b)) return Error{ErrorCode::out_of_range, Field::to};
    const BodyKey key = grid::body_key(agent, data_->cell_size);
    const Body* body = grid::connectivity_body(*data_, key);
    if (body == nullptr) return Error{ErrorCode::unknown_id, Field::agent, key};
    if (!data_->row_lines(*body, a.layer).get(a.x, a.y) || !data_->row_lines(*body, b.layer).get(b.x, b.y)) {
        return false;
    }
    // The index joins what a one-way portal leads to in both directions.
    const bool one_way = data_->portal_count != 0 && !data_->portal_tables->two_way;
    if (joined_cells(*data_, *body, a, b)) return one_way ? grid::joined_by_search(*this, a, b, agent) : true;
    // Between tiles' middles a disc wider than a tile may have ways that the index knows nothing of, a point has more.
    if (key <= grid::kCellBody || !joined_cells(*data_, data_->bodies[0], a, b)) return false;
    const double radius = agent.radius / data_->cell_size;
    if (const Body* half =
            agent.footprint == 0 ? data_->find_half(grid::HalfDisc::of(radius).square) : nullptr) {
        // Its "no" is the truth, and without gaps its "yes" too.
        const auto name = [&](Cell c) {
            return grid::component_of(*data_, *half, 2 * c.x + 1, 2 * c.y + 1, c.layer);
        };
        const bool joined = name(a) == name(b);
        if (!joined || (half->planes != grid::kGapPlanes && !one_way)) return joined;
    }
    return grid::joined_by_search(*this, a, b, agent);
}

Cell GridState::cell_at(Vec2 point, std::int32_t layer) const {
    const auto index = [](double value) {
        // Far outside stays outside: no overflow of the conversion.
        const double clamped = std::min(std::max(std::floor(value), -2e9), 2e9);
        return static_cast<std::int32_t>(clamped);
    };
    if (!is_finite(point)) return {-1, -1, layer};
    return {index((point.x - data_->origin.x) / data_->cell_size),
            index((point.y - data_->origin.y) / data_->cell_size), layer};
}

Vec2 GridState::cell_centre(Cell cell) const {
    return {data_->origin.x + (static_cast<double>(cell.x) + 0.5) * data_->cell_size,
            data_->origin.y + (static_cast<double>(cell.y) + 0.5) * data_->cell_size};
}

GridMemory GridState::memory() const {
    GridMemory memory;
    const auto add = [&](std::size_t& sum, std::uint32_t at, std::uint32_t count) {
        for (std::uint32_t i = at; i < at + count; ++i) {
            std::uint64_t* chunk = data_->chunks[i];
            if (chunk != nullptr) sum += grid::header_of(chunk).words * 8 + sizeof(grid::ChunkHeader);
        }
    };
    const auto add_bands = [&](std::size_t& sum, std::uint32_t at, const grid::LineShape& shape) {
        for (std::int32_t layer = 0; layer < data_->layers; ++layer) {
            const auto base = at + static_cast<std::uint32_t>(layer * data_->bands_per_layer(shape));
            add(sum, base + 1, static_cast<std::uint32_t>(shape.bands()));
        }
    };
    add_bands(memory.clearance, data_->clearance_at, data_->rows);
    add_bands(memory.terrain, data_->tiles_at, data_->rows);
    for (std::int32_t i = 0; i < data_->body_count; ++i) {
        const Body& body = data_->bodies[i];
        std::size_t& lines = i == 0 ? memory.occupancy : memory.sizes;
        add_bands(lines, body.rows_at, data_->rows);
        add_bands(lines, body.cols_at, data_->cols);
        add(memory.connectivity, body.leaves_at,
            grid::leaf_chunks(data_->width, data_->height, data_->layers));
        add(memory.connectivity, body.blocks_at,
            grid::block_chunks(data_->width, data_->height, data_->layers));
        add(memory.hierarchy, body.clusters_at, grid::cluster_chunks(*data_, body.cluster_levels));
    }
    for (std::int32_t i = 0; i < data_->half_count; ++i) {
        const Body& body = data_->half_bodies[i];
        const std::int32_t width = data_->half_rows.length;
        const std::int32_t height = data_->half_rows.lines;
        add_bands(memory.half_lattice, body.rows_at, data_->half_rows);
        add_bands(memory.half_lattice, body.cols_at, data_->half_cols);
        add(memory.half_lattice, body.leaves_at, grid::leaf_chunks(width, height, data_->layers));
        add(memory.half_lattice, body.blocks_at, grid::block_chunks(width, height, data_->layers));
    }
    add(memory.connectivity, data_->top_at, 2 * grid::kBodiesMax);
    memory.other = data_->chunks.bytes() + sizeof(StateData) + data_->portal_count * sizeof(Portal) +
                   data_->portal_tables->bytes();
    return memory;
}

}  // namespace fairlead
