// Round clutter in a LocalGrid's window, and back onto the route.
#include <algorithm>
#include <cmath>

#include <fairlead/bridge/grid_drive.h>
#include <fairlead/bridge/local_grid.h>
#include <fairlead/bridge/tile_sight.h>
#include <fairlead/grid/find_route.h>

#include "base/no_memory.h"

namespace fairlead {

namespace {

constexpr double kStepCells = 0.5;  // between places of the route that are looked at

/// A place of the route.
struct Sample {
    double at = 0.0;  ///< along the route
    Place place{};
    bool stands = false;  ///< the body does, on free cells
    bool clear = true;    ///< up to the next sample
};

struct DetourWork {
    explicit DetourWork(const Allocator& allocator) : samples(allocator), legs(allocator) {
        local.legs = Array<Leg>(allocator);
    }
    Array<Sample> samples;
    Array<Leg> legs;
    Route local;
};

class DetourFinder {
  public:
    DetourFinder(const LocalGrid& window, const Route& route, Scratch& scratch, DetourWork& work, Detour& out)
        : window_(window), route_(route), scratch_(scratch), work_(work), out_(out) {}

    [[nodiscard]] Result<void> find(double distance) {
        if (!look(distance)) return kNoMemory;
        out_.route.planner = "local_grid";
        out_.route.revision = route_.revision;
        const std::size_t count = work_.samples.size();
        std::size_t first = 0, last = 0;  // stretches that are not clear
        while (first < count && work_.samples[first].clear) ++first;
        for (std::size_t i = first; i < count; ++i) {
            if (!work_.samples[i].clear) last = i;
        }
        out_.needed = first < count;
        if (!out_.needed) return splice(distance, distance, distance);
        return lead_round(distance, first, last);
    }

  private:
    /// Two samples.
    struct Span {
        std::size_t from = 0;
        std::size_t to = 0;
    };

    [[nodiscard]] Result<void> lead_round(double distance, std::size_t first, std::size_t last) {
        const Array<Sample>& at = work_.samples;
        out_.route.status = PathStatus::start_blocked;
        std::size_t early = 0;
        while (early <= first && !at[early].stands) ++early;
        if (early > first) return {};
        std::size_t late = first;
        while (!at[late].stands) --late;
        out_.route.status = PathStatus::unreachable;
        std::size_t far = at.size() - 1;
        while (far > last && !at[far].stands) --far;
        if (far <= last) return {};
        std::size_t near = last + 1;
        while (!at[near].stands) ++near;
        bool found = false;
        for (const Span span : {Span{early, far}, Span{late, far}, Span{late, near}}) {
            const Result<void> done = ask_between(span, first, last, found);
            if (!done || found) return done ? splice(distance, out_.to, out_.from) : done;
        }
        return {};
    }

    // From one sample to another. A body that turns may not stand there though its middle does: then from one later, or to one
    // earlier, but not between the stretches that are not clear.
    [[nodiscard]] Result<void> ask_between(Span span, std::size_t first, std::size_t last, bool& found) {
        const Array<Sample>& at = work_.samples;
        while (span.from <= first && span.to > last) {
            const Result<void> done = ask(at[span.from].place, at[span.to].place);
            if (!done) return done;
            const PathStatus status = work_.local.status;
            out_.from = at[span.from].at;
            out_.to = at[span.to].at;
            found = status == PathStatus::complete;
            if (status == PathStatus::start_blocked) {
                ++span.from;
            } else if (status == PathStatus::goal_blocked) {
                --span.to;
            } else {
                break;
            }
        }
        if (!found) out_.from = out_.to = 0.0;
        return {};
    }

    // Over the free cells.
    [[nodiscard]] Result<void> ask(const Place& from, const Place& to) {
        const Agent& body = window_.body();
        const Vec2 a = ground(from.position), b = ground(to.position);
        if (body.turning_radius > 0.0) {
            const double cell = window_.options().cell_size;
            const DriveQuery query{.start = {a, from.heading_rad},
                                   .goal = {b, to.heading_rad},
                                   .agent = body,
                                   .cusp_penalty = cell,
                                   .pivot_penalty = 2.0 * cell};
            return find_route_into(window_.grid().state(), query, scratch_, work_.local,
                                   {.off_lattice_max = 0});
        }
        const GridQuery query{.start = a, .goal = b, .agent = {.radius = body.radius}};
        return find_route_into(window_.grid(), query, scratch_, work_.local);
    }

    // The places of the route in the window. False: out of memory.
    [[nodiscard]] bool look(double distance) {
        work_.samples.clear();
        const double step = kStepCells * window_.options().cell_size;
        double begin = 0.0;
        for (std::size_t i = 0; i < route_.legs.size(); ++i) {
            const Leg& leg = route_.legs[i];
            const double end = begin + leg.length;
            if (leg.kind == LegKind::link && end >= distance) return true;
            for (double at = std::max(begin, distance); at < end; at = std::min(at + step, end)) {
                const Place place = place_on_leg(leg, at - begin);
                const Place next = place_on_leg(leg, std::min(at + step, end) - begin);
                if (!window_.bounds().contains(ground(place.position))) {
                    if (!work_.samples.empty()) return true;
                    continue;
                }
                const bool clear = !meets(place, next, leg.curvature, step);
                if (!work_.samples.push_back({at, place, stands(place), clear})) return false;
            }
            begin = end;
        }
        const Place& end = route_.end;
        if (!window_.bounds().contains(ground(end.position))) return true;
        const bool clear = !window_.meets_clutter(ground(end.position), ground(end.position));
        return work_.samples.push_back({begin, end, stands(end), clear});
    }

    // An arc is off its chord by no more than step^2 x curvature / 8; so much to both sides.
    [[nodiscard]] bool meets(const Place& a, const Place& b, double curvature, double step) const {
        const Vec2 from = ground(a.position), to = ground(b.position);
        if (curvature == 0.0) return window_.meets_clutter(from, to);
        const double off = step * step * std::abs(curvature) * 0.125;
        const Vec2 along = to - from;
        const double size = length(along);
        const Vec2 aside = size > 0.0 ? Vec2{-along.y, along.x} * (off / size) : Vec2{off, 0.0};
        return window_.meets_clutter(from + aside, to + aside) ||
               window_.meets_clutter(from - aside, to - aside) || window_.meets_clutter(from, to);
    }

    [[nodiscard]] bool stands(const Place& place) const {
        const Vec2 at = ground(place.position);
        if (!window_.on_sheet(at) || std::abs(window_.height(at) - place.position.z) > kFloorApart)
            return false;
        const TileSight sight(window_.grid().state());
        return sight.clear(at, at, inscribed_radius(window_.body())) && !window_.meets_clutter(at, at);
    }

    /// The route from `distance` to where the local one begins, that one, if it is needed, and the rest from `back` on.
    [[nodiscard]] Result<void> splice(double distance, double back, double leave) {
        Route& out = out_.route;
        out.status = PathStatus::complete;
        bool kept = append(distance, leave);
        if (out_.needed) {
            for (const Leg& leg : work_.local.legs) {
                Leg lifted = leg;
                lifted.start.layer = 0;
                lifted.clearance = kUnknown;
                lifted.start.position.z = window_.height(ground(leg.start.position));
                kept = kept && out.legs.push_back(lifted);
            }
        }
        kept = kept && append(back, 1e300);
        if (!kept) return kNoMemory;
        out.end = route_.end;
        for (std::size_t i = 0; i < out.legs.size(); ++i) {
            Leg& leg = out.legs[i];
            if (leg.kind != LegKind::link) leg.rise = leg_end(out, i).position.z - leg.start.position.z;
            out.length += leg.length;
        }
        out.cost = out.line_cost = out.length;
        return {};
    }

    /// The legs between two distances, the first and the last one cut. False: out of memory.
    [[nodiscard]] bool append(double from, double to) {
        double begin = 0.0;
        for (const Leg& leg : route_.legs) {
            const double end = begin + leg.length;
            const double low = std::max(from, begin), high = std::min(to, end);
            const bool point = leg.length == 0.0 && begin >= from && begin < to;
            if (low < high || point) {
                Leg part = leg;
                if (low > begin) {
                    part.start = place_on_leg(leg, low - begin);
                    const Vec2 at = ground(part.start.position);
                    if (window_.on_sheet(at)) part.start.position.z = window_.height(at);
                }
                part.length = point ? 0.0 : high - low;
                if (!out_.route.legs.push_back(part)) return false;
            }
            begin = end;
        }
        return true;
    }

    static constexpr double kFloorApart =
        1.0;  // a route's height between its corners is that far off at most

    const LocalGrid& window_;
    const Route& route_;
    Scratch& scratch_;
    DetourWork& work_;
    Detour& out_;
};

}  // namespace

Result<void> find_detour_into(const LocalGrid& window, const Route& route, double distance, Scratch& scratch,
                              Detour& out) {
    out.needed = false;
    out.from = out.to = 0.0;
    out.route.clear();
    if (!std::isfinite(distance)) return Error{ErrorCode::not_finite, Field::distance};
    if (distance < 0.0) return Error{ErrorCode::out_of_range, Field::distance};
    if (window.mesh() == nullptr || window.mesh()->revision() != route.revision)
        return Error{ErrorCode::stale_revision, Field::route};
    auto* work = scratch.get<DetourWork>();
    if (work == nullptr) return kNoMemory;
    return DetourFinder(window, route, scratch, *work, out).find(distance);
}

Result<Detour> find_detour(const LocalGrid& window, const Route& route, double distance, Scratch& scratch) {
    Detour out;
    if (const Result<void> done = find_detour_into(window, route, distance, scratch, out); !done)
        return done.error();
    return out;
}

}  // namespace fairlead
