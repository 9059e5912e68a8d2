#include "grid/half_body.h"

#include <algorithm>

#include "grid/connectivity.h"
#include "grid/dilate.h"
#include "grid/half_gap.h"
#include "grid/half_strip.h"
#include "grid/half_words.h"
#include "grid/reach.h"
#include "grid/turn_lines.h"

namespace fairlead::grid {

namespace {

// Rows of the editor's scratch: by 2 (j odd) + (i odd) tiles that block a point, then those that block a door along i,
// along j.
constexpr std::int32_t kAlong = 4;
constexpr std::int32_t kAcross = 8;

// The bits of `mask` in a word of a plane from those of `value`.
void put_bits(std::uint64_t& word, std::uint64_t mask, std::uint64_t value) {
    word = (word & ~mask) | (value & mask);
}

// Grows the rectangle by 128 points of a line from `at` on, those of `bits`.
void include(LineRect& rect, std::int32_t line, std::int32_t at, HalfWords bits) {
    const std::int32_t low =
        at + (bits.low != 0 ? std::countr_zero(bits.low) : 64 + std::countr_zero(bits.high));
    const std::int32_t high =
        at + (bits.high != 0 ? 128 - std::countl_zero(bits.high) : 64 - std::countl_zero(bits.low));
    const bool first = rect.empty();
    rect.line_low = first ? line : std::min(rect.line_low, line);
    rect.line_high = first ? line + 1 : std::max(rect.line_high, line + 1);
    rect.low = first ? low : std::min(rect.low, low);
    rect.high = first ? high : std::max(rect.high, high);
}

// What the half body's planes are made of, on one layer: rows first, where they differ from what they were; columns are
// rows turned. A band is made the editor's own when the first bit in it changes.
class HalfDeriver {
  public:
    HalfDeriver(EditorData& editor, const Body& body, std::int32_t layer, WallChange change)
        : editor_(editor),
          state_(*editor.state),
          body_(body),
          layer_(layer),
          change_(change),
          gaps_(body.planes == kGapPlanes),
          rows_(state_.mutable_lines(body.rows_at, state_.half_rows, body.planes, layer)),
          cols_(state_.mutable_lines(body.cols_at, state_.half_cols, body.planes, layer)),
          kinds_(editor.scratch.half[&body - state_.half_bodies].rows),
          walls_{state_.row_lines(state_.bodies[0], layer), state_.rows, state_.wrap_y, state_.wrap_x},
          strip_(walls_, editor.scratch.words) {
        SightWorld world;
        world.state = &state_;
        world.layer = layer;
        gap_walls_ = HalfWalls(world);
        disc_.square = body.square;
        disc_.key = static_cast<std::int64_t>(std::ceil(body.square));
        disc_.radius = 0.5 * std::sqrt(body.square);
    }

    // Points in each of `rects` may fit or not fit from now on. `changed`: where they or bridges do. False: out of
    // memory.
    [[nodiscard]] bool run(std::span<const LineRect> rects, LineRect* changed) {
        for (std::size_t n = 0; n < rects.size(); ++n) {
            changed[n] = {};
            if (!fit(rects[n], changed[n])) return false;
        }
        for (std::size_t n = 0; n < rects.size() && gaps_; ++n) {
            if (!find_bridges(rects[n].grown(2).clipped(state_.half_rows), changed[n])) return false;
        }
        for (std::size_t n = 0; n < rects.size(); ++n) {
            if (!changed[n].empty() && !derive(changed[n])) return false;
        }
        return true;
    }

  private:
    // What an edit of a few cells is about to read: each line's words lie far from the next one's.
    static FAIRLEAD_INLINE void fetch(const MutableLines& lines, const LineRect& rect, std::int32_t plane) {
        constexpr std::int32_t kLinesMax = 128;
        if (rect.line_high - rect.line_low > kLinesMax) return;
        for (std::int32_t y = rect.line_low; y < rect.line_high; ++y)
            FAIRLEAD_PREFETCH(lines.line(y) + plane * lines.plane_stride + (rect.low >> 6));
    }

    [[nodiscard]] bool own_rows(std::int32_t low, std::int32_t high) {
        return own_lines(body_.rows_at, state_.half_rows, low, high);
    }
    [[nodiscard]] bool own_cols(std::int32_t low, std::int32_t high) {
        return own_lines(body_.cols_at, state_.half_cols, low, high);
    }
    [[nodiscard]] bool own_lines(std::uint32_t first, const LineShape& shape, std::int32_t low,
                                 std::int32_t high) {
        const auto base = first + static_cast<std::uint32_t>(layer_ * state_.bands_per_layer(shape)) + 1U;
        low = std::max(low, 0);
        high = std::min(high, shape.lines);
        for (std::int32_t band = low >> kBandShift; band <= (high - 1) >> kBandShift; ++band) {
            if (!editor_.own(base + static_cast<std::uint32_t>(band))) return false;
        }
        return true;
    }

    // Writes points of a row's plane if they differ from what they were.
    [[nodiscard]] bool write(std::int32_t plane, std::int32_t j, std::int32_t at, HalfWords mask,
                             HalfWords bits, LineRect& changed) {
        const std::ptrdiff_t offset = plane * std::ptrdiff_t{rows_.plane_stride};
        const HalfWords old = HalfWords::read(rows_.line(j) + offset, state_.half_rows.words, at);
        const HalfWords differ = (old ^ bits) & mask;
        if (!differ.any()) return true;
        any_bridges_ = any_bridges_ || plane == kBridgePlane;
        if (!own_rows(j, j + 1)) return false;
        bits.write(rows_.line(j) + offset, at, mask);
        include(changed, j, at, differ);
        return true;
    }

    // The walls of all doors of lines up to `more` beside the rectangle.
    [[nodiscard]] bool begin_strip(const LineRect& rect, std::int32_t more) {
        const std::int32_t reach = body_.reach / 2 + 2;
        return strip_.begin(((rect.line_low - more) >> 1) - reach,
                            ((rect.line_high + more) >> 1) + 1 + reach);
    }

    [[nodiscard]] bool fit(const LineRect& rect, LineRect& changed) {
        if (!begin_strip(rect, 0)) return false;
        fetch(rows_, rect, kFreePlane);
        if (gaps_) fetch(rows_, rect.grown(2).clipped(state_.half_rows), kBridgePlane);
        for (std::int32_t at = rect.low & ~1; at < rect.high; at += 128) {
            const HalfWords mask = HalfWords::range(at, rect.low, rect.high);
            strip_.read(at >> 1);
            for (std::int32_t j = rect.line_low; j < rect.line_high; ++j) {
                // New walls only take points away, new room only adds some.
                const HalfWords old = HalfWords::read(rows_.line(j), state_.half_rows.words, at);
                const HalfWords stay = change_.closes ? HalfWords{} : old & mask;
                const HalfWords of = change_.opens ? mask & ~stay : old & mask;
                const HalfWords open = stay | open_words(strip_, kinds_, j, of);
                if (!write(kFreePlane, j, at, mask, open, changed)) return false;
            }
        }
        if (changed.empty()) return true;
        for (const std::int32_t plane : {kFreePlane, kReachUpPlane, kReachDownPlane}) {
            if (plane != kFreePlane) fetch(rows_, changed, plane);
            fetch(cols_, changed.transposed(), plane);
        }
        return true;
    }

    // All that follows from points and bridges.
    [[nodiscard]] bool derive(const LineRect& changed) {
        const LineRect ends = gaps_ ? changed.grown(1).clipped(state_.half_rows) : changed;
        // The reach planes of the lines beside them change too.
        if (!own_rows(ends.line_low - 1, ends.line_high + 1) || !own_cols(ends.low - 1, ends.high + 1))
            return false;
        turn_lines(rows_, cols_, state_.half_cols, kFreePlane, changed);
        if (any_bridges_) {
            turn_lines(rows_, cols_, state_.half_cols, kBridgePlane, changed);
            find_stops(ends);
            turn_lines(rows_, cols_, state_.half_cols, kStopPlane, ends);
        }
        update_half_reach(rows_, state_.half_rows, ends, gaps_);
        update_half_reach(cols_, state_.half_cols, ends.transposed(), gaps_);
        return true;
    }

    // Bridges: ends of doors that are open in the middle alone and whose rooms on both sides lead on: have a corner that
    // fits, or the end of another such door.
    [[nodiscard]] bool find_bridges(const LineRect& rect, LineRect& changed) {
        if (!begin_strip(rect, 2)) return false;
        // Of 128 points all but the first two and the last know all doors that matter to them.
        for (std::int32_t at = (rect.low - 2) & ~1; at + 2 < rect.high; at += 124) {
            strip_.read(at >> 1);
            if (!find_bridges_from(at, rect, changed)) return false;
        }
        return true;
    }

    [[nodiscard]] bool find_bridges_from(std::int32_t at, const LineRect& rect, LineRect& changed) {
        const HalfWords mask =
            HalfWords::range(at, std::max(rect.low, at + 2), std::min(rect.high, at + 127));
        const HalfWords doors = HalfWords::range(at, std::max(rect.low - 2, 0), rect.high + 1);
        struct Line {
            HalfWords along{};
            HalfWords across{};  // to the next line
            HalfWords leads{};   // points that fit, and ends of doors
        };
        Line before{}, here{};
        HalfWords kept{};  // doors across from the line before
        for (std::int32_t j = rect.line_low - 2; j <= rect.line_high; ++j) {
            Line next{};
            find_doors(j, at, doors, next.along, next.across);
            next.leads = HalfWords::read(rows_.line(j), state_.half_rows.words, at) | next.along |
                         next.along.later() | next.across | here.across | beyond_seams(j, at);
            const HalfWords over = next.leads | next.leads.sooner(0);
            const HalfWords under = before.leads | before.leads.sooner(0);
            const HalfWords beside = here.leads | next.leads;
            const HalfWords along = here.along & over & under;
            const HalfWords across = here.across & beside.sooner(0) & beside.later();
            const HalfWords ends = (along | along.later() | across | kept) & mask;
            if (j > rect.line_low && !write(kBridgePlane, j - 1, at, mask, ends, changed)) return false;
            any_bridges_ = any_bridges_ || ends.any();
            kept = across;
            before = here;
            here = next;
        }
        return true;
    }

    // Points past a seam: who knows where they lead.
    [[nodiscard]] HalfWords beyond_seams(std::int32_t j, std::int32_t at) const {
        const LineShape& shape = state_.half_rows;
        const bool off = state_.wrap_y && (j < 0 || j >= shape.lines);
        const HalfWords inside = HalfWords::range(at, 0, shape.length);
        return off ? ~HalfWords{} : (state_.wrap_x ? ~inside : HalfWords{});
    }

    // The gaps that begin on a line, out of the doors in `of`: along it, and from it to the next.
    void find_doors(std::int32_t j, std::int32_t at, HalfWords of, HalfWords& along, HalfWords& across) {
        const LineShape& shape = state_.half_rows;
        if (j < 0 || j >= shape.lines) return;
        const std::uint64_t* line = rows_.line(j);
        const HalfWords closed = of & ~HalfWords::read(line, shape.words, at);
        if (!closed.any()) return;
        const HalfWords next = HalfWords::read(line, shape.words, at + 1);
        along = closed & ~next & HalfWords::range(at, 0, shape.length - 1);
        if (j + 1 < shape.lines) across = closed & ~HalfWords::read(rows_.line(j + 1), shape.words, at);
        along = gaps_of(j, at, along, kAlong);
        across = gaps_of(j, at, across, kAcross);
    }

    HalfWords gaps_of(std::int32_t j, std::int32_t at, HalfWords doors, std::int32_t kinds) {
        if (!doors.any()) return {};
        HalfWords open = open_words(strip_, kinds_ + kinds, j, doors);
        const auto test = [&](std::uint64_t& word, std::int32_t from) {
            for (std::uint64_t bits = word; bits != 0; bits &= bits - 1) {
                const HalfDoor door{{from + std::countr_zero(bits), j}, kinds == kAcross};
                if (!find_gap(gap_walls_, disc_, door).open) word &= ~(bits & (0 - bits));
            }
        };
        test(open.low, at);
        test(open.high, at + 64);
        return open;
    }

    void find_stops(const LineRect& rect) {
        for (std::int32_t j = rect.line_low; j < rect.line_high; ++j) {
            std::uint64_t* line = rows_.line(j);
            for (std::int32_t word = rect.low >> 6; word <= (rect.high - 1) >> 6; ++word) {
                std::uint64_t near = 0;
                for (std::int32_t k = -1; k <= 1; ++k) {
                    const std::uint64_t* b = rows_.line(j + k) + kBridgePlane * rows_.plane_stride + word;
                    near |= b[0] | (b[0] << 1) | (b[0] >> 1) | (b[-1] >> 63) | (b[1] << 63);
                }
                const std::uint64_t mask =
                    bit_range(std::max(0, rect.low - word * 64), std::min(64, rect.high - word * 64));
                put_bits(line[kStopPlane * rows_.plane_stride + word], mask, line[word] & near);
            }
        }
    }

    EditorData& editor_;
    StateData& state_;
    const Body& body_;
    std::int32_t layer_;
    WallChange change_;
    bool gaps_;
    bool any_bridges_ = false;  ///< where points may change, before or after
    MutableLines rows_;
    MutableLines cols_;
    const Array<BodyRow>* kinds_;
    WallReader walls_;
    WallStrip strip_;
    HalfWalls gap_walls_{};
    HalfDisc disc_{};
};

// The points that changed cells may change, on both sides of seams and in all copies of points that lie on one.
struct PointPieces {
    LineRect rect[kChangedRects];
    std::size_t count = 0;
    [[nodiscard]] std::span<const LineRect> span() const { return {rect, count}; }
};
static_assert(kChangedRects >= 9);

PointPieces points_near(const StateData& state, const Body& body, const CellRect& cells) {
    const std::int32_t reach = body.reach;
    const LineRect all{2 * cells.low.y - reach, 2 * cells.high.y + reach + 1, 2 * cells.low.x - reach,
                       2 * cells.high.x + reach + 1};
    const std::int32_t lap_i = state.half_rows.length - 1;
    const std::int32_t lap_j = state.half_rows.lines - 1;
    const std::int32_t laps_i = state.wrap_x && (all.low > 0 || all.high <= lap_i) ? 1 : 0;
    const std::int32_t laps_j = state.wrap_y && (all.line_low > 0 || all.line_high <= lap_j) ? 1 : 0;
    PointPieces pieces;
    for (std::int32_t y = -laps_j; y <= laps_j; ++y) {
        for (std::int32_t x = -laps_i; x <= laps_i; ++x) {
            const LineRect moved{all.line_low + y * lap_j, all.line_high + y * lap_j, all.low + x * lap_i,
                                 all.high + x * lap_i};
            const LineRect piece = moved.clipped(state.half_rows);
            if (!piece.empty()) pieces.rect[pieces.count++] = piece;
        }
    }
    return pieces;
}

}  // namespace

bool keeps_half(const StateData& state, double radius) {
    const double square = HalfDisc::of(radius).square;
    const double shorter = std::min(state.width, state.height);
    return square > 1.0 && 2.0 * radius <= shorter * (1.0 + 1e-9);
}

bool gather_half_rows(EditorData& editor, const Body& body) {
    const StateData& state = *editor.state;
    const std::int32_t most = std::max(state.width, state.height) + 1;
    const auto key = static_cast<std::int64_t>(std::ceil(body.square));
    HalfBlocking& blocking = editor.scratch.half[&body - state.half_bodies];
    if (blocking.key == key) return true;
    blocking.key = 0;
    const std::int32_t count = body.planes == kGapPlanes ? kHalfRows : kAlong;
    for (std::int32_t n = 0; n < count; ++n) {
        const bool odd_i = (n & 1) != 0;
        const bool odd_j = (n & 2) != 0;
        if (!half_disc_rows(key, odd_i, odd_j, most, most, n >> 2, blocking.rows[n])) return false;
    }
    blocking.key = key;
    return true;
}

bool derive_half(EditorData& editor, const Body& body, const CellRect& cells, WallChange change) {
    if (!change.closes && !change.opens) return true;  // terrain alone
    if (!gather_half_rows(editor, body)) return false;
    const PointPieces near = points_near(*editor.state, body, cells);
    LineRect changed[kChangedRects];
    HalfDeriver deriver(editor, body, cells.layer, change);
    if (!deriver.run(near.span(), changed)) return false;
    CellRect points[kChangedRects];
    std::size_t count = 0;
    for (std::size_t n = 0; n < near.count; ++n) {
        const LineRect& c = changed[n];
        if (!c.empty()) points[count++] = {{c.low, c.line_low}, {c.high, c.line_high}, cells.layer};
    }
    return count == 0 || update_connectivity(editor, body, cells.layer, {points, count});
}

bool derive_half_layer(EditorData& editor, const Body& body, std::int32_t layer) {
    const StateData& state = *editor.state;
    const LineRect all{0, state.half_rows.lines, 0, state.half_rows.length};
    if (!gather_half_rows(editor, body)) return false;
    LineRect changed;
    HalfDeriver deriver(editor, body, layer, {});
    if (!deriver.run({&all, 1}, &changed)) return false;
    const CellRect points{{0, 0}, {all.high, all.line_high}, layer};
    return update_connectivity(editor, body, layer, {&points, 1});
}

}  // namespace fairlead::grid
