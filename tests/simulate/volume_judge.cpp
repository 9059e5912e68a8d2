// See volume_judge.h. The oracles are the model's and those of tests/oracle; sight and verify are asked beside them.
#include "simulate/volume_judge.h"

#include <cmath>
#include <map>

#include <fairlead/volume/sight.h>

#include "oracle/volume_graph.h"
#include "simulate/routes.h"
#include "simulate/volume_ask.h"
#include "support/taller_volume.h"

namespace fairlead::simulate {

namespace {

constexpr double kRoom = 1e-6;  // voxels: rounding may decide nearer than this

bool is_narrow(const VolumeModel& as, double radius) { return radius <= 0.5 * as.side() * (1.0 + 1e-12); }

// Where a query begins or ends.
struct End {
    bool known = false;
    PathStatus status = PathStatus::complete;  ///< else why it can be nowhere
    bool moved = false;
    Voxel voxel{};
    Vec3 at{};
};

End end_of(const VolumeModel& as, Vec3 place, double radius, double reach, PathStatus blocked) {
    End end;
    end.at = place;
    const Answer inside = as.holds(place), fits = as.fits(place, radius);
    if (inside == Answer::unsure || fits == Answer::unsure) return end;
    if (fits == Answer::yes) {
        const std::optional<Voxel> v = as.voxel_of(place);
        if (!v) return end;
        end.known = true;
        end.voxel = *v;
        return end;
    }
    const std::optional<Voxel> in = as.voxel_of(place);
    if (inside == Answer::yes && !in) return end;  // a side of a chunk that is not there, perhaps
    const bool there = inside == Answer::yes && as.absent[as.world.index(*in)] == 0;
    end.status = there ? blocked : PathStatus::off_world;
    end.known = true;
    if (reach <= 0.0) return end;
    const VolumeModel::Nearest near = as.nearest_place(place, radius, reach);
    end.known = near.found != Answer::unsure;
    if (near.found != Answer::yes) return end;
    return {true, PathStatus::complete, true, near.voxel, as.world.centre(near.voxel)};
}

std::string status_is(const Route& route, PathStatus due) {
    return route.status == due
               ? ""
               : std::string("wrong: ") + status_name(route.status) + ", due is " + status_name(due);
}

std::string judge_cost(const VolumeModel& as, const VolumeQuery& query, const Route& route, const End& from,
                       const End& to) {
    const double straight = distance(from.at, to.at);
    if (route.cost < straight * (1 - 1e-12) - 1e-9) return "wrong: shorter than the straight line";
    if (!as.is_cubes() || as.world.solid.size() > 2500 || from.moved || to.moved) return "";
    if (!is_narrow(as, query.agent.radius)) return "";
    const bool voxels = query.planner != VolumePlanner::any_angle;
    const auto steps =
        voxels ? static_cast<oracle::VolumeSteps>(query.neighbours) : oracle::VolumeSteps::corners;
    const oracle::VolumeGraph graph(as.world, steps);
    const auto way = graph.shortest(from.voxel, to.voxel);
    if (!way) return "wrong: the graph has no way";
    const double ends =
        distance(from.at, as.world.centre(from.voxel)) + distance(to.at, as.world.centre(to.voxel));
    const double least = static_cast<double>(way->cost.value()) + ends;
    if (!voxels) {
        return !query.smooth || route.cost <= 3.0 * least + 2.0
                   ? ""
                   : "wrong: cost " + number_text(route.cost) + ", from voxel to voxel " + number_text(least);
    }
    const bool exact =
        query.planner == VolumePlanner::dijkstra ||
        (query.planner == VolumePlanner::astar &&
         (query.heuristic != VolumeHeuristic::manhattan || query.neighbours == VoxelNeighbours::six));
    const bool stays = from.at == to.at;
    if (exact && !stays && route.bound != 1.0) return "wrong: the shortest way claims no bound";
    if (route.bound == 1.0 && !stays && std::fabs(route.cost - least) > 1e-6)
        return "wrong: cost " + number_text(route.cost) + ", shortest " + number_text(least);
    if (!stays && route.cost < least - 1e-6) return "wrong: cost below the shortest";
    // A place that touches something is come to over one a little off it.
    return route.line_cost <= route.cost + 2.0 / 64 ? "" : "wrong: smoothed, and longer";
}

std::int32_t voxels_taller(const VolumeModel& as, const Agent& agent);

// Where it is told apart, what became of the query.
std::string judge_status(const VolumeModel& as, const VolumeQuery& query, const Route& route, Tally& tally) {
    const double radius = query.agent.radius;
    // Of a height that is no whole number of voxels nobody knows what is due, but that it is the sphere's where it has none.
    if (query.agent.height > 2.0 * radius && voxels_taller(as, query.agent) == 0) return "";
    const End from = end_of(as, query.start.position, radius, query.reach, PathStatus::start_blocked);
    if (!from.known) return "";
    const End to = end_of(as, query.goal.at.position, radius, query.reach, PathStatus::goal_blocked);
    if (from.status != PathStatus::complete) return status_is(route, from.status);
    if (!to.known) return "";
    const bool gave_up = route.status == PathStatus::budget_spent && query.expansions_max != UINT64_MAX;
    const auto out_of_reach = [&](PathStatus due) -> std::string {
        if (gave_up || !query.partial || due == PathStatus::off_world)
            return gave_up ? "" : status_is(route, due);
        const double slack = 1e-9 * (1 + length(from.at) + length(query.goal.at.position));
        const double left = distance(route.end.position, query.goal.at.position);
        if (left > distance(from.at, query.goal.at.position) + slack) return "wrong: partial leads away";
        return status_is(route, PathStatus::partial);
    };
    if (to.status != PathStatus::complete) return out_of_reach(to.status);
    const bool joined = as.components[as.world.index(from.voxel)] == as.components[as.world.index(to.voxel)];
    ++tally.judged;
    if (!joined) return out_of_reach(PathStatus::unreachable);
    if (gave_up) return "";
    if (!is_narrow(as, radius)) {
        const Answer gets = as.gets(from.at, to.at, radius);
        if (gets == Answer::yes) {
            const std::string wrong = status_is(route, PathStatus::complete);
            if (!wrong.empty()) return wrong;
        }
        if (gets == Answer::no && route.status == PathStatus::complete) return "wrong: complete, due is none";
        if (route.status != PathStatus::complete) return "";
    }
    const std::string wrong = status_is(route, PathStatus::complete);
    if (!wrong.empty()) return wrong;
    const Vec3 begins = route.legs.empty() ? route.end.position : route.legs[0].start.position;
    const double slack = from.moved || to.moved ? 1e-9 * (1 + length(from.at) + length(to.at)) : 0.0;
    if (distance(begins, from.at) > slack) return "wrong: it begins elsewhere";
    if (distance(route.end.position, to.at) > slack) return "wrong: it ends elsewhere";
    return judge_cost(as, query, route, from, to);
}

}  // namespace

std::string compare_volume(const VolumeState& state, const VolumeModel& model) {
    std::map<std::int32_t, std::uint32_t> names;
    std::map<std::uint32_t, std::int32_t> back;
    std::int64_t solid = 0;
    for (std::size_t i = 0; i < model.world.solid.size(); ++i) {
        const Voxel v = model.world.at(i);
        const bool free = model.world.solid[i] == 0;
        solid += free || model.absent[i] != 0 ? 0 : 1;
        if (state.is_free(v) != free) return "volume: a voxel is another";
        const std::uint32_t name = state.component(v);
        if (!free) {
            if (name != VolumeState::kNoComponent) return "volume: a solid voxel has a component";
            continue;
        }
        const std::uint32_t known = names.try_emplace(model.components[i], name).first->second;
        const std::int32_t other = back.try_emplace(name, model.components[i]).first->second;
        if (known != name || other != model.components[i]) return "volume: components differ";
    }
    return solid == state.solid_voxels() ? "" : "volume: the number of solid voxels";
}

Violation verify_volume_route(const Route& route, const VolumeState& state, const VolumeQuery& query) {
    return verify(route, state, query.agent, {.blockers = query.blockers, .check_revision = false});
}

namespace {

// An upright capsule whose ends stand whole voxels apart goes where its sphere goes in a world made taller by them; 0: no such body.
std::int32_t voxels_taller(const VolumeModel& as, const Agent& agent) {
    const double half = 0.5 * agent.height - agent.radius, voxels = half / as.world.voxel.z;
    const bool whole = std::fabs(voxels - std::round(voxels)) < 1e-12 && voxels > 0.5 && voxels < 50.0;
    return whole ? static_cast<std::int32_t>(std::round(voxels)) : 0;
}

VolumeModel taller_model(const VolumeModel& as, std::int32_t by) {
    VolumeModel tall = as;
    tall.world = testing::taller_volume(as.world, by);
    tall.join();
    return tall;
}

std::string judge_answer(const VolumeState& state, const VolumeModel& as, const VolumeQuery& query,
                         const Result<void>& done, const Route& route, Tally& tally);

}  // namespace

std::string judge_volume_route(const VolumeState& state, const VolumeModel& as, const VolumeQuery& query,
                               const Result<void>& done, const Route& route, Tally& tally) {
    const std::int32_t by = voxels_taller(as, query.agent);
    return judge_answer(state, by > 0 ? taller_model(as, by) : as, query, done, route, tally);
}

namespace {

std::string judge_answer(const VolumeState& state, const VolumeModel& as, const VolumeQuery& query,
                         const Result<void>& done, const Route& route, Tally& tally) {
    const bool good = good_volume_query(query);
    if (!done) {
        ++tally.refused;
        if (!route.legs.empty()) return "refused: with legs";
        const Error& error = done.error();
        const bool wide = (error.field == Field::agent_radius && !is_narrow(as, query.agent.radius)) ||
                          (error.field == Field::agent_height && query.agent.height > 0.0);
        // Too thin for its height, against the voxels.
        if (error.field == Field::agent_radius && query.agent.height > 0.0 &&
            query.agent.radius < 0.01 * as.side())
            return "";
        const bool other = (error.field == Field::planner || error.field == Field::blockers) &&
                           query.planner != VolumePlanner::any_angle;
        if (!good || (error.code == ErrorCode::unsupported && (wide || other))) return "";
        return std::string("refused: ") + error_text(error).c_str();
    }
    ++tally.answers;
    if (!good) return "refused: not, and it should be";
    if (route.revision != state.revision()) return "status: another revision";
    if (route.status == PathStatus::budget_spent && query.expansions_max == UINT64_MAX)
        return "status: budget_spent without a budget";
    if (route.stats.expanded > query.expansions_max) return "status: more expansions than the budget";
    if (!has_way(route) && !route.legs.empty()) return "status: legs without a way";
    if (route.status == PathStatus::budget_spent && !query.partial && !route.legs.empty())
        return "status: budget_spent with legs that nobody asked for";
    tally.routes += has_way(route) ? 1 : 0;
    const bool alone = query.blockers.empty();  // past blockers nobody knows what is due
    if (!has_way(route))
        return alone ? judge_status(as, query, route, tally) : "";  // of absurd radii verify says nothing
    ++tally.verified;
    const Violation bad =
        verify(route, state, query.agent, {.blockers = query.blockers, .check_line_cost = true});
    if (bad) return std::string("illegal: ") + bad.text().c_str();
    return !alone ? "" : judge_status(as, query, route, tally);
}

}  // namespace

std::string judge_repair(const VolumeState& state, const VolumeModel& as, const VolumeQuery& query,
                         const Route& before, const Route& after, Tally& tally) {
    ++tally.verified;
    if (after.revision != state.revision()) return "repair: another revision";
    const Violation bad =
        has_way(after) ? verify(after, state, query.agent, {.blockers = query.blockers}) : Violation{};
    if (bad) return std::string("repair: illegal, ") + bad.text().c_str();
    const bool fell_short = before.status != PathStatus::complete || query.partial || query.reach > 0.0 ||
                            query.expansions_max != UINT64_MAX;
    if (!has_way(before) || fell_short || !query.blockers.empty() || query.agent.height > 0.0) return "";
    const Vec3 from = before.legs.empty() ? before.end.position : before.legs[0].start.position;
    const Vec3 to = before.end.position;
    if (after.status == PathStatus::complete) {
        const Vec3 begins = after.legs.empty() ? after.end.position : after.legs[0].start.position;
        return begins == from && after.end.position == to ? "" : "repair: another start or end";
    }
    VolumeQuery whole = query;
    whole.start = from;
    whole.goal = to;
    const std::string wrong = judge_status(as, whole, after, tally);
    return wrong.empty() ? "" : "repair: " + wrong;
}

std::string judge_sight(const VolumeState& state, const VolumeModel& as, Vec3 from, Vec3 to, double radius) {
    const bool good = is_finite(from) && is_finite(to) && radius >= 0.0 && std::isfinite(radius);
    const bool sees = in_sight(state, from, to, radius);
    if (sees != in_sight(state, to, from, radius)) return "sight: not the same both ways";
    const bool begins = fits(state, from, radius), ends = fits(state, to, radius);
    const VolumeHit hit = cast_ray(state, from, to, radius);
    if (!(hit.share >= 0.0 && hit.share <= 1.0)) return "sight: a share out of range";
    if (!good) return sees || !hit.blocked ? "sight: with numbers that are none" : "";
    if (sees && !(begins && ends)) return "sight: between places where it does not fit";
    if (sees == hit.blocked) return "sight: in_sight and cast_ray disagree";
    const Answer fit = as.fits(from, radius);
    if (fit != Answer::unsure && (fit == Answer::yes) != begins) return "sight: fits is wrong";
    if (as.holds(from) == Answer::yes) {
        const double room = as.room(from), told = clearance_at(state, from, 5.0 * as.side());
        if (std::fabs(told - std::min(room, 5.0 * as.side())) > kRoom * as.side())
            return "sight: clearance is wrong";
    }
    // All along a free line there is room; before a hit as well.
    const double share = hit.blocked ? hit.share : 1.0;
    if (!begins || !(distance(from, to) < 1e9)) return "";
    for (int i = 0; i <= 16 && radius > 0.0; ++i) {
        const Vec3 at = from + (to - from) * (share * i / 16.0);
        if (as.fits(at, radius * (1 - 1e-6) - kRoom * as.side()) == Answer::no)
            return "sight: no room on a free line";
    }
    if (!hit.blocked || hit.share >= 1.0) return "";
    // A little farther it does not fit: it grazes at most.
    const double step = 1e-3 * as.side() / std::max(distance(from, to), 1e-300);
    if (hit.share > 1e-6 &&
        !in_sight(state, from, from + (to - from) * std::max(hit.share - step, 0.0), radius))
        return "sight: blocked before the hit";
    return in_sight(state, from, from + (to - from) * std::min(hit.share + step, 1.0), radius)
               ? "sight: free behind the hit"
               : "";
}

namespace {

bool good_unit(const Agent& agent) { return agent.radius >= 0.0 && std::isfinite(agent.radius); }

// Refused where it should be, and not where it should not.
std::string judge_refusal(bool good, bool done) {
    if (done) return good ? "" : "places: not refused";
    return good ? "places: refused" : "";
}

// Which component counts: -1 all, -2 none, nothing where it is not known.
std::optional<std::int32_t> joined_to(const VolumeModel& as, const Agent& agent, bool connected,
                                      const Spot& from) {
    if (!connected) return -1;
    const End end = end_of(as, from.position, agent.radius, 0.0, PathStatus::start_blocked);
    if (!end.known) return std::nullopt;
    return end.status == PathStatus::complete ? as.components[as.world.index(end.voxel)] : -2;
}

}  // namespace

std::string judge_nearest(const VolumeState& state, const VolumeModel& as, const VolumeFreeQuery& ask,
                          const Result<VolumeFree>& got, Tally& tally) {
    ++tally.answers;
    const Vec3 p = ask.place.position;
    const bool near =
        is_finite(p) && std::fabs(p.x) <= 1e150 && std::fabs(p.y) <= 1e150 && std::fabs(p.z) <= 1e150;
    const bool good =
        good_unit(ask.agent) && near && ask.reach >= 0.0 && (!ask.connected || is_finite(ask.from.position));
    const std::string refusal = judge_refusal(good, got.has_value());
    if (!refusal.empty() || !got) return refusal;
    if (got->found && !fits(state, got->position, ask.agent.radius)) return "places: it does not fit there";
    const std::optional<std::int32_t> joined = joined_to(as, ask.agent, ask.connected, ask.from);
    if (!joined) return "";
    if (*joined == -2) return got->found ? "places: connected to a place where it is not" : "";
    const Answer here = as.fits(p, ask.agent.radius);
    const std::optional<Voxel> own = as.voxel_of(p);
    // Which places a wide sphere can get to the components do not tell.
    if (ask.connected && !is_narrow(as, ask.agent.radius)) return "";
    if (here == Answer::unsure || (here == Answer::yes && !own)) return "";
    ++tally.judged;
    if (here == Answer::yes && (*joined < 0 || as.components[as.world.index(*own)] == *joined))
        return got->found && got->position == p ? "" : "places: it fits at the place itself";
    const VolumeModel::Nearest best = as.nearest_place(p, ask.agent.radius, ask.reach, *joined);
    if (best.found == Answer::unsure) return "";
    if (got->found != (best.found == Answer::yes)) return "places: found, or not, wrongly";
    if (!got->found) return "";
    if (std::fabs(got->distance - best.distance) > 1e-9 * (1.0 + best.distance))
        return "places: not the nearest";
    return state.voxel_at(got->position) == best.voxel ? "" : "places: another voxel";
}

std::string judge_random(const VolumeState& state, const VolumeModel& as, const RandomPlaceQuery& ask,
                         const Result<VolumeFree>& got, Tally& tally) {
    ++tally.answers;
    const bool good = good_unit(ask.agent) && (!ask.connected || is_finite(ask.from.position));
    const std::string refusal = judge_refusal(good, got.has_value());
    if (!refusal.empty() || !got) return refusal;
    const std::optional<std::int32_t> joined = joined_to(as, ask.agent, ask.connected, ask.from);
    if (!joined) return "";
    ++tally.judged;
    if (!got->found) {
        if (*joined == -2 || (ask.connected && !is_narrow(as, ask.agent.radius))) return "";
        // Any place that surely fits?
        const VolumeModel::Nearest any = as.nearest_place(
            as.world.centre({0, 0, 0}), ask.agent.radius + kRoom * as.side(), 1e300, *joined);
        return any.found == Answer::yes && ask.agent.radius > 0.5 * as.side() ? "places: there is one" : "";
    }
    const Voxel v = state.voxel_at(got->position);
    if (*joined == -2 || !as.world.is_free(v)) return "places: a random one that is none";
    if (*joined >= 0 && as.components[as.world.index(v)] != *joined)
        return "places: a random one that is cut off";
    return as.fits(got->position, ask.agent.radius * (1 - 1e-9)) == Answer::no
               ? "places: a random one without room"
               : "";
}

}  // namespace fairlead::simulate
