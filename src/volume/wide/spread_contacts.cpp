// From a set to the cells that it touches. Along a wall cubes between middles have nothing but the wall behind
// them: those are left out, until one beside them is cut.
#include <bit>

#include "volume/wide/spread.h"

namespace fairlead::volume {

// Can more be reached through a cube than from its corners? Not where these are joined along its edges, and over
// each face lies a cube that has one of them as well, or is shut.
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
        if (!lattice_.shut(
                {low.x + (axis == 0 ? d : 0), low.y + (axis == 1 ? d : 0), low.z + (axis == 2 ? d : 0)}, is))
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
    is = c.leads == 1 && reached(cells_.corner_node(
                             c, static_cast<std::uint32_t>(std::countr_zero(std::uint32_t{c.corners}))));
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

}  // namespace fairlead::volume
