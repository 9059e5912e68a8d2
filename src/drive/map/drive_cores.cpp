// The cores of a DriveMap: sets of poses that all reach each other, and what is joined to them.
//
// Finding. From a pose, the poses that it reaches and those that reach it are two closures (pose_set.h); what is in both
// is its strong component (Fleischer, Hendrickson and Pinar 2000). Seeds are taken from the middle of the map outwards,
// those first from which every move may be made. A seed that reaches much more than its own component lies before the
// core: the next one is taken from the middle of what it reaches.
//
// Repairing after an edit, one set at a time: let A be the poses that a core reaches (those that reach it go the same way,
// backward), E the box that all edges that changed start or end in, N that and as far around it as a move leads, M a
// larger box, s a pose of the core in M. F is what s reaches within M now. Say that what A has in N and F has not cannot
// leave N but to poses in F. Then all poses of A outside N are still reached: take the way there was from s; if it leaves
// N, let t be its last pose in N, and u the next; the rest of it stands. If t is in F, it is reached; if not, u is in F.
// So A has lost poses in N alone: those that the rest of A and s do not lead to within M. Edges that were added are
// followed from the sets as they then are. If a small M does not show it, a larger one is tried; if that does not, all is
// found anew.

#include <algorithm>
#include <bit>

#include "drive/map/map_data.h"

#include "drive/lattice/grid_lattice.h"
#include "drive/map/pose_set.h"

namespace fairlead::drive {

namespace {

// How many, from how many seeds, and at least so large a part of all poses that stand. With a reverse gear what is not in
// one core is looked for elsewhere, so that all of them together cost little more than one.
struct CoreLimits {
    std::int32_t cores;
    int seeds;
    std::uint64_t share;
};
constexpr CoreLimits kOneWay{4, 16, 64};
constexpr CoreLimits kMutual{MapData::kCoresMax, 64, 1024};
constexpr std::int32_t kRoomAround[] = {12, 48,
                                        120};  // cells around an edit to look for what it costs a core

// How openly a seed must stand.
enum class Open : std::uint8_t { all_moves, some_left_right_ahead, any_move, count_ };

// The poses of 64 cells in a heading from which one may leave as openly as asked.
std::uint64_t open_ahead(const EdgeMap& edges, std::int32_t x, std::int32_t y, std::int32_t heading,
                         Open open) {
    const PrimitiveSet& set = edges.table().primitives();
    const std::uint64_t* column = edges.column(x, y);
    if (open == Open::all_moves) {
        std::uint64_t all = ~std::uint64_t{0};
        for (std::uint32_t i = set.first(heading); i < set.first(heading + 1) && all != 0; ++i)
            all &= column[i];
        return all;
    }
    std::uint64_t left = 0;
    std::uint64_t right = 0;
    std::uint64_t ahead = 0;
    const std::int32_t half = edges.table().headings() / 2;
    for (std::uint32_t i = set.first(heading); i < set.first(heading + 1); ++i) {
        const Primitive& p = set.all()[i];
        const std::int32_t turn = (p.to - p.from + 2 * half) % (2 * half);
        (turn == 0 ? ahead : turn < half ? left : right) |= column[i];
    }
    return open == Open::some_left_right_ahead ? left & right & ahead : left | right | ahead;
}

// The same, and from which one could leave the other way: so that there are ways to come to them, too. Not where road rules
// forbid moves: from a lane nobody leaves the other way.
std::uint64_t open_poses(const EdgeMap& edges, std::int32_t x, std::int32_t y, std::int32_t heading,
                         Open open) {
    const std::int32_t count = edges.table().headings();
    if (edges.road_forbids()) return open_ahead(edges, x, y, heading, open);
    return open_ahead(edges, x, y, heading, open) &
           open_ahead(edges, x, y, (heading + count / 2) % count, open);
}

// Rows from the middle outwards.
std::int32_t row_from_middle(std::int32_t i, std::int32_t height) {
    const std::int32_t half = (i + 1) / 2;
    return height / 2 + ((i & 1) != 0 ? -half : half);
}

// Looks for poses to begin with that `seen` does not hold.
class Seeds {
  public:
    Seeds(const EdgeMap& edges, const PoseSet& seen) : edges_(edges), seen_(seen) {}

    [[nodiscard]] bool next(LatticePose& seed) {
        while (open_ != Open::count_) {
            for (; row_ < 2 * edges_.height(); ++row_) {
                const std::int32_t y = row_from_middle(row_, edges_.height());
                if (y >= 0 && y < edges_.height() && find_in_row(y, seed)) return true;
            }
            row_ = 0;
            open_ = static_cast<Open>(static_cast<std::uint8_t>(open_) + 1);
        }
        return false;
    }

  private:
    [[nodiscard]] bool find_in_row(std::int32_t y, LatticePose& seed) const {
        const std::size_t first = edges_.table().primitives().all().size();
        for (std::int32_t x = 0; x < edges_.width(); x += 64) {
            const std::uint64_t* standing = edges_.column(x, y) + first;
            for (std::int32_t h = 0; h < edges_.table().headings(); ++h) {
                std::uint64_t fresh = standing[h] & ~seen_.words()[seen_.word_of(x, y, h)];
                if (fresh == 0) continue;
                fresh &= open_poses(edges_, x, y, h, open_);
                if (fresh == 0) continue;
                seed = {x + std::countr_zero(fresh), y, h, Gear::forward};
                return true;
            }
        }
        return false;
    }

    const EdgeMap& edges_;
    const PoseSet& seen_;
    Open open_ = Open::all_moves;
    std::int32_t row_ = 0;
};

// Where road rules forbid moves, those that have a way on: most of the others are off the road.
std::uint64_t count_standing(const EdgeMap& edges) {
    const std::size_t first = edges.table().primitives().all().size();
    std::uint64_t sum = 0;
    for (std::int32_t y = 0; y < edges.height(); ++y) {
        for (std::int32_t x = 0; x < edges.width(); x += 64) {
            const std::uint64_t* column = edges.column(x, y) + first;
            for (std::int32_t h = 0; h < edges.table().headings(); ++h) {
                const std::uint64_t poses =
                    edges.road_forbids() ? open_ahead(edges, x, y, h, Open::any_move) : column[h];
                sum += static_cast<std::uint64_t>(std::popcount(poses));
            }
        }
    }
    return sum;
}

[[nodiscard]] bool close_from(PoseClosure& closure, const EdgeMap& edges, Direction direction,
                              const LatticePose& from) {
    if (!closure.begin(edges, direction)) return false;
    closure.add(from);
    while (closure.step(UINT64_MAX)) {
    }
    return true;
}

// What reaches a pose, of which it is known what it reaches. Where moves can be driven the other way round this is what
// the pose turned round reaches, turned round; and if the two poses reach each other, they reach the same.
[[nodiscard]] bool close_back_from(PoseClosure& closure, const EdgeMap& edges, const PoseClosure& ahead,
                                   const LatticePose& to) {
    if (!edges.table().is_two_way() || edges.road_forbids())
        return close_from(closure, edges, Direction::backward, to);
    LatticePose turned = to;
    turned.heading = (to.heading + edges.table().headings() / 2) % edges.table().headings();
    if (!closure.begin(edges, Direction::forward)) return false;
    closure.add(turned);
    constexpr std::uint64_t kTurn = 64;  // words
    const bool comes_round = ahead.set().has(turned);
    while (!(comes_round && closure.set().has(to)) && closure.step(kTurn)) {
    }
    if (!closure.done()) closure.finish_as(ahead);
    closure.turn_round();
    return true;
}

// A pose in the middle of what a closure reached, in the order in which it was met: the first open one from there on.
LatticePose middle_of(const PoseClosure& closure, const EdgeMap& edges) {
    const auto across = static_cast<std::uint32_t>(closure.set().across());
    const auto height = static_cast<std::uint32_t>(edges.height());
    const std::span<const std::uint32_t> touched = closure.touched().subspan(closure.touched().size() / 2);
    LatticePose pose;
    for (const Open open : {Open::all_moves, Open::some_left_right_ahead, Open::any_move}) {
        for (const std::uint32_t word : touched) {
            const std::uint32_t row = word / across;
            pose = {static_cast<std::int32_t>(word % across * 64), static_cast<std::int32_t>(row % height),
                    static_cast<std::int32_t>(row / height), Gear::forward};
            const std::uint64_t fit =
                open_poses(edges, pose.x, pose.y, pose.heading, open) & closure.set().words()[word];
            if (fit == 0) continue;
            pose.x += std::countr_zero(fit);
            return pose;
        }
    }
    pose.x += std::countr_zero(closure.set().words()[touched.back()]);
    return pose;
}

// Poses of a closure that are in another set as well.
std::uint64_t count_common(const PoseClosure& closure, const PoseSet& other) {
    std::uint64_t sum = 0;
    for (const std::uint32_t word : closure.touched()) {
        sum += static_cast<std::uint64_t>(std::popcount(closure.set().words()[word] & other.words()[word]));
    }
    return sum;
}

// One pose, if there is one.
struct PoseSeed {
    std::size_t word = 0;
    std::uint64_t bit = 0;
};

// The sets of a core within a box of cells, and a smaller one in it near an edit.
class BoxedSet {
  public:
    BoxedSet(const EdgeMap& edges, const CellBox& near, const CellBox& box)
        : edges_(edges), near_(near), box_(box) {}

    /// A pose of the core in the box: not near the edit, if there is such a one.
    [[nodiscard]] PoseSeed seed(std::span<const std::uint64_t> before,
                                std::span<const std::uint64_t> after) const {
        PoseSeed around;
        PoseSeed near;
        for_words([&](std::size_t word, std::uint64_t columns, std::uint64_t columns_near) {
            const std::uint64_t both = before[word] & after[word];
            const std::uint64_t beside = both & columns & ~columns_near;
            if (around.bit == 0 && beside != 0) around = {word, beside & (~beside + 1)};
            const std::uint64_t inside = both & columns_near;
            if (near.bit == 0 && inside != 0) near = {word, inside & (~inside + 1)};
        });
        return around.bit != 0 ? around : near;
    }

    /// Are all poses of a set outside `near` still in it? False: that is not known.
    [[nodiscard]] bool keeps(PoseClosure& closure, Direction direction, std::span<const std::uint64_t> set,
                             const PoseSeed& seed) const {
        if (!closure.begin_within(edges_, direction, box_)) return false;
        if (seed.bit != 0) closure.add_word(seed.word, seed.bit);
        run(closure);
        const std::uint64_t around = count_around(closure);
        for_words([&](std::size_t word, std::uint64_t, std::uint64_t columns_near) {
            closure.add_word(word, set[word] & columns_near);
        });
        run(closure);
        return count_around(closure) == around;
    }

    /// Drops the poses of a set that it has lost near the edit. False: out of memory.
    [[nodiscard]] bool settle(PoseClosure& closure, Direction direction, std::span<std::uint64_t> set,
                              const PoseSeed& seed) const {
        if (!closure.begin_within(edges_, direction, box_)) return false;
        if (seed.bit != 0) closure.add_word(seed.word, seed.bit);
        for_words([&](std::size_t word, std::uint64_t columns, std::uint64_t columns_near) {
            closure.add_word(word, set[word] & columns & ~columns_near);
        });
        run(closure);
        for_words([&](std::size_t word, std::uint64_t, std::uint64_t columns_near) {
            set[word] = (set[word] & ~columns_near) | (closure.set().words()[word] & columns_near);
        });
        return true;
    }

  private:
    static void run(PoseClosure& closure) {
        while (closure.step(UINT64_MAX)) {
        }
    }
    // Calls visit(word, columns in the box, columns near) for the words of the box.
    template <class Visit>
    void for_words(const Visit& visit) const {
        const std::size_t across = (static_cast<std::size_t>(edges_.width()) + 63) / 64;
        for (std::int32_t h = 0; h < edges_.table().headings(); ++h) {
            for (std::int32_t y = box_.low; y < box_.top; ++y) {
                const std::size_t row = static_cast<std::size_t>(h * edges_.height() + y) * across;
                const bool near = y >= near_.low && y < near_.top;
                for (std::int32_t w = box_.left >> 6; w <= (box_.right - 1) >> 6; ++w)
                    visit(row + static_cast<std::size_t>(w), box_.columns(w), near ? near_.columns(w) : 0);
            }
        }
    }
    [[nodiscard]] std::uint64_t count_around(const PoseClosure& closure) const {
        std::uint64_t sum = 0;
        for_words([&](std::size_t word, std::uint64_t columns, std::uint64_t columns_near) {
            const std::uint64_t here = closure.set().words()[word] & columns & ~columns_near;
            sum += static_cast<std::uint64_t>(std::popcount(here));
        });
        return sum;
    }

    const EdgeMap& edges_;
    CellBox near_;
    CellBox box_;
};

void unite(PoseSet& set, const PoseClosure& closure) {
    for (const std::uint32_t word : closure.touched()) set.words()[word] |= closure.set().words()[word];
}

}  // namespace

std::span<std::uint64_t> MapData::reaching(std::int32_t core) {
    const std::size_t size = joined_.size() / static_cast<std::size_t>(cores_ * sets_a_core_);
    return joined_.span().subspan(static_cast<std::size_t>(core * sets_a_core_) * size, size);
}

std::span<std::uint64_t> MapData::reached(std::int32_t core) {
    const std::size_t size = joined_.size() / static_cast<std::size_t>(cores_ * sets_a_core_);
    return joined_.span().subspan(static_cast<std::size_t>((core + 1) * sets_a_core_ - 1) * size, size);
}

std::span<const std::uint64_t> MapData::reaching(std::int32_t core) const {
    const std::size_t size = joined_.size() / static_cast<std::size_t>(cores_ * sets_a_core_);
    return joined_.span().subspan(static_cast<std::size_t>(core * sets_a_core_) * size, size);
}

std::span<const std::uint64_t> MapData::reached(std::int32_t core) const {
    const std::size_t size = joined_.size() / static_cast<std::size_t>(cores_ * sets_a_core_);
    return joined_.span().subspan(static_cast<std::size_t>((core + 1) * sets_a_core_ - 1) * size, size);
}

bool MapData::find_cores() {
    const Allocator& allocator = options_.allocator;
    PoseClosure forward(allocator);
    PoseClosure backward(allocator);
    PoseSet seen(allocator);
    cores_ = 0;
    joined_.clear();
    if (!seen.reset(edges_)) return false;
    const bool mutual = sets_a_core_ == 1;
    const CoreLimits& limits = mutual ? kMutual : kOneWay;
    const std::uint64_t least = count_standing(edges_) / limits.share + 1;
    std::uint64_t left = least * limits.share;
    Seeds seeds(edges_, seen);
    LatticePose seed;
    int deeper = 0;  // so many times in a row the seed was taken from what the last one reached
    for (int tries = 0; tries < limits.seeds && cores_ < limits.cores && left >= 4 * least; ++tries) {
        if (deeper == 0 && !seeds.next(seed)) break;
        if (!close_from(forward, edges_, Direction::forward, seed)) return false;
        const std::uint64_t reached = count_common(forward, forward.set());
        if (reached >= least && !mutual && !close_back_from(backward, edges_, forward, seed)) return false;
        const PoseClosure& before = mutual ? forward : backward;
        const std::uint64_t size = reached < least ? 0 : count_common(forward, before.set());
        unite(seen, forward);
        if (deeper < 3 && size * 4 < reached && reached >= least) {
            ++deeper;
            seed = middle_of(forward, edges_);
            continue;
        }
        deeper = 0;
        if (size < least) continue;
        unite(seen, before);
        const std::span<const std::uint64_t> reaching = before.set().words();
        const std::span<const std::uint64_t> after = forward.set().words();
        const std::size_t first = joined_.size();
        if (!joined_.resize_uninitialized(first + after.size() * static_cast<std::size_t>(sets_a_core_)))
            return false;
        std::copy(reaching.begin(), reaching.end(), joined_.begin() + first);
        if (!mutual) std::copy(after.begin(), after.end(), joined_.begin() + first + after.size());
        core_size_[cores_] = size;
        ++cores_;
        left -= std::min(left, size);
    }
    return true;
}

// Poses that no longer stand are in no set.
void MapData::drop_blocked(const Box& box) {
    const std::size_t first = edges_.table().primitives().all().size();
    const std::size_t across = (static_cast<std::size_t>(edges_.width()) + 63) / 64;
    const auto height = static_cast<std::size_t>(edges_.height());
    const auto headings = static_cast<std::size_t>(edges_.table().headings());
    for (std::size_t at = 0; at < joined_.size(); at += headings * height * across) {
        for (std::size_t h = 0; h < headings; ++h) {
            for (std::int32_t y = box.low; y < box.top; ++y) {
                for (std::int32_t x = box.left & ~63; x < box.right; x += 64) {
                    joined_[at + (h * height + static_cast<std::size_t>(y)) * across +
                            static_cast<std::size_t>(x >> 6)] &= edges_.column(x, y)[first + h];
                }
            }
        }
    }
}

bool MapData::repair_cores(const Box& changed) {
    if (cores_ == 0) return false;
    const CellBox cells{changed.left, changed.low, changed.right, changed.top};
    const CellBox edges = cells.grown(edges_.margin(), edges_);
    const std::int32_t reach = edges_.table().primitives().reach();
    const CellBox near = edges.grown(reach, edges_);
    drop_blocked({edges.left, edges.low, edges.right, edges.top});
    PoseClosure closure(options_.allocator);
    for (std::int32_t core = 0; core < cores_; ++core) {
        const bool good =
            !changed.blocks ||
            std::any_of(std::begin(kRoomAround), std::end(kRoomAround), [&](std::int32_t room) {
                return drop_lost(core, near, near.grown(std::max(room, reach), edges_), closure);
            });
        if (!good || !grow(core, near, closure)) return false;
    }
    return true;
}

bool MapData::drop_lost(std::int32_t core, const CellBox& near, const CellBox& box, PoseClosure& closure) {
    const std::span<std::uint64_t> before = reaching(core);
    const std::span<std::uint64_t> after = reached(core);
    const BoxedSet boxed(edges_, near, box);
    const PoseSeed seed = boxed.seed(before, after);
    const bool mutual = sets_a_core_ == 1;
    if (!boxed.keeps(closure, Direction::forward, after, seed)) return false;
    if (!mutual && !boxed.keeps(closure, Direction::backward, before, seed)) return false;
    return boxed.settle(closure, Direction::forward, after, seed) &&
           (mutual || boxed.settle(closure, Direction::backward, before, seed));
}

// Follows edges that were added: those that start in the box, or end in it.
bool MapData::grow(std::int32_t core, const CellBox& box, PoseClosure& closure) {
    const auto follow = [&](Direction direction, std::span<std::uint64_t> set) {
        if (!closure.resume(edges_, direction, set, box)) return false;
        while (closure.step(UINT64_MAX)) {
        }
        std::copy(closure.set().words().begin(), closure.set().words().end(), set.begin());
        return true;
    };
    return follow(Direction::forward, reached(core)) &&
           (sets_a_core_ == 1 || follow(Direction::backward, reaching(core)));
}

bool MapData::in(std::size_t set, std::size_t word, std::int32_t x) const {
    const std::size_t size = joined_.size() / static_cast<std::size_t>(cores_ * sets_a_core_);
    return ((joined_[set * size + word] >> (x & 63)) & 1U) != 0;
}

std::uint64_t MapData::core_cells(std::int32_t core, std::int32_t w, std::int32_t y) const {
    const std::size_t across = (static_cast<std::size_t>(edges_.width()) + 63) / 64;
    const std::size_t plane = across * static_cast<std::size_t>(edges_.height());
    const std::size_t size = joined_.size() / static_cast<std::size_t>(cores_ * sets_a_core_);
    const std::uint64_t* before = joined_.data() + static_cast<std::size_t>(core * sets_a_core_) * size +
                                  static_cast<std::size_t>(y) * across + static_cast<std::size_t>(w);
    const std::uint64_t* after = before + static_cast<std::size_t>(sets_a_core_ - 1) * size;
    std::uint64_t cells = 0;
    for (std::int32_t h = 0; h < edges_.table().headings(); ++h)
        cells |= before[static_cast<std::size_t>(h) * plane] & after[static_cast<std::size_t>(h) * plane];
    return cells;
}

CoreLinks MapData::links(const LatticePose& pose) const {
    const std::size_t across = (static_cast<std::size_t>(edges_.width()) + 63) / 64;
    const std::size_t word =
        (static_cast<std::size_t>(pose.heading) * static_cast<std::size_t>(edges_.height()) +
         static_cast<std::size_t>(pose.y)) *
            across +
        static_cast<std::size_t>(pose.x >> 6);
    CoreLinks out;
    for (std::int32_t core = 0; core < cores_; ++core) {
        const auto reaching = static_cast<std::size_t>(core * sets_a_core_);
        const std::size_t reached = reaching + static_cast<std::size_t>(sets_a_core_) - 1;
        if (in(reaching, word, pose.x)) out.reaches |= 1U << core;
        if (in(reached, word, pose.x)) out.reached |= 1U << core;
    }
    return out;
}

}  // namespace fairlead::drive
