// OtherEstimate: what a search over the lattice expects of the rest of the way, where that is not the library's own bounds.
#pragma once

#include <algorithm>

#include <fairlead/drive/find_drive.h>

#include "drive/lattice/article_bound.h"
#include "drive/map/map_frame.h"

namespace fairlead::drive {

class OtherEstimate {
  public:
    OtherEstimate() = default;
    OtherEstimate(DriveHeuristic kind, const OwnHeuristic& own, const MapData& map,
                  const ArticleBound& article)
        : kind_(kind), own_(own), map_(&map), article_(&article) {}

    [[nodiscard]] DriveHeuristic kind() const { return kind_; }
    /// The article's table knows the goal's floor alone.
    [[nodiscard]] bool serves(bool on_goals_floor) const {
        return kind_ != DriveHeuristic::article || on_goals_floor;
    }
    /// Do routes have bounds?
    [[nodiscard]] bool is_bound() const {
        return kind_ == DriveHeuristic::own ? own_.consistent : kind_ != DriveHeuristic::article;
    }
    /// Cells. `reverse_penalty` 0: there is no reverse gear.
    [[nodiscard]] double by_article(Vec2 gap, double heading_rad, double reverse_penalty) const {
        const double ahead = article_->at(gap, heading_rad);
        if (reverse_penalty == 0.0) return ahead;
        return std::min(ahead, article_->at(gap, heading_rad + kPi) * reverse_penalty);
    }
    /// Cells, for a pose in cells.
    [[nodiscard]] double by_user(const Pose& at) const {
        const MapFrame frame(*map_);
        const Pose world = frame.to_world(at);
        const Place place{
            {world.position.x, world.position.y, 0.0}, world.heading_rad, frame.layer_at(at.position.y)};
        const double cells = own_.estimate(place, own_.user) / frame.size;
        if (!(cells > 0.0)) return 0.0;
        return std::min(cells, kMost);
    }

  private:
    // The open list's ring of buckets grows to the largest step of what is expected.
    static constexpr double kMost = 131072.0;

    DriveHeuristic kind_ = DriveHeuristic::bounds;
    OwnHeuristic own_{};
    const MapData* map_ = nullptr;
    const ArticleBound* article_ = nullptr;
};

}  // namespace fairlead::drive
