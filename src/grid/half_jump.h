// Jump-point search over the half lattice, for a registered disc (half_body.h), one layer, uniform cost and one goal.
//
// As jump_point.h, whose scans these are: states are the points where a path may turn, runs between them are diagonal, then straight,
// and the reach planes tell which branches are worth a scan. What the half lattice has more of:
//
// - Squeezed diagonals, between two opposite corners of a room that alone fit (half_motion.h). At the point where one begins the
//   points beside it in its direction do not fit. So only runs that end there come past: diagonal ones, and straight ones that
//   have that wall ahead. They are ends of scans (update_half_reach).
// - Gaps, for R > 9: at stops, wherever they lie on a run.
//
// After either all directions are open. Costs are in half cells.
#pragma once

#include "grid/half_space.h"
#include "grid/jump_point.h"

namespace fairlead::grid {

/// In a state's tag, beside its ways: how it was reached.
inline constexpr std::uint32_t kBySqueeze = 16;
inline constexpr std::uint32_t kByGap = 32;

class HalfJumpSpace {
  public:
    HalfJumpSpace() = default;
    /// `half` answers for squeezed diagonals and gaps; it and the starts, with points' states, must outlive the search.
    HalfJumpSpace(const StateData& state, const Body& body, std::int32_t layer, const CostScale& scale,
                  HalfSpace& half, std::span<const HalfStart> starts, HalfPoint goal)
        : rows_(state.half_row_lines(body, layer)),
          cols_(state.half_col_lines(body, layer)),
          scale_(scale),
          half_(&half),
          starts_(starts),
          goal_(pack(goal.i, goal.j)),
          goal_i_(goal.i),
          goal_j_(goal.j),
          row_stop_(body.planes == kGapPlanes ? kStopPlane * std::ptrdiff_t{rows_.plane_stride} : 0),
          col_stop_(body.planes == kGapPlanes ? kStopPlane * std::ptrdiff_t{cols_.plane_stride} : 0),
          stops_(body.planes == kGapPlanes ? ~0ULL : 0) {}

    [[nodiscard]] static FAIRLEAD_INLINE std::uint32_t pack(std::int32_t i, std::int32_t j) {
        return JumpPointSpace::pack(i, j);
    }
    [[nodiscard]] static FAIRLEAD_INLINE HalfPoint point(std::uint32_t state) {
        return {JumpPointSpace::x_of(state), JumpPointSpace::y_of(state)};
    }

    template <class Sink>
    void start(Sink& sink) {
        for (const HalfStart& s : starts_) {
            const HalfPoint p = half_->code().point(s.state);
            sink.add(pack(p.i, p.j), s.cost, kAllWays);
        }
    }
    [[nodiscard]] FAIRLEAD_INLINE Cost heuristic(std::uint32_t state) const {
        const HalfPoint p = point(state);
        return scale_.octile(p.i - goal_i_, p.j - goal_j_);
    }
    [[nodiscard]] FAIRLEAD_INLINE bool is_goal(std::uint32_t state) const { return state == goal_; }

    template <class Sink>
    void expand(std::uint32_t state, Cost, std::uint32_t ways, Sink& sink) {
        const HalfPoint p = point(state);
        if ((ways & (1U << kEast)) != 0) straight<kEast>(p.i, p.j, 0, sink);
        if ((ways & (1U << kNorth)) != 0) straight<kNorth>(p.i, p.j, 0, sink);
        if ((ways & (1U << kWest)) != 0) straight<kWest>(p.i, p.j, 0, sink);
        if ((ways & (1U << kSouth)) != 0) straight<kSouth>(p.i, p.j, 0, sink);
        if ((ways & 0b0011U) == 0b0011U) diagonal<1, 1>(p.i, p.j, sink);
        if ((ways & 0b0110U) == 0b0110U) diagonal<-1, 1>(p.i, p.j, sink);
        if ((ways & 0b1100U) == 0b1100U) diagonal<-1, -1>(p.i, p.j, sink);
        if ((ways & 0b1001U) == 0b1001U) diagonal<1, -1>(p.i, p.j, sink);
        rare_moves(p, sink);
    }

    /// For the ways through gaps (half_space.h).
    [[nodiscard]] bool waits() const { return half_->waits(); }
    [[nodiscard]] bool go_on() { return half_->go_on(); }

  private:
    /// Branches that a diagonal scan takes at once (jump_point.h).
    static constexpr std::int32_t kBurst = 8;

    template <std::uint32_t kWay>
    [[nodiscard]] FAIRLEAD_INLINE const Lines& lines() const {
        return kAlongRow<kWay> ? rows_ : cols_;
    }

    // The first end after `at`: a jump point, a stop, or the last point before a wall that ends beside the wall. There is one
    // before any other wall: the reach bit is set.
    template <std::uint32_t kWay>
    [[nodiscard]] FAIRLEAD_INLINE JumpStop scan(std::int32_t i, std::int32_t j) const {
        std::int32_t at = kAlongRow<kWay> ? i : j;
        const std::int32_t line = kAlongRow<kWay> ? j : i;
        const std::uint64_t* self = lines<kWay>().line(line);
        const std::uint64_t* above = lines<kWay>().line(line + 1);
        const std::uint64_t* below = lines<kWay>().line(line - 1);
        const std::uint64_t* stop = self + (kAlongRow<kWay> ? row_stop_ : col_stop_);
        if constexpr (kUpwards<kWay>) {
            for (;; at += 63) {
                const std::uint64_t a = window(above, at);
                const std::uint64_t b = window(below, at);
                const std::uint64_t jumps_a = a & ~(a << 1) & ~1ULL;
                const std::uint64_t jumps_b = b & ~(b << 1) & ~1ULL;
                const std::uint64_t ends = jumps_a | jumps_b | (stops_ == 0 ? 0 : window(stop, at) & ~1ULL);
                if (ends == 0) continue;
                const auto n = static_cast<std::uint32_t>(std::countr_zero(ends));
                const std::int32_t end = at + static_cast<std::int32_t>(n);
                if (!line_bit(self, end)) return {end - 1, 0};
                return {end, jump_sides(jumps_a >> n, jumps_b >> n)};
            }
        } else {
            for (;; at -= 63) {
                const std::uint64_t a = window_back(above, at);
                const std::uint64_t b = window_back(below, at);
                const std::uint64_t jumps_a = a & ~(a >> 1) & ~(1ULL << 63);
                const std::uint64_t jumps_b = b & ~(b >> 1) & ~(1ULL << 63);
                const std::uint64_t ends =
                    jumps_a | jumps_b | (stops_ == 0 ? 0 : window_back(stop, at) & ~(1ULL << 63));
                if (ends == 0) continue;
                const auto n = static_cast<std::uint32_t>(std::countl_zero(ends));
                const std::int32_t end = at - static_cast<std::int32_t>(n);
                if (!line_bit(self, end)) return {end + 1, 0};
                return {end, jump_sides(jumps_a >> (63 - n), jumps_b >> (63 - n))};
            }
        }
    }

    // The straight scan from (i, j), reached from the expanded state for `cost_here` more.
    template <std::uint32_t kWay, class Sink>
    FAIRLEAD_INLINE void straight(std::int32_t i, std::int32_t j, Cost cost_here, Sink& sink) const {
        constexpr std::int32_t kPlane = kUpwards<kWay> ? kReachUpPlane : kReachDownPlane;
        const std::int32_t at = kAlongRow<kWay> ? i : j;
        const std::int32_t line = kAlongRow<kWay> ? j : i;
        const std::uint64_t* self = lines<kWay>().line(line);
        const bool reaches = line_bit(self + kPlane * lines<kWay>().plane_stride, at);
        if (FAIRLEAD_UNLIKELY(line == (kAlongRow<kWay> ? goal_j_ : goal_i_))) {
            const std::int32_t goal = kAlongRow<kWay> ? goal_i_ : goal_j_;
            const bool ahead = kUpwards<kWay> ? goal > at : goal < at;
            if (ahead && line_is_clear(self, kUpwards<kWay> ? at : goal, kUpwards<kWay> ? goal : at)) {
                // Nothing on the way there: ends before the goal are no better.
                add<kWay>({goal, 0}, i, j, cost_here, sink);
                return;
            }
        }
        if (reaches) add<kWay>(scan<kWay>(i, j), i, j, cost_here, sink);
    }

    template <std::uint32_t kWay, class Sink>
    FAIRLEAD_INLINE void add(JumpStop stop, std::int32_t i, std::int32_t j, Cost cost_here,
                             Sink& sink) const {
        // The line above a row is to the north, the line above a column to the east.
        constexpr std::uint32_t kAbove = kAlongRow<kWay> ? kNorth : kEast;
        const std::int32_t at = kAlongRow<kWay> ? i : j;
        const auto steps = static_cast<Cost>(kUpwards<kWay> ? stop.at - at : at - stop.at);
        const std::uint32_t ways =
            (1U << kWay) | ((stop.sides & 1U) << kAbove) | ((stop.sides >> 1) << (kAbove + 2));
        sink.add(kAlongRow<kWay> ? pack(stop.at, j) : pack(i, stop.at), cost_here + steps * scale_.straight,
                 ways);
    }

    // The diagonal scan, square by square of 16 x 16 points (jump_point.h).
    template <std::int32_t kDi, std::int32_t kDj, class Sink>
    void diagonal(std::int32_t i, std::int32_t j, Sink& sink) const {
        constexpr std::uint32_t kRowWay = kDi > 0 ? kEast : kWest;
        constexpr std::uint32_t kColWay = kDj > 0 ? kNorth : kSouth;
        constexpr std::uint32_t kOnwards = (1U << kRowWay) | (1U << kColWay);
        const std::ptrdiff_t row_plane = (kDi > 0 ? kReachUpPlane : kReachDownPlane) * rows_.plane_stride;
        const std::ptrdiff_t col_plane = (kDj > 0 ? kReachUpPlane : kReachDownPlane) * cols_.plane_stride;
        const std::ptrdiff_t row_stride = kDj * std::ptrdiff_t{rows_.line_stride};
        const std::ptrdiff_t col_stride = kDi * std::ptrdiff_t{cols_.line_stride};
        const std::int32_t from_i = i;
        std::int32_t burst = kBurst;
        // Where the scan crosses the goal's row and column; a place it never comes to if it leads away.
        const std::int32_t to_goal_row = (goal_j_ - j) * kDj;
        const std::int32_t to_goal_col = (goal_i_ - i) * kDi;
        const auto cost_here = [&] { return static_cast<Cost>((i - from_i) * kDi) * scale_.diagonal; };
        // At the end of the scan: may a squeezed diagonal go on from here?
        const auto end = [&] {
            if (i == from_i || !rows_.get(i + kDi, j + kDj) || rows_.get(i + kDi, j) || rows_.get(i, j + kDj))
                return;
            sink.add(pack(i, j), cost_here(), 0);
        };
        for (;;) {
            // Steps to the edge of the square, and to the next place where the goal must be looked for.
            const std::int32_t done = (i - from_i) * kDi;
            std::int32_t room = kDi > 0 ? kBandLines - 1 - (i & (kBandLines - 1)) : i & (kBandLines - 1);
            const std::int32_t room_j =
                kDj > 0 ? kBandLines - 1 - (j & (kBandLines - 1)) : j & (kBandLines - 1);
            if (room_j < room) room = room_j;
            if (to_goal_row > done && to_goal_row - done - 1 < room) room = to_goal_row - done - 1;
            if (to_goal_col > done && to_goal_col - done - 1 < room) room = to_goal_col - done - 1;

            const std::uint64_t* row = rows_.line(j) + (i >> 6);
            const std::uint64_t* col = cols_.line(i) + col_plane + (j >> 6);
            // Bit i: does the point fit, and the next in the direction of the scan? A step needs that of both rows.
            std::uint64_t pair = with_next<kDi>(*row);
            while (room > 0) {
                std::uint64_t row_branch = 0;
                std::uint64_t col_branch = 0;
                std::uint64_t stop = 0;
                do {
                    row += row_stride;
                    col += col_stride;
                    const std::uint64_t there = with_next<kDi>(*row);
                    if ((((pair & there) >> (i & 63)) & 1U) == 0) return end();
                    pair = there;
                    i += kDi;
                    j += kDj;
                    row_branch = (row[row_plane] >> (i & 63)) & 1U;
                    col_branch = (*col >> (j & 63)) & 1U;
                    stop = ((row[row_stop_] & stops_) >> (i & 63)) & 1U;
                } while (--room > 0 && (row_branch | col_branch | stop) == 0);
                if ((row_branch | col_branch | stop) == 0) break;
                if (stop != 0 || --burst < 0) {
                    sink.add(pack(i, j), cost_here(), kOnwards);
                    return;
                }
                // No goal on these lines before the square's edge.
                if (row_branch != 0) add<kRowWay>(scan<kRowWay>(i, j), i, j, cost_here(), sink);
                if (col_branch != 0) add<kColWay>(scan<kColWay>(i, j), i, j, cost_here(), sink);
            }

            const std::int32_t next_i = i + kDi;
            if (!rows_.get(next_i, j) || !rows_.get(next_i, j + kDj) || !rows_.get(i, j + kDj)) return end();
            i = next_i;
            j += kDj;
            const bool goal_row = j == goal_j_;
            const bool goal_col = i == goal_i_;
            if (goal_row && goal_col) {
                sink.add(goal_, cost_here(), 1U << kRowWay);
                return;
            }
            const bool row_branch = line_bit(rows_.line(j) + row_plane, i);
            const bool col_branch = line_bit(cols_.line(i) + col_plane, j);
            const bool stop = stops_ != 0 && line_bit(rows_.line(j) + row_stop_, i);
            if (stop || ((row_branch || col_branch) && --burst < 0)) {
                sink.add(pack(i, j), cost_here(), kOnwards);
                return;
            }
            if (goal_row || row_branch) straight<kRowWay>(i, j, cost_here(), sink);
            if (goal_col || col_branch) straight<kColWay>(i, j, cost_here(), sink);
        }
    }

    // Squeezed diagonals and ways through gaps from a point.
    template <class Sink>
    FAIRLEAD_INLINE void rare_moves(HalfPoint p, Sink& sink) const {
        const std::uint64_t above = window(rows_.line(p.j + 1), p.i - 1);
        const std::uint64_t self = window(rows_.line(p.j), p.i - 1);
        const std::uint64_t below = window(rows_.line(p.j - 1), p.i - 1);
        // Opposite corners: both points beside on their side blocked.
        const bool up = (above & 2U) == 0;
        const bool down = (below & 2U) == 0;
        const bool right = (self & 4U) == 0;
        const bool left = (self & 1U) == 0;
        if ((up || down) && (left || right)) {
            if (up && right && (above & 4U) != 0) squeeze(p, {p.i + 1, p.j + 1}, sink);
            if (up && left && (above & 1U) != 0) squeeze(p, {p.i - 1, p.j + 1}, sink);
            if (down && left && (below & 1U) != 0) squeeze(p, {p.i - 1, p.j - 1}, sink);
            if (down && right && (below & 4U) != 0) squeeze(p, {p.i + 1, p.j - 1}, sink);
        }
        if (stops_ == 0 || !line_bit(rows_.line(p.j) + row_stop_, p.i)) return;
        half_->through_gaps(
            p, [&](HalfPoint to, Cost cost) { sink.add(pack(to.i, to.j), cost, kAllWays | kByGap); });
    }
    template <class Sink>
    FAIRLEAD_NOINLINE void squeeze(HalfPoint p, HalfPoint to, Sink& sink) const {
        const Cost cost = half_->across(p, to);
        if (cost != kCostMax) sink.add(pack(to.i, to.j), cost, kAllWays | kBySqueeze);
    }

    Lines rows_;
    Lines cols_;
    CostScale scale_;
    HalfSpace* half_ = nullptr;
    std::span<const HalfStart> starts_{};
    std::uint32_t goal_ = 0;
    std::int32_t goal_i_ = 0;
    std::int32_t goal_j_ = 0;
    std::ptrdiff_t row_stop_ = 0;  ///< from a line to its stops
    std::ptrdiff_t col_stop_ = 0;
    std::uint64_t stops_ = 0;  ///< all ones if there are any
};

}  // namespace fairlead::grid
