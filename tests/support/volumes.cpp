#include "support/volumes.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <sstream>
#include <utility>

#include <fairlead/base/assert.h>

namespace fairlead::testing {

namespace {

using oracle::VolumeDense;

std::int32_t draw(Rng& rng, std::int32_t low, std::int32_t high) { return rng.between(low, high); }

/// Sets what lies inside the bounds.
void put(VolumeDense& world, Voxel v, bool solid) {
    if (world.holds(v)) world.set(v, solid);
}

template <class Test>
void each_voxel(VolumeDense& world, Test solid) {
    for (std::size_t i = 0; i < world.solid.size(); ++i) world.solid[i] = solid(world.at(i)) ? 1 : 0;
}

void add_noise(Rng& rng, VolumeDense& world, double low, double high) {
    const double share = rng.between(low, high);
    each_voxel(world, [&](Voxel) { return rng.unit() < share; });
}

/// A box with its sides, or only its hull.
void put_box(VolumeDense& world, Voxel low, Voxel high, bool hull) {
    for (std::int32_t z = low.z; z <= high.z; ++z) {
        for (std::int32_t y = low.y; y <= high.y; ++y) {
            for (std::int32_t x = low.x; x <= high.x; ++x) {
                const bool edge =
                    x == low.x || x == high.x || y == low.y || y == high.y || z == low.z || z == high.z;
                if (edge || !hull) put(world, {x, y, z}, true);
            }
        }
    }
}

Voxel draw_voxel(Rng& rng, const VolumeDense& world) {
    return {draw(rng, 0, world.size.x - 1), draw(rng, 0, world.size.y - 1), draw(rng, 0, world.size.z - 1)};
}

std::int32_t& axis_of(Voxel& v, std::uint32_t axis) { return axis == 0 ? v.x : (axis == 1 ? v.y : v.z); }

void make_rooms(Rng& rng, VolumeDense& world) {
    const std::int32_t pitch = draw(rng, 4, 8);
    each_voxel(world, [&](Voxel v) {
        return v.x % pitch == pitch - 1 || v.y % pitch == pitch - 1 || v.z % pitch == pitch - 1;
    });
    // Holes: some in each wall.
    const auto holes = static_cast<std::int32_t>(world.solid.size()) / (pitch * pitch * pitch) * 2 + 3;
    for (std::int32_t i = 0; i < holes; ++i) {
        Voxel low = draw_voxel(rng, world);
        const std::int32_t wide = draw(rng, 1, 3);
        const std::uint32_t axis = rng.below(3);
        std::int32_t& across = axis_of(low, axis);
        across = across / pitch * pitch + pitch - 1;
        for (std::int32_t a = 0; a < wide; ++a) {
            for (std::int32_t b = 0; b < wide; ++b) {
                Voxel v = low;
                axis_of(v, (axis + 1) % 3) += a;
                axis_of(v, (axis + 2) % 3) += b;
                put(world, v, false);
            }
        }
    }
}

void make_plates(Rng& rng, VolumeDense& world) {
    const std::uint32_t axis = rng.below(3);
    const std::int32_t pitch = draw(rng, 2, 6);
    const double holes = rng.between(0.02, 0.3);
    each_voxel(world, [&](Voxel v) {
        if (axis_of(v, axis) % pitch != 0) return false;
        return rng.unit() >= holes;
    });
}

void make_stairs(Rng& rng, VolumeDense& world) {
    const std::int32_t a = draw(rng, 1, 3);
    const std::int32_t b = draw(rng, 0, 3);
    const std::int32_t pitch = draw(rng, 5, 11);
    const std::int32_t thick = draw(rng, 1, 2);
    const double holes = rng.between(0.0, 0.1);
    each_voxel(world,
               [&](Voxel v) { return (v.x * a + v.y * b + v.z * 2) % pitch < thick && rng.unit() >= holes; });
}

void make_tunnels(Rng& rng, VolumeDense& world) {
    each_voxel(world, [](Voxel) { return true; });
    Voxel at = draw_voxel(rng, world);
    const auto steps = static_cast<std::int32_t>(world.solid.size() / 40) + 4;
    for (std::int32_t i = 0; i < steps; ++i) {
        const std::uint32_t axis = rng.below(3);
        const std::int32_t way = rng.below(2) == 0 ? 1 : -1;
        const std::int32_t wide = draw(rng, 0, 2);
        for (std::int32_t n = draw(rng, 2, 8); n > 0; --n) {
            Voxel next = at;
            axis_of(next, axis) += way;
            if (!world.holds(next)) break;
            at = next;
            for (std::int32_t k = 0; k <= wide; ++k) {
                Voxel v = at;
                axis_of(v, (axis + 1) % 3) += k;
                put(world, v, false);
                axis_of(v, (axis + 2) % 3) += k;
                put(world, v, false);
            }
        }
        if (rng.below(6) == 0) at = draw_voxel(rng, world);
    }
}

void make_boxes(Rng& rng, VolumeDense& world) {
    for (std::int32_t i = draw(rng, 1, 6); i > 0; --i) {
        const Voxel low = draw_voxel(rng, world);
        const Voxel high{low.x + draw(rng, 2, 9), low.y + draw(rng, 2, 9), low.z + draw(rng, 2, 9)};
        put_box(world, low, high, rng.below(4) != 0);
        if (rng.below(2) == 0) put(world, {low.x, low.y + 1, low.z + 1}, false);
    }
}

void make_asteroids(Rng& rng, VolumeDense& world) {
    struct Ball {
        Vec3 centre;
        double radius;
    };
    std::vector<Ball> balls;
    for (std::int32_t i = draw(rng, 2, 14); i > 0; --i) {
        balls.push_back({world.centre(draw_voxel(rng, world)) + Vec3{rng.unit(), rng.unit(), rng.unit()},
                         rng.between(0.6, 4.5)});
    }
    each_voxel(world, [&](Voxel v) {
        return std::any_of(balls.begin(), balls.end(), [&](const Ball& ball) {
            return distance(world.centre(v), ball.centre) < ball.radius;
        });
    });
}

}  // namespace

const char* volume_kind_name(VolumeKind kind) {
    switch (kind) {
        case VolumeKind::noise: return "noise";
        case VolumeKind::sparse_noise: return "sparse_noise";
        case VolumeKind::rooms: return "rooms";
        case VolumeKind::plates: return "plates";
        case VolumeKind::stairs: return "stairs";
        case VolumeKind::tunnels: return "tunnels";
        case VolumeKind::boxes: return "boxes";
        case VolumeKind::asteroids: return "asteroids";
        case VolumeKind::open: return "open";
        case VolumeKind::count_: break;
    }
    return "unknown";
}

oracle::VolumeDense random_volume(Rng& rng, VolumeKind kind, Voxel size) {
    VolumeDense world(size);
    switch (kind) {
        case VolumeKind::noise: add_noise(rng, world, 0.05, 0.45); break;
        case VolumeKind::sparse_noise: add_noise(rng, world, 0.005, 0.08); break;
        case VolumeKind::rooms: make_rooms(rng, world); break;
        case VolumeKind::plates: make_plates(rng, world); break;
        case VolumeKind::stairs: make_stairs(rng, world); break;
        case VolumeKind::tunnels: make_tunnels(rng, world); break;
        case VolumeKind::boxes: make_boxes(rng, world); break;
        case VolumeKind::asteroids: make_asteroids(rng, world); break;
        case VolumeKind::open:
        case VolumeKind::count_: break;
    }
    return world;
}

void move_volume(Rng& rng, VolumeDense& world) {
    world.voxel = {rng.between(0.25, 1.0), rng.between(0.25, 1.0), rng.between(0.25, 1.0)};
    const double far = rng.below(2) == 0 ? 50.0 : 1e5;
    world.origin = {rng.between(-far, far), rng.between(-far, far), rng.between(-far, far)};
}

VolumeDense any_volume(Rng& rng, std::int32_t side_max) {
    const auto kind = static_cast<VolumeKind>(rng.below(static_cast<std::uint32_t>(VolumeKind::count_)));
    const Voxel size{draw(rng, 1, side_max), draw(rng, 1, side_max), draw(rng, 1, side_max)};
    VolumeDense world = random_volume(rng, kind, size);
    if (rng.below(3) == 0) move_volume(rng, world);
    return world;
}

VolumeBricks::VolumeBricks(const VolumeDense& world) {
    const auto bricks_on = [](std::int32_t side) { return (side + 3) / 4; };
    const Voxel count{bricks_on(world.size.x), bricks_on(world.size.y), bricks_on(world.size.z)};
    for (std::int32_t z = 0; z < count.z; ++z) {
        for (std::int32_t y = 0; y < count.y; ++y) {
            for (std::int32_t x = 0; x < count.x; ++x) {
                VoxelBrick brick{x, y, z, 0};
                for (std::int32_t bit = 0; bit < 64; ++bit) {
                    const Voxel v{4 * x + bit % 4, 4 * y + bit / 4 % 4, 4 * z + bit / 16};
                    if (world.holds(v) && !world.is_free(v)) brick.solid |= std::uint64_t{1} << bit;
                }
                if (brick.solid != 0) bricks.push_back(brick);
            }
        }
    }
    options.origin = world.origin;
    options.voxel_size = world.voxel;
    options.size = world.size;
    options.bricks = bricks;
}

Volume make_volume(const VolumeDense& world) {
    const VolumeBricks made(world);
    Result<Volume> volume = Volume::make(made.options);
    FAIRLEAD_ASSERT(volume);
    return std::move(*volume);
}

bool draw_free(Rng& rng, const VolumeDense& world, Voxel& out) {
    for (int i = 0; i < 1000; ++i) {
        out = draw_voxel(rng, world);
        if (world.is_free(out)) return true;
    }
    return false;
}

Vec3 draw_place(Rng& rng, const VolumeDense& world, Voxel in) {
    Vec3 share{0.5, 0.5, 0.5};
    const std::uint32_t how = rng.below(3);
    if (how == 1) share = {rng.unit(), rng.unit(), rng.unit()};
    if (how == 2) share = {draw(rng, 1, 15) / 16.0, draw(rng, 1, 15) / 16.0, draw(rng, 1, 15) / 16.0};
    return {world.origin.x + (in.x + share.x) * world.voxel.x,
            world.origin.y + (in.y + share.y) * world.voxel.y,
            world.origin.z + (in.z + share.z) * world.voxel.z};
}

VolumeDense read_voxel_map(const std::string& text) {
    std::istringstream in(text);
    std::string word;
    Voxel v;
    in >> word >> v.x >> v.y >> v.z;
    FAIRLEAD_ASSERT(in && word == "voxel");
    VolumeDense world(v);
    while (in >> v.x >> v.y >> v.z) put(world, v, true);
    return world;
}

std::vector<VolumeTask> read_voxel_tasks(const std::string& text) {
    std::istringstream in(text);
    std::string word;
    in >> word >> word >> word;  // "version 1", the map's name
    std::vector<VolumeTask> tasks;
    VolumeTask task;
    double ratio = 0.0;
    while (in >> task.from.x >> task.from.y >> task.from.z >> task.to.x >> task.to.y >> task.to.z >>
           task.cost >> ratio)
        tasks.push_back(task);
    return tasks;
}

}  // namespace fairlead::testing
