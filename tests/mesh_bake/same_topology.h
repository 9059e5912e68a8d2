// A level baked as one tile and as many, beside its cells: the same parts with the same holes.
#pragma once

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include <fairlead/mesh_bake/bake.h>

#include "mesh_bake/topology.h"
#include "support/levels.h"

namespace fairlead::testing {

// The floors of the whole level, as the bake sees them without tiles, islands taken away.
inline bake::Floors floors_of(const Level& level, const bake::BakeOptions& options) {
    const Vec3 origin = options.give_origin ? options.origin : soup_low_corner(level.soup());
    const Result<bake::Settings> settings = bake::make_settings(options, origin);
    const Result<GridSoup> soup =
        prepare_soup(level.soup(), settings->frame, {.slope_max_rad = options.slope_max_rad});
    const CellBox box{static_cast<std::int32_t>(std::floor(soup->low[0])),
                      static_cast<std::int32_t>(std::floor(soup->low[1])),
                      static_cast<std::int32_t>(std::floor(soup->high[0])) + 1,
                      static_cast<std::int32_t>(std::floor(soup->high[1])) + 1};
    Result<SpanField> field = SpanField::make(box);
    EXPECT_TRUE(field->add(*soup));
    bake::SolidRows rows{Allocator{}};
    rows.box = box;
    EXPECT_TRUE(rows.rows.resize(static_cast<std::size_t>(box.height())));
    for (std::int32_t y = box.y0; y < box.y1; ++y)
        rows.rows[static_cast<std::size_t>(y - box.y0)] = {field->row(y), field->upper()};
    bake::Floors floors{Allocator{}};
    EXPECT_TRUE(bake::find_floors(rows, box, *settings, floors));
    EXPECT_TRUE(bake::mark_areas(*settings, floors));
    EXPECT_TRUE(bake::link_floors(*settings, floors));
    EXPECT_TRUE(bake::erode_floors(*settings, floors));
    return floors;
}

inline void expect_convex(const bake::BakedMesh& mesh) {
    for (const bake::BakedTile& tile : mesh.tiles) {
        for (std::uint32_t p = 0; p < tile.polygon_count; ++p) {
            const bake::BakedPolygon& polygon = mesh.polygons[tile.first_polygon + p];
            const auto at = [&](std::uint32_t i) {
                return ground(
                    mesh.vertices[tile.first_vertex +
                                  mesh.corners[tile.first_corner + polygon.first + i % polygon.count]]);
            };
            double area = 0;
            for (std::uint32_t i = 0; i < polygon.count; ++i) {
                ASSERT_GE(cross(at(i + 1) - at(i), at(i + 2) - at(i + 1)), 0.0);
                area += cross(at(i) - at(0), at(i + 1) - at(0));
            }
            ASSERT_GT(area, 0.0);
            ASSERT_GE(polygon.area, 1U);
        }
    }
}

// The parts of the mesh are those of the cells, with the same holes, for one tile and for many.
inline void expect_same_topology(const Level& level, bake::BakeOptions options) {
    options.island_cells_min = 0;
    const std::vector<long> wanted = glue(floors_of(level, options)).characters();
    for (const std::uint32_t tile : {0U, 16U, 37U}) {
        options.tile_cells = tile;
        const Result<bake::BakedMesh> mesh = bake::bake_mesh(level.soup(), options);
        ASSERT_TRUE(mesh) << error_name(mesh.error().code);
        expect_convex(*mesh);
        int faults = 0;
        const Glued glued = glue(*mesh, faults);
        EXPECT_EQ(faults, 0) << "tile " << tile;
        EXPECT_EQ(glued.characters(), wanted) << "tile " << tile;
    }
}

}  // namespace fairlead::testing
