// Volumes as WORLD.

#include "cli/volume_world.h"

#include <optional>
#include <set>

#include <fmt/format.h>

#include <fairlead/base/baked.h>
#include <fairlead/formats/names.h>
#include <fairlead/volume/save_volume.h>

#include "cli/baked.h"
#include "cli/failure.h"
#include "cli/flags.h"
#include "cli/limits.h"
#include "cli/text.h"

namespace fairlead::cli {

namespace {

std::string volume_planner_words() {
    std::string words = "auto";
    for (int i = 0; i < static_cast<int>(VolumePlanner::count_); ++i)
        words += fmt::format(", {}", planner_name(static_cast<VolumePlanner>(i)));
    return words + ", astar6, astar18, astar26";
}

VoxelNeighbours to_neighbours(int count) {
    if (count == 6) return VoxelNeighbours::six;
    if (count == 18) return VoxelNeighbours::eighteen;
    if (count != 26) fail(fmt::format("--neighbours: {} is not 6, 18 or 26, as volumes have", count));
    return VoxelNeighbours::twenty_six;
}

VolumeHeuristic to_heuristic(const std::string& word) {
    if (word == "manhattan") return VolumeHeuristic::manhattan;
    if (word != "euclidean") fail_word("--heuristic", word, "manhattan, euclidean, as volumes have");
    return VolumeHeuristic::euclid;
}

// "astar26" is astar with 26 neighbours.
void read_planner(VolumeQuery& query, const PlannerFlags& planner) {
    std::optional<int> neighbours = planner.neighbours();
    std::string name = planner.name();
    for (const int count : {6, 18, 26}) {
        if (name != fmt::format("astar{}", count)) continue;
        if (neighbours) fail(fmt::format("--neighbours: {} says it", name));
        neighbours = count;
        name = "astar";
    }
    query.planner = to_word("--planner", name, formats::volume_planner_from_name, volume_planner_words());
    const bool from_voxel_to_voxel = query.planner != VolumePlanner::any_angle;
    if (neighbours) {
        if (!from_voxel_to_voxel) fail("--neighbours: any_angle has none");
        query.neighbours = to_neighbours(*neighbours);
    }
    if (const std::optional<std::string> heuristic = planner.heuristic()) {
        if (query.planner != VolumePlanner::astar && query.planner != VolumePlanner::greedy_best_first)
            fail(fmt::format("--heuristic: {} reads none", planner_name(query.planner)));
        query.heuristic = to_heuristic(*heuristic);
    }
}

struct Components {
    const VolumeState& state;
    std::set<std::uint32_t> seen;

    void add(Voxel v) {
        if (const std::uint32_t c = state.component(v); c != VolumeState::kNoComponent) seen.insert(c);
    }
    // Of the voxels of a brick and those beside it.
    void add_brick(const VoxelBrick& brick) {
        const Voxel low{4 * brick.x, 4 * brick.y, 4 * brick.z};
        for (std::int32_t i = 0; i < 64; ++i) add({low.x + i % 4, low.y + i / 4 % 4, low.z + i / 16});
        for (std::int32_t i = 0; i < 16; ++i) {
            const std::int32_t a = i % 4;
            const std::int32_t b = i / 4;
            for (const std::int32_t side : {-1, 4}) {
                add({low.x + side, low.y + a, low.z + b});
                add({low.x + a, low.y + side, low.z + b});
                add({low.x + a, low.y + b, low.z + side});
            }
        }
    }
};

}  // namespace

Volume load_baked_volume(const std::string& path, const std::string& text) {
    Result<Volume> volume = load_volume(bytes_of(text));
    if (!volume) fail_at(path, baked_error_text(volume.error()));
    return std::move(*volume);
}

formats::VoxelMap load_voxels(const std::string& path) {
    const std::string text = read_file(path);
    if (baked_kind(text) != kBakedVolume)
        return expect(path, text, formats::load_voxel_map(text, file_limits()));
    return expect(path, {}, formats::make_voxel_map(load_baked_volume(path, text)));
}

Volume load_volume_file(const std::string& path) {
    const std::string text = read_file(path);
    if (baked_kind(text) == kBakedVolume) return load_baked_volume(path, text);
    const formats::VoxelMap map = expect(path, text, formats::load_voxel_map(text, file_limits()));
    return expect(path, {}, Volume::make(map.volume_options()));
}

Volume load_volume_world(const WorldFlags& world) {
    if (!world.heights().empty()) fail("--heights: for .mesh files only");
    if (world.has_terrain()) fail("--terrain: for tile maps only");
    world.refuse_closed_parts();
    return load_volume_file(world.path());
}

VolumeQuery volume_query(const Agent& agent, const PlannerFlags& planner) {
    planner.refuse_off_tiles("in volumes", {"--no-smooth", "--neighbours", "--heuristic", "--reach"});
    if (agent.turning_radius > 0.0)
        fail("--turning-radius: not in this version: in volumes `route` and `batch` alone plan for it");
    VolumeQuery query;
    read_planner(query, planner);
    query.agent = agent;
    query.smooth = planner.smooths();
    query.partial = planner.partial();
    query.reach = planner.reach().value_or(0.0);
    query.expansions_max = planner.budget();
    return query;
}

std::string volume_error_text(const Error& error) {
    if (error.code == ErrorCode::incompatible)
        return "volumes take spheres and upright capsules: no --footprint";
    if (error.code == ErrorCode::unsupported && error.field == Field::agent_radius)
        return "--radius: with this planner at most half of a voxel's shortest side";
    if (error.code == ErrorCode::unsupported && error.field == Field::agent_height)
        return "--height: with this planner at most a voxel's";
    if (error.code == ErrorCode::out_of_range && error.field == Field::agent_radius)
        return "--radius: of a unit with a --height at least 1/1024 of a voxel's shortest side";
    if (error.code == ErrorCode::unsupported && error.field == Field::planner)
        return "--planner: it numbers voxels, which takes fewer than 2^32 of them";
    if (error.field == Field::areas)
        return fmt::format("--danger, --current: number {} of them, dangers first: {}", error.index + 1,
                           error_text(error.code));
    if (error.code == ErrorCode::unsupported) return "this version does not plan for such a unit in volumes";
    return flag_error_text(error);
}

// Free space beside no solid voxel at all is the whole volume.
std::size_t count_components(const VolumeState& volume) {
    if (volume.solid_voxels() == 0) return 1;
    Components found{volume, {}};
    volume.each_brick(
        [](const VoxelBrick& brick, void* user) { static_cast<Components*>(user)->add_brick(brick); },
        &found);
    return found.seen.size();
}

}  // namespace fairlead::cli
