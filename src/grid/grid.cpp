// Grid: the owner's public face over state.h, editor.h and edit.h. What can be asked of a revision: grid_state.cpp.

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

}  // namespace fairlead
