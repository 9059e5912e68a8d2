// A mesh field: the flood of intervals from the goal, run to its end in slices; then a place reads the views of its polygon.
#include <fairlead/mesh/mesh_field.h>

#include <cmath>
#include <memory>
#include <utility>

#include "base/no_memory.h"
#include "mesh/query/leg_writer.h"
#include "mesh/search/distance_flood.h"
#include "mesh/surface/surface.h"
#include "route/check_filter.h"

namespace fairlead {

namespace mesh {

struct FieldData {
    explicit FieldData(const Allocator& allocator) : flood(allocator) {}

    NavMeshSnapshot world;
    MeshFieldQuery query;  ///< without its list
    std::uint64_t closed = 0;
    SurfacePoint goal{};
    DistanceFlood flood;
    bool runs = false;

    [[nodiscard]] const StateData& state() const { return world->data(); }
    [[nodiscard]] bool whole() const { return goal.polygon != kNone && !runs && !flood.failed(); }
    [[nodiscard]] SurfacePoint place(Vec3 at) const {
        if (!is_finite(at)) return {};
        return nearest_point(state(), at - state().origin, query.reach, closed);
    }
    [[nodiscard]] Vec3 in_world(Vec2 p, double z) const { return state().origin + Vec3{p.x, p.y, z}; }
};

namespace {

void destroy_field(FieldData* data, const Allocator& allocator) {
    if (data == nullptr) return;
    std::destroy_at(data);
    allocator.release(data, sizeof(FieldData), alignof(FieldData), allocator.user);
}

Result<void> check_field(const StateData& state, const MeshFieldQuery& query) {
    for (const double value : {query.goal.x, query.goal.y, query.goal.z}) {
        if (!std::isfinite(value)) return Error{ErrorCode::not_finite, Field::goal};
        if (std::fabs(value) > 2.0 * kMeshSpan) return Error{ErrorCode::out_of_range, Field::goal};
    }
    if (!std::isfinite(query.radius)) return Error{ErrorCode::not_finite, Field::agent_radius};
    if (!(query.radius >= 0.0 && query.radius <= state.agent_radius) && query.radius != 0.0)
        return Error{ErrorCode::out_of_range, Field::agent_radius};
    for (const double value : {query.reach.across, query.reach.above, query.reach.below}) {
        if (std::isnan(value)) return Error{ErrorCode::not_finite, Field::reach};
        if (!(value >= 0.0) || value > 4.0 * kMeshSpan) return Error{ErrorCode::out_of_range, Field::reach};
    }
    if (!query.areas.factors.empty()) return Error{ErrorCode::unsupported, Field::areas};
    return check_filter(query.areas, kAreasMax, Field::areas);
}

struct FieldWay {
    PathStatus status = PathStatus::goal_blocked;
    SurfacePoint from{};
    DistanceFlood::Onward onward{};
};

FieldWay way_from(const FieldData* data, Vec3 at) {
    FieldWay way;
    if (data == nullptr || !data->whole()) return way;
    way.from = data->place(at);
    way.status = PathStatus::start_blocked;
    if (way.from.polygon == kNone) return way;
    way.onward = data->flood.onward(way.from.polygon, way.from.position);
    way.status = std::isinf(way.onward.length) ? PathStatus::unreachable : PathStatus::complete;
    return way;
}

/// Calls visit(place, is it the goal) for each corner of a way, then the goal, until it says false.
template <class Visit>
bool each_corner(const FieldData& data, const FieldWay& way, const Visit& visit) {
    const StateData& state = data.state();
    if (way.onward.bends) {
        const double z = ground_near(state, way.from.polygon, way.onward.bend);
        if (!visit(data.in_world(way.onward.bend, z), false)) return false;
    }
    for (std::uint32_t i = way.onward.root; i != kNone; i = data.flood.space().root(i).parent) {
        const Root& root = data.flood.space().root(i);
        if (root.kind != RootKind::corner) break;  // the goal
        if (!visit(data.in_world(root.at, ground_at_corner(state, root.edge)), false)) return false;
    }
    return visit(data.in_world(data.goal.position, data.goal.z), true);
}

}  // namespace

}  // namespace mesh

MeshField::MeshField(const Allocator& allocator) : allocator_(allocator) {}
MeshField::MeshField(MeshField&& other) noexcept
    : allocator_(other.allocator_), data_(std::exchange(other.data_, nullptr)) {}
MeshField& MeshField::operator=(MeshField&& other) noexcept {
    std::swap(allocator_, other.allocator_);
    std::swap(data_, other.data_);
    return *this;
}
MeshField::~MeshField() { mesh::destroy_field(data_, allocator_); }

Result<void> MeshField::begin(const NavMeshSnapshot& mesh, const MeshFieldQuery& query) {
    if (const Result<void> good = mesh::check_field(mesh->data(), query); !good) return good;
    if (data_ == nullptr) {
        void* memory =
            allocator_.allocate(sizeof(mesh::FieldData), alignof(mesh::FieldData), allocator_.user);
        if (memory == nullptr) return kNoMemory;
        data_ = std::construct_at(static_cast<mesh::FieldData*>(memory), allocator_);
    }
    mesh::FieldData& data = *data_;
    data.world = mesh;
    data.query = query;
    data.query.areas = {};
    data.closed = query.areas.closed_mask();
    data.goal = data.place(query.goal);
    data.runs = data.goal.polygon != mesh::kNone;
    if (!data.runs) return {};
    if (data.flood.begin(data.state(), {data.goal.position, data.goal.polygon}, data.closed)) return {};
    data.goal.polygon = mesh::kNone;
    data.runs = false;
    return kNoMemory;
}

std::uint64_t MeshField::step(std::uint64_t units) {
    std::uint64_t used = 0;
    while (running() && used < units) {
        ++used;
        data_->runs = data_->flood.step();
    }
    return used;
}

bool MeshField::running() const { return data_ != nullptr && data_->runs; }
bool MeshField::filled() const { return data_ != nullptr && data_->whole(); }

MeshFieldStep MeshField::sample(Vec3 from) const {
    const mesh::FieldWay way = mesh::way_from(data_, from);
    MeshFieldStep step;
    step.status = way.status;
    step.to = from;
    if (way.status != PathStatus::complete) return step;
    step.remaining = way.onward.length;
    const Vec2 at = way.from.position;
    (void)mesh::each_corner(*data_, way, [&](Vec3 corner, bool last) {
        step.to = corner;
        step.last = last;
        return !last && ground(corner - data_->state().origin) == at;  // it stands on it
    });
    return step;
}

Result<void> MeshField::route(Vec3 from, Route& out) const {
    out.clear();
    out.planner = "mesh_field";
    out.end = {from, 0.0, 0};
    const mesh::FieldWay way = mesh::way_from(data_, from);
    out.status = way.status;
    if (data_ == nullptr) return {};
    out.revision = revision();
    if (way.status != PathStatus::complete) return {};
    mesh::LegWriter legs{.route = out, .at = data_->in_world(way.from.position, way.from.z)};
    if (!mesh::each_corner(*data_, way, [&](Vec3 corner, bool) { return legs.walk(corner); })) {
        out.clear();
        return kNoMemory;
    }
    out.end = {legs.at, legs.heading, 0};
    out.cost = out.line_cost = out.length;
    out.bound = 1.0;
    return {};
}

std::uint64_t MeshField::revision() const { return data_ == nullptr ? 0 : data_->world->revision(); }
std::size_t MeshField::memory() const {
    return data_ == nullptr ? 0 : sizeof(mesh::FieldData) + data_->flood.bytes();
}

std::uint64_t MeshField::digest() const {
    Digest digest;
    if (!filled()) return digest.value();
    digest.add(revision());
    digest.add(data_->goal.position.x);
    digest.add(data_->goal.position.y);
    data_->flood.add_to(digest);
    return digest.value();
}

}  // namespace fairlead
