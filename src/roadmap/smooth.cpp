// Pulling a route over a roadmap taut: runs of straight legs, and in each the shortest choice of lines in sight, found from its start on.
#include <fairlead/roadmap/smooth.h>

#include <algorithm>
#include <cmath>

#include <fairlead/math/trig.h>

#include "base/no_memory.h"
#include "roadmap/price.h"
#include "roadmap/search_run.h"

namespace fairlead {

namespace {

struct RoadSmoothWork {
    explicit RoadSmoothWork(const Allocator& a) : best(a), from(a), way(a), legs(a) {}

    Array<double> best;         ///< by point of a run: of the shortest way to it
    Array<std::uint32_t> from;  ///< by which point before it
    Array<std::uint32_t> way;
    Array<Leg> legs;
};

class RoadSmoother {
  public:
    RoadSmoother(const RoadmapState& roads, const RoadmapQuery& query, const Route& route, std::uint32_t span,
                 RoadSmoothWork& work)
        : sight_{roads.data().walls, query.sight, query.agent.radius},
          off_net_(query.off_net_cost),
          in_space_(query.sight.clear != nullptr),
          route_(route),
          span_(std::max(span, 1U)),
          work_(work) {}

    [[nodiscard]] bool knows() const { return sight_.known(); }

    [[nodiscard]] bool run() {
        work_.legs.clear();
        const auto count = static_cast<std::uint32_t>(route_.legs.size());
        for (std::uint32_t leg = 0; leg < count;) {
            std::uint32_t end = leg;
            while (end < count && route_.legs[end].kind == LegKind::drive) ++end;
            if (end == leg) {
                if (!work_.legs.push_back(route_.legs[leg++])) return false;
                continue;
            }
            if (!pull(leg, end)) return false;
            leg = end;
        }
        return true;
    }

  private:
    [[nodiscard]] const Vec3& point(std::uint32_t i) const {
        return i < route_.legs.size() ? route_.legs[i].start.position : route_.end.position;
    }
    [[nodiscard]] bool level(std::uint32_t a, std::uint32_t b) const {
        for (std::uint32_t i = a; i <= b; ++i) {
            if (point(i).z != point(a).z) return false;
        }
        return true;
    }
    [[nodiscard]] bool may_cut(std::uint32_t a, std::uint32_t b) const {
        return (in_space_ || level(a, b)) && sight_.clear(point(a), point(b));
    }

    // The legs first to end - 1 join the points first to end.
    [[nodiscard]] bool pull(std::uint32_t first, std::uint32_t end) {
        const std::uint32_t points = end - first + 1;
        if (!work_.best.resize(points) || !work_.from.resize(points)) return false;
        work_.best[0] = 0.0;
        for (std::uint32_t k = 1; k < points; ++k) {
            const Leg& last = route_.legs[first + k - 1];
            work_.best[k] = work_.best[k - 1] + last.length;
            work_.from[k] = k - 1;
            for (std::uint32_t back = 2; back <= std::min(k, span_); ++back) {
                const std::uint32_t i = k - back;
                const double line = distance(ground(point(first + i)), ground(point(first + k))) * off_net_;
                const double whole = work_.best[i] + line;
                if (!(whole < work_.best[k] * (1.0 - 1e-12)) || !may_cut(first + i, first + k)) continue;
                work_.best[k] = whole;
                work_.from[k] = i;
            }
        }
        work_.way.clear();
        for (std::uint32_t k = points - 1; k > 0; k = work_.from[k]) {
            if (!work_.way.push_back(k)) return false;
        }
        std::uint32_t at = 0;
        for (std::size_t i = work_.way.size(); i-- > 0;) {
            const std::uint32_t to = work_.way[i];
            if (!work_.legs.push_back(leg_between(first + at, first + to))) return false;
            at = to;
        }
        return true;
    }

    [[nodiscard]] Leg leg_between(std::uint32_t a, std::uint32_t b) const {
        Leg leg = route_.legs[a];
        if (b == a + 1) return leg;
        const Vec2 way = ground(point(b)) - ground(point(a));
        leg = Leg{};
        leg.start = {point(a), math::atan2(way.y, way.x), route_.legs[a].start.layer};
        leg.length = length(way);
        leg.rise = point(b).z - point(a).z;
        return leg;
    }

    roadmap::Sight sight_;
    double off_net_;
    bool in_space_;
    const Route& route_;
    std::uint32_t span_;
    RoadSmoothWork& work_;
};

}  // namespace

Result<void> smooth_route(const RoadmapState& roads, const RoadmapQuery& query, Scratch& scratch,
                          Route& route, std::uint32_t span) {
    if (const Result<void> good = roadmap::check_query(roads, query); !good) return good;
    const ScratchLease lease(scratch);
    if (!lease) return Error{ErrorCode::scratch_in_use, -1, 0};
    auto* work = scratch.get<RoadSmoothWork>();
    if (work == nullptr) return kNoMemory;
    RoadSmoother smoother(roads, query, route, span, *work);
    if (roads.has_widths() || !smoother.knows()) return {};
    if (!smoother.run()) return kNoMemory;
    // No more legs than there were: no memory is needed.
    route.legs.clear();
    route.length = 0.0;
    for (const Leg& leg : work->legs) {
        (void)route.legs.push_back(leg);
        route.length += leg.length;
    }
    if (!route.legs.empty() && route.legs.back().kind == LegKind::drive)
        route.end.heading_rad = route.legs.back().start.heading_rad;
    return {};
}

}  // namespace fairlead
