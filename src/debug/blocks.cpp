// Blocks: a dense field of paints over a part of a volume, and what is painted into it.
#include <fairlead/debug/blocks.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "debug/lattice_walk.h"

namespace fairlead::debug {
namespace {

VoxelBox clipped_to(const VoxelBox& box, Voxel size) {
    if (box.empty()) return {{0, 0, 0}, size};
    return {{std::max(box.low.x, 0), std::max(box.low.y, 0), std::max(box.low.z, 0)},
            {std::min(box.high.x, size.x), std::min(box.high.y, size.y), std::min(box.high.z, size.z)}};
}

/// What two boxes share; where `of` is empty, `box`.
VoxelBox shared(const VoxelBox& box, const VoxelBox& of) {
    if (of.empty()) return box;
    return {
        {std::max(box.low.x, of.low.x), std::max(box.low.y, of.low.y), std::max(box.low.z, of.low.z)},
        {std::min(box.high.x, of.high.x), std::min(box.high.y, of.high.y), std::min(box.high.z, of.high.z)}};
}

bool is_solid(std::uint8_t paint) { return paint == BlockPaint::kSolid || paint == BlockPaint::kCutAway; }

std::int32_t nearest_int(double value) {
    const double at = std::floor(value + 0.5);
    return static_cast<std::int32_t>(std::clamp(at, -1.0e9, 1.0e9));
}

/// Heat paint of step t from 0 to 1.
std::uint8_t heat_paint(double t) {
    const double step = std::clamp(t, 0.0, 1.0) * (BlockPaint::kHeatPaints - 1) + 0.5;
    return static_cast<std::uint8_t>(BlockPaint::kHeat + static_cast<int>(step));
}

struct SolidPass {
    Blocks& blocks;
    const VolumeState& volume;
    VoxelBox shown;

    void add(const VoxelBrick& brick) const {
        for (std::uint64_t left = brick.solid; left != 0; left &= left - 1) {
            const int i = std::countr_zero(left);
            const Voxel v{4 * brick.x + (i & 3), 4 * brick.y + (i >> 2 & 3), 4 * brick.z + (i >> 4)};
            if (!volume.in_bounds(v)) continue;
            const bool seen = shown.empty() || shown.contains(v);
            const Vec3 middle = blocks.in_blocks(volume.centre(v));
            const Voxel at{static_cast<std::int32_t>(std::floor(middle.x)),
                           static_cast<std::int32_t>(std::floor(middle.y)),
                           static_cast<std::int32_t>(std::floor(middle.z))};
            if (seen || blocks.paint_at(at) != BlockPaint::kSolid)
                blocks.set(at, seen ? BlockPaint::kSolid : BlockPaint::kCutAway);
        }
    }
};

/// 0 for 1, 1 for 2, 2 for 3 and 4, 3 for 5 to 8, ...
int powers(std::uint64_t count) { return count > 1 ? static_cast<int>(std::bit_width(count - 1)) : 0; }

/// How often nodes were opened in each cube of voxels. The cube that holds the low corner of a box holds all of it, where boxes are
/// aligned and not larger.
struct CountField {
    const Blocks& blocks;
    std::int32_t side;
    Voxel first;  ///< cube at the low corner of the region
    Voxel size;
    Array<std::uint32_t> counts{Allocator{}};

    CountField(const Blocks& of, std::int32_t cube_side) : blocks(of), side(cube_side) {
        const Vec3 end{static_cast<double>(of.size().x), static_cast<double>(of.size().y),
                       static_cast<double>(of.size().z)};
        const VoxelBox region = of.voxels_of(of.in_world({}), of.in_world(end));
        first = cube_of(region.low);
        const Voxel last = cube_of(region.high);
        size = {last.x - first.x + 1, last.y - first.y + 1, last.z - first.z + 1};
        if (!counts.resize(static_cast<std::size_t>(size.x) * static_cast<std::size_t>(size.y) *
                           static_cast<std::size_t>(size.z)))
            size = {};
    }
    [[nodiscard]] Voxel cube_of(Voxel v) const { return {v.x / side, v.y / side, v.z / side}; }
    /// The count there now; 0 outside the region.
    std::uint32_t add(const TraceEvent& event) {
        const Voxel at = cube_of(blocks.voxels_of(event.low, event.high).low);
        const Voxel c{at.x - first.x, at.y - first.y, at.z - first.z};
        if (!VoxelBox{{}, size}.contains(c)) return 0;
        const std::int64_t i = (std::int64_t{c.z} * size.y + c.y) * size.x + c.x;
        return ++counts[static_cast<std::size_t>(i)];
    }
    [[nodiscard]] VoxelBox box(std::size_t index) const {
        const auto i = static_cast<std::int64_t>(index);
        const Voxel c{static_cast<std::int32_t>(i % size.x) + first.x,
                      static_cast<std::int32_t>(i / size.x % size.y) + first.y,
                      static_cast<std::int32_t>(i / size.x / size.y) + first.z};
        return {{c.x * side, c.y * side, c.z * side}, {(c.x + 1) * side, (c.y + 1) * side, (c.z + 1) * side}};
    }
};

/// Is this what was opened, and drawn?
bool is_opened(const TraceEvent& event, const Blocks& blocks, const SearchedPaint& options) {
    if (event.kind != TraceKind::expand || !event.has_box() || event.order >= options.order_end) return false;
    const VoxelBox box = blocks.voxels_of(event.low, event.high);
    return std::max({box.high.x - box.low.x, box.high.y - box.low.y, box.high.z - box.low.z}) <=
           options.side_max;
}

}  // namespace

Result<Blocks> Blocks::make(const VolumeState& volume, const BlocksOptions& options) {
    if (options.side < 1) return Error{ErrorCode::out_of_range, Field::cell_size, options.side};
    const VoxelBox region = clipped_to(options.region, volume.size());
    if (region.empty()) return Error{ErrorCode::out_of_range, Field::box};
    Blocks blocks(options.allocator);
    const std::int32_t side = options.side;
    const auto count = [side](std::int32_t low, std::int32_t high) { return (high - low - 1) / side + 1; };
    blocks.size_ = {count(region.low.x, region.high.x), count(region.low.y, region.high.y),
                    count(region.low.z, region.high.z)};
    const std::int64_t layer = std::int64_t{blocks.size_.x} * blocks.size_.y;
    if (layer > kBlocksMax || layer * blocks.size_.z > kBlocksMax)
        return Error{ErrorCode::size_limit, Field::box, kBlocksMax};
    blocks.side_ = side;
    blocks.first_ = region.low;
    blocks.origin_ = volume.origin();
    blocks.voxel_ = volume.voxel_size();
    blocks.step_ = blocks.voxel_ * static_cast<double>(side);
    blocks.low_ = {blocks.origin_.x + region.low.x * blocks.voxel_.x,
                   blocks.origin_.y + region.low.y * blocks.voxel_.y,
                   blocks.origin_.z + region.low.z * blocks.voxel_.z};
    if (!blocks.blocks_.resize(static_cast<std::size_t>(layer * blocks.size_.z)))
        return Error{ErrorCode::out_of_memory};
    blocks.set_color(BlockPaint::kSolid, palette::kStone);
    blocks.set_color(BlockPaint::kSection, palette::kWall);
    blocks.set_color(BlockPaint::kPath, mix(palette::kRoute, palette::kPaper, 0.45));
    for (int i = 0; i < BlockPaint::kHeatPaints; ++i)
        blocks.set_color(static_cast<std::uint8_t>(BlockPaint::kHeat + i),
                         palette::heat(static_cast<double>(i) / (BlockPaint::kHeatPaints - 1)));
    return blocks;
}

void Blocks::set(Voxel block, std::uint8_t paint, std::uint32_t number) {
    if (in_bounds(block)) blocks_[index(block)] = paint | number << 8;
}

void Blocks::paint(const VoxelBox& voxels, std::uint8_t paint, std::uint32_t number) {
    const auto low = [this](std::int32_t v, std::int32_t first) { return std::max((v - first) / side_, 0); };
    const auto high = [this](std::int32_t v, std::int32_t first, std::int32_t size) {
        return v <= first ? 0 : std::min((v - first - 1) / side_ + 1, size);
    };
    if (voxels.empty()) return;
    const VoxelBox b{{low(voxels.low.x, first_.x), low(voxels.low.y, first_.y), low(voxels.low.z, first_.z)},
                     {high(voxels.high.x, first_.x, size_.x), high(voxels.high.y, first_.y, size_.y),
                      high(voxels.high.z, first_.z, size_.z)}};
    for (std::int32_t z = b.low.z; z < b.high.z; ++z) {
        for (std::int32_t y = b.low.y; y < b.high.y; ++y) {
            for (std::int32_t x = b.low.x; x < b.high.x; ++x) {
                if (side_ > 1 || !is_solid(paint_at({x, y, z}))) set({x, y, z}, paint, number);
            }
        }
    }
}

VoxelBox Blocks::voxels_of(Vec3 low, Vec3 high) const {
    const auto at = [this](Vec3 p) -> Voxel {
        return {nearest_int((p.x - origin_.x) / voxel_.x), nearest_int((p.y - origin_.y) / voxel_.y),
                nearest_int((p.z - origin_.z) / voxel_.z)};
    };
    return {at(low), at(high)};
}

void paint_solid(Blocks& blocks, const VolumeState& volume, const VoxelBox& shown) {
    SolidPass pass{blocks, volume, shown};
    volume.each_brick([](const VoxelBrick& brick, void* user) { static_cast<SolidPass*>(user)->add(brick); },
                      &pass);
}

std::uint64_t paint_searched(Blocks& blocks, std::span<const TraceEvent> events,
                             const SearchedPaint& options) {
    SearchedPaint all = options;
    all.order_end = UINT32_MAX;  // a frame has the colors of the whole film
    std::uint64_t count = 0;
    for (const TraceEvent& event : events) count += is_opened(event, blocks, all) ? 1 : 0;
    std::uint64_t drawn = 0;
    for (const TraceEvent& event : events) {
        if (!is_opened(event, blocks, options)) continue;
        const double t = count > 1 ? static_cast<double>(drawn) / static_cast<double>(count - 1) : 0.0;
        blocks.paint(shared(blocks.voxels_of(event.low, event.high), options.shown), heat_paint(t),
                     static_cast<std::uint32_t>(++drawn));
    }
    return drawn;
}

void paint_path(Blocks& blocks, const Route& route) {
    const auto paint_between = [&](Vec3 a, Vec3 b) {
        if (!is_walkable(a) || !is_walkable(b)) return;
        const double from[3] = {a.x, a.y, a.z}, to[3] = {b.x, b.y, b.z};
        walk_lattice(from, to, [&](double t0, double t1) {
            const Vec3 at = a + (b - a) * (0.5 * (t0 + t1));
            const Voxel block{static_cast<std::int32_t>(std::floor(at.x)),
                              static_cast<std::int32_t>(std::floor(at.y)),
                              static_cast<std::int32_t>(std::floor(at.z))};
            if (blocks.side() > 1 || !is_solid(blocks.paint_at(block))) blocks.set(block, BlockPaint::kPath);
        });
    };
    each_straight(route, [&](Vec3 a, Vec3 b) { paint_between(blocks.in_blocks(a), blocks.in_blocks(b)); });
}

std::uint64_t paint_counts(Blocks& blocks, std::span<const TraceEvent> events, std::int32_t side,
                           const SearchedPaint& options) {
    CountField field(blocks, std::max(side, 1));
    std::uint64_t most = 0;
    for (const TraceEvent& event : events) {
        if (is_opened(event, blocks, options)) most = std::max<std::uint64_t>(most, field.add(event));
    }
    const double scale = 1.0 / std::max(powers(most), 1);
    for (std::size_t i = 0; i < field.counts.size(); ++i) {
        const std::uint32_t count = field.counts[i];
        if (count == 0) continue;
        blocks.paint(shared(field.box(i), options.shown), heat_paint(powers(count) * scale),
                     static_cast<std::uint32_t>(i + 1));
    }
    return most;
}

}  // namespace fairlead::debug
