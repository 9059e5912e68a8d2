// Push and Swap. Everything is done by single moves that are written down, so that what did not work is taken back, and what a change of
// places needed is undone after it, with the two in each other's part.
#include "fleet/walkers_swap.h"

#include <algorithm>

namespace fairlead::fleet {

namespace {

constexpr std::uint32_t kSwapPlacesTried = 16;
constexpr int kSwapRounds = 4;  // of bringing all that are not there

}  // namespace

bool SwapPlan::begin(std::uint32_t places) {
    places_.clear();
    return places < kNobody && places_.resize(places) && who_.resize(places) && from_.resize(places) &&
           last_.resize(places) && queue_.reserve(places) && path_.reserve(places) &&
           moves_.reserve(kSwapMovesMax);
}

bool SwapPlan::join(std::uint32_t a, std::uint32_t b) {
    SwapPlace& one = places_[a];
    SwapPlace& other = places_[b];
    if (one.count == 8 || other.count == 8) return false;
    one.to[one.count++] = static_cast<std::uint16_t>(b);
    other.to[other.count++] = static_cast<std::uint16_t>(a);
    return true;
}

/// Breadth first; the first place for which `ends` is true, kUnseen if there is none. `kept` are not entered.
template <class Ends>
std::uint16_t SwapPlan::flood(std::uint16_t from, std::span<const std::uint16_t> kept, Ends ends) {
    std::fill(from_.begin(), from_.end(), kUnseen);
    for (const std::uint16_t place : kept) from_[place] = place;
    from_[from] = from;
    queue_.clear();
    (void)queue_.push_back(from);  // there is room for all places
    for (std::size_t i = 0; i < queue_.size(); ++i) {
        const std::uint16_t at = queue_[i];
        ++work_;
        if (ends(at)) return at;
        const SwapPlace& place = places_[at];
        for (std::uint32_t k = 0; k < place.count; ++k) {
            if (from_[place.to[k]] != kUnseen) continue;
            from_[place.to[k]] = at;
            (void)queue_.push_back(place.to[k]);
        }
    }
    return kUnseen;
}

bool SwapPlan::are_joined(std::uint16_t a, std::uint16_t b) const {
    const SwapPlace& place = places_[a];
    return std::find(place.to, place.to + place.count, b) != place.to + place.count;
}

bool SwapPlan::move(std::uint16_t walker, std::uint16_t to) {
    if (moves_.size() == kSwapMovesMax) return false;
    (void)moves_.push_back({walker, now_[walker], to, 0});
    who_[now_[walker]] = kNobody;
    who_[to] = walker;
    now_[walker] = to;
    return true;
}

void SwapPlan::take_back(std::size_t moves) {
    while (moves_.size() > moves) {
        const SwapMove last = moves_.back();
        moves_.pop_back();
        who_[last.to] = kNobody;
        who_[last.from] = last.walker;
        now_[last.walker] = last.from;
    }
}

bool SwapPlan::solve(std::span<const std::uint16_t> starts, std::span<const std::uint16_t> goals) {
    moves_.clear();
    work_ = 0;
    goals_ = goals;
    std::fill(who_.begin(), who_.end(), kNobody);
    for (std::uint16_t i = 0; i < starts.size(); ++i) {
        now_[i] = starts[i];
        who_[starts[i]] = i;
        arrived_[i] = false;
    }
    for (int round = 0; round < kSwapRounds; ++round) {
        bool all = true;
        for (std::uint16_t i = 0; i < starts.size(); ++i) {
            if (now_[i] == goals[i]) {
                arrived_[i] = true;
                continue;
            }
            all = false;
            if (!bring(i)) return false;
        }
        if (!all) continue;
        cut();
        pack();
        return true;
    }
    return false;
}

/// To its goal. Those who had arrived and changed places with it come back to theirs behind it.
bool SwapPlan::bring(std::uint16_t walker) {
    std::uint16_t behind[kSwapWalkersMax];
    std::uint32_t count = 0;
    arrived_[walker] = false;
    while (now_[walker] != goals_[walker]) {
        const std::uint16_t at = now_[walker];
        if (flood(goals_[walker], {}, [&](std::uint16_t place) { return place == at; }) == kUnseen)
            return false;
        const std::uint16_t next = from_[at];
        const std::uint16_t other = who_[next];
        if (other == kNobody || push_unarrived(walker, next)) {
            if (!move(walker, next)) return false;
        } else {
            if (!swap(walker, other)) return false;
            if (arrived_[other]) behind[count++] = other;
        }
        for (std::uint32_t k = count; k-- > 0;) {
            const std::uint16_t one = behind[k];
            if (who_[goals_[one]] != kNobody || !are_joined(now_[one], goals_[one])) continue;
            if (!move(one, goals_[one])) return false;
            std::copy(behind + k + 1, behind + count, behind + k);
            --count;
        }
    }
    for (std::uint32_t k = 0; k < count; ++k) arrived_[behind[k]] = false;  // in the next round
    arrived_[walker] = true;
    return true;
}

/// Whoever stands there makes room, if it has not arrived; those who have stay where they are.
bool SwapPlan::push_unarrived(std::uint16_t walker, std::uint16_t place) {
    if (arrived_[who_[place]]) return false;
    std::uint16_t kept[kSwapWalkersMax];
    std::uint32_t count = 0;
    for (std::uint16_t i = 0; i < goals_.size(); ++i) {
        if (i == walker || arrived_[i]) kept[count++] = now_[i];
    }
    return push(place, {kept, count});
}

/// All from there to the nearest empty place go on by one.
bool SwapPlan::push(std::uint16_t place, std::span<const std::uint16_t> kept) {
    std::uint16_t to = flood(place, kept, [&](std::uint16_t at) { return who_[at] == kNobody; });
    if (to == kUnseen) return false;
    for (; to != place; to = from_[to]) {
        if (!move(who_[from_[to]], to)) return false;
    }
    return true;
}

/// Two neighbours change places; all others stand as before.
bool SwapPlan::swap(std::uint16_t a, std::uint16_t b) {
    std::uint16_t near[kSwapPlacesTried];
    std::uint32_t count = 0;
    (void)flood(now_[b], {}, [&](std::uint16_t place) {
        if (places_[place].count >= 3) near[count++] = place;
        return count == kSwapPlacesTried;
    });
    for (std::uint32_t k = 0; k < count; ++k) {
        const std::size_t before = moves_.size();
        if (swap_at(a, b, near[k])) return true;
        take_back(before);
    }
    return false;
}

bool SwapPlan::swap_at(std::uint16_t a, std::uint16_t b, std::uint16_t where) {
    const std::size_t before = moves_.size();
    const auto is_one = [&](std::uint16_t place) { return place == now_[a] || place == now_[b]; };
    const std::uint16_t nearer = flood(where, {}, is_one);
    if (nearer == kUnseen) return false;
    const std::uint16_t first = nearer == now_[a] ? a : b;
    const std::uint16_t second = first == a ? b : a;
    if (!walk_both(first, second, where)) return false;
    const std::size_t met = moves_.size();
    if (!change(first, second)) return false;
    // change() has made room first: that is undone too
    std::size_t made_room = met;
    while (moves_[made_room].walker != first || moves_[made_room].from != where) ++made_room;
    for (std::size_t k = made_room; k-- > before;) {
        const SwapMove done = moves_[k];
        const std::uint16_t part = done.walker == first    ? second
                                   : done.walker == second ? first
                                                           : done.walker;
        if (!move(part, done.from)) return false;
    }
    return true;
}

/// One goes to a place, the other one right behind it; others make room.
bool SwapPlan::walk_both(std::uint16_t first, std::uint16_t second, std::uint16_t where) {
    path_.clear();
    for (std::uint16_t at = now_[first]; at != where; at = from_[at]) (void)path_.push_back(from_[at]);
    for (const std::uint16_t next : path_) {
        const std::uint16_t kept[] = {now_[first], now_[second]};
        if (who_[next] != kNobody && !push(next, kept)) return false;
        const std::uint16_t left = now_[first];
        if (!move(first, next) || !move(second, left)) return false;
    }
    return true;
}

/// The first one stands at a place of three ways, the second one beside it.
bool SwapPlan::change(std::uint16_t first, std::uint16_t second) {
    const std::uint16_t where = now_[first], beside = now_[second];
    std::uint16_t kept[10] = {where, beside};  // and the empty ways
    std::uint32_t count = 2;
    const SwapPlace& place = places_[where];
    for (std::uint32_t k = 0; k < place.count; ++k) {
        if (who_[place.to[k]] == kNobody) kept[count++] = place.to[k];
    }
    for (std::uint32_t k = 0; k < place.count && count < 4; ++k) {
        const std::uint16_t to = place.to[k];
        if (to == beside || who_[to] == kNobody) continue;
        if (push(to, {kept, count})) kept[count++] = to;
    }
    if (count < 4) return false;
    return move(first, kept[2]) && move(second, where) && move(second, kept[3]) && move(first, where) &&
           move(first, beside) && move(second, where);
}

// ---- shorter

/// Where a walker comes back to a place that nobody else came to meanwhile, it could have stayed.
bool SwapPlan::cut_walker(std::uint16_t walker) {
    bool any = false;
    for (std::size_t i = 0; i < moves_.size(); ++i) {
        if (moves_[i].walker != walker) continue;
        const std::uint16_t place = moves_[i].from;
        std::size_t back = i;
        for (std::size_t k = i; k < moves_.size(); ++k) {
            if (moves_[k].to != place) continue;
            if (moves_[k].walker == walker) back = k;
            if (moves_[k].walker != walker && moves_[k].walker != kNobody) break;
        }
        work_ += (moves_.size() - i) / 8;
        if (back == i) continue;
        for (std::size_t k = i; k <= back; ++k) {
            if (moves_[k].walker == walker) moves_[k].walker = kNobody;
        }
        any = true;
        i = back;
    }
    return any;
}

void SwapPlan::cut() {
    for (bool any = true; any;) {
        any = false;
        for (std::uint16_t i = 0; i < goals_.size(); ++i) any = cut_walker(i) || any;
        std::size_t kept = 0;
        for (const SwapMove& move : moves_) {
            if (move.walker != kNobody) moves_[kept++] = move;
        }
        while (moves_.size() > kept) moves_.pop_back();
    }
}

/// Each move as early as its walker and its two places allow.
void SwapPlan::pack() {
    std::fill(last_.begin(), last_.end(), std::uint16_t{0});
    std::uint16_t last[kSwapWalkersMax] = {};
    for (SwapMove& move : moves_) {
        move.step = static_cast<std::uint16_t>(std::max(last[move.walker], last_[move.to]) + 1);
        last[move.walker] = last_[move.to] = last_[move.from] = move.step;
    }
}

}  // namespace fairlead::fleet
