// A level of triangles that is larger than what is kept in memory: a drone's query loads the chunks that it needs, what lies behind is
// dropped, chunks are kept as files; and another drone is in the way of one query.

#include <fairlead/fairlead.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <tuple>
#include <vector>

#include <fairlead/verify/verify_volume.h>
#include <fairlead/volume_bake/triangle_chunks.h>

namespace {

using namespace fairlead;

/// Walls across a long hall of 512 x 128 x 64, each with a hole.
struct Level {
    std::vector<Vec3> vertices{};
    std::vector<std::uint32_t> triangles{};

    void add_wall(Vec3 low, Vec3 high) {
        const auto first = static_cast<std::uint32_t>(vertices.size());
        const Vec3 corners[] = {low, {low.x, high.y, low.z}, high, {low.x, low.y, high.z}};
        vertices.insert(vertices.end(), corners, corners + 4);
        for (const std::uint32_t corner : {0U, 1U, 2U, 0U, 2U, 3U}) triangles.push_back(first + corner);
    }
    [[nodiscard]] TriangleSoup soup() const { return {.vertices = vertices, .triangles = triangles}; }
};

Level make_level() {
    Level level;
    for (int wall = 0; wall < 4; ++wall) {
        const double x = 90.5 + 100.0 * wall, hole = wall % 2 == 0 ? 10.0 : 110.0;
        level.add_wall({x, 0, 0}, {x, hole - 4, 64});
        level.add_wall({x, hole + 4, 0}, {x, 128, 64});
    }
    return level;
}

using Bytes = Array<std::uint8_t>;

/// Files of chunks, by place.
struct Files {
    std::map<std::tuple<int, int, int>, Bytes> bytes{};
    VolumeKey key{};

    // What VolumeSource asks.
    static Result<void> chunk(Voxel place, Array<VoxelBrick>& bricks, void* user) {
        const auto& files = *static_cast<const Files*>(user);
        const auto found = files.bytes.find({place.x, place.y, place.z});
        if (found == files.bytes.end()) return Error{ErrorCode::unknown_id};
        const Result<VolumeChunk> loaded = load_volume_chunk(found->second.span(), files.key);
        if (!loaded) return loaded.error();
        return bricks.assign(loaded->bricks.span()) ? Result<void>{} : Result<void>{ErrorCode::out_of_memory};
    }
};

}  // namespace

int main() {
    const Level level = make_level();
    const bake::VolumeBakeOptions options{.give_bounds = true, .low = {0, 0, 0}, .high = {512, 128, 64}};
    const Result<VolumeOptions> empty = bake::streamed_volume(options);
    if (!empty) return 1;
    Result<Volume> space = Volume::make(*empty);
    if (!space) return 1;

    // On demand, from the triangles.
    Scratch scratch;
    bake::TriangleChunks triangles(level.soup(), options);
    const Agent drone{.radius = 0.4};
    const VolumeQuery query{.start = {20, 64, 32}, .goal = Vec3{240, 64, 32}, .agent = drone};
    const Result<Route> way = find_route_on_demand(*space, query, scratch, triangles.source());
    if (!way || way->status != PathStatus::complete || verify(*way, *space, drone)) return 1;
    std::printf("a way of %.0f with %zu of 16 chunks there\n", way->cost, space->state().loaded_chunks());

    // A fresh bake of all has the same voxels: so have the files of its chunks, and a volume made of those.
    const Result<Volume> whole = bake::volume(level.soup(), options);
    if (!whole) return 1;
    Files files;
    files.key = volume_key(*empty, 0);
    for (int i = 0; i < 16; ++i) {
        const Voxel place{i % 8, i / 8, 0};
        if (!save_volume_chunk(*whole, place, files.bytes[{place.x, place.y, place.z}])) return 1;
    }
    Result<Volume> again = Volume::make(*empty);
    const VolumeSource source{.chunk = Files::chunk, .user = &files};
    const VoxelBox all{{0, 0, 0}, {512, 128, 64}};
    if (!again || !load_box(*again, all, source).has_value()) return 1;
    Bytes one, other;
    if (!save_volume(*whole, one) || !save_volume(*again, other)) return 1;
    if (!std::equal(one.begin(), one.end(), other.begin(), other.end())) return 1;
    std::printf("all three designs make the same %zu bytes\n", one.size());

    // What lies behind is dropped. A search that still runs would go on in its snapshot.
    const Result<std::size_t> dropped = unload_outside(*space, voxels_around(*space, {240, 64, 32}, 60));
    if (!dropped.has_value()) return 1;
    std::printf("%zu chunks dropped, %zu left\n", *dropped, space->state().loaded_chunks());
    const Result<Route> back = find_route(*space, query, scratch);
    if (!back || back->status != PathStatus::off_world) return 1;

    // In the way of one query alone: others, as balls and boxes.
    const VolumeBlocker others[] = {VolumeBlocker::ball({120, 100, 32}, 3),
                                    VolumeBlocker::box({130, 0, 0}, {131, 90, 64})};
    VolumeQuery past = query;
    past.blockers = others;
    const Result<Route> round = find_route(*again, past, scratch);
    if (!round || round->status != PathStatus::complete) return 1;
    if (verify(*round, *again, drone, {.blockers = others})) return 1;
    std::printf("past the others it is %.0f\n", round->cost);
    return 0;
}
