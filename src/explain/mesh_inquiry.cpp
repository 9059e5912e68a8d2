// See mesh_inquiry.h.
#include "explain/mesh_inquiry.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "mesh/surface/nearest_wall.h"

namespace fairlead::explaining {

namespace {

[[nodiscard]] mesh::SpotRules spot_rules(const mesh::StateData& data, const MeshQuery& query) {
    const double room = std::max(0.0, query.agent.radius - data.agent_radius);
    return {room, data.touching() * 0.25, std::max(query.reach.across, room),
            query.filter.areas.closed_mask()};
}

// The place nearest to a position that has been offered.
class NearestStand {
  public:
    NearestStand(const mesh::StateData& data, const mesh::SpotRules& rules, Vec3 position,
                 mesh::FloodWork& work)
        : data_(data), rules_(rules), wanted_(position), work_(work) {}

    // False: out of memory.
    [[nodiscard]] bool offer(std::uint32_t polygon) {
        if (data_.is_closed(polygon, rules_.closed_areas)) return true;
        const Vec2 p{wanted_.x, wanted_.y};
        mesh::SurfacePoint near = mesh::nearest_in_polygon(data_, polygon, p);
        if (!is_nearer(near)) return true;
        if (rules_.radius > 0.0) {
            const mesh::SurfacePoint from = near;
            if (!mesh::find_clear_spot(data_, from, rules_, work_, near)) return false;
            if (near.polygon == mesh::kNone || !is_nearer(near)) return true;
        }
        best = near;
        return true;
    }
    [[nodiscard]] double square(const mesh::SurfacePoint& at) const {
        const Vec2 off{at.position.x - wanted_.x, at.position.y - wanted_.y};
        return dot(off, off);
    }

    mesh::SurfacePoint best{};

  private:
    [[nodiscard]] bool is_nearer(const mesh::SurfacePoint& at) const {
        if (best.polygon == mesh::kNone) return true;
        const double now = square(at), before = square(best);
        return now < before || (now == before && std::fabs(at.z - wanted_.z) < std::fabs(best.z - wanted_.z));
    }

    const mesh::StateData& data_;
    mesh::SpotRules rules_;
    Vec3 wanted_;
    mesh::FloodWork& work_;
};

}  // namespace

bool find_stand(MeshInquiry& in, const MeshQuery& query, Vec3 position, MeshStand& out) {
    const mesh::StateData& data = in.world.data();
    const mesh::SpotRules rules = spot_rules(data, query);
    return mesh::find_place(data, position - data.origin, query.reach, rules, in.work.flood, out.nearest,
                            out.at) ||
           in.no_memory();
}

bool find_room(MeshInquiry& in, const KindFilter& areas, const mesh::SurfacePoint& at, double radius,
               double& room) {
    const mesh::StateData& data = in.world.data();
    const double most = std::max(0.0, radius - data.agent_radius);
    mesh::NearestWall wall;
    if (!mesh::find_nearest_wall(data, at.polygon, at.position, most, areas.closed_mask(), in.work.flood,
                                 wall))
        return in.no_memory();
    room = std::min(radius, data.agent_radius + wall.distance);
    return true;
}

bool list_polygons(const mesh::StateData& state, Array<std::uint32_t>& out) {
    out.clear();
    for (const std::uint32_t slot : state.order) {
        for (std::uint32_t i = 0; i < state.tiles[slot].tile->count.polygons; ++i) {
            if (!out.push_back(state.ref(slot, i))) return false;
        }
    }
    return true;
}

bool move_on_mesh(MeshInquiry& in, const MeshQuery& query, bool start, std::span<const std::uint32_t> among) {
    const mesh::StateData& data = in.world.data();
    const HelpKind kind = start ? HelpKind::move_start : HelpKind::move_goal;
    Help& help = in.help(kind);
    help.proof = Proof::not_looked;
    const Vec3 wanted = (start ? query.start : query.goal.at).position;
    NearestStand nearest(data, spot_rules(data, query), wanted - data.origin, in.work.flood);
    for (const std::uint32_t polygon : among) {
        if (in.spending.expansions == 0) return true;
        --in.spending.expansions;
        if (!nearest.offer(polygon)) return in.no_memory();
    }
    help.proof = Proof::none;
    const mesh::SurfacePoint& at = nearest.best;
    if (at.polygon == mesh::kNone) return true;
    help.has_place = true;
    help.place = {data.origin + Vec3{at.position.x, at.position.y, at.z}, 0.0, 0};
    help.value = std::sqrt(nearest.square(at));
    MeshQuery moved = query;
    if (start) {
        moved.start = help.place.position;
    } else {
        moved.goal = help.place.position;
    }
    return try_help(in, kind, moved, asker(in));
}

double ground_area(const mesh::StateData& state, std::span<const std::uint32_t> polygons) {
    double sum = 0.0;
    for (const std::uint32_t polygon : polygons) {
        const mesh::TileView& view = state.tile_of(polygon);
        const std::uint32_t at = state.local(polygon);
        const std::uint32_t first = view.polygons[at].first, end = view.polygons[at + 1].first;
        const Vec2 a = view.edges[first].from;
        for (std::uint32_t e = first + 1; e + 1 < end; ++e)
            sum += 0.5 * cross(view.edges[e].from - a, view.edges[e + 1].from - a);
    }
    return sum;
}

namespace {

// What a filter's list says of a kind that it closes, once that is open. Where all open kinds must cost the same, `price` is that.
struct Opened {
    const KindFilter& filter;
    double price = 0.0;  ///< 0: any
    [[nodiscard]] double factor(std::uint32_t kind) const {
        if (price > 0.0) return price;
        const double own = kind < filter.factors.size() ? filter.factors[kind] : 1.0;
        return own > 0.0 ? own : 1.0;
    }
};

// The factors of 64 kinds, with those that are closed as they would be.
[[nodiscard]] bool list_factors(const Opened& opened, Array<double>& out) {
    if (!out.resize(64)) return false;
    for (std::uint32_t k = 0; k < 64; ++k)
        out[k] = opened.filter.open(k) ? opened.filter.factor(k) : opened.factor(k);
    return true;
}

[[nodiscard]] double price_of_open(const KindFilter& areas) {
    for (std::uint32_t k = 0; k < 64; ++k) {
        if (areas.open(k)) return areas.factor(k);
    }
    return 1.0;
}

// The areas, and the kinds of links, that the mesh has.
void list_present(const NavMeshState& mesh, std::uint64_t& areas, std::uint64_t& links) {
    const mesh::StateData& data = mesh.data();
    for (const std::uint32_t slot : data.order) {
        const mesh::TileView& view = data.tiles[slot];
        for (std::uint32_t i = 0; i < view.tile->count.polygons; ++i)
            areas |= std::uint64_t{1} << view.polygons[i].area();
    }
    for (const mesh::LinkPiece& piece : data.links.pieces) links |= std::uint64_t{1} << piece.kind;
}

}  // namespace

template <class Query>
bool open_mesh(MeshInquiry& in, const Query& query) {
    MeshWork& work = in.work;
    std::uint64_t areas = 0, links = 0;
    list_present(in.world, areas, links);
    areas &= query.filter.areas.closed_mask();
    links &= std::is_same_v<Query, MeshQuery> ? query.filter.links.closed_mask() : 0;
    if ((areas | links) == 0) return true;
    const bool wide = query.agent.radius > in.world.agent_radius();  // of those areas must cost the same
    if (!list_factors({query.filter.areas, wide ? price_of_open(query.filter.areas) : 0.0},
                      work.area_factors) ||
        !list_factors({query.filter.links}, work.link_factors))
        return in.no_memory();
    Help& help = in.help(HelpKind::open_terrain);
    help.agent = query.agent;
    std::uint64_t closed_areas = query.filter.areas.closed_mask(),
                  closed_links = query.filter.links.closed_mask();
    std::uint32_t kinds[128] = {}, count = 0;
    const auto set_open = [&](std::uint32_t i, bool is_open) {
        const std::uint64_t bit = std::uint64_t{1} << (kinds[i] % 64);
        std::uint64_t& closed = kinds[i] < 64 ? closed_areas : closed_links;
        std::uint64_t& told = kinds[i] < 64 ? help.terrain[0] : help.links;
        closed = is_open ? closed & ~bit : closed | bit;
        told = is_open ? told | bit : told & ~bit;
    };
    for (std::uint32_t k = 0; k < 128; ++k) {
        if (((k < 64 ? areas : links) >> (k % 64) & 1U) == 0) continue;
        kinds[count] = k;
        set_open(count++, true);
    }
    return spare_kinds(in.spending, count, true, help, set_open, [&](Route& route) {
        Query opened = query;
        opened.filter.areas = {KindSet::of_mask(closed_areas), work.area_factors.span()};
        opened.filter.links = {KindSet::of_mask(closed_links), work.link_factors.span()};
        return ask_more(in, opened, route);
    });
}

template bool open_mesh(MeshInquiry&, const MeshQuery&);
template bool open_mesh(MeshInquiry&, const MeshDriveQuery&);

}  // namespace fairlead::explaining
