#include "mesh/search/distance_flood.h"

#include <limits>

namespace fairlead::mesh {

DistanceFlood::DistanceFlood(const Allocator& allocator)
    : space_(allocator),
      open_(allocator),
      nodes_(allocator),
      polygons_(allocator),
      first_(allocator),
      views_(allocator) {
    space_.set_open(&open_);
}

bool DistanceFlood::begin(const StateData& state, const PathEnd& goal, std::uint64_t closed_areas,
                          double width) {
    goal_ = goal;
    polygons_.reset();
    first_.clear();
    views_.clear();
    failed_ = ended_ = false;
    const AnyAngleSpace::Within within{[](std::uint32_t, double, void*) {}, this, &keep};
    // Wider gaps than the mesh knows of are open; a little less for rounding.
    const double known = width < state.gap_max ? width : state.gap_max;
    const auto shut = static_cast<float>(known * (1.0 - 1e-6));
    if (!space_.prepare_within(state, goal, within, closed_areas, {.closed = UINT64_MAX}, shut)) return false;
    engine_.begin();
    return !space_.failed();
}

void DistanceFlood::keep(const Interval& at, std::uint32_t polygon, void* user) {
    auto& self = *static_cast<DistanceFlood*>(user);
    bool added = false;
    const std::uint32_t node = self.polygons_.find_or_add(polygon, added);
    const AnyAngleSpace::Ends ends = self.space_.ends_of(at);
    const Root& root = self.space_.root(at.root);
    if (node == kNoNode || (added && !self.first_.push_back(kNone)) ||
        !self.views_.push_back({root.at, ends.left, ends.right, root.g, self.first_[node], at.root})) {
        self.failed_ = true;
        return;
    }
    self.first_[node] = static_cast<std::uint32_t>(self.views_.size() - 1);
}

bool DistanceFlood::sees(const View& view, Vec2 place) {
    const Vec2 way = place - view.root;
    return cross(view.left - view.root, way) <= 0.0 && cross(view.right - view.root, way) >= 0.0;
}

// The end of the view that a way round it to the place is shorter over.
Vec2 DistanceFlood::nearer_end(const View& view, Vec2 place) {
    const double left = distance(view.root, view.left) + distance(view.left, place);
    const double right = distance(view.root, view.right) + distance(view.right, place);
    return left < right ? view.left : view.right;
}

// Straight where the root sees the place, else round one of the ends: each is the length of a way that there is.
double DistanceFlood::through(const View& view, Vec2 place) {
    if (sees(view, place)) return view.g + distance(view.root, place);
    const Vec2 end = nearer_end(view, place);
    return view.g + (distance(view.root, end) + distance(end, place));
}

double DistanceFlood::known(std::uint32_t polygon, Vec2 place) const {
    if (polygon == goal_.polygon) return distance(goal_.at, place);
    double least = std::numeric_limits<double>::infinity();
    const std::uint32_t node = polygons_.find(polygon);
    if (node == kNoNode) return least;
    for (std::uint32_t i = first_[node]; i != kNone; i = views_[i].next) {
        const double here = through(views_[i], place);
        if (here < least) least = here;
    }
    return least;
}

std::size_t DistanceFlood::way(std::uint32_t polygon, Vec2 place, std::span<Vec2> corners) const {
    std::size_t count = 0;
    if (failed_) return count;  // some polygons may have no view
    const auto add = [&](Vec2 at) {
        if (count < corners.size()) corners[count++] = at;
    };
    const std::uint32_t node = polygon == goal_.polygon ? kNoNode : polygons_.find(polygon);
    if (node == kNoNode) {
        if (polygon == goal_.polygon) add(goal_.at);
        return count;
    }
    std::uint32_t best = first_[node];
    double least = through(views_[best], place);
    for (std::uint32_t i = views_[best].next; i != kNone; i = views_[i].next) {
        const double here = through(views_[i], place);
        if (here >= least) continue;
        least = here;
        best = i;
    }
    const View& view = views_[best];
    if (!sees(view, place)) add(nearer_end(view, place));
    for (std::uint32_t root = view.root_number; root != kNone && count < corners.size();
         root = space_.root(root).parent)
        add(space_.root(root).at);
    return count;
}

bool DistanceFlood::step() {
    if (failed_ || ended_) return false;
    const SearchProgress progress = engine_.step(1);
    ended_ = progress != SearchProgress::running;
    failed_ = failed_ || space_.failed() || progress == SearchProgress::no_memory;
    return !failed_ && !ended_;
}

DistanceFlood::Onward DistanceFlood::onward(std::uint32_t polygon, Vec2 place) const {
    Onward best{.length = std::numeric_limits<double>::infinity()};
    if (polygon == goal_.polygon) {
        best.length = distance(goal_.at, place);
        return best;
    }
    const std::uint32_t node = polygons_.find(polygon);
    if (node == kNoNode) return best;
    std::uint32_t through_view = kNone;
    for (std::uint32_t i = first_[node]; i != kNone; i = views_[i].next) {
        const double here = through(views_[i], place);
        if (here >= best.length) continue;
        best.length = here;
        through_view = i;
    }
    if (through_view == kNone) return best;
    const View& view = views_[through_view];
    best.bends = !sees(view, place);
    if (best.bends) best.bend = nearer_end(view, place);
    best.root = view.root_number;
    return best;
}

void DistanceFlood::add_to(Digest& digest) const {
    for (const View& view : views_) {
        for (const Vec2 at : {view.root, view.left, view.right}) {
            digest.add(at.x);
            digest.add(at.y);
        }
        digest.add(view.g);
    }
}

double DistanceFlood::from(std::uint32_t polygon, Vec2 place) {
    while (!failed_) {
        const double least = known(polygon, place);
        // What is on the list still is no nearer than its floor. Costs are rounded down.
        if (ended_ || static_cast<double>(open_.floor()) >= least * space_.units()) return least;
        (void)step();
    }
    return std::numeric_limits<double>::infinity();
}

}  // namespace fairlead::mesh
