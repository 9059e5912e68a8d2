#include "simulate/mesh_ask.h"

#include <algorithm>
#include <cmath>

namespace fairlead::simulate {

namespace {

Vec3 point_of(const std::vector<double>& p, std::size_t at = 0) {
    return {item(p, at), item(p, at + 1), item(p, at + 2)};
}

bool finite(Vec3 p) { return std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z); }
bool in_span(Vec3 p) {
    return finite(p) && std::max({std::abs(p.x), std::abs(p.y), std::abs(p.z)}) <= kMeshSpan;
}

std::vector<double> table_of(const std::vector<double>& costs, std::size_t size) {
    std::vector<double> table = costs;
    if (!table.empty()) table.resize(size, 1.0);
    return table;
}

bool good_costs(std::span<const double> costs) {
    return std::all_of(costs.begin(), costs.end(), [](double cost) {
        return cost == 0.0 || (cost >= KindFilter::kFactorMin && cost <= KindFilter::kFactorMax);
    });
}

}  // namespace

const MeshQuery& MeshAsk::bind() {
    if (!goals.empty()) query.goal = Goal::any_of(goals);
    query.filter.areas.factors = area_costs;
    query.filter.links.factors = link_costs;
    return query;
}

MeshAsk mesh_ask_of(const Step& step) {
    MeshAsk ask;
    MeshQuery& query = ask.query;
    query.start = point_of(step.numbers("start"));
    query.goal = Goal(point_of(step.numbers("goal")));
    const std::vector<double> goals = step.numbers("goals");
    for (std::size_t i = 0; i + 3 <= goals.size(); i += 3) ask.goals.push_back(point_of(goals, i));
    query.agent.radius = step.number("radius");
    const std::vector<double> reach = step.numbers("reach");
    if (reach.size() == 3) query.reach = {reach[0], reach[1], reach[2]};
    query.planner = static_cast<MeshPlanner>(step.whole("planner"));
    query.partial = step.has("partial");
    query.expansions_max = step.count("budget", UINT64_MAX);
    query.filter.areas.closed = KindSet::of_mask(step.count("closed_areas"));
    query.filter.links.closed = KindSet::of_mask(step.count("closed_links"));
    ask.area_costs = table_of(step.numbers("area_costs"), kAreasMax);
    ask.link_costs = table_of(step.numbers("link_costs"), kLinkKindsMax);
    return ask;
}

MeshEdit mesh_edit_of(const Step& step) {
    const std::vector<double> at = step.numbers("at");
    const std::vector<double> heights = step.numbers("heights");
    const double low = item(heights, 0, -1);
    const double high = item(heights, 1, 2);
    const Vec2 centre{item(at, 0), item(at, 1)};
    const MeshObstacle obstacle =
        step.has("pillar")
            ? MeshObstacle::pillar(centre, item(at, 2, 1), low, high)
            : MeshObstacle::box(centre, {item(at, 2, 1), item(at, 3, 1)}, step.number("heading"), low, high);
    const std::int64_t id = step.whole("id");
    if (step.verb == "add") return MeshEdit::add(id, obstacle);
    if (step.verb == "move") return MeshEdit::move(id, obstacle);
    if (step.verb == "remove") return MeshEdit::remove(id);
    MeshLink link{.id = static_cast<std::uint32_t>(id),
                  .from = point_of(step.numbers("from")),
                  .to = point_of(step.numbers("to")),
                  .extent = step.number("extent"),
                  .one_way = step.has("one_way"),
                  .kind = static_cast<std::uint8_t>(step.whole("kind")),
                  .cost = step.number("cost", kLinkCostStraight),
                  .radius_max = step.number("radius_max", 1e9)};
    if (step.verb == "add_link") return MeshEdit::add_link(link);
    if (step.verb == "change_link") return MeshEdit::change_link(link);
    return MeshEdit::remove_link(link.id);
}

bool good_filter(const MeshFilter& filter) {
    return good_costs(filter.areas.factors) && good_costs(filter.links.factors);
}

bool good_mesh_query(const MeshQuery& query, double radius_max) {
    bool good = in_span(query.start.position) && good_filter(query.filter);
    good = good && in_span(query.goal.at.position);
    for (const Spot goal : query.goal.list) good = good && in_span(goal.position);
    for (const double reach : {query.reach.across, query.reach.above, query.reach.below}) {
        good = good && reach >= 0 && reach <= 4e9;
    }
    good = good && query.planner < MeshPlanner::count_ && query.agent.radius >= 0;
    good = good && query.agent.radius <= radius_max;
    return good && (query.agent.radius == 0 || query.planner == MeshPlanner::any_angle);
}

}  // namespace fairlead::simulate
