// The flags that describe the unit.

#include "cli/unit.h"

#include <cmath>

#include <fmt/format.h>

#include "cli/ends.h"
#include "cli/failure.h"
#include "cli/text.h"

namespace fairlead::cli {

void LaterFlags::add(CLI::App& app, const std::string& flag, const std::string& reason, bool takes_value) {
    CLI::Option* option = takes_value ? app.add_option(flag) : app.add_flag(flag);
    option->description("refused: " + reason);
    option->group("Not in this version");
    flags_.push_back({option, flag, reason});
}

void LaterFlags::refuse() const {
    for (const Flag& flag : flags_) {
        if (flag.option->count() > 0)
            fail(fmt::format("{}: not in this version: {}", flag.name, flag.reason));
    }
}

CLI::Option* DriverFlags::number(CLI::App& app, const std::string& flag, std::string& text,
                                 const std::string& what) {
    CLI::Option* option = app.add_option(flag, text, what);
    option->group("Unit");
    return option;
}

void DriverFlags::add(CLI::App& app) {
    number(app, "--length", length_,
           "From end to end: of a rectangle with --width, of a capsule with --radius; it turns with the "
           "heading");
    number(app, "--width", width_, "Across a rectangle");
    number(app, "--axle-offset", axle_offset_,
           "From the axle, whose path a route is, forward to the body's middle");
    number(app, "--turning-radius", turning_radius_,
           "Of the tightest circle (default 0: it turns on the spot)");
    app.add_flag("--reverse", reverse_, "It may drive backward")->group("Unit");
    app.add_flag("--pivot", pivot_, "With --turning-radius: it may also turn on the spot")->group("Unit");
    app.add_option("--facings", facings_, "Drive legs face one of so many directions: 8, 16 or 32")
        ->group("Unit");
}

void DriverFlags::read_body(Agent& agent) const {
    if (length_.empty()) {
        if (!width_.empty()) fail("--width: a rectangle has a --length too");
        if (!axle_offset_.empty()) fail("--axle-offset: only of a body with a --length");
        return;
    }
    if (agent.footprint > 0) fail("--length and --footprint exclude each other");
    agent.length = to_number("--length", length_);
    if (!(agent.length > 0)) fail(fmt::format("--length: {} is not above 0", length_));
    if (!width_.empty()) {
        if (agent.radius > 0) fail("--radius and --width exclude each other");
        agent.shape = BodyShape::box;
        agent.width = to_number("--width", width_);
        if (!(agent.width > 0)) fail(fmt::format("--width: {} is not above 0", width_));
    } else {
        agent.shape = BodyShape::capsule;
        if (agent.length < 2 * agent.radius)
            fail(fmt::format("--length: {} is less than twice --radius", length_));
    }
    if (!axle_offset_.empty()) agent.axle_offset = to_number("--axle-offset", axle_offset_);
    if (std::abs(agent.axle_offset) > agent.length)
        fail(fmt::format("--axle-offset: {} is more than --length", axle_offset_));
    if (agent.shape == BodyShape::capsule && !(agent.radius > 0))
        fail("--length: also needs --width (a rectangle) or --radius (a capsule)");
}

void DriverFlags::read(Agent& agent) const {
    read_body(agent);
    if (!turning_radius_.empty()) agent.turning_radius = to_number("--turning-radius", turning_radius_);
    if (agent.turning_radius < 0) fail(fmt::format("--turning-radius: {} is negative", turning_radius_));
    agent.can_reverse = reverse_;
    agent.can_pivot = pivot_;
    if (facings_ && *facings_ < 1) fail(fmt::format("--facings: {} is not above 0", *facings_));
}

void UnitFlags::add_all(CLI::App& app, bool speeds) {
    radius_option_ =
        app.add_option("--radius", radius_, "Radius of the unit's disc, in world units (default 0: a point)");
    app.add_option("--footprint", footprint_, "Side of a square unit, in whole tiles, 1 to 64");
    for (CLI::Option* option : {radius_option_, app.get_option("--footprint")}) option->group("Unit");
    driver_.add(app);

    app.add_option("--height", height_,
                   "In volumes: from the lowest to the highest point, an upright capsule with --radius "
                   "(default 0: a sphere)")
        ->group("Unit");
    if (!speeds) {
        for (const char* flag : {"--speed", "--accel", "--lateral-accel"})
            later_.add(app, flag, "speeds are planned by `route` only");
        later_.add(app, "--turn-rate",
                   "it goes with --speed, which `route` alone takes; --pivot-penalty says the same");
    }
}

void UnitFlags::add(CLI::App& app, bool speeds) {
    plans_ = true;
    add_all(app, speeds);
    app.add_option(
           "--climb", climb_,
           "Degrees that a unit with a --turning-radius climbs and sinks at most in a volume (default 30)")
        ->group("Unit");
}

void UnitFlags::add_to_judge(CLI::App& app) {
    add_all(app, false);
    const std::string why = "what a route costs is not judged";
    later_.add(app, "--reverse-penalty", why);
    later_.add(app, "--cusp-penalty", why);
    later_.add(app, "--pivot-penalty", why);
    later_.add(app, "--climb", "how steeply a route climbs is not judged");
}

void UnitFlags::check_planned(const Agent& agent) const {
    if (facings() > 0) {
        if (facings() != 8 && facings() != 16 && facings() != 32)
            fail(fmt::format("--facings: {} is not 8, 16 or 32", facings()));
        if (!(agent.turning_radius > 0))
            fail("--facings: only for units with a --turning-radius above 0, or to verify");
    }
    if (agent.turning_radius > 0) return;
    if (agent.footprint == 0 && agent.shape != BodyShape::disc)
        fail("--length: a body that turns with its heading needs a --turning-radius above 0");
    if (agent.can_pivot)
        fail("--pivot: only for units with a --turning-radius above 0; others turn on the spot anyway");
    if (agent.can_reverse) fail("--reverse: only for units with a --turning-radius above 0");
}

Agent UnitFlags::agent() const {
    if (!height_.empty()) fail("--height: of units in volumes only");
    return agent_in_volume();
}

Agent UnitFlags::agent_in_volume() const {
    if (!climb_.empty()) fail("--climb: for units with a --turning-radius in volumes only");
    return read();
}

Flyer UnitFlags::flyer() const {
    Flyer unit{.agent = read()};
    if (climb_.empty()) return unit;
    if (!(unit.agent.turning_radius > 0)) fail("--climb: only for units with a --turning-radius above 0");
    const double climb = to_number("--climb", climb_) * kRadPerDeg;
    if (!(climb > 0.0 && climb <= kClimbMax))
        fail(fmt::format("--climb: {} is not above 0 and at most {:.0f} degrees", climb_,
                         kClimbMax / kRadPerDeg));
    unit.climb = {climb, climb};
    return unit;
}

Agent UnitFlags::read() const {
    later_.refuse();
    Agent agent;
    if (footprint_ && radius_option_->count() > 0) fail("--radius and --footprint exclude each other");
    if (footprint_) {
        if (*footprint_ < 1 || *footprint_ > 64)
            fail(fmt::format("--footprint: {} is not 1 to 64", *footprint_));
        agent.footprint = *footprint_;
    }
    if (radius_option_->count() > 0) {
        agent.radius = to_number("--radius", radius_);
        if (agent.radius < 0) fail(fmt::format("--radius: {} is negative", radius_));
    }
    if (!height_.empty()) {
        agent.height = to_number("--height", height_);
        if (agent.height < 0) fail(fmt::format("--height: {} is negative", height_));
        if (agent.height > 0 && agent.height < 2 * agent.radius)
            fail(fmt::format("--height: {} is less than twice --radius", height_));
    }
    driver_.read(agent);
    if (plans_) check_planned(agent);
    return agent;
}

}  // namespace fairlead::cli
