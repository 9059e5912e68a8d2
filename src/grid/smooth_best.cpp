// The best: cut short (over all pairs, or by greedy), then pulled tight over corners (pull.h), then cut short over
// all pairs of the new points; these two in turns until nothing is gained. Last, needless bends of discs are taken
// out.
//
// At every moment there is one route from start to end of which every way is known to be free, and every change
// but those of the last kind makes it shorter and not dearer. So a route is never worse than the one given nor than
// what greedy shortcutting makes of it (where all pairs were tried: nor than any choice of its points), and the work
// may end at any time.
//
// It does end. A bend that cannot be pulled is taut, and only a change makes its neighbours slack again; a change
// gains kGainMin at least, so there are finitely many. That alone would be a poor bound: units_limit() says when
// no more is tried. From there on each step settles one point, without looking at the world.
//
// On uniform cost the result is as short as any route that passes the same side of the same walls (discs: pull.h),
// or one that passes others and is shorter still. With terrain each bend is pulled over the corners of terrain that
// is dearer than what the route runs on as well, and what is cheaper counts: good, but not the optimum, which would
// refract at borders.

#include <fairlead/math/swept.h>

#include "grid/smooth.h"

namespace fairlead::grid {

namespace {

/// Gains below this are not worth a bend.
constexpr double kGainMin = 1e-6;

/// The route between two points that see each other is at most this much longer, if the route is the best on
/// tiles: the eight directions cost 1.0824. The bends lie within a cell or two of the tile route's.
constexpr double kDetourMax = 1.0824;
constexpr double kDetourEnds = 4.0;

/// A way that passes a taut bend on the inner side nearer than this runs into the wall that the bend is at: walls
/// are a cell wide.
constexpr double kWallWidth = 0.9;

/// Pairs of the table that are dismissed without a test cost 5 ns each; this many are a unit.
constexpr std::uint32_t kPairsPerUnit = 256;

/// With terrain every pair that may gain is tested and integrated; after the first table only these many points back.
constexpr std::size_t kWeightedReach = 24;

/// Routes of real maps need 5 to 15 units a point; with terrain, long ones may come to the limit.
constexpr std::uint64_t kUnitsPerPoint = 64;
constexpr std::uint64_t kUnitsBase = 1024;

}  // namespace

std::uint64_t Smoother::units_limit() const { return kUnitsPerPoint * given_.size() + kUnitsBase; }

double Smoother::way_cost(Vec2 a, Vec2 b) const {
    return sight_.uniform() ? distance(a, b) : sight_.cost(a, b);
}

/// For a shortest tile route greedy shortcutting is a good start and costs a test a point. With terrain, or if the
/// route makes detours, what is best is less plain: all pairs of the given points, if there are no more than 40.
void Smoother::begin_best() {
    const std::size_t room = given_.size() + 16;
    if (!left_.reserve(room) || !right_.reserve(room) || !puller_.reserve(64)) {
        out_of_memory_ = true;
        return;
    }
    const bool few = given_.size() * given_.size() <= units_limit() / 2;
    if ((sight_.uniform() && shortest_) || !few) {
        stage_ = Stage::greedy;
        current_ = 1;
        return;
    }
    kept_.clear();
    left_.clear();
    for (std::size_t i = 0; i < given_.size(); ++i) {
        const double cost = i == 0 ? 0.0 : along_[i] - along_[i - 1];
        check(left_.push_back({given_[i], cost, false, static_cast<std::uint32_t>(i)}));
    }
    reach_ = SIZE_MAX;
    opening_ = true;
    begin_table();
}

/// Takes over the route that kept_ holds.
void Smoother::begin_pull() {
    left_.clear();
    right_.clear();
    opening_ = false;
    std::size_t given = given_.size();
    for (std::size_t i = kept_.size(); i-- > 0;) {
        while (given > 0 && !(given_[given - 1] == kept_[i])) --given;
        FAIRLEAD_ASSERT(given > 0);  // what is kept was given, in this order
        --given;
        const double cost = i == 0 ? 0.0 : way_cost(kept_[i - 1], kept_[i]);
        check(right_.push_back({kept_[i], cost, false, static_cast<std::uint32_t>(given)}));
    }
    note_start(right_.span());
    kept_.clear();
    check(left_.push_back(right_.back()));
    right_.pop_back();
    stage_ = Stage::pull;
}

/// The length and cost that the route must not exceed from here on.
void Smoother::note_start(std::span<const Bend> route) {
    spare_cost_ = 0.0;
    spare_length_ = 0.0;
    for (std::size_t i = 0; i < route.size(); ++i) {
        spare_cost_ += route[i].cost;
        if (i > 0) spare_length_ += distance(route[i - 1].at, route[i].at);
    }
}

/// The cost of the way over the puller's bends if it is free and less than `limit`, else `limit`.
double Smoother::cost_of_bends(Vec2 from, Vec2 to, double limit) {
    const std::span<const Vec2> bends = puller_.bends();
    double cost = 0.0;
    for (std::size_t i = 0; i <= bends.size(); ++i) {
        const Vec2 next = i < bends.size() ? bends[i] : to;
        cost += way_cost(from, next);
        if (!(cost < limit)) return limit;
        from = next;
    }
    from = left_.back().at;
    for (std::size_t i = 0; i <= bends.size(); ++i) {
        const Vec2 next = i < bends.size() ? bends[i] : to;
        if (!sweeps(from, next)) return limit;
        from = next;
    }
    return cost;
}

/// Looks for a better way past the bend. True: it is in bends_.
bool Smoother::pull_bend(const Bend& bend, const Bend& next) {
    const Vec2 from = left_.back().at;
    const double limit = bend.cost + next.cost - kGainMin;
    // Dear is what costs more than the way on the average.
    const double way = distance(from, bend.at) + distance(bend.at, next.at);
    const double dear =
        sight_.uniform() ? Puller::kNothingDear : (bend.cost + next.cost) / way * (1.0 + 1e-9);
    bends_.clear();
    bool better = puller_.pull(sight_, from, bend.at, next.at, kGainMin, dear);
    units_ += puller_.units();
    double cost = limit;
    if (better) {
        cost = cost_of_bends(from, next.at, limit);
        better = cost < limit;
        if (better) check(bends_.assign(puller_.bends()));
    }
    if (!puller_.met_dear()) return better;
    // Straight across what is dear may be cheaper still.
    const bool across = puller_.pull(sight_, from, bend.at, next.at, kGainMin, Puller::kNothingDear);
    units_ += puller_.units();
    if (!across || !(cost_of_bends(from, next.at, cost) < cost)) return better;
    check(bends_.assign(puller_.bends()));
    return true;
}

void Smoother::step_pull() {
    if (right_.size() < 2) {
        check(left_.push_back(right_.back()));
        right_.clear();
        if (one_pass_) return finish_best();
        reach_ = sight_.uniform() ? SIZE_MAX : kWeightedReach;
        opening_ = false;
        begin_table();
        return;
    }
    Bend& bend = right_.back();
    if (!bend.taut && units_ < units_limit() && replace_bend()) return;
    bend.taut = true;
    check(left_.push_back(bend));
    right_.pop_back();
}

/// Puts what is shorter in the place of the next bend. False: there is nothing.
bool Smoother::replace_bend() {
    Bend& next = right_[right_.size() - 2];
    if (!pull_bend(right_.back(), next)) return false;
    Vec2 before = bends_.empty() ? left_.back().at : bends_.back();
    next.cost = way_cost(before, next.at);
    next.taut = false;
    right_.pop_back();
    for (std::size_t i = bends_.size(); i-- > 0;) {
        before = i == 0 ? left_.back().at : bends_[i - 1];
        check(right_.push_back({bends_[i], way_cost(before, bends_[i]), true, kNotGiven}));
    }
    take_back();
    return true;
}

/// The last settled bend has another neighbour now.
void Smoother::take_back() {
    if (left_.size() < 2) return;
    Bend previous = left_.back();
    previous.taut = false;
    left_.pop_back();
    check(right_.push_back(previous));
}

// ---- one pass ----------------------------------------------------------------------------------------------

/// A way over clusters has few points, and most of them lie where the taut route bends. So one pass with two stacks does: the bends that
/// are settled, and the points to come. At each point the bends after it are dropped if the last settled one sees past them; else the
/// point is pulled; and what changes its neighbour is taken back. No table over all pairs.
void Smoother::begin_pass() {
    one_pass_ = true;
    const bool disc = !sight_.is_point() && sight_.world().footprint == 0;
    if (disc) {
        keep(given_[0]);
        anchor_ = 0;
        current_ = 1;
        stage_ = Stage::greedy;
        return;
    }
    for (const Vec2 p : given_) keep(p);
    begin_pull();
    stage_ = out_of_memory_ ? stage_ : Stage::pass;
}

void Smoother::step_pass() {
    if (right_.size() < 2) {
        check(left_.push_back(right_.back()));
        right_.clear();
        finish_best();
        return;
    }
    Bend& bend = right_.back();
    const Vec2 from = left_.back().at;
    if (!bend.taut && units_ < units_limit() &&
        !puller_.rests_at(sight_, from, bend.at, right_[right_.size() - 2].at) &&
        (drop_bends() || replace_bend()))
        return;
    bend.taut = true;
    check(left_.push_back(bend));
    right_.pop_back();
}

/// Drops the next bend, or it and the one after, where the last settled one sees what follows.
bool Smoother::drop_bends() {
    const Vec2 from = left_.back().at;
    for (std::size_t drop = 2; drop > 0; --drop) {
        if (right_.size() <= drop) continue;
        if (!sweeps(from, right_[right_.size() - 1 - drop].at)) continue;
        for (std::size_t i = 0; i < drop; ++i) right_.pop_back();
        right_.back().cost = way_cost(from, right_.back().at);
        right_.back().taut = false;
        take_back();
        return true;
    }
    return false;
}

void Smoother::begin_table() {
    stage_ = Stage::table;
    const std::size_t n = left_.size();
    if (n < 3 || units_ >= units_limit()) {
        finish_best();
        return;
    }
    if (!table_.resize_uninitialized(n)) {
        out_of_memory_ = true;
        return;
    }
    table_[0] = {left_[0].at, 0.0, 0.0, 0};
    for (std::size_t i = 1; i < n; ++i) {
        const double cost = left_[i].cost;
        table_[i] = {left_[i].at, table_[i - 1].along + cost, 0.0, static_cast<std::uint32_t>(i - 1)};
    }
    current_ = 1;
    begin_row();
}

/// The next point to which shortcuts are looked for.
void Smoother::begin_row() {
    table_[current_].best = table_[current_ - 1].best + left_[current_].cost;
    anchor_ = current_ - 1;
}

/// Choosing among the given points everything counts, so that no other choice is better.
double Smoother::gain_min() const { return opening_ ? 0.0 : kGainMin; }

/// Is the route between two points of the table, on uniform cost, too long for them to see each other? Then moves
/// anchor_ on to the next point for which it may not be.
bool Smoother::detours(const Row& from, const Row& to) {
    if (!shortest_) return false;
    const double excess = to.along - from.along - kDetourEnds - kDetourMax * distance(from.at, to.at);
    if (excess <= 0.0) return false;
    // Going back along the route adds as much to the way, and no more than that to the distance.
    const double along = from.along - excess / (kDetourMax - 1.0);
    while (anchor_ > 0 && table_[anchor_ - 1].along > along) --anchor_;
    return true;
}

/// Would a free way between two points of the table gain something, and is it not sure to meet a wall? For uniform
/// cost. This only dismisses: what it lets pass is tested.
bool Smoother::hopeful(const Row& from, const Row& to) const {
    const Vec2 d = to.at - from.at;
    const double square = dot(d, d);
    const double room = to.best - from.best - gain_min();
    if (!(room > 0.0) || square >= room * room) return false;
    if (opening_) return true;                          // no bend is taut
    if (!sight_.world().blockers.empty()) return true;  // they may be as thin as they like
    const double first = cross(d, table_[anchor_ + 1].at - from.at);
    const double last = cross(d, table_[current_ - 1].at - from.at);
    const double thin = kWallWidth * kWallWidth * square;
    return first * first >= thin && last * last >= thin;
}

/// Might a shortcut at this point of the table leave on another side of a corner between two walls than the one it
/// came from? Each way may end there, but not lead through.
bool Smoother::slips_through(std::size_t i) const {
    return i > 0 && i + 1 < table_.size() && sight_.between_walls(table_[i].at);
}

/// Dynamic programming over all pairs: table_[i].best is the cost of the best way from the start to point i.
void Smoother::step_table() {
    std::uint32_t dismissed = 0;
    Row& to = table_[current_];
    const bool uniform = sight_.uniform();
    const std::size_t lowest = current_ < reach_ ? 0 : current_ - reach_;
    while (anchor_ > lowest && units_ < units_limit()) {
        const Row& from = table_[--anchor_];
        if (uniform && (detours(from, to) || !hopeful(from, to))) {
            if (++dismissed < kPairsPerUnit) continue;
            ++units_;
            return;
        }
        if (!uniform && from.best + sight_.cost_min() * distance(from.at, to.at) >= to.best - gain_min())
            continue;
        if (!sweeps(from.at, to.at)) return;
        const double cost = from.best + way_cost(from.at, to.at);
        if (cost < to.best - gain_min() && !slips_through(anchor_) && !slips_through(current_)) {
            to.best = cost;
            to.from = static_cast<std::uint32_t>(anchor_);
        }
        return;
    }
    ++current_;
    if (current_ == table_.size()) {
        finish_table();
        return;
    }
    begin_row();
}

void Smoother::finish_table() {
    std::size_t i = left_.size() - 1;
    bool changed = false;
    for (std::size_t k = i; k > 0; k = table_[k].from) changed = changed || table_[k].from + 1 != k;
    if (!changed && !opening_) {
        finish_best();
        return;
    }
    // Pulling once more, where neighbours have changed.
    right_.clear();
    bool cut = false;
    for (;; i = table_[i].from) {
        const std::size_t from = table_[i].from;
        const bool cut_here = i != 0 && from + 1 != i;
        const double cost = cut_here ? way_cost(left_[from].at, left_[i].at) : left_[i].cost;
        check(right_.push_back({left_[i].at, cost, left_[i].taut && !cut && !cut_here, left_[i].given}));
        cut = cut_here;
        if (i == 0) break;
    }
    if (opening_) note_start(right_.span());
    left_.clear();
    check(left_.push_back(right_.back()));
    right_.pop_back();
    stage_ = Stage::pull;
}

void Smoother::finish_best() {
    const bool disc = !sight_.is_point() && sight_.world().footprint == 0;
    if (disc && left_.size() > 3) return begin_tidy();
    stage_ = Stage::done;
    for (const Bend& bend : left_) keep(bend.at);
}

/// Pulled bit by bit, a small arc may have got more bends than it needs.
void Smoother::begin_tidy() {
    stage_ = Stage::tidy;
    current_ = 1;
    for (std::size_t i = 1; i < left_.size(); ++i) {
        spare_cost_ -= left_[i].cost;
        spare_length_ -= distance(left_[i - 1].at, left_[i].at);
    }
    keep(left_[0].at);
    begin_stretch(0);
}

/// From a given point to the next one that is left.
void Smoother::begin_stretch(std::size_t from) {
    stretch_end_ = from + 1;
    double cost = left_[stretch_end_].cost;
    while (left_[stretch_end_].given == kNotGiven) cost += left_[++stretch_end_].cost;
    stretch_spare_ = along_[left_[stretch_end_].given] - along_[left_[from].given] - cost;
}

/// Puts one bend in place of two, where the ways before and after them cross, if they are near and it turns by no more
/// than the puller's bends do. That makes the route longer, by less than 0.03 of the radius, and is only done as long as
/// the route stays as short and as cheap as the one that was to be pulled, and the stretch between two given points as cheap as it
/// was given.
void Smoother::step_tidy() {
    if (current_ + 1 < stretch_end_) {
        const Vec2 p = kept_.back();
        const Bend& first = left_[current_];
        Bend& second = left_[current_ + 1];
        Bend& next = left_[current_ + 2];
        Vec2 at;
        if (Puller::joins(p, first.at, second.at, next.at, sight_.reach(), at)) {
            const double before = way_cost(p, at);
            const double after = way_cost(at, next.at);
            const double cost = before + after - first.cost - second.cost - next.cost;
            const double length = distance(p, at) + distance(at, next.at) - distance(p, first.at) -
                                  distance(first.at, second.at) - distance(second.at, next.at);
            const bool spare = cost <= spare_cost_ && cost <= stretch_spare_ && length <= spare_length_;
            if (spare && sweeps(p, at) && sweeps(at, next.at)) {
                spare_cost_ -= cost;
                stretch_spare_ -= cost;
                spare_length_ -= length;
                second = {at, before, true, kNotGiven};
                next.cost = after;
                ++current_;
                return;
            }
        }
    }
    ++units_;
    keep(left_[current_].at);
    ++current_;
    if (current_ == left_.size()) {
        stage_ = Stage::done;
    } else if (current_ > stretch_end_) {
        begin_stretch(stretch_end_);
    }
}

}  // namespace fairlead::grid
