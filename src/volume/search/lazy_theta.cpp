// See lazy_theta.h.
#include "volume/search/lazy_theta.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "math/segment.h"
#include "volume/search/metric.h"
#include "volume/search/tell.h"
#include "volume/search/voxel_path.h"

namespace fairlead::volume {

namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr double kJoinPrice = 1.0;   ///< sides
constexpr double kInset = 0.125;     ///< a point keeps this far off the sides of its voxel
constexpr double kSeedBefore = 0.5;  ///< a seed lies this far before what stops a line
constexpr double kSeedLeast = 1.0;   ///< and this far from where it was seen

}  // namespace

Voxel LazyTheta::voxel_in(std::uint32_t node) const {
    return node == 0 ? task_.start.voxel : voxel_of(task_.masks->state(), pool_[node].point);
}

bool LazyTheta::begin(const ThetaTask& task) {
    task_ = task;
    metric_ = metric_of(task.masks->state());
    pool_.reset(*task.masks);
    open_.reset();
    best_ = task.limit;
    least_ = task.prices == nullptr ? 1.0 : task.prices->least();
    nearest_away_ = kNever;
    best_node_ = kNoNode;
    nearest_ = 0;
    expanded_ = generated_ = peak_ = 0;
    digest_ = 0xcbf29ce484222325ULL;
    goal_key_ = pool_.node_at(task.goal.voxel).key;
    const NodePool::Found at = pool_.node_at(task.start.voxel);
    bool added = false;
    const std::uint32_t start = pool_.find_or_add(at.key, at.bits, added);
    if (start == kNoNode) return false;
    VolumeNode& node = pool_[start];
    node.point = task.start.at;
    node.verified = true;
    node.parent = node.via = start;
    return push(start);
}

double LazyTheta::heuristic(const VolumeNode& node) {
    if (task_.guide == nullptr) return least_to_goal(node.point);
    double length = 0.0;
    const bool first = pool_.size() == 1;
    const Voxel v = first ? task_.start.voxel : voxel_of(task_.masks->state(), node.point);
    return task_.guide->rest(v, node.point, task_.goal.at, length) ? length : kNever;
}

bool LazyTheta::push(std::uint32_t i) {
    const VolumeNode& node = pool_[i];
    const double h = heuristic(node);
    if (h == kNever || node.g + least_to_goal(node.point) >= best_) return true;
    ++generated_;
    tell(TraceEventKind::generated, i);
    const bool pushed = open_.push(as_cost(node.g + task_.weight * h), as_cost(h), i);
    peak_ = std::max<std::uint64_t>(peak_, open_.size());
    return pushed;
}

void LazyTheta::tell(TraceEventKind kind, std::uint32_t i) const {
    if (task_.trace.event == nullptr) return;
    const VolumeNode& node = pool_[i];
    const NodeBox box = node.is_part() ? pool_.box(node) : box_of_bits(node.bits, pool_.box(node));
    volume::tell(task_.trace, task_.masks->state(), {.kind = kind, .state = i, .g = as_cost(node.g)},
                 node.point, box);
}

// The foot of the node's middle on the line from the parent to the goal, moved into the node.
Vec3 LazyTheta::point_in(const VolumeNode& node, Vec3 parent) const {
    const NodeBox box = pool_.box(node);
    const Vec3 along = task_.goal.at - parent;
    const Vec3 middle{0.5 * (box.low[0] + box.high[0]), 0.5 * (box.low[1] + box.high[1]),
                      0.5 * (box.low[2] + box.high[2])};
    const Vec3 foot = math::nearest_along(parent, along, middle);
    double p[3] = {foot.x, foot.y, foot.z};
    const bool centred = on_middles();
    if (node.bits == kAll && (node.is_part() || !task_.masks->has_blockers())) {
        const double inset = node.is_part() || centred ? 0.5 : kInset;
        for (int k = 0; k < 3; ++k) p[k] = std::clamp(p[k], box.low[k] + inset, box.high[k] - inset);
        return {p[0], p[1], p[2]};
    }
    std::int32_t v[3];
    for (int k = 0; k < 3; ++k)
        v[k] = std::clamp(static_cast<std::int32_t>(p[k]), box.low[k], box.high[k] - 1);
    const std::uint32_t place = nearest_voxel(node.bits, place64(v[0], v[1], v[2]));
    for (int k = 0; k < 3; ++k) {
        const double low = box.low[k] + static_cast<std::int32_t>(place >> (2 * k) & 3);
        p[k] = centred ? low + 0.5 : std::clamp(p[k], low + kInset, low + 1.0 - kInset);
    }
    return {p[0], p[1], p[2]};
}

// Is the parent in sight? If not, the node beside it, or a join.
bool LazyTheta::verify(std::uint32_t u) {
    VolumeNode& node = pool_[u];
    if (node.verified) return true;
    const StateData& state = task_.masks->state();
    if (node.parent != node.via || node.parent == u) {
        if (sees(state, *task_.body, node.point, pool_[node.parent].point)) return node.verified = true;
        node.parent = node.via;
        node.g = pool_[node.via].g + price(pool_[node.via].point, node.point);
    }
    if (sees(state, *task_.body, node.point, pool_[node.via].point)) return node.verified = true;
    node.joined = true;
    node.g += kJoinPrice;
    return true;
}

void LazyTheta::offer(std::uint32_t node, double g, bool in_sight) {
    if (!(g < best_)) return;
    best_ = g;
    best_node_ = node;
    best_in_sight_ = in_sight;
}

bool LazyTheta::look_at_goal(std::uint32_t u) {
    const Vec3 at = pool_[u].point;
    const double straight = away(at, task_.goal.at);
    if (straight < nearest_away_) nearest_away_ = straight, nearest_ = u;
    if (pool_[u].g + least_to_goal(at) >= best_) return true;
    const SightHit hit = look(task_.masks->state(), *task_.body, at, task_.goal.at);
    if (!hit.blocked) {
        offer(u, pool_[u].g + price(at, task_.goal.at), true);
        return true;
    }
    if (pool_[u].key == goal_key_) offer(u, pool_[u].g + price(at, task_.goal.at) + kJoinPrice, false);
    return seed(u, hit, straight);
}

// A node just before what stops the line to the goal.
bool LazyTheta::seed(std::uint32_t u, const SightHit& hit, double straight) {
    const double length = hit.share * straight - kSeedBefore;
    if (!(length > kSeedLeast)) return true;
    const Vec3 from = pool_[u].point;
    const Vec3 at = from + (task_.goal.at - from) * (length / straight);
    const Voxel voxel = voxel_of(task_.masks->state(), at);
    if ((task_.masks->free(voxel.x >> 2, voxel.y >> 2, voxel.z >> 2) >> place64(voxel.x, voxel.y, voxel.z) &
         1) == 0)
        return true;
    Vec3 point = at;
    if (on_middles()) {
        point = middle_of(voxel);
        if (!sees(task_.masks->state(), *task_.body, from, point)) return true;
    }
    const NodePool::Found found = pool_.node_at(voxel);
    bool added = false;
    const std::uint32_t i = pool_.find_or_add(found.key, found.bits, added);
    if (i == kNoNode) return false;
    VolumeNode& node = pool_[i];
    const double g = pool_[u].g + price(from, point);
    if (node.closed || (!added && !(g < node.g))) return true;
    node.point = point;
    node.g = g;
    node.parent = node.via = u;
    node.verified = true;
    node.joined = false;
    return push(i);
}

bool LazyTheta::meet(std::uint32_t u, std::uint64_t key, std::uint64_t bits) {
    bool added = false;
    const std::uint32_t i = pool_.find_or_add(key, bits, added);
    if (i == kNoNode) return false;
    VolumeNode& node = pool_[i];
    if (node.closed) return true;
    std::uint32_t parent = pool_[u].joined ? u : pool_[u].parent;
    Vec3 point = point_in(node, pool_[parent].point);
    double g = pool_[parent].g + price(pool_[parent].point, point);
    if (FAIRLEAD_UNLIKELY(task_.prices != nullptr) && parent != u) {
        const Vec3 other = point_in(node, pool_[u].point);
        const double over = pool_[u].g + price(pool_[u].point, other);
        if (over < g) parent = u, point = other, g = over;
    }
    if (!added && !(g < node.g)) return true;
    node.point = point;
    node.g = g;
    node.parent = parent;
    node.via = u;
    node.verified = node.joined = false;
    return push(i);
}

bool LazyTheta::open_node(std::uint32_t u) {
    if (!verify(u)) return false;
    pool_[u].closed = true;
    ++expanded_;
    digest_ = (digest_ ^ pool_[u].key) * 0x100000001b3ULL;
    tell(TraceEventKind::expanded, u);
    if (!look_at_goal(u)) return false;
    bool good = true;
    const VolumeNode node = pool_[u];
    pool_.each_neighbour(node,
                         [&](std::uint64_t key, std::uint64_t bits) { good = good && meet(u, key, bits); });
    return good;
}

SearchProgress LazyTheta::step(std::uint64_t budget) {
    while (budget > 0) {
        if (best_node_ != kNoNode && as_cost(best_) <= open_.floor()) return SearchProgress::found;
        std::uint32_t u = 0;
        if (!open_.pop(u)) return best_node_ != kNoNode ? SearchProgress::found : SearchProgress::exhausted;
        if (pool_[u].closed) continue;
        --budget;
        if (!open_node(u)) return SearchProgress::no_memory;
    }
    return SearchProgress::running;
}

bool LazyTheta::list_chain(std::uint32_t last, Array<Vec3>& way) {
    chain_.clear();
    for (std::uint32_t i = last;; i = pool_[i].parent) {
        if (!chain_.push_back(i)) return false;
        if (i == 0) break;
    }
    for (std::size_t k = chain_.size(); k-- > 0;) {
        const std::uint32_t i = chain_[k];
        const VolumeNode& node = pool_[i];
        if (node.joined && !walk_across(pool_, pool_[node.via], voxel_in(node.via), node, voxel_in(i), way))
            return false;
        if (!way.push_back(node.point)) return false;
    }
    return true;
}

bool LazyTheta::list_way(Array<Vec3>& way) {
    way.clear();
    if (!list_chain(best_node_, way)) return false;
    if (!best_in_sight_ &&
        !walk_inside(pool_, pool_[best_node_], voxel_in(best_node_), task_.goal.voxel, way))
        return false;
    return way.push_back(task_.goal.at);
}

bool LazyTheta::list_best(Array<Vec3>& way) {
    way.clear();
    return list_chain(nearest_, way);
}

}  // namespace fairlead::volume
