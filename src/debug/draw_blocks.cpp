// The outer faces of blocks, in space: runs along one axis are one polygon.
#include <fairlead/debug/blocks.h>

namespace fairlead::debug {
namespace {

std::int32_t get(Voxel v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }
void put(Voxel& v, int axis, std::int32_t value) { (axis == 0 ? v.x : axis == 1 ? v.y : v.z) = value; }

bool is_drawn(std::uint8_t paint) { return paint != BlockPaint::kNone && paint != BlockPaint::kCutAway; }

struct FacePass {
    const Blocks& blocks;
    const Sink& sink;
    int axis;   ///< the faces' normal
    int side;   ///< 0: the low ones
    int along;  ///< of the runs

    /// Paint and number of a face, 0 for none.
    [[nodiscard]] std::uint32_t face_of(Voxel at) const {
        const std::uint32_t value = blocks.value_at(at);
        if (!is_drawn(static_cast<std::uint8_t>(value))) return 0;
        Voxel beside = at;
        put(beside, axis, get(at, axis) + 2 * side - 1);
        return is_drawn(blocks.paint_at(beside)) ? 0 : value;
    }

    void draw_run(Voxel first, std::int32_t end, std::uint8_t paint) const {
        const int across = 3 - axis - along;
        Vec3 corners[4];
        // Around the face by the two other axes in turn, which is counter-clockwise seen from the high side.
        const int u = (axis + 1) % 3, v = (axis + 2) % 3;
        constexpr int kAround[2][4] = {{0, 2, 3, 1}, {0, 1, 3, 2}};
        for (int i = 0; i < 4; ++i) {
            Voxel p = first;
            put(p, axis, get(first, axis) + side);
            const int corner = kAround[side][i];
            const bool high[2] = {(corner & 1) != 0, (corner & 2) != 0};
            const bool high_along = high[along == u ? 0 : 1], high_across = high[across == v ? 1 : 0];
            if (high_along) put(p, along, end);
            if (high_across) put(p, across, get(first, across) + 1);
            corners[i] = blocks.in_world(
                {static_cast<double>(p.x), static_cast<double>(p.y), static_cast<double>(p.z)});
        }
        draw_polygon(sink, corners, {blocks.color(paint)});
    }

    void draw_row(Voxel first) const {
        const std::int32_t size = get(blocks.size(), along);
        std::uint32_t open = 0;
        for (std::int32_t i = 0; i <= size; ++i) {
            Voxel at = first;
            put(at, along, i);
            const std::uint32_t value = i < size ? face_of(at) : 0;
            if (value == open) continue;
            if (open != 0) draw_run(first, i, static_cast<std::uint8_t>(open));
            put(first, along, i);
            open = value;
        }
    }

    void draw_all() const {
        const int across = 3 - axis - along;
        for (std::int32_t i = 0; i < get(blocks.size(), axis); ++i) {
            for (std::int32_t j = 0; j < get(blocks.size(), across); ++j) {
                Voxel first{};
                put(first, axis, i);
                put(first, across, j);
                draw_row(first);
            }
        }
    }
};

}  // namespace

void draw(const Blocks& blocks, const Sink& sink) {
    const Group group{sink, "blocks"};
    for (int axis = 0; axis < 3; ++axis) {
        for (int side = 0; side < 2; ++side) FacePass{blocks, sink, axis, side, axis == 0 ? 1 : 0}.draw_all();
    }
}

}  // namespace fairlead::debug
