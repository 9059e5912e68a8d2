// Triangles as a source of chunks: the three designs of technique V10 make the same bytes.

#include <gtest/gtest.h>

#include <fairlead/volume/save_volume.h>
#include <fairlead/volume_bake/triangle_chunks.h>

#include "support/environment.h"
#include "volume_bake/voxel_worlds.h"

namespace fairlead::bake {
namespace {

using fairlead::testing::Placement;
using fairlead::testing::Triangles;

Array<std::uint8_t> saved(const VolumeState& volume) {
    Array<std::uint8_t> bytes;
    EXPECT_TRUE(save_volume(volume, bytes).has_value());
    return bytes;
}

TEST(TriangleChunks, AreThoseOfTheWholeBake) {
    Rng rng(17);
    for (int n = 0; n < fairlead::testing::trials(6); ++n) {
        Triangles model;
        for (int i = 0; i < 8; ++i) {
            const Vec3 low{rng.between(-60.0, 50.0), rng.between(-40.0, 30.0), rng.between(-20.0, 15.0)};
            model.box(low, low + Vec3{rng.between(1.0, 30.0), rng.between(1.0, 30.0), rng.between(1.0, 9.0)});
        }
        const VolumeBakeOptions options{.voxel_size = {0.75, 0.5, 1.0},
                                        .give_bounds = true,
                                        .low = {-60, -40, -20},
                                        .high = {70, 45, 30}};
        const Result<Volume> whole = volume(model.soup(), options);
        const Result<VolumeOptions> empty = streamed_volume(options);
        ASSERT_TRUE(whole && empty);
        EXPECT_EQ(empty->size, whole->state().size());
        EXPECT_EQ(empty->origin, whole->state().origin());
        Result<Volume> loaded = Volume::make(*empty);
        ASSERT_TRUE(loaded);
        TriangleChunks triangles(model.soup(), options);
        const VoxelBox all{{0, 0, 0}, empty->size};
        const Result<std::size_t> count = load_box(*loaded, all, triangles.source());
        ASSERT_TRUE(count.has_value());
        EXPECT_EQ(*count, loaded->state().loaded_chunks());
        const Array<std::uint8_t> a = saved(*whole), b = saved(*loaded);
        EXPECT_TRUE(std::equal(a.begin(), a.end(), b.begin(), b.end()));
    }
}

TEST(TriangleChunks, TellsWhatIsWrong) {
    Triangles model;
    model.box({0, 0, 0}, {5, 5, 5});
    EXPECT_EQ(streamed_volume({}).error(), (Error{ErrorCode::incompatible, Field::box}));
    VolumeBakeOptions options{
        .give_bounds = true, .low = {0, 0, 0}, .high = {9, 9, 9}, .fill = VolumeFill::inside};
    EXPECT_EQ(streamed_volume(options).error().code, ErrorCode::incompatible);
    options.fill = VolumeFill::nothing;
    Volume space = *Volume::make(*streamed_volume(options));
    options.refuse_bad = true;
    const std::uint32_t wrong[] = {0, 1, 99};
    TriangleSoup soup = model.soup();
    soup.triangles = wrong;
    TriangleChunks triangles(soup, options);
    EXPECT_EQ(load_box(space, {{0, 0, 0}, {9, 9, 9}}, triangles.source()).error().code,
              ErrorCode::unknown_id);
    EXPECT_EQ(space.state().loaded_chunks(), 0U);
}

}  // namespace
}  // namespace fairlead::bake
