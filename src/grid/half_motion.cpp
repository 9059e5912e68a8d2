#include "grid/half_motion.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace fairlead::grid {

namespace {

/// How often pieces that fail are cut finer, and into how many at most.
constexpr std::int32_t kRounds = 40;
constexpr std::size_t kPiecesMax = 2048;

/// Tiles farther than this from what can touch the room are looked at as well: tangents may leave it a little.
constexpr double kBeside = 0.25;

// 64 cells of a row; of a column where the motion runs over y.
std::uint64_t cells_along(const HalfWalls& walls, std::int32_t c, std::int32_t row, bool turned) {
    return turned ? walls.along_column(row, c) : walls.along_row(c, row);
}

Vec2 turned_if(bool turned, Vec2 p) { return turned ? Vec2{p.y, p.x} : p; }

// The last blocked cell before `c` on the row, no more than `far` before it; INT32_MIN if there is none.
std::int32_t blocked_before(const HalfWalls& walls, std::int32_t c, std::int32_t row, std::int32_t far,
                            bool turned) {
    for (std::int32_t at = c - 64; at > c - 64 - far; at -= 64) {
        const std::uint64_t bits = cells_along(walls, at, row, turned);
        if (bits != 0) return at + 63 - std::countl_zero(bits);
    }
    return INT32_MIN;
}

std::int32_t blocked_after(const HalfWalls& walls, std::int32_t c, std::int32_t row, std::int32_t far,
                           bool turned) {
    for (std::int32_t at = c + 1; at < c + 1 + far; at += 64) {
        const std::uint64_t bits = cells_along(walls, at, row, turned);
        if (bits != 0) return at + std::countr_zero(bits);
    }
    return INT32_MAX;
}

}  // namespace

// Per row of tiles the nearest corner on either side, or the level side of a tile above or below the room.
void HalfMotion::find_caps(const HalfWalls& walls, HalfRoom room) {
    caps_.clear();
    const std::int32_t c = room.i >> 1;
    const std::int32_t e = room.j >> 1;
    const double bottom = 0.5 * room.j - kBeside;
    const double top = bottom + 0.5 + 2 * kBeside;
    const auto far = static_cast<std::int32_t>(radius_) + 2;
    for (std::int32_t row = e - far; row <= e + far; ++row) {
        if (row == e) continue;
        const bool above = row > e;
        const double side = above ? static_cast<double>(row) : static_cast<double>(row + 1);
        if (above ? side - radius_ > top : side + radius_ < bottom) continue;
        if ((cells_along(walls, c, row, turned_) & 1U) != 0) {
            add({static_cast<double>(c), side}, above, true);
            continue;
        }
        const std::int32_t before = blocked_before(walls, c, row, far, turned_);
        if (before != INT32_MIN) add({static_cast<double>(before + 1), side}, above, false);
        const std::int32_t after = blocked_after(walls, c, row, far, turned_);
        if (after != INT32_MAX) add({static_cast<double>(after), side}, above, false);
    }
    // Those that reach into the room or beside it.
    std::size_t kept = 0;
    for (const Cap& cap : caps_) {
        double best = 0.0;  // the height where the cap reaches farthest over the room's columns
        const double from = 0.5 * room.i;
        const double x = std::clamp(cap.at.x, from, from + 0.5);
        if (!cap.level && std::abs(x - cap.at.x) >= radius_) continue;
        best = bound({cap.at, cap.above, cap.level}, x);
        if (cap.above ? best < top : best > bottom) caps_[kept++] = cap;
    }
    if (!caps_.resize(kept)) out_of_memory_ = true;
}

// The least height (or the most, of something above) at x.
double HalfMotion::bound(const Cap& cap, double x) const {
    const double sign = cap.above ? -1.0 : 1.0;
    if (cap.level) return cap.at.y + sign * radius_;
    const double dx = x - cap.at.x;
    const double rest = radius_ * radius_ - dx * dx;
    if (!(rest > 0.0)) return cap.above ? 1e300 : -1e300;
    return cap.at.y + sign * std::sqrt(rest);
}

double HalfMotion::height(Vec2 a, Vec2 b, double x, std::int32_t& cap) const {
    double y = a.y + (b.y - a.y) * ((x - a.x) / (b.x - a.x));
    cap = -1;
    for (const bool above : {false, true}) {
        for (std::size_t n = 0; n < caps_.size(); ++n) {
            if (caps_[n].above != above) continue;
            const double limit = bound(caps_[n], x);
            if (above ? limit < y : limit > y) {
                y = limit;
                cap = static_cast<std::int32_t>(n);
            }
        }
    }
    return y;
}

void HalfMotion::add_x(double x) {
    if (x > low_ && x < high_ && !xs_.push_back(x)) out_of_memory_ = true;
}

// Where the motion may pass from one piece to the next, and where two sides come nearest to each other.
void HalfMotion::find_xs(Vec2 a, Vec2 b) {
    xs_.clear();
    const Vec2 d = b - a;
    const double squared = dot(d, d);
    for (std::size_t n = 0; n < caps_.size(); ++n) {
        const Cap& cap = caps_[n];
        // Where it meets the line.
        if (cap.level) {
            if (d.y != 0.0) add_x(a.x + d.x * ((bound(cap, 0.0) - a.y) / d.y));
        } else {
            const Vec2 to = a - cap.at;
            const double half = dot(to, d);
            const double root = half * half - squared * (dot(to, to) - radius_ * radius_);
            add_x(cap.at.x);
            add_x(cap.at.x - radius_);
            add_x(cap.at.x + radius_);
            if (root > 0.0) {
                add_x(a.x + d.x * ((-half - std::sqrt(root)) / squared));
                add_x(a.x + d.x * ((-half + std::sqrt(root)) / squared));
            }
        }
        for (std::size_t m = 0; m < n; ++m) {
            const Cap& other = caps_[m];
            if (cap.level && other.level) continue;
            if (cap.level || other.level) {
                const Cap& arc = cap.level ? other : cap;
                const double up = bound(cap.level ? cap : other, 0.0) - arc.at.y;
                const double rest = radius_ * radius_ - up * up;
                if (!(rest > 0.0)) continue;
                add_x(arc.at.x - std::sqrt(rest));
                add_x(arc.at.x + std::sqrt(rest));
                continue;
            }
            const Vec2 middle = (cap.at + other.at) * 0.5;
            const Vec2 half = (cap.at - other.at) * 0.5;
            add_x(middle.x);
            const double rest = radius_ * radius_ - dot(half, half);
            const double size = dot(half, half);
            if (!(rest > 0.0) || !(size > 0.0)) continue;
            const double off = half.y * std::sqrt(rest / size);
            add_x(middle.x - off);
            add_x(middle.x + off);
        }
    }
}

void HalfMotion::make_trail(Vec2 a, Vec2 b) {
    const bool back = b.x < a.x;
    std::sort(xs_.begin(), xs_.end());  // total order
    if (back) std::reverse(xs_.begin(), xs_.end());
    trail_.clear();
    double from = a.x;
    for (std::size_t n = 0; n <= xs_.size(); ++n) {
        const double to = n < xs_.size() ? xs_[n] : b.x;
        Place place;
        std::int32_t unused = 0;
        place.at = n == 0 ? a : Vec2{from, height(a, b, from, unused)};
        (void)height(a, b, 0.5 * (from + to), place.cap);
        if (n > 0 && from == trail_.back().at.x) {
            trail_.back().cap = place.cap;
        } else if (!trail_.push_back(place)) {
            out_of_memory_ = true;
            return;
        }
        from = to;
    }
    if (!trail_.push_back({b, -1})) out_of_memory_ = true;
}

// Where the tangents at p and q, both on the arc, meet.
Vec2 HalfMotion::bend(const Cap& cap, Vec2 p, Vec2 q) const {
    const Vec2 u = (p - cap.at) * (1.0 / length(p - cap.at));
    const Vec2 v = (q - cap.at) * (1.0 / length(q - cap.at));
    return cap.at + (u + v) * (radius_ / (1.0 + dot(u, v)));
}

void HalfMotion::add_point(Vec2 p) {
    if (!points_.empty() && points_.back() == p) return;
    if (!points_.push_back(p)) out_of_memory_ = true;
}

void HalfMotion::add_tangents() {
    points_.clear();
    for (std::size_t n = 0; n + 1 < trail_.size() && !out_of_memory_; ++n) {
        const Place& here = trail_[n];
        const Vec2 next = trail_[n + 1].at;
        // In the middle of an arc or a straight piece the place is no bend.
        if (n > 0 && here.cap != trail_[n - 1].cap) add_point(here.at);
        if (here.cap < 0 || caps_[static_cast<std::size_t>(here.cap)].level) continue;
        add_point(bend(caps_[static_cast<std::size_t>(here.cap)], here.at, next));
    }
    add_point(trail_.back().at);
}

// Tests the pieces; more places for those that fail. True: all are legal.
bool HalfMotion::refine(const Sight& sight, Vec2 a) {
    bool good = true;
    Vec2 from = a;
    for (const Vec2 to : points_) {
        if (!sight.can_sweep(turned_if(turned_, from), turned_if(turned_, to))) {
            good = false;
            const double low = std::min(from.x, to.x);
            const double high = std::max(from.x, to.x);
            for (std::size_t n = 0; n + 1 < trail_.size(); ++n) {
                const double x = trail_[n].at.x;
                const double y = trail_[n + 1].at.x;
                if (std::max(x, y) < low || std::min(x, y) > high) continue;
                add_x(0.5 * (x + y));
            }
        }
        from = to;
    }
    return good;
}

bool HalfMotion::run_over(bool y, const HalfWalls& walls, const Sight& sight, HalfRoom room, Vec2 a, Vec2 b) {
    turned_ = y;
    if (y) room = {room.j, room.i};
    a = turned_if(y, a);
    b = turned_if(y, b);
    points_.clear();
    low_ = std::min(a.x, b.x);
    high_ = std::max(a.x, b.x);
    find_caps(walls, room);
    find_xs(a, b);
    bool good = false;
    for (std::int32_t round = 0; round < kRounds && xs_.size() < kPiecesMax && !out_of_memory_ && !good;
         ++round) {
        make_trail(a, b);
        if (out_of_memory_) return false;
        add_tangents();
        good = refine(sight, a);
    }
    for (Vec2& p : points_) p = turned_if(y, p);
    return good && !out_of_memory_;
}

double HalfMotion::cost(const Sight& sight, Vec2 from) const {
    double sum = 0.0;
    for (const Vec2 p : points_) {
        sum += sight.cost(from, p);
        from = p;
    }
    return sum;
}

bool HalfMotion::run(const HalfWalls& walls, const HalfDisc& disc, const Sight& sight, HalfRoom room, Vec2 a,
                     Vec2 b) {
    constexpr double kCheaper = 1.0 - 1e-12;  // else it is rounding
    out_of_memory_ = false;
    points_.clear();
    radius_ = disc.radius;
    if (a.x == b.x || a.y == b.y || sight.can_sweep(a, b)) {
        add_point(b);
        return !out_of_memory_;
    }
    const bool over_x = run_over(false, walls, sight, room, a, b);
    if (out_of_memory_ || !over_x_.assign(points_.span())) {
        out_of_memory_ = true;
        return false;
    }
    const double cost_x = over_x ? cost(sight, a) : 1e300;
    const bool over_y = run_over(true, walls, sight, room, a, b);
    if (over_y && cost(sight, a) < cost_x * kCheaper) return !out_of_memory_;
    if (!points_.assign(over_x_.span())) out_of_memory_ = true;
    return over_x && !out_of_memory_;
}

}  // namespace fairlead::grid
