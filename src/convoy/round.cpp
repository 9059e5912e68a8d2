// A round of planning: fields of new goals, the order, one plan after the other. Who finds none goes to the head of the order and all
// begin again; who finds none at the head, or after half of the tries, keeps its old plan, which no other old plan
// comes near.
//
// Tracks. Of who is planned its new plan, of who is not what it drives until its new plan begins, of who is not planned in this round its
// old plan.
#include <algorithm>

#include "convoy/convoy_data.h"

namespace fairlead::convoy {

namespace {

constexpr double kIntervals = 4.0;    // of a window
constexpr double kFirstLead = 0.125;  // of an interval, where nobody moves
constexpr double kLeadMax = 2.0;
constexpr std::uint64_t kSweep = 256;  // poses at a time
constexpr double kProgress = 0.25;     // seconds nearer to the goal

const drive::MapData& map_of(const ConvoyData& data, const Unit& unit) {
    return data.kinds[unit.kind]->map->data();
}

bool stands_at_goal(const Unit& unit, const Stop& stop) {
    if (unit.target == nullptr) return false;
    const Target& target = *unit.target;
    if (target.has_ramp) return stop.off && stop.at == target.goal;
    return !stop.off && stop.level == 0 && stop.x == target.last.x && stop.y == target.last.y &&
           stop.heading == target.last.heading;
}

bool moves_on(const Unit& unit, double now) {
    for (std::size_t i = unit.plan.course_at(now); i < unit.plan.courses.size(); ++i) {
        const Course& course = unit.plan.courses[i];
        if (!course.stands() && course.end > now) return true;
    }
    return false;
}

bool has_work(const ConvoyData& data) {
    for (const Unit* unit : data.units) {
        if (!unit->used || (unit->target == nullptr && unit->next == nullptr)) continue;
        if (unit->next != nullptr) return true;
        if (unit->unreachable) continue;
        if (unit->new_target) return true;  // the round that was to look at it was late
        if (!stands_at_goal(*unit, unit->plan.courses.back().last) || moves_on(*unit, data.now)) return true;
    }
    return false;
}

// What is driven until the new plan begins, and where that is.
void find_root(Unit& unit, double at) {
    const std::size_t i = unit.plan.course_at(at);
    const Course& course = unit.plan.courses[i];
    unit.root = course.last;
    unit.root_course = i;
    unit.root_time = course.stands() || course.end <= at ? at : course.end;
}

bool start_fresh(Unit& unit, double at) {
    unit.fresh.clear();
    const Course& course = unit.plan.courses[unit.root_course];
    if (course.stands() || course.end <= at)
        return unit.fresh.stand(unit.root, std::min(course.start, at), at);
    return unit.fresh.append(unit.plan, unit.root_course, unit.root_course + 1);
}

void take_next_target(ConvoyData& data, Unit& unit) {
    if (!unit.used || unit.next == nullptr) return;
    drop_target(data, unit.target);
    unit.target = unit.next;
    unit.next = nullptr;
    unit.new_target = true;
    unit.unreachable = unit.target->walled;
}

void begin_round(ConvoyData& data) {
    Round& round = data.round;
    bool anyone = false;
    for (Unit* unit : data.units) {
        take_next_target(data, *unit);
        anyone = anyone || (unit->used && moves_on(*unit, data.now));
    }
    const double share = anyone || data.lead > 1.0 ? data.lead : kFirstLead;
    round = {};
    round.at = data.now + share * data.window() / kIntervals;
    round.stage = Stage::fields;
    ++data.report.rounds;
}

// True: all are done.
bool sweep_fields(ConvoyData& data, std::uint64_t& units) {
    Round& round = data.round;
    for (; round.next < data.units.size(); ++round.next) {
        Unit& unit = *data.units[round.next];
        if (!unit.used || unit.target == nullptr || unit.unreachable) continue;
        while (!unit.target->field.done()) {
            if (units == 0) return false;
            const std::uint64_t part = std::min(units, kSweep);
            (void)unit.target->field.step(part);
            units -= part;
            data.report.units += part;
        }
    }
    return true;
}

double rest_of_root(const ConvoyData& data, const Unit& unit) {
    if (stands_at_goal(unit, unit.root)) return 0.0;
    const MoveSet& moves = data.moves_of(unit);
    const drive::MapData& map = map_of(data, unit);
    const Stop& root = unit.root;
    if (!root.off) return field_seconds(map, moves, *unit.target, {root.x, root.y, root.heading, root.gear});
    double least = kNoWay;
    for (std::size_t i = 0; i < unit.exits.count; ++i) {
        const Ramp& ramp = unit.exits.list[i];
        const double seconds = ramp.cost * moves.radius() / moves.times().limits().speed_max;
        least = std::min(least, seconds + field_seconds(map, moves, *unit.target, ramp.at));
    }
    return least;
}

void prepare(ConvoyData& data, Unit& unit) {
    const Round& round = data.round;
    find_root(unit, round.at);
    unit.planned = Planned::fixed;
    unit.looked = false;
    if (unit.target == nullptr || unit.unreachable) return;
    if (unit.root.off && (unit.exits.count == 0 || !(unit.exits_from == unit.root.at) || unit.new_target)) {
        find_ramps(map_of(data, unit), data.kinds[unit.kind]->ground,
                   drive::MapFrame(map_of(data, unit)).in_cells(unit.root.at), true, &unit.target->last,
                   unit.exits);
        unit.exits_from = unit.root.at;
    }
    unit.looked = true;
    unit.rest = rest_of_root(data, unit);
    if (unit.new_target) unit.alone = unit.rest;
    if (unit.rest >= kNoWay) return;
    unit.late = unit.rest <= 0.0 ? -1.0 : (round.at - unit.sent_at + unit.rest) / std::max(unit.alone, 0.1);
    unit.planned = Planned::no;
}

bool fill_track(const ConvoyData& data, Unit& unit) {
    const MoveSet& moves = data.moves_of(unit);
    const double base = data.round.at;
    const double step = data.options.sample_seconds;
    switch (unit.planned) {
        case Planned::yes: return unit.track.fill(unit.fresh, moves.cover(), moves.radius(), base, step);
        case Planned::fixed: return unit.track.fill(unit.plan, moves.cover(), moves.radius(), base, step);
        case Planned::no:
            return unit.track.fill_until(unit.plan, moves.cover(), moves.radius(), base, step,
                                         unit.root_time);
    }
    return true;
}

bool find_order(ConvoyData& data) {
    Round& round = data.round;
    data.order.clear();
    round.end = round.at;
    for (std::uint32_t i = 0; i < data.units.size(); ++i) {
        Unit& unit = *data.units[i];
        if (!unit.used) continue;
        prepare(data, unit);
        if (!fill_track(data, unit)) return false;
        if (unit.planned == Planned::no && !data.order.push_back(i)) return false;
        round.end =
            std::max({round.end, unit.root_time, unit.planned == Planned::fixed ? unit.plan.end() : 0.0});
    }
    round.end += data.window();
    std::sort(data.order.begin(), data.order.end(), [&](std::uint32_t a, std::uint32_t b) {  // total order
        const double late_a = data.units[a]->late;
        const double late_b = data.units[b]->late;
        return late_a > late_b || (late_a == late_b && a < b);
    });
    round.next = 0;
    return true;
}

bool begin_search(ConvoyData& data, std::uint32_t who) {
    Unit& unit = *data.units[who];
    const MoveSet& moves = data.moves_of(unit);
    Array<Obstacle>& obstacles = data.planner.obstacles();
    obstacles.clear();
    const double seconds = data.round.end - data.round.at;
    for (std::uint32_t i = 0; i < data.units.size(); ++i) {
        const Unit& other = *data.units[i];
        if (i == who || !other.used) continue;
        const Cover& cover = other.track.cover();
        const double both = data.both(moves.cover(), cover);
        const double far =
            both + moves.cover().reach + cover.reach + (moves.cover().speed_max + cover.speed_max) * seconds;
        if (distance(unit.root.at.position, other.root.at.position) > far) continue;
        const bool open = other.planned == Planned::no;
        const double reach = moves.cover().radius + cover.radius + data.options.gap;
        if (!obstacles.push_back({&other.track, both, open, other.root.at.position, reach})) return false;
    }
    PlanAsk ask;
    ask.map = &map_of(data, unit);
    ask.moves = &moves;
    ask.target = unit.target;
    ask.exits = &unit.exits;
    ask.root = unit.root;
    ask.start = unit.root_time;
    ask.end = data.round.end;
    ask.weight = data.options.weight;
    ask.units_max = data.options.plan_units_max;
    data.round.searching = true;
    return data.planner.begin(ask);
}

bool take_plan(ConvoyData& data, Unit& unit) {
    if (!start_fresh(unit, data.round.at) || !data.planner.write(unit.fresh)) return false;
    unit.planned = Planned::yes;
    ++data.round.next;
    return fill_track(data, unit);
}

bool begin_again(ConvoyData& data) {
    Round& round = data.round;
    const std::uint32_t who = data.order[round.next];
    if (round.next == 0 || 2 * round.tries >= data.options.tries_max) {
        data.units[who]->planned = Planned::fixed;
        for (std::size_t i = round.next; i + 1 < data.order.size(); ++i) data.order[i] = data.order[i + 1];
        data.order.pop_back();
        if (!fill_track(data, *data.units[who])) return false;
    } else {
        for (std::size_t i = round.next; i > 0; --i) data.order[i] = data.order[i - 1];
        data.order[0] = who;
    }
    for (const std::uint32_t i : data.order) {
        if (data.units[i]->planned == Planned::no) continue;
        data.units[i]->planned = Planned::no;
        if (!fill_track(data, *data.units[i])) return false;
    }
    round.next = 0;
    ++data.report.tries;
    if (++round.tries > data.options.tries_max) {
        round.failed = true;
        round.stage = Stage::done;
    }
    return true;
}

bool plan_all(ConvoyData& data, std::uint64_t& units) {
    Round& round = data.round;
    while (round.stage == Stage::plans && units > 0) {
        if (round.next >= data.order.size()) {
            round.stage = Stage::done;
            break;
        }
        if (!round.searching && !begin_search(data, data.order[round.next])) return false;
        const std::uint64_t before = units;
        const PlanAnswer answer = data.planner.step(units);
        data.report.units += before - units;
        if (answer == PlanAnswer::running) break;
        round.searching = false;
        if (answer == PlanAnswer::no_memory) return false;
        const bool good = answer == PlanAnswer::found ? take_plan(data, *data.units[data.order[round.next]])
                                                      : begin_again(data);
        if (!good) return false;
    }
    return true;
}

// What the round found out counts from its end on, however it was sliced.
void note_progress(Unit& unit, double now) {
    if (!unit.used || !unit.looked) return;
    if (unit.new_target) {
        unit.new_target = false;
        unit.unreachable = unit.rest >= kNoWay;
        unit.best = unit.rest;
        unit.best_at = now;
    }
    if (unit.rest >= unit.best - kProgress) return;
    unit.best = unit.rest;
    unit.best_at = now;
}

}  // namespace

bool at_goal(const Unit& unit, double now) {
    const Course& course = unit.plan.courses[unit.plan.course_at(now)];
    return (course.stands() || course.end <= now) && stands_at_goal(unit, course.last);
}

bool work_on_round(ConvoyData& data, std::uint64_t& units) {
    Round& round = data.round;
    if (round.stage == Stage::none) {
        if (!has_work(data)) return true;
        begin_round(data);
    }
    if (round.stage == Stage::fields && sweep_fields(data, units)) round.stage = Stage::order;
    if (round.stage == Stage::order) {
        if (!find_order(data)) return false;
        round.stage = Stage::plans;
    }
    return round.stage != Stage::plans || plan_all(data, units);
}

void end_round(ConvoyData& data) {
    Round& round = data.round;
    const bool done = round.stage == Stage::done;
    for (Unit* unit : data.units) {
        if (done) note_progress(*unit, round.at);
    }
    if (done && !round.failed) {
        for (const std::uint32_t i : data.order) {
            Unit& unit = *data.units[i];
            if (unit.planned == Planned::yes) std::swap(unit.plan, unit.fresh);
        }
        ++data.report.adopted;
    }
    data.report.failed += done && round.failed ? 1 : 0;
    data.report.late += done ? 0 : 1;
    data.last_failed = !done || round.failed;
    data.lead = done ? 1.0 : std::min(kLeadMax, data.lead * 2.0);
    round.stage = Stage::none;
}

}  // namespace fairlead::convoy
