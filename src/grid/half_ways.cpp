#include "grid/half_ways.h"

#include <cmath>

namespace fairlead::grid {

HalfWays::Rooms::Rooms(Vec2 place) {
    const Vec2 low{std::floor(2.0 * place.x), std::floor(2.0 * place.y)};
    const std::int32_t left = low.x == 2.0 * place.x ? 1 : 0, down = low.y == 2.0 * place.y ? 1 : 0;
    const HalfRoom own{static_cast<std::int32_t>(low.x), static_cast<std::int32_t>(low.y)};
    for (std::int32_t dj = 0; dj <= down; ++dj) {
        for (std::int32_t di = 0; di <= left; ++di) list[count++] = {own.i - di, own.j - dj};
    }
}

bool HalfWays::Rooms::holds(HalfRoom room) const {
    for (std::int32_t n = 0; n < count; ++n) {
        if (list[n] == room) return true;
    }
    return false;
}

namespace {

bool is_corner_of(HalfRoom room, HalfPoint p) {
    return (p.i == room.i || p.i == room.i + 1) && (p.j == room.j || p.j == room.j + 1);
}

}  // namespace

bool HalfWays::flood(HalfRoom room, bool through) {
    if (flood_.run(*planes_, room, through)) return true;
    out_of_memory_ = true;
    return false;
}

// ---- walking: one motion after another, from gate to gate ---------------------------------------------------

void HalfWays::begin_walk(std::uint32_t n, Vec2 a, Vec2 b) {
    const std::span<const HalfFlood::Visited> rooms = flood_.rooms();
    gates_.clear();
    for (std::uint32_t at = n; at != 0; at = rooms[at].from) {
        if (!gates_.push_back(at)) out_of_memory_ = true;
    }
    way_.clear();
    length_ = cost_ = 0.0;
    left_ = gates_.size() + 1;
    walk_room_ = 0;
    walk_from_ = a;
    walk_to_ = b;
}

// Appends the motion's bends to the way. False: a blocker is in the way, or out of memory.
bool HalfWays::add_motion(Vec2 from) {
    for (const Vec2 p : motion_.points()) {
        if (!sight_.world().blockers.empty() && !sight_.can_sweep(from, p)) return false;
        length_ += distance(from, p);
        cost_ += sight_.cost(from, p);
        from = p;
        if (!way_.push_back(p)) out_of_memory_ = true;
    }
    walk_from_ = from;
    return !out_of_memory_;
}

HalfWays::Walk HalfWays::step_walk() {
    const std::span<const HalfFlood::Visited> rooms = flood_.rooms();
    --left_;
    const Vec2 to = left_ == 0 ? walk_to_ : rooms[gates_[left_ - 1]].gate;
    bool good =
        motion_.run(planes_->walls(), planes_->disc(), walls_, rooms[walk_room_].room, walk_from_, to);
    out_of_memory_ = out_of_memory_ || motion_.out_of_memory();
    good = good && add_motion(walk_from_);
    if (!good) {
        way_.clear();
        return Walk::none;
    }
    if (left_ == 0) return Walk::there;
    walk_room_ = gates_[left_ - 1];
    return Walk::running;
}

bool HalfWays::walk(std::uint32_t n, Vec2 a, Vec2 b) {
    begin_walk(n, a, b);
    if (out_of_memory_) return false;
    Walk at = Walk::running;
    while (at == Walk::running) at = step_walk();
    return at == Walk::there;
}

// ---- ends: a flood, then a way to each corner that fits of the rooms that it ended in -------------------------

void HalfWays::begin_flood(HalfRoom room, bool through) {
    if (!flood_.begin(*planes_, room, through)) out_of_memory_ = true;
    part_ = Part::flood;
}

void HalfWays::begin_ends(Vec2 place) {
    ends_.clear();
    passed_.clear();
    place_ = place;
    through_ = false;
    around_ = 0;
    part_ = Part::room;
    const HalfRoom room = Rooms(place).list[0];
    if (position_of(room) == place && planes_->fits(room)) {
        if (!ends_.push_back({room, 0.0, 0.0})) out_of_memory_ = true;
        part_ = Part::done;
    }
}

void HalfWays::begin_gaps(HalfPoint point, bool blind) {
    ends_.clear();
    passed_.clear();
    place_ = position_of(point);
    point_ = point;
    through_ = true;
    around_ = 0;
    part_ = planes_->disc().key <= kGapKey && !blind ? Part::done : Part::room;
}

// From the next room around the point, or the next that holds the place.
void HalfWays::next_room() {
    if (!through_) {
        const Rooms rooms(place_);
        if (around_ == rooms.count) {
            part_ = Part::done;
        } else {
            begin_flood(rooms.list[around_++], false);
        }
        return;
    }
    if (around_ == 4) {
        part_ = Part::done;
        return;
    }
    const HalfRoom room{point_.i - (around_ & 1), point_.j - (around_ >> 1)};
    ++around_;
    if (gap_around(room, point_)) begin_flood(room, true);
}

// The next corner to walk to; of the first room too, unless the flood went `through` that.
void HalfWays::next_end() {
    for (; room_ < flood_.rooms().size(); ++room_, corner_ = 0) {
        const HalfFlood::Visited& at = flood_.rooms()[room_];
        for (; at.ends && corner_ < 4; ++corner_) {
            const HalfPoint corner = corner_of(at.room, corner_);
            if (!planes_->fits(corner)) continue;
            begin_walk(room_, place_, position_of(corner));
            part_ = Part::walk;
            return;
        }
    }
    part_ = Part::room;
}

// Of several ways to one point the cheapest.
void HalfWays::add_end(HalfPoint point) {
    for (HalfEnd& end : ends_) {
        if (end.point != point) continue;
        if (cost_ < end.cost) end = {point, length_, cost_};
        return;
    }
    if (!ends_.push_back({point, length_, cost_})) out_of_memory_ = true;
}

bool HalfWays::step_ends() {
    if (out_of_memory_) part_ = Part::done;
    switch (part_) {
        case Part::room: next_room(); break;
        case Part::flood:
            if (flood_.running()) {
                if (!flood_.step(*planes_)) out_of_memory_ = true;
                break;
            }
            for (const HalfFlood::Visited& room : flood_.rooms()) {
                if (!room.ends && !passed_.push_back(room.room)) out_of_memory_ = true;
            }
            room_ = through_ ? 1 : 0;
            corner_ = 0;
            part_ = Part::ends;
            break;
        case Part::ends: next_end(); break;
        case Part::walk: {
            const Walk at = step_walk();
            if (at == Walk::running) break;
            if (at == Walk::there) add_end(corner_of(flood_.rooms()[room_].room, corner_));
            ++corner_;
            part_ = Part::ends;
            break;
        }
        case Part::done: return false;
    }
    return true;
}

std::span<const HalfEnd> HalfWays::ends_of(Vec2 place) {
    begin_ends(place);
    while (step_ends()) {
    }
    return ends_.span();
}

// May a door of the room that the point is no end of be a gap?
bool HalfWays::gap_around(HalfRoom room, HalfPoint point) {
    for (std::int32_t c = 0; c < 4; ++c) {
        const HalfPoint corner = corner_of(room, c);
        const bool opposite = corner.i != point.i && corner.j != point.j;
        if (opposite && planes_->fits(corner)) return false;
    }
    const HalfPoint beside{2 * room.i + 1 - point.i, point.j};
    const HalfPoint over{point.i, 2 * room.j + 1 - point.j};
    return !planes_->fits(beside) || !planes_->fits(over);
}

std::span<const HalfEnd> HalfWays::ends_through_gaps(HalfPoint point) {
    begin_gaps(point, false);
    while (step_ends()) {
    }
    return ends_.span();
}

// ---- ways -----------------------------------------------------------------------------------------------------

// Walks by the rooms of a flood that are wanted: the cheapest way of all so far is kept.
template <class Wanted>
void HalfWays::try_ways(HalfRoom first, bool through, Vec2 from, Vec2 to, Wanted wanted) {
    if (!flood(first, through)) return;
    for (std::uint32_t n = through ? 1 : 0; n < flood_.rooms().size(); ++n) {
        if (!wanted(flood_.rooms()[n]) || !walk(n, from, to) || !(cost_ < best_cost_)) continue;
        best_cost_ = cost_;
        best_length_ = length_;
        if (!best_.assign(way_.span())) out_of_memory_ = true;
    }
}

void HalfWays::begin_ways() {
    best_.clear();
    best_cost_ = 1e300;
    best_length_ = 0.0;
}

std::span<const Vec2> HalfWays::take_best() {
    cost_ = best_.empty() ? 0.0 : best_cost_;
    length_ = best_length_;
    if (!way_.assign(best_.span())) out_of_memory_ = true;
    return way_.span();
}

std::span<const Vec2> HalfWays::way_to(Vec2 place, HalfPoint end) {
    const Rooms rooms(place);
    if (position_of(rooms.list[0]) == place && rooms.list[0] == end) {
        way_.clear();
        length_ = cost_ = 0.0;
        if (!way_.push_back(place)) out_of_memory_ = true;
        return way_.span();
    }
    begin_ways();
    for (std::int32_t n = 0; n < rooms.count; ++n) {
        try_ways(rooms.list[n], false, place, position_of(end),
                 [&](const HalfFlood::Visited& at) { return at.ends && is_corner_of(at.room, end); });
    }
    return take_best();
}

std::span<const Vec2> HalfWays::way_through_gaps(HalfPoint point, HalfPoint end) {
    begin_ways();
    for (std::int32_t c = 0; c < 4; ++c) {
        const HalfRoom room{point.i - (c & 1), point.j - (c >> 1)};
        if (!gap_around(room, point)) continue;
        try_ways(room, true, position_of(point), position_of(end),
                 [&](const HalfFlood::Visited& at) { return at.ends && is_corner_of(at.room, end); });
    }
    return take_best();
}

std::span<const Vec2> HalfWays::way_between(Vec2 from, Vec2 to) {
    const Rooms rooms(from);
    const Rooms goals(to);
    begin_ways();
    for (std::int32_t n = 0; n < rooms.count; ++n) {
        try_ways(rooms.list[n], false, from, to,
                 [&](const HalfFlood::Visited& at) { return goals.holds(at.room); });
    }
    return take_best();
}

std::span<const Vec2> HalfWays::way_across(HalfPoint from, HalfPoint to) {
    way_.clear();
    const HalfRoom room{from.i < to.i ? from.i : to.i, from.j < to.j ? from.j : to.j};
    length_ = cost_ = 0.0;
    const Vec2 a = position_of(from);
    if (!motion_.run(planes_->walls(), planes_->disc(), walls_, room, a, position_of(to))) {
        out_of_memory_ = out_of_memory_ || motion_.out_of_memory();
        return way_.span();
    }
    if (!add_motion(a)) way_.clear();
    return way_.span();
}

}  // namespace fairlead::grid
