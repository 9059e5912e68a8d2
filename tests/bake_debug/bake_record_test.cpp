// The stages of a bake as they are told: they agree with each other and with what is baked, and change nothing.

#include <fairlead/bake_debug/bake_record.h>

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include <fairlead/debug/svg.h>
#include <fairlead/mesh_bake/bake.h>

#include "scenes/level.h"
#include "support/environment.h"
#include "support/levels.h"
#include "support/test_allocator.h"
#include "support/xml_check.h"

namespace fairlead::testing {
namespace {

using bake::BakeStage;
using bake::StageCell;
using bake::StageLine;
using Floor = std::tuple<std::int32_t, std::int32_t, std::int32_t>;  // column, height

std::map<Floor, StageCell> floors_of(const debug::BakeRecord& record, BakeStage stage) {
    std::map<Floor, StageCell> floors;
    for (const StageCell& cell : record.cells()) {
        if (cell.stage != stage) continue;
        const bool fresh = floors.insert({{cell.x, cell.y, cell.low}, cell}).second;
        EXPECT_TRUE(fresh);
    }
    return floors;
}

bake::BakeOptions some_options(Rng& rng) {
    return {.cell_size = 0.25,
            .cell_height = 0.1,
            .agent_height = 1.8,
            .agent_radius = 0.1 * static_cast<double>(rng.below(9)),
            .climb = 0.3,
            .island_cells_min = static_cast<std::uint32_t>(rng.below(30)),
            .tile_cells = static_cast<std::uint32_t>(rng.below(2) * 24)};
}

TEST(BakeRecord, StagesAgree) {
    Rng rng(4401);
    for (int round = 0; round < trials(60); ++round) {
        const Level level = round % 2 == 0 ? random_blocks(rng, 14, 12) : random_maze(rng, 5, 5, 2.2);
        bake::BakeOptions options = some_options(rng);
        const Result<bake::BakedMesh> plain = bake::bake_mesh(level.soup(), options);
        debug::BakeRecord record;
        options.stages = record.hook();
        const Result<bake::BakedMesh> told = bake::bake_mesh(level.soup(), options);
        ASSERT_TRUE(plain.has_value() && told.has_value());
        ASSERT_EQ(digest(*plain), digest(*told)) << "round " << round;
        ASSERT_TRUE(record.complete());

        const auto floors = floors_of(record, BakeStage::floors);
        const auto eroded = floors_of(record, BakeStage::eroded);
        const auto layers = floors_of(record, BakeStage::layers);
        const double radius = options.agent_radius / record.frame().cell_size * (1.0 - 2e-5);
        // The radius leaves exactly those that are as far from walls as it is long. (A clearance is measured within the tile and its
        // rim: where it is larger than the rim, only without tiles.)
        if (options.tile_cells == 0) {
            for (const auto& [at, cell] : floors)
                ASSERT_EQ(eroded.count(at) == 1, cell.clearance >= radius)
                    << "round " << round << ' ' << cell.clearance;
        }
        for (const auto& [at, cell] : eroded) ASSERT_EQ(floors.count(at), 1U);
        for (const auto& [at, cell] : layers) ASSERT_EQ(eroded.count(at), 1U);
        // Below a floor there is something solid up to it, and nothing in the head room.
        std::set<Floor> tops;
        for (const StageCell& cell : record.cells()) {
            if (cell.stage == BakeStage::solid) tops.insert({cell.x, cell.y, cell.high});
        }
        for (const auto& [at, cell] : floors) ASSERT_EQ(tops.count(at), 1U) << "round " << round;

        // Lines lie along sides of cells, and a straightened border has no more of them.
        std::size_t sides = 0, straight = 0;
        for (const StageLine& line : record.lines()) {
            ++(line.stage == BakeStage::borders ? sides : straight);
            const double length = std::fabs(line.to.x - line.from.x) + std::fabs(line.to.y - line.from.y);
            ASSERT_TRUE(line.stage != BakeStage::borders || length == 1.0);
        }
        ASSERT_LE(straight, sides);
        ASSERT_EQ(layers.empty(), straight == 0);
        if (layers.empty()) continue;
        std::size_t corners = 0;
        for (const bake::BakedPolygon& polygon : told->polygons) corners += polygon.count;
        ASSERT_GE(corners, straight);
    }
}

TEST(BakeRecord, DrawsEveryStage) {
    const scenes::Level level = scenes::workshop();
    debug::BakeRecord record;
    const Result<bake::BakedMesh> mesh = bake::bake_mesh(
        level.soup(),
        {.cell_size = 0.3, .agent_height = 1.8, .climb = 0.3, .tile_cells = 32, .stages = record.hook()});
    ASSERT_TRUE(mesh.has_value());
    ASSERT_GT(record.tiles().size(), 1U);
    std::set<std::string> pictures;
    const auto keep = [&](debug::SvgWriter& svg, const char* name) {
        const Result<std::span<const char>> text = svg.finish();
        ASSERT_TRUE(text.has_value());
        const std::string xml(text->data(), text->size());
        EXPECT_EQ(XmlCheck::run(xml), "") << name;
        EXPECT_GT(xml.size(), 1000U) << name;
        EXPECT_TRUE(pictures.insert(xml).second) << name;
    };
    for (int i = 0; i < static_cast<int>(BakeStage::count_); ++i) {
        debug::SvgWriter svg({.bounds = world_bounds(record)});
        draw(record, static_cast<BakeStage>(i), svg.sink());
        keep(svg, bake::stage_name(static_cast<BakeStage>(i)));
    }
    debug::SvgWriter svg({.bounds = section_bounds(record, 40), .y_up = true});
    draw_section(record, 40, svg.sink());
    keep(svg, "section");
    draw(record, BakeStage::solid, debug::Sink{});  // nothing to draw on
}

TEST(BakeRecord, SaysWhenMemoryRanOut) {
    TestAllocator counter;
    counter.fail_from_call = 3;
    debug::BakeRecord record(counter.allocator());
    const Result<bake::BakedMesh> mesh =
        bake::bake_mesh(scenes::workshop().soup(), {.stages = record.hook()});
    ASSERT_TRUE(mesh.has_value());
    EXPECT_FALSE(record.complete());
}

}  // namespace
}  // namespace fairlead::testing
