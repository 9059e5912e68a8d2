// Routes over a mesh after edits: leg_look.h walks them again, route/mend.h finds anew what cannot be walked.
#include <fairlead/mesh/repair.h>

#include <fairlead/mesh/find_route.h>

#include "mesh/query/leg_look.h"
#include "mesh/query/search_run.h"
#include "route/mend.h"

namespace fairlead {

namespace {

using mesh::LegLook;

class MeshMender {
  public:
    MeshMender(const NavMeshState& mesh, const MeshQuery& query, Scratch& scratch, LegLook& look)
        : mesh_(mesh), query_(query), scratch_(scratch), look_(look) {}

    void fit(MendGap&) const {}
    // What is nearest to a goal that cannot be reached may be another place by now.
    [[nodiscard]] bool ends_anywhere(const MendGap& gap, const Route& route) const {
        return gap.to_end() && falls_short(route);
    }
    [[nodiscard]] std::uint64_t revision() const { return mesh_.revision(); }

    // The legs around it begin and end where they do: nothing is moved on the ground.
    [[nodiscard]] Result<void> find(const MendGap& gap, const Route& route, Route& piece) const {
        MeshQuery between = query_;
        between.start = gap.start_in(route).position;
        between.goal = gap.end_in(route).position;
        between.reach = {mesh_.data().touching(), mesh::kRouteHeightSlack, mesh::kRouteHeightSlack};
        between.partial = false;
        return find_route_into(mesh_, between, scratch_, piece);
    }
    // Where surfaces only touch in a corner the piece may have ended on another one than the next leg begins on: then the gap is too
    // small.
    [[nodiscard]] Result<bool> put_in(const MendGap& gap, const Route& route, MendWork& work, Place& end) {
        if (!join_legs(gap, route, work, end)) return kNoMemory;
        if (gap.whole()) return true;
        const Revalidation found = look_.look(work.legs.span(), end, nullptr);
        if (look_.failed()) return kNoMemory;
        return found.legal;
    }
    [[nodiscard]] bool has_other_ends() const { return query_.partial || query_.reach.across > 0.0; }
    [[nodiscard]] Result<void> search_anew(const Route& route, Route& piece) const {
        MeshQuery anew = query_;
        anew.start = route.legs.empty() ? route.end.position : route.legs[0].start.position;
        return find_route_into(mesh_, anew, scratch_, piece);
    }
    [[nodiscard]] double measure(const Route& route, const Route* whole) const {
        return whole != nullptr ? whole->line_cost : look_.line_cost(route);
    }

  private:
    const NavMeshState& mesh_;
    const MeshQuery& query_;
    Scratch& scratch_;
    LegLook& look_;
};

}  // namespace

Result<Revalidation> revalidate(const NavMeshState& mesh, Route& route, const MeshQuery& query,
                                Scratch& scratch, const Aabb* changed) {
    if (const Result<void> good = mesh::check_unit(mesh.data(), query); !good) return good.error();
    auto* const work = scratch.get<mesh::FloodWork>();
    if (work == nullptr) return kNoMemory;
    LegLook look(mesh.data(), query, *work);
    const Revalidation found = look.look(route, changed);
    if (look.failed()) return kNoMemory;
    if (found.legal) keep_route(route, mesh.revision());
    return found;
}

Result<void> repair(const NavMeshState& mesh, Route& route, const MeshQuery& query, Scratch& scratch) {
    const Result<Revalidation> found = revalidate(mesh, route, query, scratch, nullptr);
    if (!found) return found.error();
    if (found->legal) return {};
    auto* const flood = scratch.get<mesh::FloodWork>();
    auto* const work = scratch.get<MendWork>();
    if (flood == nullptr || work == nullptr) return kNoMemory;
    LegLook look(mesh.data(), query, *flood);
    MeshMender mender(mesh, query, scratch, look);
    return mend(mender, *found, *work, route);
}

}  // namespace fairlead
