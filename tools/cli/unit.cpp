// The flags that describe the unit.

#include "cli/unit.h"

#include <fmt/format.h>

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

void UnitFlags::add(CLI::App& app) {
    radius_option_ =
        app.add_option("--radius", radius_, "Radius of the unit's disc, in world units (default 0: a point)");
    app.add_option("--footprint", footprint_, "Side of a square unit, in whole tiles, 1 to 64");
    for (CLI::Option* option : {radius_option_, app.get_option("--footprint")}) option->group("Unit");

    const std::string body = "bodies are discs and squares of tiles";
    const std::string turning = "units turn on the spot";
    const std::string speed = "routes have no speeds";
    later_.add(app, "--length", body);
    later_.add(app, "--width", body);
    later_.add(app, "--height", "worlds are flat");
    later_.add(app, "--turning-radius", turning);
    later_.add(app, "--reverse", turning, false);
    later_.add(app, "--reverse-penalty", turning);
    later_.add(app, "--cusp-penalty", turning);
    later_.add(app, "--speed", speed);
    later_.add(app, "--accel", speed);
    later_.add(app, "--lateral-accel", speed);
    later_.add(app, "--turn-rate", speed);
    later_.add(app, "--climb", "worlds are flat");
    later_.add(app, "--facings", turning);
}

Agent UnitFlags::agent() const {
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
    return agent;
}

}  // namespace fairlead::cli
