// The points of all routes: one array, in stretches of powers of two, so that units that get new routes need no new memory.
#pragma once

#include <bit>
#include <span>

#include <fairlead/base/array.h>
#include <fairlead/math/vec.h>

#include "crowd/unit.h"

namespace fairlead::crowd {

/// A point that a route bends at. `layer`: of the way that leads to it.
struct WayPoint {
    Vec3 at{};
    std::int32_t layer = 0;
    double speed_max = kUnknown;   ///< on the leg that leads to it
    double half_width = kUnknown;  ///< of the road there; of ways with limits, asked once
    std::uint32_t link = 0;        ///< of a free stretch: the next one of its size
};

template <class T>
class Pool {
  public:
    explicit Pool(const Allocator& allocator) : points_(allocator) {
        for (std::uint32_t& head : free_) head = kNone;
    }

    /// Room for `count` points, 1 to 2^31. False: no memory; the way is unchanged.
    [[nodiscard]] bool take(std::size_t count, Way& way) {
        if (way.room >= count) {
            way.count = static_cast<std::uint32_t>(count);
            return true;
        }
        const int size = static_cast<int>(std::bit_width(count - 1));
        Way next{0, static_cast<std::uint32_t>(count), std::uint32_t{1} << size};
        if (free_[size] != kNone) {
            next.first = free_[size];
            free_[size] = link(points_[next.first]);
        } else {
            next.first = static_cast<std::uint32_t>(points_.size());
            if (points_.size() + next.room > kNone || !points_.resize(points_.size() + next.room))
                return false;
        }
        give(way);
        way = next;
        return true;
    }

    void give(Way& way) {
        if (way.room != 0) {
            const int size = static_cast<int>(std::bit_width(way.room - 1));
            link(points_[way.first]) = free_[size];  // a free stretch holds the next one
            free_[size] = way.first;
        }
        way = {};
    }

    [[nodiscard]] std::span<T> points(const Way& way) { return points_.span().subspan(way.first, way.count); }
    [[nodiscard]] std::span<const T> points(const Way& way) const {
        return points_.span().subspan(way.first, way.count);
    }

  private:
    static std::uint32_t& link(WayPoint& point) { return point.link; }
    static std::uint32_t& link(Passage& passage) { return passage.place; }

    Array<T> points_;
    std::uint32_t free_[33];
};

using WayPool = Pool<WayPoint>;
using PassagePool = Pool<Passage>;

}  // namespace fairlead::crowd
