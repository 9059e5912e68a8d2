// Ways over random places beside the best one, drawn tight about them, kept if they are cheap enough and run elsewhere.
#include <fairlead/bridge/alternatives.h>

#include <cmath>
#include <concepts>

#include <fairlead/base/digest.h>
#include <fairlead/base/rng.h>

namespace fairlead {

namespace bridge {

namespace {

constexpr int kApartSamples = 256;
constexpr double kViaFirst = 0.15;  // of the best way's length, where places beside it begin and end
constexpr double kViaLast = 0.85;
constexpr double kWidthShare = 0.02;
constexpr int kWaypointDraws = 16;
constexpr double kReachCells = 4.0;

struct WaysWork {
    explicit WaysWork(const Allocator&) {}
    Route parts[3];
    Route way;
};

double gap_to_leg(const Vec3& p, const Vec3& a, const Vec3& b) {
    const Vec3 ab{b.x - a.x, b.y - a.y, b.z - a.z};
    const Vec3 ap{p.x - a.x, p.y - a.y, p.z - a.z};
    const double size = ab.x * ab.x + ab.y * ab.y + ab.z * ab.z;
    double t = size > 0.0 ? (ap.x * ab.x + ap.y * ab.y + ap.z * ab.z) / size : 0.0;
    t = t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;
    const Vec3 off{ap.x - t * ab.x, ap.y - t * ab.y, ap.z - t * ab.z};
    return std::sqrt(off.x * off.x + off.y * off.y + off.z * off.z);
}

bool runs_along(const Place& at, const Route& other, double width) {
    for (std::size_t i = 0; i < other.legs.size(); ++i) {
        const Leg& leg = other.legs[i];
        if (leg.kind != LegKind::drive || leg.start.layer != at.layer) continue;
        if (gap_to_leg(at.position, leg.start.position, leg_end(other, i).position) <= width) return true;
    }
    return false;
}

Result<void> check_options(const AlternativeOptions& options, std::size_t count) {
    if (count == 0) return Error{ErrorCode::size_zero, Field::places};
    if (count > kAlternativesMax)
        return Error{ErrorCode::size_limit, Field::places, static_cast<std::int64_t>(kAlternativesMax)};
    if (!std::isfinite(options.stretch)) return Error{ErrorCode::not_finite, Field::stretch};
    if (options.stretch < 1.0 || options.stretch > 10.0)
        return Error{ErrorCode::out_of_range, Field::stretch};
    if (!std::isfinite(options.apart)) return Error{ErrorCode::not_finite, Field::gap};
    if (options.apart < 0.01 || options.apart > 1.0) return Error{ErrorCode::out_of_range, Field::gap};
    if (!std::isfinite(options.width)) return Error{ErrorCode::not_finite, Field::width};
    if (options.width < 0.0) return Error{ErrorCode::out_of_range, Field::width};
    if (options.trials < 1 || options.trials > 10000)
        return Error{ErrorCode::out_of_range, Field::searches_max};
    return {};
}

// ---- what differs from world to world ----------------------------------------------------------------------

/// The same query by way of places: they are moved to where the unit can be.
GridQuery by_places(const GridState& grid, const GridQuery& query) {
    GridQuery out = query;
    const double reach = kReachCells * grid.cell_size();
    if (out.reach < reach) out.reach = reach;
    return out;
}
MeshQuery by_places(const NavMeshState&, const MeshQuery& query) { return query; }
RoadmapQuery by_places(const RoadmapState&, const RoadmapQuery& query) {
    RoadmapQuery out = query;
    out.direct = false;
    return out;
}

/// After how much a world is the same again, on the axes that wrap; else 0.
Vec2 lap_of(const GridState& grid) {
    return {grid.wrap_x() ? grid.width() * grid.cell_size() : 0.0,
            grid.wrap_y() ? grid.height() * grid.cell_size() : 0.0};
}
Vec2 lap_of(const NavMeshState&) { return {}; }

/// A place of the world near a position.
Spot via_of(const GridState&, Rng&, const Place& at) { return Spot(ground(at.position)).on_layer(at.layer); }
Spot via_of(const NavMeshState&, Rng&, const Place& at) { return Spot(at.position); }
/// The nearest of some random waypoints.
Spot via_of(const RoadmapState& roads, Rng& rng, const Place& at) {
    Spot best(WaypointId{});
    double least = kNoBound;
    for (int i = 0; i < kWaypointDraws && roads.slots() > 0; ++i) {
        const Waypoint point = roads.node(WaypointSlot{rng.below(roads.slots())});
        if (!point.id.valid()) continue;
        const double gap = gap_to_leg(at.position, point.position, point.position);
        if (gap < least) {
            least = gap;
            best = Spot(point.id);
        }
    }
    return best;
}

// ---- putting parts together --------------------------------------------------------------------------------

Place start_of(const Route& route) { return route.legs.empty() ? route.end : route.legs[0].start; }

void start_way(Route& way, const Route& first) {
    way.clear();
    way.status = PathStatus::complete;
    way.planner = first.planner;
    way.revision = first.revision;
    way.end = start_of(first);
}

// So many whole laps that `to` is nearest to `from`.
double laps_between(double from, double to, double lap) {
    return lap > 0.0 ? lap * std::floor((from - to) / lap + 0.5) : 0.0;
}

// A part that begins in another lap than the way ends in is moved there.
bool append_way(Route& way, const Route& part, Vec2 lap) {
    const Vec3 from = way.end.position;
    const Vec3 to = start_of(part).position;
    const Vec2 shift{laps_between(from.x, to.x, lap.x), laps_between(from.y, to.y, lap.y)};
    for (Leg leg : part.legs) {
        leg.start.position.x += shift.x;
        leg.start.position.y += shift.y;
        if (!way.legs.push_back(leg)) return false;
    }
    way.length += part.length;
    way.cost += part.cost;
    way.line_cost += part.line_cost;
    way.end = part.end;
    way.end.position.x += shift.x;
    way.end.position.y += shift.y;
    way.stats.expanded += part.stats.expanded;
    way.stats.generated += part.stats.generated;
    Digest digest;
    digest.add(way.stats.digest);
    digest.add(part.stats.digest);
    way.stats.digest = digest.value();
    return true;
}

// Does a way come to the start of a leg, or its end, a second time? Then it is no way of its own.
bool comes_twice(const Route& way) {
    for (std::size_t i = 0; i < way.legs.size(); ++i) {
        for (std::size_t k = i + 1; k <= way.legs.size(); ++k) {
            const Place& other = k < way.legs.size() ? way.legs[k].start : way.end;
            if (way.legs[i].start.position == other.position && way.legs[i].start.layer == other.layer)
                return true;
        }
    }
    return false;
}

template <class World, class Query>
class WaysHunt {
  public:
    WaysHunt(const World& world, const Query& query, const AlternativeOptions& options, Scratch& scratch,
             WaysWork& work, std::span<Route> routes)
        : world_(world),
          query_(query),
          options_(options),
          scratch_(scratch),
          work_(work),
          routes_(routes),
          rng_{options.seed} {}

    Result<std::size_t> run() {
        for (Route& route : routes_) route.clear();
        if (const Result<void> done = find_route_into(world_, query_, scratch_, routes_[0]); !done)
            return done.error();
        const Route& best = routes_[0];
        if (best.status != PathStatus::complete || !(best.length > 0.0)) return std::size_t{1};
        width_ = options_.width > 0.0 ? options_.width : kWidthShare * best.length;
        for (std::int32_t i = 0; i < options_.trials && found_ < routes_.size(); ++i) {
            const Result<bool> made = try_way();
            if (!made.has_value()) return made.error();
            if (*made && !keep_way()) return Error{ErrorCode::out_of_memory, -1, 0};
        }
        return found_;
    }

  private:
    Result<bool> search(const Spot& from, const Goal& to, Route& out) {
        Query part = by_places(world_, query_);
        part.start = from;
        part.goal = to;
        const Result<void> done = find_route_into(world_, part, scratch_, out);
        // A place where nobody can be is a try that failed; what the query itself may not say was refused before.
        if (!done)
            return done.error().code == ErrorCode::out_of_memory ? Result<bool>{done.error()}
                                                                 : Result<bool>{false};
        return out.status == PathStatus::complete;
    }

    // A random place beside the best way, so far that a way over it may still be cheap enough.
    Place beside_best() {
        const Route& best = routes_[0];
        const double along = rng_.between(kViaFirst, kViaLast) * best.length;
        const double s = options_.stretch;
        const double far = 0.5 * best.length * std::sqrt(s * s - 1.0);
        const double aside = rng_.between(-far, far);
        Place at = place_on_route(best, along);
        const Vec3 from = best.legs[0].start.position;
        const Vec2 way{best.end.position.x - from.x, best.end.position.y - from.y};
        const double size = length(way);
        const Vec2 normal = size > 0.0 ? Vec2{-way.y / size, way.x / size} : Vec2{0.0, 1.0};
        at.position.x += normal.x * aside;
        at.position.y += normal.y * aside;
        return at;
    }

    Result<bool> try_way() {
        const Spot via = via_of(world_, rng_, beside_best());
        Route* parts = work_.parts;
        Result<bool> good = search(query_.start, Goal(via), parts[0]);
        if (!good.has_value() || !*good) return good;
        good = search(via, query_.goal, parts[1]);
        if (!good.has_value() || !*good) return good;
        if (parts[0].line_cost + parts[1].line_cost > 2.0 * limit()) return false;
        if constexpr (std::same_as<Query, RoadmapQuery>) {
            return join_on_net();
        } else {
            return draw_tight();
        }
    }

    // From the middle of the first half to the middle of the second.
    Result<bool> draw_tight() {
        Route* parts = work_.parts;
        const Spot p = spot_of(place_on_route(parts[0], 0.5 * parts[0].length));
        const Spot q = spot_of(place_on_route(parts[1], 0.5 * parts[1].length));
        Result<bool> good = search(query_.start, Goal(p), parts[0]);
        if (good.has_value() && *good) good = search(p, Goal(q), parts[1]);
        if (good.has_value() && *good) good = search(q, query_.goal, parts[2]);
        if (!good.has_value() || !*good) return good;
        start_way(work_.way, parts[0]);
        for (int i = 0; i < 3; ++i) {
            if (!append_way(work_.way, parts[i], lap_of(world_)))
                return Error{ErrorCode::out_of_memory, -1, 0};
        }
        return is_new();
    }

    Result<bool> join_on_net() {
        Route* parts = work_.parts;
        start_way(work_.way, parts[0]);
        if (!append_way(work_.way, parts[0], {}) || !append_way(work_.way, parts[1], {}))
            return Error{ErrorCode::out_of_memory, -1, 0};
        if (comes_twice(work_.way)) return false;
        return is_new();
    }

    static Spot spot_of(const Place& at) {
        if constexpr (std::same_as<Query, GridQuery>) {
            return Spot(ground(at.position)).on_layer(at.layer);
        } else {
            return Spot(at.position);
        }
    }

    [[nodiscard]] double limit() const { return options_.stretch * routes_[0].line_cost; }

    Result<bool> is_new() const {
        if (work_.way.line_cost > limit()) return false;
        for (std::size_t i = 0; i < found_; ++i) {
            if (share_apart(work_.way, routes_[i], width_) < options_.apart) return false;
        }
        return true;
    }

    [[nodiscard]] bool keep_way() {
        Route& out = routes_[found_];
        const Route& way = work_.way;
        if (!out.legs.assign(way.legs.span())) return false;
        out.status = way.status;
        out.length = way.length;
        out.cost = way.cost;
        out.line_cost = way.line_cost;
        out.planner = "alternative";
        out.revision = way.revision;
        out.end = way.end;
        out.stats = way.stats;
        ++found_;
        return true;
    }

    const World& world_;
    const Query& query_;
    const AlternativeOptions& options_;
    Scratch& scratch_;
    WaysWork& work_;
    std::span<Route> routes_;
    Rng rng_;
    double width_ = 0.0;
    std::size_t found_ = 1;
};

}  // namespace

}  // namespace bridge

double share_apart(const Route& route, const Route& other, double width) {
    if (!(route.length > 0.0)) return 0.0;
    int apart = 0;
    for (int i = 0; i < bridge::kApartSamples; ++i) {
        const Place at = place_on_route(route, (i + 0.5) / bridge::kApartSamples * route.length);
        if (!bridge::runs_along(at, other, width)) ++apart;
    }
    return static_cast<double>(apart) / bridge::kApartSamples;
}

template <class World, class Query>
Result<std::size_t> find_alternatives(const World& world, const Query& query,
                                      const AlternativeOptions& options, Scratch& scratch,
                                      std::span<Route> routes) {
    if (const Result<void> good = bridge::check_options(options, routes.size()); !good) return good.error();
    auto* work = scratch.get<bridge::WaysWork>();
    if (work == nullptr) return Error{ErrorCode::out_of_memory, -1, 0};
    return bridge::WaysHunt<World, Query>(world, query, options, scratch, *work, routes).run();
}

template Result<std::size_t> find_alternatives(const GridState&, const GridQuery&, const AlternativeOptions&,
                                               Scratch&, std::span<Route>);
template Result<std::size_t> find_alternatives(const NavMeshState&, const MeshQuery&,
                                               const AlternativeOptions&, Scratch&, std::span<Route>);
template Result<std::size_t> find_alternatives(const RoadmapState&, const RoadmapQuery&,
                                               const AlternativeOptions&, Scratch&, std::span<Route>);

}  // namespace fairlead
