// Filling a flow field: rows made ready, corners found, then the search from the goals outward (flow_filler.h).
#include <cmath>
#include <limits>
#include <memory>

#include "base/no_memory.h"
#include "grid/check_query.h"
#include "grid/flow_filler.h"
#include "grid/prepare.h"
#include "grid/terrain.h"
#include "route/check_filter.h"
#include "route/check_walker.h"
#include "search/slices.h"

namespace fairlead {

namespace grid {

namespace {

constexpr double kFar = std::numeric_limits<double>::infinity();
constexpr double kBetter = 1.0 - 1e-12;  // else it is rounding
constexpr std::uint32_t kNodesMax = 1U << 30;
constexpr std::int32_t kTilesPerUnit = 64;

FlowData* new_data(const Allocator& allocator) {
    void* memory = allocator.allocate(sizeof(FlowData), alignof(FlowData), allocator.user);
    return memory == nullptr ? nullptr : std::construct_at(static_cast<FlowData*>(memory), allocator);
}

}  // namespace

Result<void> check_flow(const GridState& grid, const FlowQuery& query) {
    GridQuery walk;  // the same as far as it goes
    walk.goal = query.goal;
    walk.agent = query.agent;
    walk.corner = query.corner;
    walk.terrain = query.terrain;
    if (const Result<void> good = check_query(grid, walk); !good) return good;
    const bool list = query.goal.kind == Goal::Kind::any_of;
    if (query.goal.kind != Goal::Kind::point && !list) return Error{ErrorCode::unsupported, Field::goal};
    if (query.agent.footprint != 0) return Error{ErrorCode::unsupported, Field::agent_footprint};
    if (query.goal.at.layer < 0 || query.goal.at.layer >= grid.layers())
        return Error{ErrorCode::out_of_range, Field::layer, query.goal.at.layer};
    if (grid.wrap_x() || grid.wrap_y()) return Error{ErrorCode::unsupported, Field::world};
    for (std::size_t i = 0; list && i < query.goal.list.size(); ++i) {
        if (const Result<void> good = check_goal_spot(query.goal, i); !good) return good;
    }
    const std::int64_t parts = touching_radius(query.agent.radius / grid.cell_size()) > 0.5 ? 4 : 1;
    if (std::int64_t{grid.width()} * grid.height() * parts > kNodesMax)
        return Error{ErrorCode::size_limit, Field::cells, kNodesMax};
    return {};
}

void destroy_flow(FlowData* data) {
    if (data == nullptr) return;
    const Allocator allocator = data->parents.allocator();
    std::destroy_at(data);
    allocator.release(data, sizeof(FlowData), alignof(FlowData), allocator.user);
}

FlowFiller::~FlowFiller() { destroy_flow(data_); }

Result<void> FlowFiller::begin(const GridSnapshot& world, const FlowQuery& query) {
    stage_ = Stage::idle;
    owed_ = 0;
    if (const Result<void> good = check_flow(*world, query); !good) return good;
    if (data_ == nullptr) data_ = new_data(allocator_);
    if (data_ == nullptr) return kNoMemory;
    data_->world = world;
    const StateData& state = world->data();
    data_->filtered = !query.terrain.empty();
    for (std::uint32_t kind = 1; kind < 256; ++kind)
        data_->costs[kind] = terrain_cost(state, query.terrain, kind);
    look(*data_, query.agent.radius / state.cell_size, query.corner, query.goal.at.layer);
    data_->lattice = FlowLattice::of(state.width, state.height, data_->sight.world().radius);
    failed_ = false;
    at_ = 0;
    work_ = 0;
    open_.clear();
    if (const Result<void> good = set_goals(query); !good) return good;
    if (data_->status == PathStatus::complete && !make_room()) return kNoMemory;
    if (data_->status != PathStatus::complete) data_->parents.clear();
    stage_ = data_->status == PathStatus::complete ? Stage::rows : Stage::done;
    return {};
}

Result<void> FlowFiller::set_goals(const FlowQuery& query) {
    data_->corners.clear();
    data_->places.clear();
    data_->status = PathStatus::off_world;
    const StateData& state = data_->world->data();
    const bool list = query.goal.kind == Goal::Kind::any_of;
    const std::size_t count = list ? query.goal.list.size() : 1;
    for (std::size_t i = 0; i < count; ++i) {
        const Spot spot = list ? query.goal.list[i] : query.goal.at;
        const Vec2 at = in_cells(spot, state);
        if (!(at.x >= 0.0 && at.y >= 0.0 && at.x <= state.width && at.y <= state.height)) continue;
        if (data_->status == PathStatus::off_world) data_->status = PathStatus::goal_blocked;
        if (!data_->sight.can_sweep(at, at)) continue;
        data_->status = PathStatus::complete;
        if (!data_->corners.push_back({at, 0.0, kNoNode, kNoNode})) return kNoMemory;
        if (!data_->places.push_back(position_of_spot(spot, state))) return kNoMemory;
    }
    data_->goals = static_cast<std::uint32_t>(data_->corners.size());
    return {};
}

bool FlowFiller::make_room() {
    const std::size_t size = data_->lattice.size();
    return data_->parents.resize_uninitialized(size) && values_.resize_uninitialized(size) &&
           heads_.resize_uninitialized(size) && sides_.resize_uninitialized(size);
}

std::uint64_t FlowFiller::step(std::uint64_t units) {
    if (!running()) return 0;
    if (units == 0) units = 1;
    // what the last step did too much comes off first
    const std::uint64_t paid = owed_ < units ? owed_ : units;
    owed_ -= paid;
    const std::uint64_t asked = units;
    units -= paid;
    const std::uint64_t before = work_;
    const std::int32_t rows = data_->lattice.height;
    const auto width = static_cast<std::uint64_t>(data_->lattice.width / kTilesPerUnit + 1);
    StallWatch watch;
    for (std::uint64_t done = work_; works() && !failed_ && work_ - before < units; done = work_) {
        switch (stage_) {
            case Stage::rows:
                work_ += width;
                row(at_);
                if (++at_ < rows) break;
                stage_ = Stage::corners;
                at_ = 1;
                break;
            case Stage::corners:
                work_ += width;
                if (at_ < data_->world->height()) find_corners(at_);
                if (++at_ >= data_->world->height()) begin_search();
                break;
            case Stage::search: {
                if (open_.empty()) {
                    stage_ = Stage::done;
                    break;
                }
                const FlowOpen item = open_.least();
                open_.pop();
                ++work_;
                if (item.value <= value(item.node)) open(item);
                break;
            }
            case Stage::idle:
            case Stage::done: break;
        }
        watch.worked(work_ > done);
    }
    const std::uint64_t used = work_ - before;
    if (used > units) owed_ += used - units;
    if (failed_) {
        stage_ = Stage::done;
        owed_ = 0;
    }
    const std::uint64_t told = paid + (used < units ? used : units);
    return told == 0 ? 1 : told < asked ? told : asked;
}

void FlowFiller::row(std::int32_t j) {
    const std::uint32_t first = data_->lattice.node(0, j);
    for (std::uint32_t i = first; i < first + static_cast<std::uint32_t>(data_->lattice.width); ++i) {
        values_[i] = kFar;
        data_->parents[i] = kNoNode;
        heads_[i] = kNoNode;
        sides_[i] = {};
    }
}

// The vertices between rows y - 1 and y.
void FlowFiller::find_corners(std::int32_t y) {
    const Sight& sight = data_->sight;
    const std::int32_t width = data_->world->width();
    bool low_left = sight.open(0, y - 1);
    bool high_left = sight.open(0, y);
    for (std::int32_t x = 1; x < width; ++x) {
        const bool low_right = sight.open(x, y - 1);
        const bool high_right = sight.open(x, y);
        if (low_left + low_right + high_left + high_right == 3) {
            const bool right = low_right && high_right;  // away from the wall
            const bool up = high_left && high_right;
            add_corner(x, y, {right ? 1.0 : -1.0, up ? 1.0 : -1.0});
        }
        low_left = low_right;
        high_left = high_right;
    }
}

void FlowFiller::add_corner(std::int32_t x, std::int32_t y, Vec2 away) {
    const Vec2 at = Vec2{static_cast<double>(x), static_cast<double>(y)} + away * data_->sight.world().radius;
    ++work_;
    if (!data_->sight.can_sweep(at, at)) return;
    if (!data_->corners.push_back({at, kFar, kNoNode, kNoNode})) {
        failed_ = true;
        return;
    }
    link(data_->lattice.size() + static_cast<std::uint32_t>(data_->corners.size()) - 1);
}

void FlowFiller::link(std::uint32_t node) {
    const FlowLattice& lattice = data_->lattice;
    FlowCorner& corner = data_->corner(node);
    const std::uint32_t point = lattice.node(lattice.nearest(corner.at.x, lattice.width),
                                             lattice.nearest(corner.at.y, lattice.height));
    corner.link = heads_[point];
    heads_[point] = node;
}

void FlowFiller::begin_search() {
    stage_ = Stage::search;
    at_ = 0;
    for (std::uint32_t i = 0; i < data_->goals; ++i) push(data_->lattice.size() + i);
}

void FlowFiller::push(std::uint32_t node) {
    if (!open_.push({value(node), node})) failed_ = true;
}

// The points of the lattice around a node and the corners that belong to them.
template <class Visit>
void FlowFiller::around(std::uint32_t node, Visit visit) {
    const FlowLattice& lattice = data_->lattice;
    const Vec2 at = data_->at(node);
    const std::int32_t i = lattice.nearest(at.x, lattice.width);
    const std::int32_t j = lattice.nearest(at.y, lattice.height);
    const std::int32_t i1 = i + 1 < lattice.width ? i + 1 : i;
    const std::int32_t j1 = j + 1 < lattice.height ? j + 1 : j;
    for (std::int32_t b = j > 0 ? j - 1 : 0; b <= j1; ++b) {
        for (std::int32_t a = i > 0 ? i - 1 : 0; a <= i1; ++a) {
            const std::uint32_t point = lattice.node(a, b);
            if (point != node) visit(point);
            for (std::uint32_t k = heads_[point]; k != kNoNode; k = data_->corner(k).link) {
                if (k != node) visit(k);
            }
        }
    }
}

void FlowFiller::open(const FlowOpen& item) {
    around(item.node, [&](std::uint32_t to) { offer(to, item.node); });
}

void FlowFiller::offer(std::uint32_t to, std::uint32_t by) {
    const Vec2 at = data_->at(to);
    const std::uint32_t next = data_->next(by);
    if (next == to) return;
    const bool lattice = !data_->is_corner(by);
    if (next != kNoNode && improve(to, at, next, false)) {
        keep_sides(to, next, by);
        if (data_->sight.uniform()) return;
    } else if (lattice) {
        // out of sight of the next: behind one of the corners beside the way
        for (const std::uint32_t corner : {sides_[by].left, sides_[by].right}) {
            if (corner != kNoNode && corner != to && improve(to, at, corner, false))
                keep_sides(to, corner, corner);
        }
    }
    if (improve(to, at, by, lattice && !data_->is_corner(to))) keep_sides(to, by, by);
}

// The corners beside the way from `next` to a point that has it from `by`: those that `by` knew and those around the point. Of two on
// one side that counts which stands out more.
void FlowFiller::keep_sides(std::uint32_t to, std::uint32_t next, std::uint32_t by) {
    if (data_->is_corner(to)) return;
    const Vec2 from = data_->at(next);
    const Vec2 way = data_->at(to) - from;
    FlowSides sides;
    const auto add = [&](std::uint32_t node) {
        if (node == kNoNode || node == next) return;
        const Vec2 at = data_->at(node) - from;
        if (at == Vec2{}) return;
        const bool left = cross(way, at) > 0.0;
        std::uint32_t& known = left ? sides.left : sides.right;
        const double out = known == kNoNode ? 1.0 : cross(at, data_->at(known) - from);
        if (left ? out > 0.0 : (known == kNoNode || out < 0.0)) known = node;
    };
    if (!data_->is_corner(by)) {
        add(sides_[by].left);
        add(sides_[by].right);
    }
    around(to, [&](std::uint32_t node) {
        if (data_->is_corner(node)) add(node);
    });
    sides_[to] = sides;
}

// `step`: between neighbours of the lattice.
bool FlowFiller::improve(std::uint32_t to, Vec2 at, std::uint32_t next, bool step) {
    const Vec2 end = data_->at(next);
    double& known = value(to);
    // mostly known already: the straight line alone says so
    const double ahead = value(next);
    if (!(ahead + distance(at, end) * data_->sight.cost_min() < known * kBetter)) return false;
    const double cost = ahead + data_->cost(at, end);
    if (!(cost < known * kBetter)) return false;
    if (!step) ++work_;
    if (step ? !may_step(next, to) : !data_->sight.can_sweep(end, at)) return false;
    known = cost;
    set_next(to, next);
    push(to);
    return true;
}

bool FlowFiller::may_step(std::uint32_t from, std::uint32_t to) const {
    const FlowLattice& lattice = data_->lattice;
    if (lattice.parts != 1) return data_->sight.can_sweep(lattice.at(from), lattice.at(to));
    const auto w = static_cast<std::uint32_t>(lattice.width);
    const auto x = static_cast<std::int32_t>(from % w);
    const auto y = static_cast<std::int32_t>(from / w);
    const auto u = static_cast<std::int32_t>(to % w);
    const auto v = static_cast<std::int32_t>(to / w);
    const Sight& sight = data_->sight;
    if (!sight.open(u, v)) return false;
    if (x == u || y == v || (sight.open(u, y) && sight.open(x, v))) return true;
    // Between two walls that meet there: a point, if the rule lets it.
    return sight.passes_pinches() && sight.can_sweep(lattice.at(from), lattice.at(to));
}

Result<FlowData*> FlowFiller::take(FlowData* old) {
    if (stage_ != Stage::done || owed_ > 0) return Error{ErrorCode::nothing_to_take};
    stage_ = Stage::idle;
    if (failed_) return kNoMemory;
    FlowData* done = data_;
    data_ = old;
    if (data_ != nullptr) data_->world.release();
    return done;
}

}  // namespace grid

}  // namespace fairlead
