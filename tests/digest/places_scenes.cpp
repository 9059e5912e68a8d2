// Narrow places of 40 random rasters, each found, edited and mended, with the ways of 20 lines through them.
#include <fairlead/base/rng.h>
#include <fairlead/crowd/narrow_places.h>

#include "digest/digest_scene.h"

namespace {

using namespace fairlead;

constexpr std::int32_t kRasterSide = 90;

struct Raster {
    std::uint8_t cells[kRasterSide * kRasterSide] = {};
};

void read_row(std::int32_t y, std::int32_t x, std::span<std::uint8_t> blocked, void* user) {
    const auto& raster = *static_cast<const Raster*>(user);
    for (std::size_t i = 0; i < blocked.size(); ++i) {
        blocked[i] = raster.cells[y * kRasterSide + x + static_cast<std::int32_t>(i)];
    }
}

RasterRect draw_rect(Rng& rng, std::uint32_t side) {
    RasterRect rect;
    for (std::int32_t* low : {&rect.low.x, &rect.low.y})
        *low = static_cast<std::int32_t>(rng.below(kRasterSide));
    rect.high.x = rect.low.x + 1 + static_cast<std::int32_t>(rng.below(side));
    rect.high.y = rect.low.y + 1 + static_cast<std::int32_t>(rng.below(side));
    if (rect.high.x > kRasterSide) rect.high.x = kRasterSide;
    if (rect.high.y > kRasterSide) rect.high.y = kRasterSide;
    return rect;
}

void fill(Raster& raster, const RasterRect& rect, std::uint8_t wall) {
    for (std::int32_t y = rect.low.y; y < rect.high.y; ++y) {
        for (std::int32_t x = rect.low.x; x < rect.high.x; ++x) raster.cells[y * kRasterSide + x] = wall;
    }
}

bool add_places(Rng& rng, const NarrowPlaces& places, Digest& digest) {
    digest.add(places.digest());
    Array<PlaceCrossing> crossings;
    for (int line = 0; line < 10; ++line) {
        Vec2 route[3];
        for (Vec2& corner : route) {
            corner.x = rng.between(-1.0, 31.0);
            corner.y = rng.between(-1.0, 31.0);
        }
        if (!places.crossings(route, crossings)) return false;
        for (const PlaceCrossing& crossing : crossings) {
            for (const std::uint32_t n : {crossing.place, crossing.in, crossing.out}) digest.add(n);
            digest.add(crossing.from);
            digest.add(crossing.to);
        }
    }
    return true;
}

bool narrow_places(Digest& digest) {
    Rng rng(2404);
    PlaceFinder finder;
    for (int round = 0; round < 40; ++round) {
        Raster raster;
        const bool dug = round % 2 == 0;
        fill(raster, {{0, 0}, {kRasterSide, kRasterSide}}, dug ? 1 : 0);
        const std::uint32_t count = 10 + rng.below(24);
        for (std::uint32_t i = 0; i < count; ++i) fill(raster, draw_rect(rng, 22), dug ? 0 : 1);
        const PlacesOptions options{
            .cell = 1.0 / 3.0, .width = kRasterSide, .height = kRasterSide, .radius = rng.between(0.7, 1.1)};
        const WallRows walls{read_row, &raster};
        const Result<NarrowPlaces> places = finder.find(options, walls);
        if (!places || !add_places(rng, *places, digest)) return false;
        const RasterRect changed = draw_rect(rng, 12);
        fill(raster, changed, dug ? 1 : 0);
        const Result<NarrowPlaces> mended = finder.repair(changed, walls);
        if (!mended || !add_places(rng, *mended, digest)) return false;
    }
    return true;
}

}  // namespace

FAIRLEAD_DIGEST_SCENE(narrow_places) {
    if (!narrow_places(digest)) digest.add(std::uint64_t{1});
}
