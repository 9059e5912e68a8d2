// See volume_fly.h.
#include "simulate/volume_fly.h"

#include <cmath>

#include <fairlead/fly/find_fly.h>
#include <fairlead/verify/verify_volume.h>
#include <fairlead/volume/find_route.h>

#include "simulate/searches.h"
#include "simulate/starved.h"
#include "simulate/volume_ask.h"
#include "simulate/why.h"

namespace fairlead::simulate {

namespace {

FlyQuery fly_query_of(const Step& step) {
    FlyQuery query;
    query.start = Spot(Position3(point_of(step, "start")), step.number("from_heading"));
    query.goal = Spot(Position3(point_of(step, "goal")), step.number("to_heading"));
    query.agent.radius = step.number("radius");
    query.agent.turning_radius = step.number("turning");
    if (step.has("half")) query.agent.height = 2.0 * (query.agent.radius + step.number("half"));
    if (step.has("length")) {
        query.agent.shape = BodyShape::box;
        query.agent.length = step.number("length");
        query.agent.width = step.number("width");
        query.agent.height = step.number("height");
        query.agent.axle_offset = step.number("offset");
    }
    if (step.has("climb")) query.climb = {step.number("climb"), step.number("climb")};
    query.smooth = !step.has("rough");
    query.partial = step.has("partial");
    query.expansions_max = step.count("budget", 60);
    return query;
}

bool good_fly_query(const FlyQuery& query) {
    const Spot& goal = query.goal.at;
    const Agent& agent = query.agent;
    const double climb = query.climb.up_rad;
    if (!check_body_in_space(agent)) return false;
    const bool box = agent.shape == BodyShape::box;
    if (box && !(agent.height > 0.0 && std::fabs(agent.axle_offset) <= 0.5 * agent.length)) return false;
    return is_finite(query.start.position) && is_finite(goal.position) &&
           std::isfinite(query.start.heading_rad) && std::isfinite(goal.heading_rad) &&
           (box || agent.radius >= 0.0) && std::isfinite(agent.radius) && agent.turning_radius > 0.0 &&
           std::isfinite(agent.turning_radius) && climb > 0.0 && climb <= kClimbMax;
}

// Numbers that a unit of the game may have: others may be refused.
bool plain(const FlyQuery& query) {
    const double turning = query.agent.turning_radius;
    const Agent& agent = query.agent;
    // Of bodies as thin as rounding, and as large as numbers, nobody judges.
    const double thinnest = agent.shape == BodyShape::box
                                ? std::min({agent.length, agent.width, agent.height})
                            : agent.height > 0.0 ? agent.radius
                                                 : 1.0;
    if (!(thinnest >= 0.02) || !(std::max({agent.length, agent.width, agent.height, agent.radius}) <= 100.0))
        return false;
    return turning >= 0.01 && turning <= 100.0 && query.climb.up_rad >= 0.01 &&
           std::fabs(query.start.heading_rad) <= 7.0 && std::fabs(query.goal.at.heading_rad) <= 7.0;
}

std::string judge_fly(const VolumeState& state, const VolumeModel& as, const FlyQuery& query,
                      const Result<void>& done, const Route& route, Tally& tally) {
    if (!done) {
        ++tally.refused;
        if (!route.legs.empty()) return "fly: refused, with legs";
        return good_fly_query(query) && plain(query)
                   ? std::string("fly: refused: ") + error_text(done.error()).c_str()
                   : "";
    }
    ++tally.answers;
    if (!good_fly_query(query)) return "fly: not refused, and it should be";
    // Headings of many turns are taken, and out of the range that verify judges.
    if (!route.legs.empty() && plain(query)) {
        ++tally.verified;
        if (const Violation bad = verify(route, state, query.agent))
            return std::string("fly: illegal, ") + bad.text().c_str();
    }
    const double steep = std::tan(query.climb.up_rad) * (1.0 + 1e-9);
    for (const Leg& leg : route.legs) {
        if (std::fabs(leg.rise) > leg.length * steep + 1e-9) return "fly: too steep";
    }
    if (route.status == PathStatus::unreachable) {
        const std::optional<Voxel> from = as.voxel_of(query.start.position),
                                   to = as.voxel_of(query.goal.at.position);
        if (!from || !to) return "";
        ++tally.judged;
        const auto part = [&](Voxel v) { return as.components[as.world.index(v)]; };
        return part(*from) == part(*to) ? "fly: unreachable in one component" : "";
    }
    if (route.status == PathStatus::partial) {
        const Vec3 goal = query.goal.at.position;
        if (!query.partial) return "fly: partial, unasked";
        const bool nearer = length(route.end.position - goal) < length(query.start.position - goal);
        return nearer == !route.legs.empty() ? "" : "fly: partial, and it leads away";
    }
    if (route.status != PathStatus::complete) return "";
    ++tally.routes;
    if (!(route.end.position == query.goal.at.position)) return "fly: it ends elsewhere";
    const bool begins = route.legs.empty() || route.legs[0].start.position == query.start.position;
    return begins ? "" : "fly: it begins elsewhere";
}

}  // namespace

std::string play_fly(const Step& step, const VolumeSnapshot& held, const VolumeModel& as, Scratch& scratch,
                     Tally& tally) {
    const FlyQuery query = fly_query_of(step);
    Asked asked;
    const std::string differs = ask_every_way<FlySearch>(step, tally, held, query, scratch, asked);
    return differs.empty() ? judge_fly(*held, as, query, asked.done, asked.route, tally) : differs;
}

std::string play_why(const Step& step, const VolumeSnapshot& held, Scratch& scratch, Tally& tally) {
    VolumeQuery query = volume_ask_of(step).query;
    query.blockers = {};  // explain knows walls alone
    // Routes from voxel to voxel have another cost than their length.
    return ask_why(step, tally, *held, query, good_volume_query(query), scratch, [&](const Help& help) {
        return verify(help.route, *held, help.agent, {.check_line_cost = false});
    });
}

}  // namespace fairlead::simulate
