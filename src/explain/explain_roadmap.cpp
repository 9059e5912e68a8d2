// Why a unit has no route over a roadmap.
//
// What hangs together for a point is flooded from both ends, along edges and against them. Where it does not, one side is closed in, or
// one-way edges lead the other way. Where it does, roads or walls are too narrow: the widths of the kinds of road are tried by halving,
// then what walls leave is found by bisection.

#include <fairlead/explain/explain.h>

#include <algorithm>
#include <cmath>

#include <fairlead/roadmap/find_route.h>
#include <fairlead/roadmap/leg_names.h>

#include "explain/inquiry.h"
#include "explain/net_sides.h"

namespace fairlead {

namespace {

using namespace explaining;

struct NetWork {
    explicit NetWork(const Allocator& a) : sides(a), near(a), names(a), factors(a), inner(a) {}
    NetSides sides;
    roadmap::NearestWalk near;
    Array<RoadmapLeg> names;
    Array<double> factors;
    Scratch inner;
};

using NetInquiry = InquiryOf<RoadmapState, NetWork>;

constexpr double kFirmRoad = 0x1p-20;  // of a radius: so much above half a road's width

class NetExplainer {
  public:
    NetExplainer(NetInquiry& inquiry, const RoadmapQuery& query, double accuracy)
        : in_(inquiry),
          net_(inquiry.world),
          data_(inquiry.world.data()),
          out_(inquiry.out),
          query_(query),
          step_(accuracy * query.agent.radius) {
        query_.partial = false;
    }

    // False: an error, in the inquiry.
    [[nodiscard]] bool look() {
        return ask_first(in_, query_, [&](PathStatus status) {
            query_.planner = RoadmapPlanner::astar;
            query_.own = {};
            query_.expansions_max = UINT64_MAX;
            switch (status) {
                case PathStatus::unreachable: return look_at_net();
                case PathStatus::start_blocked: return look_at_end(true);
                case PathStatus::goal_blocked: return look_at_end(false);
                default: out_.reason = ExplainReason::budget_spent; return true;
            }
        });
    }

  private:
    [[nodiscard]] std::size_t goal_count() const {
        return query_.goal.is_list() ? query_.goal.list.size() : 1;
    }
    [[nodiscard]] Spot goal(std::size_t i) const {
        return query_.goal.is_list() ? query_.goal.list[i] : query_.goal.at;
    }
    [[nodiscard]] bool walls_known() const { return in_.work.sides.rules().sight.known(); }

    // ---- an end that does not come to the net ------------------------------------------------------------------------

    // Of several goals the first one is looked at.
    [[nodiscard]] bool look_at_end(bool start) {
        const Vec3 at = position_of(net_, start ? query_.start : goal(0));
        out_.goal_side = !start;
        in_.put_place(at);
        in_.work.sides.begin(net_, query_, 0.0, false);
        roadmap::NearPlace place;
        const Answer near =
            next_place(at, query_.attach_range, place, [](const roadmap::NearPlace&) { return true; });
        if (near == Answer::no_memory) return in_.no_memory();
        out_.reason = near == Answer::no ? ExplainReason::off_world
                      : start            ? ExplainReason::start_blocked
                                         : ExplainReason::goal_blocked;
        if (near == Answer::unknown) out_.reason = ExplainReason::budget_spent;
        if (near == Answer::unknown) return true;
        return shrink() && open_edges() && move_end(start);
    }

    // The nearest place of the net, waypoints and edges that are open, of those that are accepted.
    template <class Accept>
    [[nodiscard]] Answer next_place(Vec3 at, double range, roadmap::NearPlace& place, const Accept& accept) {
        roadmap::NearestWalk& walk = in_.work.near;
        if (!walk.begin(data_, at, {.range = range, .arcs = true})) return Answer::no_memory;
        for (;;) {
            if (in_.spending.expansions == 0) return Answer::unknown;
            --in_.spending.expansions;
            switch (walk.step(place)) {
                case roadmap::NearestWalk::Step::no_memory: return Answer::no_memory;
                case roadmap::NearestWalk::Step::end: return Answer::no;
                case roadmap::NearestWalk::Step::opened: break;
                case roadmap::NearestWalk::Step::place:
                    if (is_open(place) && accept(place)) return Answer::yes;
                    break;
            }
        }
    }
    [[nodiscard]] bool is_open(const roadmap::NearPlace& place) const {
        if (!place.on_arc()) return true;
        const RoadmapArc& arc = data_.arcs(place.slot)[place.arc];
        return in_.work.sides.rules().prices.of(place.slot, arc) < roadmap::kInfinity;
    }

    // The nearest place of the net with a way for the other end; where that is nowhere itself, the nearest place at all.
    [[nodiscard]] bool move_end(bool start) {
        NetSides& sides = in_.work.sides;
        Help& help = in_.help(start ? HelpKind::move_start : HelpKind::move_goal);
        help.proof = Proof::not_looked;
        sides.begin(net_, query_, query_.agent.radius, false);
        bool other = false;
        for (std::size_t i = 0; i < (start ? goal_count() : 1); ++i) {
            const Answer added = sides.add(start, start ? goal(i) : query_.start, in_.spending.expansions);
            if (added == Answer::no_memory) return in_.no_memory();
            if (added == Answer::unknown) return true;
            other = other || added == Answer::yes;
        }
        Answer answer = sides.flood_side(start, in_.spending.expansions);
        if (answer == Answer::no_memory) return in_.no_memory();
        if (answer == Answer::unknown) return true;
        const Vec3 at = position_of(net_, start ? query_.start : goal(0));
        roadmap::NearPlace place;
        answer = next_place(at, roadmap::kInfinity, place,
                            [&](const roadmap::NearPlace& p) { return !other || sides.serves(start, p); });
        if (answer == Answer::no_memory) return in_.no_memory();
        if (answer == Answer::no) help.proof = Proof::none;
        if (answer != Answer::yes) return true;
        help.has_place = true;
        help.place = {place.position, 0.0, 0};
        help.value = std::sqrt(place.distance_squared);
        RoadmapQuery query = query_;
        if (start) {
            query.start = place.position;
        } else {
            query.goal = place.position;
        }
        return try_help(in_, start ? HelpKind::move_start : HelpKind::move_goal, query, asker(in_));
    }

    // ---- no way between the ends -----------------------------------------------------------------------------------

    [[nodiscard]] Answer flood(bool against) {
        NetSides& sides = in_.work.sides;
        sides.begin(net_, query_, 0.0, against);
        Answer added = sides.add(false, query_.start, in_.spending.expansions);
        for (std::size_t i = 0; i < goal_count() && (added == Answer::yes || added == Answer::no); ++i)
            added = sides.add(true, goal(i), in_.spending.expansions);
        if (added == Answer::no_memory || added == Answer::unknown) return added;
        return sides.flood(in_.spending.expansions);
    }

    [[nodiscard]] bool look_at_net() {
        out_.reason = ExplainReason::budget_spent;
        const Answer answer = flood(false);
        if (answer == Answer::no_memory) return in_.no_memory();
        if (answer == Answer::unknown) return true;
        bool joined = answer == Answer::yes;
        const std::size_t nodes = in_.work.sides.nodes(in_.work.sides.goal_side());
        const bool goal_side = in_.work.sides.goal_side();
        if (!joined && query_.agent.radius > 0.0) {
            // A point may also go straight, or stay on the one edge that both ends are on.
            if (in_.spending.empty()) return true;
            RoadmapQuery point = query_;
            point.agent.radius = 0.0;
            Route route;
            const Outcome outcome = ask_more(in_, point, route);
            if (outcome == Outcome::error) return false;
            if (outcome == Outcome::spent) return true;
            joined = outcome == Outcome::found;
        }
        if (joined) return look_at_width();
        out_.reason = ExplainReason::sealed;
        out_.goal_side = goal_side;
        out_.area = static_cast<std::int64_t>(nodes);
        const Answer both = flood(true);
        if (both == Answer::no_memory) return in_.no_memory();
        out_.one_way = both == Answer::yes;
        if (!open_edges()) return false;
        return query_.goal.is_list() || (move_end(true) && move_end(false));
    }

    [[nodiscard]] bool look_at_width() {
        out_.reason = ExplainReason::too_wide;
        return shrink() && open_edges() && tell_tightest();
    }

    // ---- the largest radius --------------------------------------------------------------------------------------------

    [[nodiscard]] bool shrink() {
        Help& help = in_.help(HelpKind::smaller_body);
        const double wanted = query_.agent.radius;
        if (wanted == 0.0) return true;
        const auto fits = with_unit(query_, asker(in_), [](Agent& agent, double r) { agent.radius = r; });
        help.proof = Proof::not_looked;
        help.failed = wanted;
        double guess = 0.0;
        bool more = true;
        if (!try_roads(help, fits, guess, more)) return false;
        if (!more) return true;
        // What no walls narrow is as wide as its roads.
        const double high = help.failed;
        const double step = walls_known() ? step_ : 2.0 * kFirmRoad * wanted;
        if (!walls_known() && guess == 0.0) {
            const bool good = bisect(0.0, step, 0.0, step, 0.0, in_.spending, help, fits);
            help.failed = high;  // a point alone was asked for
            return good;
        }
        if (!bisect(0.0, high, guess, step, 0.0, in_.spending, help, fits)) return false;
        if (help.proof != Proof::found || help.value != guess || guess == 0.0) return true;
        const double above = guess * (1.0 + kFirmRoad);
        return above >= help.failed || try_value(above, in_.spending, help, fits, more);
    }
    // Half the widths of the kinds of road that are below the radius, by halving. help.failed: the least one that has none.
    template <class Fits>
    [[nodiscard]] bool try_roads(Help& help, const Fits& fits, double& guess, bool& more) {
        if (!net_.has_widths()) return true;
        double radii[KindSet::kKindsMax];
        std::size_t count = 0;
        for (std::uint32_t k = 0; k < KindSet::kKindsMax; ++k) {
            if ((data_.summary.kinds[k / 64] >> (k % 64) & 1U) == 0) continue;
            const double radius = 0.5 * net_.road(static_cast<std::uint8_t>(k)).width;
            if (radius > 0.0 && radius < query_.agent.radius) radii[count++] = radius;
        }
        std::sort(radii, radii + count);  // total order: equal ones are the same
        for (std::size_t low = 0, high = count; low < high && more;) {
            const std::size_t i = low + (high - low) / 2;
            if (!try_value(radii[i], in_.spending, help, fits, more)) return false;
            (help.value == radii[i] ? low : high) = help.value == radii[i] ? i + 1 : i;
        }
        guess = help.value;
        if (guess > 0.0) help.proof = Proof::found;
        return true;
    }

    // The narrowest road of the way of the largest radius; else where on it a larger unit meets a wall.
    [[nodiscard]] bool tell_tightest() {
        const Help& help = in_.help(HelpKind::smaller_body);
        if (help.proof != Proof::found) return true;
        RoadmapQuery query = query_;
        query.agent.radius = help.value;
        Array<RoadmapLeg>& names = in_.work.names;
        const Result<void> named = name_legs(net_, query, in_.work.inner, help.route, names);
        if (!named) return in_.fail(named.error());
        double least = 2.0 * help.failed;
        std::size_t at = names.size();
        for (std::size_t i = 0; i < names.size() && net_.has_widths(); ++i) {
            const double width = net_.road(names[i].edge.kind).width;
            if (!names[i].on_net || names[i].edge.link || width >= least) continue;
            least = width;
            at = i;
        }
        if (at == names.size()) return !walls_known() || tell_wall(help);
        const RoadmapLeg& leg = names[at];
        out_.has_edge = true;
        out_.edge = {.from = leg.from,
                     .to = leg.to,
                     .cost = leg.edge.cost,
                     .link = leg.edge.link,
                     .kind = leg.edge.kind,
                     .flags = leg.edge.flags,
                     .label = leg.edge.label};
        out_.width = least;
        put_middle(help.route, at, 0.0, 1.0);
        return true;
    }
    void put_middle(const Route& route, std::size_t leg, double low, double high) {
        const Vec3 a = route.legs[leg].start.position, b = leg_end(route, leg).position;
        in_.put_place(a + (b - a) * (0.5 * (low + high)));
    }

    // The first leg that is too tight for what failed; of it the half that is, again and again.
    [[nodiscard]] bool tell_wall(const Help& help) {
        roadmap::Sight sight = in_.work.sides.rules().sight;
        sight.radius = help.failed;
        const Route& route = help.route;
        for (std::size_t i = 0; i < route.legs.size(); ++i) {
            const bool judged = query_.check_edges || !in_.work.names[i].on_net;
            const Vec3 a = route.legs[i].start.position, b = leg_end(route, i).position;
            if (!judged || route.legs[i].kind != LegKind::drive || sight.clear(a, b)) continue;
            double low = 0.0, high = 1.0;
            for (int k = 0; k < 30; ++k) {
                const double middle = 0.5 * (low + high);
                (sight.clear(a + (b - a) * low, a + (b - a) * middle) ? low : high) = middle;
            }
            out_.width = 2.0 * help.value;
            put_middle(route, i, low, high);
            return true;
        }
        return true;
    }

    // ---- what the filter closes ------------------------------------------------------------------------------------------

    [[nodiscard]] bool open_edges() {
        const EdgeFilter& filter = query_.filter;
        EdgeFilter open = filter;
        Array<double>& factors = in_.work.factors;
        if (!factors.assign({filter.kinds.factors.data(), filter.kinds.factors.size()}))
            return in_.no_memory();
        open.kinds.factors = factors.span();
        Help& help = in_.help(HelpKind::open_terrain);
        help.agent = query_.agent;
        // Kinds, then flags from 256 on, then the function.
        constexpr std::uint32_t kFlags = KindSet::kKindsMax, kFunction = kFlags + 32;
        std::uint32_t items[kFunction + 1] = {}, count = 0;
        const auto set_open = [&](std::uint32_t i, bool is_open) {
            const std::uint32_t item = items[i];
            if (item == kFunction) {
                open.factor = is_open ? nullptr : filter.factor;
                help.own_factor = is_open;
            } else if (item >= kFlags) {
                const std::uint32_t bit = std::uint32_t{1} << (item - kFlags);
                open.blocked_flags = is_open ? open.blocked_flags & ~bit : open.blocked_flags | bit;
                help.flags = is_open ? help.flags | bit : help.flags & ~bit;
            } else {
                const std::uint64_t bit = std::uint64_t{1} << (item % 64);
                if (is_open) {
                    open.kinds.closed.erase(item);
                    if (item < factors.size() && factors[item] == 0.0) factors[item] = 1.0;
                } else {
                    open.kinds.closed.insert(item);
                }
                std::uint64_t& told = help.terrain[item / 64];
                told = is_open ? told | bit : told & ~bit;
            }
        };
        const auto add = [&](std::uint32_t item) {
            items[count] = item;
            set_open(count++, true);
        };
        for (std::uint32_t k = 0; k < kFlags; ++k) {
            if (!filter.kinds.open(k) && (data_.summary.kinds[k / 64] >> (k % 64) & 1U) != 0) add(k);
        }
        const std::uint32_t flags = filter.blocked_flags == 0 ? 0 : filter.blocked_flags & all_flags();
        for (std::uint32_t k = 0; k < 32; ++k) {
            if ((flags >> k & 1U) != 0) add(kFlags + k);
        }
        if (filter.factor != nullptr) add(kFunction);
        return spare_kinds(in_.spending, count, true, help, set_open, [&](Route& route) {
            RoadmapQuery query = query_;
            query.filter = open;
            return ask_more(in_, query, route);
        });
    }
    [[nodiscard]] std::uint32_t all_flags() const {
        std::uint32_t flags = 0;
        for (std::uint32_t slot = 0; slot < net_.slots(); ++slot) {
            for (const RoadmapArc& arc : net_.arcs(WaypointSlot{slot})) flags |= arc.flags;
        }
        return flags;
    }

    NetInquiry& in_;
    const RoadmapState& net_;
    const roadmap::StateData& data_;
    Explanation& out_;
    RoadmapQuery query_;
    double step_;
};

}  // namespace

Result<Explanation> explain(const RoadmapState& net, const RoadmapQuery& query, Scratch& scratch,
                            const ExplainOptions& options) {
    return explain_by<NetInquiry>(net, query.agent, scratch, options, [&](NetInquiry& inquiry) {
        inquiry.out.world = ExplainWorld::roadmap;
        return NetExplainer(inquiry, query, options.accuracy).look();
    });
}

}  // namespace fairlead
