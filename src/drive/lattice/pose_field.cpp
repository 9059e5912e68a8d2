#include <fairlead/drive/pose_field.h>

#include <cmath>
#include <limits>
#include <utility>

#include "drive/curves/few_turns.h"
#include "drive/curves/write_route.h"
#include "drive/lattice/field_data.h"
#include "drive/lattice/lattice_path.h"
#include "drive/lattice/prepare_ends.h"
#include "drive/map/map_data.h"

namespace fairlead {

using drive::BackwardSpace;
using drive::DriveWork;
using drive::FieldData;
using drive::FreeCurve;
using drive::LatticePose;
using drive::LatticeQuery;
using drive::LatticeStart;
using drive::MapData;

namespace {

constexpr std::uint64_t kStatesMax = std::uint64_t{1} << 32;

// The finest scale at which ways over half the map's cells stay below 2^32.
CostScale scale_for(const MapData& map, const LatticeQuery& query) {
    const double cells = static_cast<double>(map.edges().width()) * map.edges().height() * 0.5 + 64.0;
    double most = cells * query.reverse_penalty * map.dearest();
    if (map.table().options().agent.can_pivot)
        most += cells * kTwoPi * query.pivot_penalty * map.table().pitch();
    CostScale scale;
    while (scale.bits > 2 && most * static_cast<double>(scale.straight) > 4e9) {
        --scale.bits;
        scale.straight >>= 1;
    }
    return scale;
}

bool list_arrivals(FieldData& data) {
    const std::span<const Primitive> all = data.map->table().primitives().all();
    for (std::int32_t h = 0; h < data.map->table().headings(); ++h) {
        data.first_arrival[h] = static_cast<std::uint32_t>(data.arrivals.size());
        for (std::uint32_t i = 0; i < all.size(); ++i) {
            const Primitive& p = all[i];
            if (p.to != h) continue;
            if (!data.arrivals.push_back({data.work.steps[i].cost, i, p.dx, p.dy, p.from, p.gear}))
                return false;
        }
    }
    data.first_arrival[data.map->table().headings()] = static_cast<std::uint32_t>(data.arrivals.size());
    return true;
}

// Where the sweep begins: poses that will do, and those with a free curve to the goal.
bool list_entries(FieldData& data) {
    const auto cell = static_cast<double>(data.work.scale.straight);
    const drive::LatticeCode code =
        drive::LatticeCode::of(data.map->edges().width(), data.map->table().headings());
    const bool both = data.map->table().options().agent.can_reverse;
    bool good = true;
    (void)drive::any_last_pose(*data.map, data.work.goal, [&](LatticePose at) {
        for (const Gear gear : {Gear::forward, Gear::reverse}) {
            if (gear == Gear::reverse && !both) continue;
            at.gear = gear;
            double cost = 0.0;
            if (!drive::cost_to_goal(*data.map, data.work.goal, at, cost)) continue;
            const std::uint32_t state = code.state(at.x, at.y, at.heading, gear);
            good = good && data.entries.push_back({state, static_cast<Cost>(cost * cell + 0.5)});
        }
        return !good;
    });
    return good;
}

// Where nothing leads to the goal: why.
PathStatus goal_status(FieldData& data) {
    const MapData& map = *data.map;
    if (!drive::MapFrame(map).on_map(data.query.goal.position, data.query.goal_layer))
        return PathStatus::off_world;
    return drive::fill_goal(map, data.query, data.work.goal) ? PathStatus::complete
                                                             : PathStatus::goal_blocked;
}

bool set_up(FieldData& data) {
    DriveWork& work = data.work;
    const MapData& map = *data.map;
    work.scale = scale_for(map, data.query);
    if (!drive::fill_steps(map, data.query, work) || !list_arrivals(data)) return false;
    data.goal = goal_status(data);
    if (data.goal == PathStatus::complete && !list_entries(data)) return false;
    const drive::LatticeCode code = drive::LatticeCode::of(map.edges().width(), map.table().headings());
    if (!data.nodes.resize(code.count(map.edges().height()), map.table().options().agent.can_reverse ? 0 : 1))
        return false;
    const auto cusp = static_cast<Cost>(data.query.cusp_penalty * data.map->table().pitch() *
                                        static_cast<double>(work.scale.straight));
    data.space =
        BackwardSpace(map.edges(), data.arrivals.span(), data.first_arrival, data.entries.span(), cusp);
    data.space.set_terrain(drive::step_costs(map, work));
    data.open.set_width(work.scale.bits > 2 ? work.scale.bits - 2 : 0);
    data.engine = drive::FieldEngine(data.space, data.open, data.nodes);
    data.engine.set_cost_limit(drive::FieldNodes::kCostNone);
    data.engine.begin();
    return true;
}

void release(FieldData* data) {
    if (data == nullptr) return;
    const Allocator allocator = data->allocator;
    data->~FieldData();
    allocator.release(data, sizeof(FieldData), alignof(FieldData), allocator.user);
}

}  // namespace

Result<PoseField> PoseField::make(DriveMapSnapshot snapshot, const DriveQuery& query,
                                  const Allocator& allocator) {
    const MapData& map = snapshot->data();
    DriveQuery asked = query;
    asked.start = Pose{};  // comes with each route, an exact pose
    if (const Result<void> good = drive::check_query(asked); !good) return good.error();
    if (!map.is_plain()) return Error{ErrorCode::unsupported, -1, 0};
    const drive::LatticeCode code = drive::LatticeCode::of(map.edges().width(), map.table().headings());
    if (code.count(map.edges().height()) >= kStatesMax) {
        return Error{ErrorCode::size_limit, -1, static_cast<std::int64_t>(kStatesMax)};
    }
    const Error no_memory{ErrorCode::out_of_memory, -1, sizeof(FieldData)};
    void* memory = allocator.allocate(sizeof(FieldData), alignof(FieldData), allocator.user);
    if (memory == nullptr) return no_memory;
    PoseField field(new (memory)
                        FieldData(std::move(snapshot), drive::lattice_query(map.table(), asked), allocator));
    if (!set_up(*field.data_)) return no_memory;
    return field;
}

PoseField::PoseField(PoseField&& other) noexcept : data_(std::exchange(other.data_, nullptr)) {}

PoseField& PoseField::operator=(PoseField&& other) noexcept {
    if (this != &other) {
        release(data_);
        data_ = std::exchange(other.data_, nullptr);
    }
    return *this;
}

PoseField::~PoseField() { release(data_); }

bool PoseField::step(std::uint64_t poses) {
    if (!data_->done && poses > 0) {
        const SearchProgress progress = data_->engine.step(poses);
        data_->done = progress != SearchProgress::running;
        data_->failed = progress == SearchProgress::no_memory;
    }
    return !data_->done;
}

bool PoseField::done() const { return data_->done; }
const DriveMapSnapshot& PoseField::map() const { return data_->snapshot; }
std::size_t PoseField::bytes() const {
    return data_->nodes.bytes() + data_->open.bytes() + sizeof(FieldData);
}

namespace {

// In cells' scale; FieldNodes::kCostNone: none.
Cost cost_of(const FieldData& data, const LatticePose& at) {
    const drive::LatticeCode code =
        drive::LatticeCode::of(data.map->edges().width(), data.map->table().headings());
    const bool both = data.map->table().options().agent.can_reverse;
    return data.nodes[code.state(at.x, at.y, at.heading, both ? at.gear : Gear::forward)].g;
}

// The moves that lead on from a pose for least. False: no move does.
bool best_move(const FieldData& data, const LatticePose& at, Cost& least, LatticePose& next) {
    const EdgeMap& edges = data.map->edges();
    const PrimitiveSet& set = edges.table().primitives();
    const auto cusp = static_cast<Cost>(data.query.cusp_penalty * data.map->table().pitch() *
                                        static_cast<double>(data.work.scale.straight));
    const drive::StepCosts terrain = drive::step_costs(*data.map, data.work);
    least = drive::FieldNodes::kCostNone;
    for (std::uint32_t i = set.first(at.heading); i < set.first(at.heading + 1); ++i) {
        if (!edges.may_drive(at.x, at.y, i)) continue;
        const Primitive& p = set.all()[i];
        const LatticePose to{at.x + p.dx, at.y + p.dy, p.to, p.gear};
        const Cost rest = cost_of(data, to);
        if (rest >= least) continue;
        const Cost step = data.work.steps[i].cost + (terrain.used() ? terrain.of(i, at.x, at.y) : 0);
        const Cost sum = rest + step + (p.gear != at.gear ? cusp : 0);
        if (sum >= least) continue;
        least = sum;
        next = to;
    }
    return least < drive::FieldNodes::kCostNone;
}

// From a start down the field to the goal.
bool follow(const FieldData& data, const LatticeStart& start, DriveWork& work) {
    const drive::LatticeGoal& goal = data.work.goal;
    const auto cell = static_cast<double>(data.work.scale.straight);
    const auto middle = [&](const LatticePose& at) { return data.map->table().node(at.x, at.y, at.heading); };
    work.chain.clear();
    if (start.word.count > 0) {
        const double cost = goal.curves.cost_of(start.word, start.from);
        if (!work.chain.push_back({start.from, {start.word, cost, cost, start.pose.gear, start.pose.gear}}))
            return false;
    }
    LatticePose at = start.pose;
    if (!work.chain.push_back({middle(at), {}})) return false;
    while (!goal.accepts(at)) {
        Cost least = 0;
        LatticePose next;
        const bool moves = best_move(data, at, least, next);
        FreeCurve curve;
        int which = 0;
        if (goal.in_reach(at) && goal.curve_from(middle(at), at.gear, curve, which) &&
            (!moves || static_cast<Cost>(curve.cost * cell) <= least)) {
            work.chain.back().next = curve;
            if (!work.chain.push_back({goal.target[which], {}})) return false;
            break;
        }
        FAIRLEAD_ASSERT(moves);
        work.chain.back().next = drive::curve_between(*data.map, goal.curves, at, next);
        if (!work.chain.push_back({middle(next), {}})) return false;
        at = next;
    }
    if (work.chain.size() > 1) work.chain[0].next.cost = work.chain[0].next.plain;
    return true;
}

}  // namespace

double PoseField::cost_at(Vec2 point, std::int32_t heading, Gear gear) const {
    // The pose nearest to the point.
    const double shift = 0.5 - data_->map->table().node_offset();
    const Vec2 p = drive::MapFrame(*data_->map).in_cells({point, 0.0}).position + Vec2{shift, shift};
    const EdgeMap& edges = data_->map->edges();
    constexpr double kNone = std::numeric_limits<double>::infinity();
    const bool inside = p.x >= 0.0 && p.y >= 0.0 && p.x < edges.width() && p.y < edges.height();
    if (!inside || heading < 0 || heading >= edges.table().headings()) return kNone;
    const Cost cost =
        cost_of(*data_, {static_cast<std::int32_t>(p.x), static_cast<std::int32_t>(p.y), heading, gear});
    if (cost >= drive::FieldNodes::kCostNone) return kNone;
    return data_->work.scale.to_cells(cost) * edges.table().lattice_size();
}

Result<void> find_route_into(const PoseField& field, const Pose& start, Scratch& scratch, Route& route,
                             bool smooth) {
    route.clear();
    const FieldData& data = *field.data_;
    if (!std::isfinite(start.position.x) || !std::isfinite(start.position.y) ||
        !std::isfinite(start.heading_rad))
        return Error{ErrorCode::not_finite, Field::start};
    if (!field.done()) return Error{ErrorCode::unsupported, -1, 0};
    const Error no_memory{ErrorCode::out_of_memory, -1, 0};
    auto* work = scratch.get<DriveWork>();
    if (work == nullptr || data.failed) return no_memory;
    work->scale = data.work.scale;
    LatticeQuery query = data.query;
    query.start = drive::few_turns(start);
    route.planner = "pose_field";
    route.revision = data.map->options().revision;
    route.end = {
        {start.position.x, start.position.y, 0.0}, query.start.heading_rad, data.map->options().layer};
    // in the order of find_drive
    route.status = data.goal;
    if (data.goal == PathStatus::off_world) return {};
    const PathStatus stands = drive::start_status(*data.map, query);
    if (stands != PathStatus::complete) route.status = stands;
    if (route.status != PathStatus::complete) return {};
    drive::StartList starts;
    starts.begin(*data.map, query, *work);
    while (starts.step()) {
    }
    if (starts.failed()) return no_memory;
    const LatticeStart* best = nullptr;
    Cost least = drive::FieldNodes::kCostNone;
    for (const LatticeStart& option : work->starts) {
        const Cost rest = cost_of(data, option.pose);
        if (rest >= least || rest + option.cost >= least) continue;
        least = rest + option.cost;
        best = &option;
    }
    route.status = PathStatus::unreachable;
    if (best == nullptr) return {};
    if (!follow(data, *best, *work)) return no_memory;
    if (smooth) {
        if (!work->smoother.begin(data.work.goal.curves, work->chain)) return no_memory;
        std::uint64_t all = UINT64_MAX;
        while (work->smoother.step(all)) {
        }
        if (work->smoother.failed()) return no_memory;
    }
    if (!drive::write_route(*data.map, query, work->chain, route)) {
        route.clear();
        return no_memory;
    }
    route.status = PathStatus::complete;
    route.bound = 1.0;
    return {};
}

}  // namespace fairlead
