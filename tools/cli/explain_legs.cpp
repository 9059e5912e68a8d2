// Each leg that cannot be driven: what it meets, where, and how wide a disc may be there.

#include "cli/explain_legs.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <fairlead/formats/routes.h>
#include <fairlead/verify/each_leg.h>

#include "cli/failure.h"
#include "cli/limits.h"
#include "cli/text.h"

namespace fairlead::cli {

namespace {

std::string help_of(const LegVerdict& leg) {
    if (leg.fits == kUnknown) return {};
    if (leg.fits < 0.0) return "; not even a point passes";
    return fmt::format("; would need radius <= {}", text_of(leg.fits));
}

std::string verdict_text(const Route& route, const LegVerdict& leg) {
    const auto i = static_cast<std::size_t>(leg.bad.leg);
    const Vec3 from = route.legs[i].start.position;
    const Vec3 to = leg_end(route, i).position;
    return fmt::format("leg {} from {},{} to {},{}: {}{}", i, text_of(from.x), text_of(from.y), text_of(to.x),
                       text_of(to.y), leg.bad.text().c_str(), help_of(leg));
}

nlohmann::ordered_json verdict_json(const LegVerdict& leg) {
    nlohmann::ordered_json out{{"leg", leg.bad.leg},
                               {"kind", violation_name(leg.bad.kind)},
                               {"distance", leg.bad.distance},
                               {"depth", leg.bad.depth}};
    if (leg.bad.cell.x >= 0) out["tile"] = {leg.bad.cell.x, leg.bad.cell.y};
    if (leg.fits != kUnknown) out["fits"] = leg.fits;
    return out;
}

}  // namespace

void explain_legs(const WorldFlags& world, const std::string& routes, const Agent& agent,
                  std::span<const Blocker> blockers, bool json) {
    const bool turns = agent.footprint == 0 && agent.shape != BodyShape::disc;
    const Grid grid = load_grid(world, turns ? Agent{} : agent, CornerRule::never);
    const std::string text = read_file(routes);
    const auto records = expect(routes, text, formats::load_routes(text, file_limits()));
    for (const formats::RouteRecord& record : records) {
        Array<LegVerdict> legs;
        if (!verify_legs(record.route, grid, agent, legs, {.blockers = blockers})) fail("out of memory");
        auto list = nlohmann::ordered_json::array();
        for (const LegVerdict& leg : legs) {
            if (!leg.bad) continue;
            list.push_back(verdict_json(leg));
            if (!json) fmt::print("route {}: {}\n", record.id, verdict_text(record.route, leg));
        }
        if (json) {
            const nlohmann::ordered_json line{
                {"id", record.id}, {"legs", record.route.legs.size()}, {"impossible", list}};
            fmt::print("{}\n", line.dump());
        } else if (list.empty()) {
            fmt::print("route {}: every leg can be driven\n", record.id);
        }
    }
}

}  // namespace fairlead::cli
