#include "grid/block.h"

#include <cstring>

namespace fairlead::grid {

namespace {

// Union-find over the children's components; the smaller number is the root.
struct Forest {
    std::uint32_t* root = nullptr;

    std::uint32_t find(std::uint32_t i) const {
        while (root[i] != i) {
            root[i] = root[root[i]];
            i = root[i];
        }
        return i;
    }
    void join(std::uint32_t a, std::uint32_t b) const {
        a = find(a);
        b = find(b);
        if (a < b) {
            root[b] = a;
        } else {
            root[a] = b;
        }
    }
};

// The part of the world that a block covers, in cells, clipped to the map.
struct Cover {
    std::int32_t x_low, x_high, y_low, y_high;
};

Cover cover_of(const BlockTree& tree, std::int32_t level, std::int32_t x, std::int32_t y) {
    const std::int32_t side = 1 << (kLeafShift + level * kFanShift);
    const std::int32_t x_high = (x + 1) * side;
    const std::int32_t y_high = (y + 1) * side;
    return {x * side, x_high < tree.width ? x_high : tree.width, y * side,
            y_high < tree.height ? y_high : tree.height};
}

struct Joiner {
    const BlockTree& tree;
    std::int32_t level;  // of the block being built
    std::int32_t layer;
    const std::uint32_t* first;  // by child slot
    Forest forest;

    // Number of the child component that holds a cell on a child's border.
    std::uint32_t number(std::int32_t x, std::int32_t y) const {
        const Component part = climb(tree, x, y, layer, level - 1);
        const std::int32_t shift = kLeafShift + (level - 1) * kFanShift;
        const std::int32_t slot = ((y >> shift) & (kFan - 1)) * kFan + ((x >> shift) & (kFan - 1));
        return first[slot] + part.id;
    }
    void join(std::int32_t ax, std::int32_t ay, std::int32_t bx, std::int32_t by) const {
        forest.join(number(ax, ay), number(bx, by));
    }
    bool step(std::int32_t x, std::int32_t y, std::int32_t dx) const {
        return diagonal_step_allowed(*tree.state, *tree.body, layer, x, y, dx);
    }
};

// Joins across the border between columns x - 1 and x, rows y_low .. y_high - 1.
void join_columns(const Joiner& joiner, const Cover& cover, std::int32_t x, bool diagonal) {
    const IndexLine left = joiner.tree.column(x - 1, joiner.layer);
    const IndexLine right = joiner.tree.column(x, joiner.layer);
    for (std::int32_t y = cover.y_low; y < cover.y_high; y += kLeafSide) {
        const std::uint64_t a = left.word(y >> kLeafShift);
        const std::uint64_t b = right.word(y >> kLeafShift);
        for (std::uint64_t starts = (a & b) & ~((a & b) << 1); starts != 0; starts &= starts - 1) {
            const std::int32_t at = y + std::countr_zero(starts);
            joiner.join(x - 1, at, x, at);
        }
        if (!diagonal) continue;
        const std::int32_t rows = cover.y_high - 1 - y;  // steps from row y + i to y + i + 1, i < rows
        const std::uint64_t within = bit_range(0, rows < 64 ? rows : 64);
        // With one of the other two free the straight steps join them.
        const std::uint64_t left_next = left.window_from(y + 1);
        const std::uint64_t right_next = right.window_from(y + 1);
        for (std::uint64_t bits = a & right_next & ~b & ~left_next & within; bits != 0; bits &= bits - 1) {
            const std::int32_t at = y + std::countr_zero(bits);
            if (joiner.step(x - 1, at, 1)) joiner.join(x - 1, at, x, at + 1);
        }
        for (std::uint64_t bits = b & left_next & ~a & ~right_next & within; bits != 0; bits &= bits - 1) {
            const std::int32_t at = y + std::countr_zero(bits);
            if (joiner.step(x, at, -1)) joiner.join(x, at, x - 1, at + 1);
        }
    }
}

// Joins across the border between rows y - 1 and y.
void join_rows(const Joiner& joiner, const Cover& cover, std::int32_t y, bool diagonal) {
    const IndexLine low = joiner.tree.row(y - 1, joiner.layer);
    const IndexLine high = joiner.tree.row(y, joiner.layer);
    for (std::int32_t x = cover.x_low; x < cover.x_high; x += kLeafSide) {
        const std::uint64_t a = low.word(x >> kLeafShift);
        const std::uint64_t b = high.word(x >> kLeafShift);
        for (std::uint64_t starts = (a & b) & ~((a & b) << 1); starts != 0; starts &= starts - 1) {
            const std::int32_t at = x + std::countr_zero(starts);
            joiner.join(at, y - 1, at, y);
        }
        if (!diagonal) continue;
        const std::int32_t steps = cover.x_high - 1 - x;
        const std::uint64_t within = bit_range(0, steps < 64 ? steps : 64);
        const std::uint64_t low_next = low.window_from(x + 1);
        const std::uint64_t high_next = high.window_from(x + 1);
        for (std::uint64_t bits = a & high_next & ~b & ~low_next & within; bits != 0; bits &= bits - 1) {
            const std::int32_t at = x + std::countr_zero(bits);
            if (joiner.step(at, y - 1, 1)) joiner.join(at, y - 1, at + 1, y);
        }
        for (std::uint64_t bits = b & low_next & ~a & ~high_next & within; bits != 0; bits &= bits - 1) {
            const std::int32_t at = x + std::countr_zero(bits);
            if (joiner.step(at + 1, y - 1, -1)) joiner.join(at + 1, y - 1, at, y);
        }
    }
}

struct Child {
    std::uint32_t exported = 0;
    const std::uint8_t* sides = nullptr;
};

Child child_of(const BlockTree& tree, std::int32_t level, std::int32_t x, std::int32_t y,
               std::int32_t layer) {
    if (level == 0) {
        const Leaf leaf = tree.leaf(x, y, layer);
        return {leaf.header->exported, leaf.sides};
    }
    const Block block = tree.block(level, x, y, layer);
    return {block.header->exported, block.sides};
}

// Sides of the block that a child in this place can lend: portals always, a border only where it is the block's.
std::uint8_t lent_sides(std::int32_t cx, std::int32_t cy, std::int32_t x_count, std::int32_t y_count) {
    std::uint8_t mask = kPortalEnd;
    if (cx == 0) mask |= kLowX;
    if (cx == x_count - 1) mask |= kHighX;
    if (cy == 0) mask |= kLowY;
    if (cy == y_count - 1) mask |= kHighY;
    return mask;
}

bool is_free(const BlockTree& tree, Cell cell) { return tree.row(cell.y, cell.layer).get(cell.x); }

// Where a body stands at a portal's end: on the half lattice in the middle of the cell.
Cell portal_place(const BlockTree& tree, Cell cell) {
    return tree.body->half ? Cell{2 * cell.x + 1, 2 * cell.y + 1, cell.layer} : cell;
}

}  // namespace

bool diagonal_step_allowed(const StateData& state, const Body& body, std::int32_t layer, std::int32_t x,
                           std::int32_t y, std::int32_t dx) {
    const std::int32_t i = diagonal_corner(body.key);
    if (i == 0) return true;
    const Lines walls = state.row_lines(state.bodies[0], layer);
    const auto free = [&](std::int32_t cx, std::int32_t cy) {
        if (state.wrap_x) cx = wrapped(cx, state.width);
        if (state.wrap_y) cy = wrapped(cy, state.height);
        return state.inside(cx, cy) && walls.get(cx, cy);
    };
    return free(x + dx * i, y + 1 - i) && free(x + dx * (1 - i), y + i);
}

Component climb(const BlockTree& tree, std::int32_t x, std::int32_t y, std::int32_t layer,
                std::int32_t level_max) {
    Component part;
    part.id = tree.leaf_label(x, y, layer);
    part.exported = part.id < tree.leaf(x >> kLeafShift, y >> kLeafShift, layer).header->exported;
    std::int32_t shift = kLeafShift;
    while (part.exported && part.level < level_max) {
        const std::int32_t cx = x >> shift;
        const std::int32_t cy = y >> shift;
        shift += kFanShift;
        const Block block = tree.block(part.level + 1, x >> shift, y >> shift, layer);
        const std::int32_t slot = (cy & (kFan - 1)) * kFan + (cx & (kFan - 1));
        part.id = block.up[block.first[slot] + part.id];
        part.exported = part.id < block.header->exported;
        ++part.level;
    }
    return part;
}

bool build_block(const BlockTree& tree, std::int32_t level, std::int32_t x, std::int32_t y,
                 std::int32_t layer, EditScratch& scratch, Array<std::uint64_t>& words) {
    const std::int32_t x_left = blocks_across(tree.width, level - 1) - x * kFan;
    const std::int32_t y_left = blocks_across(tree.height, level - 1) - y * kFan;
    const std::int32_t x_count = x_left < kFan ? x_left : kFan;
    const std::int32_t y_count = y_left < kFan ? y_left : kFan;

    std::uint32_t first[kFan * kFan + 1] = {};
    Child children[kFan * kFan] = {};
    std::uint32_t total = 0;
    for (std::int32_t slot = 0; slot < kFan * kFan; ++slot) {
        first[slot] = total;
        const std::int32_t cx = slot % kFan;
        const std::int32_t cy = slot / kFan;
        if (cx >= x_count || cy >= y_count) continue;
        children[slot] = child_of(tree, level - 1, x * kFan + cx, y * kFan + cy, layer);
        total += children[slot].exported;
    }
    first[kFan * kFan] = total;

    if (!scratch.roots.resize_uninitialized(total) || !scratch.numbers.resize_uninitialized(total))
        return false;
    for (std::uint32_t i = 0; i < total; ++i) scratch.roots[i] = i;
    const Forest forest{scratch.roots.data()};
    const Joiner joiner{tree, level, layer, first, forest};
    const Cover cover = cover_of(tree, level, x, y);
    const std::int32_t child_side = 1 << (kLeafShift + (level - 1) * kFanShift);
    const bool diagonal = joins_diagonally(*tree.state, *tree.body);
    for (std::int32_t i = 1; i < x_count; ++i)
        join_columns(joiner, cover, cover.x_low + i * child_side, diagonal);
    for (std::int32_t i = 1; i < y_count; ++i)
        join_rows(joiner, cover, cover.y_low + i * child_side, diagonal);

    // Which sides each component touches, gathered at its root (in numbers), then numbers: exported first.
    std::uint32_t* const numbers = scratch.numbers.data();
    for (std::uint32_t i = 0; i < total; ++i) numbers[i] = 0;
    for (std::int32_t slot = 0; slot < kFan * kFan; ++slot) {
        const std::uint8_t lent = lent_sides(slot % kFan, slot / kFan, x_count, y_count);
        for (std::uint32_t i = 0; i < children[slot].exported; ++i) {
            numbers[forest.find(first[slot] + i)] |= children[slot].sides[i] & lent;
        }
    }
    std::uint32_t exported = 0;
    for (std::uint32_t i = 0; i < total; ++i) exported += scratch.roots[i] == i && numbers[i] != 0 ? 1U : 0U;

    const std::size_t bytes =
        sizeof(Block::Header) + 4 * std::size_t{kFan * kFan + 1} + 4 * std::size_t{total} + exported;
    words.clear();
    if (!words.resize((bytes + 7) / 8)) return false;
    auto* header = reinterpret_cast<Block::Header*>(words.data());
    auto* out_first = reinterpret_cast<std::uint32_t*>(header + 1);
    auto* up = out_first + kFan * kFan + 1;
    auto* sides = reinterpret_cast<std::uint8_t*>(up + total);
    std::memcpy(out_first, first, sizeof first);
    std::uint32_t next_exported = 0;
    std::uint32_t next_closed = exported;
    for (std::uint32_t i = 0; i < total; ++i) {
        if (scratch.roots[i] != i) continue;
        if (numbers[i] != 0) {
            sides[next_exported] = static_cast<std::uint8_t>(numbers[i]);
            up[i] = next_exported++;
        } else {
            up[i] = next_closed++;
        }
    }
    for (std::uint32_t i = 0; i < total; ++i) {
        if (scratch.roots[i] != i) up[i] = up[forest.find(i)];
    }
    *header = {next_closed, exported, static_cast<std::uint32_t>(words.size() * 8), total};
    return true;
}

bool build_top(const BlockTree& tree, std::span<const Portal> portals, EditScratch& scratch,
               Array<std::uint64_t>& words) {
    const StateData& state = *tree.state;
    const auto layers = static_cast<std::uint32_t>(state.layers);
    std::uint32_t total = 0;
    words.clear();
    // One 32-bit start per layer and one end, then the final numbers.
    Array<std::uint32_t>& first = scratch.numbers;
    if (!first.resize(layers + 1)) return false;
    for (std::uint32_t layer = 0; layer < layers; ++layer) {
        first[layer] = total;
        total += tree.block(tree.levels, 0, 0, static_cast<std::int32_t>(layer)).header->exported;
    }
    first[layers] = total;
    if (!scratch.roots.resize_uninitialized(total)) return false;
    for (std::uint32_t i = 0; i < total; ++i) scratch.roots[i] = i;
    const Forest forest{scratch.roots.data()};

    const auto join = [&](Cell a, Cell b) {
        const Component pa = climb(tree, a.x, a.y, a.layer, tree.levels);
        const Component pb = climb(tree, b.x, b.y, b.layer, tree.levels);
        forest.join(first[static_cast<std::uint32_t>(a.layer)] + pa.id,
                    first[static_cast<std::uint32_t>(b.layer)] + pb.id);
    };
    for (const Portal& portal : portals) {
        const Cell from = portal_place(tree, portal.from);
        const Cell to = portal_place(tree, portal.to);
        if (is_free(tree, from) && is_free(tree, to)) join(from, to);
    }
    const bool diagonal = joins_diagonally(state, *tree.body);
    const auto join_if_free = [&](Cell a, Cell b, std::int32_t dx) {
        b.x = wrapped(b.x, state.width);
        b.y = wrapped(b.y, state.height);
        if (!is_free(tree, a) || !is_free(tree, b)) return;
        if (dx != 0 && !diagonal_step_allowed(state, *tree.body, a.layer, a.x, a.y, dx)) return;
        join(a, b);
    };
    for (std::int32_t layer = 0; layer < state.layers && tree.body->half; ++layer) {
        // Points on a seam are there twice.
        const std::int32_t last_x = tree.width - 1;
        const std::int32_t last_y = tree.height - 1;
        const auto same = [&](Cell a, Cell b) {
            if (is_free(tree, a) && is_free(tree, b)) join(a, b);
        };
        for (std::int32_t y = 0; state.wrap_x && y <= last_y; ++y) same({0, y, layer}, {last_x, y, layer});
        for (std::int32_t x = 0; state.wrap_y && x <= last_x; ++x) same({x, 0, layer}, {x, last_y, layer});
    }
    for (std::int32_t layer = 0; layer < state.layers && !tree.body->half; ++layer) {
        for (std::int32_t y = 0; state.wrap_x && y < state.height; ++y) {
            join_if_free({state.width - 1, y, layer}, {0, y, layer}, 0);
            if (!diagonal || (y + 1 >= state.height && !state.wrap_y)) continue;
            join_if_free({state.width - 1, y, layer}, {0, y + 1, layer}, 1);
            join_if_free({0, y, layer}, {state.width - 1, y + 1, layer}, -1);
        }
        for (std::int32_t x = 0; state.wrap_y && x < state.width; ++x) {
            join_if_free({x, state.height - 1, layer}, {x, 0, layer}, 0);
            if (!diagonal) continue;
            if (x + 1 < state.width || state.wrap_x) {
                join_if_free({x, state.height - 1, layer}, {x + 1, 0, layer}, 1);
            }
            if (x > 0 || state.wrap_x) join_if_free({x, state.height - 1, layer}, {x - 1, 0, layer}, -1);
        }
    }
    if (!words.resize((std::size_t{layers} + 1 + total + 1) / 2)) return false;
    auto* out = reinterpret_cast<std::uint32_t*>(words.data());
    std::memcpy(out, first.data(), (std::size_t{layers} + 1) * 4);
    for (std::uint32_t i = 0; i < total; ++i) out[layers + 1 + i] = forest.find(i);
    return true;
}

}  // namespace fairlead::grid
