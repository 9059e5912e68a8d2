#include "roadmap/space.h"

#include <cmath>

namespace fairlead::roadmap {

namespace {

constexpr std::size_t kTargetsMeasured = 4;  ///< with more of them the distance to their box counts
constexpr std::size_t kArcsScanned = 16;     ///< more than this are searched by halves
constexpr int kScaleStep = 16;
constexpr int kScaleMost = 120;
constexpr int kScaleLeast = -120;

// The e with x < 2^e <= 2 x. x > 0, finite.
[[nodiscard]] int exponent_above(double x) {
    int e = 0;
    (void)std::frexp(x, &e);
    return e;
}

[[nodiscard]] int clamped(int bits) {
    return bits < kScaleLeast ? kScaleLeast : (bits > kScaleMost ? kScaleMost : bits);
}

struct Measures {
    double ratio = 0.0;     ///< least cost of a unit of length
    double across = 0.0;    ///< length of the diagonal of everything
    double farthest = 0.0;  ///< largest coordinate
    double edge_min = kInfinity;
    double step_max = 0.0;
};

[[nodiscard]] Measures measure(const ScaleInput& input) {
    const Summary& summary = input.state->summary;
    Measures m;
    Box3 box = summary.box;
    for (const Vec3& p : input.points) box.include(p);
    if (!box.empty()) {
        m.across = distance(box.low, box.high);
        m.farthest = larger(magnitude(box.low), magnitude(box.high));
    }
    m.ratio = input.off_net_cost;
    if (summary.arcs > 0) {
        const double ratio = summary.ratio_min * input.factors.low;
        if (ratio < m.ratio) m.ratio = ratio;
        m.edge_min = summary.cost_min * input.factors.low;
        m.step_max = summary.cost_max * input.factors.high;
    }
    m.step_max = larger(m.step_max, input.attach_cost_max);
    return m;
}

[[nodiscard]] int finest_bits(const Measures& m) {
    int bits = kScaleMost;
    const double top = m.ratio * m.across;
    if (top > 0.0) bits = 54 - exponent_above(top);
    if (m.edge_min < kInfinity && 44 - exponent_above(m.edge_min) < bits)
        bits = 44 - exponent_above(m.edge_min);
    return clamped(bits);
}

[[nodiscard]] int wide_bits(const ScaleInput& input, const Measures& m) {
    const double steps = static_cast<double>(input.state->summary.nodes) + 3.0;
    return m.step_max > 0.0 ? clamped(60 - exponent_above(steps * m.step_max)) : kScaleMost;
}

[[nodiscard]] FixedScale scale_of(const Measures& m, int bits) {
    FixedScale scale;
    scale.bits = bits;
    scale.units = std::ldexp(1.0, bits);
    double shrink = m.edge_min < kInfinity ? 64.0 / (m.edge_min * scale.units) : 0.0;
    if (shrink < 0x1p-48) shrink = 0x1p-48;
    const double per_length = m.ratio * scale.units;
    scale.slope = shrink < 1.0 ? per_length * (1.0 - shrink) : 0.0;
    scale.lag = m.farthest * 0x1p-46 * per_length;
    return scale;
}

}  // namespace

FixedScale finest_scale(const ScaleInput& input) {
    const Measures m = measure(input);
    return scale_of(m, finest_bits(m));
}

FixedScale coarser_scale(const ScaleInput& input, const FixedScale& scale) {
    const Measures m = measure(input);
    const int wide = wide_bits(input, m);
    return scale_of(m, scale.bits - kScaleStep > wide ? scale.bits - kScaleStep : wide);
}

double bound_at(const ScaleInput& input, const FixedScale& scale, double cost) {
    if (!(cost > 0.0)) return 1.0;
    // The best route has no more steps than there are waypoints, nor than its cost pays for; each is rounded
    // up by less than a unit.
    const Measures m = measure(input);
    double steps = static_cast<double>(input.state->summary.nodes);
    if (cost / m.edge_min < steps) steps = cost / m.edge_min;
    const double excess = (steps + 3.0) / scale.units;
    return excess <= 1e-9 * cost || excess <= 1e-12 * m.ratio * m.across ? 1.0 : 1.0 + excess / cost;
}

void RoadmapSpace::prepare(const FixedScale& fixed) {
    data_ = &prices.state->data();
    base_ = data_->slots();
    scale = fixed;
    spilled = false;
    goals_reached = 0;
    nearest = kNoSlot;
    nearest_distance_ = kInfinity;
    target_box_ = {};
    for (const Vec3& target : targets) target_box_.include(target);
}

double RoadmapSpace::distance_to_target(Vec3 from) const {
    if (targets.size() <= kTargetsMeasured) {
        double least = kInfinity;
        for (const Vec3& target : targets) {
            const double squared = length_squared(target - from);
            if (squared < least) least = squared;
        }
        return least < kInfinity ? std::sqrt(least) : 0.0;
    }
    const auto outside = [](double x, double low, double high) {
        return x < low ? low - x : (x > high ? x - high : 0.0);
    };
    const Vec3 off{outside(from.x, target_box_.low.x, target_box_.high.x),
                   outside(from.y, target_box_.low.y, target_box_.high.y),
                   outside(from.z, target_box_.low.z, target_box_.high.z)};
    return std::sqrt(length_squared(off));
}

// No more than keeps g + h below 2^63.
Cost RoadmapSpace::own_estimate(std::uint32_t state) const {
    const double units = own.estimate({data_->node(state).position, 0.0, 0}, own.user) * scale.units;
    if (!(units > 0.0)) return 0;
    return units < static_cast<double>(kCostTop) ? static_cast<Cost>(units) : kCostTop;
}

const RoadmapArc* RoadmapSpace::best_arc(std::uint32_t from, std::uint32_t to, double* price) const {
    const RoadmapArc* best = nullptr;
    double least = kInfinity;
    const std::span<const RoadmapArc> arcs = data_->arcs(from);
    // They are ordered by the id they lead to.
    std::size_t first = 0;
    std::size_t count = arcs.size();
    const std::int64_t id = data_->node(to).id;
    while (count > kArcsScanned) {
        const std::size_t half = count / 2;
        if (data_->node(arcs[first + half - 1].to.value).id < id) first += half;
        count -= half;
    }
    for (const RoadmapArc& arc : arcs.subspan(first)) {
        if (arc.to.value != to) {
            if (data_->node(arc.to.value).id > id) break;
            continue;
        }
        const double cost = prices.of(from, arc);
        if (cost < least && walkable(from, arc)) {
            best = &arc;
            least = cost;
        }
    }
    if (price != nullptr) *price = least;
    return best;
}

std::size_t RoadmapSpace::first_sink(std::uint32_t slot) const {
    std::size_t low = 0;
    std::size_t high = sink_order.size();
    while (low < high) {
        const std::size_t middle = (low + high) / 2;
        if (sink_order[middle].slot < slot) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

void RoadmapSpace::note_nearest(std::uint32_t state) {
    const double away = distance_to_target(data_->node(state).position);
    const bool better = away < nearest_distance_ ||
                        (away == nearest_distance_ && data_->node(state).id < data_->node(nearest).id);
    if (!better) return;
    nearest = state;
    nearest_distance_ = away;
}

}  // namespace fairlead::roadmap
