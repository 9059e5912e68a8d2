// From triangles to a Volume: every voxel is as it was baked.

#include <gtest/gtest.h>

#include <fairlead/volume_bake/volume_bake.h>

#include "volume_bake/voxel_worlds.h"

namespace fairlead::bake {
namespace {

using fairlead::testing::Dense;
using fairlead::testing::Placement;
using fairlead::testing::Triangles;

TEST(MakeVolume, HoldsWhatWasBaked) {
    Rng rng(41);
    Triangles model;
    model.box({-20, -13, -31}, {25, 17, 20});
    const Placement place(rng, {500, -200, 30});
    for (Vec3& p : model.vertices) p = place(p);
    for (const VolumeFill fill : {VolumeFill::nothing, VolumeFill::inside}) {
        const VolumeBakeOptions options{.voxel_size = {0.75, 0.5, 1.0}, .fill = fill};
        VolumeReport report;
        const Result<Volume> made = volume(model.soup(), options, &report);
        ASSERT_TRUE(made.has_value()) << error_name(made.error().code);
        const Result<BakedVolume> baked = bake_volume(model.soup(), options);
        ASSERT_TRUE(baked.has_value());
        const VolumeState& state = made->state();
        EXPECT_EQ(state.size(), baked->size);
        EXPECT_EQ(state.origin(), baked->origin);
        EXPECT_EQ(state.solid_voxels(), report.triangles.solid + report.filled);
        EXPECT_EQ(report.filled > 0, fill == VolumeFill::inside);
        Dense world(baked->size.x, baked->size.y, baked->size.z);
        world.add(baked->bricks.span());
        int wrong = 0;
        for (std::int32_t z = 0; z < baked->size.z; ++z) {
            for (std::int32_t y = 0; y < baked->size.y; ++y) {
                for (std::int32_t x = 0; x < baked->size.x; ++x)
                    wrong += state.is_free({x, y, z}) == (world.solid[world.index(x, y, z)] != 0) ? 1 : 0;
            }
        }
        EXPECT_EQ(wrong, 0);
        const Voxel middle = state.voxel_at({500, -200, 30});
        EXPECT_EQ(state.is_free(middle), fill == VolumeFill::nothing);
        if (fill == VolumeFill::nothing) {
            EXPECT_NE(state.component(middle), state.component({0, 0, 0}));
        }
    }
}

TEST(MakeVolume, ErrorsComeThrough) {
    Triangles model;
    model.box({0, 0, 0}, {4, 4, 4});
    EXPECT_EQ(volume(model.soup(), {.voxel_size = {0, 1, 1}}).error().field, Field::cell_size);
    model.triangles.clear();
    EXPECT_EQ(volume(model.soup()).error().code, ErrorCode::size_zero);
}

}  // namespace
}  // namespace fairlead::bake
