// A number a cell of a map, in blocks of 8 x 8 cells that take memory only where a number is written. What follows a way over a large
// map meets few of them, and finds them beside each other.
//
// Blocks are used again after begin(), which costs what the last use met. Memory: 1/8 byte a cell of the map, and 4 bytes a cell of the
// most blocks that were ever in use at once.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include <fairlead/base/array.h>
#include <fairlead/base/platform.h>

namespace fairlead::drive {

/// What is read where nothing has been written.
struct UnsetBlock {
    static constexpr std::size_t kCells = 64;
    std::uint32_t cell[kCells] = {};

    constexpr UnsetBlock() {
        for (std::uint32_t& c : cell) c = UINT32_MAX;
    }
};
inline constexpr UnsetBlock kUnsetBlock{};

class CellBlocks {
  public:
    static constexpr std::uint32_t kUnset = kUnsetBlock.cell[0];

    explicit CellBlocks(const Allocator& allocator = {})
        : place_(allocator), used_(allocator), block_(allocator), chunk_(allocator) {}
    CellBlocks(CellBlocks&& other) noexcept = default;
    CellBlocks& operator=(CellBlocks&& other) noexcept {
        if (this == &other) return *this;
        free_chunks();
        place_ = std::move(other.place_);
        used_ = std::move(other.used_);
        block_ = std::move(other.block_);
        chunk_ = std::move(other.chunk_);
        across_ = other.across_;
        height_ = other.height_;
        return *this;
    }
    ~CellBlocks() { free_chunks(); }

    /// All unset, of a map's size. False: out of memory.
    [[nodiscard]] bool begin(std::int32_t width, std::int32_t height) {
        const std::size_t across = (static_cast<std::size_t>(width) + 7) / 8;
        const std::size_t rows = (static_cast<std::size_t>(height) + 7) / 8;
        for (const std::uint32_t at : used_) place_[at] = kBlank;
        used_.clear();
        if (across == across_ && rows == height_) return true;
        across_ = height_ = 0;
        place_.clear();
        if (!place_.resize_uninitialized(across * rows)) return false;
        std::fill(place_.begin(), place_.end(), kBlank);
        across_ = across;
        height_ = rows;
        return true;
    }

    [[nodiscard]] FAIRLEAD_INLINE std::uint32_t at(std::int32_t x, std::int32_t y) const {
        return place_[block_of(x, y)][inside(x, y)];
    }
    /// To be written to. Null: out of memory.
    [[nodiscard]] FAIRLEAD_INLINE std::uint32_t* find(std::int32_t x, std::int32_t y) {
        const std::size_t at = block_of(x, y);
        if (FAIRLEAD_UNLIKELY(place_[at] == kBlank) && !take(at)) return nullptr;
        return const_cast<std::uint32_t*>(place_[at]) + inside(x, y);
    }

  private:
    static constexpr std::size_t kCells = UnsetBlock::kCells;
    static constexpr std::size_t kBlocks = 64;  // of a chunk
    static constexpr std::size_t kChunkBytes = kCells * kBlocks * sizeof(std::uint32_t);
    static constexpr const std::uint32_t* kBlank = kUnsetBlock.cell;

    [[nodiscard]] FAIRLEAD_INLINE std::size_t block_of(std::int32_t x, std::int32_t y) const {
        return static_cast<std::size_t>(y >> 3) * across_ + static_cast<std::size_t>(x >> 3);
    }
    [[nodiscard]] static FAIRLEAD_INLINE std::size_t inside(std::int32_t x, std::int32_t y) {
        return static_cast<std::size_t>((y & 7) << 3 | (x & 7));
    }

    [[nodiscard]] FAIRLEAD_NOINLINE bool take(std::size_t at) {
        if (used_.size() == block_.size() && !add_chunk()) return false;
        std::uint32_t* const block = block_[used_.size()];
        if (!used_.push_back(static_cast<std::uint32_t>(at))) return false;
        std::fill_n(block, kCells, kUnset);
        place_[at] = block;
        return true;
    }
    [[nodiscard]] bool add_chunk() {
        const Allocator& a = place_.allocator();
        const std::size_t count = block_.size();
        if (!block_.reserve(count + kBlocks) || !chunk_.reserve(chunk_.size() + 1)) return false;
        auto* const chunk = static_cast<std::uint32_t*>(a.allocate(kChunkBytes, 64, a.user));
        if (chunk == nullptr) return false;
        (void)chunk_.push_back(chunk);  // has its room, and so have the blocks
        for (std::size_t i = 0; i < kBlocks; ++i) (void)block_.push_back(chunk + i * kCells);
        return true;
    }
    void free_chunks() {
        const Allocator& a = place_.allocator();
        for (std::uint32_t* const chunk : chunk_) a.release(chunk, kChunkBytes, 64, a.user);
        chunk_.clear();
    }

    Array<const std::uint32_t*> place_;  // of each block of the map
    Array<std::uint32_t> used_;          // those that have memory of their own: the n-th has block n
    Array<std::uint32_t*> block_;
    Array<std::uint32_t*> chunk_;
    std::size_t across_ = 0;  // blocks
    std::size_t height_ = 0;
};

}  // namespace fairlead::drive
