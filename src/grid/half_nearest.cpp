// All places that can be the nearest one, as the header lists them; see there.
#include "grid/half_nearest.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace fairlead::grid {

namespace {

/// Cells: so far beside the room a place is moved onto it, for rounding's sake.
constexpr double kBesideRoom = 1e-12;

Vec2 within_room(Vec2 p, Vec2 low, Vec2 high) {
    return {std::clamp(p.x, low.x, high.x), std::clamp(p.y, low.y, high.y)};
}

}  // namespace

void HalfNearest::add(Rim::Kind kind, Vec2 at) {
    if (count_ < kRimsMax) rims_[count_++] = {kind, at};
}

// The corners and sides of tiles that reach into the room. False: one closes it, or the room lies in a tile.
bool HalfNearest::find_rims(HalfRoom room) {
    count_ = 0;
    const std::int32_t c = room.i >> 1;
    const std::int32_t e = room.j >> 1;
    const auto far = static_cast<std::int32_t>(radius_) + 2;
    for (std::int32_t row = e - far; row <= e + far; ++row) {
        const bool above = row > e;
        const double side = above ? static_cast<double>(row) : static_cast<double>(row + 1);
        if (row != e && (above ? side - radius_ > high_.y : side + radius_ < low_.y)) continue;
        if ((walls_->along_row(c, row) & 1U) != 0) {
            if (row == e) return false;
            const double level = above ? side - radius_ : side + radius_;
            if (above ? level < low_.y : level > high_.y) return false;
            add(Rim::Kind::along_x, {0.0, level});
            continue;
        }
        for (const bool after : {false, true}) {
            // The nearest blocked tile of the row on this side of the room's column.
            std::int32_t x = INT32_MIN;
            for (std::int32_t step = 0; step < far && x == INT32_MIN; step += 64) {
                const std::uint64_t bits = walls_->along_row(after ? c + 1 + step : c - 64 - step, row);
                if (bits == 0) continue;
                x = after ? c + 1 + step + std::countr_zero(bits) : c - step - 1 - std::countl_zero(bits);
            }
            if (x == INT32_MIN) continue;
            const double edge = after ? static_cast<double>(x) : static_cast<double>(x + 1);
            if (row == e) {
                const double level = after ? edge - radius_ : edge + radius_;
                if (after ? level < low_.x : level > high_.x) return false;
                if (after ? level < high_.x : level > low_.x) add(Rim::Kind::along_y, {level, 0.0});
                continue;
            }
            const Vec2 corner{edge, side};
            const Vec2 near = within_room(corner, low_, high_);
            if (distance(corner, near) < radius_) add(Rim::Kind::circle, corner);
        }
    }
    return true;
}

void HalfNearest::look(Vec2 p) {
    if (!(p.x >= low_.x - kBesideRoom && p.x <= high_.x + kBesideRoom && p.y >= low_.y - kBesideRoom &&
          p.y <= high_.y + kBesideRoom))
        return;
    p = within_room(p, low_, high_);
    const double square = dot(p - target_, p - target_);
    if (square >= square_ || !sight_->can_sweep(p, p)) return;
    found_ = true;
    square_ = square;
    best_ = p;
}

// The rim's own place nearest to the target, and where it meets the room's sides.
void HalfNearest::look_along(const Rim& rim) {
    if (rim.kind != Rim::Kind::circle) {
        const bool along = rim.kind == Rim::Kind::along_x;
        const Vec2 low = along ? Vec2{low_.x, rim.at.y} : Vec2{rim.at.x, low_.y};
        const Vec2 high = along ? Vec2{high_.x, rim.at.y} : Vec2{rim.at.x, high_.y};
        look(within_room(target_, low, high));
        look(low);
        look(high);
        return;
    }
    const Vec2 to = target_ - rim.at;
    const double size = length(to);
    if (size > 0.0) look(rim.at + to * (radius_ / size));
    for (const double x : {low_.x, high_.x}) {
        const double rest = radius_ * radius_ - (x - rim.at.x) * (x - rim.at.x);
        if (rest < 0.0) continue;
        look({x, rim.at.y + std::sqrt(rest)});
        look({x, rim.at.y - std::sqrt(rest)});
    }
    for (const double y : {low_.y, high_.y}) {
        const double rest = radius_ * radius_ - (y - rim.at.y) * (y - rim.at.y);
        if (rest < 0.0) continue;
        look({rim.at.x + std::sqrt(rest), y});
        look({rim.at.x - std::sqrt(rest), y});
    }
}

void HalfNearest::look_where_meet(const Rim& a, const Rim& b) {
    if (a.kind == Rim::Kind::circle && b.kind == Rim::Kind::circle) {
        const Vec2 half = (b.at - a.at) * 0.5;
        const double square = dot(half, half);
        const double rest = radius_ * radius_ - square;
        if (!(square > 0.0)) return;
        // Corners at twice the radius, give or take a rounding, leave the place in the middle.
        const double off = rest > 0.0 ? std::sqrt(rest / square) : 0.0;
        if (rest < -1e-9 * square) return;
        const Vec2 middle = a.at + half;
        look({middle.x - half.y * off, middle.y + half.x * off});
        look({middle.x + half.y * off, middle.y - half.x * off});
        return;
    }
    if (a.kind != Rim::Kind::circle && b.kind != Rim::Kind::circle) {
        if (a.kind == b.kind) return;
        look(a.kind == Rim::Kind::along_x ? Vec2{b.at.x, a.at.y} : Vec2{a.at.x, b.at.y});
        return;
    }
    const Rim& circle = a.kind == Rim::Kind::circle ? a : b;
    const Rim& line = a.kind == Rim::Kind::circle ? b : a;
    const bool along = line.kind == Rim::Kind::along_x;
    const double gap = along ? line.at.y - circle.at.y : line.at.x - circle.at.x;
    const double rest = radius_ * radius_ - gap * gap;
    const double off = rest > 0.0 ? std::sqrt(rest) : 0.0;
    if (rest < -1e-9) return;
    for (const double sign : {-1.0, 1.0})
        look(along ? Vec2{circle.at.x + sign * off, line.at.y} : Vec2{line.at.x, circle.at.y + sign * off});
}

bool HalfNearest::find(HalfRoom room, Vec2 target, double most, Vec2& place) {
    low_ = position_of(room);
    high_ = low_ + Vec2{0.5, 0.5};
    target_ = target;
    found_ = false;
    square_ = most < 1e150 ? most * most * (1.0 + 1e-12) + 1e-300 : 1e300;
    const Vec2 own = within_room(target, low_, high_);
    if (dot(own - target, own - target) >= square_) return false;
    look(own);
    if (!found_ && radius_ > 0.0 && find_rims(room)) {
        for (const double x : {low_.x, high_.x}) look({x, own.y});
        for (const double y : {low_.y, high_.y}) look({own.x, y});
        for (const double x : {low_.x, high_.x}) {
            for (const double y : {low_.y, high_.y}) look({x, y});
        }
        for (std::int32_t n = 0; n < count_; ++n) {
            look_along(rims_[n]);
            for (std::int32_t m = 0; m < n; ++m) look_where_meet(rims_[n], rims_[m]);
        }
    }
    place = best_;
    return found_;
}

}  // namespace fairlead::grid
