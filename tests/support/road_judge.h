// What units on roads must keep to, judged by plain geometry: bodies on the ground of roads, apart from each other, no faster than
// the road.
#pragma once

#include <string>
#include <vector>

#include <fairlead/fleet/fleet.h>
#include <fairlead/roadmap/roadmap.h>

namespace fairlead::testing {

/// An edge as the judge knows it: told by the test, not read from the roadmap.
struct JudgedRoad {
    Vec2 a{};
    Vec2 b{};
    double width = 0.0;
    double speed_max = kNoLimit;
    bool one_way = false;
};

struct RoadUnit {
    FleetId id{};
    Vec2 p{};
    double radius = 0.0;
    double speed_max = 0.0;
    double moved = 0.0;     ///< in a second, in the last update
    double furthest = 0.0;  ///< along the one-way road that it is on
    int on = -1;
    bool arrived = false;
};

class RoadJudge {
  public:
    RoadJudge(std::vector<JudgedRoad> roads, double brake) : roads_(std::move(roads)), brake_(brake) {}

    void add(const Fleet& fleet, FleetId id, double radius, double speed_max);
    /// After an update: what is wrong, or nothing.
    [[nodiscard]] std::string look(const Fleet& fleet, double seconds);
    [[nodiscard]] bool stands(Vec2 p, double radius) const;
    [[nodiscard]] bool all_arrived() const;
    [[nodiscard]] double nearest() const { return nearest_; }  ///< of pairs, in sums of radii
    [[nodiscard]] double backwards() const {
        return backwards_;
    }  ///< the most that anyone went against a one-way road
    /// Updates in which somebody was pushed onto a slower road, and braked.
    [[nodiscard]] int braked() const { return braked_; }
    [[nodiscard]] std::vector<JudgedRoad>& roads() { return roads_; }
    [[nodiscard]] const std::vector<RoadUnit>& units() const { return units_; }

  private:
    [[nodiscard]] bool covered(Vec2 p, double radius) const;
    [[nodiscard]] double limit_at(Vec2 p) const;
    void follow_one_way(RoadUnit& unit);

    std::vector<JudgedRoad> roads_;
    std::vector<RoadUnit> units_;
    double brake_;
    int braked_ = 0;
    double nearest_ = 1e9;
    double backwards_ = 0.0;
};

}  // namespace fairlead::testing
