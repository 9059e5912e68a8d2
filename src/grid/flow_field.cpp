// Asking a flow field: of the nodes that the points around a place go to, the one in sight over which the way is the cheapest. What the
// unit goes to already is always among them, so its way never gets longer.
#include <fairlead/grid/flow_field.h>

#include <memory>
#include <utility>

#include <fairlead/base/digest.h>
#include <fairlead/math/trig.h>

#include "base/no_memory.h"
#include "grid/flow_filler.h"

namespace fairlead {

namespace grid {

namespace {

constexpr double kThere = 1e-9;  // cells
constexpr int kCandidatesMax = 16;

struct Candidate {
    double total = 0.0;
    std::uint32_t node = kNoNode;
};

/// A few nodes, the cheapest way first.
class Candidates {
  public:
    Candidates(const FlowData& data, Vec2 from) : data_(data), from_(from) {}

    void add(std::uint32_t node) {
        if (node == kNoNode || !data_.reached(node)) return;
        for (int hops = 0; distance(from_, data_.at(node)) <= kThere && hops < 4; ++hops) {
            const std::uint32_t next = data_.next(node);
            if (next == kNoNode) break;  // a goal
            node = next;
        }
        for (int i = 0; i < count_; ++i) {
            if (list_[i].node == node) return;
        }
        if (count_ == kCandidatesMax) return;
        const double total = data_.value(node) + data_.cost(from_, data_.at(node));
        int at = count_++;
        for (; at > 0 && before(total, node, list_[at - 1]); --at) list_[at] = list_[at - 1];
        list_[at] = {total, node};
    }
    /// The first that is in sight; null: none.
    [[nodiscard]] const Candidate* seen() const {
        for (int i = 0; i < count_; ++i) {
            if (data_.sight.can_sweep(from_, data_.at(list_[i].node))) return &list_[i];
        }
        return nullptr;
    }
    void clear() { count_ = 0; }

  private:
    static bool before(double total, std::uint32_t node, const Candidate& other) {
        return total != other.total ? total < other.total : node < other.node;
    }

    const FlowData& data_;
    Vec2 from_;
    Candidate list_[kCandidatesMax];
    int count_ = 0;
};

/// The points of the lattice around a place, `reach` to all sides of the nearest one.
template <class Visit>
void points_around(const FlowLattice& lattice, Vec2 p, std::int32_t reach, Visit visit) {
    const std::int32_t i = lattice.nearest(p.x, lattice.width);
    const std::int32_t j = lattice.nearest(p.y, lattice.height);
    for (std::int32_t b = j - reach; b <= j + reach; ++b) {
        for (std::int32_t a = i - reach; a <= i + reach; ++a) {
            if (a >= 0 && b >= 0 && a < lattice.width && b < lattice.height) visit(lattice.node(a, b));
        }
    }
}

/// The four points that a place lies between.
template <class Visit>
void points_beside(const FlowLattice& lattice, Vec2 p, Visit visit) {
    const std::int32_t i = lattice.nearest(p.x, lattice.width);
    const std::int32_t j = lattice.nearest(p.y, lattice.height);
    const Vec2 at = lattice.at(i, j);
    const std::int32_t u = p.x < at.x ? i - 1 : i + 1;
    const std::int32_t v = p.y < at.y ? j - 1 : j + 1;
    const bool has_u = u >= 0 && u < lattice.width;
    const bool has_v = v >= 0 && v < lattice.height;
    visit(lattice.node(i, j));
    if (has_u) visit(lattice.node(u, j));
    if (has_v) visit(lattice.node(i, v));
    if (has_u && has_v) visit(lattice.node(u, v));
}

struct Found {
    PathStatus status = PathStatus::unreachable;
    Candidate way{};
    bool bounded = false;  ///< no dearer than the best way over tiles' middles from there
};

Found find_next(const FlowData& data, Vec2 p, std::uint32_t held) {
    if (data.status != PathStatus::complete) return {data.status, {}, false};
    const GridState& grid = *data.world;
    if (!(p.x >= 0.0 && p.y >= 0.0 && p.x <= grid.width() && p.y <= grid.height()))
        return {PathStatus::off_world, {}, false};
    Candidates list(data, p);
    if (held < data.lattice.size() + data.corners.size()) {
        list.add(held);
        list.add(data.next(held));
    }
    points_beside(data.lattice, p, [&](std::uint32_t point) { list.add(data.parents[point]); });
    const std::uint32_t own = data.lattice.node(data.lattice.nearest(p.x, data.lattice.width),
                                                data.lattice.nearest(p.y, data.lattice.height));
    list.add(own);
    // Between two walls it may leave to either side.
    const bool between = data.sight.between_walls(p);
    if (between) points_beside(data.lattice, p, [&](std::uint32_t point) { list.add(point); });
    if (const Candidate* way = list.seen())
        return {PathStatus::complete, *way, data.lattice.parts == 1 && (between || data.reached(own))};
    list.clear();
    points_around(data.lattice, p, 1, [&](std::uint32_t point) { list.add(point); });
    if (const Candidate* way = list.seen()) return {PathStatus::complete, *way, false};
    // beside a wall that is wider than the disc: what its middles go to, farther around
    list.clear();
    points_around(data.lattice, p, 1, [&](std::uint32_t point) { list.add(data.parents[point]); });
    if (const Candidate* way = list.seen()) return {PathStatus::complete, *way, false};
    return {data.sight.can_sweep(p, p) ? PathStatus::unreachable : PathStatus::start_blocked, {}, false};
}

bool is_goal(const FlowData& data, std::uint32_t node) {
    return data.is_corner(node) && node - data.lattice.size() < data.goals;
}

Vec2 in_world(const FlowData& data, std::uint32_t node) {
    if (is_goal(data, node)) return data.places[node - data.lattice.size()];
    return data.world->origin() + data.at(node) * data.world->cell_size();
}

bool add_leg(const FlowData& data, Route& route, std::uint32_t node) {
    const Vec2 from = ground(route.end.position);
    const Vec2 to = in_world(data, node);
    const Vec2 way = to - from;
    if (way == Vec2{}) return true;
    Leg leg;
    leg.start = {route.end.position, math::atan2(way.y, way.x), route.end.layer};
    leg.length = length(way);
    route.length += leg.length;
    route.end = {{to.x, to.y, 0.0}, leg.start.heading_rad, leg.start.layer};
    return route.legs.push_back(leg);
}

}  // namespace

}  // namespace grid

FlowField::FlowField(FlowField&& other) noexcept : data_(std::exchange(other.data_, nullptr)) {}
FlowField& FlowField::operator=(FlowField&& other) noexcept {
    std::swap(data_, other.data_);
    return *this;
}
FlowField::~FlowField() { grid::destroy_flow(data_); }

FlowStep FlowField::sample(Vec2 from, FlowHold& hold) const {
    if (data_ == nullptr) return {};
    const GridState& grid = *data_->world;
    const double size = grid.cell_size();
    const grid::Found found = grid::find_next(*data_, (from - grid.origin()) / size, hold.node);
    hold.node = found.way.node;
    if (found.status != PathStatus::complete) return {found.status, false, from, 0.0};
    return {PathStatus::complete, grid::is_goal(*data_, found.way.node),
            grid::in_world(*data_, found.way.node), found.way.total * size};
}

Result<void> FlowField::route(Vec2 from, Route& out) const {
    out.clear();
    out.planner = "flow_field";
    out.end = {{from.x, from.y, 0.0}, 0.0, layer()};
    if (data_ == nullptr) return {};
    const GridState& grid = *data_->world;
    const double size = grid.cell_size();
    const grid::Found found = grid::find_next(*data_, (from - grid.origin()) / size, grid::kNoNode);
    out.revision = grid.revision();
    out.status = found.status;
    if (found.status != PathStatus::complete) return {};
    out.cost = out.line_cost = found.way.total * size;
    if (found.bounded) out.bound = 1.0;
    for (std::uint32_t node = found.way.node; node != grid::kNoNode; node = data_->next(node)) {
        if (!grid::add_leg(*data_, out, node)) {
            out.clear();
            return kNoMemory;
        }
    }
    return {};
}

PathStatus FlowField::status() const { return data_ == nullptr ? PathStatus::unreachable : data_->status; }
std::uint64_t FlowField::revision() const { return data_ == nullptr ? 0 : data_->world->revision(); }
std::int32_t FlowField::layer() const { return data_ == nullptr ? 0 : data_->sight.world().layer; }
double FlowField::radius() const {
    return data_ == nullptr ? 0.0 : data_->sight.world().radius * data_->world->cell_size();
}
std::size_t FlowField::corners() const { return data_ == nullptr ? 0 : data_->corners.size() - data_->goals; }
std::size_t FlowField::memory() const {
    if (data_ == nullptr) return 0;
    return sizeof(grid::FlowData) + data_->parents.bytes() + data_->corners.bytes() + data_->places.bytes();
}

std::uint64_t FlowField::digest() const {
    Digest digest;
    if (data_ == nullptr) return digest.value();
    digest.add(static_cast<std::uint64_t>(data_->status));
    digest.add(data_->world->revision());
    for (const std::uint32_t next : data_->parents) digest.add(std::uint64_t{next});
    for (const grid::FlowCorner& corner : data_->corners) {
        digest.add(corner.at.x);
        digest.add(corner.at.y);
        digest.add(corner.value);
        digest.add(std::uint64_t{corner.next});
    }
    return digest.value();
}

// ---- FlowFill ----------------------------------------------------------------------------------------------

FlowFill::FlowFill(const Allocator& allocator) : allocator_(allocator) {}
FlowFill::FlowFill(FlowFill&& other) noexcept
    : allocator_(other.allocator_), filler_(std::exchange(other.filler_, nullptr)) {}
FlowFill& FlowFill::operator=(FlowFill&& other) noexcept {
    std::swap(allocator_, other.allocator_);
    std::swap(filler_, other.filler_);
    return *this;
}
FlowFill::~FlowFill() {
    if (filler_ == nullptr) return;
    std::destroy_at(filler_);
    allocator_.release(filler_, sizeof(grid::FlowFiller), alignof(grid::FlowFiller), allocator_.user);
}

Result<void> FlowFill::begin(const GridSnapshot& world, const FlowQuery& query) {
    if (filler_ == nullptr) {
        void* memory =
            allocator_.allocate(sizeof(grid::FlowFiller), alignof(grid::FlowFiller), allocator_.user);
        if (memory == nullptr) return kNoMemory;
        filler_ = std::construct_at(static_cast<grid::FlowFiller*>(memory), allocator_);
    }
    return filler_->begin(world, query);
}
std::uint64_t FlowFill::step(std::uint64_t units) { return filler_ == nullptr ? 0 : filler_->step(units); }
bool FlowFill::running() const { return filler_ != nullptr && filler_->running(); }

Result<void> FlowFill::take(FlowField& field) {
    if (filler_ == nullptr) return Error{ErrorCode::nothing_to_take};
    const Result<grid::FlowData*> done = filler_->take(field.data_);
    if (!done) return done.error();
    field.data_ = *done;
    return {};
}

}  // namespace fairlead
