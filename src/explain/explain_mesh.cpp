// Why a point or a disc has no route over a level mesh.
//
// What hangs together for a point is flooded from both ends. Where it does not, one side is a pocket. Where it does, the widest way
// says which gate or link is too narrow (mesh_widest.h), and what the largest radius is; further queries prove it.

#include <fairlead/explain/explain.h>

#include <algorithm>
#include <cmath>

#include "explain/mesh_inquiry.h"
#include "mesh/search/link_use.h"
#include "mesh/surface/surface.h"

namespace fairlead {

namespace {

using namespace explaining;

constexpr double kFirmShare = 0x1p-20;  // of a radius: one so much above a gate's does not pass

class MeshExplainer {
  public:
    MeshExplainer(MeshInquiry& inquiry, const MeshQuery& query, double accuracy)
        : in_(inquiry),
          data_(inquiry.world.data()),
          out_(inquiry.out),
          query_(query),
          step_(accuracy * query.agent.radius) {
        query_.partial = false;
    }

    // False: an error, in the inquiry.
    [[nodiscard]] bool look() {
        return ask_first(in_, query_, [&](PathStatus status) {
            query_.planner = MeshPlanner::any_angle;
            query_.table = nullptr;
            query_.expansions_max = UINT64_MAX;
            switch (status) {
                case PathStatus::unreachable: return look_at_surface();
                case PathStatus::start_blocked: return look_at_end(true);
                case PathStatus::goal_blocked: return look_at_end(false);
                case PathStatus::off_world: return look_off_world();
                default: out_.reason = ExplainReason::budget_spent; return true;
            }
        });
    }

  private:
    [[nodiscard]] std::size_t goal_count() const {
        return query_.goal.is_list() ? query_.goal.list.size() : 1;
    }
    [[nodiscard]] Vec3 goal(std::size_t i) const {
        return query_.goal.is_list() ? query_.goal.list[i].position : query_.goal.at.position;
    }
    [[nodiscard]] Vec3 in_world(const Vec3& local) const { return data_.origin + local; }
    [[nodiscard]] Vec3 in_world(Vec2 p, double z) const { return in_world(Vec3{p.x, p.y, z}); }
    [[nodiscard]] MeshRules rules(double radius) const {
        const double room = std::max(0.0, radius - data_.agent_radius);
        return {.closed_areas = query_.filter.areas.closed_mask(),
                .closed_links = query_.filter.links.closed_mask(),
                .radius = radius,
                .width = mesh::least_gate(room, data_.touching() * 0.25)};
    }

    // ---- an end where the unit cannot be -----------------------------------------------------------------------------

    [[nodiscard]] bool look_off_world() {
        const MeshReach& reach = query_.reach;
        const Vec3 start = query_.start.position - data_.origin;
        return look_at_end(mesh::nearest_point(data_, start, reach).polygon == mesh::kNone);
    }

    // Of several goals the first one is looked at.
    [[nodiscard]] bool look_at_end(bool start) {
        const Vec3 asked = start ? query_.start.position : goal(0);
        out_.goal_side = !start;
        out_.reason = start ? ExplainReason::start_blocked : ExplainReason::goal_blocked;
        in_.put_place(asked);
        const mesh::SurfacePoint any = mesh::nearest_point(data_, asked - data_.origin, query_.reach);
        if (any.polygon == mesh::kNone) {
            out_.reason = ExplainReason::off_world;
            return move_end(start);
        }
        MeshStand stand;
        if (!find_stand(in_, query_, asked, stand)) return false;
        if (!stand.on_surface()) {
            out_.closed_area = data_.tile_of(any.polygon).polygons[data_.local(any.polygon)].area();
            return open_mesh(in_, query_) && move_end(start);
        }
        in_.put_place(in_world(stand.nearest.position, stand.nearest.z));
        double room = 0.0;
        if (!find_room(stand.nearest, room)) return false;
        out_.width = 2.0 * room;
        return shrink(room) && open_mesh(in_, query_) && move_end(start);
    }

    [[nodiscard]] bool find_room(const mesh::SurfacePoint& at, double& room) {
        return explaining::find_room(in_, query_.filter.areas, at, query_.agent.radius, room);
    }

    // The nearest place with a way for the other end; where that is nowhere itself, the nearest place at all.
    [[nodiscard]] bool move_end(bool start) {
        MeshQuery query = query_;
        if (!start) query.goal = goal(0);
        MeshSides& sides = in_.work.sides;
        if (!sides.begin(data_, rules(query_.agent.radius))) return in_.no_memory();
        bool other = false;
        for (std::size_t i = 0; i < (start ? 1 : goal_count()) && !(other && !start); ++i) {
            MeshStand stand;
            if (!find_stand(in_, query_, start ? goal(i) : query_.start.position, stand)) return false;
            if (!stand.stands()) continue;
            if (!sides.add(start, stand.at.polygon)) return in_.no_memory();
            other = true;
        }
        if (!other) {
            if (!list_polygons(data_, in_.work.all)) return in_.no_memory();
            return move_on_mesh(in_, query, start, in_.work.all.span());
        }
        const Answer answer = sides.flood_side(start, in_.spending.expansions);
        if (answer == Answer::no_memory) return in_.no_memory();
        in_.help(start ? HelpKind::move_start : HelpKind::move_goal).proof = Proof::not_looked;
        return answer != Answer::yes || move_on_mesh(in_, query, start, sides.polygons(start));
    }

    // ---- no way between the ends -----------------------------------------------------------------------------------

    // Are the ends joined for a point?
    [[nodiscard]] bool look_at_surface() {
        out_.reason = ExplainReason::budget_spent;
        std::uint32_t from = mesh::kNone;
        if (!list_ends(from)) return false;
        switch (flood(rules(0.0), from)) {
            case Answer::no_memory: return in_.no_memory();
            case Answer::unknown: return true;
            case Answer::yes: return look_at_width(from);
            case Answer::no: return tell_pocket(from);
        }
        return true;
    }

    [[nodiscard]] bool list_ends(std::uint32_t& from) {
        MeshQuery point = query_;
        point.agent.radius = 0.0;
        MeshStand stand;
        if (!find_stand(in_, point, query_.start.position, stand)) return false;
        from = stand.at.polygon;
        in_.work.goals.clear();
        for (std::size_t i = 0; i < goal_count(); ++i) {
            if (!find_stand(in_, point, goal(i), stand)) return false;
            if (stand.stands() && !in_.work.goals.push_back(stand.at.polygon)) return in_.no_memory();
        }
        return true;
    }

    [[nodiscard]] Answer flood(const MeshRules& rules, std::uint32_t from) {
        MeshSides& sides = in_.work.sides;
        if (!sides.begin(data_, rules) || !sides.add(false, from)) return Answer::no_memory;
        for (const std::uint32_t polygon : in_.work.goals) {
            if (!sides.add(true, polygon)) return Answer::no_memory;
        }
        return sides.flood(in_.spending.expansions);
    }

    [[nodiscard]] bool tell_pocket(std::uint32_t from) {
        out_.reason = ExplainReason::sealed;
        const MeshSides& sides = in_.work.sides;
        out_.goal_side = sides.goal_side();
        const std::span<const std::uint32_t> side = sides.polygons(out_.goal_side);
        out_.area = static_cast<std::int64_t>(side.size());
        out_.ground_area = ground_area(data_, side);
        MeshRules both = rules(0.0);
        both.against = true;
        const Answer answer = flood(both, from);
        if (answer == Answer::no_memory) return in_.no_memory();
        out_.one_way = answer == Answer::yes;
        if (!open_mesh(in_, query_)) return false;
        return query_.goal.is_list() || (move_end(true) && move_end(false));
    }

    [[nodiscard]] bool look_at_width(std::uint32_t from) {
        out_.reason = ExplainReason::too_wide;
        MeshWidest::Narrow narrow{.radius = query_.agent.radius};
        const Answer answer = in_.work.widest.find(data_, rules(0.0), from, in_.work.goals.span(),
                                                   in_.spending.expansions, narrow);
        if (answer == Answer::no_memory) return in_.no_memory();
        if (!shrink(narrow.radius) || !open_mesh(in_, query_)) return false;
        const Help& help = in_.help(HelpKind::smaller_body);
        const bool known = answer == Answer::yes && narrow.radius < query_.agent.radius;
        if (known && (help.proof != Proof::found || help.value >= narrow.radius - step_))
            return tell_narrow(narrow);
        return help.proof != Proof::found || tell_links(help);
    }

    // The largest radius with a route. `guess` likely has one, and no larger one.
    [[nodiscard]] bool shrink(double guess) {
        Help& help = in_.help(HelpKind::smaller_body);
        const double wanted = query_.agent.radius;
        if (wanted == 0.0) return true;
        const auto fits = with_unit(query_, asker(in_), [](Agent& agent, double r) { agent.radius = r; });
        if (!bisect(0.0, wanted, guess, step_, 0.0, in_.spending, help, fits)) return false;
        if (help.proof != Proof::found || help.value != guess) return true;
        const double above = guess + std::max(kFirmShare * wanted, 4.0 * data_.touching());
        bool more = true;
        return above >= help.failed || try_value(above, in_.spending, help, fits, more);
    }

    [[nodiscard]] bool tell_narrow(const MeshWidest::Narrow& narrow) {
        out_.width = 2.0 * narrow.radius;
        if (narrow.piece != mesh::kNone) {
            const mesh::LinkPiece& piece = data_.links.pieces[narrow.piece];
            const Vec2 middle = (piece.in[0] + piece.in[1]) * 0.5;
            out_.link = data_.links.records[piece.record].link.id;
            in_.put_place(in_world(middle, mesh::ground_near(data_, piece.polygon_in, middle)));
            return true;
        }
        Vec3 middle;
        const double gap = 2.0 * (narrow.radius - data_.agent_radius);
        if (!find_gate_middle(data_, narrow.gate, gap, in_.work.flood, middle)) return in_.no_memory();
        in_.put_place(in_world(middle));
        return true;
    }

    // No gate is what is tight: an end of a link on the route, then, that is near a wall.
    [[nodiscard]] bool tell_links(const Help& help) {
        const Route& route = help.route;
        double least = query_.agent.radius;
        for (std::size_t i = 0; i < route.legs.size(); ++i) {
            if (route.legs[i].kind != LegKind::link) continue;
            for (const Place& end : {route.legs[i].start, leg_end(route, i)}) {
                const MeshReach near{.across = 4.0 * data_.touching()};
                const mesh::SurfacePoint at = mesh::nearest_point(data_, end.position - data_.origin, near);
                double room = 0.0;
                if (at.polygon == mesh::kNone) continue;
                if (!find_room(at, room)) return false;
                if (room >= least) continue;
                least = room;
                out_.link = route.legs[i].link_id;
                out_.width = 2.0 * room;
                in_.put_place(end.position);
            }
        }
        return true;
    }

    MeshInquiry& in_;
    const mesh::StateData& data_;
    Explanation& out_;
    MeshQuery query_;
    double step_;
};

}  // namespace

Result<Explanation> explain(const NavMeshState& mesh, const MeshQuery& query, Scratch& scratch,
                            const ExplainOptions& options) {
    return explain_by<MeshInquiry>(mesh, query.agent, scratch, options, [&](MeshInquiry& inquiry) {
        inquiry.out.world = ExplainWorld::mesh;
        return MeshExplainer(inquiry, query, options.accuracy).look();
    });
}

}  // namespace fairlead
