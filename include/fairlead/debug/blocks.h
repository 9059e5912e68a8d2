// Blocks: voxels in colors, to see a volume, what a search opened in it, and the way (techniques G1, G2, G3).
//
//     Result<debug::Blocks> blocks = debug::Blocks::make(*space);
//     debug::paint_solid(*blocks, *space);
//     debug::paint_searched(*blocks, trace.events());             // G1; paint_path is G2, paint_counts is G3
//     debug::draw(*blocks, obj.sink());                           // all faces, in space: an OBJ file, an engine
//     Result<debug::BlockView> view = debug::BlockView::make(*blocks);   // a flat picture: block_view.h
//
// A block is one voxel, or side^3 of them where a volume is too large to be looked at voxel by voxel; it is solid where one of them is.
// Each holds a paint, an index into the colors, and a number: faces of blocks with different numbers are parted by a line.
//
// Memory: 4 bytes a block.
#pragma once

#include <cstdint>
#include <span>

#include <fairlead/base/array.h>
#include <fairlead/base/result.h>
#include <fairlead/debug/palette.h>
#include <fairlead/debug/sink.h>
#include <fairlead/debug/trace.h>
#include <fairlead/route/route.h>
#include <fairlead/volume/volume.h>

namespace fairlead::debug {

/// What a block shows: one of these, or kHeat + 0 to kHeatPaints - 1.
struct BlockPaint {
    static constexpr std::uint8_t kNone = 0;
    static constexpr std::uint8_t kSolid = 1;
    static constexpr std::uint8_t kCutAway =
        2;  ///< solid, left out to see behind it; what it leaves open is drawn as a section
    static constexpr std::uint8_t kSection = 3;  ///< the color of those faces
    static constexpr std::uint8_t kPath = 4;
    static constexpr std::uint8_t kHeat = 8;
    static constexpr std::uint8_t kHeatPaints = 16;
    static constexpr std::uint8_t kPaints = kHeat + kHeatPaints;
};

struct BlocksOptions {
    VoxelBox region{};      ///< what is seen, clipped to the volume; empty: all of it
    std::int32_t side = 1;  ///< voxels along the side of a block, >= 1
    Allocator allocator{};
};

inline constexpr std::int64_t kBlocksMax = std::int64_t{1} << 27;

class Blocks {
  public:
    /// All blocks are kNone. Errors: out_of_range (side; a region outside the volume); size_limit (more than kBlocksMax); out_of_memory.
    [[nodiscard]] static Result<Blocks> make(const VolumeState& volume, const BlocksOptions& options = {});

    /// Blocks on each axis; block (0, 0, 0) is at the low corner of the region.
    [[nodiscard]] Voxel size() const { return size_; }
    [[nodiscard]] bool in_bounds(Voxel block) const {
        return block.x >= 0 && block.y >= 0 && block.z >= 0 && block.x < size_.x && block.y < size_.y &&
               block.z < size_.z;
    }
    /// kNone outside the region.
    [[nodiscard]] std::uint8_t paint_at(Voxel block) const {
        return in_bounds(block) ? static_cast<std::uint8_t>(blocks_[index(block)]) : BlockPaint::kNone;
    }
    /// Paint and number in one; 0 outside.
    [[nodiscard]] std::uint32_t value_at(Voxel block) const {
        return in_bounds(block) ? blocks_[index(block)] : 0;
    }

    /// Paints the blocks that a box of voxels meets, but solid ones: those only where a block is more than a voxel. `number` is
    /// kept modulo 2^24.
    void paint(const VoxelBox& voxels, std::uint8_t paint, std::uint32_t number = 0);
    /// The same for one block, whatever it was.
    void set(Voxel block, std::uint8_t paint, std::uint32_t number = 0);

    [[nodiscard]] Color color(std::uint8_t paint) const { return colors_[paint % BlockPaint::kPaints]; }
    void set_color(std::uint8_t paint, Color color) { colors_[paint % BlockPaint::kPaints] = color; }

    /// World to blocks from the low corner of the region, and back.
    [[nodiscard]] Vec3 in_blocks(Vec3 world) const {
        return {(world.x - low_.x) / step_.x, (world.y - low_.y) / step_.y, (world.z - low_.z) / step_.z};
    }
    [[nodiscard]] Vec3 in_world(Vec3 at) const {
        return {low_.x + at.x * step_.x, low_.y + at.y * step_.y, low_.z + at.z * step_.z};
    }
    /// The voxels that a box of the world covers, its corners rounded to the nearest.
    [[nodiscard]] VoxelBox voxels_of(Vec3 low, Vec3 high) const;
    [[nodiscard]] std::int32_t side() const { return side_; }

  private:
    explicit Blocks(const Allocator& allocator) : blocks_(allocator) {}
    [[nodiscard]] std::size_t index(Voxel b) const {
        return (static_cast<std::size_t>(b.z) * static_cast<std::size_t>(size_.y) +
                static_cast<std::size_t>(b.y)) *
                   static_cast<std::size_t>(size_.x) +
               static_cast<std::size_t>(b.x);
    }

    Vec3 low_{};           // of the region, world units
    Vec3 step_{1, 1, 1};   // a block's sides
    Vec3 origin_{};        // of the volume
    Vec3 voxel_{1, 1, 1};  // a voxel's sides
    Voxel first_{};        // voxel at the region's low corner
    Voxel size_{};
    std::int32_t side_ = 1;
    Color colors_[BlockPaint::kPaints];
    Array<std::uint32_t> blocks_;
};

/// The solid voxels. Those outside `shown` (empty: none are) become kCutAway.
void paint_solid(Blocks& blocks, const VolumeState& volume, const VoxelBox& shown = {});

struct SearchedPaint {
    std::uint32_t order_end = UINT32_MAX;  ///< only earlier events: a frame of a film
    /// Boxes with more voxels on a side are left out: cells of the search that guides one which is lost (16).
    std::int32_t side_max = 8;
    VoxelBox shown{};  ///< what lies outside is left out, as of solid voxels; empty: nothing is
};

/// G1: what a search opened, light to dark in order. Returns how many boxes there were.
std::uint64_t paint_searched(Blocks& blocks, std::span<const TraceEvent> events,
                             const SearchedPaint& options = {});

/// G2: the blocks that a route passes through, and nothing of what else was searched.
void paint_path(Blocks& blocks, const Route& route);

/// G3: how often nodes were opened in each cube of `side` voxels, as heat from 1 to the most, by powers. Returns the most; 0 also
/// where memory ran out.
std::uint64_t paint_counts(Blocks& blocks, std::span<const TraceEvent> events, std::int32_t side = 8,
                           const SearchedPaint& options = {});

/// All outer faces in space, as the group "blocks"; runs along x are one polygon. Counter-clockwise seen from outside. World units.
void draw(const Blocks& blocks, const Sink& sink);

}  // namespace fairlead::debug
