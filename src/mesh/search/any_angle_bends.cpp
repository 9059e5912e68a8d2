// The corners that paths bend round.
#include <limits>
#include <utility>

#include "mesh/data/corner.h"
#include "mesh/search/any_angle.h"

namespace fairlead::mesh {

// Can a shortest path bend where this side starts? With areas closed, more corners are than without.
bool AnyAngleSpace::is_corner(EdgeRef edge) {
    const MeshEdge& side = state_->edge(edge);
    if (areas_closed_ != 0 && (side.block & kAreaEdgeFlag) != 0) return find_filtered_corner(edge);
    filtered_wall_ = kNone;
    return side.corner != kNone;
}

// Over the areas that are open: clockwise to the first wall, and the free space from there.
bool AnyAngleSpace::find_filtered_corner(EdgeRef edge) {
    EdgeRef first = edge;
    while (!state_->is_shut(first, areas_closed_)) {
        first = state_->next(state_->edge(first).twin);
        if (first == edge) return false;  // free all round
    }
    filtered_wall_ = first;
    return bends_from(*state_, first, areas_closed_);
}

// The number under which the corner's bends are remembered; kNone: out of memory. After is_corner(edge).
std::uint32_t AnyAngleSpace::turn_at(EdgeRef edge) {
    if (filtered_wall_ == kNone) {
        const CornerRef corner = state_->edge(edge).corner;
        return state_->tile_of(corner).corner_first + state_->local(corner);
    }
    if (filtered_count_ * 2 >= filtered_.size()) {
        const std::size_t size = filtered_.empty() ? 64 : filtered_.size() * 2;
        Array<FilteredCorner> larger(filtered_.allocator());
        if (!larger.resize(size)) return kNone;
        for (const FilteredCorner& old : filtered_) {
            if (old.stamp != stamp_) continue;
            std::size_t i = old.wall * 0x9e3779b1U & (size - 1);
            while (larger[i].stamp == stamp_) i = (i + 1) & (size - 1);
            larger[i] = old;
        }
        filtered_ = std::move(larger);
    }
    const std::size_t mask = filtered_.size() - 1;
    std::size_t i = filtered_wall_ * 0x9e3779b1U & mask;
    while (filtered_[i].stamp == stamp_ && filtered_[i].wall != filtered_wall_) i = (i + 1) & mask;
    if (filtered_[i].stamp != stamp_) {
        const auto first = static_cast<std::uint32_t>(state_->corners + 2 * state_->links.pieces.size());
        filtered_[i] = {filtered_wall_, first + filtered_count_, stamp_};
        ++filtered_count_;
        if (filtered_[i].turn >= turns_.size() && !turns_.push_back({})) return kNone;
    }
    return filtered_[i].turn;
}

// The way goes round a corner at the end of the interval, where `edge` starts: the root there, or kNone if it is not a
// corner or was bent round for as little already. The answer is the same as long as the interval is open.
std::uint32_t AnyAngleSpace::bend(const Interval& at, EdgeRef edge, Bend side) {
    if (bent_[side] == kUnknown) bent_[side] = is_corner(edge) ? make_bend(at, edge, side) : kNone;
    return bent_[side];
}

AnyAngleSpace::Turn& AnyAngleSpace::turn(std::uint32_t number) {
    Turn& known = turns_[number];
    if (known.stamp != stamp_) {
        known.stamp = stamp_;
        known.g[0] = known.g[1] = std::numeric_limits<double>::infinity();
    }
    return known;
}

std::uint32_t AnyAngleSpace::make_bend(const Interval& at, EdgeRef edge, Bend side) {
    const Vec2 corner = state_->edge(edge).from;
    const Root& from = roots_[at.root];
    const double g = from.g + distance(from.at, corner);
    const std::uint32_t number = turn_at(edge);
    if (number == kNone) {
        failed_ = true;
        return kNone;
    }
    Turn& known = turn(number);
    if (g >= known.g[side] || g * kSure > known.g[1 - side]) return kNone;
    known.g[side] = g;
    const Root root{corner, g, rest_at(edge), at.root, number, edge, side};
    if (!roots_.push_back(root)) {
        failed_ = true;
        return kNone;
    }
    return static_cast<std::uint32_t>(roots_.size() - 1);
}

}  // namespace fairlead::mesh
