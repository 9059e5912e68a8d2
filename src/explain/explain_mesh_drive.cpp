// Why a turning unit has no route over a level mesh.
//
// The ground is that of the largest disc around the axle within the body, as a walker's: where that has no route, its reason is the
// unit's (explain_mesh.cpp). Where it has one the unit cannot turn into it, or is too long: other ways to move, other headings and smaller
// sizes are tried, each alone.

#include <fairlead/explain/explain.h>

#include <algorithm>
#include <cmath>

#include "bridge/mesh_drive_run.h"
#include "explain/mesh_inquiry.h"
#include "explain/turning_helps.h"
#include "mesh/surface/surface.h"

namespace fairlead {

namespace {

using namespace explaining;

constexpr double kLeastCircle = 0.25 * (1.0 + 1e-12);  // cells: the least that a table takes
constexpr std::int32_t kGroundTrials = 4;              // helps of the disc's own are not told

class MeshDriveExplainer {
  public:
    MeshDriveExplainer(MeshInquiry& inquiry, const MeshDriveQuery& query, const ExplainOptions& options)
        : in_(inquiry), data_(inquiry.world.data()), out_(inquiry.out), query_(query), options_(options) {
        query_.partial = false;
        if (query_.table != nullptr) out_.agent = query_.agent = query_.table->options().agent;
    }

    // False: an error, in the inquiry.
    [[nodiscard]] bool look() {
        return ask_first(in_, query_, [&](PathStatus status) {
            // Units of other sizes are compared on one lattice.
            query_.lattice.cell_size = query_.table != nullptr
                                           ? query_.table->options().cell_size
                                           : bridge::mesh_cell_size(query_.agent, query_.lattice);
            query_.table = nullptr;
            query_.expansions_max = UINT64_MAX;
            query_.smooth = false;
            switch (status) {
                case PathStatus::off_world: return tell_off_world();
                case PathStatus::start_blocked: return look_at_end(true);
                case PathStatus::goal_blocked: return look_at_end(false);
                case PathStatus::unreachable: return look_at_ground();
                default: out_.reason = ExplainReason::budget_spent; return true;
            }
        });
    }

  private:
    [[nodiscard]] const Spot& spot(bool start) const { return start ? query_.start : query_.goal.at; }
    [[nodiscard]] mesh::SurfacePoint ground_at(bool start) const {
        const MeshReach reach{0.0, query_.reach.above, query_.reach.below};
        return mesh::nearest_point(data_, spot(start).position - data_.origin, reach);
    }
    [[nodiscard]] auto helps() { return TurningHelps(in_, query_, options_.accuracy, asker(in_)); }

    [[nodiscard]] bool tell_off_world() {
        out_.reason = ExplainReason::off_world;
        const bool start = ground_at(true).polygon == mesh::kNone;
        out_.goal_side = !start;
        in_.put_place(spot(start).position, spot(start).heading_rad);
        return true;
    }

    // ---- a blocked end ---------------------------------------------------------------------------------------------

    [[nodiscard]] bool look_at_end(bool start) {
        out_.reason = start ? ExplainReason::start_blocked : ExplainReason::goal_blocked;
        out_.goal_side = !start;
        in_.put_place(spot(start).position, spot(start).heading_rad);
        const mesh::SurfacePoint at = ground_at(start);
        if (at.polygon == mesh::kNone) {
            out_.reason = ExplainReason::off_world;
            return true;
        }
        const std::uint8_t area = data_.tile_of(at.polygon).polygons[data_.local(at.polygon)].area();
        if ((query_.filter.areas.closed_mask() >> area & 1U) != 0) {
            out_.closed_area = area;
            return open_mesh(in_, query_);
        }
        const double around = circumscribed_radius(query_.agent);
        double room = 0.0;
        if (!find_room(in_, query_.filter.areas, at, around, room)) return false;
        out_.width = 2.0 * room;
        return helps().shrink_body(room / around, 1.0) && open_mesh(in_, query_);
    }

    // ---- no way between the ends -----------------------------------------------------------------------------------

    [[nodiscard]] bool look_at_ground() {
        out_.reason = ExplainReason::turning;
        const double inside = inscribed_radius(query_.agent);
        const bool around_axle = inside > 0.0 || query_.agent.shape == BodyShape::disc;
        if (!around_axle) return look_at_turning();
        MeshQuery disc{.start = query_.start.position, .goal = query_.goal.at.position};
        disc.agent.radius = inside;
        disc.reach = {0.0, query_.reach.above, query_.reach.below};
        disc.filter.areas = KindFilter{KindSet::of_mask(query_.filter.areas.closed_mask())};
        disc.filter.links = KindFilter{KindSet::of_mask(~std::uint64_t{0})};  // it takes none
        Explanation ground;
        if (!explain_simpler(in_, disc, options_, kGroundTrials, ground)) return false;
        if (ground.reason == ExplainReason::none) return look_at_turning();
        if (out_.reason == ExplainReason::sealed || out_.reason == ExplainReason::budget_spent)
            return open_mesh(in_, query_);
        const Help& smaller = ground.help(HelpKind::smaller_body);
        const double guess = smaller.proof == Proof::found ? smaller.value / inside : 0.0;
        return helps().shrink_body(guess, 1.0) && open_mesh(in_, query_);
    }

    [[nodiscard]] bool look_at_turning() {
        const double cell = query_.lattice.cell_size;
        auto change = helps();
        return change.try_gears() && change.try_headings() &&
               change.shrink_circle(kLeastCircle * cell, cell) && change.shrink_body(0.0, 1.0) &&
               open_mesh(in_, query_);
    }

    MeshInquiry& in_;
    const mesh::StateData& data_;
    Explanation& out_;
    MeshDriveQuery query_;
    const ExplainOptions& options_;
};

}  // namespace

Result<Explanation> explain(const NavMeshState& mesh, const MeshDriveQuery& query, Scratch& scratch,
                            const ExplainOptions& options) {
    return explain_by<MeshInquiry>(mesh, query.agent, scratch, options, [&](MeshInquiry& inquiry) {
        inquiry.out.world = ExplainWorld::mesh;
        return MeshDriveExplainer(inquiry, query, options).look();
    });
}

}  // namespace fairlead
