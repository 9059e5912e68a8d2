// A way on the ground first, then a corridor along it.
//
// The way is searched on the plane of a core (ground_plane.h): it leads into no gap that the unit cannot drive through, where the
// distance over free cells would have the search fill the difference with poses. The corridor is the plane's cells within kAside of it,
// and all free ones around the ends. The search keeps to it; if there is no path in it, it looks everywhere.
//
// A lower bound for all ways, in the corridor or not, is a length on the ground over all free cells times DriveTable::ground_factor. (Not
// that on the plane, even between poses of the core: the curve to the goal may pass where no move of the lattice does.) That
// takes a second search. A start off the lattice may be some cells nearer than its own cell, by the ground between the two: as found in a
// box around it, and by less than 1.98 L + 7 after a curve of length L, which passes at most sqrt 2 L + 5 cells (ground_goals.h), each a
// step of at most 1.4. The curve's own length comes on top.
#include <algorithm>
#include <cmath>

#include "drive/lattice/drive_work.h"
#include "drive/lattice/end_work.h"
#include "drive/map/map_frame.h"

#include "drive/ground/ground_goals.h"
#include "drive/ground/near_ground.h"

namespace fairlead::drive {

namespace {

constexpr std::int32_t kAside = 10;       // cells, at least
constexpr std::int32_t kAround = 16;      // an end
constexpr std::uint32_t kShort = 48;      // cells: shorter ways need no corridor
constexpr std::size_t kGoalsMost = 4096;  // cells of the goal
constexpr std::int32_t kNearCells = 256;  // of the ground around the start, looked at in one unit

GroundCell cell_of(Vec2 at) {
    return {static_cast<std::int32_t>(std::floor(at.x)), static_cast<std::int32_t>(std::floor(at.y))};
}

bool is_in(const CoreLinks& links, std::uint32_t bit) { return (links.reaches & links.reached & bit) != 0; }

}  // namespace

GroundCell EndWork::start_cell() const {
    return cell_of(MapFrame(*map_).in_cells(query_.start, query_.start_layer).position);
}

// Of a core that some start leads to, and that leads to the goal; both are near cells of its plane.
bool EndWork::choose_plane() {
    const LatticeGoal& goal = work_->goal;
    const GroundBits free = map_->free_cells();
    const GroundCell from = start_cell();
    const GroundCell to = cell_of(goal.centre);
    if (!free.free(from.x, from.y) || !free.free(to.x, to.y)) return false;
    std::uint32_t leads = 0;
    std::uint32_t all = UINT32_MAX;
    for (const LatticeStart& start : work_->starts) {
        const CoreLinks links = map_->links(start.pose);
        leads |= links.reaches;
        all &= links.reaches & links.reached;
    }
    for (plane_ = 0; plane_ < map_->planes().cores(); ++plane_) {
        const std::uint32_t bit = 1U << map_->planes().core(plane_);
        if ((leads & bit) == 0) continue;
        const GroundBits cells = map_->planes().of(plane_).rows;
        exact_ = (all & bit) != 0 && goal.on_lattice && is_in(map_->links(goal.nearest), bit);
        if (exact_) {
            near_start_ = {work_->starts[0].pose.x, work_->starts[0].pose.y};
            near_goal_ = {goal.nearest.x, goal.nearest.y};
            exact_ = std::all_of(work_->starts.begin(), work_->starts.end(), [&](const LatticeStart& start) {
                return start.pose.x == near_start_.x && start.pose.y == near_start_.y &&
                       start.word.count == 0;
            });
        }
        if (exact_ || (nearest_on_plane(cells, free, from, kAround, near_start_) &&
                       nearest_on_plane(cells, free, to, kAround, near_goal_)))
            return true;
    }
    return false;
}

bool EndWork::begin_way() {
    if (map_->planes().empty() || work_->goal.targets == 0 || !choose_plane()) return false;
    const double far =
        std::max(std::abs(near_start_.x - near_goal_.x), std::abs(near_start_.y - near_goal_.y));
    if (far < kShort) return false;
    work_->way.clear();
    if (!work_->way.add_goal(near_goal_.x, near_goal_.y, 0) || !work_->corridor.begin(map_->free_cells())) {
        failed_ = true;
        return false;
    }
    work_->way.begin(map_->planes().of(plane_), near_start_);
    marked_ = 0;
    return true;
}

void EndWork::find_way() {
    if (work_->way.step()) return;
    failed_ = work_->way.failed();
    if (work_->way.found()) {
        stage_ = Stage::mark;
    } else {
        grow_on(map_->free_cells());
    }
}

// A line of the way, then the ends.
void EndWork::mark_way() {
    const DriveTable& table = map_->table();
    const std::span<const GroundCell> turns = work_->way.turns();
    Corridor& corridor = work_->corridor;
    const std::int32_t aside = std::max(kAside, static_cast<std::int32_t>(2.0 * table.turning_radius()));
    if (marked_ + 1 < turns.size()) {
        const GroundBits cells = map_->planes().of(plane_).rows;
        failed_ = !corridor.add_line(cells, turns[marked_], turns[marked_ + 1], aside);
        ++marked_;
        return;
    }
    const std::int32_t around =
        std::max(kAround, static_cast<std::int32_t>(work_->goal.reach) + table.primitives().reach());
    failed_ = !corridor.add_box(map_->free_cells(), turns.front(), around) ||
              !corridor.add_box(map_->free_cells(), turns.back(), around);
    work_->in_corridor = true;
    begin_least();
}

void EndWork::begin_least() {
    GroundWay& way = work_->way;
    const GroundBits free = map_->free_cells();
    way.clear();
    failed_ = !add_ground_goals(free, map_->table(), work_->goal, way);
    if (failed_) return;
    if (way.sources() == 0 || way.sources() > kGoalsMost) return begin_everywhere();
    const GroundCell from = start_cell();
    way.begin(map_->planes().free(free), from);
    stage_ = Stage::least;
}

void EndWork::begin_near() {
    const GroundCell from = start_cell();
    work_->near.begin(from.x, from.y,
                      3 * static_cast<std::int32_t>(map_->table().turning_radius()) + kAround);
    work_->near.add(from.x, from.y, 0);
    stage_ = Stage::near;
}

void EndWork::grow_near() {
    if (!work_->near.grow(map_->free_cells(), map_->table().ground_corner(), kNearCells)) return;
    const double ground = static_cast<double>(work_->way.distance()) / kGroundStraight;
    work_->least = std::max(0.0, ground * map_->table().ground_factor() + least_before_lattice());
    begin_corridor();
}

// What the curves from the start to the lattice cost at least, against the ground between the start's cell and the lattice's, which is
// not gone over again: of the start for which that is least.
double EndWork::least_before_lattice() const {
    const DriveTable& table = map_->table();
    const NearGround& near = work_->near;
    double least = 1e300;
    for (const LatticeStart& start : work_->starts) {
        const double length = start.word.count > 0 ? start.word.length * table.turning_radius() : 0.0;
        double ground = 1.98 * length + 7.0;
        if (near.has(start.pose.x, start.pose.y))
            ground = std::min(ground, near.at(start.pose.x, start.pose.y) / (1.0 * kGroundStraight));
        least = std::min(least, length - ground * table.ground_factor());
    }
    return least;
}

void EndWork::find_least() {
    if (work_->way.step()) return;
    failed_ = work_->way.failed();
    work_->way.found() ? begin_near() : begin_corridor();
}

void EndWork::begin_corridor() {
    // Of a bound that is not known the search would not be content with what it finds.
    if (failed_ || work_->least <= 0.0) return begin_everywhere();
    grow_on(work_->corridor.cells());
}

}  // namespace fairlead::drive
