// Misuse that used to read memory that is gone (FAULT-10): an assertion names the rule; of two searches on one scratch the second is
// refused, and an edit under a search is not seen.
#include <fairlead/bridge/grid_drive.h>
#include <fairlead/bridge/grid_mesh.h>
#include <fairlead/drive/speed_table.h>
#include <fairlead/grid/find_route.h>
#include <fairlead/mesh/find_route.h>
#include <fairlead/roadmap/roadmap.h>
#include <fairlead/volume/find_route.h>
#include <fairlead/volume/volume.h>

#include <cstdio>
#include <optional>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "support/grids.h"

namespace fairlead {
namespace {

using testing::grid_of;

constexpr const char* kOutlives = "it must outlive what was made from it";
constexpr const char* kMovedFrom = "moved from";

void print(const char* condition, const char*, int, void*) { std::fprintf(stderr, "%s\n", condition); }

/// Failed assertions say which rule was broken.
class MisuseDeathTest : public ::testing::Test {
  protected:
    MisuseDeathTest() : before_(set_assert_handler({&print, nullptr})) {}
    ~MisuseDeathTest() override { set_assert_handler(before_); }

  private:
    AssertHandler before_;
};

DriveTable table_of_a_car() {
    Result<DriveTable> table = DriveTable::make(
        {.agent = {.radius = 0.3, .turning_radius = 1.2, .can_reverse = true}, .headings = 8});
    FAIRLEAD_ASSERT(table.has_value());
    return std::move(*table);
}

TEST_F(MisuseDeathTest, ATableGoneBeforeItsMap) {
    const Grid grid = grid_of({".....", ".....", "....."});
    EXPECT_DEATH(
        {
            std::optional<DriveTable> table(table_of_a_car());
            const Result<DriveMap> map = make_drive_map(grid, *table);
            table.reset();
        },
        kOutlives);
    EXPECT_DEATH(
        {
            DriveTable table = table_of_a_car();
            const Result<DriveMap> map = make_drive_map(grid, table);
            const DriveTable other = std::move(table);
        },
        kOutlives);
    EXPECT_DEATH(
        {
            DriveTable table = table_of_a_car();
            const Result<SpeedTable> times = SpeedTable::make(table, {.speed_max = 2.0});
            FAIRLEAD_ASSERT(times.has_value());
            table = table_of_a_car();
        },
        kOutlives);
}

TEST(Misuse, ATableMayGoWhenItsMapsAreGone) {
    const Grid grid = grid_of({".....", ".....", "....."});
    std::optional<DriveTable> table(table_of_a_car());
    Scratch scratch;
    const DriveQuery query{.start = {{1.5, 1.5}, 0.0}, .goal = {{3.5, 1.5}, 0.0}};
    {
        Result<DriveMap> map = make_drive_map(grid, *table);
        ASSERT_TRUE(map);
        DriveMap moved = std::move(*map);
        *map = std::move(moved);
        const Result<Route> route = find_route(*map, query, scratch);
        ASSERT_TRUE(route);
        EXPECT_EQ(route->status, PathStatus::complete);
    }
    std::optional<DriveTable> other(std::move(*table));
    table.reset();
    const Result<DriveMap> map = make_drive_map(grid, *other);
    ASSERT_TRUE(map);
    EXPECT_TRUE(find_route(*map, query, scratch));
}

TEST_F(MisuseDeathTest, AWorldThatWasMovedFrom) {
    Grid grid = grid_of({"....", "....", "...."});
    const Grid grid_now = std::move(grid);
    EXPECT_DEATH((void)grid.state(), kMovedFrom);
    EXPECT_DEATH((void)grid.acquire(), kMovedFrom);
    EXPECT_DEATH((void)grid.fill({{0, 0}, {1, 1}}, 0), kMovedFrom);
    EXPECT_DEATH((void)grid.set(Cell{0, 0}, 0), kMovedFrom);
    EXPECT_DEATH((void)grid.set(CellRect{{0, 0}, {1, 1}}, {}), kMovedFrom);
    EXPECT_DEATH((void)grid.register_size({.radius = 0.7}), kMovedFrom);
    Scratch scratch;
    EXPECT_DEATH((void)find_route(grid, GridQuery{.start = {0.5, 0.5}, .goal = Vec2{3.5, 2.5}}, scratch),
                 kMovedFrom);

    Result<NavMesh> mesh = make_grid_mesh(grid_now);
    ASSERT_TRUE(mesh);
    const NavMesh mesh_now = std::move(*mesh);
    EXPECT_DEATH((void)mesh->state(), kMovedFrom);
    EXPECT_DEATH((void)mesh->acquire(), kMovedFrom);
    const MeshEdit edit = MeshEdit::add(1, MeshObstacle::box({0, 0}, {1, 1}, 0, -1, 3));
    EXPECT_DEATH((void)mesh->apply({&edit, 1}), kMovedFrom);
    EXPECT_DEATH((void)mesh->obstacles(), kMovedFrom);
    EXPECT_DEATH((void)mesh->set_tile({}), kMovedFrom);
    EXPECT_DEATH((void)mesh->remove_tile(0, 0), kMovedFrom);
    EXPECT_DEATH((void)mesh->measure_landmarks(), kMovedFrom);

    Result<Roadmap> roads = Roadmap::make({});
    ASSERT_TRUE(roads);
    const Roadmap roads_now = std::move(*roads);
    EXPECT_DEATH((void)roads->state(), kMovedFrom);
    EXPECT_DEATH((void)roads->acquire(), kMovedFrom);
    EXPECT_DEATH((void)roads->add_node({}), kMovedFrom);

    Result<Volume> space = Volume::make({.size = {8, 8, 8}});
    ASSERT_TRUE(space);
    const Volume space_now = std::move(*space);
    EXPECT_DEATH((void)space->state(), kMovedFrom);
    EXPECT_DEATH((void)space->acquire(), kMovedFrom);
    EXPECT_DEATH((void)space->apply(VolumeEdit::ball({4, 4, 4}, 1.0)), kMovedFrom);
    EXPECT_DEATH((void)find_route(*space, VolumeQuery{.start = {1, 1, 1}, .goal = Vec3{5, 5, 5}}, scratch),
                 kMovedFrom);

    const DriveTable table = table_of_a_car();
    Result<DriveMap> map = make_drive_map(grid_now, table);
    ASSERT_TRUE(map);
    const DriveMap map_now = std::move(*map);
    EXPECT_DEATH(
        (void)find_route(*map, DriveQuery{.start = {{1.5, 1.5}, 0.0}, .goal = {{2.5, 1.5}, 0.0}}, scratch),
        kMovedFrom);
}

Grid dotted_grid() {
    std::vector<std::uint8_t> tiles(40 * 40, 1);
    for (std::size_t i = 41; i + 41 < tiles.size(); ++i) tiles[i] = i * 7919 % 11 == 0 ? 0 : 1;
    Result<Grid> grid = Grid::make({.width = 40, .height = 40}, tiles);
    FAIRLEAD_ASSERT(grid.has_value());
    return std::move(*grid);
}

// Two searches on one scratch, stepped in turn: the second is refused and says so, the first is unharmed. When the first one's
// result is taken, the scratch serves the next.
template <class Search, class World, class Query>
void interleave(const World& world, const Query& one, const Query& two) {
    Scratch scratch, alone;
    const Result<Route> first = find_route(world, one, alone);
    const Result<Route> second = find_route(world, two, alone);
    ASSERT_TRUE(first && second);
    Search a(world, one, scratch), b(world, two, scratch);
    EXPECT_FALSE(b.running());
    Route got;
    while (a.running()) {
        a.step(3);
        EXPECT_EQ(b.step(5), 0U);
        const Result<Route> meanwhile = find_route(world, two, scratch);
        ASSERT_FALSE(meanwhile.has_value());
        EXPECT_EQ(meanwhile.error().code, ErrorCode::scratch_in_use);
    }
    const Result<void> refused = b.take(got);
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().code, ErrorCode::scratch_in_use);
    ASSERT_TRUE(a.take(got));
    EXPECT_EQ(got.length, first->length);
    EXPECT_EQ(got.stats, first->stats);
    EXPECT_EQ(a.stats().expanded, first->stats.expanded);
    const Result<void> again = a.take(got);
    ASSERT_FALSE(again.has_value());
    EXPECT_EQ(again.error().code, ErrorCode::nothing_to_take);
    b.restart(two);
    while (b.running()) b.step(5);
    ASSERT_TRUE(b.take(got));
    EXPECT_EQ(got.length, second->length);
    EXPECT_EQ(got.stats, second->stats);
}

TEST(Misuse, TwoSearchesOnOneScratch) {
    const Grid grid = dotted_grid();
    interleave<GridSearch>(grid, GridQuery{.start = {0.5, 0.5}, .goal = Vec2{39.5, 39.5}},
                           GridQuery{.start = {39.5, 0.5}, .goal = Vec2{0.5, 39.5}});
    const Result<NavMesh> mesh = make_grid_mesh(grid);
    ASSERT_TRUE(mesh);
    interleave<MeshSearch>(*mesh, MeshQuery{.start = {0.5, 0.5, 0}, .goal = Vec3{39.5, 39.5, 0}},
                           MeshQuery{.start = {39.5, 0.5, 0}, .goal = Vec3{0.5, 39.5, 0}});
}

// A search made on a world is on a snapshot of it: edits between its slices are not seen.
TEST(Misuse, AnEditUnderASearch) {
    const Grid grid = dotted_grid();
    Result<NavMesh> mesh = make_grid_mesh(grid, {.tile_cells = 8});
    ASSERT_TRUE(mesh);
    const MeshQuery query{.start = {0.5, 0.5, 0}, .goal = Vec3{39.5, 39.5, 0}};
    Scratch scratch, alone;
    const Result<Route> before = find_route(*mesh, query, alone);
    ASSERT_TRUE(before);
    MeshSearch search(*mesh, query, scratch);
    for (std::uint32_t k = 1; search.running(); ++k) {
        search.step(1);
        const Vec2 centre{k % 40 + 0.5, k * 7 % 40 + 0.3};
        const MeshEdit edit = MeshEdit::add(k, MeshObstacle::box(centre, {1, 1}, 0, -1, 3));
        ASSERT_TRUE(mesh->apply({&edit, 1}));
    }
    Route route;
    ASSERT_TRUE(search.take(route));
    EXPECT_EQ(route.revision, before->revision);
    EXPECT_EQ(route.length, before->length);
}

}  // namespace
}  // namespace fairlead
