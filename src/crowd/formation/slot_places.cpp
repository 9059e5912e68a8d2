// Where slots are: along the route and beside it, nearer to it where something is in the way; and at the goal, each in a free place.
#include <limits>

#include <fairlead/math/trig.h>

#include "crowd/formation/formation_data.h"

namespace fairlead::crowd {

namespace {

constexpr double kFullBody = 0.999;  // of the radius: a place that touches a wall is free
constexpr double kNearly = 0.95;     // for a place that is left again
constexpr double kRing = 0.5;        // spacings, from one ring of places that are tried to the next
constexpr int kRings = 16;
constexpr int kWays = 16;
constexpr double kApartLeast = 2.1;  // radii, of two slots
constexpr double kApart = 0.7;       // spacings, from one that was found

/// A place on the track, between its points; before and behind it straight on.
struct OnTrack {
    Place base{};   ///< of the route, or between two of its places
    Place known{};  ///< of the route
    Vec3 ahead{};
    Vec3 left{};
    double beyond = 0.0;  ///< so far from the base, along `ahead`
    double room_left = 0.0;
    double room_right = 0.0;
    double room_up = 0.0;
    double room_down = 0.0;
    double shift = 0.0;
    double lift = 0.0;
};

OnTrack on_track(const FormationData& data, double on) {
    const std::size_t i = data.point_at(on);
    const TrackPoint& a = data.track[i];
    const bool more = i + 1 < data.track.size() && i + 1 < data.measured && on > 0.0;
    const TrackPoint& b = more ? data.track[i + 1] : a;
    const double at = static_cast<double>(i) * data.step;
    const double part = more ? (on - at) / data.step : 0.0;
    const auto mix = [&](double from, double to) { return from + (to - from) * part; };
    OnTrack out;
    out.base = out.known = a.at;
    out.base.position = a.at.position + (b.at.position - a.at.position) * part;
    out.ahead = normalized(a.ahead + (b.ahead - a.ahead) * part);
    out.left = normalized(a.left + (b.left - a.left) * part);
    if (out.ahead == Vec3{} || out.left == Vec3{}) {
        out.ahead = a.ahead;
        out.left = a.left;
    }
    if (!more) out.beyond = on - at;
    out.room_left = mix(a.room_left, b.room_left);
    out.room_right = mix(a.room_right, b.room_right);
    out.room_up = mix(a.room_up, b.room_up);
    out.room_down = mix(a.room_down, b.room_down);
    out.shift = mix(a.shift, b.shift);
    out.lift = mix(a.lift, b.lift);
    return out;
}

double within(double at, double low, double high) { return at < low ? low : at > high ? high : at; }

}  // namespace

Vec3 slot_place(const FormationData& data, const FormationSlot& slot, double leader,
                const CrowdWorld* world) {
    const OnTrack on = on_track(data, leader + slot.ahead);
    const double side = within(slot.left + on.shift, -on.room_right, on.room_left);
    Vec3 beside = on.left * side;
    if (data.space) beside += cross(on.ahead, on.left) * within(slot.up + on.lift, -on.room_down, on.room_up);
    const Vec3 place = on.base.position + beside + on.ahead * on.beyond;
    if (world == nullptr) return place;
    const Vec3 known = on.known.position;
    for (const double part : {1.0, 0.85, 0.7, 0.55, 0.4, 0.25}) {
        const Vec3 nearer = known + (place - known) * part;
        if (can_go(*world, on.known, nearer, kNearly * data.radius)) return nearer;
    }
    return known;
}

Vec3 place_of_slot(const FormationData& data, std::uint32_t slot, const CrowdWorld* world) {
    if (data.phase == FormationPhase::closing || data.gap_at_goal) return data.places[slot];
    return slot_place(data, data.slots[slot], data.along, world);
}

namespace {

/// Places at the goal that may still be taken.
class Goal {
  public:
    Goal(const FormationData& data, const CrowdWorld& world)
        : data_(data), world_(world), at_(data.track[data.track.size() - 1].at) {}

    [[nodiscard]] bool free(Vec3 place) const { return can_go(world_, at_, place, kFullBody * data_.radius); }
    [[nodiscard]] bool apart_from(Vec3 place, double least, std::size_t but) const {
        for (std::size_t k = 0; k < data_.places.size(); ++k) {
            if (k != but && taken_[k] && data_.apart(place, data_.places[k]) < least) return false;
        }
        return true;
    }
    void take(std::size_t k) { taken_[k] = true; }
    [[nodiscard]] bool taken(std::size_t k) const { return taken_[k]; }

  private:
    const FormationData& data_;
    const CrowdWorld& world_;
    Place at_;
    bool taken_[kFormationMax] = {};
};

Vec3 direction(int i, bool space) {
    if (!space) {
        const math::SinCos turn = math::sin_cos(2.0 * kPi * i / kWays);
        return {turn.cos, turn.sin, 0.0};
    }
    const double x = (i & 1) != 0 ? 1.0 : -1.0;
    const double y = (i & 2) != 0 ? 1.0 : -1.0;
    const double z = (i & 4) != 0 ? 1.0 : -1.0;
    if (i < 8) return Vec3{x, y, z} * 0.57735026918962576;
    if (i < 10) return {x, 0.0, 0.0};
    return i < 12 ? Vec3{0.0, x, 0.0} : Vec3{0.0, 0.0, x};
}

/// The nearest free place around where a slot is wanted; else on the route, before the goal.
bool find_place(const FormationData& data, const Goal& goal, std::size_t k, Vec3& place) {
    const double least =
        kApart * data.spacing > kApartLeast * data.radius ? kApart * data.spacing : kApartLeast * data.radius;
    const Vec3 wanted = data.places[k];
    for (int ring = 0; ring <= kRings; ++ring) {
        const int ways = ring == 0 ? 1 : data.space ? 14 : kWays;
        for (int i = 0; i < ways; ++i) {
            place = wanted + direction(i, data.space) * (kRing * data.spacing * ring);
            if (goal.apart_from(place, least, k) && goal.free(place)) return true;
        }
    }
    for (std::size_t i = data.track.size(); i-- > 0;) {
        place = data.track[i].at.position;
        if (goal.apart_from(place, least, k)) return true;
    }
    return false;
}

}  // namespace

void lay_places(FormationData& data, const CrowdWorld& world) {
    const TrackPoint& last = data.track[data.track.size() - 1];
    Vec3 ahead = last.ahead;
    Vec3 left = last.left;
    if (data.end.has_heading) {
        const math::SinCos turn = math::sin_cos(math::wrap_pi(data.end.heading_rad));
        ahead = {turn.cos, turn.sin, 0.0};
        left = {-turn.sin, turn.cos, 0.0};
    }
    const Vec3 up = data.space ? cross(ahead, left) : Vec3{};
    lay_slots(data, Fit{});
    (void)data.places.resize(data.members.size());  // room was made when they joined
    Goal goal(data, world);
    for (std::size_t k = 0; k < data.places.size(); ++k) {
        const FormationSlot& slot = data.slots[k];
        data.places[k] = last.at.position + ahead * slot.ahead + left * slot.left + up * slot.up;
        const double least = kApartLeast * data.radius;
        if (goal.apart_from(data.places[k], least, k) && goal.free(data.places[k])) goal.take(k);
    }
    for (std::size_t k = 0; k < data.places.size(); ++k) {
        if (goal.taken(k)) continue;
        Vec3 place = last.at.position;
        if (find_place(data, goal, k, place)) goal.take(k);
        data.places[k] = goal.taken(k) ? place : last.at.position;
    }
}

}  // namespace fairlead::crowd
