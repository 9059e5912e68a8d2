// See volume_ask.h.
#include "simulate/volume_ask.h"

#include <algorithm>
#include <cmath>

#include "support/volumes.h"

namespace fairlead::simulate {

Vec3 point_of(const Step& step, const char* key) {
    const std::vector<double> p = step.numbers(key);
    return {item(p, 0), item(p, 1), item(p, 2)};
}

VolumeAsk volume_ask_of(const Step& step) {
    VolumeAsk ask;
    VolumeQuery& query = ask.query;
    query.start = point_of(step, "start");
    query.goal = point_of(step, "goal");
    query.agent.radius = step.number("radius");
    if (step.has("half")) query.agent.height = 2.0 * (query.agent.radius + step.number("half"));
    query.reach = step.number("reach");
    query.planner = static_cast<VolumePlanner>(step.whole("planner"));
    query.neighbours = static_cast<VoxelNeighbours>(step.whole("neighbours", 2));
    query.heuristic = static_cast<VolumeHeuristic>(step.whole("heuristic"));
    query.smooth = !step.has("rough");
    query.partial = step.has("partial");
    query.expansions_max = step.count("budget", UINT64_MAX);
    // Six numbers each: the low corner and the sides of a box; or a ball's middle and radius, where the first side is 0.
    const std::vector<double> numbers = step.numbers("blockers");
    for (std::size_t i = 0; i + 6 <= numbers.size(); i += 6) {
        const Vec3 at{numbers[i], numbers[i + 1], numbers[i + 2]},
            sides{numbers[i + 3], numbers[i + 4], numbers[i + 5]};
        ask.blockers.push_back(sides.x == 0.0 ? VolumeBlocker::ball(at, sides.y)
                                              : VolumeBlocker::box(at, at + sides));
    }
    return ask;
}

namespace {

// Some bricks of a chunk, in the bounds.
std::vector<VoxelBrick> bricks_of(std::uint64_t seed, Voxel chunk, Voxel size) {
    constexpr std::uint64_t kBits[] = {UINT64_MAX, 0xffff, 0x1111111111111111, 0x8000000000000001, 0x00f0};
    std::vector<VoxelBrick> out;
    Rng rng(seed);
    for (std::uint32_t n = rng.below(14); n > 0; --n) {
        std::int32_t at[3];
        bool inside = true;
        const std::int32_t low[3] = {chunk.x, chunk.y, chunk.z}, side[3] = {size.x, size.y, size.z};
        for (int k = 0; k < 3; ++k) {
            inside = inside && low[k] >= 0 && low[k] < 10000;
            const std::int32_t bricks = inside ? std::min((side[k] + 3) / 4 - low[k] * 16, 16) : 0;
            inside = inside && bricks > 0;
            at[k] = inside ? low[k] * 16 + rng.between(0, bricks - 1) : 0;
        }
        if (!inside) return {};
        VoxelBrick brick{at[0], at[1], at[2], kBits[rng.below(5)]};
        for (std::int32_t i = 0; i < 64; ++i) {
            const bool in = at[0] * 4 + (i & 3) < size.x && at[1] * 4 + (i >> 2 & 3) < size.y &&
                            at[2] * 4 + (i >> 4) < size.z;
            if (!in) brick.solid &= ~(std::uint64_t{1} << i);
        }
        out.push_back(brick);
    }
    return out;
}

}  // namespace

VolumeEdit volume_edit_of(const Step& step, Voxel size, std::vector<VoxelBrick>& bricks) {
    VolumeEdit edit;
    edit.kind = static_cast<VolumeEdit::Kind>(std::clamp(step.whole("kind"), 0, 255));
    edit.solid = !step.has("clear");
    const std::vector<double> box = step.numbers("box");
    const auto whole = [&](std::size_t i) { return to_whole(item(box, i)); };
    edit.voxels = {{whole(0), whole(1), whole(2)}, {whole(3), whole(4), whole(5)}};
    edit.centre = point_of(step, "centre");
    edit.radius = step.number("radius");
    const Vec3 at = point_of(step, "brick");
    edit.brick = {to_whole(at.x), to_whole(at.y), to_whole(at.z), step.count("bits")};
    const Vec3 chunk = point_of(step, "chunk");
    edit.chunk = {to_whole(chunk.x), to_whole(chunk.y), to_whole(chunk.z)};
    if (edit.kind == VolumeEdit::Kind::load) bricks = bricks_of(step.count("seed"), edit.chunk, size);
    edit.bricks = bricks;
    return edit;
}

bool good_volume_query(const VolumeQuery& query) {
    for (const VolumeBlocker& b : query.blockers) {
        const bool finite = is_finite(b.low) && is_finite(b.high) && is_finite(b.centre);
        if (!finite || (!b.is_box() && !(b.radius >= 0.0 && b.radius < 100.0))) return false;
    }
    const Agent& agent = query.agent;
    const bool body = agent.radius >= 0.0 && std::isfinite(agent.radius) && std::isfinite(agent.height) &&
                      (agent.height == 0.0 || (agent.radius > 0.0 && agent.height >= 2.0 * agent.radius));
    return is_finite(query.start.position) && is_finite(query.goal.at.position) && body &&
           query.reach >= 0.0 && query.planner < VolumePlanner::count_ &&
           query.neighbours < VoxelNeighbours::count_ && query.heuristic < VolumeHeuristic::count_;
}

bool good_volume_edit(const VolumeEdit& edit, Voxel size) {
    const VoxelBrick& b = edit.brick;
    switch (edit.kind) {
        case VolumeEdit::Kind::box: return true;
        case VolumeEdit::Kind::sphere:
            return is_finite(edit.centre) && std::isfinite(edit.radius) && edit.radius >= 0.0;
        case VolumeEdit::Kind::brick:
            return b.x >= 0 && b.y >= 0 && b.z >= 0 && b.x <= (size.x - 1) / 4 && b.y <= (size.y - 1) / 4 &&
                   b.z <= (size.z - 1) / 4;
        case VolumeEdit::Kind::load:
        case VolumeEdit::Kind::unload: {
            const Voxel& c = edit.chunk;
            return c.x >= 0 && c.y >= 0 && c.z >= 0 && c.x <= (size.x - 1) / 64 && c.y <= (size.y - 1) / 64 &&
                   c.z <= (size.z - 1) / 64;
        }
        case VolumeEdit::Kind::count_: break;
    }
    return false;
}

oracle::VolumeDense volume_of(const Step& step) {
    const Vec3 sides = point_of(step, "size");
    const Voxel size{to_whole(sides.x), to_whole(sides.y), to_whole(sides.z)};
    oracle::VolumeDense world;
    const bool small = size.x > 0 && size.y > 0 && size.z > 0 && size.x < 500 && size.y < 500 &&
                       size.z < 500 && size.x * size.y * size.z <= 100000;
    if (small) {
        Rng rng(step.count("seed"));
        const auto kinds = static_cast<std::int32_t>(testing::VolumeKind::count_);
        const std::int32_t kind = std::clamp(step.whole("kind", kinds - 1), 0, kinds - 1);
        world = testing::random_volume(rng, static_cast<testing::VolumeKind>(kind), size);
    }
    world.size = size;
    if (step.has("origin")) world.origin = point_of(step, "origin");
    if (step.has("voxel")) world.voxel = point_of(step, "voxel");
    return world;
}

}  // namespace fairlead::simulate
