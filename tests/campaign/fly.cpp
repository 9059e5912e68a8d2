// Turning units in space, against a flood of finer poses: 48^3 boxes of asteroids and of tunnels, turning radius 3
// and 6 voxels, climb 30 degrees.
//
//     fly [--queries 1000] [--seed 1] [--oracle 1] [--radius 0.4] [--limit 8000] [--show 0] [--answers FILE]
//
// --oracle 0: no flood, times alone. --show 1: a line for each query that one finds and the other does not.
// --answers: the flood's answers are read from there, one a line, or written there if there are none: it takes
// minutes.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

#include <fairlead/fly/find_fly.h>
#include <fairlead/formats/file.h>
#include <fairlead/formats/triangles.h>
#include <fairlead/formats/voxel_map.h>
#include <fairlead/verify/verify_volume.h>
#include <fairlead/volume_bake/volume_bake.h>

#include "campaign/flags.h"
#include "oracle/fly_oracle.h"
#include "support/environment.h"
#include "support/fly_worlds.h"
#include "support/volumes.h"

using namespace fairlead;
using namespace fairlead::testing;

namespace {

constexpr std::int32_t kSide = 48;

double processor_ms() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) * 1e-6;
}

struct Options {
    int queries = 1000;
    std::uint64_t seed = 1;
    bool oracle = true;
    bool show = false;
    double radius = 0.4;
    std::uint64_t limit = FlyQuery{}.expansions_max;
    std::string answers{};
};

/// Of the flood, by query: 0 found, 1 none, 2 gave up; -1 not known.
std::vector<int> answers;

struct Tally {
    int queries = 0, complete = 0, unreachable = 0, illegal = 0;
    int flood_found = 0, flood_gave_up = 0, both = 0, more = 0, confirmed = 0;
    double cost = 0.0;
    std::vector<double> ms{};

    void print(const char* name) {
        if (queries == 0) return;
        std::sort(ms.begin(), ms.end());
        double sum = 0.0;
        for (const double t : ms) sum += t;
        std::printf(
            "%-16s %5d queries: %d complete, %d unreachable, %d illegal; mean %.3f ms, median %.3f, p99 "
            "%.2f, max %.2f\n",
            name, queries, complete, unreachable, illegal, sum / queries, ms[ms.size() / 2],
            ms[ms.size() * 99 / 100], ms.back());
        if (flood_found > 0) {
            std::printf(
                "%-16s flood: found %d (gave up %d); of these the planner %d = %.2f %%; the planner alone "
                "%d;\n",
                "", flood_found, flood_gave_up, both, 100.0 * both / flood_found, more);
            std::printf("%-16s of the others a flood of steps half as long finds %d to the very goal\n", "",
                        confirmed);
        }
    }
};

oracle::VolumeDense dense_from(const VolumeState& volume) {
    oracle::VolumeDense world(volume.size());
    for (std::size_t i = 0; i < world.solid.size(); ++i) world.solid[i] = volume.is_free(world.at(i)) ? 0 : 1;
    return world;
}

bool load_tunnels(oracle::VolumeDense& world) {
    const std::string path = data_path("voxels/tunnels-256.3dmap.gz");
    if (path.empty()) return false;
    const Result<std::string> text = formats::load_file(path);
    const Result<formats::VoxelMap> map = formats::load_voxel_map(*text);
    const Result<Volume> made = Volume::make(map->volume_options());
    world = dense_from(*made);
    return true;
}

bool load_asteroids(oracle::VolumeDense& world) {
    const std::string path = data_path("meshes/made/asteroids.obj");
    if (path.empty()) return false;
    const Result<std::string> text = formats::load_file(path);
    const Result<formats::TriangleFile> file = formats::load_obj(*text);
    const TriangleSoup soup{.vertices = file->vertices, .triangles = file->triangles};
    Vec3 low{1e300, 1e300, 1e300}, high{-1e300, -1e300, -1e300};
    for (const Vec3& p : file->vertices) {
        low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    }
    const double side = std::max({high.x - low.x, high.y - low.y, high.z - low.z}) / 192.0;
    const Result<Volume> made =
        bake::volume(soup, {.voxel_size = {side, side, side}, .fill = bake::VolumeFill::inside});
    if (!made) return false;
    world = dense_from(*made);
    return true;
}

oracle::FlyAnswer flood(const Options& options, int i, const oracle::FlyFlood& how, const Place& start,
                        const Place& goal) {
    const auto at = static_cast<std::size_t>(i);
    if (answers.size() <= at) answers.resize(at + 1, -1);
    if (answers[at] < 0) {
        answers[at] = static_cast<int>(oracle::flood_poses(how, start, goal));
        if (!options.answers.empty()) {
            std::FILE* file = std::fopen(options.answers.c_str(), "a");
            std::fprintf(file, "%d %d\n", i, answers[at]);
            std::fclose(file);
        }
    }
    return static_cast<oracle::FlyAnswer>(answers[at]);
}

void read_answers(const std::string& path) {
    std::FILE* file = path.empty() ? nullptr : std::fopen(path.c_str(), "r");
    if (file == nullptr) return;
    int i = 0, answer = 0;
    while (std::fscanf(file, "%d %d", &i, &answer) == 2) {
        const auto at = static_cast<std::size_t>(i);
        if (answers.size() <= at) answers.resize(at + 1, -1);
        answers[at] = answer;
    }
    std::fclose(file);
}

void ask(const Options& options, int i, const char* name, const oracle::VolumeDense& world, Rng& rng,
         Scratch& scratch, Tally& tally) {
    FlyQuery query;
    const double turning = rng.below(2) == 0 ? 3.0 : 6.0;
    if (!draw_flight(rng, world, options.radius, turning, query)) return;
    query.expansions_max = options.limit;
    const Volume volume = make_volume(world);
    Route route;
    const double before = processor_ms();
    const Result<void> done = find_route_into(volume, query, scratch, route);
    const double took = processor_ms() - before;
    ++tally.queries;
    tally.ms.push_back(took);
    std::string wrong = done ? wrong_flight(query, route) : "error";
    const Violation bad = verify(route, volume, query.agent);
    if (bad) wrong = bad.text().c_str();
    if (!wrong.empty()) {
        ++tally.illegal;
        std::printf("WRONG (%s): %s\n", name, wrong.c_str());
    }
    const bool complete = route.status == PathStatus::complete;
    tally.complete += complete ? 1 : 0;
    tally.unreachable += route.status == PathStatus::unreachable ? 1 : 0;
    if (!options.oracle) return;
    const oracle::FlyFlood how{
        .world = &world, .radius = options.radius, .turning_radius = turning, .climb_rad = kPi / 6.0};
    const Place start{query.start.position, query.start.heading_rad, 0},
        goal{query.goal.at.position, query.goal.at.heading_rad, 0};
    const oracle::FlyAnswer answer = flood(options, i, how, start, goal);
    const bool found = answer == oracle::FlyAnswer::found;
    tally.flood_found += found ? 1 : 0;
    tally.flood_gave_up += answer == oracle::FlyAnswer::gave_up ? 1 : 0;
    tally.both += found && complete ? 1 : 0;
    tally.more += !found && complete ? 1 : 0;
    if (found && !complete) {
        oracle::FlyFlood finer = how;
        finer.cell = 0.25;
        finer.headings = 48;
        finer.near_will_do = false;
        finer.poses_max = 400000;
        tally.confirmed += oracle::flood_poses(finer, start, goal) == oracle::FlyAnswer::found ? 1 : 0;
    }
    if (options.show && (found != complete)) {
        std::printf(
            "%s: %s turning %.0f from %.2f %.2f %.2f heading %.2f to %.2f %.2f %.2f heading %.2f: %s, %llu "
            "expanded, %.1f ms\n",
            found ? "missed" : "alone", name, turning, start.position.x, start.position.y, start.position.z,
            start.heading_rad, goal.position.x, goal.position.y, goal.position.z, goal.heading_rad,
            status_name(route.status), static_cast<unsigned long long>(route.stats.expanded), took);
        std::fflush(stdout);
    }
}

}  // namespace

int main(int count, char** words) {
    Options options;
    const bool good = read_flags(count, words, [&](const std::string& flag, const char* value) {
        if (flag == "--queries") options.queries = std::atoi(value);
        if (flag == "--seed") options.seed = std::strtoull(value, nullptr, 10);
        if (flag == "--oracle") options.oracle = std::atoi(value) != 0;
        if (flag == "--show") options.show = std::atoi(value) != 0;
        if (flag == "--radius") options.radius = std::atof(value);
        if (flag == "--answers") options.answers = value;
        if (flag == "--limit") options.limit = std::strtoull(value, nullptr, 10);
        return flag.rfind("--", 0) == 0;
    });
    if (!good) return 2;
    read_answers(options.answers);
    oracle::VolumeDense wholes[2];
    const bool there[2] = {load_asteroids(wholes[0]), load_tunnels(wholes[1])};
    const char* const names[4] = {"asteroids", "tunnels", "asteroids.obj", "tunnels-256"};
    Tally tallies[4];
    Scratch scratch;
    for (int i = 0; i < options.queries; ++i) {
        Rng rng(options.seed * 1000003 + static_cast<std::uint64_t>(i));
        const int which = i % 4;
        if (which >= 2 && !there[which - 2]) continue;
        const FlyWorld kind = which >= 2   ? FlyWorld::crop
                              : which == 1 ? FlyWorld::tunnels
                                           : FlyWorld::asteroids;
        const oracle::VolumeDense world =
            fly_world(rng, kind, which >= 2 ? &wholes[which - 2] : nullptr, kSide);
        ask(options, i, names[which], world, rng, scratch, tallies[which]);
    }
    Tally all;
    for (int i = 0; i < 4; ++i) {
        tallies[i].print(names[i]);
        all.queries += tallies[i].queries;
        all.complete += tallies[i].complete;
        all.unreachable += tallies[i].unreachable;
        all.illegal += tallies[i].illegal;
        all.flood_found += tallies[i].flood_found;
        all.flood_gave_up += tallies[i].flood_gave_up;
        all.both += tallies[i].both;
        all.more += tallies[i].more;
        all.confirmed += tallies[i].confirmed;
        all.ms.insert(all.ms.end(), tallies[i].ms.begin(), tallies[i].ms.end());
    }
    all.print("all");
    return all.illegal == 0 ? 0 : 1;
}
