// LaCAM with PIBT. A walker that steps pushes out of its way whoever has not stepped yet, who pushes in turn; two steps agree if the
// walkers keep apart all along, which is looked at exactly: both move in straight lines, so the one moves along a line
// as the other sees it.
#include "fleet/walkers_plan.h"

#include <algorithm>

#include "math/segment.h"

namespace fairlead::fleet {

namespace {

constexpr std::uint32_t kNone = UINT32_MAX;
constexpr std::uint16_t kFar = UINT16_MAX;
constexpr std::uint32_t kStatesMax = 8192;
constexpr std::uint32_t kOrdersMax = 131072;
constexpr std::uint32_t kBuckets = 4096;
constexpr double kTouching = 1e-9;  // of the distance that is asked for

std::uint32_t mixed(std::uint32_t x) {
    x ^= x >> 16;
    x *= 0x7feb352dU;
    x ^= x >> 15;
    x *= 0x846ca68bU;
    return x ^ (x >> 16);
}

/// From the origin to the segment, squared.
double nearest_squared(Vec2 a, Vec2 b) {
    const Vec2 at = math::nearest_along(a, b - a, Vec2{});
    return dot(at, at);
}

}  // namespace

WalkersPlan::WalkersPlan(const Allocator& allocator)
    : places_(allocator),
      distances_(allocator),
      queue_(allocator),
      configs_(allocator),
      ranks_(allocator),
      orders_of_(allocator),
      states_(allocator),
      orders_(allocator),
      open_(allocator),
      buckets_(allocator),
      found_(allocator) {}

void WalkersPlan::clear() {
    places_.clear();
    count_ = 0;
    distances_.clear();
    configs_.clear();
    ranks_.clear();
    orders_of_.clear();
    states_.clear();
    orders_.clear();
    open_.clear();
    found_.clear();
    salt_ = 0;
    stage_ = Stage::building;
}

std::uint32_t WalkersPlan::add_place(Vec2 at) {
    if (places_.size() >= kPlanPlacesMax) return kNoPlanPlace;
    PlanPlace place;
    place.at = at;
    return places_.push_back(place) ? place_count() - 1 : kNoPlanPlace;
}

bool WalkersPlan::join(std::uint32_t a, std::uint32_t b) {
    PlanPlace& one = places_[a];
    PlanPlace& other = places_[b];
    if (one.count >= 8 || other.count >= 8) return false;
    one.to[one.count++] = static_cast<std::uint16_t>(b);
    other.to[other.count++] = static_cast<std::uint16_t>(a);
    return true;
}

// Breadth first from its goal.
bool WalkersPlan::fill_distances(std::uint32_t walker) {
    const std::size_t first = static_cast<std::size_t>(walker) * places_.size();
    if (!distances_.resize_uninitialized(first + places_.size())) return false;
    std::uint16_t* far = distances_.data() + first;
    std::fill(far, far + places_.size(), kFar);
    queue_.clear();
    if (!queue_.push_back(walkers_[walker].goal)) return false;
    far[walkers_[walker].goal] = 0;
    for (std::size_t i = 0; i < queue_.size(); ++i) {
        const PlanPlace& at = places_[queue_[i]];
        for (std::uint32_t k = 0; k < at.count; ++k) {
            if (far[at.to[k]] != kFar) continue;
            far[at.to[k]] = static_cast<std::uint16_t>(far[queue_[i]] + 1);
            if (!queue_.push_back(at.to[k])) return false;
        }
    }
    return true;
}

bool WalkersPlan::add_walker(std::uint32_t start, std::uint32_t goal, double radius) {
    if (count_ == kPlanWalkersMax) return false;
    walkers_[count_] = {start, goal, radius};
    if (!fill_distances(count_) || distance(count_, start) == kFar) return false;
    ++count_;
    return true;
}

std::uint32_t WalkersPlan::find_state(const std::uint16_t* config) const {
    std::uint32_t hash = 0;
    for (std::uint32_t i = 0; i < count_; ++i) hash = mixed(hash + config[i]);
    for (std::uint32_t s = buckets_[hash % kBuckets]; s != kNone; s = states_[s].next_same) {
        if (std::equal(config, config + count_, config_of(s))) return s;
    }
    return kNone;
}

bool WalkersPlan::add_order(std::uint32_t state, const Order& order) {
    if (orders_.size() >= kOrdersMax || !orders_.push_back(order)) return false;
    const auto number = static_cast<std::uint32_t>(orders_.size() - 1);
    State& of = states_[state];
    if (of.first == kNone) {
        of.first = number;
    } else {
        orders_[of.last].next = number;
    }
    of.last = number;
    return true;
}

// Who has longest not been at its goal comes first.
void WalkersPlan::rank(std::uint32_t state) {
    const std::uint16_t* config = config_of(state);
    const std::size_t first = static_cast<std::size_t>(state) * count_;
    const std::uint32_t parent = states_[state].parent;
    for (std::uint32_t i = 0; i < count_; ++i) {
        const bool there = config[i] == walkers_[i].goal;
        const std::uint32_t before =
            parent == kNone ? distance(i, config[i]) : ranks_[static_cast<std::size_t>(parent) * count_ + i];
        ranks_[first + i] = there ? 0 : before + 1;
        orders_of_[first + i] = static_cast<std::uint16_t>(i);
    }
    std::uint16_t* order = orders_of_.data() + first;
    const std::uint32_t* ranks = ranks_.data() + first;
    std::sort(order, order + count_, [&](std::uint16_t a, std::uint16_t b) {  // total order
        return ranks[a] != ranks[b] ? ranks[a] > ranks[b] : a < b;
    });
}

bool WalkersPlan::add_state(std::uint32_t parent, const std::uint16_t* config) {
    if (states_.size() >= kStatesMax) return false;
    State state;
    state.parent = parent;
    state.first = state.last = kNone;
    std::uint32_t hash = 0;
    for (std::uint32_t i = 0; i < count_; ++i) hash = mixed(hash + config[i]);
    state.next_same = buckets_[hash % kBuckets];
    const auto number = static_cast<std::uint32_t>(states_.size());
    const std::size_t room = (states_.size() + 1) * count_;
    if (!configs_.resize_uninitialized(room) || !ranks_.resize_uninitialized(room) ||
        !orders_of_.resize_uninitialized(room) || !states_.push_back(state))
        return false;
    buckets_[hash % kBuckets] = number;
    std::copy(config, config + count_, configs_.data() + room - count_);
    rank(number);
    Order none;
    none.parent = none.next = kNone;
    return add_order(number, none) && open_.push_back(number);
}

bool WalkersPlan::is_goal(std::uint32_t state) const {
    const std::uint16_t* config = config_of(state);
    for (std::uint32_t i = 0; i < count_; ++i) {
        if (config[i] != walkers_[i].goal) return false;
    }
    return true;
}

Result<void> WalkersPlan::begin() {
    stage_ = Stage::failed;
    if (count_ == 0) return {};
    if (!buckets_.resize_uninitialized(kBuckets)) return Error{ErrorCode::out_of_memory};
    std::fill(buckets_.begin(), buckets_.end(), kNone);
    std::uint16_t config[kPlanWalkersMax];
    for (std::uint32_t i = 0; i < count_; ++i) config[i] = static_cast<std::uint16_t>(walkers_[i].start);
    if (!add_state(kNone, config)) return Error{ErrorCode::out_of_memory};
    stage_ = Stage::running;
    return {};
}

std::uint64_t WalkersPlan::step(std::uint64_t units) {
    std::uint64_t used = 0;
    for (; used < units && stage_ == Stage::running; ++used) expand();
    return used;
}

void WalkersPlan::expand() {
    if (open_.empty()) {
        stage_ = Stage::failed;
        return;
    }
    const std::uint32_t state = open_.back();
    if (is_goal(state)) return finish(state);
    const std::uint32_t number = states_[state].first;
    if (number == kNone) {
        open_.pop_back();
        return;
    }
    states_[state].first = orders_[number].next;
    const Order order = orders_[number];
    if (order.depth < count_) {
        const std::uint16_t who = orders_of_[static_cast<std::size_t>(state) * count_ + order.depth];
        const std::uint16_t at = config_of(state)[who];
        Order more;
        more.parent = number;
        more.next = kNone;
        more.walker = who;
        more.depth = static_cast<std::uint16_t>(order.depth + 1);
        bool room = true;
        for (std::uint32_t k = 0; room && k <= places_[at].count; ++k) {
            more.place = k < places_[at].count ? places_[at].to[k] : at;
            room = add_order(state, more);
        }
        if (!room) {
            stage_ = Stage::failed;
            return;
        }
    }
    if (!make_next(state, number)) return;
    std::uint16_t config[kPlanWalkersMax];
    for (std::uint32_t i = 0; i < count_; ++i) config[i] = static_cast<std::uint16_t>(next_[i]);
    const std::uint32_t known = find_state(config);
    const bool kept = known == kNone ? add_state(state, config) : open_.push_back(known);
    if (!kept) stage_ = Stage::failed;
}

/// Would a and b, who both know where they step, come too near each other? Of who does not know yet: if it stayed.
bool WalkersPlan::in_the_way(std::uint32_t a, std::uint32_t b) const {
    const auto to = [&](std::uint32_t i) { return next_[i] == kNone ? now_[i] : next_[i]; };
    const Vec2 before = places_[now_[a]].at - places_[now_[b]].at;
    const Vec2 after = places_[to(a)].at - places_[to(b)].at;
    const double apart = (walkers_[a].radius + walkers_[b].radius) * (1.0 - kTouching);
    return nearest_squared(before, after) < apart * apart;
}

bool WalkersPlan::make_next(std::uint32_t state, std::uint32_t order) {
    now_ = config_of(state);
    ranked_ = orders_of_.data() + static_cast<std::size_t>(state) * count_;
    std::fill(next_, next_ + count_, kNone);
    moved_count_ = 0;
    ++salt_;
    for (std::uint32_t o = order; orders_[o].depth != 0; o = orders_[o].parent) {
        const std::uint16_t who = orders_[o].walker;
        next_[who] = orders_[o].place;
        for (std::uint32_t k = 0; k < moved_count_; ++k) {
            if (in_the_way(who, moved_[k])) return false;
        }
        moved_[moved_count_++] = who;
    }
    // who is in the way of those makes room first
    for (std::uint32_t k = 0; k < count_; ++k) {
        const std::uint16_t who = ranked_[k];
        if (next_[who] != kNone) continue;
        bool pushed = false;
        for (std::uint32_t m = 0; m < moved_count_ && !pushed; ++m) pushed = in_the_way(who, moved_[m]);
        if (pushed && !move_walker(who)) return false;
    }
    for (std::uint32_t k = 0; k < count_; ++k) {
        if (next_[ranked_[k]] == kNone && !move_walker(ranked_[k])) return false;
    }
    return true;
}

bool WalkersPlan::move_walker(std::uint32_t walker) {
    struct Choice {
        std::uint32_t key;
        std::uint32_t tie;
        std::uint32_t place;
    };
    const PlanPlace& at = places_[now_[walker]];
    Choice choices[9];
    const std::uint32_t most = at.count + 1;
    for (std::uint32_t k = 0; k < most; ++k) {
        const std::uint32_t place = k < at.count ? at.to[k] : now_[walker];
        bool taken = false;
        for (std::uint32_t i = 0; i < count_; ++i) taken = taken || (i != walker && now_[i] == place);
        choices[k] = {distance(walker, place) * 2 + (taken ? 1U : 0U),
                      mixed(place * 31U + walker + salt_ * 977U), place};
    }
    std::sort(choices, choices + most, [](const Choice& a, const Choice& b) {  // total order
        if (a.key != b.key) return a.key < b.key;
        return a.tie != b.tie ? a.tie < b.tie : a.place < b.place;
    });
    const std::uint32_t mark = moved_count_;
    for (std::uint32_t c = 0; c < most; ++c) {
        next_[walker] = choices[c].place;
        bool good = true;
        for (std::uint32_t k = 0; good && k < moved_count_; ++k) good = !in_the_way(walker, moved_[k]);
        if (good) {
            moved_[moved_count_++] = static_cast<std::uint16_t>(walker);
            for (std::uint32_t k = 0; good && k < count_; ++k) {
                const std::uint16_t other = ranked_[k];
                if (next_[other] == kNone && in_the_way(other, walker)) good = move_walker(other);
            }
        }
        if (good) return true;
        while (moved_count_ > mark) next_[moved_[--moved_count_]] = kNone;
        next_[walker] = kNone;
    }
    return false;
}

void WalkersPlan::finish(std::uint32_t state) {
    stage_ = Stage::failed;
    for (std::uint32_t s = state; s != kNone; s = states_[s].parent) {
        if (!found_.push_back(s)) return;
    }
    std::reverse(found_.begin(), found_.end());
    stage_ = Stage::found;
}

}  // namespace fairlead::fleet
