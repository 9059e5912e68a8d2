// See wide_way.h.
#include "volume/wide/wide_way.h"

#include <algorithm>
#include <cmath>

namespace fairlead::volume {

namespace {

/// Cells made in a window before the search over all looks for something cheaper.
constexpr std::size_t kWindowMost = 512;

}  // namespace

void WideWay::begin(Masks& masks, Vec3 start, Vec3 goal) {
    const StateData& state = masks.state();
    const Body& body = masks.body();
    state_ = &state;
    body_ = &body;
    stage_ = Stage::no_memory;
    turn_ = near_ = 0;
    proven_ = true;
    units_ = 0;
    rounds_ = fresh_rounds_ = window_rounds_ = window_id_ = 0;
    sets_.begin();
    spread_.begin_world();
    flood_[0].clear();
    flood_[1].clear();
    if (!lattice_.begin(masks, sets_) || !cells_.begin(state, body, lattice_, sets_)) return;
    ends_[0].at = start;
    ends_[1].at = goal;
    if (!place_end(0, start, ends_[0]) || !place_end(1, goal, ends_[1])) return;
    linker_.begin(ends_[0], ends_[1]);
    const Vec3 straight[2] = {start, goal};
    if (!joined() && sees(state, body, start, goal) && !sets_.unite(ends_[0].node, ends_[1].node, straight))
        return;
    stage_ = joined() ? Stage::found : Stage::flood;
}

// Joined to all middles around that it sees.
bool WideWay::place_end(int which, Vec3 at, WideEndPlace& end) {
    const Voxel size = state_->size;
    const auto low = [](double p, std::int32_t most) {
        return std::clamp(static_cast<std::int32_t>(std::floor(p - 0.5)), -1, most - 1);
    };
    end.leaf = cells_.cube({low(at.x, size.x), low(at.y, size.y), low(at.z, size.z)});
    end.node = sets_.add(NodeKind::end, static_cast<std::uint32_t>(which));
    if (end.leaf == kNone || end.node == kNone) return false;
    const Voxel in = voxel_of(*state_, at);
    for (std::int32_t i = 0; i < 27; ++i) {
        const Voxel v{in.x + i % 3 - 1, in.y + i / 3 % 3 - 1, in.z + i / 9 - 1};
        if (!state_->in_bounds(v)) continue;
        const std::uint32_t node = lattice_.node_at(v);
        if (node == kNone) {
            if (lattice_.failed()) return false;
            continue;
        }
        if (sets_.same(node, end.node) || !sees(*state_, *body_, at, middle_of(v))) continue;
        const Vec3 way[2] = {at, middle_of(v)};
        if (!sets_.unite(end.node, node, way) || !push_seed(which, node)) return false;
    }
    return true;
}

bool WideWay::push_seed(int side, std::uint32_t node) {
    if (sets_[node].queued) return true;
    sets_[node].queued = true;
    const Voxel b = lattice_[lattice_.part(sets_[node].ref).brick].at;
    const Vec3 to = ends_[1 - side].at - Vec3{b.x * 4 + 2.0, b.y * 4 + 2.0, b.z * 4 + 2.0};
    const double away = state_->length_of(to) / body_->radius;  // a body that is not narrow has one
    return flood_[side].push({static_cast<std::uint64_t>(std::min(away, 1e9) * 256.0), node});
}

bool WideWay::flood_once() {
    Flood& flood = flood_[turn_];
    if (flood.empty()) {
        near_ = turn_;
        return begin_spread();
    }
    const std::uint32_t node = flood.least().node;
    flood.pop();
    const int side = turn_;
    if (!spread_.explore(node, [&](std::uint32_t other) { return push_seed(side, other); })) return false;
    if (joined()) stage_ = Stage::found;
    turn_ = 1 - turn_;
    return true;
}

bool WideWay::begin_spread() {
    if (joined()) {
        stage_ = Stage::found;
        return true;
    }
    ++rounds_;
    stage_ = Stage::spread;
    cuts_before_ = cells_.cut_count();
    ++fresh_rounds_;
    return spread_.begin(ends_[near_].node, ends_[1 - near_].node, false);
}

bool WideWay::spread_once(std::uint64_t& budget) {
    switch (spread_.step(budget)) {
        case SpreadEnd::no_memory: return false;
        case SpreadEnd::running: return true;
        case SpreadEnd::joined: stage_ = Stage::found; return true;
        case SpreadEnd::exhausted:
            // Once more from the beginning: it is cheap against all that went before.
            if (cells_.cut_count() > cuts_before_) return begin_spread();
            stage_ = cells_.any_undecided() ? Stage::prove : Stage::exhausted;
            return stage_ == Stage::exhausted ||
                   spread_.begin(ends_[near_].node, ends_[1 - near_].node, true);
        case SpreadEnd::reached: break;
    }
    // The dearest pinch first: it is the likeliest to be closed.
    pinches_.clear();
    order_.clear();
    made_.clear();
    if (!pinches_.assign(spread_.pinches()) || !order_.assign(spread_.path())) return false;
    const auto weight = [&](const Pinch& p) {
        std::uint64_t sum = 0;
        for (std::uint32_t i = p.first; i < p.first + p.count; ++i) sum += cells_[order_[i]].weight;
        return sum;
    };
    for (std::size_t i = 1; i < pinches_.size(); ++i) {
        for (std::size_t j = i; j > 0 && weight(pinches_[j]) < weight(pinches_[j - 1]); --j)
            std::swap(pinches_[j], pinches_[j - 1]);
    }
    return begin_pinch();
}

// The last of those that are left.
bool WideWay::begin_pinch() {
    while (!pinches_.empty() && sets_.same(pinches_.back().from, pinches_.back().to)) pinches_.pop_back();
    if (pinches_.empty()) return leave_pinch();
    stage_ = Stage::pinch;
    const Pinch& pinch = pinches_.back();
    ++window_id_;
    window_.clear();
    path_.clear();
    for (std::uint32_t i = pinch.first; i < pinch.first + pinch.count; ++i) {
        const std::uint32_t cell = order_[i];
        cells_[cell].window = window_id_;
        if (!path_.push_back(cell) || !window_.push_back(cell)) return false;
    }
    return true;
}

// Joins what can be joined along the way through the window, cuts the cells on it, and looks for another one.
bool WideWay::pinch_once(std::uint64_t& budget) {
    const Pinch pinch = pinches_.back();
    ++window_rounds_;
    // Counted whole, so that the count does not depend on the slices.
    const std::uint64_t taken = std::min<std::uint64_t>(budget, path_.size());
    budget -= taken;
    units_ += path_.size() - taken;
    for (const std::uint32_t cell : path_) {
        if (cells_[cell].state == CellState::mixed && !linker_.link(cell)) return false;
        if (sets_.same(pinch.from, pinch.to)) return begin_pinch();
    }
    bool any = false;
    for (const std::uint32_t cell : path_) {
        if (cells_[cell].state != CellState::mixed || cells_[cell].finest()) continue;
        any = true;
        if (!linker_.cut(cell) || (cells_[cell].level == 0 && !spread_.wake(cell, made_))) return false;
        const std::uint32_t child = cells_[cell].child;
        for (std::uint32_t i = child; i < child + 8; ++i) {
            if (cells_[i].state != CellState::blocked && (!window_.push_back(i) || !made_.push_back(i)))
                return false;
        }
    }
    FAIRLEAD_DEBUG_ASSERT(any);
    if (sets_.same(pinch.from, pinch.to)) return begin_pinch();
    if (!any || window_.size() > kWindowMost) return leave_pinch();
    switch (spread_.search_window(pinch.from, pinch.to, window_id_, window_.span())) {
        case SpreadEnd::no_memory: return false;
        case SpreadEnd::reached: return path_.assign(spread_.path());
        default: return leave_pinch();
    }
}

bool WideWay::leave_pinch() {
    stage_ = joined() ? Stage::found : Stage::spread;
    ++rounds_;
    return stage_ == Stage::found || spread_.repair(made_.span());
}

// Was something left because it cannot be cut any more?
bool WideWay::prove_once(std::uint64_t& budget) {
    switch (spread_.step(budget)) {
        case SpreadEnd::no_memory: return false;
        case SpreadEnd::running: return true;
        case SpreadEnd::joined: stage_ = Stage::found; return true;
        case SpreadEnd::reached:
        case SpreadEnd::exhausted: break;
    }
    proven_ = spread_.path().empty();
    stage_ = Stage::exhausted;
    return true;
}

bool WideWay::work(std::uint64_t& budget) {
    switch (stage_) {
        case Stage::flood: budget -= 1; return flood_once();
        case Stage::spread: return spread_once(budget);
        case Stage::pinch: return pinch_once(budget);
        case Stage::prove: return prove_once(budget);
        case Stage::found:
        case Stage::exhausted:
        case Stage::no_memory: break;
    }
    return true;
}

SearchProgress WideWay::step(std::uint64_t budget) {
    for (;;) {
        if (stage_ == Stage::found) return SearchProgress::found;
        if (stage_ == Stage::exhausted) return SearchProgress::exhausted;
        if (stage_ == Stage::no_memory) return SearchProgress::no_memory;
        if (budget == 0) return SearchProgress::running;
        const std::uint64_t before = budget;
        if (!work(budget)) stage_ = Stage::no_memory;
        units_ += before - budget;
    }
}

WideWay::Counts WideWay::counts() const {
    Counts counts;
    counts.units = units_;
    counts.cells = cells_.cut_count() * 8;
    counts.cubes = cells_.size() - counts.cells;
    counts.rounds = rounds_;
    counts.fresh_rounds = fresh_rounds_;
    counts.windows = window_rounds_;
    counts.means = cells_.cut_count() > 0 ? Means::cells : rounds_ > 0 ? Means::links : Means::lattice;
    return counts;
}

}  // namespace fairlead::volume
