// Jump-point search without corner cutting, for one layer of uniform cost.
//
// States are jump points: cells where an optimal path may turn. Between two of them a path runs diagonally, then
// straight, so no cell in between is ever put on the open list. This is the form of Harabor & Grastien 2014 with
// block scans and with the intermediate diagonal points pruned: a diagonal scan puts the jump points that its
// straight branches meet on the open list itself.
//
// Where it departs from the paper: whether a straight branch meets anything is read from the reach planes
// (reach.h), two bits a diagonal step, instead of being scanned for; a scan is made only where a jump point is
// known to be. A straight scan then needs the two neighbouring lines only: the first place where one of them
// turns from wall to floor is the jump point, since no wall can come before it.
//
// A diagonal across an open plain with a few trees meets a branch at every step, hundreds of them, most of them away
// from the goal. So after a burst of branches it rests: the cell it has come to goes on the open list as a state
// that may go on in both straight directions, and with them in the diagonal; whether it ever does is for the order
// of the list to say.
//
// The goal is not in the planes. A scan along the goal's row or column ends at the goal; a diagonal scan looks
// for it where it crosses the goal's row and column.
//
// This header is one piece because the scans are inlined into each other: it is the kernel of the library's
// default planner.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include <fairlead/search/cost.h>

#include "grid/general_space.h"
#include "grid/jump_lines.h"
#include "grid/state.h"

namespace fairlead::grid {

class JumpPointSpace {
  public:
    JumpPointSpace() = default;
    /// A diagonal scan rests after `burst` places with a branch: what is left of it goes on the open list.
    JumpPointSpace(const Lines& rows, const Lines& cols, const CostScale& scale, std::int32_t burst)
        : rows_(rows), cols_(cols), scale_(scale), burst_(burst) {}

    void set_query(std::int32_t start_x, std::int32_t start_y, std::int32_t goal_x, std::int32_t goal_y) {
        start_ = pack(start_x, start_y);
        goal_ = pack(goal_x, goal_y);
        goal_x_ = goal_x;
        goal_y_ = goal_y;
    }

    [[nodiscard]] static FAIRLEAD_INLINE std::uint32_t pack(std::int32_t x, std::int32_t y) {
        return (static_cast<std::uint32_t>(y) << 16) | static_cast<std::uint32_t>(x);
    }
    [[nodiscard]] static FAIRLEAD_INLINE std::int32_t x_of(std::uint32_t state) {
        return static_cast<std::int32_t>(state & 0xffffU);
    }
    [[nodiscard]] static FAIRLEAD_INLINE std::int32_t y_of(std::uint32_t state) {
        return static_cast<std::int32_t>(state >> 16);
    }

    template <class Sink>
    void start(Sink& sink) {
        sink.add(start_, 0, kAllWays);
    }
    [[nodiscard]] FAIRLEAD_INLINE Cost heuristic(std::uint32_t state) const {
        return scale_.octile(x_of(state) - goal_x_, y_of(state) - goal_y_);
    }
    [[nodiscard]] FAIRLEAD_INLINE bool is_goal(std::uint32_t state) const { return state == goal_; }
    /// Where to note what is expanded, for partial routes; null: nowhere. `query` must outlive the search.
    void track(NearestPlace* nearest, const CellQuery& query) {
        nearest_ = nearest;
        query_ = &query;
    }

    template <class Sink>
    void expand(std::uint32_t state, Cost, std::uint32_t ways, Sink& sink) {
        const std::int32_t x = x_of(state);
        const std::int32_t y = y_of(state);
        if (FAIRLEAD_UNLIKELY(nearest_ != nullptr))
            query_->note(*nearest_, state, {x, y, query_->goal.layer});
        if ((ways & (1U << kEast)) != 0) straight<kEast>(x, y, 0, sink);
        if ((ways & (1U << kNorth)) != 0) straight<kNorth>(x, y, 0, sink);
        if ((ways & (1U << kWest)) != 0) straight<kWest>(x, y, 0, sink);
        if ((ways & (1U << kSouth)) != 0) straight<kSouth>(x, y, 0, sink);
        if ((ways & 0b0011U) == 0b0011U) diagonal<1, 1>(x, y, sink);
        if ((ways & 0b0110U) == 0b0110U) diagonal<-1, 1>(x, y, sink);
        if ((ways & 0b1100U) == 0b1100U) diagonal<-1, -1>(x, y, sink);
        if ((ways & 0b1001U) == 0b1001U) diagonal<1, -1>(x, y, sink);
    }

  private:
    // First jump point after `at` going up the line; there is one before any wall.
    [[nodiscard]] static FAIRLEAD_INLINE JumpStop scan_up(const std::uint64_t* above,
                                                          const std::uint64_t* below, std::int32_t at) {
        for (;; at += 63) {
            const std::uint64_t a = window(above, at);
            const std::uint64_t b = window(below, at);
            const std::uint64_t jumps_a = a & ~(a << 1) & ~1ULL;
            const std::uint64_t jumps_b = b & ~(b << 1) & ~1ULL;
            if ((jumps_a | jumps_b) == 0) continue;
            const auto n = static_cast<std::uint32_t>(std::countr_zero(jumps_a | jumps_b));
            return {at + static_cast<std::int32_t>(n), jump_sides(jumps_a >> n, jumps_b >> n)};
        }
    }
    [[nodiscard]] static FAIRLEAD_INLINE JumpStop scan_down(const std::uint64_t* above,
                                                            const std::uint64_t* below, std::int32_t at) {
        for (;; at -= 63) {
            const std::uint64_t a = window_back(above, at);
            const std::uint64_t b = window_back(below, at);
            const std::uint64_t jumps_a = a & ~(a >> 1) & ~(1ULL << 63);
            const std::uint64_t jumps_b = b & ~(b >> 1) & ~(1ULL << 63);
            if ((jumps_a | jumps_b) == 0) continue;
            const auto n = static_cast<std::uint32_t>(std::countl_zero(jumps_a | jumps_b));
            return {at - static_cast<std::int32_t>(n), jump_sides(jumps_a >> (63 - n), jumps_b >> (63 - n))};
        }
    }
    template <std::uint32_t kWay>
    [[nodiscard]] FAIRLEAD_INLINE const Lines& lines() const {
        return kAlongRow<kWay> ? rows_ : cols_;
    }

    // Where the straight scan from (x, y) ends. There is a jump point: its reach bit is set.
    template <std::uint32_t kWay>
    [[nodiscard]] FAIRLEAD_INLINE JumpStop scan(std::int32_t x, std::int32_t y) const {
        const std::int32_t at = kAlongRow<kWay> ? x : y;
        const std::int32_t line = kAlongRow<kWay> ? y : x;
        const std::uint64_t* above = lines<kWay>().line(line + 1);
        const std::uint64_t* below = lines<kWay>().line(line - 1);
        return kUpwards<kWay> ? scan_up(above, below, at) : scan_down(above, below, at);
    }

    // The straight scan from (x, y), reached from the expanded state for `cost_here` more.
    template <std::uint32_t kWay, class Sink>
    FAIRLEAD_INLINE void straight(std::int32_t x, std::int32_t y, Cost cost_here, Sink& sink) const {
        constexpr std::int32_t kPlane = kUpwards<kWay> ? kReachUpPlane : kReachDownPlane;
        const std::int32_t at = kAlongRow<kWay> ? x : y;
        const std::int32_t line = kAlongRow<kWay> ? y : x;
        const std::uint64_t* self = lines<kWay>().line(line);
        const bool reaches = line_bit(self + kPlane * lines<kWay>().plane_stride, at);
        if (FAIRLEAD_UNLIKELY(line == (kAlongRow<kWay> ? goal_y_ : goal_x_))) {
            const std::int32_t goal = kAlongRow<kWay> ? goal_x_ : goal_y_;
            const bool ahead = kUpwards<kWay> ? goal > at : goal < at;
            if (ahead && line_is_clear(self, kUpwards<kWay> ? at : goal, kUpwards<kWay> ? goal : at)) {
                // Nothing on the way there: jump points before the goal are no better.
                add<kWay>({goal, 0}, x, y, cost_here, sink);
                return;
            }
        }
        if (reaches) add<kWay>(scan<kWay>(x, y), x, y, cost_here, sink);
    }

    template <std::uint32_t kWay, class Sink>
    FAIRLEAD_INLINE void add(JumpStop stop, std::int32_t x, std::int32_t y, Cost cost_here,
                             Sink& sink) const {
        // The line above a row is to the north, the line above a column to the east.
        constexpr std::uint32_t kAbove = kAlongRow<kWay> ? kNorth : kEast;
        const std::int32_t at = kAlongRow<kWay> ? x : y;
        const auto steps = static_cast<Cost>(kUpwards<kWay> ? stop.at - at : at - stop.at);
        const std::uint32_t ways =
            (1U << kWay) | ((stop.sides & 1U) << kAbove) | ((stop.sides >> 1) << (kAbove + 2));
        sink.add(kAlongRow<kWay> ? pack(stop.at, y) : pack(x, stop.at), cost_here + steps * scale_.straight,
                 ways);
    }

    // The diagonal scan. At each step three questions: may the step be made, and is the straight branch on either
    // side worth scanning? Within a square of 16 x 16 cells aligned to the bands the answers lie in words that stay
    // in place or move by a stride; the step across its edge looks everything up. The loop over the steps holds
    // nothing else, so that all of it stays in registers.
    template <std::int32_t kDx, std::int32_t kDy, class Sink>
    void diagonal(std::int32_t x, std::int32_t y, Sink& sink) const {
        constexpr std::uint32_t kRowWay = kDx > 0 ? kEast : kWest;
        constexpr std::uint32_t kColWay = kDy > 0 ? kNorth : kSouth;
        constexpr std::uint32_t kOnwards = (1U << kRowWay) | (1U << kColWay);
        const std::ptrdiff_t row_plane = (kDx > 0 ? kReachUpPlane : kReachDownPlane) * rows_.plane_stride;
        const std::ptrdiff_t col_plane = (kDy > 0 ? kReachUpPlane : kReachDownPlane) * cols_.plane_stride;
        const std::ptrdiff_t row_stride = kDy * std::ptrdiff_t{rows_.line_stride};
        const std::ptrdiff_t col_stride = kDx * std::ptrdiff_t{cols_.line_stride};
        const std::int32_t from_x = x;
        std::int32_t burst = burst_;
        // Where the scan crosses the goal's row and column; a place it never comes to if it leads away.
        const std::int32_t to_goal_row = (goal_y_ - y) * kDy;
        const std::int32_t to_goal_col = (goal_x_ - x) * kDx;
        const auto cost_here = [&] { return static_cast<Cost>((x - from_x) * kDx) * scale_.diagonal; };
        for (;;) {
            // Steps to the edge of the square, and to the next place where the goal must be looked for.
            const std::int32_t done = (x - from_x) * kDx;
            std::int32_t room = kDx > 0 ? kBandLines - 1 - (x & (kBandLines - 1)) : x & (kBandLines - 1);
            const std::int32_t room_y =
                kDy > 0 ? kBandLines - 1 - (y & (kBandLines - 1)) : y & (kBandLines - 1);
            if (room_y < room) room = room_y;
            if (to_goal_row > done && to_goal_row - done - 1 < room) room = to_goal_row - done - 1;
            if (to_goal_col > done && to_goal_col - done - 1 < room) room = to_goal_col - done - 1;

            const std::uint64_t* row = rows_.line(y) + (x >> 6);
            const std::uint64_t* col = cols_.line(x) + col_plane + (y >> 6);
            // Bit x: is the cell free, and the next in the direction of the scan? A step needs that of both rows.
            std::uint64_t pair = with_next<kDx>(*row);
            while (room > 0) {
                std::uint64_t row_branch = 0;
                std::uint64_t col_branch = 0;
                do {
                    row += row_stride;
                    col += col_stride;
                    const std::uint64_t there = with_next<kDx>(*row);
                    if ((((pair & there) >> (x & 63)) & 1U) == 0) return;
                    pair = there;
                    x += kDx;
                    y += kDy;
                    row_branch = (row[row_plane] >> (x & 63)) & 1U;
                    col_branch = (*col >> (y & 63)) & 1U;
                } while (--room > 0 && (row_branch | col_branch) == 0);
                if ((row_branch | col_branch) == 0) break;
                if (--burst < 0) {
                    sink.add(pack(x, y), cost_here(), kOnwards);
                    return;
                }
                // No goal on these lines before the square's edge.
                if (row_branch != 0) add<kRowWay>(scan<kRowWay>(x, y), x, y, cost_here(), sink);
                if (col_branch != 0) add<kColWay>(scan<kColWay>(x, y), x, y, cost_here(), sink);
            }

            const std::int32_t next_x = x + kDx;
            if (!rows_.get(next_x, y) || !rows_.get(next_x, y + kDy) || !rows_.get(x, y + kDy)) return;
            x = next_x;
            y += kDy;
            const bool goal_row = y == goal_y_;
            const bool goal_col = x == goal_x_;
            if (goal_row && goal_col) {
                sink.add(goal_, cost_here(), 1U << kRowWay);
                return;
            }
            const bool row_branch = line_bit(rows_.line(y) + row_plane, x);
            const bool col_branch = line_bit(cols_.line(x) + col_plane, y);
            if ((row_branch || col_branch) && --burst < 0) {
                sink.add(pack(x, y), cost_here(), kOnwards);
                return;
            }
            if (goal_row || row_branch) straight<kRowWay>(x, y, cost_here(), sink);
            if (goal_col || col_branch) straight<kColWay>(x, y, cost_here(), sink);
        }
    }

    Lines rows_;
    Lines cols_;
    CostScale scale_;
    std::uint32_t start_ = 0;
    std::uint32_t goal_ = 0;
    std::int32_t goal_x_ = 0;
    std::int32_t goal_y_ = 0;
    std::int32_t burst_ = 0;
    NearestPlace* nearest_ = nullptr;
    const CellQuery* query_ = nullptr;
};

}  // namespace fairlead::grid
