#include "grid/half_ways.h"

#include <cmath>

namespace fairlead::grid {

HalfRoom HalfWays::room_at(Vec2 place) {
    return {static_cast<std::int32_t>(std::floor(2.0 * place.x)),
            static_cast<std::int32_t>(std::floor(2.0 * place.y))};
}

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
    const HalfRoom room = room_at(place);
    if (position_of(room) == place && planes_->fits(room)) {
        if (!ends_.push_back({room, 0.0, 0.0})) out_of_memory_ = true;
        part_ = Part::done;
    } else {
        begin_flood(room, false);
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

// From the next room around the point.
void HalfWays::next_room() {
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
    part_ = through_ ? Part::room : Part::done;
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
            const HalfPoint corner = corner_of(flood_.rooms()[room_].room, corner_);
            if (at == Walk::there && !ends_.push_back({corner, length_, cost_})) out_of_memory_ = true;
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

std::span<const Vec2> HalfWays::way_to(Vec2 place, HalfPoint end) {
    way_.clear();
    length_ = cost_ = 0.0;
    const HalfRoom room = room_at(place);
    if (position_of(room) == place && room == end) {
        if (!way_.push_back(place)) out_of_memory_ = true;
        return way_.span();
    }
    if (!flood(room, false)) return {};
    for (std::uint32_t n = 0; n < flood_.rooms().size(); ++n) {
        const HalfRoom at = flood_.rooms()[n].room;
        const bool corner = (end.i == at.i || end.i == at.i + 1) && (end.j == at.j || end.j == at.j + 1);
        if (flood_.rooms()[n].ends && corner && walk(n, place, position_of(end))) return way_.span();
    }
    way_.clear();
    return way_.span();
}

std::span<const Vec2> HalfWays::way_through_gaps(HalfPoint point, HalfPoint end) {
    way_.clear();
    for (std::int32_t c = 0; c < 4; ++c) {
        const HalfRoom room{point.i - (c & 1), point.j - (c >> 1)};
        if (!gap_around(room, point) || !flood(room, true)) continue;
        for (std::uint32_t n = 1; n < flood_.rooms().size(); ++n) {
            const HalfRoom at = flood_.rooms()[n].room;
            const bool corner = (end.i == at.i || end.i == at.i + 1) && (end.j == at.j || end.j == at.j + 1);
            if (flood_.rooms()[n].ends && corner && walk(n, position_of(point), position_of(end)))
                return way_.span();
        }
    }
    way_.clear();
    return way_.span();
}

std::span<const Vec2> HalfWays::way_between(Vec2 from, Vec2 to) {
    way_.clear();
    const HalfRoom room = room_at(from);
    const HalfRoom goal = room_at(to);
    if (!flood(room, false)) return way_.span();
    for (std::uint32_t n = 0; n < flood_.rooms().size(); ++n) {
        const HalfFlood::Visited at = flood_.rooms()[n];
        if (at.room == goal && walk(n, from, to)) return way_.span();
    }
    way_.clear();
    return way_.span();
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
