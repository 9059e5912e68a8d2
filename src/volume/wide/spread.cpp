// See spread.h.
#include "volume/wide/spread.h"

#include <bit>

namespace fairlead::volume {

bool Spread::begin(std::uint32_t from, std::uint32_t to, bool loose) {
    ++round_;
    heap_.clear();
    stack_.clear();
    path_.clear();
    pinches_.clear();
    from_ = from;
    to_ = to;
    loose_ = loose;
    cost_ = 0;
    via_ = kNone;
    return push_set(from);
}

bool Spread::push_set(std::uint32_t node) {
    std::uint32_t i = node;
    do {
        if (sets_[i].stamp != round_) {
            sets_[i].stamp = round_;
            if (!stack_.push_back(i)) return false;
        }
        i = sets_[i].next;
    } while (i != node);
    return true;
}

bool Spread::relax(std::uint32_t cell, std::uint32_t cost, std::uint32_t before, std::uint32_t jump) {
    WideCell& c = cells_[cell];
    if (c.stamp == round_ && c.cost <= cost) return true;
    c.stamp = round_;
    c.cost = cost;
    c.before = before;
    c.jump = jump;
    return heap_.push({cost, cell});
}

// A leaf that a node of the set at hand touches.
bool Spread::contact(std::uint32_t node, std::uint32_t cell) {
    const WideCell& c = cells_[cell];
    if (!c.open()) return true;
    if (c.finest() && !loose_ && (c.node == kNone || !sets_.same(c.node, node))) return true;
    return relax(cell, cost_ + c.weight, via_, node);
}

bool Spread::list_contacts(std::uint32_t part) {
    const LatticePart p = lattice_.part(part);
    const Voxel brick = lattice_[p.brick].at;
    std::uint8_t fit[36], rough[25];
    if (!lattice_.around(p.brick, fit, rough)) return false;
    const auto begin = static_cast<std::uint32_t>(contacts_.size());
    for (std::int32_t i = 0; i < 25; ++i) {
        const std::int32_t y = i % 5 - 1, z = i / 5 - 1;
        for (std::uint32_t left = rough[i]; left != 0; left &= left - 1) {
            const std::int32_t x = std::countr_zero(left) - 1;
            bool touches = false;
            for (std::uint32_t corner = 0; corner < 8 && !touches; ++corner) {
                const Voxel v = Cells::corner_of({x, y, z}, corner);
                if (((v.x | v.y | v.z) & ~3) != 0) continue;
                touches = (p.mask >> place64(v.x, v.y, v.z) & 1) != 0;
            }
            if (!touches) continue;
            const std::uint32_t cube = cells_.cube({brick.x * 4 + x, brick.y * 4 + y, brick.z * 4 + z});
            if (cube == kNone || !contacts_.push_back(cube)) return false;
        }
    }
    lattice_.part(part).contacts = begin;
    lattice_.part(part).contact_count = static_cast<std::uint32_t>(contacts_.size()) - begin;
    return true;
}

bool Spread::enter_lattice(std::uint32_t node) {
    const auto meet = [&](std::uint32_t other) {
        return sets_[other].stamp == round_ || push_set(other);
    };
    if (!sets_[node].explored && !explore(node, meet)) return false;
    const std::uint32_t part = sets_[node].ref;
    if (lattice_.part(part).contacts == kNone && !list_contacts(part)) return false;
    const LatticePart p = lattice_.part(part);
    for (std::uint32_t i = p.contacts; i < p.contacts + p.contact_count; ++i) {
        const std::uint32_t cube = contacts_[i];
        if (cells_[cube].state != CellState::cut) {
            if (!contact(node, cube)) return false;
            continue;
        }
        const Voxel base = Cells::base(cells_[cube]);
        for (std::uint32_t left = cells_[cube].corners; left != 0; left &= left - 1) {
            const auto corner = static_cast<std::uint32_t>(std::countr_zero(left));
            const Voxel v = Cells::corner_of(base, corner);
            const Voxel at = lattice_[p.brick].at;
            if (v.x >> 2 != at.x || v.y >> 2 != at.y || v.z >> 2 != at.z) continue;
            if ((p.mask >> place64(v.x, v.y, v.z) & 1) == 0) continue;
            if (!contact(node, cells_.leaf_at(cube, corner))) return false;
        }
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
    cost_ = entry.cost;
    via_ = id;
    const auto reach = [&](std::uint32_t node) { return sets_[node].stamp == round_ || push_set(node); };
    if (!linker_.each_node(id, loose_, reach)) return false;
    const auto pass = [&](std::uint32_t other) {
        return !passes(cells_[id], cells_[other]) || relax(other, cost_ + cells_[other].weight, id, kNone);
    };
    for (int face = 0; face < 6; ++face) {
        if (!cells_.each_beside(id, face, pass)) return false;
    }
    return true;
}

SpreadEnd Spread::step(std::uint64_t& budget) {
    while (budget > 0) {
        if (!stack_.empty()) {
            const std::uint32_t node = stack_.back();
            if (sets_.same(from_, to_)) return SpreadEnd::joined;
            if (sets_.same(node, to_)) return trace(node) ? SpreadEnd::reached : SpreadEnd::no_memory;
            stack_.pop_back();
            budget -= 1;
            if (!enter_node(node)) return SpreadEnd::no_memory;
            continue;
        }
        if (heap_.empty()) return sets_.same(from_, to_) ? SpreadEnd::joined : SpreadEnd::exhausted;
        if (!pop_cell(budget)) return SpreadEnd::no_memory;
    }
    return SpreadEnd::running;
}

// From the last cell back to the first; a pinch ends where the way came through a set.
bool Spread::trace(std::uint32_t to) {
    std::uint32_t cell = via_;
    while (cell != kNone) {
        Pinch pinch{kNone, to, static_cast<std::uint32_t>(path_.size()), 0};
        for (;;) {
            if (!path_.push_back(cell)) return false;
            ++pinch.count;
            const std::uint32_t jump = cells_[cell].jump;
            cell = cells_[cell].before;
            if (jump == kNone) continue;
            pinch.from = to = jump;
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
    ++round_;
    heap_.clear();
    path_.clear();
    const auto weight = [&](const WideCell& c) { return c.state == CellState::free ? 0 : c.weight; };
    for (const std::uint32_t leaf : leaves) {
        const CellState state = cells_[leaf].state;
        if (state != CellState::mixed && state != CellState::free) continue;
        bool does = false;
        if (!touches(leaf, from, does)) return SpreadEnd::no_memory;
        if (does && !relax(leaf, weight(cells_[leaf]), kNone, kNone)) return SpreadEnd::no_memory;
    }
    while (!heap_.empty()) {
        const Entry entry = heap_.least();
        heap_.pop();
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
            if (b.window != window || (b.state != CellState::mixed && b.state != CellState::free)) return true;
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
