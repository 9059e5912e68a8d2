// The ground track is Dubins'; only its length must be right. A family of tracks whose length changes with one number (a radius, an
// arc before or behind) is searched for that length by halving.
#include <fairlead/curve/airplane.h>

#include <algorithm>
#include <cmath>

#include <fairlead/base/assert.h>
#include <fairlead/curve/dubins.h>
#include <fairlead/math/trig.h>

namespace fairlead {

namespace {

constexpr double kExact = 1e-12;  // of a length: it is the one that was wanted
constexpr int kHalvings = 60;
constexpr double kWidest = 64.0;  // radii

Pose pose_of(const Place& place) { return {ground(place.position), place.heading_rad}; }

/// On the ground, at the steepest climb.
double ground_for(double rise, const ClimbLimits& climb) {
    if (rise == 0.0) return 0.0;
    const math::SinCos sc = math::sin_cos(rise > 0.0 ? climb.up_rad : climb.down_rad);
    return std::fabs(rise) * sc.cos / sc.sin;
}

struct AirplaneTask {
    Pose from{};
    Pose to{};
    double radius = 1.0;
    double rise = 0.0;
    double least = 0.0;  ///< ground length for the rise
    double base = 0.0;   ///< of the Dubins path
};

AirplaneTask task_between(const Place& from, const Place& to, double radius, const ClimbLimits& climb) {
    AirplaneTask task{pose_of(from), pose_of(to), radius, to.position.z - from.position.z, 0.0, 0.0};
    task.least = ground_for(task.rise, climb);
    return task;
}

AirplaneCurve curve_of(const AirplaneTask& task, const CurveWord& word, double radius,
                       AirplaneCase altitude) {
    AirplaneCurve curve;
    curve.word = word;
    curve.radius = radius;
    curve.ground = word.length * radius;
    curve.rise = task.rise;
    curve.altitude = altitude;
    return curve;
}

void finish_curve(const AirplaneTask& task, AirplaneCurve& curve) {
    curve.length = length(Vec2{curve.ground, curve.rise});
    const double bound = std::max(task.base, task.least);
    curve.shortest = curve.ground <= bound * (1.0 + 4.0 * kExact);
}

/// In order of length; of equal ones the first comes first.
struct AirplaneList {
    std::span<AirplaneCurve, kAirplaneCurves> curves;
    int count = 0;

    void add(const AirplaneTask& task, AirplaneCurve curve) {
        finish_curve(task, curve);
        if (count == kAirplaneCurves) return;
        auto at = static_cast<std::size_t>(count++);
        for (; at > 0 && curves[at - 1].length > curve.length; --at) curves[at] = curves[at - 1];
        curves[at] = curve;
    }
};

CurveWord one_arc(Steer steer, double amount) {
    CurveWord word;
    word.segments[0] = {amount, steer};
    word.count = 1;
    return word;
}

/// An arc before or behind the shortest path of what is left.
CurveWord with_arc(const AirplaneTask& task, Steer steer, bool last, double amount) {
    const Pose moved =
        end_of_curve(last ? task.to : task.from, task.radius, one_arc(steer, last ? -amount : amount));
    const CurveWord rest =
        last ? shortest_dubins(task.from, moved, task.radius) : shortest_dubins(moved, task.to, task.radius);
    CurveWord word;
    if (!last) word.segments[word.count++] = {amount, steer};
    for (const CurveSegment& segment : rest.used()) word.segments[word.count++] = segment;
    if (last) word.segments[word.count++] = {amount, steer};
    word.length = word.cost = rest.length + amount;
    return word;
}

/// `length(high)` is at least what is wanted, `length(low)` is not: the number next to where that changes, on the upper side.
template <class Length>
double find_length(double low, double high, double wanted, Length length) {
    for (int i = 0; i < kHalvings && high - low > 0x1p-50 * high; ++i) {
        const double middle = 0.5 * (low + high);
        const double is = length(middle);
        (is >= wanted ? high : low) = middle;
        if (is >= wanted && is <= wanted * (1.0 + kExact)) break;
    }
    return high;
}

void add_arc(const AirplaneTask& task, Steer steer, bool last, AirplaneList& list) {
    const auto length_with = [&](double amount) {
        return with_arc(task, steer, last, amount).length * task.radius;
    };
    const double amount = find_length(0.0, kTwoPi, task.least, length_with);
    if (length_with(amount) < task.least) return;  // a whole turn that rounding made none
    list.add(task, curve_of(task, with_arc(task, steer, last, amount), task.radius, AirplaneCase::medium));
}

void add_wide(const AirplaneTask& task, AirplaneList& list) {
    const auto length_with = [&](double radius) { return dubins_distance(task.from, task.to, radius); };
    double high = 2.0 * task.radius;
    while (high <= kWidest * task.radius && length_with(high) < task.least) high *= 2.0;
    if (high > kWidest * task.radius) return;
    const double radius = find_length(0.5 * high, high, task.least, length_with);
    const CurveWord word = shortest_dubins(task.from, task.to, radius);
    if (word.length * radius >= task.least)
        list.add(task, curve_of(task, word, radius, AirplaneCase::medium));
}

/// `turns`: how many fit in what is missing.
void add_loops(const AirplaneTask& task, const CurveWord& word, double turns, AirplaneList& list) {
    for (int i = 0; i < 4; ++i) {
        AirplaneCurve curve = curve_of(task, word, task.radius, AirplaneCase::high);
        curve.loops = static_cast<std::int32_t>(turns);
        curve.loop_steer = (i & 1) == 0 ? Steer::left : Steer::right;
        curve.loops_last = i >= 2;
        curve.loop_radius = std::max(task.radius, (task.least - curve.ground) / (kTwoPi * turns));
        curve.ground = std::max(task.least, curve.ground + kTwoPi * turns * curve.loop_radius);
        list.add(task, curve);
    }
}

void list_words(const AirplaneTask& task, AirplaneList& list) {
    CurveWord words[kDubinsWords];
    const int count = dubins_words(task.from, task.to, task.radius, words);
    for (int i = 0; i < count; ++i) {
        if (words[i].length * task.radius >= task.least * (1.0 - kExact))
            list.add(task, curve_of(task, words[i], task.radius, AirplaneCase::low));
    }
}

int list_curves(const Place& from, const Place& to, double radius, const ClimbLimits& climb, bool all,
                std::span<AirplaneCurve, kAirplaneCurves> curves) {
    FAIRLEAD_ASSERT(check_airplane(from, to, radius, climb));
    AirplaneTask task = task_between(from, to, radius, climb);
    const CurveWord word = shortest_dubins(task.from, task.to, radius);
    task.base = word.length * radius;
    AirplaneList list{curves};
    if (task.base >= task.least * (1.0 - kExact)) {
        if (all) {
            list_words(task, list);
        } else {
            list.add(task, curve_of(task, word, radius, AirplaneCase::low));
        }
        return list.count;
    }
    constexpr double kTurnsMax = 1e9;
    const double turns = std::floor((task.least - task.base) / (kTwoPi * radius));
    if (turns >= 1.0) {
        add_loops(task, word, std::min(turns, kTurnsMax), list);
        return list.count;
    }
    add_wide(task, list);
    for (int i = 0; i < 4; ++i) {
        if (!all && list.count > 0 && curves[0].shortest) break;
        add_arc(task, (i & 1) == 0 ? Steer::left : Steer::right, i >= 2, list);
    }
    if (list.count == 0) add_loops(task, word, 1.0, list);
    return list.count;
}

/// Heights in the share of the way on the ground.
void set_heights(std::span<Leg> legs, double from_z, double to_z) {
    double all = 0.0;
    for (const Leg& leg : legs) all += leg.length;
    double done = 0.0, z = from_z;
    for (std::size_t i = 0; i < legs.size(); ++i) {
        done += legs[i].length;
        const double next = i + 1 == legs.size() ? to_z : from_z + (to_z - from_z) * (done / all);
        legs[i].start.position.z = z;
        legs[i].rise = next - z;
        z = next;
    }
}

/// Writes the legs one after the other, on the ground.
struct TrackWriter {
    std::span<Leg, kAirplaneLegs> legs;
    Pose at{};
    int count = 0;

    void add(double length, double curvature) {
        Leg leg;
        leg.start = {{at.position.x, at.position.y, 0.0}, at.heading_rad, 0};
        leg.length = length;
        leg.curvature = curvature;
        legs[static_cast<std::size_t>(count++)] = leg;
    }
    void add_loops(const AirplaneCurve& curve) {
        const double side = curve.loop_steer == Steer::left ? 1.0 : -1.0;
        add(kTwoPi * curve.loops * curve.loop_radius, side / curve.loop_radius);
    }
    void add_word(const CurveWord& word, double radius) {
        constexpr double kNoTrack = 1e-12;  // radii: only rounding made it
        for (const CurveSegment& segment : word.used()) {
            const double side = static_cast<double>(static_cast<std::int8_t>(segment.steer));
            if (segment.amount >= kNoTrack) add(segment.amount * radius, side / radius);
            if (segment.amount != 0.0) at = end_of_curve(at, radius, one_arc(segment.steer, segment.amount));
        }
    }
};

}  // namespace

Result<void> check_climb(const ClimbLimits& climb) {
    for (const double angle : {climb.up_rad, climb.down_rad}) {
        if (!std::isfinite(angle)) return Error{ErrorCode::not_finite, Field::climb};
        if (!(angle > 0.0 && angle <= kClimbMax)) return Error{ErrorCode::out_of_range, Field::climb};
    }
    return {};
}

Result<void> check_airplane(const Place& from, const Place& to, double radius, const ClimbLimits& climb) {
    if (const Result<void> good = check_curve(pose_of(from), pose_of(to), radius); !good) return good;
    if (!std::isfinite(from.position.z)) return Error{ErrorCode::not_finite, Field::from};
    if (!std::isfinite(to.position.z)) return Error{ErrorCode::not_finite, Field::to};
    if (const Result<void> good = check_climb(climb); !good) return good;
    const double rise = to.position.z - from.position.z;
    if (!(ground_for(rise, climb) <= kCurveSpanMax * radius))
        return Error{ErrorCode::out_of_range, Field::to};
    return {};
}

AirplaneCurve shortest_airplane(const Place& from, const Place& to, double radius, const ClimbLimits& climb) {
    AirplaneCurve curves[kAirplaneCurves];
    (void)list_curves(from, to, radius, climb, false, curves);
    return curves[0];
}

double airplane_distance(const Place& from, const Place& to, double radius, const ClimbLimits& climb) {
    const AirplaneTask task = task_between(from, to, radius, climb);
    return length(Vec2{std::max(dubins_distance(task.from, task.to, radius), task.least), task.rise});
}

int airplane_curves(const Place& from, const Place& to, double radius, const ClimbLimits& climb,
                    std::span<AirplaneCurve, kAirplaneCurves> curves) {
    return list_curves(from, to, radius, climb, true, curves);
}

int legs_of(const AirplaneCurve& curve, const Place& from, double to_z, std::span<Leg, kAirplaneLegs> legs,
            Place& end) {
    TrackWriter track{legs, pose_of(from)};
    if (curve.loops > 0 && !curve.loops_last) track.add_loops(curve);
    track.add_word(curve.word, curve.radius);
    if (curve.loops > 0 && curve.loops_last) track.add_loops(curve);
    const auto count = static_cast<std::size_t>(track.count);
    // A first segment that is left out has moved it by a rounding.
    if (count > 0) legs[0].start.position = {from.position.x, from.position.y, 0.0};
    set_heights(std::span<Leg>(legs).first(count), from.position.z, to_z);
    end = {{track.at.position.x, track.at.position.y, count > 0 ? to_z : from.position.z},
           track.at.heading_rad,
           0};
    return track.count;
}

bool append_legs(const AirplaneCurve& curve, const Place& from, double to_z, Array<Leg>& legs, Place& end) {
    Leg made[kAirplaneLegs];
    const int count = legs_of(curve, from, to_z, made, end);
    if (!legs.reserve(legs.size() + static_cast<std::size_t>(count))) return false;
    for (int i = 0; i < count; ++i) (void)legs.push_back(made[i]);  // reserved above
    return true;
}

}  // namespace fairlead
