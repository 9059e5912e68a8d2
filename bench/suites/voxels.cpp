// Triangles into voxels, beside the plain loop that tests each voxel of a triangle's box by separating axes, and OpenVDB's narrow band
// around them, the same models, in turn.

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <fairlead/formats/file.h>
#include <fairlead/raster/voxels.h>

#include "suites/level_worlds.h"
#include "suites/openvdb_voxels.h"
#include "suites/stopwatch.h"
#include "suites/suite.h"

namespace fairlead::bench {

namespace {

constexpr double kTestsMax = 2e8;  ///< of the plain loop: a minute or so
constexpr int kPeerRounds = 3;

/// Each triangle cut in four at the middles of its edges.
BenchLevel cut_in_four(const BenchLevel& level, const std::string& name) {
    BenchLevel out{name, {}};
    out.file.vertices = level.file.vertices;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> middles;
    const auto middle = [&](std::uint32_t a, std::uint32_t b) {
        const auto [at, is_new] =
            middles.try_emplace(std::minmax(a, b), static_cast<std::uint32_t>(out.file.vertices.size()));
        if (is_new) out.file.vertices.push_back((out.file.vertices[a] + out.file.vertices[b]) * 0.5);
        return at->second;
    };
    for (std::size_t i = 0; i < level.file.triangles.size(); i += 3) {
        const std::uint32_t a = level.file.triangles[i], b = level.file.triangles[i + 1],
                            c = level.file.triangles[i + 2];
        const std::uint32_t ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
        for (const std::uint32_t corner : {a, ab, ca, ab, b, bc, ca, bc, c, ab, bc, ca})
            out.file.triangles.push_back(corner);
    }
    return out;
}

BenchLevel published(const std::string& folder, const std::string& name) {
    const Result<std::string> text = formats::load_file(folder + "/meshes/" + name + ".obj");
    if (!text) throw std::runtime_error(name + ": " + error_text(text.error()).c_str());
    Result<formats::TriangleFile> file = formats::load_obj(*text);
    if (!file) throw std::runtime_error(name + ": " + error_text(file.error()).c_str());
    return {name.substr(name.find('/') + 1), std::move(*file)};
}

/// Cubic voxels, `side` of them along the model's longest side.
VoxelFrame frame_of(const BenchLevel& level, std::int32_t side) {
    Vec3 low = level.file.vertices[0], high = low;
    for (const Vec3& p : level.file.vertices) {
        low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    }
    VoxelFrame frame;
    frame.origin = low;
    const double size = std::max({high.x - low.x, high.y - low.y, high.z - low.z}) / side * 1.0001;
    frame.voxel_size = {size, size, size};
    for (std::int32_t& n : frame.size) n = side;
    return frame;
}

/// Tomas Akenine-Moller, Fast 3D triangle-box overlap testing (2001): v from the box's middle, half its side.
bool overlaps(const std::array<Vec3, 3>& v, double half) {
    const auto apart = [half](Vec3 axis, Vec3 a, Vec3 b, Vec3 c) {
        const double p = dot(axis, a), q = dot(axis, b), r = dot(axis, c);
        const double reach = half * (std::fabs(axis.x) + std::fabs(axis.y) + std::fabs(axis.z));
        return std::min({p, q, r}) > reach || std::max({p, q, r}) < -reach;
    };
    for (std::size_t i = 0; i < 3; ++i) {
        const Vec3 e = v[(i + 1) % 3] - v[i];
        for (const Vec3& axis : {Vec3{0, -e.z, e.y}, Vec3{e.z, 0, -e.x}, Vec3{-e.y, e.x, 0}}) {
            if (apart(axis, v[0], v[1], v[2])) return false;
        }
    }
    return !apart(cross(v[1] - v[0], v[2] - v[0]), v[0], v[1], v[2]);
}

struct Plain {
    std::vector<std::array<Vec3, 3>> triangles;  ///< in voxels
    std::int32_t side;
    double tests = 0;

    Plain(const BenchLevel& level, const VoxelFrame& frame) : side(frame.size[0]) {
        for (std::size_t i = 0; i < level.file.triangles.size(); i += 3) {
            std::array<Vec3, 3> t;
            for (std::size_t k = 0; k < 3; ++k)
                t[k] = (level.file.vertices[level.file.triangles[i + k]] - frame.origin) / frame.voxel_size.x;
            const auto [low, high] = box(t);
            tests += (high.x - low.x + 1) * (high.y - low.y + 1) * (high.z - low.z + 1);
            triangles.push_back(t);
        }
    }
    static std::pair<Vec3, Vec3> box(const std::array<Vec3, 3>& t) {
        const auto low = [&](auto at) { return std::floor(std::min({at(t[0]), at(t[1]), at(t[2])})); };
        const auto high = [&](auto at) { return std::floor(std::max({at(t[0]), at(t[1]), at(t[2])})); };
        const auto x = [](Vec3 p) { return p.x; };
        const auto y = [](Vec3 p) { return p.y; };
        const auto z = [](Vec3 p) { return p.z; };
        return {{low(x), low(y), low(z)}, {high(x), high(y), high(z)}};
    }
    /// Into one bit a voxel.
    [[nodiscard]] std::vector<std::uint64_t> run() const {
        const auto n = static_cast<std::size_t>(side);
        std::vector<std::uint64_t> bits(n * n * n / 64);
        for (const std::array<Vec3, 3>& t : triangles) {
            const auto [low, high] = box(t);
            for (double z = low.z; z <= high.z; ++z) {
                for (double y = low.y; y <= high.y; ++y) {
                    for (double x = low.x; x <= high.x; ++x) {
                        const Vec3 middle{x + 0.5, y + 0.5, z + 0.5};
                        if (!overlaps({t[0] - middle, t[1] - middle, t[2] - middle}, 0.5)) continue;
                        const std::size_t at =
                            (static_cast<std::size_t>(z) * n + static_cast<std::size_t>(y)) * n +
                            static_cast<std::size_t>(x);
                        bits[at / 64] |= std::uint64_t{1} << (at % 64);
                    }
                }
            }
        }
        return bits;
    }
};

void measure_voxels(const BenchLevel& level, std::int32_t side, int rounds, Report& report) {
    const VoxelFrame frame = frame_of(level, side);
    const std::string what = fmt::format("{0} x {0} x {0}", side);
    const Plain plain(level, frame);
    std::vector<double> numbers;
    for (const std::array<Vec3, 3>& t : plain.triangles) {
        for (const Vec3 p : t) numbers.insert(numbers.end(), {p.x, p.y, p.z});
    }
    double own_ms = 1e30, plain_ms = 1e30, peer_ms = 1e30;
    for (int round = 0; round < rounds; ++round) {
        std::optional<VoxelBricks> kept;  // ended outside of the timing
        const std::uint64_t own = time_ns([&] {
            Result<VoxelBricks> made = voxelize(level.soup(), frame);
            if (made) kept = std::move(*made);
        });
        if (!kept) throw std::runtime_error(level.name + ": no voxels");
        own_ms = std::min(own_ms, static_cast<double>(own) / 1e6);
        if (round == 0) {
            report.add(level.name, "solid voxels", what, static_cast<double>(kept->counts.solid), "");
            report.add(level.name, "bricks", what, static_cast<double>(kept->bricks.size()), "");
        }
        if (has_openvdb() && round < kPeerRounds) {
            std::uint64_t band = 0;
            const std::uint64_t peer = time_ns([&] { band = openvdb_band(numbers); });
            peer_ms = std::min(peer_ms, static_cast<double>(peer) / 1e6);
            if (round == 0)
                report.add(level.name, "OpenVDB's band", what, static_cast<double>(band), "voxels");
        }
        if (plain.tests > kTestsMax) continue;
        std::vector<std::uint64_t> bits;
        const std::uint64_t other = time_ns([&] { bits = plain.run(); });
        plain_ms = std::min(plain_ms, static_cast<double>(other) / 1e6);
    }
    report.add(level.name, "fairlead", what, own_ms, "ms");
    if (has_openvdb()) report.add(level.name, "OpenVDB", what, peer_ms, "ms");
    if (plain.tests > kTestsMax) {
        report.note(fmt::format("{}, {}: the plain loop would make {:.2g} tests and is left out", level.name,
                                what, plain.tests));
        return;
    }
    report.add(level.name, "plain box test", what, plain_ms, "ms");
}

}  // namespace

void run_voxels(const SuiteOptions& options, Report& report) {
    if (!has_openvdb()) report.note("OpenVDB is not there: no comparison");
    if (options.quick) {
        measure_voxels(yard_level(20, 1), 64, 1, report);
        return;
    }
    std::vector<BenchLevel> levels;
    if (options.data.empty()) {
        levels.push_back(yard_level(200, 1));
    } else {
        const BenchLevel asteroids = published(options.data, "made/asteroids");
        levels.push_back(cut_in_four(cut_in_four(asteroids, ""), "asteroids, each triangle in 16"));
        levels.push_back(asteroids);
        levels.push_back(published(options.data, "made/guardian"));
        levels.push_back(published(options.data, "recast/nav_test"));
    }
    for (const BenchLevel& level : levels) {
        for (const std::int32_t side : {256, 512, 1024}) measure_voxels(level, side, 7, report);
    }
}

}  // namespace fairlead::bench
