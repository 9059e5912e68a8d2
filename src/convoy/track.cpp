// Two discs that move on straight lines at the same time are nearest where the line of their difference is nearest to the origin: exact,
// whatever the time between samples. How far true motions are from such lines is in `both` (cover.h).
#include "convoy/track.h"

#include <algorithm>
#include <cmath>

namespace fairlead::convoy {

namespace {

bool pass_near(Vec2 from, Vec2 to, double reach) {
    const Vec2 way = to - from;
    const double length = dot(way, way);
    const double along = -dot(from, way);
    Vec2 nearest = from;
    if (along >= length) {
        nearest = to;
    } else if (along > 0.0) {
        nearest = from + way * (along / length);
    }
    return dot(nearest, nearest) < reach * reach;
}

Vec2 between(Vec2 a, Vec2 b, double share) { return a + (b - a) * share; }

}  // namespace

bool Track::sample(const Plan& plan, const Cover& cover, double radius, const Span& span) {
    cover_ = &cover;
    base_ = span.base;
    step_ = span.step;
    open_ = span.open;
    last_ = span.last < base_ ? base_ : span.last;
    const double parts = std::ceil((last_ - base_) / step_);
    count_ = static_cast<std::size_t>(parts) + 1;
    if (!at_.resize_uninitialized(count_ * cover.discs)) return false;
    std::size_t course = plan.course_at(base_);
    for (std::size_t k = 0; k < count_; ++k) {
        const double time = time_of(k);
        while (course + 1 < plan.courses.size() && plan.courses[course].end <= time) ++course;
        cover.place(moving_at(plan, plan.courses[course], radius, time).pose, at_.data() + k * cover.discs);
    }
    return true;
}

// Nothing can happen before the nearest two discs have made up what is between them at their greatest speeds: so long a time is passed
// over at once.
bool Track::meets(const Vec2* from, const Vec2* to, std::uint32_t discs, double start, double end,
                  double both) const {
    const std::uint32_t mine = cover_->discs;
    const double seconds = end - start;
    if (!(seconds > 0.0)) return false;
    double way = 0.0;
    for (std::uint32_t j = 0; j < discs; ++j) way = std::max(way, distance(from[j], to[j]));
    const double speed = cover_->speed_max + way / seconds;
    double now = start;
    while (now < end) {
        std::size_t k = index(now);
        while (k + 1 < count_ && time_of(k + 1) <= now) ++k;
        const bool over = k + 1 >= count_;
        if (over && open_) return false;
        const double low = time_of(k);
        const double high = over ? end : time_of(k + 1);
        const double until = high < end ? high : end;
        const double width = over ? 0.0 : high - low;
        const double share0 = width > 0.0 ? (now - low) / width : 0.0;
        const double share1 = width > 0.0 ? (until - low) / width : 0.0;
        const double mine0 = (now - start) / seconds;
        const double mine1 = (until - start) / seconds;
        const Vec2* const a = at_.data() + k * mine;
        const Vec2* const b = over ? a : a + mine;
        double least = 1e300;
        for (std::uint32_t i = 0; i < mine; ++i) {
            const Vec2 other0 = between(a[i], b[i], share0);
            const Vec2 other1 = between(a[i], b[i], share1);
            for (std::uint32_t j = 0; j < discs; ++j) {
                const Vec2 gap0 = between(from[j], to[j], mine0) - other0;
                const Vec2 gap1 = between(from[j], to[j], mine1) - other1;
                if (pass_near(gap0, gap1, both)) return true;
                least = std::min(least, dot(gap0, gap0));
            }
        }
        const double spare = (std::sqrt(least) - both) / speed;
        now = std::max(until, now + spare);
    }
    return false;
}

}  // namespace fairlead::convoy
