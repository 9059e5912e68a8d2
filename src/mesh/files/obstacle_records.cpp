// Obstacles are saved as they were given, not as they are cut: a load makes the same edits that the game made.

#include "mesh/files/obstacle_records.h"

#include "base/no_memory.h"
#include "mesh/edit/footprint.h"

namespace fairlead::mesh {

void put_obstacle(ByteWriter& out, const ObstacleEntry& entry, const MeshObstacle& obstacle) {
    out.put(entry.id);
    out.put(obstacle.low);
    out.put(obstacle.high);
    out.put(obstacle.count);
    out.put(std::uint32_t{0});
}

void put_outline(ByteWriter& out, const MeshObstacle& obstacle) {
    for (std::uint32_t i = 0; i < obstacle.count; ++i) {
        out.put(obstacle.points[i].x);
        out.put(obstacle.points[i].y);
    }
}

namespace {

bool get_obstacle(ByteReader& in, MeshEdit& edit) {
    edit.kind = MeshEdit::Kind::add;
    edit.id = in.get<std::int64_t>();
    edit.obstacle.low = in.get<double>();
    edit.obstacle.high = in.get<double>();
    edit.obstacle.count = in.get<std::uint32_t>();
    return in.get<std::uint32_t>() == 0 && edit.obstacle.count >= 3 &&
           edit.obstacle.count <= kObstaclePointsMax;
}

}  // namespace

bool read_obstacles(SectionLoader& loader, Array<MeshEdit>& out) {
    const auto get = [&out](ByteReader& in, MeshEdit& edit) {
        return get_obstacle(in, edit) && (out.empty() || out.back().id < edit.id);
    };
    if (!loader.list(kObstacleSection, out, get)) return false;
    if (out.empty()) return loader.fail(loader.bad(kObstacleSection, 0));
    std::size_t at = 0;
    std::uint32_t corner = 0;
    std::uint64_t points = 0;
    const auto get_point = [&](ByteReader& in) {
        if (at == out.size()) return false;
        MeshObstacle& obstacle = out[at].obstacle;
        obstacle.points[corner].x = in.get<double>();
        obstacle.points[corner].y = in.get<double>();
        ++points;
        if (++corner < obstacle.count) return true;
        corner = 0;
        return check_obstacle(out[at++].obstacle).has_value();
    };
    if (!loader.records(kOutlineSection, get_point)) return false;
    return at == out.size() || loader.fail(loader.bad(kOutlineSection, points));
}

}  // namespace fairlead::mesh
