// Turning units with limited acceleration.

#include "cli/speed.h"

#include <fmt/format.h>

#include <fairlead/formats/routes.h>

#include "cli/failure.h"
#include "cli/flags.h"
#include "cli/text.h"
#include "measure/clock.h"

namespace fairlead::cli {

namespace {

constexpr const char* kOnlyWithSpeed[] = {"--accel",         "--brake",       "--lateral-accel",
                                          "--reverse-speed", "--start-speed", "--goal-speed",
                                          "--cusp-seconds",  "--levels"};
// What these planners do not have.
constexpr const char* kNotWithSpeed[] = {"--reverse-penalty", "--cusp-penalty", "--corners",
                                         "--facings",         "--roads",        "--drive-heuristic"};

double number(const char* flag, const std::string& text, double otherwise) {
    return text.empty() ? otherwise : to_number(flag, text);
}

std::string query_error(const Error& error, const SpeedTable& times) {
    if (error.field == Field::goal_speed) {
        std::string levels;
        for (std::int32_t i = 0; i < times.levels(); ++i)
            levels += (i > 0 ? ", " : "") + text_of(times.speed(i));
        return fmt::format("--goal-speed: not one of the levels {} (or any)", levels);
    }
    if (error.field == Field::start_speed) return "--start-speed: not between 0 and --speed";
    return flag_error_text(error);
}

}  // namespace

bool is_timed_planner(const std::string& name) { return name == "weighted_timed" || name == "timed_lattice"; }

void SpeedFlags::add(CLI::App& app) {
    app_ = &app;
    const auto option = [&](const char* flag, std::string& text, const char* what) {
        app.add_option(flag, text, what)->group("Speed");
    };
    option("--speed", speed_, "With --turning-radius: the quickest way for a unit with this top speed");
    option("--accel", accel_, "With --speed: how hard it can speed up (default 2)");
    option("--brake", brake_, "With --speed: how hard it can brake (default 4)");
    option("--lateral-accel", lateral_, "With --speed: the most of speed^2 / radius in turns (default 3)");
    option("--reverse-speed", reverse_, "With --speed: top speed in reverse (default: --speed)");
    option("--cusp-seconds", cusp_, "With --speed: a change of gear takes so long (default 0.5)");
    option("--start-speed", start_, "With --speed: how fast it is at the start (default 0)");
    option("--goal-speed", goal_,
           "With --speed: how fast at the goal: one of the levels, or any (default 0)");
    option("--turn-rate", turn_rate_,
           "With --turning-radius and --speed: it may turn on the spot by so many degrees a second; a turn "
           "costs what it "
           "drives in that time");
    app.add_option("--levels", levels_, "With --speed: levels of speed in the search, 3 to 16 (default 8)")
        ->group("Speed");
}

void SpeedFlags::refuse(const std::string& who) const {
    if (turns()) fail(fmt::format("--turn-rate: with --speed, and {}", who.empty() ? "not alone" : who));
    if (given()) fail(fmt::format("--speed: {}", who));
    for (const char* flag : kOnlyWithSpeed) {
        if (app_ != nullptr && app_->get_option(flag)->count() > 0)
            fail(fmt::format("{}: only with --speed", flag));
    }
}

void SpeedFlags::check(const PlannerFlags& planner) const {
    const std::string& name = planner.name();
    if (turns() && !speed_.empty()) return check_turns(planner);
    if (!given()) {
        if (is_timed_planner(name)) fail(fmt::format("--planner: {} needs a --speed", name));
        return refuse("");
    }
    if (name != "auto" && !is_timed_planner(name)) {
        fail(fmt::format(
            "--planner: {} plans no speeds; with --speed there are auto, weighted_timed, timed_lattice",
            name));
    }
    for (const char* flag : kNotWithSpeed) {
        if (app_->get_option(flag)->count() > 0) fail(fmt::format("{}: not with --speed", flag));
    }
}

void SpeedFlags::check_turns(const PlannerFlags& planner) const {
    for (const char* flag : kOnlyWithSpeed) {
        if (app_->get_option(flag)->count() > 0)
            fail(fmt::format("{}: not with --turn-rate, where the speed is always --speed", flag));
    }
    if (app_->get_option("--pivot-penalty")->count() > 0)
        fail("--pivot-penalty: --turn-rate says it already");
    if (is_timed_planner(planner.name()))
        fail(fmt::format("--planner: {} plans no turns on the spot; not with --turn-rate", planner.name()));
}

double SpeedFlags::pivot_penalty(double cell_size) const {
    const double speed = to_number("--speed", speed_);
    const double rate = to_number("--turn-rate", turn_rate_);
    if (!(speed > 0.0)) fail(fmt::format("--speed: {} is not above 0", speed_));
    if (!(rate > 0.0)) fail(fmt::format("--turn-rate: {} is not above 0", turn_rate_));
    const double penalty = speed / (rate * (kPi / 180.0));
    const double tiles = penalty / cell_size;
    if (tiles < 0.05 || tiles > 1000.0)
        fail(fmt::format("--turn-rate: a radian takes as long as {} tiles, which is not 0.05 to 1000",
                         text_of(tiles)));
    return penalty;
}

SpeedLimits SpeedFlags::limits() const {
    SpeedLimits out;
    out.speed_max = number("--speed", speed_, out.speed_max);
    out.reverse_speed_max = number("--reverse-speed", reverse_, out.reverse_speed_max);
    out.accel_max = number("--accel", accel_, out.accel_max);
    out.brake_max = number("--brake", brake_, out.brake_max);
    out.lateral_accel_max = number("--lateral-accel", lateral_, out.lateral_accel_max);
    out.cusp_seconds = number("--cusp-seconds", cusp_, out.cusp_seconds);
    return out;
}

TimedQuery SpeedFlags::query(const DriveQuery& drive, const PlannerFlags& planner) const {
    TimedQuery out;
    out.start = drive.start;
    out.goal = drive.goal;
    out.expansions_max = drive.expansions_max;
    out.smooth = drive.smooth;
    out.partial = drive.partial;
    out.planner = planner.name() == "timed_lattice" ? TimedPlanner::lattice : TimedPlanner::weighted;
    if (const std::optional<double> epsilon = planner.epsilon()) {
        if (out.planner == TimedPlanner::lattice)
            fail("--epsilon: timed_lattice gives the best of its routes; weighted_timed takes an epsilon");
        out.epsilon = *epsilon;
    }
    out.start_speed = number("--start-speed", start_, 0.0);
    out.goal_speed = goal_ == "any" ? kAnySpeed : number("--goal-speed", goal_, 0.0);
    if (goal_ != "any" && out.goal_speed < 0.0) fail(fmt::format("--goal-speed: {} is negative", goal_));
    return out;
}

std::uint64_t solve_timed(const DriveWorld& world, const SpeedFlags& flags, const TimedQuery& query,
                          Route& way) {
    const Result<SpeedTable> times =
        SpeedTable::make(world.map().state().table(), flags.limits(), flags.levels());
    if (!times) fail(flag_error_text(times.error()));
    TimedQuery ask = query;
    ask.times = &*times;
    ask.blockers = world.query_blockers();
    Scratch scratch;
    const std::uint64_t before = measure::thread_ns();
    const Result<void> done = find_route_into(world.map(), ask, scratch, way);
    const std::uint64_t after = measure::thread_ns();
    if (!done) fail(query_error(done.error(), *times));
    return after - before;
}

std::string timed_json(std::int64_t id, const Route& way, std::uint64_t ns) {
    std::string line;
    formats::append_route(line, id, way, ns);
    if (way.status != PathStatus::complete) return line;
    while (!line.empty() && line.back() != '}') line.pop_back();
    line.pop_back();
    line += fmt::format(",\"seconds\":{},\"speeds\":[", text_of(way.cost));
    for (std::size_t i = 0; i < way.speeds.size(); ++i) {
        const SpeedKnot& knot = way.speeds[i];
        line += fmt::format("{}[{},{},{},{}]", i > 0 ? "," : "", text_of(knot.distance), text_of(knot.time),
                            text_of(knot.speed), text_of(knot.slowdown));
    }
    return line + "]}\n";
}

std::string timed_text(const Route& way) {
    if (way.too_fast) return "the poses are joined, but not at these speeds: --start-speed, --goal-speed";
    return {};
}

}  // namespace fairlead::cli
