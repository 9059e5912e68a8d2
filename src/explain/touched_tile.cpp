#include "explain/touched_tile.h"

#include "drive/body/curve_check.h"
#include "drive/map/map_frame.h"
#include "explain/tile_inquiry.h"

namespace fairlead::explaining {

namespace {

// Does the body reach into tile (0, 0)? It stands on an empty map where that is the only wall.
bool meets_alone(const BodyCore& body, const Pose& pose) {
    constexpr std::int32_t kAround = 160;  // bodies reach 80 cells of a lattice at most
    constexpr std::int32_t kSide = 2 * kAround + 1;
    constexpr std::int32_t kStride = (kSide + 63) / 64 + 1;
    std::uint64_t words[static_cast<std::size_t>((kSide + 2) * kStride + 1)] = {};
    for (std::int32_t y = 0; y < kSide; ++y) {
        std::uint64_t* row = words + (y + 1) * kStride + 1;
        for (std::int32_t w = 0; w < kStride - 1; ++w) {
            const std::int32_t left = kSide - 64 * w;
            row[w] = left >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << left) - 1;
        }
    }
    words[(kAround + 1) * kStride + 1 + kAround / 64] &= ~(std::uint64_t{1} << (kAround % 64));
    const drive::GroundBits free{words + kStride + 1, kStride, kSide, kSide};
    return !drive::stands_free(free, body,
                               {pose.position + Vec2{1.0 * kAround, 1.0 * kAround}, pose.heading_rad});
}

}  // namespace

Cell touched_tile(const drive::MapData& map, const Pose& at) {
    const drive::GroundBits free = map.free_cells();
    const DriveTable& table = map.table();
    const double reach = circumscribed_radius(table.options().agent) / table.lattice_size();
    const drive::MapFrame frame(map);
    const auto low = static_cast<std::int32_t>(frame.row(frame.floor_at(at.position.y)));
    const auto top = low + static_cast<std::int32_t>(frame.height);  // of its floor
    const auto touches = [&](std::int32_t x, std::int32_t y, Vec2) {
        return y >= low && y < top && !free.free(x, y) &&
               meets_alone(table.body(), {at.position - Vec2{1.0 * x, 1.0 * y}, at.heading_rad});
    };
    const std::int32_t layer = frame.layer_at(at.position.y);
    const Cell cell = nearest_touched(at.position, reach, free.width, free.height, layer, touches);
    if (cell.x < 0) return cell;
    const auto cut = static_cast<std::int32_t>(table.pitch());
    return {cell.x / cut, (cell.y - low) / cut, cell.layer};
}

}  // namespace fairlead::explaining
