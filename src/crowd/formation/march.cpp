// A formation's update: what shape fits here and ahead; the leader, as fast as all follow; gaps that only one fits through; the goal.
#include <limits>
#include <utility>

#include "crowd/formation/march.h"

namespace fairlead::crowd {

namespace {

constexpr std::size_t kMeasureAtOnce = 16;
constexpr double kFarFirst = 12.0;   // spacings from its slot at the start: nobody waits for that one
constexpr double kSpeedPart = 0.95;  // of the slowest: so that who is behind comes up
constexpr double kWaitsFrom = 0.25;  // spacings that one is behind
constexpr double kWaitsAt = 2.0;
constexpr double kSwapEvery = 3.0;  // seconds without progress
constexpr double kLateAfter = 8.0;
constexpr double kGapStalls = 12.0;
constexpr double kBeside = 1.3;     // of both radii
constexpr double kBehindGap = 0.5;  // spacings
constexpr double kSameRow = 0.1;
constexpr double kStaysWide = 6.0;    // spacings more than it is deep
constexpr double kOpensOut = 5.0;     // spacings
constexpr double kNarrowAhead = 8.0;  // spacings

bool outside(const FormationMember& member) { return member.late || member.lost; }

void forget_gone(FormationData& data, const Crowd& crowd) {
    std::size_t kept = 0;
    for (const FormationMember& member : data.members) {
        if (crowd.contains(member.id)) data.members[kept++] = member;
    }
    if (kept != data.members.size()) data.changed = true;
    while (data.members.size() > kept) data.members.pop_back();
}

void locate(FormationData& data, const Crowd& crowd) {
    for (std::size_t i = 0; i < data.members.size(); ++i) {
        FormationMember& member = data.members[i];
        // where it was pushed to another stretch of the route
        const bool everywhere = member.late && (data.updates + i) % 32 == 0;
        member.along = find_along(data, crowd.unit(member.id).place.position, member.along, everywhere);
    }
}

double behind_gap(const FormationData& data) {
    if (data.gap_at_goal) {
        if (data.run_from < data.track.size()) return data.on(data.run_from) + kBehindGap * data.spacing;
        return data.length - static_cast<double>(data.members.size()) * data.spacing;
    }
    return data.on(data.gap_to) + kBehindGap * data.spacing;
}

void begin_closing(FormationData& data, const Crowd& crowd, const CrowdWorld& world) {
    data.phase = FormationPhase::closing;
    data.gap_at_goal = false;
    data.along = data.length;
    data.pace = 0.0;
    lay_places(data, world);
    assign_slots(data, crowd, world);
}

void begin_gap(FormationData& data, std::size_t from, Crowd& crowd, const CrowdWorld& world) {
    data.phase = FormationPhase::gap;
    data.gap_from = data.looked = data.run_from = data.whole_from = from;
    data.gap_to = FormationData::kNowhere;
    data.gap_at_goal = false;
    data.stalled_for = 0.0;
    data.pace = 0.0;
    for (FormationMember& member : data.members) {
        member.slot = kNone;
        member.moved = {};
        if (!member.by_route) go_by_route(data, member, crowd, world);
    }
}

/// Where the formation has room again: wide for as long as it is deep, and further, so that it does not break at once.
void look_for_end_of_gap(FormationData& data, const CrowdWorld& world) {
    const double beyond = kStaysWide * data.spacing;
    for (; data.looked < data.measured; ++data.looked) {
        const Fit here = fit_at(data, data.looked);
        if (!here.whole) data.whole_from = data.looked + 1;
        if (here.single()) data.run_from = data.looked + 1;
        const double at = data.on(data.looked);
        Fit fit{};
        std::size_t from = data.whole_from;
        if (at - data.on(from) < depth_of(data, fit) + beyond) {
            // files, if it is not only for the little way that a gap takes to open out
            from = data.run_from + data.point_at(kOpensOut * data.spacing);
            if (from > data.looked) continue;
            fit = fit_between(data, data.on(from), at);
            if (fit.whole || at - data.on(from) < depth_of(data, fit) + beyond) continue;
        }
        data.gap_to = from;
        lay_slots(data, fit);
        data.along = data.on(from) + depth_of(data, fit) + data.spacing;
        lay_beside(data, data.on(from));
        return;
    }
    if (data.looked < data.track.size()) return;
    data.gap_to = data.run_from;
    data.gap_at_goal = true;
    data.along = data.length;
    lay_places(data, world);
}

/// The foremost free slot; of those of a row the nearest.
void take_foremost(FormationData& data, FormationMember& member, Vec3 p, const CrowdWorld& world) {
    const TrackPoint& gate = data.track[data.point_at(behind_gap(data))];
    double foremost = -std::numeric_limits<double>::infinity();
    double nearest = 0.0;
    for (std::uint32_t k = 0; k < data.slots.size(); ++k) {
        bool taken = false;
        for (const FormationMember& other : data.members) taken = taken || other.slot == k;
        if (taken) continue;
        const Vec3 place = place_of_slot(data, k, &world);
        const double ahead =
            data.gap_at_goal ? dot(place - gate.at.position, gate.ahead) : data.slots[k].ahead;
        const double apart = data.apart(place, p);
        const double more = ahead - foremost;
        const double same = kSameRow * data.spacing;
        if (more < -same || (more <= same && apart >= nearest)) continue;
        foremost = ahead > foremost ? ahead : foremost;
        nearest = apart;
        member.slot = k;
    }
    member.best = std::numeric_limits<double>::infinity();
    data.stalled_for = 0.0;
}

void pass_gap(FormationData& data, double seconds, const Crowd& crowd, const CrowdWorld& world) {
    if (data.gap_to == FormationData::kNowhere) {
        look_for_end_of_gap(data, world);
        if (data.gap_to == FormationData::kNowhere) return;
    }
    data.stalled_for += seconds;
    bool all = true;
    const double gate = behind_gap(data);
    for (FormationMember& member : data.members) {
        if (member.slot == kNone && member.along >= gate)
            take_foremost(data, member, crowd.unit(member.id).place.position, world);
        if (member.slot != kNone) continue;
        if (member.stood_for > kLateAfter && data.stalled_for > kGapStalls) member.late = true;
        if (!outside(member)) all = false;
    }
    if (!all) return;
    if (data.gap_at_goal) {
        begin_closing(data, crowd, world);
        return;
    }
    data.phase = FormationPhase::march;
    assign_slots(data, crowd, world);
}

bool wider_than(const Fit& a, const Fit& b) { return !b.whole && (a.whole || a.across > b.across); }

/// The first place that a wall keeps apart from the one before.
std::size_t first_closed(const FormationData& data, std::size_t from, std::size_t to) {
    for (std::size_t i = from; i <= to && i < data.measured; ++i) {
        if (!data.track[i].open) return i;
    }
    return FormationData::kNowhere;
}

/// The end of the narrower stretch that begins before `to`, and the first place in it where only one fits.
std::size_t end_of_narrow(const FormationData& data, double from, double to, std::size_t& single) {
    single = FormationData::kNowhere;
    std::size_t i = data.point_at(from);
    const std::size_t last = data.point_at(to);
    const std::size_t most = data.point_at(to + kNarrowAhead * data.spacing);
    // before a wall across the route it is no narrower, though rays meet it
    const double wide = data.shape_high.left - data.shape_low.left + 2.0 * data.spacing;
    const std::size_t closed = first_closed(data, i, most + data.point_at(wide));
    const std::size_t till =
        closed == FormationData::kNowhere ? most + 1 : data.point_at(data.on(closed) - wide);
    for (; i < data.measured && i <= most && i < till; ++i) {
        const Fit fit = fit_at(data, i);
        if (fit.single() && single == FormationData::kNowhere) single = i;
        if (i > last && fit.whole) break;
    }
    return i > 0 ? i - 1 : 0;
}

/// The shape that fits from the last unit to what lies ahead.
void fit_shape(FormationData& data, Crowd& crowd, const CrowdWorld& world) {
    const double from = data.along + data.low.ahead - 0.5 * data.spacing;
    double to = data.along + data.lookahead();
    std::size_t single = 0;
    const std::size_t end = end_of_narrow(data, from, to, single);
    if (single <= data.point_at(to)) {
        begin_gap(data, single, crowd, world);
        return;
    }
    // what is before a gap that all must go through one by one is not worth a shape of its own
    Fit fit = single != FormationData::kNowhere ? data.fit : fit_between(data, from, data.on(end));
    if (wider_than(fit, data.fit) && !data.changed) {  // only if it stays so for a while
        to += 4.0 * data.spacing + depth_of(data, fit);
        const Fit later = fit_between(data, from, to);
        if (later != fit) fit = data.fit;
    }
    if (fit == data.fit && !data.changed) return;
    lay_slots(data, fit);
    lay_beside(data, from);
    assign_slots(data, crowd, world);
}

/// The way to where the route is open, at most as far as the leader looks.
double open_way(const FormationData& data) {
    const std::size_t first = data.point_at(data.along) + 1;
    const std::size_t closed = first_closed(data, first, data.point_at(data.along + data.lookahead()));
    if (closed == FormationData::kNowhere) return std::numeric_limits<double>::infinity();
    return data.on(closed - 1) - data.along;
}

/// How far the leader goes: no slot faster than the slowest unit, and slower the farther one is behind.
void lead(FormationData& data, double seconds) {
    double part = 1.0;
    for (const FormationMember& member : data.members) {
        // before the route begins there may be no room for all
        if (outside(member) || data.along + data.slots[member.slot].ahead < 0.0) continue;
        const double behind = (member.lag / data.spacing - kWaitsFrom) / (kWaitsAt - kWaitsFrom);
        if (1.0 - behind < part) part = behind < 1.0 ? 1.0 - behind : 0.0;
    }
    const double most = kSpeedPart * data.speed * seconds;
    double way = part * most;
    const double open = open_way(data);
    data.blocked = open < data.lookahead() && data.along + open < data.length;
    if (way > open) way = open > 0.0 ? open : 0.0;
    if (way > data.length - data.along) way = data.length - data.along;
    const double measured = data.on(data.measured - 1);
    if (data.measured < data.track.size() && data.along + way + data.lookahead() > measured) way = 0.0;
    double farthest = way;
    for (const FormationSlot& slot : data.slots) {
        const Vec3 before = slot_place(data, slot, data.along, nullptr);
        const double moved = data.apart(before, slot_place(data, slot, data.along + way, nullptr));
        if (moved > farthest) farthest = moved;
    }
    if (farthest > most) way *= most / farthest;
    data.along += way;
    data.pace = way / seconds;
}

/// Two that stand side by side and want past each other where there is no room to.
FormationMember* also_stuck(FormationData& data, const FormationMember& member, Vec3 p, const Crowd& crowd) {
    for (FormationMember& one : data.members) {
        if (&one == &member || one.slot == kNone || one.by_route || one.lag < one.radius) continue;
        if (one.stood_for < 0.5 * kSwapEvery) continue;
        const double both = kBeside * (member.radius + one.radius);
        if (data.apart(p, crowd.unit(one.id).place.position) < both) return &one;
    }
    return nullptr;
}

/// Who does not get to its slot changes with another one, if that makes the sum of squares less.
void change_slots(FormationData& data, FormationMember& member, const Crowd& crowd) {
    const Vec3 p = crowd.unit(member.id).place.position;
    FormationMember* other = nullptr;
    double best = 0.0;
    const auto square = [&](Vec3 a, Vec3 b) {
        const double way = data.apart(a, b);
        return way * way;
    };
    for (FormationMember& one : data.members) {
        const Vec3 q = crowd.unit(one.id).place.position;
        if (&one == &member || one.slot == kNone || one.by_route) continue;
        const double gain = square(p, member.target) + square(q, one.target) - square(p, one.target) -
                            square(q, member.target);
        if (gain <= best) continue;
        best = gain;
        other = &one;
    }
    if (other == nullptr) other = also_stuck(data, member, p, crowd);
    if (other == nullptr) return;
    std::swap(member.slot, other->slot);
    member.moved = other->moved = {};
    other->best = member.best = std::numeric_limits<double>::infinity();
}

void help_the_stuck(FormationData& data, double seconds, Crowd& crowd, const CrowdWorld& world) {
    for (FormationMember& member : data.members) {
        if (member.slot == kNone) continue;
        const double stood = member.stood_for;
        if (data.phase != FormationPhase::gap && member.late_for > kLateAfter) member.late = true;
        if (member.by_route || member.lag < member.radius) continue;
        if (member.around &&
            stood > kSwapEvery) {  // where many press on a narrow place the crowd has an order
            go_by_route(data, member, crowd, world);
            continue;
        }
        const auto turns = static_cast<std::int64_t>(stood / kSwapEvery);
        if (turns > 0 && static_cast<std::int64_t>((stood - seconds) / kSwapEvery) < turns)
            change_slots(data, member, crowd);
    }
}

bool all_there(const FormationData& data) {
    bool any = false;
    for (const FormationMember& member : data.members) {
        if (member.lost) continue;
        if (member.by_route || member.slot == kNone || member.lag > member.radius) return false;
        any = true;
    }
    return any;
}

void aim_at_slots(FormationData& data, double seconds, const CrowdWorld& world) {
    for (FormationMember& member : data.members) {
        if (member.slot == kNone) continue;
        const Vec3 before = member.target;
        const bool fresh = member.best == std::numeric_limits<double>::infinity();
        member.target = place_of_slot(data, member.slot, &world);
        Vec3 moved = fresh || data.pace == 0.0 ? Vec3{} : (member.target - before) / seconds;
        if (!data.space) moved.z = 0.0;
        const double speed = length(moved);
        member.moved = speed > data.speed ? moved * (data.speed / speed) : moved;
    }
}

}  // namespace

void start_march(FormationData& data, Crowd& crowd, const CrowdWorld& world) {
    data.phase = FormationPhase::march;
    data.arrived = data.blocked = false;
    data.gap_at_goal = false;
    double middle = 0.0;
    const auto n = static_cast<double>(data.members.size());
    for (FormationMember& member : data.members) {
        member.along = find_along(data, crowd.unit(member.id).place.position, 0.0, true);
        middle += member.along / n;
    }
    for (const FormationSlot& slot : data.slots) middle -= slot.ahead / n;
    data.along = middle < 0.0 ? 0.0 : middle < data.length ? middle : data.length;
    measure_track(data, world, data.point_at(data.along + data.lookahead()) + kMeasureAtOnce);
    data.changed = true;
    fit_shape(data, crowd, world);
    data.changed = false;
    for (FormationMember& member : data.members) {
        member.late = member.lost = false;
        member.stood_for = member.hidden_for = member.late_for = 0.0;
        if (member.slot == kNone) continue;
        const Vec3 slot = place_of_slot(data, member.slot, &world);
        member.by_route = member.own_route = member.around = false;
        member.nearest = data.apart(crowd.unit(member.id).place.position, slot);
        member.late = member.nearest > kFarFirst * data.spacing;
    }
}

void march_on(FormationData& data, double seconds, Crowd& crowd, const CrowdWorld& world) {
    ++data.updates;
    forget_gone(data, crowd);
    if (data.phase == FormationPhase::idle || data.members.empty()) return;
    if (data.changed) measure_units(data, crowd);
    const std::size_t known = data.measured;
    const double needed = data.along + data.depth() + 2.0 * data.lookahead() + 8.0 * data.spacing;
    if (data.anew) {  // what is around it at once
        const std::size_t last = data.point_at(data.along + data.lookahead());
        if (data.measured <= last) measure_track(data, world, last - data.measured + 1);
        data.anew = false;
        for (FormationMember& member : data.members) {  // the crowd has forgotten the order of narrow places
            if (member.by_route && !member.own_route) go_by_route(data, member, crowd, world);
        }
    }
    const bool looks = data.phase == FormationPhase::gap && data.gap_to == FormationData::kNowhere;
    if (looks || data.on(data.measured) < needed) measure_track(data, world, kMeasureAtOnce);
    if (known != data.measured && data.phase == FormationPhase::march)
        lay_beside(data, data.along + data.low.ahead - data.spacing);
    locate(data, crowd);
    if (data.changed && data.phase == FormationPhase::gap) begin_gap(data, data.gap_from, crowd, world);
    if (data.phase == FormationPhase::march) fit_shape(data, crowd, world);
    if (data.phase == FormationPhase::gap) {
        data.blocked =
            first_closed(data, data.gap_from, data.point_at(data.along)) != FormationData::kNowhere;
        pass_gap(data, seconds, crowd, world);
    }
    if (data.phase == FormationPhase::closing && data.changed) begin_closing(data, crowd, world);
    data.changed = false;
    if (data.phase == FormationPhase::march) {
        lead(data, seconds);
        if (data.along >= data.length) begin_closing(data, crowd, world);
    }
    help_the_stuck(data, seconds, crowd, world);
    aim_at_slots(data, seconds, world);
    for (FormationMember& member : data.members) guide_member(data, member, seconds, crowd, world);
    data.arrived = data.phase == FormationPhase::closing && all_there(data);
}

void look_anew(FormationData& data) {
    if (data.phase == FormationPhase::idle) return;
    const double back = data.along + data.low.ahead - 2.0 * data.spacing;
    const std::size_t first = data.phase == FormationPhase::gap ? data.gap_from : data.point_at(back);
    if (first < data.measured) data.measured = first;
    data.changed = data.anew = true;
}

}  // namespace fairlead::crowd
