// Volumes: memory, loading a cached one, edits; and the whole bake of a model. Processor time of one thread. Published maps, or worlds of
// our own.

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <fairlead/base/rng.h>
#include <fairlead/formats/file.h>
#include <fairlead/formats/triangles.h>
#include <fairlead/formats/voxel_map.h>
#include <fairlead/volume/save_volume.h>
#include <fairlead/volume_bake/volume_bake.h>

#include "suites/stopwatch.h"
#include "suites/suite.h"

namespace fairlead::bench {

namespace {

constexpr std::uint64_t kSource = 1;

/// The least of some runs, milliseconds.
template <class Run>
double least_ms(int rounds, const Run& run) {
    std::uint64_t least = UINT64_MAX;
    for (int i = 0; i < rounds; ++i) least = std::min(least, time_ns(run));
    return static_cast<double>(least) / 1e6;
}

void must(bool good, const std::string& what) {
    if (!good) throw std::runtime_error(what);
}

void measure_load(const std::string& name, const Volume& volume, Report& report) {
    const VolumeState& state = volume.state();
    const Voxel size = state.size();
    const double voxels = 1.0 * size.x * size.y * size.z;
    const auto bits = static_cast<double>(8 * state.memory().total());
    report.add(name, "bits a voxel", "memory and files", bits / voxels, "");
    Array<std::uint8_t> bytes;
    must(save_volume(state, bytes, kSource).has_value(), name);
    const VolumeKey key = volume_key(
        {.origin = state.origin(), .voxel_size = state.voxel_size(), .size = state.size()}, kSource);
    report.add(name, "file, MB", "memory and files", static_cast<double>(bytes.size()) / 1e6, "");
    const double load = least_ms(7, [&] { must(load_volume(bytes.span()).has_value(), name); });
    report.add(name, "verified load, ms", "memory and files", load, "");
    const double map = least_ms(7, [&] { must(map_trusted_volume(bytes.span(), key).has_value(), name); });
    report.add(name, "trusted, us", "memory and files", 1e3 * map, "");
}

// Boxes of 8^3 at free places, filled and cleared again; every one is a revision of its own, with exact components.
void measure_edits(const std::string& name, Volume& volume, int count, Report& report) {
    const Voxel size = volume.state().size();
    Rng rng(1);
    std::vector<double> times;
    for (int i = 0; i < count; ++i) {
        const std::int32_t x = rng.between(0, size.x - 9), y = rng.between(0, size.y - 9),
                           z = rng.between(0, size.z - 9);
        if (!volume.state().is_free({x + 4, y + 4, z + 4})) continue;
        const VoxelBox box{{x, y, z}, {x + 8, y + 8, z + 8}};
        for (const VolumeEdit& edit : {VolumeEdit::fill(box), VolumeEdit::clear(box)}) {
            bool good = false;
            times.push_back(static_cast<double>(time_ns([&] { good = volume.apply(edit).has_value(); })) /
                            1e3);
            must(good, name);
        }
    }
    std::sort(times.begin(), times.end());
    double sum = 0.0;
    for (const double t : times) sum += t;
    const auto n = static_cast<double>(times.size());
    report.add(name, "mean", "an edit of 8^3", sum / n, "us");
    report.add(name, "p50", "an edit of 8^3", times[times.size() / 2], "us");
    report.add(name, "p99", "an edit of 8^3", times[times.size() * 99 / 100], "us");
}

Volume load_map(const std::string& folder, const std::string& name) {
    const Result<std::string> text = formats::load_file(folder + "/voxels/" + name + ".3dmap.gz");
    must(text.has_value(), name);
    const Result<formats::VoxelMap> map = formats::load_voxel_map(*text);
    must(map.has_value(), name);
    Result<Volume> made = Volume::make(map->volume_options());
    must(made.has_value(), name);
    return std::move(*made);
}

Volume own_rocks(std::int32_t side) {
    Result<Volume> made = Volume::make({.size = {side, side, side}});
    must(made.has_value(), "rocks");
    Rng rng(3);
    std::vector<VolumeEdit> edits;
    for (std::int32_t i = 0; i < side; ++i) {
        const double x = rng.between(0.0, 1.0) * side, y = rng.between(0.0, 1.0) * side,
                     z = rng.between(0.0, 1.0) * side;
        edits.push_back(VolumeEdit::ball({x, y, z}, rng.between(2.0, 8.0)));
    }
    must(made->apply(edits).has_value(), "rocks");
    return std::move(*made);
}

Volume bake_asteroids(const formats::TriangleFile& file, std::int32_t side, Report& report) {
    Vec3 low = file.vertices[0];
    Vec3 high = low;
    for (const Vec3& p : file.vertices) {
        low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    }
    const double voxel = std::max({high.x - low.x, high.y - low.y, high.z - low.z}) / side * 1.0001;
    const Vec3 end{low.x + side * voxel, low.y + side * voxel, low.z + side * voxel};
    const bake::VolumeBakeOptions options{
        .voxel_size = {voxel, voxel, voxel}, .give_bounds = true, .low = low, .high = end};
    const TriangleSoup soup{.vertices = file.vertices, .triangles = file.triangles};
    const double ms = least_ms(3, [&] { must(bake::volume(soup, options).has_value(), "bake"); });
    report.add(fmt::format("asteroids, {}^3", side), "voxels, distances, components", "whole bake", ms, "ms");
    return std::move(*bake::volume(soup, options));
}

}  // namespace

void run_volume_data(const SuiteOptions& options, Report& report) {
    const int edits = options.quick ? 20 : 2000;
    if (options.quick || options.data.empty()) {
        Volume rocks = own_rocks(options.quick ? 64 : 256);
        measure_load("own rocks", rocks, report);
        measure_edits("own rocks", rocks, edits, report);
        return;
    }
    for (const char* name :
         {"Simple", "Complex", "DA1", "A1", "Full1", "BA1", "guardian-256", "tunnels-256"}) {
        Volume volume = load_map(options.data, name);
        measure_load(name, volume, report);
        measure_edits(name, volume, edits, report);
    }
    const Result<std::string> text = formats::load_file(options.data + "/meshes/made/asteroids.obj");
    must(text.has_value(), "asteroids");
    const Result<formats::TriangleFile> file = formats::load_obj(*text);
    must(file.has_value(), "asteroids");
    for (const std::int32_t side : {256, 512, 1024}) {
        const Volume volume = bake_asteroids(*file, side, report);
        measure_load(fmt::format("asteroids, {}^3", side), volume, report);
    }
}

}  // namespace fairlead::bench
