// Volumes: 3,000 routes, their slices of sight and their components in random worlds that are edited; wide spheres, several goals and
// units with a turning circle; and levels in voxels.
#include <fairlead/base/array.h>
#include <fairlead/base/rng.h>
#include <fairlead/fly/find_fly.h>
#include <fairlead/raster/voxels.h>
#include <fairlead/volume/find_route.h>
#include <fairlead/volume/sight.h>
#include <fairlead/volume/stream.h>

#include "digest/digest_scene.h"
#include "digest/route_digest.h"
#include "digest/soup.h"

namespace {

using namespace fairlead;
using fairlead::testing::add_piece;
using fairlead::testing::add_route;
using fairlead::testing::Soup;

VolumeEdit random_edit(Rng& rng, Voxel size) {
    const Voxel low{rng.between(-2, size.x), rng.between(-2, size.y), rng.between(-2, size.z)};
    const std::int32_t side = rng.between(1, 14);
    const VoxelBox box{low, {low.x + side, low.y + rng.between(1, side), low.z + side}};
    if (rng.below(3) == 0) {
        const double radius = rng.between(0.0, 7.0);
        const bool solid = rng.below(4) != 0;
        return VolumeEdit::ball({low.x + 0.25, low.y + 0.5, low.z + 0.75}, radius, solid);
    }
    return rng.below(3) == 0 ? VolumeEdit::clear(box) : VolumeEdit::fill(box);
}

Vec3 random_place(Rng& rng, Voxel size) {
    const auto along = [&](std::int32_t side) {
        return rng.below(2) == 0 ? rng.between(0, side - 1) + 0.5
                                 : rng.between(0.0, static_cast<double>(side));
    };
    return {along(size.x), along(size.y), along(size.z)};
}

// Boxes and balls in a world of up to 40 voxels a side.
Result<Volume> random_space(Rng& rng, Voxel size) {
    Result<Volume> space = Volume::make({.size = size});
    VolumeEdit edits[20];
    for (VolumeEdit& edit : edits) edit = random_edit(rng, size);
    if (space && !space->apply(edits)) return Error{ErrorCode::out_of_memory};
    return space;
}

}  // namespace

FAIRLEAD_DIGEST_SCENE(volume_queries) {
    Rng rng(20261126);
    Scratch scratch;
    Route route;
    for (int n = 0; n < 30; ++n) {
        const Voxel size{rng.between(20, 150), rng.between(20, 100), rng.between(10, 90)};
        Result<Volume> space = Volume::make({.size = size});
        if (!space) return digest.add(std::uint64_t{1});
        for (int q = 0; q < 100; ++q) {
            if (q % 5 == 0) {
                VolumeEdit edits[12];
                for (VolumeEdit& edit : edits) edit = random_edit(rng, size);
                if (!space->apply(edits)) return digest.add(std::uint64_t{2});
                digest.add(static_cast<std::uint64_t>(space->state().solid_voxels()));
            }
            VolumeQuery query{
                .start = random_place(rng, size), .goal = random_place(rng, size), .reach = 12.0};
            if (q % 3 == 0) query.agent.radius = rng.below(2) == 0 ? 0.5 : rng.between(0.0, 0.5);
            query.partial = q % 8 == 0;
            if (q % 16 == 0) query.expansions_max = rng.below(200);
            if (!find_route_into(*space, query, scratch, route)) return digest.add(std::uint64_t{3});
            add_route(digest, route);
            const VolumeHit hit =
                cast_ray(*space, query.start.position, query.goal.at.position, rng.between(0.0, 3.0));
            digest.add(hit.share);
            digest.add(clearance_at(*space, query.start.position, 20.0));
            digest.add(space->state().component(space->state().voxel_at(query.start.position)));
        }
    }
}

FAIRLEAD_DIGEST_SCENE(volume_goals) {
    Rng rng(20261128);
    Scratch scratch;
    Route route;
    for (int n = 0; n < 24; ++n) {
        const Voxel size{rng.between(16, 40), rng.between(16, 40), rng.between(12, 30)};
        const Result<Volume> space = random_space(rng, size);
        if (!space) return digest.add(std::uint64_t{1});
        for (int q = 0; q < 12; ++q) {
            Vec3 places[4];
            for (Vec3& place : places) place = random_place(rng, size);
            VolumeQuery query{.start = random_place(rng, size)};
            const double range = rng.between(0.0, 9.0);
            query.reach = 6.0;
            if (q % 3 == 0) query.goal = Goal::any_of(places);
            if (q % 3 == 1) query.goal = Goal::within(places[0], range);
            if (q % 3 == 2) query.goal = places[0];
            if (q % 3 != 1) query.agent.radius = rng.between(0.0, 2.0);
            query.partial = q % 2 == 0;
            if (!find_route_into(*space, query, scratch, route)) return digest.add(std::uint64_t{2});
            add_route(digest, route);
        }
    }
}

// Chunks that come and go, and blockers.
FAIRLEAD_DIGEST_SCENE(volume_streams) {
    Rng rng(20261130);
    Scratch scratch;
    Route route;
    for (int n = 0; n < 12; ++n) {
        const Voxel size{rng.between(100, 200), rng.between(60, 140), rng.between(10, 70)};
        const Result<Volume> whole = random_space(rng, size);
        Result<Volume> space = Volume::make({.size = size, .streamed = true});
        if (!whole || !space) return digest.add(std::uint64_t{1});
        Array<std::uint8_t> bytes;
        for (int q = 0; q < 40; ++q) {
            const Voxel count = space->state().chunks();
            const Voxel chunk{rng.between(0, count.x - 1), rng.between(0, count.y - 1),
                              rng.between(0, count.z - 1)};
            if (rng.below(3) == 0) {
                if (!space->apply(VolumeEdit::unload(chunk))) return digest.add(std::uint64_t{2});
            } else {
                if (!save_volume_chunk(*whole, chunk, bytes)) return digest.add(std::uint64_t{3});
                const Result<VolumeChunk> loaded =
                    load_volume_chunk(bytes.span(), volume_key({.size = size}, 0));
                if (!loaded || !space->apply(loaded->edit())) return digest.add(std::uint64_t{4});
            }
            VolumeBlocker others[8];
            for (VolumeBlocker& one : others) {
                const Vec3 at = random_place(rng, size);
                const double reach = rng.between(0.0, 6.0);
                one = rng.below(2) == 0 ? VolumeBlocker::ball(at, reach)
                                        : VolumeBlocker::box(at, at + Vec3{reach, 2.0, reach});
            }
            VolumeQuery query{
                .start = random_place(rng, size), .goal = random_place(rng, size), .reach = 12.0};
            query.agent.radius = q % 3 == 0 ? 0.0 : rng.between(0.0, 1.2);
            query.partial = q % 4 == 0;
            if (q % 2 == 0) query.blockers = others;
            if (!find_route_into(*space, query, scratch, route)) return digest.add(std::uint64_t{5});
            add_route(digest, route);
            Array<Voxel> missing;
            if (!missing_chunks(*space, query, scratch, 6, missing)) return digest.add(std::uint64_t{6});
            for (const Voxel& v : missing) digest.add(v.x + 1000 * v.y + 1000000 * v.z);
        }
        if (!save_volume(*space, bytes)) return digest.add(std::uint64_t{7});
        for (const std::uint8_t byte : bytes) digest.add(std::uint32_t{byte});
    }
}

// Dangers and currents.
FAIRLEAD_DIGEST_SCENE(volume_areas) {
    Rng rng(20261201);
    Scratch scratch;
    Route route;
    for (int n = 0; n < 16; ++n) {
        const Voxel size{rng.between(16, 50), rng.between(16, 50), rng.between(10, 30)};
        const Result<Volume> space = random_space(rng, size);
        if (!space) return digest.add(std::uint64_t{1});
        for (int q = 0; q < 12; ++q) {
            VolumeArea areas[5];
            for (VolumeArea& area : areas) {
                const Vec3 at = random_place(rng, size);
                const double reach = rng.between(0.5, 12.0);
                const bool ball = rng.below(2) == 0;
                area.region = ball ? VolumeBlocker::ball(at, reach)
                                   : VolumeBlocker::box(at, at + Vec3{reach, 2.0 * reach, reach});
                area.factor = rng.between(1.0, 9.0);
                if (rng.below(2) == 0)
                    area.drift = {rng.between(-0.5, 0.5), rng.between(-0.5, 0.5), rng.between(-0.5, 0.5)};
            }
            VolumeQuery query{.start = random_place(rng, size),
                              .goal = random_place(rng, size),
                              .reach = 9.0,
                              .areas = areas};
            if (q % 4 == 3) query.planner = VolumePlanner::astar;
            if (q % 4 < 2) query.agent.radius = rng.between(0.0, 1.4);
            query.partial = q % 2 == 0;
            if (!find_route_into(*space, query, scratch, route)) return digest.add(std::uint64_t{2});
            add_route(digest, route);
        }
    }
}

FAIRLEAD_DIGEST_SCENE(fly_queries) {
    Rng rng(20261129);
    Scratch scratch;
    Route route;
    for (int n = 0; n < 8; ++n) {
        const Voxel size{rng.between(24, 40), rng.between(24, 40), rng.between(16, 30)};
        const Result<Volume> space = random_space(rng, size);
        if (!space) return digest.add(std::uint64_t{1});
        for (int q = 0; q < 6; ++q) {
            const Vec3 from = random_place(rng, size), to = random_place(rng, size);
            const double leaves = rng.between(-3.0, 3.0), arrives = rng.between(-3.0, 3.0);
            FlyQuery query{.start = {Position3(from), leaves}, .goal = {Position3(to), arrives}};
            query.agent.radius = rng.between(0.0, 0.6);
            query.agent.turning_radius = rng.between(1.0, 4.0);
            query.expansions_max = 1500;
            query.partial = q % 2 == 0;
            if (!find_route_into(*space, query, scratch, route)) return digest.add(std::uint64_t{2});
            add_route(digest, route);
        }
    }
}

FAIRLEAD_DIGEST_SCENE(volume_bodies) {
    Rng rng(20261130);
    Scratch scratch;
    Route route;
    for (int n = 0; n < 6; ++n) {
        const Voxel size{rng.between(20, 36), rng.between(20, 36), rng.between(16, 28)};
        const Result<Volume> space = random_space(rng, size);
        if (!space) return digest.add(std::uint64_t{1});
        for (int q = 0; q < 6; ++q) {
            const Vec3 from = random_place(rng, size), to = random_place(rng, size);
            const double radius = rng.between(0.1, 1.2);
            const VolumeQuery walk{
                .start = from,
                .goal = to,
                .agent = {.radius = radius, .height = 2.0 * radius + rng.between(0.0, 4.0)},
                .reach = 9.0,
                .partial = q % 2 == 0,
                .expansions_max = 4000};
            if (!find_route_into(*space, walk, scratch, route)) return digest.add(std::uint64_t{2});
            add_route(digest, route);
            const double leaves = rng.between(-3.0, 3.0), arrives = rng.between(-3.0, 3.0);
            FlyQuery fly{.start = {Position3(from), leaves}, .goal = {Position3(to), arrives}};
            fly.agent = {.shape = BodyShape::box, .turning_radius = 2.5};
            fly.agent.length = rng.between(0.5, 3.0);
            fly.agent.width = rng.between(0.3, 2.0);
            fly.agent.height = rng.between(0.3, 2.0);
            fly.expansions_max = 600;
            fly.partial = true;
            if (!find_route_into(*space, fly, scratch, route)) return digest.add(std::uint64_t{3});
            add_route(digest, route);
        }
    }
}

FAIRLEAD_DIGEST_SCENE(volume_voxels) {
    Rng rng(20261127);
    for (int round = 0; round < 6; ++round) {
        Soup soup;
        for (int i = 0; i < 60; ++i) {
            if (!add_piece(rng, soup)) return digest.add(std::uint64_t{1});
        }
        VoxelFrame frame;
        frame.origin = {-1.0, -2.0, -1.0};
        frame.voxel_size = {rng.between(0.05, 0.4), rng.between(0.05, 0.4), rng.between(0.05, 0.4)};
        for (std::int32_t& side : frame.size) side = 200;
        const Result<VoxelBricks> voxels =
            voxelize({.vertices = soup.vertices.span(), .triangles = soup.triangles.span()}, frame);
        if (!voxels) return digest.add(std::uint64_t{2});
        digest.add(static_cast<std::uint64_t>(voxels->bricks.size()));
        for (const BrickBits& brick : voxels->bricks) {
            digest.add(static_cast<std::uint64_t>(brick.x) << 40 ^ static_cast<std::uint64_t>(brick.y) << 20 ^
                       static_cast<std::uint64_t>(brick.z));
            digest.add(brick.solid);
        }
    }
}
