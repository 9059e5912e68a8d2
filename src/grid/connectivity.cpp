#include "grid/connectivity.h"

#include <cstring>

#include "grid/block.h"
#include "grid/leaf.h"

namespace fairlead::grid {

namespace {

struct StepContext {
    const StateData* state;
    const Body* body;
    std::int32_t layer, x0, y0;
};

bool leaf_step(const void* user, std::int32_t x, std::int32_t y, std::int32_t dx) {
    const auto& c = *static_cast<const StepContext*>(user);
    return diagonal_step_allowed(*c.state, *c.body, c.layer, c.x0 + x, c.y0 + y, dx);
}

bool gather_portal_ends(const Array<PortalEnd>& of, std::uint32_t leaf, Array<std::uint16_t>& ends) {
    ends.clear();
    std::size_t low = 0;
    std::size_t high = of.size();
    while (low < high) {
        const std::size_t middle = (low + high) / 2;
        if (of[middle].leaf < leaf) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    for (; low < of.size() && of[low].leaf == leaf; ++low) {
        if (!ends.push_back(of[low].cell)) return false;
    }
    return true;
}

// Rebuilds one leaf. `changed` tells whether its parent can see a difference.
bool update_leaf(EditorData& editor, const Body& body, std::int32_t layer, std::int32_t lx, std::int32_t ly,
                 bool& changed) {
    StateData& state = *editor.state;
    const BlockTree tree = BlockTree::of(state, body);
    LeafInput input;
    input.width = tree.width - lx * kLeafSide < kLeafSide ? tree.width - lx * kLeafSide : kLeafSide;
    input.height = tree.height - ly * kLeafSide < kLeafSide ? tree.height - ly * kLeafSide : kLeafSide;
    for (std::int32_t y = 0; y < input.height; ++y)
        input.rows[y] = tree.row(ly * kLeafSide + y, layer).word(lx);
    input.diagonal = joins_diagonally(state, body);
    const StepContext context{&state, &body, layer, lx * kLeafSide, ly * kLeafSide};
    const bool special = input.diagonal && diagonal_corner(body.key) != 0;
    if (special) {
        input.step = leaf_step;
        input.user = &context;
    }
    const std::uint32_t index = tree.leaf_index(lx, ly, layer);
    const Array<PortalEnd>& portals = body.half ? editor.half_portal_ends : editor.portal_ends;
    if (!gather_portal_ends(portals, index - body.leaves_at, editor.scratch.ends)) return false;
    input.portal_ends = editor.scratch.ends.span();
    if (!build_leaf(input, editor.scratch, editor.scratch.words)) return false;

    const std::uint64_t* old = state.chunks[index];
    const Leaf made = Leaf::at(editor.scratch.words.data());
    changed = special || old == nullptr || !same_border(Leaf::at(old), made, input.height);
    return editor.put(index, editor.scratch.words.span());
}

struct BlockRange {
    std::int32_t x_low, x_high, y_low, y_high;  // inclusive
};

// Rebuilds the blocks of a level above the changed children, and narrows the range to those that changed.
bool update_level(EditorData& editor, const Body& body, std::int32_t layer, std::int32_t level,
                  BlockRange& range, bool& changed) {
    StateData& state = *editor.state;
    const BlockTree tree = BlockTree::of(state, body);
    const BlockRange children = range;
    const BlockRange blocks{children.x_low >> kFanShift, children.x_high >> kFanShift,
                            children.y_low >> kFanShift, children.y_high >> kFanShift};
    changed = false;
    BlockRange grown{INT32_MAX, -1, INT32_MAX, -1};
    for (std::int32_t y = blocks.y_low; y <= blocks.y_high; ++y) {
        for (std::int32_t x = blocks.x_low; x <= blocks.x_high; ++x) {
            if (!build_block(tree, level, x, y, layer, editor.scratch, editor.scratch.words)) return false;
            const std::uint32_t index = tree.block_index(level, x, y, layer);
            const std::uint64_t* old = state.chunks[index];
            const Array<std::uint64_t>& made = editor.scratch.words;
            // A child on the block's border that changed may have changed what lies on the border itself.
            const bool at_border = children.x_low <= x * kFan || children.x_high >= x * kFan + kFan - 1 ||
                                   children.y_low <= y * kFan || children.y_high >= y * kFan + kFan - 1;
            const bool differs = old == nullptr || Block::at(old).header->bytes != made.size() * 8 ||
                                 std::memcmp(old, made.data(), made.size() * 8) != 0;
            if (!editor.put(index, made.span())) return false;
            if (!differs && !at_border) continue;
            changed = true;
            if (x < grown.x_low) grown.x_low = x;
            if (x > grown.x_high) grown.x_high = x;
            if (y < grown.y_low) grown.y_low = y;
            if (y > grown.y_high) grown.y_high = y;
        }
    }
    range = grown;
    return true;
}

// What of one level differs after a change.
struct Change {
    BlockRange range{INT32_MAX, -1, INT32_MAX, -1};
    bool any = false;

    void add(std::int32_t x, std::int32_t y) {
        any = true;
        if (x < range.x_low) range.x_low = x;
        if (x > range.x_high) range.x_high = x;
        if (y < range.y_low) range.y_low = y;
        if (y > range.y_high) range.y_high = y;
    }
};

// Rebuilds the leaves that hold cells of a rectangle. `top`: does one differ in what lies on a seam or at a portal? The
// blocks above it may stay the same.
bool update_leaves(EditorData& editor, const Body& body, std::int32_t layer, const CellRect& cells,
                   Change& change, bool& top) {
    if (cells.empty()) return true;
    const StateData& state = *editor.state;
    const BlockTree tree = BlockTree::of(state, body);
    const std::int32_t last_x = blocks_across(tree.width, 0) - 1;
    const std::int32_t last_y = blocks_across(tree.height, 0) - 1;
    for (std::int32_t ly = cells.low.y >> kLeafShift; ly <= (cells.high.y - 1) >> kLeafShift; ++ly) {
        for (std::int32_t lx = cells.low.x >> kLeafShift; lx <= (cells.high.x - 1) >> kLeafShift; ++lx) {
            bool changed = false;
            if (!update_leaf(editor, body, layer, lx, ly, changed)) return false;
            if (!changed) continue;
            change.add(lx, ly);
            top = top || !editor.scratch.ends.empty() || (state.wrap_x && (lx == 0 || lx == last_x)) ||
                  (state.wrap_y && (ly == 0 || ly == last_y));
        }
    }
    return true;
}

bool update_top(EditorData& editor, const Body& body) {
    const StateData& state = *editor.state;
    const BlockTree tree = BlockTree::of(state, body);
    // While the first build is under way some layers have no blocks yet; the last one builds the table.
    const std::int32_t levels = tree.levels;
    for (std::int32_t l = 0; l < state.layers; ++l) {
        if (state.chunks[tree.block_index(levels, 0, 0, l)] == nullptr) return true;
    }
    if (!build_top(tree, {state.portals, state.portal_count}, editor.scratch, editor.scratch.words))
        return false;
    return editor.put(state.top_of(body), editor.scratch.words.span());
}

}  // namespace

std::int32_t block_levels(std::int32_t width, std::int32_t height) {
    std::int32_t level = 1;
    while (blocks_across(width, level) > 1 || blocks_across(height, level) > 1) ++level;
    return level;
}

std::uint32_t leaf_chunks(std::int32_t width, std::int32_t height, std::int32_t layers) {
    return static_cast<std::uint32_t>(blocks_across(width, 0) * blocks_across(height, 0) * layers);
}

std::uint32_t block_chunks(std::int32_t width, std::int32_t height, std::int32_t layers) {
    std::uint32_t count = 0;
    for (std::int32_t level = 1; level <= block_levels(width, height); ++level) {
        count +=
            static_cast<std::uint32_t>(blocks_across(width, level) * blocks_across(height, level) * layers);
    }
    return count;
}

bool update_connectivity(EditorData& editor, const Body& body, std::int32_t layer,
                         std::span<const CellRect> cells) {
    FAIRLEAD_ASSERT(cells.size() <= kChangedRects);
    Change changes[kChangedRects];
    bool top = false;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (!update_leaves(editor, body, layer, cells[i], changes[i], top)) return false;
    }
    // Level by level over all of them: a block is joined from children of which none may be out of date.
    StateData& state = *editor.state;
    const std::int32_t levels = BlockTree::of(state, body).levels;
    for (std::int32_t level = 1; level <= levels; ++level) {
        for (Change& change : changes) {
            if (change.any && !update_level(editor, body, layer, level, change.range, change.any))
                return false;
        }
    }
    for (const Change& change : changes) top = top || change.any;
    return !top || !has_top(state) || update_top(editor, body);
}

std::uint64_t component_of(const StateData& state, const Body& body, std::int32_t x, std::int32_t y,
                           std::int32_t layer) {
    const BlockTree tree = BlockTree::of(state, body);
    const Component part = climb(tree, x, y, layer, tree.levels);
    if (part.exported && has_top(state)) {
        const auto* top = reinterpret_cast<const std::uint32_t*>(state.chunks[state.top_of(body)]);
        const std::uint32_t id = top[top[layer] + part.id + static_cast<std::uint32_t>(state.layers) + 1U];
        return (std::uint64_t{15} << 60) | id;
    }
    const std::int32_t shift = kLeafShift + part.level * kFanShift;
    const std::int32_t across = blocks_across(tree.width, part.level);
    const auto place = static_cast<std::uint64_t>(
        (static_cast<std::int64_t>(layer) * blocks_across(tree.height, part.level) + (y >> shift)) * across +
        (x >> shift));
    return (static_cast<std::uint64_t>(part.level) << 60) | (place << 32) | part.id;
}

}  // namespace fairlead::grid
