// Files of links and floor plans: what they say, and that they are written as they are read.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <fairlead/base/rng.h>
#include <fairlead/formats/floor_plan.h>
#include <fairlead/formats/link_file.h>

namespace fairlead::formats {
namespace {

TEST(LinkFile, Loads) {
    const auto links = load_links(R"({"_by": "hand", "links": [
        {"id": 7, "from": [4, 2, 3], "to": [6, 2, 0], "one_way": true},
        {"to": [0, 12, 1], "from": [0, 9, 0], "id": 2, "extent": 2, "kind": 1, "cost": 3.5,
         "heading": 1.5, "tag": 42, "radius_max": 0.5, "reach": 1}]})");
    ASSERT_TRUE(links.has_value());
    const std::vector<MeshLink> wanted{{.id = 7, .from = {4, 2, 3}, .to = {6, 2, 0}, .one_way = true},
                                       {.id = 2,
                                        .from = {0, 9, 0},
                                        .to = {0, 12, 1},
                                        .extent = 2.0,
                                        .kind = 1,
                                        .cost = 3.5,
                                        .heading_rad = 1.5,
                                        .tag = 42,
                                        .radius_max = 0.5,
                                        .reach = 1.0}};
    EXPECT_EQ(*links, wanted);
}

TEST(LinkFile, SavesWhatItLoaded) {
    Rng rng(9);
    for (int i = 0; i < 100; ++i) {
        std::vector<MeshLink> links;
        for (std::uint32_t n = rng.below(9); n > 0; --n) {
            MeshLink link{.id = n * 400000000U, .from = {rng.unit(), -rng.unit(), 1e9}, .to = {0, 0, 1e-9}};
            if (rng.below(2) == 0) link.extent = rng.between(0.0, 9.0);
            if (rng.below(2) == 0) link.cost = rng.between(0.0, 9.0);
            if (rng.below(2) == 0) link.heading_rad = rng.between(-9.0, 9.0);
            if (rng.below(2) == 0) link.radius_max = rng.between(0.0, 9.0);
            if (rng.below(2) == 0) link.reach = rng.between(0.0, 9.0);
            link.one_way = rng.below(2) == 0;
            link.kind = static_cast<std::uint8_t>(rng.below(64));
            link.tag = rng.below(3) * 0x7fffffffU;
            links.push_back(link);
        }
        const auto again = load_links(save_links(links));
        ASSERT_TRUE(again.has_value()) << save_links(links);
        EXPECT_EQ(*again, links);
    }
}

TEST(FloorPlan, LoadsAndSaves) {
    const auto plan = load_floor_plan(R"({"title": "House", "floors": [
        {"rings": [[[0, 0], [9, 0], [9, 9], [0, 9]], [[3, 3], [6, 3], [6, 6], [3, 6]]]},
        {"z": 3, "area": 5, "rule": "positive", "rings": [[[0, 0], [4, 0], [4, 4]]]}, {"rings": []}]})");
    ASSERT_TRUE(plan.has_value());
    EXPECT_EQ(plan->title, "House");
    const std::vector<PlanFloor> floors{
        {0.0, 0, OutlineRule::even_odd, 0, 2}, {3.0, 5, OutlineRule::positive, 2, 1}, {.first_ring = 3}};
    EXPECT_EQ(plan->floors, floors);
    EXPECT_EQ(plan->ring_sizes, (std::vector<std::uint32_t>{4, 4, 3}));
    EXPECT_EQ(plan->points[4], (Vec2{3, 3}));
    const auto again = load_floor_plan(save_floor_plan(*plan));
    ASSERT_TRUE(again.has_value()) << save_floor_plan(*plan);
    EXPECT_EQ(*again, *plan);
}

double area_of(const MeshFile& mesh, std::uint8_t area) {
    double twice = 0.0;
    std::size_t at = 0;
    for (std::size_t p = 0; p < mesh.polygon_sizes.size(); ++p) {
        const std::size_t size = mesh.polygon_sizes[p];
        for (std::size_t i = 0; i < size && mesh.areas[p] == area; ++i)
            twice += cross(ground(mesh.vertices[mesh.polygon_corners[at + i]]),
                           ground(mesh.vertices[mesh.polygon_corners[at + (i + 1) % size]]));
        at += size;
    }
    return twice / 2.0;
}

TEST(FloorPlan, BecomesAMesh) {
    const auto plan = load_floor_plan(R"({"floors": [
        {"rings": [[[0, 0], [9, 0], [9, 9], [0, 9]], [[3, 3], [6, 3], [6, 6], [3, 6]]]},
        {"z": 3, "area": 5, "rings": [[[9, 0], [13, 0], [13, 4]]]}, {"rings": []}]})");
    ASSERT_TRUE(plan.has_value());
    const Result<MeshFile> file = mesh_of(*plan);
    ASSERT_TRUE(file.has_value());
    EXPECT_EQ(area_of(*file, 0), 72.0);
    EXPECT_EQ(area_of(*file, 5), 8.0);
    const NavMeshTile tile = file->tile();
    const Result<NavMesh> mesh = NavMesh::make({.tiles = {&tile, 1}});
    ASSERT_TRUE(mesh.has_value());
    const MeshPoint low = mesh->state().nearest({1, 1, 0}), high = mesh->state().nearest({12, 1, 3});
    ASSERT_TRUE(low.polygon.valid() && high.polygon.valid());
    EXPECT_EQ(high.position.z, 3.0);
    EXPECT_EQ(mesh->state().area(high.polygon), 5);
    EXPECT_NE(mesh->state().component(low.polygon), mesh->state().component(high.polygon));
    EXPECT_FALSE(mesh->state().nearest({4.5, 4.5, 0}, {.across = 1.0}).polygon.valid());
}

}  // namespace
}  // namespace fairlead::formats
