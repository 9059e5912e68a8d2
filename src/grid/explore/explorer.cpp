// Explorer: one step is to look round and, as the mode says, to think and to walk.
#include <fairlead/grid/explore.h>

#include <cmath>
#include <iterator>
#include <new>

#include "grid/body.h"
#include "grid/explore/explore_data.h"
#include "grid/image.h"

namespace fairlead {

namespace {

using grid::ExploreData;

constexpr const char* kExploreStatusNames[] = {"going",        "arrived",   "unreachable", "start_blocked",
                                               "goal_blocked", "off_world", "gave_up"};
static_assert(std::size(kExploreStatusNames) == static_cast<std::size_t>(ExploreStatus::count_));

constexpr double kSightCellsMax = 256.0;
constexpr Error kExploreNoMemory{ErrorCode::out_of_memory, -1, 0};

Result<void> check_lengths(const ExploreOptions& o, double cell_size) {
    struct Length {
        double value;
        double least;
        double most;
        Field field;
    };
    const double far = kSightCellsMax * cell_size;
    const Length lengths[] = {{o.sight, 0.0, far, Field::range},
                              {o.stride, 0.0, far, Field::distance},
                              {o.detour_max, 1.0, 1e9, Field::factor_min}};
    for (const Length& length : lengths) {
        if (!std::isfinite(length.value)) return Error{ErrorCode::not_finite, length.field};
        if (length.value < length.least || length.value > length.most)
            return Error{ErrorCode::out_of_range, length.field};
    }
    if (o.sight <= 0.0) return Error{ErrorCode::out_of_range, Field::range};
    return {};
}

Result<void> check_explore(const GridState& world, const ExploreOptions& o) {
    if (const Result<void> good = check_lengths(o, world.cell_size()); !good) return good;
    if (const Result<void> good = grid::check_agent(o.agent); !good) return good.error();
    if (o.agent.turning_radius != 0.0) return Error{ErrorCode::unsupported, Field::agent_turning_radius};
    if (world.wrap_x() || world.wrap_y()) return Error{ErrorCode::unsupported, Field::world};
    if (o.layer < 0 || o.layer >= world.layers())
        return Error{ErrorCode::out_of_range, Field::layer, o.layer};
    if (o.mode > ExploreMode::horizon) return Error{ErrorCode::out_of_range, Field::planner};
    if (o.region_cells < 2 || o.region_cells > 1024)
        return Error{ErrorCode::out_of_range, Field::tile_cells, o.region_cells};
    const std::int64_t cells = std::int64_t{world.width()} * world.height();
    if (!o.regions.empty() && o.regions.size() != static_cast<std::size_t>(cells))
        return Error{ErrorCode::size_mismatch, Field::areas, cells};
    return {};
}

void destroy(ExploreData* data) {
    if (data == nullptr) return;
    const Allocator allocator = data->options.allocator;
    data->~ExploreData();
    allocator.release(data, sizeof(ExploreData), alignof(ExploreData), allocator.user);
}

bool make_seen(ExploreData& d) {
    d.row_words = (static_cast<std::size_t>(d.width()) + 63) / 64;
    if (!d.seen.resize(d.row_words * static_cast<std::size_t>(d.height()))) return false;
    for (std::uint64_t& word : d.seen) word = 0;
    if (d.options.regions.empty()) return true;
    return d.regions.assign(d.options.regions);
}

Result<Vec2> explore_spot(const ExploreData& d, const Spot& spot, Field field) {
    if (spot.kind == Spot::Kind::waypoint) return Error{ErrorCode::unsupported, field};
    if (!is_finite(ground(spot.position))) return Error{ErrorCode::not_finite, field};
    if (spot.kind == Spot::Kind::cell) return Vec2{spot.position.x + 0.5, spot.position.y + 0.5};
    return (ground(spot.position) - d.map().origin) / d.map().cell_size;
}

bool on_map(const ExploreData& d, Vec2 p) {
    return p.x >= 0.0 && p.y >= 0.0 && p.x <= d.width() && p.y <= d.height();
}

// What a look tells of the ends.
ExploreStatus blocked_end(const ExploreData& d) {
    const grid::SightWorld known = d.sight_on(d.known.state(), 0);
    if (!can_sweep(known, d.at, d.at)) return ExploreStatus::start_blocked;
    return can_sweep(known, d.goal, d.goal) ? ExploreStatus::going : ExploreStatus::goal_blocked;
}

// Is there no way even if all that was never seen is free? Asked where both ends stand in the middle of their cells' room.
bool is_cut_off(const ExploreData& d) {
    const GridState& known = d.known.state();
    const grid::Sight sight(d.sight_on(known, 0));
    if (sight.between_walls(d.at) || sight.between_walls(d.goal)) return false;  // of two cells
    const Cell from = d.cell_of(d.at), to = d.cell_of(d.goal);
    if (!known.can_stand(from, d.options.agent) || !known.can_stand(to, d.options.agent)) return false;
    const Result<bool> joined = known.connected(from, to, d.options.agent);
    return joined.has_value() && !*joined;
}

bool begin_mode(ExploreData& d) {
    if (d.rest_of == d.options.mode) return true;
    if (d.options.mode == ExploreMode::compass) return begin_regions(d);
    return d.options.mode != ExploreMode::horizon || begin_horizon(d);
}

bool step_mode(ExploreData& d, const GridState& world, Scratch& scratch, bool news) {
    switch (d.options.mode) {
        case ExploreMode::compass: return step_compass(d, world, scratch, news);
        case ExploreMode::horizon: return step_horizon(d, world, scratch, news);
        case ExploreMode::free_space: break;
    }
    return walk_by_map(d, world, scratch, news);
}

}  // namespace

const char* explore_status_name(ExploreStatus status) {
    const auto i = static_cast<std::size_t>(status);
    return i < std::size(kExploreStatusNames) ? kExploreStatusNames[i] : "unknown";
}

Result<Explorer> Explorer::make(const GridState& world, const ExploreOptions& options) {
    if (const Result<void> good = check_explore(world, options); !good) return good.error();
    GridOptions o;
    o.width = world.width();
    o.height = world.height();
    o.origin = world.origin();
    o.cell_size = world.cell_size();
    o.sizes = {&options.agent, 1};
    o.allocator = options.allocator;
    Result<Grid> known = Grid::make(o);
    if (!known) return known.error();
    const Allocator& a = options.allocator;
    void* memory = a.allocate(sizeof(ExploreData), alignof(ExploreData), a.user);
    if (memory == nullptr) return kExploreNoMemory;
    auto* data = new (memory) ExploreData(options, std::move(*known));
    Explorer made(data);
    data->sight = options.sight / world.cell_size();
    data->stride = options.stride > 0.0 ? options.stride / world.cell_size() : 0.5 * data->sight;
    if (!make_seen(*data)) return kExploreNoMemory;
    data->options.regions = {};
    return made;
}

Explorer::Explorer(Explorer&& other) noexcept : data_(other.data_) { other.data_ = nullptr; }

Explorer& Explorer::operator=(Explorer&& other) noexcept {
    if (this == &other) return *this;
    destroy(data_);
    data_ = other.data_;
    other.data_ = nullptr;
    return *this;
}

Explorer::~Explorer() { destroy(data_); }

Result<void> Explorer::begin(const Spot& start, const Spot& goal) {
    ExploreData& d = *data_;
    const Result<Vec2> from = explore_spot(d, start, Field::start);
    if (!from) return from.error();
    const Result<Vec2> to = explore_spot(d, goal, Field::goal);
    if (!to) return to.error();
    d.at = *from;
    d.goal = *to;
    d.walked.clear();
    d.plan.clear();
    d.walked.planner = "explore";
    d.walked.status = PathStatus::partial;
    d.has_plan = d.wants = false;
    d.rest_of = ExploreMode::free_space;
    d.stats = {.seen = d.stats.seen};
    const Vec2 world = d.to_world(d.at);
    d.walked.end = {{world.x, world.y, 0.0}, 0.0, d.options.layer};
    d.status = on_map(d, d.at) && on_map(d, d.goal) ? ExploreStatus::going : ExploreStatus::off_world;
    return {};
}

Result<void> Explorer::step(const GridState& world, Scratch& scratch) {
    ExploreData& d = *data_;
    if (world.width() != d.width() || world.height() != d.height() || d.options.layer >= world.layers())
        return Error{ErrorCode::size_mismatch, Field::world};
    if (d.status != ExploreStatus::going) return {};
    d.walked.revision = world.revision();
    bool news = false;
    if (!look_round(d, world, news) || !begin_mode(d)) return kExploreNoMemory;
    d.status = blocked_end(d);
    if (d.status != ExploreStatus::going) return {};
    if (d.at == d.goal) {
        d.status = ExploreStatus::arrived;
    } else if (news && is_cut_off(d)) {
        d.status = ExploreStatus::unreachable;
    } else if (d.stats.steps == d.options.steps_max) {
        d.status = ExploreStatus::gave_up;
    } else {
        ++d.stats.steps;
        if (!step_mode(d, world, scratch, news)) return kExploreNoMemory;
    }
    if (d.status == ExploreStatus::arrived) d.walked.status = PathStatus::complete;
    return {};
}

void Explorer::set_mode(ExploreMode mode) {
    ExploreData& d = *data_;
    FAIRLEAD_ASSERT(mode <= ExploreMode::horizon);
    d.options.mode = mode;
    d.has_plan = d.wants = false;
    if (d.status == ExploreStatus::gave_up) d.status = ExploreStatus::going;
}

Result<void> Explorer::forget() {
    ExploreData& d = *data_;
    const CellRect all{{0, 0}, {d.width(), d.height()}};
    if (const Result<void> done = d.known.fill(all, 1); !done) return done;
    for (std::uint64_t& word : d.seen) word = 0;
    d.stats.seen = 0;
    d.has_plan = false;
    return {};
}

ExploreStatus Explorer::status() const { return data_->status; }
Vec2 Explorer::position() const { return data_->to_world(data_->at); }
const Route& Explorer::walked() const { return data_->walked; }
const Route& Explorer::plan() const { return data_->plan; }
const GridState& Explorer::known() const { return data_->known.state(); }
const ExploreStats& Explorer::stats() const { return data_->stats; }

bool Explorer::seen(Cell cell) const {
    return data_->known.state().inside({cell.x, cell.y, 0}) && data_->is_seen(cell.x, cell.y);
}

}  // namespace fairlead
