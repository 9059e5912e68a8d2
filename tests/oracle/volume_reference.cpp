// A node's way leads from its parent's middle, if that sees it; else from the neighbour that found it.
#include "oracle/volume_reference.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <queue>
#include <tuple>

#include "oracle/volume_graph.h"
#include "oracle/volume_room.h"

namespace fairlead::oracle {

namespace {

struct Open {
    double key;
    std::size_t voxel;
    friend bool operator>(const Open& a, const Open& b) {
        return std::tie(a.key, a.voxel) > std::tie(b.key, b.voxel);
    }
};

constexpr double kNever = 1e300;
constexpr double kGain = 1e-5;
constexpr int kRounds = 60;

/// One bend between two points that stay.
class Bend {
  public:
    Bend(const VolumeDense& world, Vec3 a, Vec3 b) : world_(world), a_(a), b_(b) {}

    [[nodiscard]] double length_by(Vec3 p) const { return distance(a_, p) + distance(p, b_); }
    [[nodiscard]] bool seen(Vec3 p) const {
        return clear_of_all(world_, a_, p) && clear_of_all(world_, p, b_);
    }

    /// Moves p by ever smaller steps, towards the line from a to b and along the axes and their diagonals.
    void move(Vec3& p) const {
        const double side = std::min({world_.voxel.x, world_.voxel.y, world_.voxel.z});
        for (double step = 2.0 * side; step > side / 512.0; step /= 2.0) {
            for (bool moved = true; moved;) moved = try_step(p, step);
        }
    }

  private:
    [[nodiscard]] bool better(Vec3& p, Vec3 to) const {
        if (length_by(to) >= length_by(p) - 1e-9 || !seen(to)) return false;
        p = to;
        return true;
    }
    [[nodiscard]] bool try_step(Vec3& p, double step) const {
        const Vec3 line = b_ - a_;
        const double along = std::clamp(dot(p - a_, line) / std::max(dot(line, line), 1e-30), 0.0, 1.0);
        const Vec3 off = a_ + line * along - p;
        if (const double far = length(off); far > 0.0 && better(p, p + off * std::min(1.0, step / far)))
            return true;
        for (int i = 0; i < 27; ++i) {
            const Vec3 by{static_cast<double>(i % 3 - 1), static_cast<double>(i / 3 % 3 - 1),
                          static_cast<double>(i / 9 - 1)};
            if (i != 13 && better(p, p + by * step)) return true;
        }
        return false;
    }

    const VolumeDense& world_;
    Vec3 a_, b_;
};

void drop_bends(const VolumeDense& world, std::vector<Vec3>& points) {
    for (std::size_t i = 1; i + 1 < points.size();) {
        if (clear_of_all(world, points[i - 1], points[i + 1])) {
            points.erase(points.begin() + static_cast<std::ptrdiff_t>(i));
            if (i > 1) --i;
        } else {
            ++i;
        }
    }
}

/// A corner becomes two: cut off at a share of its sides.
void cut_corners(const VolumeDense& world, std::vector<Vec3>& points) {
    for (std::size_t i = 1; i + 1 < points.size(); ++i) {
        const Vec3 p = points[i];
        for (const double share : {0.5, 0.25, 0.1, 0.03}) {
            const Vec3 before = p + (points[i - 1] - p) * share;
            const Vec3 after = p + (points[i + 1] - p) * share;
            const double gain = distance(before, p) + distance(p, after) - distance(before, after);
            if (gain < 1e-7 || !clear_of_all(world, before, after)) continue;
            points[i] = before;
            points.insert(points.begin() + static_cast<std::ptrdiff_t>(i) + 1, after);
            ++i;
            break;
        }
    }
}

}  // namespace

double VolumeWay::length() const {
    double sum = 0.0;
    for (std::size_t i = 1; i < points.size(); ++i) sum += distance(points[i - 1], points[i]);
    return sum;
}

VolumeWay theta_star(const VolumeDense& world, Voxel from, Voxel to) {
    VolumeWay way;
    if (!world.is_free(from) || !world.is_free(to)) return way;
    const VolumeGraph graph(world);
    const std::size_t first = world.index(from);
    const std::size_t last = world.index(to);
    std::vector<double> known(world.solid.size(), kNever);
    std::vector<std::size_t> parent(world.solid.size(), first);
    std::vector<bool> closed(world.solid.size());
    std::priority_queue<Open, std::vector<Open>, std::greater<>> heap;
    const Vec3 goal = world.centre(to);
    known[first] = 0.0;
    heap.push({distance(world.centre(from), goal), first});
    while (!heap.empty() && !closed[last]) {
        const std::size_t at = heap.top().voxel;
        heap.pop();
        if (closed[at]) continue;
        closed[at] = true;
        const Voxel voxel = world.at(at);
        for (const Voxel& by : graph.steps()) {
            if (!graph.step_free(voxel, by)) continue;
            const Voxel next{voxel.x + by.x, voxel.y + by.y, voxel.z + by.z};
            const std::size_t there = world.index(next);
            if (closed[there]) continue;
            const Vec3 p = world.centre(next);
            const Vec3 old = world.centre(world.at(parent[at]));
            std::size_t through = parent[at];
            double g = known[parent[at]] + distance(old, p);
            if (g >= known[there]) continue;  // no way through here is shorter
            if (!clear_of_all(world, old, p)) {
                through = at;
                g = known[at] + distance(world.centre(voxel), p);
                if (g >= known[there]) continue;
            }
            known[there] = g;
            parent[there] = through;
            heap.push({g + distance(p, goal), there});
        }
    }
    if (!closed[last]) return way;
    for (std::size_t at = last; at != first; at = parent[at])
        way.points.push_back(world.centre(world.at(at)));
    way.points.push_back(world.centre(from));
    std::reverse(way.points.begin(), way.points.end());
    return way;
}

void relax(const VolumeDense& world, VolumeWay& way) {
    double before = way.length();
    for (int round = 0; round < kRounds; ++round) {
        drop_bends(world, way.points);
        for (std::size_t i = 1; i + 1 < way.points.size(); ++i)
            Bend(world, way.points[i - 1], way.points[i + 1]).move(way.points[i]);
        drop_bends(world, way.points);
        cut_corners(world, way.points);
        const double after = way.length();
        if (before - after < kGain * after) break;
        before = after;
    }
    drop_bends(world, way.points);
}

VolumeWay reference_way(const VolumeDense& world, Voxel from, Voxel to) {
    VolumeWay way = theta_star(world, from, to);
    relax(world, way);
    return way;
}

}  // namespace fairlead::oracle
