// Why a turning unit has no route.

#include <fairlead/explain/explain.h>

#include <algorithm>
#include <cmath>

#include <fairlead/drive/drive_table.h>

#include "drive/curve_check.h"
#include "drive/prepare_ends.h"
#include "explain/spending.h"

namespace fairlead {

namespace {

using namespace explaining;

constexpr double kLeastRadius = 0.25;  // cells: the least that a table takes
constexpr double kLeastScale = 0.02;

[[nodiscard]] BodyCore scaled(const BodyCore& body, double by) {
    return {{body.core.low * by, body.core.high * by}, body.radius * by};
}

[[nodiscard]] Agent scaled(Agent agent, double by) {
    agent.radius *= by;
    agent.length *= by;
    agent.width *= by;
    agent.axle_offset *= by;
    return agent;
}

class DriveExplainer {
  public:
    DriveExplainer(const GridState& grid, const DriveQuery& query, const GridDriveSetup& setup,
                   ExplainWork& work, const ExplainOptions& options, Explanation& out)
        : grid_(grid), query_(query), setup_(setup), work_(work), options_(options), out_(out) {
        spending_.expansions = options.expansions;
        spending_.trials = options.trials_max;
    }

    [[nodiscard]] Result<void> run(Scratch& scratch) {
        const bool good = look(scratch);
        out_.expanded = options_.expansions - spending_.expansions;
        out_.trials = options_.trials_max - spending_.trials;
        if (!good) return spending_.error;
        return {};
    }

  private:
    [[nodiscard]] bool no_memory() {
        spending_.error = {ErrorCode::out_of_memory, -1, 0};
        return false;
    }
    [[nodiscard]] Help& help(HelpKind kind) { return out_.helps[static_cast<std::size_t>(kind)]; }

    [[nodiscard]] Outcome ask(DriveQuery query, Scratch& scratch, Route& route, const GridDriveSetup& setup) {
        query.expansions_max = std::min(query.expansions_max, spending_.expansions);
        return spending_.judge(find_route_into(grid_, query, scratch, route, setup), route);
    }
    [[nodiscard]] Outcome ask_more(const DriveQuery& query, Route& route) {
        --spending_.trials;
        return ask(query, work_.inner, route, setup_);
    }
    [[nodiscard]] bool try_help(HelpKind kind, const DriveQuery& query) {
        Help& out = help(kind);
        out.proof = Proof::not_looked;
        if (spending_.empty()) return true;
        const Outcome outcome = ask_more(query, out.route);
        out.proof = proof_of(outcome);
        out.agent = query.agent;
        return outcome != Outcome::error;
    }

    [[nodiscard]] bool look(Scratch& scratch) {
        // All further queries stay on the lattice; whether there is a way off it is asked once.
        const GridDriveSetup off_lattice = setup_;
        const DriveQuery asked = query_;
        setup_.off_lattice_max = 0;
        query_.off_lattice_max = 0;
        Route route;
        Outcome first = ask(query_, scratch, route, setup_);
        out_.status = route.status;
        if (first == Outcome::failed && route.status == PathStatus::unreachable && !spending_.empty()) {
            first = ask(asked, scratch, route, off_lattice);
            if (first == Outcome::found) out_.status = route.status;
            route.status = first == Outcome::found ? PathStatus::complete : PathStatus::unreachable;
        }
        if (first == Outcome::error) return false;
        if (first == Outcome::found) return true;
        query_.expansions_max = UINT64_MAX;
        query_.smooth = false;
        switch (route.status) {
            case PathStatus::off_world: return tell_off_world();
            case PathStatus::start_blocked: return look_at_end(scratch, true);
            case PathStatus::goal_blocked: return look_at_end(scratch, false);
            case PathStatus::unreachable: return look_at_ground();
            default: out_.reason = ExplainReason::budget_spent; return true;
        }
    }

    [[nodiscard]] Vec2 in_cells(Vec2 p) const { return (p - grid_.origin()) * (1.0 / grid_.cell_size()); }
    [[nodiscard]] Vec2 in_world(Vec2 p) const { return p * grid_.cell_size() + grid_.origin(); }
    void put_place(const Pose& pose) {
        out_.has_place = true;
        out_.place = {{pose.position.x, pose.position.y, 0.0}, pose.heading_rad, setup_.map.layer};
    }

    [[nodiscard]] bool tell_off_world() {
        out_.reason = ExplainReason::off_world;
        const Vec2 p = in_cells(query_.start.position);
        const bool start = !(p.x >= 0 && p.y >= 0 && p.x < grid_.width() && p.y < grid_.height());
        put_place(start ? query_.start : query_.goal);
        return true;
    }

    // ---- a blocked end ---------------------------------------------------------------------------------------------

    // Does the body stand at the place in the heading asked for, or in one of those?
    [[nodiscard]] static bool stands(const drive::GroundBits& free, const BodyCore& body, const Pose& pose,
                                     std::uint32_t headings, std::int32_t count) {
        return drive::any_heading_asked(pose.heading_rad, headings, count, [&](double heading) {
            return drive::stands_free(free, body, {pose.position, heading});
        });
    }

    // Of a region the middle is looked at.
    [[nodiscard]] bool look_at_end(Scratch& scratch, bool start) {
        out_.reason = start ? ExplainReason::start_blocked : ExplainReason::goal_blocked;
        const Pose& pose = start ? query_.start : query_.goal;
        const std::uint32_t headings = start ? query_.start_headings : query_.goal_headings;
        put_place(pose);
        const Result<const DriveMap*> map = drive_map_in(scratch, grid_, query_.agent, setup_);
        if (!map) {
            spending_.error = map.error();
            return false;
        }
        const DriveTable& table = (*map)->table();
        const drive::GroundBits free = (*map)->free_cells();
        const Pose at = drive::MapFrame(**map).in_cells(pose);
        find_touched(**map, at);
        const auto fits = [&](const BodyCore& body, Vec2 p) {
            return stands(free, body, {p, at.heading_rad}, headings, table.headings());
        };
        if (!shrink_to_stand(fits, table, at.position)) return false;
        const HelpKind kind = start ? HelpKind::move_start : HelpKind::move_goal;
        Help& out = help(kind);
        out.proof = Proof::not_looked;
        Vec2 place{};
        if (!nearest_place(at.position, 2 / table.pitch(), 0.0, 2 * std::max(grid_.width(), grid_.height()),
                           spending_.expansions, place, [&](Vec2 p) { return fits(table.body(), p); })) {
            if (spending_.expansions > 0) out.proof = Proof::none;
            return true;
        }
        const Vec2 world = place * table.lattice_size() + grid_.origin();
        out.has_place = true;
        out.place = {{world.x, world.y, 0.0}, pose.heading_rad, setup_.map.layer};
        DriveQuery query = query_;
        (start ? query.start : query.goal).position = world;
        if (!start) query.goal_range = 0.0;
        return try_help(kind, query);
    }

    // The largest body that stands there, and whether it has a way. A body around the axle stands where a larger one does.
    template <class Fits>
    [[nodiscard]] bool shrink_to_stand(const Fits& fits, const DriveTable& table, Vec2 p) {
        Help& out = help(HelpKind::smaller_body);
        if (!fits(scaled(table.body(), kLeastScale), p)) {
            out.proof = Proof::none;
            return true;
        }
        double low = kLeastScale;
        double high = 1.0;
        for (int i = 0; i < 40; ++i) {
            const double middle = 0.5 * (low + high);
            (fits(scaled(table.body(), middle), p) ? low : high) = middle;
        }
        if (query_.agent.shape == BodyShape::disc) out_.width = 2.0 * low * query_.agent.radius;
        return shrink_body(low, std::min(1.0, high * (1.0 + 1e-9)));
    }

    // The nearest blocked tile that the body reaches into: each one alone on an empty map.
    void find_touched(const DriveMap& map, const Pose& at) {
        const drive::GroundBits free = map.free_cells();
        const BodyCore& body = map.table().body();
        const double pitch = map.table().pitch();
        const double r = circumscribed_radius(query_.agent) / grid_.cell_size() * pitch;
        const auto low = [&](double v) { return std::max(0, static_cast<std::int32_t>(std::floor(v - r))); };
        const auto high = [&](double v, std::int32_t size) {
            return std::min(size, static_cast<std::int32_t>(std::ceil(v + r)));
        };
        double best = 1e300;
        for (std::int32_t y = low(at.position.y); y < high(at.position.y, free.height); ++y) {
            for (std::int32_t x = low(at.position.x); x < high(at.position.x, free.width); ++x) {
                if (free.free(x, y)) continue;
                const double dx = std::max({x - at.position.x, at.position.x - x - 1, 0.0});
                const double dy = std::max({y - at.position.y, at.position.y - y - 1, 0.0});
                const double gap = dx * dx + dy * dy;
                if (gap >= best || !meets_alone(body, {at.position - Vec2{1.0 * x, 1.0 * y}, at.heading_rad}))
                    continue;
                best = gap;
                const auto cut = static_cast<std::int32_t>(pitch);
                out_.cell = {x / cut, y / cut, setup_.map.layer};
            }
        }
    }

    // Does the body reach into tile (0, 0)?
    [[nodiscard]] static bool meets_alone(const BodyCore& body, const Pose& pose) {
        constexpr std::int32_t kAround = 160;  // bodies reach 80 cells of a lattice at most
        constexpr std::int32_t kSide = 2 * kAround + 1;
        constexpr std::int32_t kStride = (kSide + 63) / 64 + 1;
        std::uint64_t words[static_cast<std::size_t>((kSide + 2) * kStride + 1)] = {};
        for (std::int32_t y = 0; y < kSide; ++y) {
            std::uint64_t* row = words + (y + 1) * kStride + 1;
            for (std::int32_t w = 0; w < kStride - 1; ++w) {
                const std::int32_t left = kSide - 64 * w;
                row[w] = left >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << left) - 1;
            }
        }
        words[(kAround + 1) * kStride + 1 + kAround / 64] &= ~(std::uint64_t{1} << (kAround % 64));
        const drive::GroundBits free{words + kStride + 1, kStride, kSide, kSide};
        return !drive::stands_free(free, body,
                                   {pose.position + Vec2{1.0 * kAround, 1.0 * kAround}, pose.heading_rad});
    }

    // ---- no way between the ends -----------------------------------------------------------------------------------

    // The axle of a body around it as a point over the same ground.
    [[nodiscard]] bool prepare_ground() {
        GridQuery query{.start = query_.start.position, .start_layer = setup_.map.layer};
        query.goal = query_.goal_range > 0.0 ? Goal::within(query_.goal.position, query_.goal_range)
                                             : Goal(query_.goal.position);
        query.goal.layer = setup_.map.layer;
        query.terrain = setup_.map.terrain;
        if (inscribed_radius(query_.agent) == 0.0) query.corner = CornerRule::always;
        const Result<void> done = grid::prepare_query(grid_, query, work_.query);
        if (!done) spending_.error = done.error();
        return done.has_value();
    }

    [[nodiscard]] bool look_at_ground() {
        out_.reason = ExplainReason::turning;
        const double inside = inscribed_radius(query_.agent) / grid_.cell_size();
        const bool around_axle = inside > 0.0 || query_.agent.shape == BodyShape::disc;
        if (!around_axle) return look_at_turning();
        if (!prepare_ground()) return false;
        Ground& ground = work_.ground;
        if (!ground.begin(work_.query, 1)) return no_memory();
        switch (ground.flood(spending_.expansions)) {
            case Answer::no_memory: return no_memory();
            case Answer::unknown: out_.reason = ExplainReason::budget_spent; return true;
            case Answer::no:
                out_.reason = ExplainReason::sealed;
                out_.goal_side = ground.goal_side();
                out_.area = ground.area();
                return open_ways();
            case Answer::yes: break;
        }
        if (inside == 0.0) return look_at_turning();
        if (!ground.begin(work_.query, 2)) return no_memory();
        const Answer answer = ground.widest(inside, spending_.expansions);
        if (answer == Answer::no_memory) return no_memory();
        if (answer != Answer::yes || ground.room() >= inside) return look_at_turning();
        out_.reason = ExplainReason::too_wide;
        out_.width = 2.0 * ground.room() * grid_.cell_size();
        put_place({in_world(ground.tightest()), 0.0});
        return shrink_body(ground.room() / inside, 1.0) && open_ways();
    }

    [[nodiscard]] bool look_at_turning() {
        return try_reverse() && try_headings() && shrink_circle() && shrink_body(0.0, 1.0) && open_ways();
    }

    [[nodiscard]] bool try_reverse() {
        if (query_.agent.can_reverse) return true;
        DriveQuery query = query_;
        query.agent.can_reverse = true;
        return try_help(HelpKind::reverse_gear, query);
    }

    [[nodiscard]] bool try_headings() {
        DriveQuery query = query_;
        query.goal_headings = kAnyHeading;
        if (query_.goal_headings != kAnyHeading) {
            if (!try_help(HelpKind::goal_heading, query)) return false;
            Help& out = help(HelpKind::goal_heading);
            out.value = out.route.end.heading_rad;
        }
        query = query_;
        query.start_headings = kAnyHeading;
        if (query_.start_headings != kAnyHeading) {
            if (!try_help(HelpKind::start_heading, query)) return false;
            Help& out = help(HelpKind::start_heading);
            if (!out.route.legs.empty()) out.value = out.route.legs[0].start.heading_rad;
        }
        return true;
    }

    [[nodiscard]] bool shrink_circle() {
        const double cell = grid_.cell_size();
        const double least = kLeastRadius * cell * (1.0 + 1e-12);
        if (query_.agent.turning_radius <= least) return true;
        const auto fits = [&](double radius, Route& route, Help& to) {
            DriveQuery query = query_;
            query.agent.turning_radius = radius;
            const Outcome outcome = ask_more(query, route);
            if (outcome == Outcome::found) to.agent = query.agent;
            return outcome;
        };
        return bisect(least, query_.agent.turning_radius, 0.0, options_.accuracy * cell, options_.accuracy,
                      spending_, help(HelpKind::smaller_circle), fits);
    }

    // The largest factor on the body, below `high`, with which there is a way.
    [[nodiscard]] bool shrink_body(double guess, double high) {
        const bool disc = query_.agent.shape == BodyShape::disc;
        Help& out = help(HelpKind::smaller_body);
        if (disc && query_.agent.radius == 0.0) return true;
        const auto fits = [&](double scale, Route& route, Help& to) {
            DriveQuery query = query_;
            query.agent = scaled(query_.agent, scale);
            const Outcome outcome = ask_more(query, route);
            if (outcome == Outcome::found) to.agent = query.agent;
            return outcome;
        };
        const double low = std::min(kLeastScale, 0.5 * high);
        if (!bisect(low, high, guess, options_.accuracy * 0.2, options_.accuracy, spending_, out, fits))
            return false;
        if (disc) {
            out.value *= query_.agent.radius;
            out.failed *= query_.agent.radius;
        }
        return true;
    }

    [[nodiscard]] bool open_ways() {
        const auto fits = [&](Route& route) {
            GridDriveSetup setup = setup_;
            setup.map.terrain.costs = work_.terrain.span();
            --spending_.trials;
            return ask(query_, work_.inner, route, setup);
        };
        help(HelpKind::open_terrain).agent = query_.agent;
        return open_terrain(grid_, setup_.map.terrain.costs, work_, spending_, help(HelpKind::open_terrain),
                            fits);
    }

    const GridState& grid_;
    DriveQuery query_;
    GridDriveSetup setup_;
    ExplainWork& work_;
    const ExplainOptions& options_;
    Explanation& out_;
    Spending spending_;
};

}  // namespace

Result<Explanation> explain(const GridState& grid, const DriveQuery& query, Scratch& scratch,
                            const ExplainOptions& options, const GridDriveSetup& setup) {
    if (const Result<void> good = explaining::check_options(options); !good) return good.error();
    auto* work = scratch.get<explaining::ExplainWork>();
    if (work == nullptr) return Error{ErrorCode::out_of_memory, -1, 0};
    Explanation out;
    out.agent = query.agent;
    const Result<void> done = DriveExplainer(grid, query, setup, *work, options, out).run(scratch);
    if (!done) return done.error();
    return out;
}

}  // namespace fairlead
