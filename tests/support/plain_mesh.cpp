#include "support/plain_mesh.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include <gtest/gtest.h>

#include <fairlead/math/pose.h>
#include <fairlead/math/trig.h>

namespace fairlead::testing {

void PlainMesh::flatten() {
    sizes.clear();
    corners.clear();
    for (const std::vector<std::uint32_t>& polygon : polygons) {
        sizes.push_back(static_cast<std::uint32_t>(polygon.size()));
        corners.insert(corners.end(), polygon.begin(), polygon.end());
    }
}

NavMeshTile PlainMesh::tile() const {
    return {.vertices = vertices, .polygon_sizes = sizes, .polygon_corners = corners, .areas = areas};
}

NavMesh PlainMesh::make(std::uint32_t landmarks, const Allocator& allocator, double radius_max) {
    flatten();
    const NavMeshTile one = tile();
    Result<NavMesh> made = NavMesh::make(
        {.radius_max = radius_max, .tiles = {&one, 1}, .landmarks = landmarks, .allocator = allocator});
    EXPECT_TRUE(made) << error_text(made.error().code) << " " << made.error().index << " "
                      << made.error().detail;
    return std::move(*made);
}

NavMesh PlainMesh::make_tiled(double tile_size, std::uint32_t landmarks, const Allocator& allocator,
                              double radius_max) {
    std::map<std::pair<std::int32_t, std::int32_t>, PlainMesh> parts;
    std::map<std::pair<std::int32_t, std::int32_t>, std::map<std::uint32_t, std::uint32_t>> numbers;
    for (std::size_t i = 0; i < polygons.size(); ++i) {
        Vec2 middle{};
        for (const std::uint32_t v : polygons[i]) middle = middle + ground(vertices[v]);
        middle = middle * (1.0 / static_cast<double>(polygons[i].size()));
        const std::pair place{static_cast<std::int32_t>(std::floor(middle.x / tile_size)),
                              static_cast<std::int32_t>(std::floor(middle.y / tile_size))};
        PlainMesh& part = parts[place];
        std::vector<std::uint32_t>& polygon = part.polygons.emplace_back();
        for (const std::uint32_t v : polygons[i]) {
            const auto [at, added] =
                numbers[place].try_emplace(v, static_cast<std::uint32_t>(part.vertices.size()));
            if (added) part.vertices.push_back(vertices[v]);
            polygon.push_back(at->second);
        }
        if (!areas.empty()) part.areas.push_back(areas[i]);
    }
    std::vector<NavMeshTile> tiles;
    for (auto& [place, part] : parts) {
        part.flatten();
        NavMeshTile tile = part.tile();
        tile.x = place.first;
        tile.y = place.second;
        tiles.push_back(tile);
    }
    Result<NavMesh> made = NavMesh::make({.tile_size = tile_size,
                                          .radius_max = radius_max,
                                          .tiles = tiles,
                                          .landmarks = landmarks,
                                          .allocator = allocator});
    EXPECT_TRUE(made) << error_text(made.error().code) << " " << made.error().index << " "
                      << made.error().detail;
    return std::move(*made);
}

namespace {

struct Rectangle {
    std::int32_t x = 0;
    std::int32_t y = 0;
    std::int32_t width = 1;
    std::int32_t height = 1;
};

// Free cells, each taken into a rectangle that grows to the right and up while the dice allow.
std::vector<Rectangle> random_rectangles(Rng& rng, const MeshRecipe& recipe) {
    const auto at = [&](std::int32_t x, std::int32_t y) {
        return static_cast<std::size_t>(y * recipe.width + x);
    };
    std::vector<bool> taken(static_cast<std::size_t>(recipe.width * recipe.height));
    for (std::size_t i = 0; i < taken.size(); ++i) taken[i] = rng.below(100) < recipe.blocked_percent;
    std::vector<Rectangle> out;
    for (std::int32_t y = 0; y < recipe.height; ++y) {
        for (std::int32_t x = 0; x < recipe.width; ++x) {
            if (taken[at(x, y)]) continue;
            Rectangle r{x, y, 1, 1};
            while (r.x + r.width < recipe.width && !taken[at(r.x + r.width, y)] &&
                   rng.below(100) < recipe.join_percent) {
                ++r.width;
            }
            const auto row_free = [&](std::int32_t row) {
                for (std::int32_t i = 0; i < r.width; ++i) {
                    if (taken[at(r.x + i, row)]) return false;
                }
                return true;
            };
            while (r.y + r.height < recipe.height && row_free(r.y + r.height) &&
                   rng.below(100) < recipe.join_percent) {
                ++r.height;
            }
            for (std::int32_t j = 0; j < r.height; ++j) {
                for (std::int32_t i = 0; i < r.width; ++i) taken[at(r.x + i, r.y + j)] = true;
            }
            out.push_back(r);
        }
    }
    return out;
}

}  // namespace

MeshRecipe random_recipe(Rng& rng) {
    MeshRecipe recipe;
    recipe.width = 2 + static_cast<std::int32_t>(rng.below(9));
    recipe.height = 2 + static_cast<std::int32_t>(rng.below(9));
    recipe.blocked_percent = 5 + rng.below(50);
    recipe.split_percent = rng.below(101);
    recipe.join_percent = rng.below(101);
    recipe.slanted = rng.below(2) == 0;
    return recipe;
}

PlainMesh random_mesh(Rng& rng, const MeshRecipe& recipe) {
    PlainMesh mesh;
    const std::int32_t across = recipe.width + 1;
    for (std::int32_t y = 0; y <= recipe.height; ++y) {
        for (std::int32_t x = 0; x <= recipe.width; ++x) {
            const double px = x * recipe.cell, py = y * recipe.cell;
            mesh.vertices.push_back(recipe.slanted ? Vec3{3.0 * px + py, 2.0 * py - px, 0.0}
                                                   : Vec3{px, py, 0.0});
        }
    }
    const auto vertex = [&](std::int32_t x, std::int32_t y) {
        return static_cast<std::uint32_t>(y * across + x);
    };
    for (const Rectangle& r : random_rectangles(rng, recipe)) {
        // Round the rectangle with every vertex of the raster on it: the neighbours may need them.
        std::vector<std::uint32_t> ring;
        for (std::int32_t i = 0; i < r.width; ++i) ring.push_back(vertex(r.x + i, r.y));
        for (std::int32_t i = 0; i < r.height; ++i) ring.push_back(vertex(r.x + r.width, r.y + i));
        for (std::int32_t i = r.width; i > 0; --i) ring.push_back(vertex(r.x + i, r.y + r.height));
        for (std::int32_t i = r.height; i > 0; --i) ring.push_back(vertex(r.x, r.y + i));
        const auto area = static_cast<std::uint8_t>(rng.below(recipe.areas));
        if (rng.below(100) < recipe.split_percent) {
            // Along the diagonal from the first corner.
            const auto cut = static_cast<std::ptrdiff_t>(r.width + r.height);
            std::vector<std::uint32_t> half(ring.begin(), ring.begin() + cut + 1);
            mesh.polygons.push_back(half);
            half.assign(ring.begin() + cut, ring.end());
            half.push_back(ring[0]);
            mesh.polygons.push_back(half);
            if (recipe.areas > 1) mesh.areas.insert(mesh.areas.end(), 2, area);
        } else {
            mesh.polygons.push_back(ring);
            if (recipe.areas > 1) mesh.areas.push_back(area);
        }
    }
    return mesh;
}

PlainMesh spiral_mesh(std::int32_t steps_a_turn, std::int32_t turns, double rise) {
    PlainMesh mesh;
    const std::int32_t steps = steps_a_turn * turns;
    for (std::int32_t i = 0; i <= steps; ++i) {
        const double angle = kTwoPi * (i % steps_a_turn) / steps_a_turn;
        const math::SinCos sc = math::sin_cos(angle);
        mesh.vertices.push_back({4.0 * sc.cos, 4.0 * sc.sin, rise * i});
        mesh.vertices.push_back({9.0 * sc.cos, 9.0 * sc.sin, rise * i});
    }
    for (std::int32_t i = 0; i < steps; ++i) {
        const auto first = static_cast<std::uint32_t>(2 * i);
        mesh.polygons.push_back({first, first + 1, first + 3, first + 2});
    }
    return mesh;
}

}  // namespace fairlead::testing
