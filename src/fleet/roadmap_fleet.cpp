// A roadmap behind a fleet: units are asked for with RoadmapSearch, over roads that are wide enough and seen from their ground.
#include <fairlead/fleet/roadmap_fleet.h>

#include <optional>

#include <fairlead/bridge/narrow_places_of.h>
#include <fairlead/bridge/roadmap_crowd.h>
#include <fairlead/roadmap/find_route.h>
#include <fairlead/roadmap/repair.h>

#include "fleet/port_data.h"

namespace fairlead {

namespace fleet {

struct RoadmapKindOfUnit {
    explicit RoadmapKindOfUnit(const FleetUnit& given) : unit(given) {}
    FleetUnit unit;
};

/// The crowd's view of a revision, if there was memory for it.
struct RoadmapView {
    explicit RoadmapView(const RoadmapState& roads) {
        Result<RoadmapCrowd> made = RoadmapCrowd::make(roads);
        if (made) crowd.emplace(std::move(*made));
    }
    [[nodiscard]] CrowdWorld world() const { return crowd ? crowd->world() : CrowdWorld{}; }
    std::optional<RoadmapCrowd> crowd{};
};

template <>
struct Own<Roadmap> : OnGround, NoBegin, NoPlans, NoDraw, NoFields {
    using Snapshot = RoadmapSnapshot;
    using View = RoadmapView;
    using Kind = RoadmapKindOfUnit;
    static constexpr bool kHasPlaces = true;
    static constexpr std::uint32_t kTests = 64;
    static constexpr double kBeside = 6.0;  // radii: roads without widths

    static double point_radius(const RoadmapState&) { return 1e-3; }

    static void set_beside(PortData<Roadmap>& port) {
        double widest = 0.0;
        for (std::size_t i = 0; i < port.kinds.size(); ++i) {
            const double radius = port.kinds[i].unit.agent.radius;
            if (radius > widest) widest = radius;
        }
        if (widest > 0.0) port.view->crowd->set_beside(kBeside * widest);
    }

    static Result<void> prepare(PortData<Roadmap>& port, const Kind& kind) {
        if (kind.unit.agent.turning_radius > 0.0)
            return Error{ErrorCode::unsupported, Field::agent_turning_radius};
        if (kind.unit.agent.shape != BodyShape::disc)
            return Error{ErrorCode::unsupported, Field::agent_shape};
        set_beside(port);
        return {};
    }

    static RoadmapQuery query_of(PortData<Roadmap>& port, const FleetAsk& ask) {
        RoadmapQuery query;
        query.start = Vec3{ask.from.position};
        query.goal = ask.goal;
        query.agent = ask.unit->agent;
        query.direct = false;  // along the roads, whatever is in sight
        query.attach_max = 1;
        query.attach_tests = kTests;
        query.check_edges = port.now->has_walls();
        if (!port.now->has_widths()) return query;
        // a search may outlive the view that it began with: it asks the one that there is
        query.sight.clear = [](Vec3 a, Vec3 b, double radius, void* user) {
            const SightQuery sight = static_cast<PortData<Roadmap>*>(user)->view->crowd->sight();
            return sight.clear(a, b, radius, sight.user);
        };
        query.sight.user = &port;
        return query;
    }

    static Result<RequestId> ask(PortData<Roadmap>& port, const Kind&, Scheduler& scheduler,
                                 const FleetAsk& ask, const RequestOptions& options) {
        return scheduler.submit<RoadmapSearch>(*port.id, query_of(port, ask), options);
    }

    static bool legal(PortData<Roadmap>& port, const Kind&, Route& route, const FleetAsk& ask) {
        const Result<Revalidation> still = revalidate(*port.now, route, query_of(port, ask), port.scratch);
        return still && still->legal;
    }

    static Result<void> published(PortData<Roadmap>& port, Scheduler&) {
        if (!port.view->crowd) return Error{ErrorCode::out_of_memory};
        set_beside(port);
        return {};
    }
};

}  // namespace fleet

template class WorldFleet<Roadmap>;

}  // namespace fairlead
