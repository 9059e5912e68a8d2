// The world of a .3dscen scenario.

#include "cli/scen_volume.h"

#include <cmath>

#include <fmt/format.h>

#include <fairlead/formats/file.h>
#include <fairlead/formats/scenario.h>
#include <fairlead/verify/verify_volume.h>

#include "cli/failure.h"
#include "cli/limits.h"
#include "cli/solve.h"
#include "cli/volume_world.h"
#include "cli/world.h"
#include "measure/clock.h"

namespace fairlead::cli {

// A baked volume is asked as its voxels are: where they lie and how long they are is not in the scenario.
ScenVolume::ScenVolume(const std::string& map, const std::string& scen, const VolumeQuery& plain)
    : plain_(plain), path_(map) {
    const std::string text = read_file(scen);
    scenario_ = expect(scen, text, formats::load_voxel_scenario(text, file_limits()));
    if (world_kind(map) != WorldKind::volume)
        fail_at(map, "this is no volume, which a .3dscen file needs: a .3dmap file or a baked volume");
    map_ = load_voxels(map);
    if (const Result<void> good = formats::check_queries(scenario_, map_.size); !good)
        fail_file(scen, good.error(), text);
}

// The files name no bucket; in the flat ones it is the whole number of fours in the length.
std::string ScenVolume::places(std::size_t i) const {
    const formats::VoxelQuery& q = scenario_.queries[i];
    return fmt::format("{:.0f},{},{},{},{},{},{}", std::floor(std::fmax(q.optimal, 0.0) / 4.0), q.start.x,
                       q.start.y, q.start.z, q.goal.x, q.goal.y, q.goal.z);
}

std::uint64_t ScenVolume::restart() {
    volume_.reset();
    const std::uint64_t before = measure::thread_ns();
    Result<Volume> volume = Volume::make(map_.volume_options());
    const std::uint64_t after = measure::thread_ns();
    if (!volume) fail_at(path_, error_text(volume.error()).c_str());
    volume_.emplace(std::move(*volume));
    return after - before;
}

std::uint64_t ScenVolume::search(std::size_t i, Scratch& scratch, Route& route) const {
    const formats::VoxelQuery& asked = scenario_.queries[i];
    VolumeQuery query = plain_;
    query.start = volume_->state().centre(asked.start);
    query.goal = Goal(volume_->state().centre(asked.goal));
    const Result<std::uint64_t> ns = timed_search(*volume_, query, scratch, route);
    if (!ns) fail_at(fmt::format("the query of line {}", asked.line), volume_error_text(ns.error()));
    return *ns;
}

bool ScenVolume::is_legal(const Route& route) const { return !verify(route, *volume_, plain_.agent); }

bool ScenVolume::agrees(std::size_t i, const Route& route, double length) const {
    const formats::VoxelQuery& asked = scenario_.queries[i];
    if (asked.optimal == formats::kNoRoute || length == formats::kNoRoute) return asked.optimal == length;
    const bool is_published = route.bound == 1.0 && plain_.neighbours == VoxelNeighbours::twenty_six;
    return !is_published || std::fabs(length - asked.optimal) <= formats::printed_tolerance(asked);
}

}  // namespace fairlead::cli
