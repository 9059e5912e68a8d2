#include "grid/half_region.h"

#include <cmath>

#include "grid/image.h"

namespace fairlead::grid {

namespace {

/// Cells, more than the diagonal of a room.
constexpr double kRoomDiagonal = 0.75;

}  // namespace

void HalfRegion::begin(CellQuery& cells, Array<Vec2>& places) {
    cells_ = &cells;
    places_ = &places;
    out_of_memory_ = false;
    const SightWorld world = cells.sight(cells.goal.layer);
    walls_ = HalfWalls(world);
    sight_ = Sight(world);
    // Rooms joined by gaps alone lie around one bend of the walls: their number grows as the root of the radius does.
    const double gaps = 2.0 + std::sqrt(cells.radius);
    const double own = cells.goal.kind == Goal::Kind::adjacent ? 3.0 : cells.goal.range;
    reach_ = own + kRoomDiagonal + gaps;
}

Vec2 HalfRegion::goal_beside(Vec2 place) const {
    return nearest_image(*cells_->state, place, cells_->goal.point);
}

bool HalfRegion::comes_near(Vec2 place) const {
    const Vec2 gap = goal_beside(place) - place;
    const double square = dot(gap, gap);
    if (square > reach_ * reach_) return false;
    // Within range and not in sight: what lies between the points is not looked for.
    return cells_->goal.kind != Goal::Kind::in_sight || square > cells_->goal.range * cells_->goal.range;
}

bool HalfRegion::place_in(HalfRoom room, Vec2& place) {
    const Vec2 middle = position_of(room) + Vec2{0.25, 0.25};
    HalfNearest nearest(walls_, cells_->radius, sight_);
    if (cells_->goal.kind == Goal::Kind::adjacent) return nearest.find(room, middle, 1.0, place);
    return nearest.find(room, goal_beside(middle), cells_->goal.range, place);
}

std::uint32_t HalfRegion::add(Vec2 place) {
    const std::size_t n = places_->size();
    if (n == kPlacesMax) return UINT32_MAX;
    if (!places_->push_back(place)) {
        out_of_memory_ = true;
        return UINT32_MAX;
    }
    cells_->goal_points = places_->span();
    return static_cast<std::uint32_t>(n);
}

std::span<const HalfRoom> HalfRegion::rooms(HalfPoint p, std::span<const HalfRoom> more) {
    rooms_.clear();
    bool good = true;
    for (std::int32_t c = 0; c < 4 && good; ++c) good = rooms_.push_back({p.i - (c & 1), p.j - (c >> 1)});
    for (std::size_t n = 0; n < more.size() && good; ++n) good = rooms_.push_back(more[n]);
    out_of_memory_ = out_of_memory_ || !good;
    return rooms_.span();
}

}  // namespace fairlead::grid
