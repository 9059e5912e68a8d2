// Technique L4: three-point turns. Reeds-Shepp words from waypoint to waypoint. The headings at the waypoints are chosen so
// that the whole way is shortest: a shortest path through layers, one a waypoint, whose edges are tested only when they
// would be taken (Bellman 1957; lazy edges: Dellin and Srinivasa 2016).

#include <cmath>
#include <limits>

#include <fairlead/curve/reeds_shepp.h>
#include <fairlead/math/trig.h>

#include "drive/corners/corner_work.h"

namespace fairlead::drive {

namespace {

constexpr std::int32_t kEqualHeadings = 16;
constexpr double kNone = std::numeric_limits<double>::infinity();

class Layers {
  public:
    Layers(CornerPen& pen, std::span<const Vec2> way, CornerWork& work) : pen_(pen), way_(way), work_(work) {}

    [[nodiscard]] CornerDone run() {
        work_.nodes.clear();
        if (!work_.nodes.push_back({.pose = pen_.at()})) return CornerDone::no_memory;
        std::size_t first = 0;  // of the layer before
        for (std::size_t i = 0; i < way_.size(); ++i) {
            const std::size_t begin = work_.nodes.size();
            if (!add_layer(i)) return CornerDone::no_memory;
            bool reached = false;
            for (std::size_t node = begin; node < work_.nodes.size(); ++node) {
                join(work_.nodes[node], first, begin);
                reached = reached || work_.nodes[node].length < kNone;
            }
            if (!reached) {
                pen_.fail(i);
                return CornerDone::yes;
            }
            first = begin;
        }
        return write(best_from(first)) ? CornerDone::yes : CornerDone::no_memory;
    }

  private:
    [[nodiscard]] bool add(Vec2 at, double heading) {
        BackNode node;
        node.pose = {at, math::wrap_pi(heading)};
        node.length = kNone;
        return !pen_.check().stands(node.pose) || work_.nodes.push_back(node);
    }

    [[nodiscard]] bool add_layer(std::size_t i) {
        const StretchGoal goal = pen_.goal(way_, i);
        if (goal.fixed) return add(goal.to, goal.heading_rad);
        const Vec2 before = i == 0 ? pen_.at().position : way_[i - 1];
        const Vec2 in = goal.to - before;
        const Vec2 out = i + 1 < way_.size() ? way_[i + 1] - goal.to : Vec2{};
        if (length(in) > 0.0 && !add(goal.to, math::atan2(in.y, in.x))) return false;
        if (length(out) > 0.0 && !add(goal.to, math::atan2(out.y, out.x))) return false;
        for (std::int32_t k = 0; k < kEqualHeadings; ++k) {
            if (!add(goal.to, k * (kTwoPi / kEqualHeadings))) return false;
        }
        return true;
    }

    // The shortest free way to a node from the nodes first to end - 1.
    void join(BackNode& to, std::size_t first, std::size_t end) {
        for (std::size_t i = first; i < end; ++i) {
            const BackNode& from = work_.nodes[i];
            if (!(from.length < kNone)) continue;
            const double radius = pen_.radius();
            if (from.length + reeds_shepp_distance(from.pose, to.pose, radius) >= to.length) continue;
            CurveWord words[kReedsSheppWords];
            const int count = reeds_shepp_words(from.pose, to.pose, radius, {}, words);
            for (int k = 0; k < count; ++k) {
                const double sum = from.length + words[k].length * radius;
                if (sum >= to.length) break;
                if (!pen_.check().word_is_free(from.pose, radius, words[k])) continue;
                to.length = sum;
                to.from = static_cast<std::int32_t>(i);
                to.word = words[k];
                break;
            }
        }
    }

    [[nodiscard]] std::int32_t best_from(std::size_t first) const {
        std::size_t best = first;
        for (std::size_t i = first; i < work_.nodes.size(); ++i) {
            if (work_.nodes[i].length < work_.nodes[best].length) best = i;
        }
        return static_cast<std::int32_t>(best);
    }

    [[nodiscard]] bool write(std::int32_t last) {
        // Turns the chain round: `from` becomes the node after.
        std::int32_t next = -1;
        for (std::int32_t at = last; at >= 0;) {
            BackNode& node = work_.nodes[static_cast<std::size_t>(at)];
            const std::int32_t before = node.from;
            node.from = next;
            next = at;
            at = before;
        }
        std::size_t i = 0;
        for (std::int32_t at = work_.nodes[0].from; at >= 0; ++i) {
            const BackNode& node = work_.nodes[static_cast<std::size_t>(at)];
            if (!pen_.write_free(node.word, pen_.radius(), way_[i])) return false;
            pen_.settle(node.pose);
            at = node.from;
        }
        pen_.finish();
        return true;
    }

    CornerPen& pen_;
    std::span<const Vec2> way_;
    CornerWork& work_;
};

}  // namespace

CornerDone back_up(CornerPen& pen, std::span<const Vec2> way, CornerWork& work) {
    return Layers(pen, way, work).run();
}

}  // namespace fairlead::drive
