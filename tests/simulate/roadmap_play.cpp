// The library's side of roadmaps: plays a script on a Roadmap, beside a model of lists.
#include <algorithm>
#include <optional>

#include <fairlead/roadmap/find_route.h>
#include <fairlead/roadmap/repair.h>
#include <fairlead/verify/verify_roadmap.h>

#include "simulate/driver.h"
#include "simulate/net_model.h"
#include "simulate/routes.h"
#include "simulate/searches.h"
#include "simulate/starved.h"
#include "simulate/why.h"

namespace fairlead::simulate {

namespace {

struct NetAsk {
    RoadmapQuery query;
    std::vector<Spot> goals;
    std::vector<double> factors;

    [[nodiscard]] const RoadmapQuery& bind() {
        if (!goals.empty()) query.goal = Goal::any_of(goals);
        query.filter.kinds.factors = factors;
        return query;
    }
};

Vec3 point_of(const std::vector<double>& p, std::size_t at = 0) {
    return {item(p, at), item(p, at + 1), item(p, at + 2)};
}

Spot place_of(const Step& step, const char* waypoint, const char* point) {
    if (step.has(waypoint)) return WaypointId{step.whole(waypoint)};
    return point_of(step.numbers(point));
}

NetAsk ask_of(const Step& step) {
    NetAsk ask;
    RoadmapQuery& query = ask.query;
    query.start = place_of(step, "from", "start");
    query.goal = Goal(place_of(step, "to", "goal"));
    for (const double id : step.numbers("goals")) ask.goals.push_back(WaypointId{to_whole(id)});
    query.agent.radius = step.number("radius");
    query.planner = static_cast<RoadmapPlanner>(step.whole("planner"));
    query.backward = step.has("backward");
    query.filter.blocked_flags = static_cast<std::uint32_t>(step.whole("blocked_flags"));
    ask.factors = step.numbers("factors");
    if (!ask.factors.empty()) ask.factors.resize(256, 1.0);
    if (!ask.factors.empty()) {
        for (const double factor : ask.factors) {
            if (factor > 0) query.filter.factor_min = 1e-6;
        }
    }
    query.check_edges = step.has("check_edges");
    query.direct = !step.has("no_direct");
    query.off_net_cost = step.number("off_net_cost", 1.0);
    query.attach_range = step.number("attach_range", std::numeric_limits<double>::infinity());
    query.attach_max = static_cast<std::uint32_t>(step.whole("attach_max", 8));
    query.attach_tests = static_cast<std::uint32_t>(step.whole("attach_tests", 1024));
    query.partial = step.has("partial");
    query.expansions_max = step.count("budget", UINT64_MAX);
    return ask;
}

WaypointEdge edge_of(const std::vector<double>& e, std::size_t at = 0) {
    return {.from = {to_whole(item(e, at))},
            .to = {to_whole(item(e, at + 1))},
            .cost = item(e, at + 2, kStraightCost),
            .one_way = item(e, at + 3) != 0,
            .link = item(e, at + 4) != 0,
            .kind = static_cast<std::uint8_t>(to_whole(item(e, at + 5))),
            .flags = static_cast<std::uint32_t>(to_whole(item(e, at + 6))),
            .label = static_cast<std::uint32_t>(to_whole(item(e, at + 7)))};
}

bool finite(Vec3 p) { return std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z); }

bool good_query(const NetModel& model, const RoadmapQuery& query) {
    const auto good_place = [&](const Spot& place) {
        if (place.waypoint.valid()) return model.nodes.count(place.waypoint.value) != 0;
        return finite(place.position) && std::max({std::abs(place.position.x), std::abs(place.position.y),
                                                   std::abs(place.position.z)}) <= kRoadmapSpan;
    };
    bool good = good_place(query.start);
    if (!query.goal.is_list()) good = good && good_place(query.goal.at);
    for (const Spot place : query.goal.list) good = good && good_place(place);
    good = good && query.agent.radius >= 0 && query.agent.radius <= 1e9;
    good = good && query.planner < RoadmapPlanner::count_;
    for (const double factor : query.filter.kinds.factors) {
        good =
            good && (factor == 0 || (factor >= EdgeFilter::kFactorMin && factor <= EdgeFilter::kFactorMax));
    }
    good = good && query.off_net_cost >= 1e-6 && query.off_net_cost <= 1e6 && query.attach_range >= 0;
    good = good && query.attach_max >= 1 && query.attach_max <= 64;
    return good && query.attach_tests >= 1 && query.attach_tests <= 1U << 20;
}

struct Frozen {
    RoadmapSnapshot snapshot;
    NetModel model;
};

struct Player {
    explicit Player(Tally& tallied) : tally(&tallied) {}
    [[nodiscard]] std::string play(const Step& step);

  private:
    std::string clear();
    std::string make(const Step& step);
    std::string edit(const Step& step);
    std::string query(const Step& step);
    std::string routes(const Step& step);
    std::string mend(const Step& step, bool repairs);
    std::string connected(const Step& step);
    std::string why(const Step& step);
    std::string judge(const RoadmapState& state, const NetModel& as, const RoadmapQuery& query,
                      const Result<void>& done, const Route& route);
    [[nodiscard]] std::string judge_cost(const NetModel& as, const RoadmapQuery& query,
                                         const Route& route) const;
    [[nodiscard]] static RoadmapVerifyOptions knowing(const RoadmapQuery& query) {
        return {.filter = query.filter, .check_edges = query.check_edges};
    }

    TestAllocator memory;  ///< the roadmap's
    std::optional<Roadmap> roadmap;
    NetModel model;
    Scratch scratch;
    Frozen frozen[kSlots];
    Flights<RoadmapSearch, RoadmapSnapshot, NetModel, NetAsk> flights;
    Route last;
    NetAsk last_ask;
    bool has_last = false;
    Tally* tally;
};

std::string Player::clear() {
    flights.clear();
    for (Frozen& one : frozen) one.snapshot.release();
    roadmap.reset();
    has_last = false;
    return memory.live_blocks == 0 && memory.live_bytes == 0 ? "" : "leak: of a roadmap";
}

// All that a roadmap holds, as numbers.
std::vector<double> shape_of(const RoadmapState& state) {
    std::vector<double> shape{static_cast<double>(state.revision()), static_cast<double>(state.nodes()),
                              static_cast<double>(state.arcs())};
    for (std::uint32_t slot = 0; slot < state.slots(); ++slot) {
        const Waypoint node = state.node({slot});
        shape.insert(shape.end(),
                     {static_cast<double>(node.id.value), node.position.x, node.position.y, node.position.z});
        if (!node.id.valid()) continue;
        for (const RoadmapArc& arc : state.arcs({slot})) {
            shape.insert(shape.end(),
                         {static_cast<double>(arc.to.value), arc.cost, static_cast<double>(arc.label),
                          static_cast<double>(arc.flags), static_cast<double>(arc.kind)});
        }
        for (const WaypointSlot in : state.arrivals({slot})) shape.push_back(in.value);
    }
    return shape;
}

std::string Player::make(const Step& step) {
    const std::string leak = clear();
    if (!leak.empty()) return leak;
    model = {};
    std::vector<Waypoint> nodes;
    std::vector<WaypointEdge> edges;
    std::vector<RoadmapWall> walls;
    std::vector<Vec2> points;
    const std::vector<double> at = step.numbers("nodes");
    for (std::size_t i = 0; i + 3 <= at.size(); i += 3) {
        const auto id = static_cast<std::int64_t>(i / 3);
        nodes.push_back({WaypointId{id}, point_of(at, i)});
        model.nodes[id] = point_of(at, i);
    }
    const std::vector<double> e = step.numbers("edges");
    for (std::size_t i = 0; i + 8 <= e.size(); i += 8) {
        edges.push_back(edge_of(e, i));
        model.add(edges.back());
    }
    const std::vector<double> w = step.numbers("walls");
    for (std::size_t i = 0; i + 5 <= w.size(); i += 5) {
        const bool closed = w[i + 4] != 0;
        walls.push_back({static_cast<std::uint32_t>(points.size()), closed ? 4U : 2U, closed});
        const Vec2 c{w[i], w[i + 1]};
        const Vec2 h{w[i + 2], w[i + 3]};
        if (closed)
            points.insert(points.end(), {c - h, c + Vec2{h.x, -h.y}, c + h, c + Vec2{-h.x, h.y}});
        else
            points.insert(points.end(), {c - h, c + h});
    }
    Result<Roadmap> made = Roadmap::make({.nodes = nodes,
                                          .edges = edges,
                                          .walls = walls,
                                          .wall_points = points,
                                          .allocator = memory.allocator()});
    if (made) roadmap.emplace(std::move(*made));
    return "";
}

std::string Player::edit(const Step& step) {
    const Waypoint node{WaypointId{step.whole("id")}, point_of(step.numbers("at"))};
    const WaypointEdge edge = edge_of(step.numbers("edge"));
    const std::int64_t id = node.id.value;
    const bool there = model.nodes.count(id) != 0;
    const std::uint64_t revision = roadmap->state().revision();
    const std::vector<double> before = shape_of(roadmap->state());
    Result<void> done;
    std::string starved;
    const auto change = [&](auto edit) {
        starved = starve_edit(
            step, *tally, memory, edit, [&] { return shape_of(roadmap->state()) == before; }, done);
    };
    bool good = true;
    if (step.verb == "add_node") {
        change([&] { return roadmap->add_node(node); });
        good = !there;
        if (done) model.nodes[id] = node.position;
    } else if (step.verb == "move_node") {
        change([&] { return roadmap->move_node(node); });
        good = there;
        if (done) model.nodes[id] = node.position;
    } else if (step.verb == "remove_node") {
        change([&] { return roadmap->remove_node(node.id); });
        good = there;
        if (done) model.remove_node(id);
    } else {
        good = model.nodes.count(edge.from.value) != 0 && model.nodes.count(edge.to.value) != 0;
        const bool known = std::any_of(model.arcs.begin(), model.arcs.end(),
                                       [&](const NetModel::Arc& arc) { return NetModel::named(arc, edge); });
        if (step.verb == "add_edge") {
            change([&] { return roadmap->add_edge(edge); });
            if (done) model.add(edge);
        } else if (step.verb == "change_edge") {
            change([&] { return roadmap->change_edge(edge); });
            good = good && known;
            if (done) model.change(edge);
        } else {
            change([&] { return roadmap->remove_edge(edge); });
            good = good && known;
            if (done) model.remove(edge);
        }
    }
    if (!starved.empty()) return starved;
    if (done && !good) return "edit: one that names nothing is taken";
    if (!done && roadmap->state().revision() != revision) return "edit: a refused edit made a revision";
    return "";
}

std::string Player::judge_cost(const NetModel& as, const RoadmapQuery& query, const Route& route) const {
    const bool plain =
        query.start.waypoint.valid() && !query.check_edges && query.expansions_max == UINT64_MAX;
    if (!plain || (!query.goal.is_list() && !query.goal.at.waypoint.valid())) return "";
    // A straight line off the net may be the better way.
    if (query.direct && roadmap->state().has_walls()) return "";
    ++tally->judged;
    const std::map<std::int64_t, double> costs = as.costs_from(query.start.waypoint.value, query.filter);
    double best = std::numeric_limits<double>::infinity();
    const auto look = [&](const Spot& goal) {
        const auto at = costs.find(goal.waypoint.value);
        if (at != costs.end()) best = std::min(best, at->second);
    };
    if (!query.goal.is_list()) look(query.goal.at);
    for (const Spot goal : query.goal.list) look(goal);
    const bool reaches = route.status == PathStatus::complete;
    if (reaches == std::isinf(best)) {
        return std::string("wrong: ") + status_name(route.status) + " where the cost is " + number_text(best);
    }
    if (!reaches || query.planner == RoadmapPlanner::greedy_best_first) return "";
    if (std::abs(route.cost - best) > 1e-8 * (1 + best)) {
        return "wrong: cost " + number_text(route.cost) + " where the least is " + number_text(best);
    }
    return "";
}

std::string Player::judge(const RoadmapState& state, const NetModel& as, const RoadmapQuery& query,
                          const Result<void>& done, const Route& route) {
    const bool good = good_query(as, query);
    if (!done) {
        ++tally->refused;
        if (!good) return "";
        return std::string("refused: ") + error_name(done.error().code) + " index " +
               std::to_string(done.error().index);
    }
    ++tally->answers;
    if (!good) return "";
    if (route.status == PathStatus::budget_spent && query.expansions_max == UINT64_MAX) {
        return "status: budget_spent without a budget";
    }
    if (route.status == PathStatus::budget_spent && !query.partial && !route.legs.empty()) {
        return "status: budget_spent with legs that nobody asked for";
    }
    if (has_way(route)) {
        ++tally->routes;
        ++tally->verified;
        const Violation bad = verify(route, state, query.agent, knowing(query));
        if (bad) return std::string("illegal: ") + bad.text().c_str();
    } else if (!route.legs.empty()) {
        return "status: legs without a way";
    }
    return route.status == PathStatus::budget_spent ? "" : judge_cost(as, query, route);
}

std::string Player::query(const Step& step) {
    const auto slot = static_cast<std::size_t>(step.whole("on", -1));
    const bool old = slot < kSlots && frozen[slot].snapshot.held();
    const RoadmapSnapshot held = old ? frozen[slot].snapshot : roadmap->acquire();
    const NetModel& as = old ? frozen[slot].model : model;
    NetAsk ask = ask_of(step);
    Asked asked;
    const std::string differs = ask_every_way<RoadmapSearch>(step, *tally, held, ask.bind(), scratch, asked);
    if (!differs.empty() || asked.cancelled) return differs;
    const std::string problem = judge(*held, as, ask.query, asked.done, asked.route);
    if (!problem.empty() || !asked.done) return problem;
    last = std::move(asked.route);
    last_ask = std::move(ask);
    has_last = true;
    return "";
}

std::string Player::routes(const Step& step) {
    const RoadmapState& state = roadmap->state();
    NetAsk ask = ask_of(step);
    const RoadmapQuery& query = ask.bind();
    std::vector<Route> each(ask.goals.size());
    const Result<void> done = find_routes_into(state, query, scratch, each);
    const std::string starved =
        starve_routes(step, *tally, done, each, [&](Scratch& memory_of, std::vector<Route>& out) {
            return find_routes_into(state, query, memory_of, out);
        });
    if (!starved.empty()) return starved;
    if (!done || !good_query(model, query)) return "";
    for (std::size_t i = 0; i < each.size(); ++i) {
        ++tally->answers;
        RoadmapQuery one = query;
        one.goal = Goal(ask.goals[i]);
        one.planner = RoadmapPlanner::dijkstra;
        Route alone;
        Scratch fresh;
        const std::string which = "routes: goal " + std::to_string(i);
        if (!find_route_into(state, one, fresh, alone)) return which + " alone is an error";
        if (has_way(each[i])) {
            ++tally->verified;
            const Violation bad = verify(each[i], state, query.agent, knowing(query));
            if (bad) return which + " is illegal, " + bad.text().c_str();
        }
        if (query.expansions_max != UINT64_MAX || query.partial) continue;
        // A straight line to another goal is a way out of a start that is off the net.
        if (each[i].status == PathStatus::unreachable && alone.status == PathStatus::start_blocked) continue;
        if (each[i].status != alone.status) {
            return which + ": " + status_name(each[i].status) + ", alone " + status_name(alone.status);
        }
        if (std::abs(each[i].cost - alone.cost) > 1e-8 * (1 + alone.cost)) {
            return which + ": cost " + number_text(each[i].cost) + ", alone " + number_text(alone.cost);
        }
    }
    return "";
}

std::string Player::mend(const Step& step, bool repairs) {
    if (!has_last || !has_way(last)) return "";
    const RoadmapQuery& query = last_ask.bind();
    Route route = copy_route(last);
    const Result<Revalidation> still = revalidate(*roadmap, route, query, scratch);
    if (!still) return "revalidate: an error for a query that was answered";
    ++tally->verified;
    const Violation bad = verify(route, *roadmap, query.agent, knowing(query));
    if (still->legal && bad) return std::string("revalidate: legal, but ") + bad.text().c_str();
    if (!repairs || query.expansions_max != UINT64_MAX) return "";
    const Route before = copy_route(route);
    const Result<void> done = repair(*roadmap, route, query, scratch);
    if (!done) return "";  // a start or goal may be gone
    const std::string starved = starve_repair(
        step, *tally, before, route,
        [&](Scratch& memory_of, Route& out) { return repair(*roadmap, out, query, memory_of); });
    if (!starved.empty()) return starved;
    if (!has_way(route)) return route.legs.empty() ? "" : "repair: legs without a way";
    ++tally->verified;
    const Violation worse = verify(route, *roadmap, query.agent, knowing(query));
    if (worse) return std::string("repair: ") + worse.text().c_str();
    last = std::move(route);
    return "";
}

std::string Player::connected(const Step& step) {
    const std::int64_t from = step.whole("from");
    const std::int64_t to = step.whole("to");
    const Result<bool> joined = roadmap->state().connected(WaypointId{from}, WaypointId{to});
    const bool known = model.nodes.count(from) != 0 && model.nodes.count(to) != 0;
    if (joined.has_value() != known) return "connected: an error, or none where one is due";
    if (!joined.has_value()) return "";
    ++tally->judged;
    return *joined == (model.costs_from(from, {}).count(to) != 0) ? "" : "connected: wrong";
}

std::string Player::why(const Step& step) {
    NetAsk ask = ask_of(step);
    const RoadmapQuery& query = ask.bind();
    const bool good = good_query(model, query);
    return ask_why(step, *tally, roadmap->state(), query, good, scratch, [&](const Help& help) {
        RoadmapVerifyOptions options = knowing(query);
        options.filter.kinds.closed = KindSet{};
        options.filter.kinds.factors = {};
        options.filter.blocked_flags &= ~help.flags;
        return verify(help.route, *roadmap, help.agent, options);
    });
}

std::string Player::play(const Step& step) {
    const std::string& verb = step.verb;
    if (verb == "make") return make(step);
    if (!roadmap) return "";
    const std::size_t slot = slot_of(step);
    if (verb == "query") return query(step);
    if (verb == "routes") return routes(step);
    if (verb.find("_node") != std::string::npos || verb.find("_edge") != std::string::npos) return edit(step);
    if (verb == "search") flights.begin(step, *tally, roadmap->acquire(), model, ask_of(step));
    if (verb == "step" || verb == "finish" || verb == "drop" || verb == "cancel") {
        return flights.play(step, *tally, [&](auto& flight, const Asked& asked) {
            return judge(*flight.held, flight.model, flight.ask.query, asked.done, asked.route);
        });
    }
    if (verb == "snapshot") frozen[slot] = {roadmap->acquire(), model};
    if (verb == "release") frozen[slot].snapshot.release();
    if (verb == "revalidate" || verb == "repair") return mend(step, verb == "repair");
    if (verb == "connected") return connected(step);
    if (verb == "why") return why(step);
    if (verb == "destroy") return clear();
    return "";
}

}  // namespace

std::string play_roadmap_script(const Script& script, Tally& tally) {
    Player player(tally);
    return play_steps(script, tally, [&](const Step& step) { return player.play(step); });
}

}  // namespace fairlead::simulate
