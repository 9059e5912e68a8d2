// Tables of the published levels: the published lengths, all legal.
#include <cmath>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include <fairlead/formats/file.h>
#include <fairlead/formats/mesh_file.h>
#include <fairlead/formats/mesh_repair.h>
#include <fairlead/mesh/find_route.h>
#include <fairlead/mesh/mesh_table.h>
#include <fairlead/verify/verify_mesh.h>

#include "support/environment.h"
#include "support/looked_up.h"

namespace fairlead {
namespace {

std::string text_of(const std::string& path) {
    const Result<std::string> text = formats::load_file(path);
    EXPECT_TRUE(text);
    return text ? *text : std::string();
}

struct PublishedQuery {
    MeshQuery query;
    double length = 0.0;
};

// Places in the world, one line each; those of the mesh count from the offset in the first line of the heights.
std::vector<PublishedQuery> published_queries(const std::string& rows, Vec2 offset, int count) {
    std::vector<PublishedQuery> out;
    std::istringstream lines(rows);
    std::string line;
    std::getline(lines, line);
    while (static_cast<int>(out.size()) < count && std::getline(lines, line)) {
        std::vector<double> n;
        std::istringstream fields(line);
        for (std::string field; std::getline(fields, field, ',');) n.push_back(std::stod(field));
        out.push_back({{.start = {n[0] - offset.x, n[2] - offset.y, n[1]},
                        .goal = Vec3{n[3] - offset.x, n[5] - offset.y, n[4]}},
                       n[10]});
    }
    return out;
}

TEST(MeshTableData, ReferenceLengths) {
    for (const std::string name : {"nav_test_solo", "nav_test_tiled", "proto-level_solo", "proto-level_tiled",
                                   "city_256_solo", "city_256_tiled"}) {
        FAIRLEAD_REQUIRE_DATA(polygons, "meshes/reference/" + name + ".mesh");
        FAIRLEAD_REQUIRE_DATA(heights, "meshes/reference/" + name + "_verts3d.csv");
        FAIRLEAD_REQUIRE_DATA(queries, "meshes/reference/" + name + "_queries.csv");
        Result<formats::MeshFile> file = formats::load_polyanya_mesh(text_of(polygons));
        ASSERT_TRUE(file);
        const std::string more = text_of(heights);
        ASSERT_TRUE(formats::load_heights(more, *file));
        formats::MeshRepairs repairs;
        ASSERT_TRUE(formats::repair_mesh(*file, repairs));
        const NavMeshTile tile = file->tile();
        const Result<NavMesh> mesh = NavMesh::make({.tiles = {&tile, 1}, .landmarks = 0});
        ASSERT_TRUE(mesh);
        const Result<MeshTable> table = MeshTable::make(mesh->acquire());
        ASSERT_TRUE(table);
        const Vec2 offset{std::stod(more.substr(more.find("x=") + 2)),
                          std::stod(more.substr(more.find("z=") + 2))};
        Scratch scratch;
        Route route;
        int asked = 0;
        for (const PublishedQuery& row :
             published_queries(text_of(queries), offset, testing::trials(10000))) {
            ASSERT_TRUE(find_route_into(*mesh, looked_up_in(*table, row.query), scratch, route));
            ASSERT_EQ(route.status, PathStatus::complete) << name << " " << asked;
            ASSERT_EQ(std::string_view(route.planner), "mesh_table");
            // Five digits are published.
            ASSERT_NEAR(route.length, row.length, 1e-5) << name << " " << asked;
            ASSERT_FALSE(verify(route, *mesh, row.query.agent)) << name << " " << asked;
            ++asked;
        }
        EXPECT_GT(asked, 0);
    }
}

}  // namespace
}  // namespace fairlead
