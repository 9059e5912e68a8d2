// The polish among prices: what is not asked where a way costs its length. See polish.h.
#include <algorithm>

#include "volume/search/metric.h"
#include "volume/search/polish.h"

namespace fairlead::volume {

namespace {

constexpr double kAside = 2.0;       ///< sides: a bend is first moved so far along each axis
constexpr double kBulgeMost = 16.0;  ///< sides: from 1 on, twice as far each time

double on_axis(const Vec3& v, int k) { return k == 0 ? v.x : k == 1 ? v.y : v.z; }

}  // namespace

bool Polisher::is_cheaper_priced(std::size_t from, std::size_t to) const {
    double sum = 0.0;
    for (std::size_t i = from; i < to; ++i) sum += price(points_[i], points_[i + 1]);
    return price(points_[from], points_[to]) <= sum;
}

// Among prices: all of the way, or a half of it, a quarter, ...
bool Polisher::move_part(std::size_t bend, Vec3 target) {
    const Vec3 p = points_[bend];
    for (double share = 1.0; share > 0.1; share *= 0.5) {
        if (move_to(bend, p + (target - p) * share)) return true;
    }
    return false;
}

// Among prices: a little along an axis, up or down, less each sweep.
Vec3 Polisher::target_aside(std::size_t bend, int which) const {
    Vec3 p = points_[bend];
    const int axis = which >> 1;
    const double step = kAside / (1 << std::min(sweeps_, 4)) / on_axis(metric_, axis);
    double* const axes[3] = {&p.x, &p.y, &p.z};
    *axes[axis] += (which & 1) != 0 ? step : -step;
    return p;
}

// One leg: a bend beside where it is dearest, in any of 26 directions, if that is cheaper.
void Polisher::bulge() {
    if (at_ + 1 >= points_.size()) {
        at_ = 1;
        stage_ = points_.size() < 3 ? Stage::done : Stage::sweep;
        return;
    }
    const Vec3 a = points_[at_], b = points_[at_ + 1];
    const double now = price(a, b);
    const Vec3 from = a + (b - a) * prices_->dearest();
    double least = now - tolerance_;
    Vec3 best = from;
    if (away(a, b) * prices_->least() < least) {
        for (double step = 1.0; step <= kBulgeMost; step *= 2.0) {
            for (std::int32_t i = 0; i < 27; ++i) {
                const Vec3 off{i % 3 - 1.0, i / 3 % 3 - 1.0, i / 9 - 1.0};
                const Vec3 to = from + Vec3{off.x / metric_.x, off.y / metric_.y, off.z / metric_.z} * step;
                if (!inside(*state_, *body_, to)) continue;
                const double cost = price(a, to) + price(to, b);
                if (!(cost < least) || !sees_from(a, to) || !sees_from(to, b)) continue;
                least = cost;
                best = to;
            }
        }
    }
    if (best == from) {
        ++at_;
    } else if (insert(at_ + 1, best)) {
        at_ += 2;
    }
}

}  // namespace fairlead::volume
