// See spread.h.
#include "volume/wide/spread.h"

#include <bit>

namespace fairlead::volume {

bool Spread::begin(std::uint32_t from, std::uint32_t to, bool loose) {
    round_ = ++stamps_;
    open_ = &heap_;
    heap_.clear();
    stack_.clear();
    path_.clear();
    pinches_.clear();
    cells_reached_.clear();
    nodes_reached_.clear();
    hits_.clear();
    from_ = from;
    to_ = to;
    loose_ = loose;
    look_for_hits_ = false;
    entries_.clear();
    return enter_set(from, kNone);
}

// All that is not reached yet of a set.
bool Spread::push_set(std::uint32_t node, std::uint32_t entry) {
    std::uint32_t i = node;
    do {
        SetNode& n = sets_[i];
        if (n.stamp != round_) {
            n.stamp = round_;
            n.entry = entry;
            if (!stack_.push_back(i) || !nodes_reached_.push_back(i)) return false;
        }
        i = n.next;
    } while (i != node);
    return true;
}

bool Spread::enter_set(std::uint32_t node, std::uint32_t via) {
    const auto entry = static_cast<std::uint32_t>(entries_.size());
    return entries_.push_back({node, via, via == kNone ? 0 : cells_[via].cost, true}) &&
           push_set(node, entry);
}

bool Spread::relax(std::uint32_t cell, std::uint32_t cost, std::uint32_t before, std::uint32_t jump) {
    WideCell& c = cells_[cell];
    const bool again = c.stamp == round_;
    if (again && c.cost <= cost) return true;
    c.stamp = round_;
    c.cost = cost;
    c.before = before;
    c.jump = jump;
    c.popped = false;
    return (again || open_ != &heap_ || cells_reached_.push_back(cell)) && open_->push({cost, cell});
}

// A leaf that a node touches.
bool Spread::contact(std::uint32_t node, std::uint32_t cell) {
    const WideCell& c = cells_[cell];
    if (!c.open()) return true;
    if (c.finest() && !loose_ && (c.node == kNone || !sets_.same(c.node, node))) return true;
    const std::uint32_t entry = sets_[node].entry;
    if (!seeking_) return relax(cell, entries_[entry].cost + c.weight, kNone, entry);
    if (c.stamp != round_ || c.state != CellState::mixed) return true;
    bool does = false;
    if (!holds(cell, does)) return false;
    if (does && (sought_ == kNone || c.cost < cells_[sought_].cost)) sought_ = cell;
    return true;
}

bool Spread::pop_cell(std::uint64_t& budget) {
    const Entry entry = heap_.least();
    heap_.pop();
    const std::uint32_t id = entry.cell;
    if (cells_[id].stamp != round_ || cells_[id].cost != entry.cost) return true;
    budget -= 1;
    if (cells_[id].state == CellState::fresh) {
        if (!cells_.look_at(id)) return false;
        const WideCell& c = cells_[id];
        if (c.state != CellState::mixed) return true;
        if (c.weight > 16) {
            cells_[id].cost += c.weight - 16;
            return heap_.push({cells_[id].cost, id});
        }
    }
    cells_[id].popped = true;
    bool hit = false;
    const auto reach = [&](std::uint32_t node) {
        if (reached(node)) return true;
        if (!sets_.same(node, to_)) return enter_set(node, id);
        hit = true;
        return true;
    };
    const bool ends = cells_[id].finest() && !loose_;
    const auto pass = [&](std::uint32_t other) {
        const WideCell& b = cells_[other];
        if (b.state == CellState::free) return ends || reach(b.node);
        if (!passes(cells_[id], b)) return true;
        bool idle = false;
        if (!is_idle(other, idle)) return false;
        return idle || relax(other, entry.cost + cells_[other].weight, id, kNone);
    };
    if (!linker_.each_place(id, loose_, reach)) return false;
    for (int face = 0; face < 6; ++face) {
        if (!cells_.each_beside(id, face, pass)) return false;
    }
    if (hit) {
        look_for_hits_ = true;
        if (!hits_.push_back(id)) return false;
    }
    return true;
}

SpreadEnd Spread::step(std::uint64_t& budget) {
    while (budget > 0) {
        if (look_for_hits_) {
            look_for_hits_ = false;
            const std::uint32_t via = next_hit();
            if (via != kNone) return trace(via) ? SpreadEnd::reached : SpreadEnd::no_memory;
        }
        if (!stack_.empty()) {
            const std::uint32_t node = stack_.back();
            stack_.pop_back();
            budget -= 1;
            if (!reached(node)) continue;
            if (sets_.same(node, to_)) {
                if (sets_.same(from_, to_)) return SpreadEnd::joined;
                look_for_hits_ = true;
                if (!hits_.push_back(entries_[sets_[node].entry].via)) return SpreadEnd::no_memory;
                // The rest of it leads nowhere else.
                while (!stack_.empty() && sets_.same(stack_.back(), to_)) stack_.pop_back();
                continue;
            }
            if (!enter_node(node)) return SpreadEnd::no_memory;
            continue;
        }
        if (heap_.empty()) return sets_.same(from_, to_) ? SpreadEnd::joined : SpreadEnd::exhausted;
        if (!pop_cell(budget)) return SpreadEnd::no_memory;
    }
    return SpreadEnd::running;
}

// The cheapest cell known to touch what is looked for; those that are reached no more are forgotten.
std::uint32_t Spread::next_hit() {
    std::size_t kept = 0;
    std::uint32_t best = kNone;
    for (const std::uint32_t cell : hits_) {
        if (cells_[cell].stamp != round_ || cells_[cell].state != CellState::mixed) continue;
        hits_[kept++] = cell;
        if (best == kNone || cells_[cell].cost < cells_[best].cost) best = cell;
    }
    while (hits_.size() > kept) hits_.pop_back();
    return best;
}

// From the last cell back to the first; a pinch ends where the way came through a set.
bool Spread::trace(std::uint32_t via) {
    path_.clear();
    pinches_.clear();
    std::uint32_t to = to_;
    for (std::uint32_t cell = via; cell != kNone;) {
        Pinch pinch{kNone, to, static_cast<std::uint32_t>(path_.size()), 0};
        for (;;) {
            if (!path_.push_back(cell)) return false;
            ++pinch.count;
            const std::uint32_t jump = cells_[cell].jump;
            cell = before_of(cells_[cell]);
            if (jump == kNone) continue;
            pinch.from = to = entries_[jump].node;
            break;
        }
        if (!pinches_.push_back(pinch)) return false;
    }
    return true;
}

// ---- within a window ----------------------------------------------------------------------------------------------

bool Spread::touches(std::uint32_t cell, std::uint32_t node, bool& does) {
    does = false;
    const bool whole = linker_.each_node(cell, false, [&](std::uint32_t other) {
        does = sets_.same(other, node);
        return !does;
    });
    return whole || does;
}

SpreadEnd Spread::search_window(std::uint32_t from, std::uint32_t to, std::uint32_t window,
                                std::span<const std::uint32_t> leaves) {
    const std::uint32_t round = round_;
    round_ = ++stamps_;
    open_ = &window_heap_;
    window_heap_.clear();
    path_.clear();
    const SpreadEnd end = search_leaves(from, to, window, leaves);
    round_ = round;
    open_ = &heap_;
    return end;
}

SpreadEnd Spread::search_leaves(std::uint32_t from, std::uint32_t to, std::uint32_t window,
                                std::span<const std::uint32_t> leaves) {
    const auto weight = [&](const WideCell& c) { return c.state == CellState::free ? 0 : c.weight; };
    for (const std::uint32_t leaf : leaves) {
        const CellState state = cells_[leaf].state;
        if (state != CellState::mixed && state != CellState::free) continue;
        bool does = false;
        if (!touches(leaf, from, does)) return SpreadEnd::no_memory;
        if (does && !relax(leaf, weight(cells_[leaf]), kNone, kNone)) return SpreadEnd::no_memory;
    }
    while (!window_heap_.empty()) {
        const Entry entry = window_heap_.least();
        window_heap_.pop();
        const std::uint32_t id = entry.cell;
        if (cells_[id].cost != entry.cost) continue;
        bool does = false;
        if (!touches(id, to, does)) return SpreadEnd::no_memory;
        if (does) {
            for (std::uint32_t at = id; at != kNone; at = cells_[at].before) {
                if (!path_.push_back(at)) return SpreadEnd::no_memory;
            }
            return SpreadEnd::reached;
        }
        const auto pass = [&](std::uint32_t other) {
            const WideCell &a = cells_[id], &b = cells_[other];
            if (b.window != window || (b.state != CellState::mixed && b.state != CellState::free))
                return true;
            // Neither can be cut: joined if their nodes are.
            const bool a_ends = a.finest() || a.state == CellState::free;
            const bool b_ends = b.finest() || b.state == CellState::free;
            if (a_ends && b_ends && (a.node == kNone || b.node == kNone || !sets_.same(a.node, b.node)))
                return true;
            return relax(other, entry.cost + weight(b), id, kNone);
        };
        for (int face = 0; face < 6; ++face) {
            if (!cells_.each_beside(id, face, pass)) return SpreadEnd::no_memory;
        }
    }
    return SpreadEnd::exhausted;
}

}  // namespace fairlead::volume
