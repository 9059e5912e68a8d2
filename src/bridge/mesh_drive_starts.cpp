// The exact poses of a query's start, joined to the poses of the lattice around it by short free curves.
#include <cmath>

#include <fairlead/math/trig.h>

#include "bridge/mesh_drive_run.h"
#include "bridge/ring_cells.h"
#include "drive/lattice/end_curves.h"

namespace fairlead::bridge {

using drive::EndPose;
using drive::FreeCurve;
using drive::SheetPose;

namespace {

constexpr double kSamePose = 1e-9;          // cells and radians within which a pose is the lattice's
constexpr std::size_t kMeshStartsMax = 64;  // short curves, the nearest poses first
constexpr int kStartWords = 48;

bool is_node_pose(const Pose& pose, const Pose& node) {
    const Vec2 gap = pose.position - node.position;
    return std::abs(gap.x) <= kSamePose && std::abs(gap.y) <= kSamePose &&
           std::abs(math::wrap_pi(pose.heading_rad - node.heading_rad)) <= kSamePose;
}

}  // namespace

bool MeshDriveRun::add_start(const CurveWord& word, std::int32_t x, std::int32_t y, std::uint32_t polygon,
                             std::int32_t heading, Gear gear, double cost) {
    const std::uint32_t state = lattice_.state_at(x, y, polygon, heading, gear);
    const auto fixed = static_cast<Cost>(cost * static_cast<double>(scale_.straight));
    return state != kNoNode && lattice_.starts.push_back({state, next_start_, word, fixed});
}

bool MeshDriveRun::list_starts() {
    const double offset = table_->node_offset();
    const Pose& pose = start_pose();
    const auto x = static_cast<std::int32_t>(std::floor(pose.position.x + 0.5 - offset));
    const auto y = static_cast<std::int32_t>(std::floor(pose.position.y + 0.5 - offset));
    const std::int32_t h = nearest_heading(table_->headings(), pose.heading_rad);
    if (is_node_pose(pose, table_->node(x, y, h))) {
        // Which gear it starts in is free.
        return add_start(CurveWord{}, x, y, start_pose().sheet, h, Gear::forward, 0.0) &&
               (!table_->options().agent.can_reverse ||
                add_start(CurveWord{}, x, y, start_pose().sheet, h, Gear::reverse, 0.0));
    }
    const std::size_t before = lattice_.starts.size();
    return list_short_starts(before) &&
           (lattice_.starts.size() - before >= drive::kFewEnds || list_all_starts());
}

bool MeshDriveRun::list_short_starts(std::size_t before) {
    const EndPose from{start_pose(), math::direction(start_pose().heading_rad)};
    const auto x0 = static_cast<std::int32_t>(std::floor(start_pose().position.x));
    const auto y0 = static_cast<std::int32_t>(std::floor(start_pose().position.y));
    bool good = true;
    each_ring_cell(x0, y0, table_->primitives().reach(), [&](std::int32_t x, std::int32_t y) {
        for (std::int32_t h = 0; h < table_->headings() && good; ++h) {
            const EndPose to{table_->node(x, y, h), heading_direction(table_->headings(), h)};
            (void)drive::any_short_word(*table_, from, to, [&](const CurveWord& word, Gear gear) {
                std::uint32_t polygon = start_pose().sheet;
                if (!lattice_.sweep.is_free(polygon, from.pose, table_->turning_radius(), word)) return false;
                const double cost = lattice_.goal.curves.cost_of(word, start_pose());
                good = add_start(word, x, y, polygon, h, gear, cost);
                return !good;
            });
        }
        return good && lattice_.starts.size() - before < kMeshStartsMax;
    });
    return good;
}

// Where few short curves are free, all words, and for units that pivot turn, line, turn.
bool MeshDriveRun::list_all_starts() {
    const auto x0 = static_cast<std::int32_t>(std::floor(start_pose().position.x));
    const auto y0 = static_cast<std::int32_t>(std::floor(start_pose().position.y));
    const auto rings = static_cast<std::int32_t>(drive::all_words_reach(*table_)) + 1;
    const std::size_t room = lattice_.starts.size() + kMeshStartsMax;
    bool good = true;
    each_ring_cell(x0, y0, rings, [&](std::int32_t x, std::int32_t y) {
        for (std::int32_t h = 0; h < table_->headings() && good; ++h) {
            const SheetPose to(table_->node(x, y, h), drive::kAnySheet);
            FreeCurve curve;
            if (!lattice_.goal.curves.find(start_pose(), Gear::forward, to, 1e300, kStartWords, curve))
                continue;
            good = add_start(curve.word, x, y, curve.sheet, h, curve.last, curve.plain);
        }
        return good && lattice_.starts.size() < room;
    });
    return good;
}

}  // namespace fairlead::bridge
