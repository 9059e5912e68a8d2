// After cuts: what was reached through a cell that is no more is reached in another way, or forgotten. Where that
// is a set, all behind it stays as it is. So a round costs what has changed, not a search over all.
#include "volume/wide/spread.h"

namespace fairlead::volume {

// Is the way to a reached cell still one? Followed back to a cell of which that is known in this pass; costs are
// counted anew.
bool Spread::holds(std::uint32_t cell, bool& does) {
    chain_.clear();
    std::uint32_t at = cell;
    while (at != kNone && cells_[at].checked != checks_) {
        does = cells_[at].stamp == round_ && cells_[at].open() && cells_[at].missed != misses_;
        if (!does) {
            for (const std::uint32_t behind : chain_) cells_[behind].missed = misses_;
            return true;
        }
        FAIRLEAD_DEBUG_ASSERT(chain_.size() <= cells_reached_.size());
        if (!chain_.push_back(at)) return false;
        at = before_of(cells_[at]);
    }
    does = true;
    for (std::size_t i = chain_.size(); i-- > 0;) {
        WideCell& c = cells_[chain_[i]];
        c.checked = checks_;
        const std::uint32_t before = before_of(c);
        const std::uint32_t cost = (before == kNone ? 0 : cells_[before].cost) + c.weight;
        if (c.jump != kNone) entries_[c.jump].cost = cost - c.weight;
        if (c.cost == cost) continue;
        c.cost = cost;
        if (!c.popped && !heap_.push({cost, chain_[i]})) return false;
    }
    return true;
}

// A set whose cell was cut: is it joined to one that is reached, or does another cell touch it whose way holds?
bool Spread::enter_otherwise(SetEntry& entry, bool& does) {
    does = false;
    sought_ = kNone;
    std::uint32_t i = entry.node;
    do {
        if (reached(i) && &entries_[sets_[i].entry] != &entry) {
            const SetEntry& other = entries_[sets_[i].entry];
            if (other.via != kNone && !holds(other.via, does)) return false;
            if (other.via == kNone || does) {
                entry.via = other.via;
                entry.cost = other.via == kNone ? 0 : cells_[other.via].cost;
                does = true;
                return true;
            }
        }
        i = sets_[i].next;
    } while (i != entry.node);
    do {
        seeking_ = true;
        const bool good = !reached(i) || enter_node(i);
        seeking_ = false;
        if (!good) return false;
        i = sets_[i].next;
    } while (i != entry.node && sought_ == kNone);
    does = sought_ != kNone;
    if (does) entry.via = sought_, entry.cost = cells_[sought_].cost;
    return true;
}

bool Spread::mend_entries() {
    for (bool again = true; again;) {
        again = false;
        ++misses_;
        for (SetEntry& entry : entries_) {
            entry.good = true;
            if (entry.via == kNone) continue;
            if (!holds(entry.via, entry.good)) return false;
            if (entry.good || sets_.same(entry.node, to_)) continue;
            if (!enter_otherwise(entry, entry.good)) return false;
            again = again || entry.good;
        }
    }
    return true;
}

// Forgets what was reached through cells that were cut, and in no other way.
bool Spread::drop_lost() {
    ++checks_;
    if (!mend_entries()) return false;
    std::size_t kept = 0;
    for (const std::uint32_t cell : cells_reached_) {
        bool does = false;
        if (!holds(cell, does)) return false;
        if (does) {
            cells_reached_[kept++] = cell;
            continue;
        }
        cells_[cell].stamp = 0;
        if (cells_[cell].open() && !lost_cells_.push_back(cell)) return false;
    }
    while (cells_reached_.size() > kept) cells_reached_.pop_back();
    // No entry may look cheaper than the way to it: ways would go in circles.
    for (SetEntry& entry : entries_) {
        if (entry.good && entry.via != kNone) entry.cost = cells_[entry.via].cost;
    }
    kept = 0;
    for (const std::uint32_t node : nodes_reached_) {
        if (entries_[sets_[node].entry].good)
            nodes_reached_[kept++] = node;
        else
            sets_[node].stamp = 0;
    }
    while (nodes_reached_.size() > kept) nodes_reached_.pop_back();
    return true;
}

bool Spread::reach_again(std::uint32_t cell) {
    const auto from_node = [&](std::uint32_t node) {
        if (!reached(node) || sets_.same(node, to_)) return true;
        const std::uint32_t entry = sets_[node].entry;
        return relax(cell, entries_[entry].cost + cells_[cell].weight, kNone, entry);
    };
    if (!linker_.each_node(cell, loose_, from_node)) return false;
    const auto from_cell = [&](std::uint32_t other) {
        const WideCell& o = cells_[other];
        if (o.stamp != round_ || o.state != CellState::mixed || !passes(o, cells_[cell])) return true;
        return relax(cell, o.cost + cells_[cell].weight, other, kNone);
    };
    for (int face = 0; face < 6; ++face) {
        if (!cells_.each_beside(cell, face, from_cell)) return false;
    }
    return true;
}

// A free cell that was made: does a reached cell touch it?
bool Spread::seek_set(std::uint32_t node) {
    sought_ = kNone;
    seeking_ = true;
    const bool good = enter_node(node);
    seeking_ = false;
    return good && (sought_ == kNone || enter_set(node, sought_));
}

bool Spread::repair(std::span<const std::uint32_t> made) {
    lost_cells_.clear();
    lost_nodes_.clear();
    if (!drop_lost()) return false;
    // Sets that were joined to reached ones: somewhere in their ring one follows the other.
    for (std::size_t i = 0; i < nodes_reached_.size(); ++i) {
        const std::uint32_t node = nodes_reached_[i], entry = sets_[node].entry;
        if (!reached(sets_[node].next) && !push_set(node, entry)) return false;
        if (entries_[entry].via != kNone && sets_.same(node, to_) && !hits_.push_back(entries_[entry].via))
            return false;
    }
    for (const std::uint32_t cell : made) {
        if (cells_[cell].open() && !lost_cells_.push_back(cell)) return false;
        if (cells_[cell].state == CellState::free && !lost_nodes_.push_back(cells_[cell].node)) return false;
    }
    for (const std::uint32_t node : lost_nodes_) {
        if (!reached(node) && !sets_.same(node, to_) && !seek_set(node)) return false;
    }
    for (const std::uint32_t cell : lost_cells_) {
        if (!reach_again(cell)) return false;
    }
    look_for_hits_ = true;
    return true;
}

}  // namespace fairlead::volume
