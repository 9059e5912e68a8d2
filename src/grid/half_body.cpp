#include "grid/half_body.h"

#include <algorithm>

#include "grid/connectivity.h"
#include "grid/dilate.h"
#include "grid/half_gap.h"
#include "grid/reach.h"

namespace fairlead::grid {

namespace {

// Rows of the editor's scratch: by 2 (j odd) + (i odd) tiles that block a point, then those that block a door along i, along j.
constexpr std::int32_t kAlong = 4;
constexpr std::int32_t kAcross = 8;

using Rows = const Array<BodyRow>*;

// Two words of points: 128 points of a line from 128 pair on.
struct Pair {
    std::uint64_t word[2];
};

// Those that the tiles of `rows` do not block, out of the ones in `of`. From the rows nearest to the line outward: inside walls the first
// one decides.
Pair open_pair(const WallReader& walls, Rows rows, std::int32_t line, std::int32_t pair, const Pair& of) {
    const auto blocked = [&](std::int32_t x, std::int32_t y) { return walls.blocked(x, y); };
    const std::int32_t kind = 2 * (line & 1);
    const std::uint64_t whole = even_bits(of.word[0]) | (even_bits(of.word[1]) << 32);
    const std::uint64_t middle = even_bits(of.word[0] >> 1) | (even_bits(of.word[1] >> 1) << 32);
    const std::uint64_t w = whole & ~dilate_near(blocked, rows[kind].span(), line >> 1, 64 * pair, whole);
    const std::uint64_t m =
        middle & ~dilate_near(blocked, rows[kind + 1].span(), line >> 1, 64 * pair, middle);
    return {{spread_bits(w) | (spread_bits(m) << 1), spread_bits(w >> 32) | (spread_bits(m >> 32) << 1)}};
}

// The bits of `mask` in a word of a plane from those of `value`.
void put_bits(std::uint64_t& word, std::uint64_t mask, std::uint64_t value) {
    word = (word & ~mask) | (value & mask);
}

std::uint64_t mask_of(const LineRect& rect, std::int32_t word) {
    return bit_range(std::max(0, rect.low - word * 64), std::min(64, rect.high - word * 64));
}

// Bits of the rectangle in a pair of words.
Pair mask_pair(const LineRect& rect, std::int32_t pair) {
    const auto of = [&](std::int32_t word) {
        const bool any = rect.low < word * 64 + 64 && rect.high > word * 64;
        return any ? mask_of(rect, word) : 0;
    };
    return {{of(2 * pair), of(2 * pair + 1)}};
}

// Calls put(word, bits) for the words of a line's pair that the rectangle has bits in.
template <class Put>
void put_pair(const LineRect& rect, std::int32_t pair, const Pair& bits, const Put& put) {
    for (std::int32_t k = 0; k < 2; ++k) {
        if (rect.low < (2 * pair + k + 1) * 64 && rect.high > (2 * pair + k) * 64)
            put(2 * pair + k, bits.word[k]);
    }
}

void fit_rect(const WallReader& walls, Rows rows, const MutableLines& lines, const LineRect& rect) {
    for (std::int32_t j = rect.line_low; j < rect.line_high; ++j) {
        std::uint64_t* line = lines.line(j);
        for (std::int32_t pair = rect.low >> 7; pair <= (rect.high - 1) >> 7; ++pair) {
            const Pair mask = mask_pair(rect, pair);
            const Pair open = open_pair(walls, rows, j, pair, mask);
            put_pair(rect, pair, open, [&](std::int32_t word, std::uint64_t bits) {
                put_bits(line[word], mask.word[word & 1], bits);
            });
        }
    }
}

// What the half body's planes are made of, on one layer.
class HalfDeriver {
  public:
    HalfDeriver(EditorData& editor, const Body& body, std::int32_t layer)
        : state_(*editor.state),
          body_(body),
          rows_(state_.mutable_lines(body.rows_at, state_.half_rows, body.planes, layer)),
          cols_(state_.mutable_lines(body.cols_at, state_.half_cols, body.planes, layer)),
          kinds_(editor.scratch.half),
          row_walls_{state_.row_lines(state_.bodies[0], layer), state_.rows, false, false},
          col_walls_{state_.col_lines(state_.bodies[0], layer), state_.cols, false, false} {
        SightWorld world;
        world.state = &state_;
        world.layer = layer;
        walls_ = HalfWalls(world);
        disc_.square = body.square;
        disc_.key = static_cast<std::int64_t>(std::ceil(body.square));
        disc_.radius = 0.5 * std::sqrt(body.square);
    }

    // Points in `rect` may fit or not fit from now on.
    void run(const LineRect& rect) {
        fit_rect(row_walls_, kinds_, rows_, rect);
        fit_rect(col_walls_, kinds_, cols_, rect.transposed());
        LineRect changed = rect;
        if (body_.planes == kGapPlanes) {
            find_bridges(rect.grown(1).clipped(state_.half_rows));
            changed = rect.grown(2).clipped(state_.half_rows);
            find_stops(rows_, changed);
            find_stops(cols_, changed.transposed());
        }
        const bool gaps = body_.planes == kGapPlanes;
        update_half_reach(rows_, state_.half_rows, changed, gaps);
        update_half_reach(cols_, state_.half_cols, changed.transposed(), gaps);
    }

  private:
    // Bridges: doors both of whose ends no disc fits at, that no single tile closes, looked at one by one.
    void find_bridges(const LineRect& rect) {
        const std::ptrdiff_t plane = kBridgePlane * rows_.plane_stride;
        for (std::int32_t j = rect.line_low; j < rect.line_high; ++j) {
            std::uint64_t* line = rows_.line(j) + plane;
            for (std::int32_t word = rect.low >> 6; word <= (rect.high - 1) >> 6; ++word)
                put_bits(line[word], mask_of(rect, word), 0);
        }
        const LineRect across = rect.transposed();
        for (std::int32_t i = across.line_low; i < across.line_high; ++i) {
            std::uint64_t* line = cols_.line(i) + kBridgePlane * cols_.plane_stride;
            for (std::int32_t word = across.low >> 6; word <= (across.high - 1) >> 6; ++word)
                put_bits(line[word], mask_of(across, word), 0);
        }
        // Doors that end in the rectangle begin up to one point before it.
        const LineRect doors =
            LineRect{rect.line_low - 1, rect.line_high, rect.low - 1, rect.high}.clipped(state_.half_rows);
        for (std::int32_t j = doors.line_low; j < doors.line_high; ++j) {
            for (std::int32_t pair = doors.low >> 7; pair <= (doors.high - 1) >> 7; ++pair)
                find_bridges_in(j, pair, mask_pair(doors, pair), rect);
        }
    }

    void find_bridges_in(std::int32_t j, std::int32_t pair, const Pair& mask, const LineRect& rect) {
        const std::uint64_t* line = rows_.line(j);
        const std::uint64_t* over = rows_.line(j + 1);
        const bool last = j + 1 >= state_.half_rows.lines;
        Pair along{};
        Pair across{};
        for (std::int32_t k = 0; k < 2; ++k) {
            if (mask.word[k] == 0) continue;
            const std::int32_t word = 2 * pair + k;
            const std::int32_t left = state_.half_rows.length - word * 64;
            const std::uint64_t closed = ~line[word] & mask.word[k] & bit_range(0, std::min(left, 64));
            const std::uint64_t next = (line[word] >> 1) | (line[word + 1] << 63);
            along.word[k] = closed & ~next & bit_range(0, std::min(left - 1, 64));
            across.word[k] = last ? 0 : closed & ~over[word];
        }
        look(j, pair, along, kAlong, rect);
        look(j, pair, across, kAcross, rect);
    }

    void look(std::int32_t j, std::int32_t pair, const Pair& doors, std::int32_t kinds,
              const LineRect& rect) {
        if ((doors.word[0] | doors.word[1]) == 0) return;
        const Pair open = open_pair(row_walls_, kinds_ + kinds, j, pair, doors);
        for (std::int32_t k = 0; k < 2; ++k) {
            for (std::uint64_t bits = open.word[k]; bits != 0; bits &= bits - 1) {
                const std::int32_t i = 128 * pair + 64 * k + std::countr_zero(bits);
                const HalfDoor door{{i, j}, kinds == kAcross};
                if (!find_gap(walls_, disc_, door).open) continue;
                add_bridge(door.from, rect);
                add_bridge({i + (door.upright ? 0 : 1), j + (door.upright ? 1 : 0)}, rect);
            }
        }
    }

    void add_bridge(HalfPoint p, const LineRect& rect) {
        if (p.j < rect.line_low || p.j >= rect.line_high || p.i < rect.low || p.i >= rect.high) return;
        rows_.line(p.j)[kBridgePlane * rows_.plane_stride + (p.i >> 6)] |= 1ULL << (p.i & 63);
        cols_.line(p.i)[kBridgePlane * cols_.plane_stride + (p.j >> 6)] |= 1ULL << (p.j & 63);
    }

    static void find_stops(const MutableLines& lines, const LineRect& rect) {
        for (std::int32_t j = rect.line_low; j < rect.line_high; ++j) {
            std::uint64_t* line = lines.line(j);
            for (std::int32_t word = rect.low >> 6; word <= (rect.high - 1) >> 6; ++word) {
                std::uint64_t near = 0;
                for (std::int32_t k = -1; k <= 1; ++k) {
                    const std::uint64_t* b = lines.line(j + k) + kBridgePlane * lines.plane_stride + word;
                    near |= b[0] | (b[0] << 1) | (b[0] >> 1) | (b[-1] >> 63) | (b[1] << 63);
                }
                put_bits(line[kStopPlane * lines.plane_stride + word], mask_of(rect, word),
                         line[word] & near);
            }
        }
    }

    StateData& state_;
    const Body& body_;
    MutableLines rows_;
    MutableLines cols_;
    Rows kinds_;
    WallReader row_walls_;
    WallReader col_walls_;
    HalfWalls walls_{};
    HalfDisc disc_{};
};

// The points that changed cells may change.
LineRect points_near(const StateData& state, const Body& body, const CellRect& cells) {
    const std::int32_t reach = body.reach;
    const LineRect all{2 * cells.low.y - reach, 2 * cells.high.y + reach + 1, 2 * cells.low.x - reach,
                       2 * cells.high.x + reach + 1};
    return all.clipped(state.half_rows);
}

bool own_lines(EditorData& editor, std::uint32_t first, const LineShape& shape, std::int32_t layer,
               std::int32_t low, std::int32_t high) {
    const auto base = first + static_cast<std::uint32_t>(layer * editor.state->bands_per_layer(shape)) + 1U;
    low = std::max(low, 0);
    high = std::min(high, shape.lines);
    for (std::int32_t band = low >> kBandShift; band <= (high - 1) >> kBandShift; ++band) {
        if (!editor.own(base + static_cast<std::uint32_t>(band))) return false;
    }
    return true;
}

}  // namespace

bool keeps_half(const StateData& state, double radius) {
    const double square = HalfDisc::of(radius).square;
    const double shorter = std::min(state.width, state.height);
    return square > 1.0 && 2.0 * radius <= shorter * (1.0 + 1e-9) && !state.wrap_x && !state.wrap_y &&
           state.portal_count == 0;
}

bool own_half(EditorData& editor, const Body& body, const CellRect& cells) {
    const StateData& state = *editor.state;
    // The reach planes of the lines beside what changes change too.
    const LineRect rect = points_near(state, body, cells).grown(3);
    return own_lines(editor, body.rows_at, state.half_rows, cells.layer, rect.line_low, rect.line_high) &&
           own_lines(editor, body.cols_at, state.half_cols, cells.layer, rect.low, rect.high);
}

bool gather_half_rows(EditorData& editor, const Body& body) {
    const StateData& state = *editor.state;
    const std::int32_t most = std::max(state.width, state.height) + 1;
    const auto key = static_cast<std::int64_t>(std::ceil(body.square));
    const std::int32_t count = body.planes == kGapPlanes ? kHalfRows : kAlong;
    for (std::int32_t n = 0; n < count; ++n) {
        const bool odd_i = (n & 1) != 0;
        const bool odd_j = (n & 2) != 0;
        if (!half_disc_rows(key, odd_i, odd_j, most, most, n >> 2, editor.scratch.half[n])) return false;
    }
    return true;
}

bool derive_half(EditorData& editor, Body& body, const CellRect& cells) {
    if (!gather_half_rows(editor, body)) return false;
    const LineRect rect = points_near(*editor.state, body, cells);
    HalfDeriver(editor, body, cells.layer).run(rect);
    const LineRect all = rect.grown(body.planes == kGapPlanes ? 1 : 0).clipped(editor.state->half_rows);
    const CellRect points{{all.low, all.line_low}, {all.high, all.line_high}, cells.layer};
    return update_connectivity(editor, body, cells.layer, {&points, 1});
}

}  // namespace fairlead::grid
