#include "drive/lattice/bin_search.h"

#include "drive/lattice/lattice_trace.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "drive/lattice/prepare_ends.h"

namespace fairlead::drive {

namespace {

constexpr std::uint64_t kTurnOfOneSide = 32;  // expansions of one side at a time
constexpr BinSize kPass[] = {{4.0, 0.5}, {8.0, 0.2}};

// From its end to its start, for the unit turned round.
void turn_round(Array<ChainPose>& chain) {
    std::reverse(chain.begin(), chain.end());
    for (std::size_t i = 0; i + 1 < chain.size(); ++i) {
        FreeCurve& curve = chain[i + 1].next;
        curve.word = turned_round(curve.word);
        std::swap(curve.first, curve.last);
        chain[i].next = curve;
    }
    chain.back().next = {};
    for (ChainPose& at : chain) at.pose = turned_round(at.pose);
}

bool same_move(const FreeCurve& a, const FreeCurve& b) {
    return a.word.count == 1 && b.word.count == 1 && a.first == b.first &&
           a.word.segments[0].steer == b.word.segments[0].steer;
}

// Moves of the same kind, one after the other, are one, if it turns by no more than half a circle.
void merge_moves(Array<ChainPose>& chain) {
    std::size_t kept = 0;
    for (std::size_t i = 1; i < chain.size(); ++i) {
        FreeCurve& before = chain[kept].next;
        const FreeCurve& next = chain[i].next;
        if (same_move(before, next) &&
            (next.word.segments[0].steer == Steer::straight ||
             std::abs(before.word.segments[0].amount + next.word.segments[0].amount) < kPi)) {
            before.word.segments[0].amount += next.word.segments[0].amount;
            before.word.length += next.word.length;
            before.word.cost += next.word.cost;
        } else {
            chain[++kept] = chain[i];
        }
    }
    while (chain.size() > kept + 1) chain.pop_back();
}

}  // namespace

BinSearch::BinSearch(const Allocator& allocator)
    : side_{Side(allocator), Side(allocator)}, ends_{Array<Pose>(allocator), Array<Pose>(allocator)} {}

bool BinSearch::list_ends(const LatticeQuery& query, const LatticeGoal& goal) {
    ends_[0].clear();
    if (any_start_pose(*map_, query, [&](const Pose& pose) { return !ends_[0].push_back(pose); }))
        return false;
    ends_[1].clear();
    for (int i = 0; i < goal.targets; ++i) {
        if (!ends_[1].push_back(goal.target[i])) return false;
    }
    return true;
}

bool BinSearch::aim(Side& side, std::span<const Pose> from, std::span<const Pose> to, const BinSize& size) {
    const DriveTable& table = map_->table();
    const bool walks = table.ground_factor() > 0.0;
    side.space.begin(side.world, table.pitch(), size, cell_, walks ? &side.ground : nullptr, side.nodes);
    const bool back = &side == &side_[1];
    for (const Pose& pose : from) {
        if (!side.space.add_start(back ? turned_round(pose) : pose)) return false;
    }
    for (const Pose& pose : to) {
        if (!side.space.add_target(back ? turned_round(pose) : pose)) return false;
    }
    const auto cell_of = [](double v) { return static_cast<std::int32_t>(std::floor(v)); };
    const Vec2 here = from[0].position;
    const Vec2 there = to[0].position;
    return !walks ||
           (side.ground.begin(map_->free_cells(), table.ground_corner(), cell_of(here.x), cell_of(here.y)) &&
            side.ground.add_goal(cell_of(there.x), cell_of(there.y), 0));
}

bool BinSearch::begin_pass(std::size_t pass) {
    pass_ = pass;
    turn_ = 0;
    left_ = kTurnOfOneSide;
    for (std::size_t i = 0; i < 2; ++i) {
        Side& side = side_[i];
        if (!aim(side, ends_[i].span(), ends_[1 - i].span(), kPass[pass])) return false;
        side.open.set_width(std::max(0, static_cast<std::int32_t>(std::bit_width(cell_)) - 3));
        const Trace trace{hook_.event != nullptr ? this : nullptr, i};
        side.engine = Engine(side.space, side.open, side.nodes, Key{}, trace);
        side.engine.begin();
    }
    return true;
}

bool BinSearch::begin(const MapData& map, const LatticeQuery& query, const LatticeGoal& goal, Cost cell,
                      const SearchTrace& hook, bool& possible) {
    possible = false;
    map_ = &map;
    hook_ = hook;
    cell_ = cell;
    before_ = 0;
    // Turned round, a unit would drive against the lanes that it may drive along.
    if (goal.curves.terrain.roads.forbids()) return true;
    if (!list_ends(query, goal)) return false;
    if (ends_[0].empty() || ends_[1].empty() ||
        !BinSpace::fits(map.free_cells(), map.table().pitch(), kPass[0]))
        return true;
    side_[0].world = goal.curves;
    side_[1].world = goal.curves;
    side_[1].world.body = turned_round(goal.curves.body);
    if (!begin_pass(0)) return false;
    const Vec2 at = ends_[0][0].position;
    possible =
        map.table().ground_factor() == 0.0 ||
        side_[0].ground.at(static_cast<std::int32_t>(at.x), static_cast<std::int32_t>(at.y)) != kGroundFar;
    return !side_[0].ground.failed();
}

BinSearch::Progress BinSearch::step(std::uint64_t expansions) {
    while (expansions > 0) {
        Side& side = side_[turn_];
        const std::uint64_t slice = std::min(expansions, left_);
        const SearchProgress progress = side.engine.step(slice);
        if (side.space.failed() || side.ground.failed()) return Progress::no_memory;
        found_ = turn_;
        switch (progress) {
            case SearchProgress::no_memory: return Progress::no_memory;
            case SearchProgress::found: return Progress::found;
            case SearchProgress::exhausted:
                if (pass_ + 1 == std::size(kPass) ||
                    !BinSpace::fits(map_->free_cells(), map_->table().pitch(), kPass[pass_ + 1]))
                    return Progress::exhausted;
                before_ = expanded();
                if (!begin_pass(pass_ + 1)) return Progress::no_memory;
                break;
            case SearchProgress::running:
                left_ -= slice;
                if (left_ > 0) break;
                left_ = kTurnOfOneSide;
                turn_ ^= 1;
                break;
        }
        expansions -= slice;
    }
    return Progress::running;
}

// The search from the goal drives the unit turned round: forward where the unit would reverse, and so the other way.
void BinSearch::tell(std::size_t which, std::uint32_t state, Cost g) const {
    const Pose middle = side_[which].space.middle_of(state);
    const Pose at = which == 0 ? middle : turned_round(middle);
    const MapFrame frame(*map_);
    tell_pose(hook_, {TraceEventKind::expanded, state, g}, frame.to_world(at),
              (state & 1U) != 0 ? Gear::reverse : Gear::forward, frame.layer_at(at.position.y));
}

void BinSearch::set_costs(Array<ChainPose>& chain) const {
    const CurveWorld& world = side_[0].world;
    for (std::size_t i = 0; i + 1 < chain.size(); ++i) {
        FreeCurve& curve = chain[i].next;
        curve.plain = world.cost_of(curve.word, chain[i].pose);
        curve.cost = curve.plain;
        if (i > 0 && chain[i - 1].next.last != curve.first) curve.cost += world.cusp_penalty;
    }
}

bool BinSearch::write_chain(Array<ChainPose>& chain) const {
    const Side& side = side_[found_];
    if (!side.space.write_chain(side.engine.goal_node(), chain)) return false;
    if (found_ == 1) turn_round(chain);
    merge_moves(chain);
    set_costs(chain);
    return true;
}

}  // namespace fairlead::drive
