#include "drive/curves/smooth_curves.h"

#include <algorithm>
#include <cmath>

#include <fairlead/math/trig.h>

namespace fairlead::drive {

namespace {

constexpr double kTooLong = 1e300;
constexpr double kGain = 1e-6;  // what is less is not worth a change
struct Round {
    std::uint32_t window;  // poses ahead that are joined, and
    std::uint32_t misses;  // after how many in a row that do not help the rest is not tried
    std::uint32_t passes;  // over all poses with one step, at most
    double side_last;      // cells: the smallest step
};
// A join leaves many poses as long as they face the lattice's headings. One pass with the largest step is enough for the next one to
// drop most of them, and few poses come to rest soon.
constexpr Round kRound[] = {{8, 4, 1, 0.5}, {24, 16, 2, 0.1}, {1U << 20, 6, 1U << 20, 0.05}};
constexpr std::uint32_t kRounds = 3;
constexpr double kTurnFirst = 0.25;  // radians
constexpr double kSideFirst = 0.5;   // cells
constexpr double kPullGain = 1e-4;   // cells

double apart(const Pose& a, const Pose& b) {
    const Vec2 gap = b.position - a.position;
    return std::sqrt(dot(gap, gap));
}

bool is_forward(const FreeCurve& curve) {
    for (const CurveSegment& segment : curve.word.used()) {
        if (segment.amount < 0.0 && segment.steer != Steer::spin) return false;
    }
    return true;
}

}  // namespace

CurveSmoother::CurveSmoother(const Allocator& allocator)
    : best_(allocator), reversing_(allocator), idle_(allocator) {}

bool CurveSmoother::begin(const CurveWorld& world, Array<ChainPose>& chain) {
    world_ = &world;
    chain_ = &chain;
    round_ = 0;
    failed_ = false;
    stage_ = Stage::done;
    return chain.size() < 3 || begin_join();
}

bool CurveSmoother::begin_join() {
    const std::size_t count = chain_->size();
    if (!best_.resize_uninitialized(count * 2) || !reversing_.resize_uninitialized(count) ||
        !idle_.resize_uninitialized(count))
        return false;
    reversing_[0] = 0;
    for (std::size_t i = 1; i < count; ++i) {
        reversing_[i] = reversing_[i - 1] + (is_forward((*chain_)[i - 1].next) ? 0U : 1U);
    }
    for (Best& best : best_) best.cost = kTooLong;
    best_[0].cost = best_[1].cost = 0.0;  // it may start in either gear
    to_ = 1;
    from_ = 0;
    misses_ = 0;
    behind_link_ = (*chain_)[0].next.is_link ? 1 : 0;
    stage_ = Stage::join;
    offer(0, 1, (*chain_)[0].next);
    return true;
}

// Where the chain goes forward only, what joins it is forward too: the way in reverse that would be cheaper is rare.
bool CurveSmoother::connect(bool forward, const SheetPose& from, Gear gear, const SheetPose& to, double limit,
                            FreeCurve& out) const {
    return forward ? world_->find_forward(from, to, gear, limit, 1, out)
                   : world_->find(from, gear, to, limit, 1, out);
}

// The gear that the unit comes to a pose in. At the start either will do: that in which it goes on.
Gear CurveSmoother::gear_at(std::uint32_t at) const {
    return at == 0 ? (*chain_)[0].next.first : (*chain_)[at - 1].next.last;
}

double CurveSmoother::best_at(std::uint32_t pose) const {
    return std::min(best_[pose * 2].cost, best_[pose * 2 + 1].cost);
}

// A curve of which the cost counts a change of gear if it was found behind one; here it is counted anew.
void CurveSmoother::offer(std::uint32_t from, std::uint32_t to, const FreeCurve& curve) {
    const double plain = curve.plain;
    for (std::uint32_t gear = 0; gear < 2; ++gear) {
        const Best& before = best_[from * 2 + gear];
        if (before.cost >= kTooLong) continue;
        FreeCurve next = curve;
        if (only_turns(curve.word) || curve.is_link)
            next.first = next.last = static_cast<Gear>(gear);  // it keeps the gear
        const bool cusp = static_cast<Gear>(gear) != next.first;
        const double sum = before.cost + plain + (cusp ? world_->cusp_penalty : 0.0);
        Best& best = best_[to * 2 + static_cast<std::uint32_t>(next.last)];
        if (sum >= best.cost - kGain) continue;
        best = {sum, from * 2 + gear, next};
    }
}

void CurveSmoother::set_cost(FreeCurve& curve, Gear before) const {
    curve.cost = curve.plain + (curve.first != before ? world_->cusp_penalty : 0.0);
}

// One pair: from the nearest pose but one to the farthest in the window.
void CurveSmoother::join_next() {
    const auto count = static_cast<std::uint32_t>(chain_->size());
    const Round& reach = kRound[round_];
    const std::uint32_t least = std::max(to_ > reach.window ? to_ - reach.window : 0, behind_link_);
    if (from_ <= least || misses_ >= reach.misses) {
        ++to_;
        if (to_ == count) return finish_join();
        from_ = to_ - 1;
        misses_ = 0;
        if ((*chain_)[to_ - 1].next.is_link) behind_link_ = to_;
        offer(to_ - 1, to_, (*chain_)[to_ - 1].next);
        return;
    }
    const std::uint32_t from = --from_;
    const SheetPose& a = (*chain_)[from].pose;
    const SheetPose& b = (*chain_)[to_].pose;
    const double slack = world_->can_reverse ? world_->cusp_penalty : 0.0;
    const double limit = best_at(to_) + slack - best_at(from) - kGain;
    if (apart(a, b) * world_->terrain.cheapest >= limit) return;
    ++misses_;
    FreeCurve curve;
    Gear gear = best_[from * 2].cost <= best_[from * 2 + 1].cost ? Gear::forward : Gear::reverse;
    if (from == 0) gear = gear_at(0);
    const bool forward = gear == Gear::forward && reversing_[from] == reversing_[to_];
    if (!connect(forward, a, gear, b, limit, curve)) return;
    misses_ = 0;
    offer(from, to_, curve);
}

// Writes the best chain, from its end to its start, in place: what is kept moves to the front.
void CurveSmoother::finish_join() {
    const auto count = static_cast<std::uint32_t>(chain_->size());
    Array<ChainPose>& chain = *chain_;
    std::uint32_t state = (count - 1) * 2;
    if (best_[state + 1].cost < best_[state].cost) ++state;
    std::uint32_t slot = count - 1;  // from the back
    for (;;) {
        const Best best = best_[state];
        const std::uint32_t pose = state >> 1;
        const ChainPose moved = chain[pose];
        chain[slot].pose = moved.pose;
        if (pose == 0) break;
        chain[--slot].next = best.curve;
        state = best.from;
    }
    const std::uint32_t kept = count - slot;
    for (std::uint32_t i = 0; i < kept; ++i) chain[i] = chain[slot + i];
    while (chain.size() > kept) chain.pop_back();
    chain[kept - 1].next = {};
    for (std::uint32_t i = 0; i + 1 < kept; ++i) set_cost(chain[i].next, gear_at(i));
    begin_pull();
}

void CurveSmoother::begin_pull() {
    stage_ = Stage::pull;
    at_ = 1;
    trial_ = 0;
    passes_ = 0;
    moved_ = moved_here_ = false;
    turn_step_ = kTurnFirst;
    side_step_ = kSideFirst;
    std::fill(idle_.begin(), idle_.end(), std::uint8_t{0});
}

bool CurveSmoother::try_pose(std::uint32_t at, SheetPose pose) {
    Array<ChainPose>& chain = *chain_;
    ChainPose& before = chain[at - 1];
    const Gear into = gear_at(at - 1);
    const double now = before.next.cost + chain[at].next.cost;
    const SheetPose& after = chain[at + 1].pose;
    const double rest = apart(pose, after) * world_->terrain.cheapest;
    if (apart(before.pose, pose) * world_->terrain.cheapest + rest >= now - kPullGain) return false;
    FreeCurve first;
    FreeCurve second;
    const bool forward = into == Gear::forward && is_forward(before.next) && is_forward(chain[at].next);
    if (!connect(forward, before.pose, into, pose, now - kPullGain - rest, first)) return false;
    pose.sheet = first.sheet;
    if (!connect(forward, pose, first.last, after, now - kPullGain - first.cost, second)) return false;
    // What comes after may be behind another gear now.
    if (second.last != chain[at].next.last) return false;
    if (at == 1) set_cost(first, first.first);
    before.next = first;
    chain[at].pose = pose;
    chain[at].next = second;
    return true;
}

// The pose that the trial is about: shifted to the side or turned.
SheetPose CurveSmoother::moved(const SheetPose& from) const {
    SheetPose pose = from;
    pose.sheet = world_->surface.is_free != nullptr ? kAnySheet : 0;
    const double sign = (trial_ & 1U) != 0 ? -1.0 : 1.0;
    if (trial_ < 2) {
        const Vec2 ahead = math::direction(pose.heading_rad);
        pose.position = pose.position + Vec2{-ahead.y, ahead.x} * (side_step_ * sign);
    } else {
        pose.heading_rad = math::wrap_pi(pose.heading_rad + turn_step_ * sign);
    }
    return pose;
}

// One trial. Poses that are idle cost nothing.
void CurveSmoother::pull_next() {
    Array<ChainPose>& chain = *chain_;
    const auto last = static_cast<std::uint32_t>(chain.size() - 1);
    // The ends of links stay where they are.
    while (at_ < last && (idle_[at_] != 0 || chain[at_ - 1].next.is_link || chain[at_].next.is_link)) ++at_;
    if (at_ >= last) return end_pass();
    end_trial(try_pose(at_, moved(chain[at_].pose)));
}

void CurveSmoother::end_trial(bool better) {
    if (better) {
        moved_ = moved_here_ = true;
        idle_[at_ - 1] = idle_[at_ + 1] = 0;
    }
    // After a success the opposite is not tried.
    trial_ = better ? (trial_ | 1U) + 1 : trial_ + 1;
    if (trial_ < 4) return;
    idle_[at_++] = moved_here_ ? 0 : 1;
    moved_here_ = false;
    trial_ = 0;
}

// Again with the same step while some pose moves and there are passes left; then with half of it.
void CurveSmoother::end_pass() {
    if (!moved_ || ++passes_ >= kRound[round_].passes) {
        passes_ = 0;
        turn_step_ *= 0.5;
        side_step_ *= 0.5;
        std::fill(idle_.begin(), idle_.end(), std::uint8_t{0});
    }
    at_ = 1;
    trial_ = 0;
    moved_ = false;
    if (side_step_ >= kRound[round_].side_last && chain_->size() > 2) return;
    ++round_;
    if (round_ >= kRounds || chain_->size() < 3) {
        stage_ = Stage::done;
    } else if (!begin_join()) {
        failed_ = true;
        stage_ = Stage::done;
    }
}

bool CurveSmoother::step(std::uint64_t& budget) {
    for (; budget > 0 && stage_ != Stage::done; --budget) {
        if (stage_ == Stage::join) {
            join_next();
        } else {
            pull_next();
        }
    }
    return stage_ != Stage::done;
}

}  // namespace fairlead::drive
