// Span fields of 3,000 triangles, and 24 bakes of random levels with ramps, slabs and marks: every number of every mesh.
#include <fairlead/base/array.h>
#include <fairlead/base/rng.h>
#include <fairlead/mesh_bake/bake.h>
#include <fairlead/raster/span_field.h>

#include "digest/digest_scene.h"
#include "digest/soup.h"

namespace {

using namespace fairlead;
using fairlead::testing::add_piece;
using fairlead::testing::Soup;

}  // namespace

FAIRLEAD_DIGEST_SCENE(raster_spans) {
    Rng rng(4101);
    for (int round = 0; round < 30; ++round) {
        Result<SpanField> field = SpanField::make({0, 0, 40, 40});
        if (!field) return digest.add(std::uint64_t{1});
        for (int i = 0; i < 100; ++i) {
            GridTriangle t{};
            for (int k = 0; k < 3; ++k) {
                t.x[k] = rng.between(-5.0, 45.0);
                t.y[k] = rng.between(-5.0, 45.0);
                t.z[k] = rng.between(-50.0, 50.0);
            }
            t.area = rng.below(4);
            if (!field->add({&t, 1})) return digest.add(std::uint64_t{2});
        }
        for (std::int32_t y = 0; y < 40; ++y) {
            for (std::int32_t x = 0; x < 40; ++x) {
                for (const Span* at = field->row(y) + x;;) {
                    digest.add(at->low);
                    digest.add(at->high);
                    digest.add(at->area);
                    if (at->above == 0) break;
                    at = field->upper() + at->above;
                }
            }
        }
    }
}

FAIRLEAD_DIGEST_SCENE(bake_levels) {
    Rng rng(4102);
    for (int round = 0; round < 24; ++round) {
        Soup soup;
        if (!soup.quad({0, 0, 0}, {16, 0, 0}, {16, 16, round % 3 * 0.4}, {0, 16, 0}, 1))
            return digest.add(std::uint64_t{1});
        for (int i = 0; i < 40; ++i) {
            if (!add_piece(rng, soup)) return digest.add(std::uint64_t{2});
        }
        const Vec2 outline[] = {{3, 3}, {9, 4}, {6, 10}};
        const bake::AreaMark marks[] = {{outline, -1.0, 1.0, static_cast<std::uint8_t>(round % 4)}};
        bake::BakeOptions options;
        options.cell_size = round % 2 == 0 ? 0.25 : 0.3;
        options.agent_radius = 0.2 * (round % 4);
        options.tile_cells = round % 3 == 0 ? 0 : 24;
        options.edge_error = round % 5 == 0 ? 3.0 : 1.3;
        options.marks = marks;
        const Result<bake::BakedMesh> mesh =
            bake::bake_mesh({soup.vertices.span(), soup.triangles.span(), soup.areas.span()}, options);
        digest.add(mesh ? bake::digest(*mesh) : 0);
    }
}
