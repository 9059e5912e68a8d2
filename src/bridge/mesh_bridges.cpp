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

constexpr int kBridgeTries = 4;       // words of each curve
constexpr std::size_t kLandings = 6;  // from one corner
constexpr int kCurvesMax = 48;        // and so many times may be landed, of one bridge
constexpr int kLandingsMax = 4;
constexpr double kBesideCorner[] = {0.02, 0.25, 0.8};  // cells between the body's side and the corner
constexpr double kDetour = 2.0;  // a curve costs no more than so many times the line, and a radius

}  // namespace

// A bridge that is being built: where it has come to, and how.
struct MeshBridges::Trial {
    std::uint32_t state = 0;
    SheetPose pose{};
    Gear gear = Gear::forward;
    double cost = 0.0;
    ChainPose part[kCornersMax];
    int parts = 0;
    Vec2 corner[kCornersMax + 2];  ///< of the way of a point, from where it begins
    std::size_t corners = 0;
    int curves_left = 0;
    int landings_left = 0;
};

// Poses to go round a corner in: beside it, headed as the way bends, as it comes or as it leaves.
void MeshBridges::list_beside(const MeshLattice& lattice, const Trial& trial, std::size_t i, Beside& out) {
    const Vec2 corner = trial.corner[i];
    const Vec2 in = corner - trial.corner[i - 1], after = trial.corner[i + 1] - corner;
    const double in_size = length(in), out_size = length(after);
    out.count = 0;
    if (in_size == 0.0 || out_size == 0.0) return;
    const Vec2 comes = in * (1.0 / in_size), leaves = after * (1.0 / out_size);
    const bool left = cross(comes, leaves) > 0.0;
    const BodyCore& body = lattice.goal.curves.body;
    const double side = std::max(-body.core.low.y, body.core.high.y) + body.radius;
    for (const Vec2 along : {comes + leaves, comes, leaves}) {
        const double size = length(along);
        if (size < 1e-6) continue;
        const Vec2 ahead = along * (1.0 / size);
        const Vec2 off = left ? Vec2{ahead.y, -ahead.x} : Vec2{-ahead.y, ahead.x};
        for (const double beside : kBesideCorner) {
            const Pose pose{corner + off * (side + beside), math::atan2(ahead.y, ahead.x)};
            out.pose[out.count++] = SheetPose(pose, drive::kAnySheet);
        }
    }
}

// Depth first, from where the trial has come to, round the corners from the i-th on. True: it is done.
bool MeshBridges::go_round(MeshLattice& lattice, Trial& trial, std::size_t i) {
    if (i + 1 >= trial.corners) return false;
    const drive::CurveWorld& world = lattice.goal.curves;
    Beside beside;
    list_beside(lattice, trial, i, beside);
    for (int k = 0; k < beside.count && trial.curves_left > 0; ++k) {
        SheetPose to = beside.pose[k];
        FreeCurve curve;
        const double limit = kDetour * (distance(trial.pose.position, to.position) + world.radius);
        --trial.curves_left;
        if (!world.find(trial.pose, trial.gear, to, limit * lattice.sweep.prices().ratio, kBridgeTries,
                        curve))
            continue;
        to.sheet = curve.sheet;
        const ChainPose before{trial.pose, curve};
        const Gear gear = trial.gear;
        const double cost = trial.cost;
        trial.part[trial.parts++] = before;
        trial.pose = to;
        trial.gear = curve.last;
        trial.cost += curve.cost;
        if (land(lattice, trial) || go_round(lattice, trial, i + 1)) return true;
        --trial.parts;
        trial.pose = before.pose;
        trial.gear = gear;
        trial.cost = cost;
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

// On poses of the lattice around that are nearer to the goal than any before. False: on none.
bool MeshBridges::land(MeshLattice& lattice, Trial& trial) {
    if (trial.landings_left == 0) return false;
    --trial.landings_left;
    const DriveTable& table = lattice.table();
    const drive::CurveWorld& world = lattice.goal.curves;
    const EndPose from{trial.pose, math::direction(trial.pose.heading_rad)};
    const auto x0 = static_cast<std::int32_t>(std::floor(trial.pose.position.x));
    const auto y0 = static_cast<std::int32_t>(std::floor(trial.pose.position.y));
    std::size_t landed = 0;
    const auto try_word = [&](std::int32_t x, std::int32_t y, std::int32_t h, const CurveWord& word,
                              Gear gear) {
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
    return landed > 0;
}

std::span<const MeshBridge> MeshBridges::find(MeshLattice& lattice, std::uint32_t state) {
    const std::size_t known = bridges_.size();
    Trial trial;
    trial.state = state;
    trial.pose = lattice.sheet_pose(state);
    trial.gear = lattice.pose_of(state).gear;
    const MeshFrame& frame = lattice.sweep.frame();
    trial.curves_left = kCurvesMax;
    trial.landings_left = kLandingsMax;
    trial.corner[0] = trial.pose.position;
    const std::span<Vec2> rest(trial.corner + 1, kCornersMax + 1);
    trial.corners = 1 + lattice.flood.way(trial.pose.sheet, frame.to_mesh(trial.pose.position), rest);
    for (std::size_t i = 1; i < trial.corners; ++i) trial.corner[i] = frame.in_cells(trial.corner[i]);
    (void)go_round(lattice, trial, 1);
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
