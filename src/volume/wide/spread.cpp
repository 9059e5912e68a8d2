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

// Can more be reached through a cube than from its corners? Not where these are joined along its edges, and over each face lies a cube
// that has one of them as well, or is shut.
bool Spread::leads_on(Voxel low, std::uint32_t corners, bool& does) {
    does = true;
    std::uint32_t joined = corners & (~corners + 1);
    for (std::uint32_t more = joined;; joined = more) {
        more |= (joined << 1 & 0xaa) | (joined >> 1 & 0x55) | (joined << 2 & 0xcc) | (joined >> 2 & 0x33) |
                (joined << 4 & 0xf0) | (joined >> 4 & 0x0f);
        more &= corners;
        if (more == joined) break;
    }
    if (joined != corners) return true;
    for (int which = 0; which < 2; ++which) {
        if (Cells::base(cells_[linker_.end(which).leaf]) == low) return true;
    }
    constexpr std::uint32_t on_face[6] = {0x55, 0xaa, 0x33, 0xcc, 0x0f, 0xf0};
    for (int face = 0; face < 6; ++face) {
        if ((corners & on_face[face]) != 0) continue;
        const std::int32_t d = (face & 1) != 0 ? 1 : -1;
        const int axis = face >> 1;
        bool is = false;
        if (!lattice_.shut({low.x + (axis == 0 ? d : 0), low.y + (axis == 1 ? d : 0), low.z + (axis == 2 ? d : 0)}, is))
            return false;
        if (!is) return true;
    }
    does = false;
    return true;
}

// A cube whose corners are reached already and that leads nowhere else.
bool Spread::is_idle(std::uint32_t cell, bool& is) {
    WideCell& c = cells_[cell];
    is = false;
    if (c.level > 0 || c.corners == 0 || c.listed || c.state == CellState::cut) return true;
    if (c.leads == 0) {
        bool does = false;
        if (!leads_on(Cells::base(c), c.corners, does)) return false;
        c.leads = does ? 2 : 1;
    }
    is = c.leads == 1 &&
         reached(cells_.corner_node(c, static_cast<std::uint32_t>(std::countr_zero(std::uint32_t{c.corners}))));
    return true;
}

bool Spread::list_contacts(std::uint32_t part) {
    const LatticePart p = lattice_.part(part);
    const Voxel brick = lattice_[p.brick].at;
    std::uint8_t fit[36], rough[25];
    if (lattice_.all_fit_around(p.brick)) {
        lattice_.part(part).contacts = 0;
        return true;
    }
    if (!lattice_.around(p.brick, fit, rough)) return false;
    const auto begin = static_cast<std::uint32_t>(contacts_.size());
    for (std::int32_t i = 0; i < 25; ++i) {
        const std::int32_t y = i % 5 - 1, z = i / 5 - 1;
        for (std::uint32_t left = rough[i]; left != 0; left &= left - 1) {
            const std::int32_t x = std::countr_zero(left) - 1;
            bool touches = false;
            std::uint32_t corners = 0;
            for (std::uint32_t corner = 0; corner < 8; ++corner) {
                const Voxel v = Cells::corner_of({x, y, z}, corner);
                if ((fit[(v.z + 1) * 6 + v.y + 1] >> (v.x + 1) & 1) == 0) continue;
                corners |= 1U << corner;
                if (((v.x | v.y | v.z) & ~3) == 0)
                    touches = touches || (p.mask >> place64(v.x, v.y, v.z) & 1) != 0;
            }
            const Voxel low{brick.x * 4 + x, brick.y * 4 + y, brick.z * 4 + z};
            if (touches && !leads_on(low, corners, touches)) return false;
            if (!touches) continue;
            const std::uint32_t cube = cells_.cube(low);
            if (cube == kNone || !contacts_.push_back(cube)) return false;
        }
    }
    lattice_.part(part).contacts = begin;
    lattice_.part(part).contact_count = static_cast<std::uint32_t>(contacts_.size()) - begin;
    return true;
}

// To the parts of all its corners.
bool Spread::add_contact(std::uint32_t cube) {
    WideCell& c = cells_[cube];
    if (c.listed) return true;
    c.listed = true;
    for (std::uint32_t left = c.corners; left != 0; left &= left - 1) {
        const std::uint32_t node = cells_.corner_node(c, static_cast<std::uint32_t>(std::countr_zero(left)));
        LatticePart& part = lattice_.part(sets_[node].ref);
        if (!more_.push_back({cube, part.more})) return false;
        part.more = static_cast<std::uint32_t>(more_.size()) - 1;
    }
    return true;
}

bool Spread::wake(std::uint32_t cube, Array<std::uint32_t>& made) {
    if (!add_contact(cube)) return false;
    for (int face = 0; face < 6; ++face) {
        const std::uint32_t other = cells_.over_face(cube, face);
        if (cells_.failed()) return false;
        if (other == kNone || !cells_[other].open() || cells_[other].corners == 0 || cells_[other].listed)
            continue;
        if (!add_contact(other) || !made.push_back(other)) return false;
    }
    return true;
}

bool Spread::touch_cube(std::uint32_t node, const LatticePart& part, std::uint32_t cube) {
    if (cells_[cube].state != CellState::cut) return contact(node, cube);
    const Voxel base = Cells::base(cells_[cube]), at = lattice_[part.brick].at;
    for (std::uint32_t left = cells_[cube].corners; left != 0; left &= left - 1) {
        const auto corner = static_cast<std::uint32_t>(std::countr_zero(left));
        const Voxel v = Cells::corner_of(base, corner);
        if (v.x >> 2 != at.x || v.y >> 2 != at.y || v.z >> 2 != at.z) continue;
        if ((part.mask >> place64(v.x, v.y, v.z) & 1) == 0) continue;
        if (!contact(node, cells_.leaf_at(cube, corner))) return false;
    }
    return true;
}

bool Spread::enter_lattice(std::uint32_t node) {
    const std::uint32_t entry = sets_[node].entry;
    const auto meet = [&](std::uint32_t other) { return reached(other) || push_set(other, entry); };
    if (!seeking_ && !sets_[node].explored && !explore(node, meet)) return false;
    const std::uint32_t part = sets_[node].ref;
    if (lattice_.part(part).contacts == kNone && !list_contacts(part)) return false;
    const LatticePart p = lattice_.part(part);
    for (std::uint32_t i = p.contacts; i < p.contacts + p.contact_count; ++i) {
        if (!touch_cube(node, p, contacts_[i])) return false;
    }
    for (std::uint32_t i = p.more; i != kNone; i = more_[i].next) {
        if (!touch_cube(node, p, more_[i].cube)) return false;
    }
    return true;
}

bool Spread::enter_cell_node(std::uint32_t node) {
    const std::uint32_t cell = sets_[node].ref;
    switch (cells_[cell].state) {
        case CellState::mixed: return contact(node, cell);
        case CellState::cut: {
            const std::uint32_t child = cells_[cell].child;
            for (std::uint32_t i = 0; i < 8; ++i) {
                if (!contact(node, cells_.leaf_at(child + i, ~i & 7))) return false;
            }
            return true;
        }
        case CellState::free: {
            const auto touch = [&](std::uint32_t other) { return contact(node, other); };
            for (int face = 0; face < 6; ++face) {
                if (!cells_.each_beside(cell, face, touch)) return false;
            }
            return true;
        }
        case CellState::fresh:
        case CellState::blocked: break;
    }
    return true;
}

bool Spread::enter_node(std::uint32_t node) {
    switch (sets_[node].kind) {
        case NodeKind::lattice: return enter_lattice(node);
        case NodeKind::cell: return enter_cell_node(node);
        case NodeKind::end: break;
    }
    return contact(node, linker_.end(static_cast<int>(sets_[node].ref)).leaf);
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

// ---- after cuts ---------------------------------------------------------------------------------------------------

// Is the way to a reached cell still one? Followed back to a cell of which that is known in this pass; costs are counted anew.
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
        const SetEntry& other = entries_[sets_[i].entry];
        if (reached(i) && &other != &entry) {
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
