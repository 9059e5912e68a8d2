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

// One motion after another, from gate to gate.
bool HalfWays::walk(std::uint32_t n, Vec2 a, Vec2 b) {
    const std::span<const HalfFlood::Visited> rooms = flood_.rooms();
    gates_.clear();
    for (std::uint32_t at = n; at != 0; at = rooms[at].from) {
        if (!gates_.push_back(at)) out_of_memory_ = true;
    }
    way_.clear();
    length_ = cost_ = 0.0;
    Vec2 from = a;
    std::uint32_t room = 0;
    for (std::size_t left = gates_.size() + 1; left-- > 0 && !out_of_memory_;) {
        const Vec2 to = left == 0 ? b : rooms[gates_[left - 1]].gate;
        if (!motion_.run(planes_->walls(), planes_->disc(), walls_, rooms[room].room, from, to)) {
            out_of_memory_ = out_of_memory_ || motion_.out_of_memory();
            way_.clear();
            return false;
        }
        for (const Vec2 p : motion_.points()) {
            if (!sight_.world().blockers.empty() && !sight_.can_sweep(from, p)) {
                way_.clear();
                return false;
            }
            length_ += distance(from, p);
            cost_ += sight_.cost(from, p);
            from = p;
            if (!way_.push_back(p)) out_of_memory_ = true;
        }
        if (left > 0) room = gates_[left - 1];
    }
    return !out_of_memory_;
}

// The corners that fit of every room that the flood ended in; of its first room too, unless it went `through` that.
void HalfWays::add_ends(Vec2 place, bool through) {
    for (std::uint32_t n = through ? 1 : 0; n < flood_.rooms().size(); ++n) {
        const HalfFlood::Visited room = flood_.rooms()[n];
        if (!room.ends) continue;
        for (std::int32_t c = 0; c < 4; ++c) {
            const HalfPoint corner = corner_of(room.room, c);
            if (!planes_->fits(corner) || !walk(n, place, position_of(corner))) continue;
            if (!ends_.push_back({corner, length_, cost_})) out_of_memory_ = true;
        }
    }
}

std::span<const HalfEnd> HalfWays::ends_of(Vec2 place) {
    ends_.clear();
    const HalfRoom room = room_at(place);
    if (position_of(room) == place && planes_->fits(room)) {
        if (!ends_.push_back({room, 0.0, 0.0})) out_of_memory_ = true;
    } else if (flood(room, false)) {
        add_ends(place, false);
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
    ends_.clear();
    if (planes_->disc().key <= kGapKey) return ends_.span();
    for (std::int32_t c = 0; c < 4; ++c) {
        const HalfRoom room{point.i - (c & 1), point.j - (c >> 1)};
        if (!gap_around(room, point)) continue;
        if (flood(room, true)) add_ends(position_of(point), true);
    }
    return ends_.span();
}

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
    Vec2 at = a;
    for (const Vec2 p : motion_.points()) {
        if (!sight_.world().blockers.empty() && !sight_.can_sweep(at, p)) {
            way_.clear();
            return way_.span();
        }
        length_ += distance(at, p);
        cost_ += sight_.cost(at, p);
        at = p;
        if (!way_.push_back(p)) out_of_memory_ = true;
    }
    return way_.span();
}

}  // namespace fairlead::grid
