#include "grid/edit.h"

#include <cstring>

#include "grid/clearance.h"
#include "grid/connectivity.h"
#include "grid/dilate.h"
#include "grid/half_body.h"
#include "grid/hierarchy/hierarchy.h"
#include "grid/reach.h"

namespace fairlead::grid {

namespace {

LineRect rows_of(const CellRect& rect) { return {rect.low.y, rect.high.y, rect.low.x, rect.high.x}; }

WallReader row_walls(const StateData& state, std::int32_t layer) {
    return {state.row_lines(state.bodies[0], layer), state.rows, state.wrap_y, state.wrap_x};
}
WallReader col_walls(const StateData& state, std::int32_t layer) {
    return {state.col_lines(state.bodies[0], layer), state.cols, state.wrap_x, state.wrap_y};
}

// A change grown by a body's reach can cross a seam or the edge of the map: up to four pieces inside it.
struct Pieces {
    CellRect rect[kChangedRects];
    std::int32_t count = 0;
};

struct Intervals {
    std::int32_t low[3];
    std::int32_t high[3];
    std::int32_t count = 0;
    void add(std::int32_t a, std::int32_t b) {
        if (a >= b) return;
        low[count] = a;
        high[count] = b;
        ++count;
    }
};

Intervals split(std::int32_t low, std::int32_t high, std::int32_t size, bool wrap) {
    Intervals parts;
    if (high - low >= size && wrap) {
        parts.add(0, size);
        return parts;
    }
    parts.add(low > 0 ? low : 0, high < size ? high : size);
    if (wrap && low < 0) parts.add(low + size, size);
    if (wrap && high > size) parts.add(0, high - size);
    return parts;
}

Pieces grown_pieces(const StateData& state, const CellRect& rect, std::int32_t by) {
    const Intervals xs = split(rect.low.x - by, rect.high.x + by, state.width, state.wrap_x);
    const Intervals ys = split(rect.low.y - by, rect.high.y + by, state.height, state.wrap_y);
    Pieces pieces;
    for (std::int32_t i = 0; i < xs.count; ++i) {
        for (std::int32_t j = 0; j < ys.count; ++j) {
            pieces.rect[pieces.count++] = {{xs.low[i], ys.low[j]}, {xs.high[i], ys.high[j]}, rect.layer};
        }
    }
    return pieces;
}

// ---- the bands that an edit will write ---------------------------------------------------------------------

bool own_bands(EditorData& editor, std::uint32_t first, const LineShape& shape, std::int32_t layer,
               std::int32_t line_low, std::int32_t line_high) {
    StateData& state = *editor.state;
    if (line_low < 0) line_low = 0;
    if (line_high > shape.lines) line_high = shape.lines;
    const auto base = first + static_cast<std::uint32_t>(layer * state.bands_per_layer(shape)) + 1U;
    for (std::int32_t band = line_low >> kBandShift; band <= (line_high - 1) >> kBandShift; ++band) {
        if (!editor.own(base + static_cast<std::uint32_t>(band))) return false;
    }
    return true;
}

bool own_body(EditorData& editor, const Body& body, const CellRect& rect) {
    const StateData& state = *editor.state;
    const Pieces pieces = grown_pieces(state, rect, body.reach);
    for (std::int32_t i = 0; i < pieces.count; ++i) {
        const CellRect& p = pieces.rect[i];
        // The neighbouring lines' reach planes change too.
        if (!own_bands(editor, body.rows_at, state.rows, p.layer, p.low.y - 1, p.high.y + 1)) return false;
        if (!own_bands(editor, body.cols_at, state.cols, p.layer, p.low.x - 1, p.high.x + 1)) return false;
    }
    return true;
}

bool own_tiles(EditorData& editor, const CellRect& rect, const TileSource& source) {
    StateData& state = *editor.state;
    bool rough = false;
    for (std::int32_t y = rect.low.y; y < rect.high.y && !rough; ++y) {
        for (std::int32_t x = rect.low.x; x < rect.high.x && !rough; ++x) {
            rough = source.at(x - rect.low.x, y - rect.low.y) > 1;
        }
    }
    const auto base =
        state.tiles_at + static_cast<std::uint32_t>(rect.layer * state.bands_per_layer(state.rows)) + 1U;
    for (std::int32_t band = rect.low.y >> kBandShift; band <= (rect.high.y - 1) >> kBandShift; ++band) {
        const std::uint32_t index = base + static_cast<std::uint32_t>(band);
        if (!editor.own(index)) return false;
        if (state.chunks[index] != nullptr || !rough) continue;
        const auto bytes = static_cast<std::size_t>(state.width) * kBandLines;
        std::uint64_t* chunk = editor.make_chunk((bytes + 7) / 8);
        if (chunk == nullptr) return false;
        std::memset(chunk, 1, bytes);  // terrain 1; walls are told by the bits
        state.chunks[index] = chunk;
    }
    return true;
}

bool own_all(EditorData& editor, const CellRect& rect, const TileSource& source) {
    const StateData& state = *editor.state;
    if (!own_tiles(editor, rect, source)) return false;
    const Pieces near = grown_pieces(state, rect, kClearanceReach);
    for (std::int32_t i = 0; i < near.count; ++i) {
        const CellRect& p = near.rect[i];
        if (!own_bands(editor, state.clearance_at, state.rows, p.layer, p.low.y, p.high.y)) return false;
    }
    for (std::int32_t b = 0; b < state.body_count; ++b) {
        if (!editor.wants(b)) continue;
        if (!own_body(editor, state.bodies[b], rect)) return false;
    }
    return true;
}

// ---- tiles and walls ---------------------------------------------------------------------------------------

std::uint8_t tile_of(const StateData& state, std::int32_t x, std::int32_t y, std::int32_t layer) {
    if (!state.row_lines(state.bodies[0], layer).get(x, y)) return 0;
    const std::uint8_t* row = state.tile_row(y, layer);
    return row == nullptr ? 1 : row[x];
}

void set_bit(std::uint64_t* line, std::int32_t x, bool free) {
    const std::uint64_t bit = 1ULL << (x & 63);
    if (free) {
        line[x >> 6] |= bit;
    } else {
        line[x >> 6] &= ~bit;
    }
}

void write_tiles(EditorData& editor, const CellRect& rect, const TileSource& source) {
    StateData& state = *editor.state;
    Body& point = state.bodies[0];
    const MutableLines rows = state.mutable_lines(point.rows_at, state.rows, kBodyPlanes, rect.layer);
    const MutableLines cols = state.mutable_lines(point.cols_at, state.cols, kBodyPlanes, rect.layer);
    for (std::int32_t y = rect.low.y; y < rect.high.y; ++y) {
        std::uint64_t* row = rows.line(y);
        auto* tiles = const_cast<std::uint8_t*>(state.tile_row(y, rect.layer));
        for (std::int32_t x = rect.low.x; x < rect.high.x; ++x) {
            const std::uint8_t old = tile_of(state, x, y, rect.layer);
            const std::uint8_t tile = source.at(x - rect.low.x, y - rect.low.y);
            if (old == tile) continue;
            state.rough_cells += (tile > 1 ? 1 : 0) - (old > 1 ? 1 : 0);
            point.free_cells += (tile != 0 ? 1 : 0) - (old != 0 ? 1 : 0);
            if (tiles != nullptr && tile != 0) tiles[x] = tile;
            if ((old != 0) == (tile != 0)) continue;
            set_bit(row, x, tile != 0);
            set_bit(cols.line(x), y, tile != 0);
        }
    }
}

// ---- derived planes ----------------------------------------------------------------------------------------

// Recomputes the free plane of a body in a rectangle of lines; returns the change of the number of free cells.
std::int64_t dilate_rect(const WallReader& walls, std::span<const BodyRow> body, const MutableLines& lines,
                         const LineShape& shape, const LineRect& rect) {
    std::int64_t change = 0;
    for (std::int32_t y = rect.line_low; y < rect.line_high; ++y) {
        std::uint64_t* line = lines.line(y);
        for (std::int32_t word = rect.low >> 6; word <= (rect.high - 1) >> 6; ++word) {
            const std::int32_t inside = shape.length - word * 64;
            const std::uint64_t free =
                ~dilated_word(walls, body, y, word) & bit_range(0, inside < 64 ? inside : 64);
            change += std::popcount(free) - std::popcount(line[word]);
            line[word] = free;
        }
    }
    return change;
}

// The same for a body that stands everywhere or nowhere.
std::int64_t set_rect(const MutableLines& lines, const LineShape& shape, const LineRect& rect, bool free) {
    std::int64_t change = 0;
    for (std::int32_t y = rect.line_low; y < rect.line_high; ++y) {
        std::uint64_t* line = lines.line(y);
        for (std::int32_t word = rect.low >> 6; word <= (rect.high - 1) >> 6; ++word) {
            const std::int32_t inside = shape.length - word * 64;
            const std::uint64_t bits = free ? bit_range(0, inside < 64 ? inside : 64) : 0;
            change += std::popcount(bits) - std::popcount(line[word]);
            line[word] = bits;
        }
    }
    return change;
}

bool any_wall(const StateData& state, std::int32_t layer) {
    const Lines rows = state.row_lines(state.bodies[0], layer);
    for (std::int32_t y = 0; y < state.height; ++y) {
        for (std::int32_t word = 0; word < state.rows.words; ++word) {
            const std::int32_t inside = state.width - word * 64;
            if (rows.line(y)[word] != bit_range(0, inside < 64 ? inside : 64)) return true;
        }
    }
    return false;
}

void clearance_rect(StateData& state, std::int32_t layer, const LineRect& rect) {
    const WallReader walls = row_walls(state, layer);
    const MutableLines lines = state.mutable_lines(state.clearance_at, state.rows, kClearancePlanes, layer);
    for (std::int32_t y = rect.line_low; y < rect.line_high; ++y) {
        std::uint64_t* line = lines.line(y);
        for (std::int32_t word = rect.low >> 6; word <= (rect.high - 1) >> 6; ++word) {
            std::uint64_t planes[kClearancePlanes];
            clearance_word(walls, y, word, planes);
            for (std::int32_t p = 0; p < kClearancePlanes; ++p)
                line[p * lines.plane_stride + word] = planes[p];
        }
    }
}

// The rectangle in which jump points can differ after cells of `rect` changed.
LineRect jump_rect(const LineRect& rect) {
    return {rect.line_low - 1, rect.line_high + 1, rect.low - 1, rect.high + 1};
}

std::int64_t corners_near(const StateData& state, const Body& body, const Pieces& pieces) {
    std::int64_t count = 0;
    for (std::int32_t i = 0; i < pieces.count; ++i) {
        const CellRect& p = pieces.rect[i];
        count += count_jump_points(state.row_lines(body, p.layer), state.rows, jump_rect(rows_of(p)));
    }
    return count;
}

// The body's rows, into the editor's buffer.
bool gather_rows(EditorData& editor, const Body& body) {
    const StateData& state = *editor.state;
    const std::int32_t longest = state.width > state.height ? state.width : state.height;
    return body_rows_on(body.key, longest, editor.scratch.body);
}

// Does the body cover the whole map wherever it stands, so that one wall is in its way everywhere?
bool covers_map(const StateData& state, const Body& body) {
    if (body.key <= 0) return false;
    const auto half = [](std::int32_t size) { return (size + 1) / 2; };
    return state.wrap_x && state.wrap_y && body.reach >= half(state.height) &&
           disc_half_width(body.key, half(state.height)) >= half(state.width);
}

// Everything of one body after the walls of `rect` changed, connectivity excepted. The free plane of the point
// body is written with the tiles.
void derive_lines(EditorData& editor, std::int32_t index, const CellRect& rect) {
    StateData& state = *editor.state;
    Body& body = state.bodies[index];
    const Pieces pieces = grown_pieces(state, rect, body.reach);
    const MutableLines rows = state.mutable_lines(body.rows_at, state.rows, kBodyPlanes, rect.layer);
    const MutableLines cols = state.mutable_lines(body.cols_at, state.cols, kBodyPlanes, rect.layer);
    if (index != 0) {
        const std::span<const BodyRow> shape = editor.scratch.body.span();
        const bool covers = covers_map(state, body);
        const bool free = covers && !any_wall(state, rect.layer);
        for (std::int32_t i = 0; i < pieces.count; ++i) {
            const LineRect r = rows_of(pieces.rect[i]);
            if (covers) {
                body.free_cells += set_rect(rows, state.rows, r, free);
                set_rect(cols, state.cols, r.transposed(), free);
                continue;
            }
            body.free_cells += dilate_rect(row_walls(state, rect.layer), shape, rows, state.rows, r);
            dilate_rect(col_walls(state, rect.layer), shape, cols, state.cols, r.transposed());
        }
    }
    for (std::int32_t i = 0; i < pieces.count; ++i) {
        const LineRect r = rows_of(pieces.rect[i]);
        update_reach(rows, state.rows, r);
        update_reach(cols, state.cols, r.transposed());
    }
}

// And the hierarchy, which is made of it.
bool derive_connectivity(EditorData& editor, std::int32_t index, const CellRect& rect) {
    StateData& state = *editor.state;
    const Body& body = state.bodies[index];
    const std::int32_t corner = joins_diagonally(state, body) ? diagonal_corner(body.key) : 0;
    const Pieces pieces = grown_pieces(state, rect, body.reach > corner ? body.reach : corner);
    const std::span<const CellRect> changed{pieces.rect, static_cast<std::size_t>(pieces.count)};
    return update_connectivity(editor, body, rect.layer, changed) &&
           (body.cluster_levels == 0 || update_hierarchy(editor, body, rect.layer, changed));
}

// Derives all after the walls changed. Only connectivity and half bodies can run out of memory.
bool derive_all(EditorData& editor, const CellRect& rect, WallChange change) {
    StateData& state = *editor.state;
    const Pieces near = grown_pieces(state, rect, kClearanceReach);
    for (std::int32_t i = 0; i < near.count; ++i) clearance_rect(state, rect.layer, rows_of(near.rect[i]));
    bool good = true;
    for (std::int32_t b = 0; b < state.body_count; ++b) {
        if (!editor.wants(b)) continue;
        if (!gather_rows(editor, state.bodies[b])) return false;
        derive_lines(editor, b, rect);
        good = derive_connectivity(editor, b, rect) && good;
    }
    for (std::int32_t b = 0; b < state.half_count; ++b)
        good = !editor.wants_half(b) ? good : derive_half(editor, state.half_bodies[b], rect, change) && good;
    return good;
}

void count_corners(EditorData& editor, const CellRect& rect, std::int64_t sign) {
    StateData& state = *editor.state;
    for (std::int32_t b = 0; b < state.body_count; ++b) {
        if (!editor.wants(b)) continue;
        Body& body = state.bodies[b];
        body.corners += sign * corners_near(state, body, grown_pieces(state, rect, body.reach));
    }
}

bool same_tiles(const StateData& state, const CellRect& rect, const TileSource& source) {
    for (std::int32_t y = rect.low.y; y < rect.high.y; ++y) {
        for (std::int32_t x = rect.low.x; x < rect.high.x; ++x) {
            if (tile_of(state, x, y, rect.layer) != source.at(x - rect.low.x, y - rect.low.y)) return false;
        }
    }
    return true;
}

// What `source` does to the walls of a rectangle.
WallChange wall_change(const StateData& state, const CellRect& rect, const TileSource& source) {
    WallChange change{false, false};
    const Lines rows = state.row_lines(state.bodies[0], rect.layer);
    for (std::int32_t y = rect.low.y; y < rect.high.y; ++y) {
        for (std::int32_t x = rect.low.x; x < rect.high.x; ++x) {
            const bool free = source.at(x - rect.low.x, y - rect.low.y) != 0;
            if (free != rows.get(x, y)) (free ? change.opens : change.closes) = true;
        }
    }
    return change;
}

bool keep_old_tiles(EditorData& editor, const CellRect& rect) {
    const auto width = static_cast<std::size_t>(rect.high.x - rect.low.x);
    const auto height = static_cast<std::size_t>(rect.high.y - rect.low.y);
    Array<std::uint8_t>& old = editor.scratch.old_tiles;
    if (!old.resize_uninitialized(width * height)) return false;
    std::size_t i = 0;
    for (std::int32_t y = rect.low.y; y < rect.high.y; ++y) {
        for (std::int32_t x = rect.low.x; x < rect.high.x; ++x)
            old[i++] = tile_of(*editor.state, x, y, rect.layer);
    }
    return true;
}

}  // namespace

Result<void> edit_tiles(EditorData& editor, const CellRect& rect, const TileSource& source) {
    if (rect.empty() || same_tiles(*editor.state, rect, source)) return {};
    const Error no_memory{ErrorCode::out_of_memory, -1, 0};
    // The largest body's rows, so that deriving never has to grow this buffer.
    for (std::int32_t b = 0; b < editor.state->body_count; ++b) {
        if (!gather_rows(editor, editor.state->bodies[b])) return no_memory;
    }
    for (std::int32_t b = 0; b < editor.state->half_count; ++b) {
        if (!editor.wants_half(b)) continue;
        if (!gather_half_rows(editor, editor.state->half_bodies[b])) return no_memory;
    }
    if (!keep_old_tiles(editor, rect) || !editor.begin_edit()) return no_memory;
    if (!own_all(editor, rect, source)) return no_memory;

    count_corners(editor, rect, -1);
    const WallChange change = wall_change(*editor.state, rect, source);
    write_tiles(editor, rect, source);
    bool good = derive_all(editor, rect, change);
    if (!good) {
        const TileSource old{editor.scratch.old_tiles.data(),
                             static_cast<std::size_t>(rect.high.x - rect.low.x), 0};
        write_tiles(editor, rect, old);
        derive_all(editor, rect, {});
    }
    count_corners(editor, rect, +1);
    if (!good) return no_memory;
    editor.end_edit();
    return {};
}

bool derive_body(EditorData& editor, std::int32_t index) {
    StateData& state = *editor.state;
    Body& body = state.bodies[index];
    if (!gather_rows(editor, body)) return false;
    for (std::int32_t layer = 0; layer < state.layers; ++layer) {
        const CellRect all{{0, 0}, {state.width, state.height}, layer};
        derive_lines(editor, index, all);
        if (!update_connectivity(editor, body, layer, {&all, 1})) return false;
        body.corners += count_jump_points(state.row_lines(body, layer), state.rows, rows_of(all));
    }
    return build_hierarchy(editor, body, {});
}

bool derive_half_body(EditorData& editor, std::int32_t index) {
    StateData& state = *editor.state;
    for (std::int32_t layer = 0; layer < state.layers; ++layer) {
        if (!derive_half_layer(editor, state.half_bodies[index], layer)) return false;
    }
    return true;
}

void derive_clearance(EditorData& editor) {
    StateData& state = *editor.state;
    for (std::int32_t layer = 0; layer < state.layers; ++layer) {
        clearance_rect(state, layer, {0, state.height, 0, state.width});
    }
}

bool write_all_tiles(EditorData& editor, const TileSource& source) {
    StateData& state = *editor.state;
    const auto layer_cells = static_cast<std::size_t>(state.width) * static_cast<std::size_t>(state.height);
    for (std::int32_t layer = 0; layer < state.layers; ++layer) {
        TileSource part = source;
        if (part.tiles != nullptr) part.tiles += static_cast<std::size_t>(layer) * layer_cells;
        // Band by band, so that bands of plain ground get no terrain bytes.
        for (std::int32_t y = 0; y < state.height; y += kBandLines) {
            const std::int32_t end = y + kBandLines < state.height ? y + kBandLines : state.height;
            const CellRect band{{0, y}, {state.width, end}, layer};
            TileSource rows = part;
            if (rows.tiles != nullptr) rows.tiles += static_cast<std::size_t>(y) * rows.stride;
            if (!own_tiles(editor, band, rows)) return false;
            write_tiles(editor, band, rows);
        }
    }
    return true;
}

}  // namespace fairlead::grid
