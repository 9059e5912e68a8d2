// What a partial route is to come near to: the goals, on the ground plane. Of many, the box around them.
#pragma once

#include <cstddef>

#include <fairlead/base/array.h>

#include "mesh/data/plane.h"

namespace fairlead::mesh {

class Aims {
  public:
    explicit Aims(const Allocator& allocator) : points_(allocator) {}

    void clear() {
        points_.clear();
        count_ = 0;
    }
    /// False: out of memory.
    [[nodiscard]] bool add(Vec2 goal) {
        if (count_++ == 0) box_ = {goal, goal};
        include(box_, goal);
        return points_.size() == kMeasured || points_.push_back(goal);
    }
    /// Square of the distance to the nearest of them.
    [[nodiscard]] double square_from(Vec2 at) const {
        if (count_ > kMeasured) return square(at, clamped(at));
        double least = square(at, points_[0]);
        for (const Vec2 goal : points_) least = std::min(least, square(at, goal));
        return least;
    }
    /// The point of the segment ab that is nearest to one of them; of many, to the middle of their box.
    [[nodiscard]] Vec2 nearest(Vec2 a, Vec2 b) const {
        if (count_ > kMeasured) return nearest_on(a, b, (box_.low + box_.high) * 0.5);
        Vec2 best = nearest_on(a, b, points_[0]);
        double least = square(best, points_[0]);
        for (const Vec2 goal : points_) {
            const Vec2 at = nearest_on(a, b, goal);
            if (square(at, goal) >= least) continue;
            best = at;
            least = square(at, goal);
        }
        return best;
    }

  private:
    static constexpr std::size_t kMeasured = 16;

    [[nodiscard]] static double square(Vec2 a, Vec2 b) { return dot(b - a, b - a); }
    [[nodiscard]] Vec2 clamped(Vec2 at) const {
        return {std::clamp(at.x, box_.low.x, box_.high.x), std::clamp(at.y, box_.low.y, box_.high.y)};
    }

    Array<Vec2> points_;
    std::size_t count_ = 0;
    Aabb box_{};
};

}  // namespace fairlead::mesh
