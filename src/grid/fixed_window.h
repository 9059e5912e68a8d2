// The fixed window: the search engine of Pinter's articles (techniques F1 to F8, S10), as policies of the one engine.
//
// A square window of N x N cells around the midpoint of start and goal. A node is 16 bytes and addressed by its
// place in the window; one visited bit a node is all that a query clears; the open list is an unsorted list that
// runs through the nodes themselves: O(1) to enter and leave, O(n) to find the least. Costs are 64 a straight step
// and 90 a diagonal one, with the octile heuristic in the same integers (the articles' table of
// floor(64 sqrt(dx^2 + dy^2)) exceeds the true cost by up to 0.56 %: erratum E12).
//
// With N = 60 the nodes are 57,600 bytes and the bits 450. Start and goal may be 2 N / 3 apart on each axis, which
// leaves a margin of N / 6 behind them. A detour that leaves the window is not found: GridSearch then doubles the
// window, unless told not to.
#pragma once

#include <cstdint>

#include <fairlead/base/array.h>
#include <fairlead/search/node_store.h>

#include "grid/general_space.h"

namespace fairlead::grid {

inline constexpr std::int32_t kWindowSide = 60;
inline constexpr std::int32_t kWindowSideMax = 240;  ///< places fit 16 bits
inline constexpr Cost kWindowStraight = 64;
inline constexpr Cost kWindowDiagonal = 90;
/// A route found here is at most this much longer than the best one in the window: 64 sqrt 2 / 90. It is a bound for
/// the map as well where no route through the outside can be shorter; elsewhere there is none.
inline constexpr double kWindowBound = 1.0056738;

/// 16 bytes, as in the articles.
struct WindowNode {
    std::uint32_t g = 0;
    std::uint32_t f = 0;
    std::uint16_t parent = 0;
    std::uint16_t next = 0;  ///< on the open list, kNone at its end
    std::uint16_t previous = 0;
    std::uint8_t tag = 0;  ///< the move made to get here
    std::uint8_t closed : 1 = 0;
    std::uint8_t listed : 1 = 0;
};
static_assert(sizeof(WindowNode) == 16);
static_assert(sizeof(WindowNode) * kWindowSide * kWindowSide == 57600);
static_assert(sizeof(WindowNode) * 120 * 120 == 230400);
static_assert((kWindowSide * kWindowSide + 7) / 8 == 450);
static_assert(kWindowSideMax * kWindowSideMax < 65535);

class WindowNodes {
  public:
    using Node = WindowNode;
    static constexpr Cost kCostNone = UINT32_MAX;
    static constexpr std::uint16_t kNone = UINT16_MAX;

    explicit WindowNodes(const Allocator& allocator = {}) : nodes_(allocator), visited_(allocator) {}

    [[nodiscard]] bool resize(std::int32_t side) {
        const auto count = static_cast<std::size_t>(side * side);
        return nodes_.resize_uninitialized(count) && visited_.resize_uninitialized((count + 63) / 64);
    }
    void reset() {
        for (std::uint64_t& word : visited_) word = 0;
    }
    [[nodiscard]] std::uint32_t find_or_add(std::uint32_t state, bool& added) {
        const std::uint64_t bit = 1ULL << (state & 63U);
        added = (visited_[state >> 6] & bit) == 0;
        if (added) {
            visited_[state >> 6] |= bit;
            nodes_[state] = {};
        }
        return state;
    }
    [[nodiscard]] std::uint32_t find(std::uint32_t state) const {
        return ((visited_[state >> 6] >> (state & 63U)) & 1U) != 0 ? state : kNoNode;
    }
    [[nodiscard]] WindowNode& operator[](std::uint32_t node) { return nodes_[node]; }
    [[nodiscard]] const WindowNode& operator[](std::uint32_t node) const { return nodes_[node]; }
    [[nodiscard]] std::uint32_t state_of(std::uint32_t node) const { return node; }

  private:
    Array<WindowNode> nodes_;
    Array<std::uint64_t> visited_;
};

/// The unsorted list through the nodes (F5). Its order is total all the same: least f, then most g, then the first
/// place in the window.
class WindowOpen {
  public:
    static constexpr bool kExact = true;

    explicit WindowOpen(WindowNodes& nodes) : nodes_(&nodes) {}

    void reset() {
        head_ = WindowNodes::kNone;
        count_ = 0;
    }
    [[nodiscard]] std::size_t size() const { return count_; }
    [[nodiscard]] Cost floor() const {
        Cost least = kCostMax;
        for (std::uint16_t at = head_; at != WindowNodes::kNone; at = (*nodes_)[at].next) {
            if ((*nodes_)[at].f < least) least = (*nodes_)[at].f;
        }
        return least;
    }
    [[nodiscard]] bool push(Cost f, Cost, std::uint32_t node) {
        WindowNode& n = (*nodes_)[node];
        n.f = static_cast<std::uint32_t>(f);
        if (n.listed != 0) return true;
        n.listed = 1;
        n.next = head_;
        n.previous = WindowNodes::kNone;
        if (head_ != WindowNodes::kNone) (*nodes_)[head_].previous = static_cast<std::uint16_t>(node);
        head_ = static_cast<std::uint16_t>(node);
        ++count_;
        return true;
    }
    [[nodiscard]] bool pop(std::uint32_t& node) {
        if (head_ == WindowNodes::kNone) return false;
        std::uint16_t least = head_;
        for (std::uint16_t at = (*nodes_)[head_].next; at != WindowNodes::kNone; at = (*nodes_)[at].next) {
            if (before(at, least)) least = at;
        }
        WindowNode& n = (*nodes_)[least];
        if (n.previous != WindowNodes::kNone) {
            (*nodes_)[n.previous].next = n.next;
        } else {
            head_ = n.next;
        }
        if (n.next != WindowNodes::kNone) (*nodes_)[n.next].previous = n.previous;
        n.listed = 0;
        --count_;
        node = least;
        return true;
    }

  private:
    [[nodiscard]] bool before(std::uint16_t a, std::uint16_t b) const {
        const WindowNode& x = (*nodes_)[a];
        const WindowNode& y = (*nodes_)[b];
        if (x.f != y.f) return x.f < y.f;
        return x.g != y.g ? x.g > y.g : a < b;
    }
    WindowNodes* nodes_;
    std::uint16_t head_ = WindowNodes::kNone;
    std::size_t count_ = 0;
};

/// The cells of the window; state = place in it.
class WindowSpace {
  public:
    WindowSpace() = default;
    /// Start and goal are cells of one layer.
    WindowSpace(const CellQuery& query, std::int32_t side)
        : query_(&query),
          side_(side),
          start_(query.code.cell(query.start)),
          goal_(query.code.cell(query.goals[0])) {
        low_x_ = (start_.x + goal_.x) / 2 - side / 2;
        low_y_ = (start_.y + goal_.y) / 2 - side / 2;
    }

    /// Are start and goal near enough for a window of this side (F2)?
    [[nodiscard]] bool in_range() const {
        const auto apart = [](std::int32_t a, std::int32_t b) { return a < b ? b - a : a - b; };
        return start_.layer == goal_.layer && apart(start_.x, goal_.x) * 3 <= side_ * 2 &&
               apart(start_.y, goal_.y) * 3 <= side_ * 2;
    }
    [[nodiscard]] std::uint32_t place(std::int32_t x, std::int32_t y) const {
        return static_cast<std::uint32_t>((y - low_y_) * side_ + (x - low_x_));
    }
    /// Every route that leaves the window is at least this long, in cells.
    [[nodiscard]] double least_outside() const {
        const auto around = [this](std::int32_t from, std::int32_t to, std::int32_t low) {
            const std::int32_t below = from + to - 2 * (low - 1);
            const std::int32_t above = 2 * (low + side_) - from - to;
            return below < above ? below : above;
        };
        const std::int32_t x = around(start_.x, goal_.x, low_x_);
        const std::int32_t y = around(start_.y, goal_.y, low_y_);
        return static_cast<double>(x < y ? x : y);
    }
    [[nodiscard]] Cell cell(std::uint32_t state) const {
        const auto s = static_cast<std::int32_t>(state);
        return {low_x_ + s % side_, low_y_ + s / side_, start_.layer};
    }

    template <class Sink>
    void start(Sink& sink) {
        sink.add(place(start_.x, start_.y), 0, kNoMove);
    }
    [[nodiscard]] Cost heuristic(std::uint32_t state) const {
        const Cell c = cell(state);
        const auto dx = static_cast<Cost>(c.x < goal_.x ? goal_.x - c.x : c.x - goal_.x);
        const auto dy = static_cast<Cost>(c.y < goal_.y ? goal_.y - c.y : c.y - goal_.y);
        if (!query_->eight) return (dx + dy) * kWindowStraight;
        const Cost low = dx < dy ? dx : dy;
        return (dx + dy - 2 * low) * kWindowStraight + low * kWindowDiagonal;
    }
    [[nodiscard]] bool is_goal(std::uint32_t state) const { return state == place(goal_.x, goal_.y); }

    template <class Sink>
    void expand(std::uint32_t state, Cost, std::uint32_t, Sink& sink) {
        const Cell c = cell(state);
        if (nearest_ != nullptr) query_->note(*nearest_, state, c);
        for (std::uint32_t m = 0; m < 8; m += query_->eight ? 1 : 2) {
            const std::int32_t x = c.x + kMoveDx[m];
            const std::int32_t y = c.y + kMoveDy[m];
            if (x < low_x_ || y < low_y_ || x >= low_x_ + side_ || y >= low_y_ + side_) continue;
            std::int32_t to_x = 0;
            std::int32_t to_y = 0;
            if (!query_->can_step(c.x, c.y, c.layer, m, to_x, to_y)) continue;
            sink.add(place(x, y), is_diagonal(m) ? kWindowDiagonal : kWindowStraight, m);
        }
    }

    /// Where to note what is expanded, for partial routes; null: nowhere.
    void track(NearestPlace* nearest) { nearest_ = nearest; }

  private:
    const CellQuery* query_ = nullptr;
    NearestPlace* nearest_ = nullptr;
    std::int32_t side_ = kWindowSide;
    Cell start_{};
    Cell goal_{};
    std::int32_t low_x_ = 0;
    std::int32_t low_y_ = 0;
};

}  // namespace fairlead::grid
