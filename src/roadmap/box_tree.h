// BoxTree: boxes of boxes over a row of items, eight to one. Level 0 holds the items' boxes in their order,
// every level above the boxes of eight below, up to one root. No pointers: a parent is index / 8. The order
// of the items should follow space (a curve, a chain of wall segments), then nearby items share boxes.
#pragma once

#include <cstdint>
#include <limits>

#include <fairlead/math/aabb.h>

namespace fairlead::roadmap {

/// A box that holds nothing: grows by include().
inline constexpr Aabb kNoBox{
    {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()},
    {-std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()}};

inline void include(Aabb& box, Vec2 p) {
    if (p.x < box.low.x) box.low.x = p.x;
    if (p.y < box.low.y) box.low.y = p.y;
    if (p.x > box.high.x) box.high.x = p.x;
    if (p.y > box.high.y) box.high.y = p.y;
}
/// `other` may be empty.
inline void include(Aabb& box, const Aabb& other) {
    if (other.low.x < box.low.x) box.low.x = other.low.x;
    if (other.low.y < box.low.y) box.low.y = other.low.y;
    if (other.high.x > box.high.x) box.high.x = other.high.x;
    if (other.high.y > box.high.y) box.high.y = other.high.y;
}

/// Square of the distance from p to a box that is not empty.
[[nodiscard]] inline double distance_squared(const Aabb& box, Vec2 p) {
    const double x = p.x < box.low.x ? box.low.x - p.x : (p.x > box.high.x ? p.x - box.high.x : 0.0);
    const double y = p.y < box.low.y ? box.low.y - p.y : (p.y > box.high.y ? p.y - box.high.y : 0.0);
    return x * x + y * y;
}

/// Where the levels of a tree over `items` boxes lie in one array.
struct BoxTree {
    static constexpr std::uint32_t kLevelsMax = 12;

    std::uint32_t items = 0;
    std::uint32_t levels = 0;  ///< 0 for no items
    std::uint32_t size = 0;    ///< boxes in all
    std::uint32_t first[kLevelsMax] = {};
    std::uint32_t count[kLevelsMax] = {};

    [[nodiscard]] static BoxTree over(std::uint32_t items) {
        BoxTree tree;
        tree.items = items;
        for (std::uint32_t n = items; n > 0; n = n == 1 ? 0 : (n + 7) / 8) {
            tree.first[tree.levels] = tree.size;
            tree.count[tree.levels++] = n;
            tree.size += n;
        }
        return tree;
    }

    /// Fills the levels above the items' boxes.
    void build(Aabb* boxes) const {
        for (std::uint32_t level = 1; level < levels; ++level) {
            for (std::uint32_t i = 0; i < count[level]; ++i) join(boxes, level, i);
        }
    }
    /// After the box of one item has changed.
    void update(Aabb* boxes, std::uint32_t item) const {
        for (std::uint32_t level = 1; level < levels; ++level) join(boxes, level, item >>= 3);
    }

    /// Calls item(index) for the items, in their order, whose boxes and the boxes above them pass want(box),
    /// until one returns false. Returns whether none did.
    template <class Want, class Item>
    bool visit(const Aabb* boxes, Want want, Item item) const {
        if (levels == 0) return true;
        std::uint32_t level = levels - 1;
        std::uint32_t index = 0;
        for (;;) {
            bool down = false;
            if (want(boxes[first[level] + index])) {
                if (level == 0) {
                    if (!item(index)) return false;
                } else {
                    --level;
                    index <<= 3;
                    down = true;
                }
            }
            if (down) continue;
            // The next box in order: the neighbour, or that of the first ancestor that has one.
            for (;;) {
                if (level == levels - 1) return true;
                if ((index & 7) != 7 && index + 1 < count[level]) {
                    ++index;
                    break;
                }
                index >>= 3;
                ++level;
            }
        }
    }

  private:
    void join(Aabb* boxes, std::uint32_t level, std::uint32_t i) const {
        Aabb sum = kNoBox;
        const std::uint32_t low = i * 8;
        const std::uint32_t high = low + 8 < count[level - 1] ? low + 8 : count[level - 1];
        for (std::uint32_t child = low; child < high; ++child) include(sum, boxes[first[level - 1] + child]);
        boxes[first[level] + i] = sum;
    }
};

}  // namespace fairlead::roadmap
