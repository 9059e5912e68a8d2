// Floors joined by stairs (technique W10) are nothing special to a baked mesh: routes lead from floor to floor, and are as long as the ways
// over the cells of all floors together say. That is also what the record of a bake's stages is tested with.

#include <fairlead/bake_debug/bake_record.h>

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <queue>
#include <tuple>

#include <fairlead/mesh/find_route.h>
#include <fairlead/mesh_bake/navmesh.h>
#include <fairlead/verify/verify_mesh.h>

#include "scenes/level.h"

namespace fairlead {
namespace {

using bake::BakeStage;
using bake::StageCell;

bake::BakeOptions house_options() {
    return {.cell_size = 0.2, .cell_height = 0.1, .agent_height = 1.8, .agent_radius = 0.3, .climb = 0.3};
}

/// The layered graph: cells of all floors that the radius leaves, steps to neighbours at most a climb up or down.
class CellGraph {
  public:
    CellGraph(const debug::BakeRecord& record, std::int32_t climb) : climb_(climb) {
        for (const StageCell& cell : record.cells()) {
            if (cell.stage == BakeStage::eroded) cells_[{cell.x, cell.y}].push_back(cell.low);
        }
    }
    using Node = std::tuple<std::int32_t, std::int32_t, std::int32_t>;

    [[nodiscard]] std::map<Node, double> lengths_from(Node start) const {
        std::map<Node, double> best{{start, 0.0}};
        std::priority_queue<std::pair<double, Node>, std::vector<std::pair<double, Node>>, std::greater<>>
            open;
        open.push({0.0, start});
        while (!open.empty()) {
            const auto [length, node] = open.top();
            open.pop();
            if (length > best[node]) continue;
            for (std::int32_t dy = -1; dy <= 1; ++dy) {
                for (std::int32_t dx = -1; dx <= 1; ++dx) {
                    if (dx == 0 && dy == 0) continue;
                    Node to;
                    if (!step(node, dx, dy, to)) continue;
                    const double total = length + std::sqrt(static_cast<double>(dx * dx + dy * dy));
                    const auto [at, fresh] = best.try_emplace(to, total);
                    if (!fresh && at->second <= total) continue;
                    at->second = total;
                    open.push({total, to});
                }
            }
        }
        return best;
    }

  private:
    [[nodiscard]] bool straight(Node from, std::int32_t dx, std::int32_t dy, Node& to) const {
        const auto [x, y, z] = from;
        const auto column = cells_.find({x + dx, y + dy});
        if (column == cells_.end()) return false;
        for (const std::int32_t low : column->second) {
            if (std::abs(low - z) > climb_) continue;
            to = {x + dx, y + dy, low};
            return true;
        }
        return false;
    }
    /// A diagonal step needs both ways round its corner.
    [[nodiscard]] bool step(Node from, std::int32_t dx, std::int32_t dy, Node& to) const {
        if (dx == 0 || dy == 0) return straight(from, dx, dy, to);
        Node by_x, by_y, end;
        return straight(from, dx, 0, by_x) && straight(by_x, 0, dy, to) && straight(from, 0, dy, by_y) &&
               straight(by_y, dx, 0, end) && end == to;
    }

    std::int32_t climb_;
    std::map<std::pair<std::int32_t, std::int32_t>, std::vector<std::int32_t>> cells_;
};

struct House {
    debug::BakeRecord record;
    NavMesh mesh;

    static NavMesh make(debug::BakeRecord& record, bool upper_flight, std::uint32_t tile_cells) {
        const scenes::Level level = scenes::stair_house(upper_flight);
        bake::BakeOptions options = house_options();
        options.tile_cells = tile_cells;
        options.stages = record.hook();
        Result<NavMesh> made = bake::navmesh(level.soup(), options);
        FAIRLEAD_ASSERT(made.has_value());
        return std::move(*made);
    }
    explicit House(bool upper_flight = true, std::uint32_t tile_cells = 0)
        : mesh(make(record, upper_flight, tile_cells)) {}
};

constexpr Vec3 kPlaces[] = {{2, 2, 0},    {18, 4, 0},  {11, 11, 0},   {18, 10, 3.2}, {2, 10, 3.2},
                            {12, 4, 3.2}, {1, 1, 3.2}, {1.5, 4, 6.4}, {18, 2, 6.4},  {12, 11, 6.4}};

Route walk(const NavMesh& mesh, Vec3 from, Vec3 to) {
    Scratch scratch;
    Result<Route> route =
        find_route(mesh, MeshQuery{.start = from, .goal = to, .reach = {0.5, 1, 1}}, scratch);
    FAIRLEAD_ASSERT(route.has_value());
    const Violation bad = verify(*route, mesh, {});
    EXPECT_FALSE(bad) << bad.text().c_str();
    return std::move(*route);
}

TEST(StairHouse, RoutesLeadFromFloorToFloor) {
    for (const std::uint32_t tiles : {0U, 32U}) {
        const House house(true, tiles);
        int stairs = 0;
        for (const Vec3 from : kPlaces) {
            for (const Vec3 to : kPlaces) {
                const Route route = walk(house.mesh, from, to);
                ASSERT_EQ(route.status, PathStatus::complete)
                    << from.x << ' ' << from.z << " to " << to.x << ' ' << to.z;
                EXPECT_NEAR(route.end.position.z, to.z, 0.25);
                double rise = 0.0;
                for (const Leg& leg : route.legs) rise += leg.rise;
                EXPECT_NEAR(rise, to.z - from.z, 0.4);
                stairs += std::fabs(to.z - from.z) > 1.0 ? 1 : 0;
            }
        }
        EXPECT_EQ(stairs, 2 * (3 * 4 + 3 * 3 + 4 * 3));
    }
}

TEST(StairHouse, LengthsAreThoseOfTheLayeredGraph) {
    const House house;
    const double cell = house.record.frame().cell_size;
    const Vec3 origin = house.record.frame().origin;
    ASSERT_TRUE(house.record.complete());
    const CellGraph graph(house.record, 3);
    const auto node_of = [&](Vec3 p) {
        CellGraph::Node found{};
        double best = 1e9;
        for (const StageCell& c : house.record.cells()) {
            if (c.stage != BakeStage::eroded) continue;
            const Vec3 at{origin.x + (c.x + 0.5) * cell, origin.y + (c.y + 0.5) * cell,
                          origin.z + c.low * 0.1};
            const double off = std::fabs(at.x - p.x) + std::fabs(at.y - p.y) + std::fabs(at.z - p.z);
            if (off < best) {
                best = off;
                found = {c.x, c.y, c.low};
            }
        }
        return found;
    };
    for (const Vec3 from : kPlaces) {
        const auto lengths = graph.lengths_from(node_of(from));
        for (const Vec3 to : kPlaces) {
            const auto found = lengths.find(node_of(to));
            ASSERT_NE(found, lengths.end());
            const double octile = found->second * cell;
            const double length = walk(house.mesh, from, to).length;
            // Steps to eight sides are at most 1.0824 times as long as the straight way, up to the cells at corners and ends.
            EXPECT_LE(length, octile + 4 * cell);
            EXPECT_GE(length, octile / 1.0824 - 8 * cell);
        }
    }
}

TEST(StairHouse, WithoutStairsTheFloorsAreApart) {
    const House house(false);
    EXPECT_EQ(walk(house.mesh, {2, 2, 0}, {18, 10, 3.2}).status, PathStatus::complete);
    EXPECT_EQ(walk(house.mesh, {2, 2, 0}, {18, 2, 6.4}).status, PathStatus::unreachable);
}

}  // namespace
}  // namespace fairlead
