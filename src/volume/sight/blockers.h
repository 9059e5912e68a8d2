// The blockers of a query, or the regions of its prices: what of them is near a line, a box or a place.
//
// They lie in order along a space-filling curve (Morton 1966), four by four in boxes, these again four by four, and so on up to one box: a
// tree without pointers (Kamel and Faloutsos 1993, packed R-trees). A line is tested only against what lies in boxes that it meets.
//
// Positions are world units from the volume's low corner.
#pragma once

#include <cstdint>
#include <span>

#include <fairlead/base/array.h>
#include <fairlead/base/result.h>
#include <fairlead/volume/area.h>
#include <fairlead/volume/blocker.h>

#include "math/segment_space_box.h"
#include "volume/data/state.h"

namespace fairlead::volume {

/// A box, or a ball as a box of no size with a radius.
struct Obstacle {
    math::SpaceBox box{};
    double radius = 0.0;

    /// Squared: what comes nearer than this to the box is nearer than `margin` to the obstacle.
    [[nodiscard]] double limit(double margin) const { return (radius + margin) * (radius + margin); }
};

/// Made taller by `half`, up and down.
[[nodiscard]] Obstacle obstacle_of(const StateData& state, const VolumeBlocker& blocker, double half);

/// Errors: not_finite, out_of_range (with the index), size_limit; Field::blockers.
[[nodiscard]] Result<void> check_blockers(const StateData& state, std::span<const VolumeBlocker> blockers);
[[nodiscard]] Result<void> check_blocker(const StateData& state, const VolumeBlocker& blocker);

/// Is the segment nearer than `margin`, > 0?
[[nodiscard]] inline bool comes_near(const Obstacle& o, Vec3 a, Vec3 b, double margin) {
    return math::nearest_on_segment(a, b, o.box).squared < o.limit(margin);
}
/// Where it first is; it is somewhere.
[[nodiscard]] inline double first_near(const Obstacle& o, Vec3 a, Vec3 b, double margin) {
    return math::first_within(a, b, o.box, o.limit(margin));
}
/// Is the segment inside of it somewhere, more than `give` from its surface?
[[nodiscard]] bool goes_inside(const Obstacle& o, Vec3 a, Vec3 b, double give);

class BlockerTree {
  public:
    explicit BlockerTree(const Allocator& allocator)
        : keys_(allocator), obstacles_(allocator), numbers_(allocator), boxes_(allocator) {}

    /// Checked ones, each made taller by `half`, up and down. False: out of memory.
    [[nodiscard]] bool begin(const StateData& state, std::span<const VolumeBlocker> blockers, double half);
    /// The regions of prices, as if they were blockers.
    [[nodiscard]] bool begin_areas(const StateData& state, std::span<const VolumeArea> areas);
    [[nodiscard]] bool empty() const { return obstacles_.empty(); }

    /// Calls visit(obstacle, its number in the query) for each that may be nearer to the segment than `margin`, until it says true; did
    /// it?
    template <class Visit>
    [[nodiscard]] bool along(Vec3 a, Vec3 b, double margin, Visit visit) const;
    /// The same of a box.
    template <class Visit>
    [[nodiscard]] bool around(const math::SpaceBox& box, double margin, Visit visit) const;

  private:
    static constexpr std::uint32_t kFan = 4;
    static constexpr std::uint32_t kLevelsMax = 10;

    template <class Shape>
    [[nodiscard]] bool build(const StateData& state, std::uint32_t count, double half, Shape shape);
    template <class Meets, class Visit>
    [[nodiscard]] bool walk(std::uint32_t level, std::uint32_t at, const Meets& meets, Visit& visit) const;
    template <class Meets, class Visit>
    [[nodiscard]] bool walk(const Meets& meets, Visit& visit) const {
        return !obstacles_.empty() && walk(levels_ - 1, 0, meets, visit);
    }

    Array<std::uint64_t> keys_;
    Array<Obstacle> obstacles_;             ///< in order of the curve
    Array<std::uint32_t> numbers_;          ///< of each, in the query
    Array<math::SpaceBox> boxes_;           ///< of four obstacles each, then of four of those, ...
    std::uint32_t first_[kLevelsMax] = {};  ///< of each level
    std::uint32_t count_[kLevelsMax] = {};
    std::uint32_t levels_ = 0;
};

// ---- details -------------------------------------------------------------------------------------------------

/// Does a segment meet a box that is grown by `grow`? May say yes of one that it passes closely.
class SegmentMeets {
  public:
    SegmentMeets(Vec3 a, Vec3 b, double grow)
        : a_{a.x, a.y, a.z}, d_{b.x - a.x, b.y - a.y, b.z - a.z}, grow_(grow) {}

    [[nodiscard]] bool operator()(const math::SpaceBox& box) const {
        double from = 0.0, to = 1.0;
        for (int k = 0; k < 3; ++k) {
            const double low = box.low[k] - grow_ - a_[k], high = box.high[k] + grow_ - a_[k];
            if (d_[k] == 0.0) {
                if (low > 0.0 || high < 0.0) return false;
                continue;
            }
            const double one = low / d_[k], other = high / d_[k];
            from = std::max(from, std::min(one, other) - 1e-9);
            to = std::min(to, std::max(one, other) + 1e-9);
        }
        return from <= to;
    }

  private:
    double a_[3], d_[3];
    double grow_;
};

template <class Meets, class Visit>
bool BlockerTree::walk(std::uint32_t level, std::uint32_t at, const Meets& meets, Visit& visit) const {
    if (!meets(boxes_[first_[level] + at])) return false;
    const std::uint32_t from = at * kFan;
    const std::uint32_t count =
        level == 0 ? static_cast<std::uint32_t>(obstacles_.size()) : count_[level - 1];
    for (std::uint32_t i = from; i < std::min(from + kFan, count); ++i) {
        if (level == 0 ? visit(obstacles_[i], numbers_[i]) : walk(level - 1, i, meets, visit)) return true;
    }
    return false;
}

template <class Visit>
bool BlockerTree::along(Vec3 a, Vec3 b, double margin, Visit visit) const {
    return walk(SegmentMeets(a, b, margin), visit);
}

template <class Visit>
bool BlockerTree::around(const math::SpaceBox& box, double margin, Visit visit) const {
    const auto meets = [&](const math::SpaceBox& other) {
        for (int k = 0; k < 3; ++k) {
            if (other.low[k] - margin > box.high[k] || other.high[k] + margin < box.low[k]) return false;
        }
        return true;
    };
    return walk(meets, visit);
}

}  // namespace fairlead::volume
