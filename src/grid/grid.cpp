// Grid, GridState, GridSnapshot: the public face over state.h, editor.h and edit.h.

#include <fairlead/grid/find_route.h>
#include <fairlead/grid/grid.h>

#include <algorithm>
#include <cmath>
#include <new>

#include <fairlead/math/contact.h>

#include "base/no_memory.h"
#include "grid/cell_code.h"
#include "grid/check_grid.h"
#include "grid/clearance.h"
#include "grid/connectivity.h"
#include "grid/edit.h"
#include "grid/editor.h"
#include "grid/half_body.h"
#include "grid/half_gap.h"
#include "grid/hierarchy/hierarchy.h"
#include "grid/hierarchy/hierarchy_file.h"
#include "grid/joined.h"
#include "grid/stand.h"
#include "grid/state.h"

namespace fairlead {

namespace {

using grid::Body;
using grid::BodyKey;
using grid::EditorData;
using grid::StateData;

// Appends null chunks for a table of `count` and returns where it starts.
bool add_table(StateData& state, std::uint32_t count, std::uint32_t& at) {
    at = static_cast<std::uint32_t>(state.chunks.size());
    return state.chunks.resize(state.chunks.size() + count);
}

std::uint32_t band_table(const StateData& state, const grid::LineShape& shape) {
    return static_cast<std::uint32_t>(state.layers * state.bands_per_layer(shape));
}

// Fills a table of bands: guards at both ends of each layer, zeroed chunks between.
bool make_bands(EditorData& editor, std::uint32_t at, const grid::LineShape& shape, std::int32_t planes,
                std::uint64_t* guard) {
    StateData& state = *editor.state;
    const std::size_t words = static_cast<std::uint64_t>(grid::kBandLines) *
                              static_cast<std::size_t>(planes * shape.plane_stride());
    for (std::int32_t layer = 0; layer < state.layers; ++layer) {
        const auto base = at + static_cast<std::uint32_t>(layer * state.bands_per_layer(shape));
        state.chunks[base] = guard;
        for (std::int32_t band = 0; band < shape.bands(); ++band) {
            std::uint64_t* chunk = editor.make_chunk(words);
            if (chunk == nullptr) return false;
            state.chunks[base + 1 + static_cast<std::uint32_t>(band)] = chunk;
        }
        state.chunks[base + 1 + static_cast<std::uint32_t>(shape.bands())] = guard;
    }
    return true;
}

bool make_guard(EditorData& editor) {
    const StateData& state = *editor.state;
    const std::int32_t longest = std::max(state.rows.plane_stride(), state.cols.plane_stride());
    editor.guard = editor.make_chunk(static_cast<std::size_t>(grid::kBandLines) *
                                         static_cast<std::size_t>(grid::kClearancePlanes * longest) +
                                     2);
    return editor.guard != nullptr;
}

// Room for the body's hierarchy, where it has one.
bool add_clusters(StateData& state, Body& body) {
    if (!state.hierarchy || !grid::keeps_hierarchy(state, body)) return true;
    body.cluster_levels = static_cast<std::uint8_t>(grid::hierarchy_levels(state));
    return add_table(state, grid::cluster_chunks(state, body.cluster_levels), body.clusters_at);
}

bool add_body(EditorData& editor, BodyKey key) {
    StateData& state = *editor.state;
    Body body;
    body.key = key;
    body.reach = grid::body_reach(key);
    if (!add_table(state, band_table(state, state.rows), body.rows_at)) return false;
    if (!add_table(state, band_table(state, state.cols), body.cols_at)) return false;
    if (!add_table(state, grid::leaf_chunks(state.width, state.height, state.layers), body.leaves_at))
        return false;
    if (!add_table(state, grid::block_chunks(state.width, state.height, state.layers), body.blocks_at))
        return false;
    if (!make_bands(editor, body.rows_at, state.rows, grid::kBodyPlanes, editor.guard)) return false;
    if (!make_bands(editor, body.cols_at, state.cols, grid::kBodyPlanes, editor.guard)) return false;
    if (!add_clusters(state, body)) return false;
    state.bodies[state.body_count++] = body;
    return true;
}

bool make_half_guard(EditorData& editor) {
    if (editor.half_guard != nullptr) return true;
    const StateData& state = *editor.state;
    const std::int32_t longest = std::max(state.half_rows.plane_stride(), state.half_cols.plane_stride());
    editor.half_guard = editor.make_chunk(static_cast<std::size_t>(grid::kBandLines) *
                                              static_cast<std::size_t>(grid::kGapPlanes * longest) +
                                          2);
    return editor.half_guard != nullptr;
}

bool add_half_body(EditorData& editor, double radius) {
    StateData& state = *editor.state;
    const grid::HalfDisc disc = grid::HalfDisc::of(radius);
    Body body;
    body.half = true;
    body.square = disc.square;
    body.planes = disc.key > grid::kGapKey ? grid::kGapPlanes : grid::kBodyPlanes;
    // A tile blocks the points less than sqrt(R) half cells from it.
    body.reach = static_cast<std::int32_t>(std::ceil(2.0 * disc.radius)) - 1;
    const std::int32_t width = state.half_rows.length;
    const std::int32_t height = state.half_rows.lines;
    return make_half_guard(editor) && add_table(state, band_table(state, state.half_rows), body.rows_at) &&
           add_table(state, band_table(state, state.half_cols), body.cols_at) &&
           add_table(state, grid::leaf_chunks(width, height, state.layers), body.leaves_at) &&
           add_table(state, grid::block_chunks(width, height, state.layers), body.blocks_at) &&
           make_bands(editor, body.rows_at, state.half_rows, body.planes, editor.half_guard) &&
           make_bands(editor, body.cols_at, state.half_cols, body.planes, editor.half_guard) &&
           (state.half_bodies[state.half_count++] = body, true);
}

// Does registering the size add points on the half lattice? Sizes that cover the same cells may differ there.
bool wants_half(const StateData& state, const Agent& agent) {
    if (agent.footprint != 0) return false;
    const double radius = agent.radius / state.cell_size;
    return grid::keeps_half(state, radius) && state.half_count < grid::kBodiesMax &&
           state.find_half(grid::HalfDisc::of(radius).square) == nullptr;
}

bool register_half(EditorData& editor, const Agent& agent) {
    if (!wants_half(*editor.state, agent)) return true;
    return add_half_body(editor, agent.radius / editor.state->cell_size) &&
           grid::derive_half_body(editor, editor.state->half_count - 1);
}

// Takes back the chunks from number `count` on, which an edit has added.
void drop_chunks(EditorData& editor, std::size_t count) {
    Array<std::uint64_t*>& chunks = editor.state->chunks;
    for (std::size_t i = count; i < chunks.size(); ++i) {
        if (chunks[i] != editor.guard && chunks[i] != editor.half_guard) editor.free_chunk(chunks[i]);
    }
    const bool shrunk = chunks.resize(count);
    FAIRLEAD_ASSERT(shrunk);
}

bool copy_portals(EditorData& editor, const GridOptions& o) {
    StateData& state = *editor.state;
    if (!editor.portals.assign(o.portals)) return false;
    state.portals = editor.portals.data();
    state.portal_count = editor.portals.size();
    state.portal_tables = &editor.portal_tables;
    if (!editor.list_portal_ends()) return false;
    return editor.portal_tables.fill(o.portals, grid::CellCode::of(state), state.width);
}

bool build(EditorData& editor, const GridOptions& o, std::span<const std::uint8_t> tiles) {
    StateData& state = *editor.state;
    state.width = o.width;
    state.height = o.height;
    state.layers = o.layers;
    state.origin = o.origin;
    state.cell_size = o.cell_size;
    state.wrap_x = o.wrap_x;
    state.wrap_y = o.wrap_y;
    state.hierarchy = o.hierarchy;
    state.corner = o.corner;
    state.rows = grid::LineShape::of(o.height, o.width);
    state.cols = grid::LineShape::of(o.width, o.height);
    state.half_rows = grid::LineShape::of(2 * o.height + 1, 2 * o.width + 1);
    state.half_cols = grid::LineShape::of(2 * o.width + 1, 2 * o.height + 1);
    for (std::size_t i = 1; i < 256; ++i) {
        state.costs[i] = o.terrain_costs.empty() ? static_cast<std::uint16_t>(i) : o.terrain_costs[i];
    }
    if (!make_guard(editor) || !copy_portals(editor, o)) return false;
    if (!add_table(state, 2 * grid::kBodiesMax, state.top_at)) return false;
    if (!add_table(state, band_table(state, state.rows), state.tiles_at)) return false;
    if (!add_table(state, band_table(state, state.rows), state.clearance_at)) return false;
    if (!make_bands(editor, state.clearance_at, state.rows, grid::kClearancePlanes, editor.guard))
        return false;
    if (!add_body(editor, grid::kPointBody)) return false;
    const grid::TileSource source{tiles.data(), static_cast<std::size_t>(o.width), 1};
    if (!grid::write_all_tiles(editor, source)) return false;
    grid::derive_clearance(editor);
    if (!grid::derive_body(editor, 0)) return false;
    for (const Agent& agent : o.sizes) {
        const BodyKey key = grid::body_key(agent, o.cell_size);
        const bool known = state.find_body(key) != nullptr;
        if (!known && (!add_body(editor, key) || !grid::derive_body(editor, state.body_count - 1)))
            return false;
        if (!register_half(editor, agent)) return false;
    }
    return true;
}

void destroy_editor(EditorData* editor) {
    if (editor == nullptr) return;
    editor->destroy();
    const Allocator allocator = editor->allocator;
    editor->~EditorData();
    allocator.release(editor, sizeof(EditorData), alignof(EditorData), allocator.user);
}

EditorData* create_editor(const Allocator& allocator) {
    void* memory = allocator.allocate(sizeof(EditorData), alignof(EditorData), allocator.user);
    if (memory == nullptr) return nullptr;
    auto* editor = new (memory) EditorData(allocator);
    void* state_memory = allocator.allocate(sizeof(StateData), alignof(StateData), allocator.user);
    if (state_memory == nullptr) {
        destroy_editor(editor);
        return nullptr;
    }
    editor->state = new (state_memory) StateData;
    editor->state->chunks = Array<std::uint64_t*>(allocator);
    return editor;
}

bool inside_map(const StateData& state, const CellRect& rect) {
    return rect.layer >= 0 && rect.layer < state.layers && rect.low.x >= 0 && rect.low.y >= 0 &&
           rect.high.x <= state.width && rect.high.y <= state.height && rect.low.x <= rect.high.x &&
           rect.low.y <= rect.high.y;
}

}  // namespace

// ---- Grid --------------------------------------------------------------------------------------------------

Result<Grid> Grid::make(const GridOptions& options, std::span<const std::uint8_t> tiles) {
    if (const Result<void> good = grid::check_options(options, tiles); !good) return good.error();
    Grid made;
    made.editor_ = create_editor(options.allocator);
    if (made.editor_ == nullptr) return kNoMemory;
    if (!build(*made.editor_, options, tiles)) return kNoMemory;
    made.state_.data_ = made.editor_->state;
    return made;
}

Grid::Grid(Grid&& other) noexcept : state_(other.state_), editor_(other.editor_) {
    other.state_ = {};
    other.editor_ = nullptr;
}

Grid& Grid::operator=(Grid&& other) noexcept {
    if (this != &other) {
        destroy_editor(editor_);
        state_ = other.state_;
        editor_ = other.editor_;
        other.state_ = {};
        other.editor_ = nullptr;
    }
    return *this;
}

Grid::~Grid() { destroy_editor(editor_); }

GridSnapshot Grid::acquire() const { return GridSnapshot::of(state()); }

void GridState::hold() const { data_->held.fetch_add(1, std::memory_order_relaxed); }

void GridState::let_go() const { data_->held.fetch_sub(1, std::memory_order_release); }

Result<void> Grid::set(const CellRect& rect, std::span<const std::uint8_t> tiles) {
    FAIRLEAD_ASSERT(editor_ != nullptr && "a world that was moved from is not edited");
    if (!inside_map(*editor_->state, rect)) return Error{ErrorCode::out_of_range, Field::rect};
    const std::int64_t cells =
        std::int64_t{rect.high.x - rect.low.x} * std::int64_t{rect.high.y - rect.low.y};
    if (tiles.size() != static_cast<std::size_t>(cells))
        return Error{ErrorCode::size_mismatch, Field::tiles, cells};
    const Result<void> done = grid::edit_tiles(
        *editor_, rect, {tiles.data(), static_cast<std::size_t>(rect.high.x - rect.low.x), 0});
    state_.data_ = editor_->state;
    return done ? Result<void>() : Result<void>(done.error());
}

Result<void> Grid::fill(const CellRect& rect, std::uint8_t tile) {
    FAIRLEAD_ASSERT(editor_ != nullptr && "a world that was moved from is not edited");
    if (!inside_map(*editor_->state, rect)) return Error{ErrorCode::out_of_range, Field::rect};
    const Result<void> done = grid::edit_tiles(*editor_, rect, {nullptr, 0, tile});
    state_.data_ = editor_->state;
    return done ? Result<void>() : Result<void>(done.error());
}

Result<void> Grid::set(Cell cell, std::uint8_t tile) {
    FAIRLEAD_ASSERT(editor_ != nullptr && "a world that was moved from is not edited");
    if (!state_.inside(cell)) return Error{ErrorCode::out_of_range, Field::rect};
    return fill({{cell.x, cell.y}, {cell.x + 1, cell.y + 1}, cell.layer}, tile);
}

Result<void> Grid::register_size(const Agent& agent) {
    FAIRLEAD_ASSERT(editor_ != nullptr && "a world that was moved from is not edited");
    if (const Result<void> good = grid::check_agent(agent); !good) return good.error();
    StateData& current = *editor_->state;
    const BodyKey key = grid::body_key(agent, current.cell_size);
    const bool known = current.find_body(key) != nullptr;
    if (known && !wants_half(current, agent)) return {};
    if (!known && current.body_count == grid::kBodiesMax) {
        return Error{ErrorCode::size_limit, Field::sizes, grid::kBodiesMax};
    }
    if (!editor_->begin_edit()) return kNoMemory;
    state_.data_ = editor_->state;
    StateData& state = *editor_->state;
    const std::size_t chunks = state.chunks.size();
    const std::int32_t bodies = state.body_count;
    const std::int32_t halves = state.half_count;
    if ((known || (add_body(*editor_, key) && grid::derive_body(*editor_, bodies))) &&
        register_half(*editor_, agent)) {
        editor_->end_edit();
        return {};
    }
    const auto drop_top = [&](const Body& body) {
        std::uint64_t*& top = state.chunks[state.top_of(body)];
        editor_->free_chunk(top);
        top = nullptr;
    };
    for (std::int32_t b = bodies; b < state.body_count; ++b) drop_top(state.bodies[b]);
    for (std::int32_t b = halves; b < state.half_count; ++b) drop_top(state.half_bodies[b]);
    state.body_count = bodies;
    state.half_count = halves;
    drop_chunks(*editor_, chunks);
    return kNoMemory;
}

// Gives each registered size a hierarchy that fill(body) makes; all or none.
template <class Fill>
Result<void> Grid::add_hierarchy(const Fill& fill) {
    FAIRLEAD_ASSERT(editor_ != nullptr && "a world that was moved from is not edited");
    if (!editor_->begin_edit()) return kNoMemory;
    state_.data_ = editor_->state;
    StateData& state = *editor_->state;
    const std::size_t chunks = state.chunks.size();
    state.hierarchy = true;
    Result<void> done;
    for (std::int32_t b = 0; b < state.body_count && done; ++b) {
        done = add_clusters(state, state.bodies[b]) ? fill(state.bodies[b]) : Result<void>(kNoMemory);
    }
    if (done) {
        editor_->end_edit();
        return {};
    }
    drop_chunks(*editor_, chunks);
    for (std::int32_t b = 0; b < state.body_count; ++b) state.bodies[b].cluster_levels = 0;
    state.hierarchy = false;
    return done;
}

Result<void> Grid::make_hierarchy(const Jobs& jobs) {
    if (state().data().hierarchy) return {};
    return add_hierarchy([&](const Body& body) {
        return grid::build_hierarchy(*editor_, body, jobs) ? Result<void>() : Result<void>(kNoMemory);
    });
}

Result<void> Grid::load_hierarchy(std::span<const std::uint8_t> bytes) {
    Result<grid::HierarchyFile> file = grid::HierarchyFile::open(state(), bytes);
    if (!file) return file.error();
    if (state().data().hierarchy) return {};
    return add_hierarchy([&](const Body& body) { return file->load(*editor_, body); });
}

// ---- GridState ---------------------------------------------------------------------------------------------

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

namespace {

bool joined_cells(const grid::StateData& state, const Body& body, Cell a, Cell b) {
    return grid::component_of(state, body, a.x, a.y, a.layer) ==
           grid::component_of(state, body, b.x, b.y, b.layer);
}

}  // namespace

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
