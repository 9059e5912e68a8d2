#include "bridge/mesh_bridges.h"

#include <algorithm>
#include <cmath>

#include <fairlead/math/trig.h>

#include "bridge/mesh_lattice.h"
#include "bridge/ring_cells.h"
#include "drive/lattice/end_curves.h"

namespace fairlead::bridge {

using drive::ChainPose;
using drive::EndPose;
using drive::FreeCurve;
using drive::SheetPose;

namespace {

constexpr int kBridgeTries = 4;                          // words of each curve
constexpr std::size_t kLandings = 6;                     // from one corner
constexpr double kBesideCorner[] = {0.02, 0.25, 0.8};    // cells between the body's side and the corner
constexpr double kDetour = 2.0;                          // a curve costs no more than so many times the line, and a radius

}  // namespace

// A bridge that is being built.
struct MeshBridges::Trial {
    std::uint32_t state = 0;
    SheetPose pose{};  ///< where it has come to
    Gear gear = Gear::forward;
    double cost = 0.0;
    ChainPose part[kCornersMax];
    int parts = 0;
};

// From where the trial has come to, to a pose beside the corner, headed as the way bends.
bool MeshBridges::go_round(MeshLattice& lattice, Trial& trial, Vec2 before, Vec2 corner, Vec2 after) {
    const Vec2 in = corner - before, out = after - corner;
    const double in_size = length(in), out_size = length(out);
    if (in_size == 0.0 || out_size == 0.0) return false;
    const Vec2 along = in * (1.0 / in_size) + out * (1.0 / out_size);
    const double size = length(along);
    if (size < 1e-6) return false;
    const Vec2 ahead = along * (1.0 / size);
    const Vec2 off = cross(in, out) > 0.0 ? Vec2{ahead.y, -ahead.x} : Vec2{-ahead.y, ahead.x};
    const drive::CurveWorld& world = lattice.goal.curves;
    const double side = std::max(-world.body.core.low.y, world.body.core.high.y) + world.body.radius;
    for (const double beside : kBesideCorner) {
        SheetPose to;
        to.position = corner + off * (side + beside);
        to.heading_rad = math::atan2(ahead.y, ahead.x);
        to.sheet = drive::kAnySheet;
        FreeCurve curve;
        const double limit = kDetour * (distance(trial.pose.position, to.position) + world.radius);
        if (!world.find(trial.pose, trial.gear, to, limit * lattice.sweep.prices().ratio, kBridgeTries, curve))
            continue;
        trial.part[trial.parts++] = {trial.pose, curve};
        trial.cost += curve.cost;
        to.sheet = curve.sheet;
        trial.pose = to;
        trial.gear = curve.last;
        return true;
    }
    return false;
}

void MeshBridges::keep(MeshLattice& lattice, const Trial& trial, const FreeCurve& last, std::uint32_t to) {
    const double cost = (trial.cost + last.cost) * static_cast<double>(lattice.cell());
    const auto first = static_cast<std::uint32_t>(curves_.size());
    for (int i = 0; i < trial.parts; ++i) failed_ = failed_ || !curves_.push_back(trial.part[i]);
    failed_ = failed_ || !curves_.push_back({trial.pose, last});
    const auto count = static_cast<std::uint32_t>(trial.parts + 1);
    failed_ = failed_ || !bridges_.push_back({trial.state, to, static_cast<Cost>(cost + 0.5), first, count});
}

// Poses of the lattice around that are nearer to the goal than any before, and the goal itself.
void MeshBridges::land(MeshLattice& lattice, const Trial& trial) {
    const DriveTable& table = lattice.table();
    const drive::CurveWorld& world = lattice.goal.curves;
    const EndPose from{trial.pose, math::direction(trial.pose.heading_rad)};
    const auto x0 = static_cast<std::int32_t>(std::floor(trial.pose.position.x));
    const auto y0 = static_cast<std::int32_t>(std::floor(trial.pose.position.y));
    std::size_t landed = 0;
    const auto try_word = [&](std::int32_t x, std::int32_t y, std::int32_t h, const CurveWord& word, Gear gear) {
        std::uint32_t polygon = trial.pose.sheet;
        if (!lattice.sweep.is_free(polygon, trial.pose, table.turning_radius(), word)) return false;
        const std::uint32_t to = lattice.state_at(x, y, polygon, h, gear);
        if (to == kNoNode || lattice.ground_of(to) >= nearest_) return to == kNoNode;
        FreeCurve curve = drive::with_gears(word, gear);
        curve.plain = world.cost_of(word, trial.pose);
        curve.cost = curve.plain + (curve.first != trial.gear ? world.cusp_penalty : 0.0);
        curve.sheet = polygon;
        keep(lattice, trial, curve, to);
        ++landed;
        return true;
    };
    each_ring_cell(x0, y0, table.primitives().reach(), [&](std::int32_t x, std::int32_t y) {
        for (std::int32_t h = 0; h < table.headings() && landed < kLandings; ++h) {
            const EndPose to{table.node(x, y, h), heading_direction(table.headings(), h)};
            (void)drive::any_short_word(table, from, to, [&](const CurveWord& word, Gear gear) {
                return try_word(x, y, h, word, gear);
            });
        }
        return landed < kLandings && !lattice.failed();
    });
}

std::span<const MeshBridge> MeshBridges::find(MeshLattice& lattice, std::uint32_t state) {
    const std::size_t known = bridges_.size();
    Trial trial;
    trial.state = state;
    trial.pose = lattice.sheet_pose(state);
    trial.gear = lattice.pose_of(state).gear;
    const MeshFrame& frame = lattice.sweep.frame();
    Vec2 corner[kCornersMax + 1];
    const std::size_t corners = lattice.flood.way(trial.pose.sheet, frame.to_mesh(trial.pose.position), corner);
    for (std::size_t i = 0; i < corners; ++i) corner[i] = frame.in_cells(corner[i]);
    Vec2 before = trial.pose.position;
    for (std::size_t i = 0; i + 1 < corners && bridges_.size() == known; ++i) {
        if (!go_round(lattice, trial, before, corner[i], corner[i + 1])) break;
        before = corner[i];
        land(lattice, trial);
    }
    return bridges_.span().subspan(known);
}

const MeshBridge* MeshBridges::joining(std::uint32_t from, std::uint32_t to) const {
    const MeshBridge* found = nullptr;
    for (const MeshBridge& bridge : bridges_) {
        if (bridge.from == from && bridge.to == to && (found == nullptr || bridge.cost < found->cost))
            found = &bridge;
    }
    return found;
}

}  // namespace fairlead::bridge
