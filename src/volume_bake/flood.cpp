// A flood from the bounds, 64 voxels at a time. A chunk with solid voxels has rows of bits; one without is reached
// whole or not at all. Chunks wait in a ring until nothing new reaches them. The closure is one, whatever their
// order.

#include "volume_bake/flood.h"

#include <bit>
#include <cstring>

#include "base/no_memory.h"
#include "raster/voxel_bins.h"
#include "raster/voxel_chunk.h"

namespace fairlead::bake {

namespace {

using raster::ChunkBits;
using raster::ChunkGrid;

constexpr std::int32_t kSide = kVoxelChunk;
constexpr std::uint32_t kNoSlot = UINT32_MAX;
constexpr std::uint64_t kAll = ~std::uint64_t{0};

struct Room {
    std::uint64_t free[kSide * kSide];  ///< within the bounds; by y, then z
    std::uint64_t reached[kSide * kSide];
};

// All free bits of a row that are joined to one of `bits` (Kogge and Stone).
std::uint64_t spread(std::uint64_t bits, std::uint64_t free) {
    std::uint64_t up = bits, up_way = free, down = bits, down_way = free;
    for (int step = 1; step < 64; step *= 2) {
        up |= up_way & (up << step);
        up_way &= up_way << step;
        down |= down_way & (down >> step);
        down_way &= down_way >> step;
    }
    return up | down;
}

class Flood {
  public:
    Flood(const VoxelFrame& frame, const Progress& progress, const Allocator& a)
        : grid_(frame), progress_(progress), slots_(a), whole_(a), rooms_(a), ring_(a), waits_(a) {}

    Result<void> run(Array<BrickBits>& bricks, std::int64_t& filled) {
        if (!make_rooms(bricks)) return kNoMemory;
        seed();
        for (std::size_t turn = 0; count_ > 0; ++turn) {
            if (turn % 256 == 0 && !report()) return Error{ErrorCode::cancelled};
            const std::uint32_t chunk = ring_[first_];
            first_ = first_ + 1 == ring_.size() ? 0 : first_ + 1;
            --count_;
            waits_[chunk] = 0;
            if (slots_[chunk] != kNoSlot) flood(rooms_[slots_[chunk]]);
            pass_on(chunk);
        }
        return take(bricks, filled) ? Result<void>{} : Result<void>{kNoMemory};
    }

  private:
    [[nodiscard]] bool report() const {
        return progress_.report == nullptr || progress_.report(progress_.user, rooms_.size(), rooms_.size());
    }
    [[nodiscard]] std::uint32_t chunk_of(const BrickBits& b) const {
        return grid_.number(b.x / (kSide / 4), b.y / (kSide / 4), b.z / (kSide / 4));
    }

    [[nodiscard]] bool make_rooms(const Array<BrickBits>& bricks) {
        const std::size_t chunks = grid_.all();
        if (!slots_.resize_uninitialized(chunks) || !whole_.resize(chunks) || !waits_.resize(chunks) ||
            !ring_.resize_uninitialized(chunks)) {
            return false;
        }
        for (std::uint32_t& slot : slots_) slot = kNoSlot;
        std::uint32_t rooms = 0;
        for (const BrickBits& b : bricks) {
            std::uint32_t& slot = slots_[chunk_of(b)];
            if (slot == kNoSlot) slot = rooms++;
        }
        if (!rooms_.resize(rooms)) return false;
        for (std::uint32_t chunk = 0; chunk < chunks; ++chunk) {
            if (slots_[chunk] != kNoSlot) open(chunk, rooms_[slots_[chunk]]);
        }
        for (const BrickBits& b : bricks) {
            std::uint64_t* const free = rooms_[slots_[chunk_of(b)]].free;
            for (std::int32_t r = 0; r < 16; ++r) {
                const std::int32_t y = (4 * b.y + r % 4) % kSide, z = (4 * b.z + r / 4) % kSide;
                free[z * kSide + y] &= ~((b.solid >> (4 * r) & 15) << (4 * b.x % kSide));
            }
        }
        return true;
    }
    // All voxels within the bounds.
    void open(std::uint32_t chunk, Room& room) const {
        std::int32_t low[3], size[3];
        grid_.place(chunk, low, size);
        for (std::int32_t z = 0; z < size[2]; ++z) {
            for (std::int32_t y = 0; y < size[1]; ++y) room.free[z * kSide + y] = kAll >> (kSide - size[0]);
        }
    }

    void wait(std::uint32_t chunk) {
        if (waits_[chunk] != 0) return;
        waits_[chunk] = 1;
        const std::size_t at = first_ + count_++;
        ring_[at < ring_.size() ? at : at - ring_.size()] = chunk;
    }

    // The voxels at the bounds' faces. Those that are solid stay so.
    void seed() {
        for (std::uint32_t chunk = 0; chunk < grid_.all(); ++chunk) {
            std::int32_t low[3], size[3];
            grid_.place(chunk, low, size);
            bool starts[3], ends[3];
            for (int k = 0; k < 3; ++k) {
                starts[k] = low[k] == 0;
                ends[k] = low[k] + size[k] == grid_.size[k];
            }
            if (!(starts[0] || starts[1] || starts[2] || ends[0] || ends[1] || ends[2])) continue;
            const std::uint64_t sides =
                (starts[0] ? 1U : 0U) | (ends[0] ? std::uint64_t{1} << (size[0] - 1) : 0);
            std::uint64_t any = 0;
            for (std::int32_t z = 0; z < size[2]; ++z) {
                for (std::int32_t y = 0; y < size[1]; ++y) {
                    const bool face = (starts[1] && y == 0) || (ends[1] && y == size[1] - 1) ||
                                      (starts[2] && z == 0) || (ends[2] && z == size[2] - 1);
                    any |= reach(chunk, y, z, face ? kAll : sides);
                }
            }
            if (any != 0) wait(chunk);
        }
    }

    // Marks the free ones of these bits of a row as reached. What is new.
    std::uint64_t reach(std::uint32_t chunk, std::int32_t y, std::int32_t z, std::uint64_t bits) {
        if (slots_[chunk] == kNoSlot) {
            if (bits == 0 || whole_[chunk] != 0) return 0;
            whole_[chunk] = 1;
            return 1;
        }
        Room& room = rooms_[slots_[chunk]];
        const std::int32_t at = z * kSide + y;
        const std::uint64_t more = bits & room.free[at] & ~room.reached[at];
        room.reached[at] |= more;
        return more;
    }

    // From what is reached, all that is joined to it in the chunk.
    static void flood(Room& room) {
        for (std::int32_t at = 0; at < kSide * kSide; ++at) {
            if (room.reached[at] != 0) room.reached[at] = spread(room.reached[at], room.free[at]);
        }
        for (bool changed = true; changed;) {
            changed = false;
            for (std::int32_t at = 0; at < kSide * kSide; ++at) changed = join(room, at) || changed;
            for (std::int32_t at = kSide * kSide; at > 0; --at) changed = join(room, at - 1) || changed;
        }
    }
    static bool join(Room& room, std::int32_t at) {
        const std::int32_t y = at % kSide, z = at / kSide;
        const std::uint64_t* const r = room.reached;
        const std::uint64_t near = (y > 0 ? r[at - 1] : 0) | (y < kSide - 1 ? r[at + 1] : 0) |
                                   (z > 0 ? r[at - kSide] : 0) | (z < kSide - 1 ? r[at + kSide] : 0);
        const std::uint64_t more = near & room.free[at] & ~r[at];
        if (more == 0) return false;
        room.reached[at] |= spread(more, room.free[at]);
        return true;
    }

    [[nodiscard]] std::uint64_t row(std::uint32_t chunk, std::int32_t y, std::int32_t z) const {
        if (slots_[chunk] == kNoSlot) return whole_[chunk] != 0 ? kAll : 0;
        return rooms_[slots_[chunk]].reached[z * kSide + y];
    }
    // Through the six faces. Beyond the last voxel of the bounds is no chunk.
    void pass_on(std::uint32_t chunk) {
        std::int32_t low[3], size[3];
        grid_.place(chunk, low, size);
        const std::int32_t at[3] = {low[0] / kSide, low[1] / kSide, low[2] / kSide};
        for (int axis = 0; axis < 3; ++axis) {
            for (const std::int32_t way : {-1, 1}) {
                std::int32_t to[3] = {at[0], at[1], at[2]};
                to[axis] += way;
                if (to[axis] < 0 || to[axis] >= grid_.count[axis]) continue;
                const std::uint32_t next = grid_.number(to[0], to[1], to[2]);
                if (pass_face(chunk, next, axis, way > 0)) wait(next);
            }
        }
    }
    [[nodiscard]] bool pass_face(std::uint32_t from, std::uint32_t to, int axis, bool up) {
        const std::int32_t leave = up ? kSide - 1 : 0;
        const std::int32_t enter = kSide - 1 - leave;
        std::uint64_t any = 0;
        for (std::int32_t i = 0; i < kSide; ++i) {
            if (axis == 2) {
                any |= reach(to, i, enter, row(from, i, leave));
            } else if (axis == 1) {
                any |= reach(to, enter, i, row(from, leave, i));
            } else {
                for (std::int32_t j = 0; j < kSide; ++j)
                    any |= reach(to, j, i, (row(from, j, i) >> leave & 1) << enter);
            }
        }
        return any != 0;
    }

    [[nodiscard]] bool take(Array<BrickBits>& bricks, std::int64_t& filled) const {
        Array<BrickBits> out(bricks.allocator());
        Array<ChunkBits> bits(bricks.allocator());
        if (!bits.resize(1)) return false;
        std::int64_t solid = 0;
        for (const BrickBits& b : bricks) solid -= std::popcount(b.solid);
        for (std::uint32_t chunk = 0; chunk < grid_.all(); ++chunk) {
            if (whole_[chunk] != 0) continue;
            std::int32_t low[3], size[3];
            grid_.place(chunk, low, size);
            for (std::int32_t i = 0; i < kSide * kSide; ++i)
                bits[0].rows[i] = slots_[chunk] == kNoSlot ? kAll : ~rooms_[slots_[chunk]].reached[i];
            if (!take_bricks(bits[0], low, size, out, solid)) return false;
        }
        filled = solid;
        bricks = std::move(out);
        return true;
    }

    ChunkGrid grid_;
    const Progress& progress_;
    Array<std::uint32_t> slots_;  ///< of each chunk in rooms_
    Array<std::uint8_t> whole_;   ///< of a chunk without a room: is it reached?
    Array<Room> rooms_;
    Array<std::uint32_t> ring_;  ///< chunks that wait: count_ from first_ on
    std::size_t first_ = 0;
    std::size_t count_ = 0;
    Array<std::uint8_t> waits_;
};

}  // namespace

Result<void> fill_inside(const VoxelFrame& frame, const Progress& progress, Array<BrickBits>& bricks,
                         std::int64_t& filled) {
    return Flood(frame, progress, bricks.allocator()).run(bricks, filled);
}

}  // namespace fairlead::bake
