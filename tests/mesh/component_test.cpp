// Components of a mesh after edits, against a flood over neighbours and a fresh mesh: walls that tear it apart and go again, tiles
// that come and go.
#include <map>
#include <vector>

#include <gtest/gtest.h>

#include <fairlead/base/rng.h>
#include <fairlead/mesh/nav_mesh.h>

#include "support/environment.h"

namespace fairlead {
namespace {

using testing::trials;

constexpr double kCell = 4.0;
constexpr int kCells = 3;  ///< of a tile, along each side
constexpr double kTile = kCell * kCells;

/// A tile of square cells, some of them blocked.
struct CellTile {
    std::vector<Vec3> vertices;
    std::vector<std::uint32_t> sizes;
    std::vector<std::uint32_t> corners;
    NavMeshTile tile;
};

CellTile cell_tile(Rng& rng, std::int32_t x, std::int32_t y, std::uint32_t blocked_percent) {
    CellTile out;
    for (int j = 0; j <= kCells; ++j) {
        for (int i = 0; i <= kCells; ++i)
            out.vertices.push_back({x * kTile + i * kCell, y * kTile + j * kCell, 0.0});
    }
    for (std::uint32_t j = 0; j < kCells; ++j) {
        for (std::uint32_t i = 0; i < kCells; ++i) {
            if (rng.below(100) < blocked_percent) continue;
            const std::uint32_t first = j * (kCells + 1) + i;
            out.sizes.push_back(4);
            out.corners.insert(out.corners.end(), {first, first + 1, first + kCells + 2, first + kCells + 1});
        }
    }
    out.tile.x = x;
    out.tile.y = y;
    return out;
}

/// The tiles and obstacles that are there now.
struct Standing {
    std::map<std::pair<std::int32_t, std::int32_t>, CellTile> tiles;
    std::map<std::int64_t, MeshObstacle> obstacles;

    [[nodiscard]] NavMeshTile tile(std::pair<std::int32_t, std::int32_t> at) {
        CellTile& cells = tiles[at];
        cells.tile.vertices = cells.vertices;
        cells.tile.polygon_sizes = cells.sizes;
        cells.tile.polygon_corners = cells.corners;
        return cells.tile;
    }
    [[nodiscard]] NavMesh fresh(double radius_max) {
        std::vector<NavMeshTile> list;
        for (const auto& [at, cells] : tiles) list.push_back(tile(at));
        Result<NavMesh> mesh =
            NavMesh::make({.tile_size = kTile, .radius_max = radius_max, .tiles = list, .landmarks = 0});
        EXPECT_TRUE(mesh);
        std::vector<MeshEdit> edits;
        for (const auto& [id, obstacle] : obstacles) edits.push_back(MeshEdit::add(id, obstacle));
        EXPECT_TRUE(mesh->apply(edits));
        return std::move(*mesh);
    }
};

std::vector<std::uint32_t> numbers_of(const NavMeshState& state) {
    std::vector<std::uint32_t> out;
    for (std::uint32_t i = 0; i < state.polygons(); ++i) out.push_back(state.component(state.polygon(i)));
    return out;
}

// Same number if and only if one can be come to from the other. Gives the number of components.
std::size_t check_by_flood(const NavMeshState& state) {
    std::map<std::uint32_t, std::uint32_t> flooded;  // polygon, component as flooded
    std::map<std::uint32_t, std::uint32_t> number_of;
    for (std::uint32_t i = 0; i < state.polygons(); ++i) {
        const PolygonId first = state.polygon(i);
        if (flooded.contains(first.value)) continue;
        const auto here = static_cast<std::uint32_t>(number_of.size());
        for (const auto& [other, number] : number_of) EXPECT_NE(number, state.component(first)) << other;
        number_of[here] = state.component(first);
        std::vector<PolygonId> queue{first};
        flooded[first.value] = here;
        for (std::size_t k = 0; k < queue.size(); ++k) {
            const PolygonId at = queue[k];
            EXPECT_EQ(state.component(at), number_of[here]);
            for (std::uint32_t c = 0; c < state.corners(at); ++c) {
                const PolygonId next = state.neighbour(at, c);
                if (next.valid() && flooded.emplace(next.value, here).second) queue.push_back(next);
            }
        }
    }
    return number_of.size();
}

// A wall that is longer than a tile, or a block.
MeshObstacle random_wall(Rng& rng, int size) {
    const Vec2 at{rng.between(0.0, size * kTile), rng.between(0.0, size * kTile)};
    const bool upright = rng.below(2) == 0;
    const double along = rng.below(3) == 0 ? rng.between(0.5, 4.0) : rng.between(kTile / 2, kTile * 2.0);
    const double across = rng.between(0.1, 2.0);
    return MeshObstacle::box(at, upright ? Vec2{across, along} : Vec2{along, across},
                             rng.below(2) == 0 ? 0.0 : rng.between(0.0, 3.0), -1.0, 1.0);
}

TEST(MeshComponents, EqualAFloodAfterEveryEdit) {
    Rng rng(2207);
    std::size_t more = 0, less = 0;
    for (int world = 0; world < trials(25); ++world) {
        const int size = 2 + static_cast<int>(rng.below(6));
        const double radius_max = rng.below(4) == 0 ? 1.5 : 0.0;
        const std::uint32_t blocked = rng.below(45);
        Standing now;
        for (std::int32_t y = 0; y < size; ++y) {
            for (std::int32_t x = 0; x < size; ++x) now.tiles[{x, y}] = cell_tile(rng, x, y, blocked);
        }
        NavMesh mesh = now.fresh(radius_max);
        std::size_t components = check_by_flood(mesh);
        std::vector<std::uint32_t> last = numbers_of(mesh);
        NavMeshSnapshot held = mesh.acquire();
        for (int step = 0; step < 25; ++step) {
            if (rng.below(4) == 0) {
                const std::pair<std::int32_t, std::int32_t> at{
                    static_cast<std::int32_t>(rng.below(static_cast<std::uint32_t>(size))),
                    static_cast<std::int32_t>(rng.below(static_cast<std::uint32_t>(size)))};
                // The last one stays: how fine obstacles are cut depends on how far out a mesh was when it was made.
                const bool last_one = at.first == size - 1 && at.second == size - 1;
                if (rng.below(2) == 0 && now.tiles.contains(at) && !last_one) {
                    now.tiles.erase(at);
                    ASSERT_TRUE(mesh.remove_tile(at.first, at.second));
                } else {
                    now.tiles[at] = cell_tile(rng, at.first, at.second, blocked);
                    ASSERT_TRUE(mesh.set_tile(now.tile(at)));
                }
            } else {
                std::vector<MeshEdit> edits;
                for (std::uint32_t i = 0; i <= rng.below(3); ++i) {
                    const auto id = static_cast<std::int64_t>(rng.below(12));
                    const bool known = now.obstacles.contains(id);
                    if (known && rng.below(2) == 0) {
                        now.obstacles.erase(id);
                        edits.push_back(MeshEdit::remove(id));
                        continue;
                    }
                    now.obstacles[id] = random_wall(rng, size);
                    edits.push_back(known ? MeshEdit::move(id, now.obstacles[id])
                                          : MeshEdit::add(id, now.obstacles[id]));
                }
                ASSERT_TRUE(mesh.apply(edits));
            }
            const std::size_t here = check_by_flood(mesh);
            more += here > components ? 1 : 0;
            less += here < components ? 1 : 0;
            components = here;
            ASSERT_EQ(numbers_of(mesh), numbers_of(now.fresh(radius_max)))
                << "world " << world << " step " << step;
            ASSERT_FALSE(HasFailure()) << "world " << world << " step " << step;
            // What others hold does not change.
            ASSERT_EQ(numbers_of(*held), last);
            if (rng.below(3) == 0) {
                held = mesh.acquire();
                last = numbers_of(*held);
            }
        }
        held.release();
    }
    EXPECT_GT(more, static_cast<std::size_t>(trials(25)));
    EXPECT_GT(less, static_cast<std::size_t>(trials(25)));
}

// A snake of corridors over many tiles: a door in the middle of it tears it in two halves, at either end it parts little.
TEST(MeshComponents, AreTornAndJoinedAtADoor) {
    constexpr int kSize = 9;
    Rng rng(2208);
    Standing now;
    for (std::int32_t y = 0; y < kSize; ++y) {
        for (std::int32_t x = 0; x < kSize; ++x) {
            const bool corridor = y % 2 == 0 || x == (y % 4 == 1 ? kSize - 1 : 0);
            if (corridor) now.tiles[{x, y}] = cell_tile(rng, x, y, 0);
        }
    }
    NavMesh mesh = now.fresh(0.0);
    ASSERT_EQ(check_by_flood(mesh), 1U);
    const std::vector<std::uint32_t> whole = numbers_of(mesh);
    for (std::int32_t y = 0; y < kSize; y += 2) {
        for (std::int32_t x = 1; x + 1 < kSize; ++x) {
            const Vec2 at{(x + 0.5) * kTile, (y + 0.5) * kTile};
            const MeshEdit shut[] = {MeshEdit::add(1, MeshObstacle::box(at, {0.5, kTile}, 0.0, -1.0, 1.0))};
            ASSERT_TRUE(mesh.apply(shut));
            ASSERT_EQ(check_by_flood(mesh), 2U) << x << " " << y;
            const MeshEdit open[] = {MeshEdit::remove(1)};
            ASSERT_TRUE(mesh.apply(open));
            ASSERT_EQ(numbers_of(mesh), whole) << x << " " << y;
        }
    }
}

}  // namespace
}  // namespace fairlead
