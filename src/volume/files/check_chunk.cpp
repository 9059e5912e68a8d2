// The voxels of a stored chunk: every cell and brick is looked at: in the bounds and in the one form that a chunk has.
#include <cstring>

#include "volume/data/state.h"
#include "volume/files/stored_volume.h"

namespace fairlead::volume {

namespace {

// Of the 4^3 parts with sides of `unit` that begin at `low`: those that the bounds touch, and those that lie within.
std::uint64_t touched_places(Voxel size, Voxel low, std::int32_t unit) {
    const auto up = [unit](std::int32_t n) { return n <= 0 ? 0 : (n + unit - 1) / unit; };
    return low_places(up(size.x - low.x), up(size.y - low.y), up(size.z - low.z));
}
std::uint64_t whole_places(Voxel size, Voxel low, std::int32_t unit) {
    const auto down = [unit](std::int32_t n) { return n <= 0 ? 0 : n / unit; };
    return low_places(down(size.x - low.x), down(size.y - low.y), down(size.z - low.z));
}

// Which of 8 distances are not 0, a bit each.
std::uint32_t some_distance(std::uint32_t distances) { return (distances | distances >> 1) & 0x5555U; }

// The same of a cell with these solid bricks.
std::uint32_t parts_without(std::uint64_t some) {
    some |= some >> 1;
    some |= some >> 4;
    some |= some >> 16;
    std::uint32_t out = 0;
    for (std::uint32_t part = 0; part < 8; ++part) {
        const std::uint32_t brick = (part & 1) * 2 + (part >> 1 & 1) * 8 + (part >> 2) * 32;
        if ((some >> brick & 1) == 0) out |= 1U << (2 * part);
    }
    return out;
}

class ChunkCheck {
  public:
    ChunkCheck(std::span<const std::uint8_t> in, Voxel place, Voxel size)
        : in_(in),
          size_(size),
          low_{place.x * 64, place.y * 64, place.z * 64},
          inside_(size.x - low_.x >= 64 && size.y - low_.y >= 64 && size.z - low_.z >= 64) {}

    // The word that means nothing, or kGood.
    std::size_t run(std::uint64_t& solid) {
        const std::size_t words = in_.size() / 8 - kHead + 2;
        const bool head = word(0) == Block::kBorrowed && word(1) == in_.size() && words <= Chunk::kWordsMax &&
                          record_at<std::uint16_t>(in_, 20) == words;
        if (!head) return 0;
        const std::uint64_t touched = inside_ ? kAll : touched_places(size_, low_, 16),
                            whole = inside_ ? kAll : whole_places(size_, low_, 16);
        std::uint32_t blocks = 0x5555U;  // those at some distance
        std::uint32_t open = record_at<std::uint16_t>(in_, 22);
        for (std::uint32_t c = 0; c < 64; ++c) {
            const std::uint32_t node = record_at<std::uint16_t>(in_, kCells + c * 4),
                                some = some_distance(record_at<std::uint16_t>(in_, kCells + c * 4 + 2));
            const std::size_t entry = (kCells + c * 4) / 8;
            if (node == CellEntry::kEmpty) {
                if (some != 0x5555U) return entry;
                open &= record_at<std::uint16_t>(in_, kCells + c * 4 + 2);
                continue;
            }
            blocks &= ~(1U << (2 * ((c >> 1 & 1) | (c >> 3 & 1) << 1 | (c >> 5 & 1) << 2)));
            if (node == CellEntry::kFull) {
                if (some != 0 || (whole >> c & 1) == 0) return entry;
                solid_ += 64 * 64;
                continue;
            }
            if (node != next_ - kHead + 2 || (touched >> c & 1) == 0) return entry;
            std::uint64_t bricks = 0;
            if (!check_cell(c, bricks)) return next_;
            if (some != parts_without(bricks)) return entry;
        }
        if (next_ != in_.size() / 8) return next_;
        if (solid_ != record_at<std::uint32_t>(in_, 16) || (solid_ == 0 && open == 0xffff) ||
            some_distance(record_at<std::uint16_t>(in_, 22)) != blocks)
            return 2;
        solid += solid_;
        return kGood;
    }

  private:
    static constexpr std::size_t kHead = sizeof(Chunk) / 8, kCells = 24;

    [[nodiscard]] std::uint64_t word(std::size_t i) const { return record_at<std::uint64_t>(in_, i * 8); }

    // Where a word means nothing, next_ is it.
    bool check_cell(std::uint32_t c, std::uint64_t& bricks) {
        const auto at = static_cast<std::int32_t>(c);
        const Voxel low{low_.x + (at & 3) * 16, low_.y + (at >> 2 & 3) * 16, low_.z + (at >> 4) * 16};
        const std::size_t end = in_.size() / 8;
        if (end - next_ < 2) return false;
        const StoredCell cell{word(next_), word(next_ + 1)};
        const bool inside = size_.x - low.x >= 16 && size_.y - low.y >= 16 && size_.z - low.z >= 16;
        if (cell.some == 0 || (!inside && (cell.some & ~touched_places(size_, low, 4)) != 0)) return false;
        const bool parts = (cell.full & ~cell.some) == 0 && cell.full != kAll;
        if (!parts || (!inside && (cell.full & ~whole_places(size_, low, 4)) != 0)) {
            ++next_;
            return false;
        }
        bricks = cell.some;
        next_ += 2;
        if (end - next_ < count_bits(cell.mixed())) return false;
        solid_ += 64 * std::uint64_t{count_bits(cell.full)};
        return inside ? check_bricks(next_ + count_bits(cell.mixed())) : check_cut_bricks(cell.mixed(), low);
    }
    bool check_bricks(std::size_t end) {
        for (; next_ < end; ++next_) {
            const std::uint64_t bits = word(next_);
            if (bits == 0 || bits == kAll) return false;
            solid_ += count_bits(bits);
        }
        return true;
    }
    bool check_cut_bricks(std::uint64_t mixed, Voxel low) {
        for (; mixed != 0; mixed &= mixed - 1, ++next_) {
            const int b = std::countr_zero(mixed);
            const Voxel corner{low.x + (b & 3) * 4, low.y + (b >> 2 & 3) * 4, low.z + (b >> 4) * 4};
            const std::uint64_t bits = word(next_);
            if (bits == 0 || bits == kAll || (bits & ~touched_places(size_, corner, 1)) != 0) return false;
            solid_ += count_bits(bits);
        }
        return true;
    }

    std::span<const std::uint8_t> in_;
    Voxel size_;
    Voxel low_;
    bool inside_;
    std::size_t next_ = kHead;
    std::uint64_t solid_ = 0;
};

}  // namespace

std::size_t find_chunk_fault(std::span<const std::uint8_t> chunk, Voxel place, Voxel size,
                             std::uint64_t& solid) {
    return ChunkCheck(chunk, place, size).run(solid);
}

}  // namespace fairlead::volume
