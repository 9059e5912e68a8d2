// The peer of crowds: DetourCrowd as RecastDemo sets it up, with all its flags and its highest quality of avoidance.
#pragma once

#include <memory>
#include <string>

#include <fairlead/math/vec.h>

namespace fairlead::bench {

struct DetourCrowdUnits {
    double radius = 0.6;
    double speed = 3.5;
    double accel = 8.0;
};

class DetourCrowd {
  public:
    /// Of tiles as RecastDemo saves them (RecastBake::detour_set).
    DetourCrowd(const std::string& set, int units_max, const DetourCrowdUnits& units);
    DetourCrowd(const DetourCrowd&) = delete;
    DetourCrowd& operator=(const DetourCrowd&) = delete;
    ~DetourCrowd();

    /// Units are numbered from 0 in the order in which they come.
    void add(const Vec3& at);
    void send(int unit, const Vec3& goal);
    /// Units that are held stand, while their paths are searched.
    void hold(bool held);
    void update(double seconds);

    /// It has some path, perhaps the stub of 20 nodes that it gets at once; the whole one.
    [[nodiscard]] bool has_stub(int unit) const;
    [[nodiscard]] bool has_path(int unit) const;
    [[nodiscard]] Vec3 position(int unit) const;

  private:
    struct Work;
    std::unique_ptr<Work> work_;
};

}  // namespace fairlead::bench
