// TwoFloods: what can be come to from the start, and from what the goals can be come to.
//
// Both sides are flooded in turn, node by node, until they meet or one of them ends: so it costs what the smaller side costs. A node
// is a number; `leave(side, node)` meets what is next to it, on side 0 (the start's) where one comes to from it, on side 1 (the goals')
// where it can be come to from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <fairlead/base/array.h>
#include <fairlead/search/node_store.h>

#include "explain/spending.h"

namespace fairlead::explaining {

class TwoFloods {
  public:
    explicit TwoFloods(const Allocator& a) : sides_{Side(a), Side(a)} {}

    void begin() {
        joined_ = false;
        for (Side& side : sides_) {
            side.met.reset();
            side.queue.clear();
            side.next = 0;
        }
    }
    /// False: out of memory.
    [[nodiscard]] bool meet(int side, std::uint32_t node) {
        bool added = false;
        if (sides_[side].met.find_or_add(node, added) == fairlead::kNoNode) return false;
        if (!added) return true;
        joined_ = joined_ || has_met(1 - side, node);
        return sides_[side].queue.push_back(node);
    }
    [[nodiscard]] bool has_met(int side, std::uint32_t node) const {
        return sides_[side].met.find(node) != fairlead::kNoNode;
    }

    /// yes: they are joined; no: one side has ended. `budget` falls by the nodes looked at.
    template <class Leave>
    [[nodiscard]] Answer flood(std::uint64_t& budget, const Leave& leave) {
        for (int turn = 0; !joined_; turn = 1 - turn) {
            if (sides_[turn].next == sides_[turn].queue.size()) {
                ended_ = turn;
                return Answer::no;
            }
            if (budget == 0) return Answer::unknown;
            if (!step(turn, budget, leave)) return Answer::no_memory;
        }
        return Answer::yes;
    }
    /// All of one side, whatever the other one is: yes, or unknown where the budget ended.
    template <class Leave>
    [[nodiscard]] Answer flood_side(bool goal_side, std::uint64_t& budget, const Leave& leave) {
        const int side = goal_side ? 1 : 0;
        while (sides_[side].next < sides_[side].queue.size()) {
            if (budget == 0) return Answer::unknown;
            if (!step(side, budget, leave)) return Answer::no_memory;
        }
        return Answer::yes;
    }

    /// After flood said no.
    [[nodiscard]] bool goal_side() const { return ended_ == 1; }
    [[nodiscard]] std::span<const std::uint32_t> nodes(bool goal_side) const {
        return sides_[goal_side ? 1 : 0].queue.span();
    }

  private:
    struct Side {
        explicit Side(const Allocator& a) : met(a), queue(a) {}
        HashedNodes met;
        Array<std::uint32_t> queue;
        std::size_t next = 0;
    };
    template <class Leave>
    [[nodiscard]] bool step(int side, std::uint64_t& budget, const Leave& leave) {
        --budget;
        return leave(side, sides_[side].queue[sides_[side].next++]);
    }

    Side sides_[2];
    bool joined_ = false;
    int ended_ = 0;
};

}  // namespace fairlead::explaining
