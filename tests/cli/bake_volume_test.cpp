// fairlead bake volume, inspect, check and export of volumes.
#include <array>
#include <sstream>
#include <string>
#include <vector>

#include "cli/space.h"

namespace fairlead::testing {
namespace {

using nlohmann::json;

using VolumeFiles = SpaceTest;

// The faces of a box, seen from outside counter-clockwise; without the last one it is open.
std::string box(double low, double high, bool open = false) {
    std::ostringstream out;
    for (int i = 0; i < 8; ++i)
        out << "v " << (i & 1 ? high : low) << ' ' << (i & 2 ? high : low) << ' ' << (i & 4 ? high : low)
            << '\n';
    out << "f 1 3 4 2\nf 1 2 6 5\nf 2 4 8 6\nf 4 3 7 8\nf 3 1 5 7\n";
    if (!open) out << "f 5 6 8 7\n";
    return out.str();
}

class BakeVolumeCommand : public ::testing::Test {
  protected:
    std::string obj_ = temp_path("box.obj"), file_ = temp_path("box.fl");

    [[nodiscard]] RunResult bake(const std::vector<std::string>& more) const {
        return run_cli(with({"bake", "volume", obj_, "-o", file_, "--up", "z", "--json"}, more));
    }
    [[nodiscard]] json report(const std::vector<std::string>& more) const {
        const RunResult run = bake(more);
        EXPECT_EQ(run.status, 0) << run.err;
        return run.status == 0 ? json::parse(run.out) : json{};
    }
};

const std::vector<std::string> kBounds{"--voxel", "1", "--bounds", "-1,-1,-1,6,6,6"};

TEST_F(BakeVolumeCommand, ShellAndInside) {
    write_text(obj_, box(0.25, 4.75));
    const json shell = report(kBounds);
    EXPECT_EQ(shell["size_x"], 7);
    EXPECT_EQ(shell["triangles"], 12);
    EXPECT_EQ(shell["solid_voxels"], 125 - 27);
    EXPECT_EQ(shell["voxels_filled"], 0);
    EXPECT_EQ(shell["components"], 2);
    const std::string bytes = read_text(file_);
    EXPECT_EQ(route_json(file_, "-0.5,-0.5,-0.5", {"--goal", "5.5,5.5,5.5"})["status"], "complete");
    EXPECT_EQ(route_json(file_, "-0.5,-0.5,-0.5", {"--goal", "2.5,2.5,2.5"})["status"], "unreachable");
    EXPECT_EQ(report(with(kBounds, {"--threads", "3"}))["solid_voxels"], shell["solid_voxels"]);
    EXPECT_EQ(read_text(file_), bytes);

    const json filled = report(with(kBounds, {"--fill", "inside"}));
    EXPECT_EQ(filled["solid_voxels"], 125);
    EXPECT_EQ(filled["voxels_met"], 125 - 27);
    EXPECT_EQ(filled["voxels_filled"], 27);
    EXPECT_EQ(filled["open_edges"], 0);
    EXPECT_EQ(filled["components"], 1);
    EXPECT_EQ(route_json(file_, "-0.5,-0.5,-0.5", {"--goal", "2.5,2.5,2.5"})["status"], "goal_blocked");

    // Of long voxels, and four of them beyond the triangles where no bounds are given.
    const json slabs = report({"--voxel", "1,1,2.5"});
    EXPECT_EQ(slabs["size_x"], 5 + 8);
    EXPECT_EQ(slabs["size_z"], 2 + 8);
    const RunResult people = run_cli({"bake", "volume", obj_, "-o", file_, "--voxel", "1"});
    EXPECT_EQ(people.status, 0) << people.err;
    EXPECT_NE(people.out.find("box.fl: 13 x 13 x 13 voxels, 98 solid, "), std::string::npos) << people.out;
}

TEST_F(BakeVolumeCommand, OpenEdgesAndBadTrianglesAreTold) {
    write_text(obj_, box(0.25, 4.75, true) + "v 1e9 0 0\nf 1 2 9\n");
    const RunResult run = bake(with(kBounds, {"--fill", "inside"}));
    ASSERT_EQ(run.status, 0) << run.err;
    EXPECT_NE(run.err.find("1 bad triangles left out, the first is triangle 11"), std::string::npos)
        << run.err;
    EXPECT_NE(run.err.find("4 open edges"), std::string::npos) << run.err;
    const json told = json::parse(run.out);
    EXPECT_EQ(told["triangles_left_out"], 1);
    EXPECT_EQ(told["open_edges"], 4);
    EXPECT_EQ(told["voxels_filled"], 0);
    expect_refused(with(with({"bake", "volume", obj_, "-o", file_}, kBounds), {"--refuse-bad"}),
                   {"--refuse-bad", "triangle 11"});
}

TEST_F(BakeVolumeCommand, Refusals) {
    write_text(obj_, box(0.25, 4.75));
    const auto refused = [&](const std::vector<std::string>& more, const std::vector<std::string>& words) {
        expect_refused(with({"bake", "volume", obj_, "-o", file_}, more), words);
    };
    refused({}, {"--voxel is required"});
    for (const char* voxel : {"0", "-1", "1,2", "1,2,3,4", "1,,2", "x"})
        refused({"--voxel", voxel}, {"--voxel"});
    refused({"--voxel", "1e-9"}, {"--voxel"});
    refused({"--voxel", "0.00001"}, {"--voxel", "voxels"});
    for (const char* bounds : {"0,0,0,1,1", "0,0,0,1,1,0", "0,0,0,1,1,x"})
        refused({"--voxel", "1", "--bounds", bounds}, {"--bounds"});
    refused({"--voxel", "1", "--fill", "half"}, {"--fill", "half", "inside"});
    refused({"--voxel", "1", "--up", "x"}, {"--up"});
    refused({"--voxel", "1", "--threads", "0"}, {"--threads"});
    expect_refused({"bake", "volume", kRoom, "-o", file_, "--voxel", "1"},
                   {"room.map", "tile map", ".3dmap"});
    write_text(obj_, "v 0 0 0\nv 1 0 0\nf 1 2 7\n");
    refused({"--voxel", "1"}, {"box.obj:3"});
}

TEST_F(VolumeFiles, InspectCheckAndBack) {
    const std::string file = temp_path("space.fl"), back = temp_path("back.3dmap");
    const json plain = json::parse(run_cli({"inspect", map_, "--json"}).out);
    EXPECT_EQ(plain["kind"], "voxel map");
    EXPECT_EQ(plain["voxels"], 12 * 8 * 6);
    EXPECT_EQ(plain["solid_voxels"], kSpaceSolid);
    EXPECT_EQ(plain["components"], 2);
    EXPECT_GT(plain["bytes_in_memory"], 0);

    ASSERT_EQ(run_cli({"bake", "volume", map_, "-o", file}).status, 0);
    const json baked = json::parse(run_cli({"inspect", file, "--json"}).out);
    EXPECT_EQ(baked["kind"], "VOLU");
    for (const char* same : {"voxels", "solid_voxels", "components", "bricks", "voxel_size_x", "origin_z"})
        EXPECT_EQ(baked["volume"][same], plain[same]) << same;
    EXPECT_NE(run_cli({"inspect", file}).out.find("solid_voxels"), std::string::npos);

    const RunResult good = run_cli({"check", file});
    EXPECT_EQ(good.status, 0);
    EXPECT_EQ(good.out, file + ": good\n");
    const RunResult out = run_cli({"export", file, "-o", back});
    EXPECT_EQ(out.status, 0) << out.err;
    EXPECT_EQ(out.err, "");
    EXPECT_EQ(read_text(back).size(), space_map().size());
    ASSERT_EQ(run_cli({"bake", "volume", back, "-o", temp_path("again.fl")}).status, 0);
    EXPECT_EQ(read_text(temp_path("again.fl")), read_text(file));

    std::string bytes = read_text(file);
    bytes[bytes.size() - 3] = static_cast<char>(bytes[bytes.size() - 3] ^ 1);
    write_text(file, bytes);
    const RunResult bad = run_cli({"check", file});
    EXPECT_EQ(bad.status, 1);
    EXPECT_NE(bad.out.find("checksum"), std::string::npos) << bad.out;
    expect_refused({"inspect", file}, {"space.fl"});
    expect_refused({"route", file, "--start", "1,1,1", "--goal", "2,1,1"}, {"space.fl", "checksum"});
    ASSERT_EQ(run_cli({"reseal", file}).status, 0);
    const RunResult odd = run_cli({"check", file});  // now it is the voxels that mean nothing
    EXPECT_EQ(odd.status, 1);
    EXPECT_EQ(odd.out.find("checksum"), std::string::npos) << odd.out;
    EXPECT_NE(odd.out.find("section"), std::string::npos) << odd.out;
}

TEST_F(VolumeFiles, VoxelsOfAVoxelMap) {
    const std::string file = temp_path("space.fl"), back = temp_path("back.3dmap");
    ASSERT_EQ(run_cli({"bake", "volume", map_, "-o", file, "--voxel", "0.5,0.5,2"}).status, 0);
    EXPECT_EQ(json::parse(run_cli({"inspect", file, "--json"}).out)["volume"]["voxel_size_z"], 2.0);
    EXPECT_EQ(route_json(file, "0.75,2.25,3", {"--goal", "0.75,2.25,9"})["line_cost"], 6.0);
    for (const auto& [flag, value] :
         {std::pair{"--bounds", "0,0,0,1,1,1"}, {"--fill", "inside"}, {"--up", "z"}})
        expect_refused({"bake", "volume", map_, "-o", file, flag, value}, {flag, "triangles only"});
    const RunResult out = run_cli({"export", file, "-o", back});
    EXPECT_EQ(out.status, 0);
    EXPECT_NE(out.err.find("no place for"), std::string::npos) << out.err;
    expect_refused({"export", file, "-o", temp_path("x.mesh")}, {"x.mesh", ".3dmap", ".obj"});
    expect_refused({"export", file, "-o", back, "--links-out", "x"}, {"--links-out"});
    expect_refused({"export", kRoom, "-o", back}, {"room.map", "volume"});
}

// A closed surface turned outward: the volume that its triangles enclose is that of the solid voxels.
TEST_F(VolumeFiles, FacesEncloseTheSolidVoxels) {
    const std::string file = temp_path("space.fl"), obj = temp_path("space.obj");
    ASSERT_EQ(run_cli({"bake", "volume", map_, "-o", file, "--voxel", "0.5,1,2"}).status, 0);
    ASSERT_EQ(run_cli({"export", file, "-o", obj}).status, 0);
    std::vector<std::array<double, 3>> vertices;
    double volume = 0.0, area = 0.0;
    std::istringstream lines(read_text(obj));
    for (std::string word; lines >> word;) {
        if (word == "v") {
            auto& v = vertices.emplace_back();
            lines >> v[0] >> v[1] >> v[2];
        } else if (word == "f") {
            std::array<std::size_t, 3> n{};
            lines >> n[0] >> n[1] >> n[2];
            const auto &a = vertices[n[0] - 1], &b = vertices[n[1] - 1], &c = vertices[n[2] - 1];
            volume += (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
                       a[2] * (b[0] * c[1] - b[1] * c[0])) /
                      6.0;
            double square = 0.0;
            for (std::size_t k = 0; k < 3; ++k) {
                const std::size_t i = (k + 1) % 3, j = (k + 2) % 3;
                const double n_k = (b[i] - a[i]) * (c[j] - a[j]) - (b[j] - a[j]) * (c[i] - a[i]);
                square += n_k * n_k;
            }
            area += std::sqrt(square) / 2.0;
        }
    }
    EXPECT_NEAR(volume, kSpaceSolid * 1.0, 1e-9);
    // A wall of 0.5 x 8 x 10, and six voxels alone.
    EXPECT_NEAR(area, 2 * (0.5 * 8 + 0.5 * 10 + 8 * 10) + 6 * 2 * (0.5 * 1 + 0.5 * 2 + 1 * 2), 1e-9);
}

}  // namespace
}  // namespace fairlead::testing
