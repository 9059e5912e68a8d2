// Judges the tracks of `fairlead sim` by what a user sees: the file of units, the map, the lines. Knows nothing of the library.
//
// It holds each unit to its row (speed, acceleration, braking, lateral acceleration, turn rate, turning radius, gears, facings; who faces a
// way moves along it), its body to the map's walls and to the other bodies, and each state to what it means.
#pragma once

#include <string>
#include <vector>

namespace fairlead::testing {

/// 0: not given.
struct TrackUnit {
    int id = 0;
    double x = 0.0, y = 0.0, gx = 0.0, gy = 0.0;
    bool has_heading = false, has_goal_heading = false;
    double h = 0.0, gh = 0.0;  ///< degrees
    double radius = 0.0, length = 0.0, width = 0.0;
    double speed = 1.5, accel = 0.0, brake = 0.0, lateral_accel = 0.0, turn_rate = 0.0, turning_radius = 0.0;
    bool reverse = false;
    int facings = 0;
    double start_s = 0.0;

    [[nodiscard]] bool drives() const { return turning_radius > 0.0; }
    [[nodiscard]] bool is_box() const { return length > 0.0; }
    /// To the farthest point of the body.
    [[nodiscard]] double reach() const;
};

/// Cells, row by row; a wall is solid, and so is all around the map.
struct TrackMap {
    int width = 0;
    int height = 0;
    std::vector<char> wall;

    [[nodiscard]] bool is_wall(int x, int y) const {
        return x < 0 || y < 0 || x >= width || y >= height ||
               wall[static_cast<std::size_t>(y * width + x)] != 0;
    }
    /// The least distance from a line between two places to a wall, up to `reach`.
    [[nodiscard]] double room(double ax, double ay, double bx, double by, double reach) const;
    /// May something small go from one cell to the other, side by side?
    [[nodiscard]] bool joined(int ax, int ay, int bx, int by) const;
};

/// A rectangle of cells becomes wall or free, from the first tick that begins at `t` or later.
struct TrackEdit {
    double t = 0.0;
    int x0 = 0, y0 = 0, x1 = 0, y1 = 0;
    bool wall = false;
};

struct TrackScene {
    TrackMap map;
    std::vector<TrackUnit> units;
    std::vector<TrackEdit> edits;  ///< by time
    double rate = 60.0;
};

struct TrackVerdict {
    std::vector<std::string> faults;
    int arrived = 0;
    int stuck = 0;
    int unreachable = 0;
    int invalid = 0;
    int waited = 0;  ///< units that told `waiting` after they had moved
};

/// The text of a track with every tick in it.
[[nodiscard]] TrackVerdict judge_track(const TrackScene& scene, const std::string& track);

[[nodiscard]] std::string units_csv(const std::vector<TrackUnit>& units);

}  // namespace fairlead::testing
