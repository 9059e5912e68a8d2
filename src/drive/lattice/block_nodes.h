// Nodes of lattice poses, kept in blocks of 8 x 8 cells with all their headings and gears. A search meets the poses along its way,
// which lie in few such blocks; numbered row by row they would lie in a page for each row.
//
// Blocks are given back at reset() and used again for other places, so memory follows the largest search, not the map. A node store
// (search/node_store.h): a node is its state. Reset costs what the last search met; nothing is cleared.
#pragma once

#include <cstdint>
#include <cstring>

#include <fairlead/base/array.h>
#include <fairlead/search/node_store.h>

#include "drive/lattice/lattice_code.h"

namespace fairlead::drive {

class BlockNodes {
  public:
    using Node = SearchNode;
    static constexpr Cost kCostNone = kCostMax;

    explicit BlockNodes(const Allocator& allocator = {})
        : blocks_(allocator), used_(allocator), spare_(allocator) {}
    BlockNodes(BlockNodes&&) = default;
    BlockNodes& operator=(BlockNodes&& other) noexcept {
        if (this != &other) {
            free_blocks();
            blocks_ = std::move(other.blocks_);
            used_ = std::move(other.used_);
            spare_ = std::move(other.spare_);
            code_ = other.code_;
            size_ = other.size_;
            room_ = other.room_;
            stamp_ = other.stamp_;
        }
        return *this;
    }
    ~BlockNodes() { free_blocks(); }

    /// Room for the poses of a map with so many rows, and one more state. Forgets. False: out of memory.
    [[nodiscard]] bool resize(const LatticeCode& code, std::int32_t height) {
        const std::uint32_t pose_bits = code.pose_bits;
        if (size_ != block_size(pose_bits)) free_blocks();
        reset();
        code_ = code;
        size_ = block_size(pose_bits);
        const std::uint64_t rows = (static_cast<std::uint64_t>(height) >> kSide) + 1;
        const std::uint64_t count = rows << across_bits();
        if (count > SIZE_MAX / sizeof(void*)) return false;
        return count <= blocks_.size() || blocks_.resize(static_cast<std::size_t>(count));
    }

    void reset() {
        for (const std::uint32_t index : used_) {
            (void)spare_.push_back(blocks_[index]);  // has its room
            blocks_[index] = nullptr;
        }
        used_.clear();
        if (++stamp_ < (1U << 23)) return;
        stamp_ = 1;
        for (SearchNode* block : spare_)
            std::memset(static_cast<void*>(block), 0, sizeof(SearchNode) * size_);
    }

    [[nodiscard]] FAIRLEAD_INLINE std::uint32_t find_or_add(std::uint32_t state, bool& added) {
        const std::uint32_t index = block_of(state);
        SearchNode* block = blocks_[index];
        if (FAIRLEAD_UNLIKELY(block == nullptr)) {
            block = take_block(index);
            if (block == nullptr) return kNoNode;
        }
        SearchNode& node = block[place_of(state)];
        added = node.stamp != stamp_;
        if (added) {
            node.closed = 0;
            node.stamp = stamp_ & 0x7fffffU;
        }
        return state;
    }
    [[nodiscard]] FAIRLEAD_INLINE std::uint32_t find(std::uint32_t state) const {
        const SearchNode* block = blocks_[block_of(state)];
        return block != nullptr && block[place_of(state)].stamp == stamp_ ? state : kNoNode;
    }
    FAIRLEAD_INLINE void prefetch(std::uint32_t state) const {
        const SearchNode* block = blocks_[block_of(state)];
        if (block != nullptr) FAIRLEAD_PREFETCH(block + place_of(state));
    }
    [[nodiscard]] FAIRLEAD_INLINE SearchNode& operator[](std::uint32_t node) {
        return blocks_[block_of(node)][place_of(node)];
    }
    [[nodiscard]] FAIRLEAD_INLINE const SearchNode& operator[](std::uint32_t node) const {
        return blocks_[block_of(node)][place_of(node)];
    }
    [[nodiscard]] std::uint32_t state_of(std::uint32_t node) const { return node; }
    [[nodiscard]] std::size_t bytes() const {
        return blocks_.bytes() + used_.bytes() + spare_.bytes() +
               (used_.size() + spare_.size()) * sizeof(SearchNode) * size_;
    }

  private:
    static constexpr std::uint32_t kSide = 3;  // 8 cells

    [[nodiscard]] static std::size_t block_size(std::uint32_t pose_bits) {
        return std::size_t{1} << (pose_bits + 2 * kSide);
    }
    [[nodiscard]] std::uint32_t across_bits() const {
        return code_.column_bits > kSide ? code_.column_bits - kSide : 0;
    }
    [[nodiscard]] FAIRLEAD_INLINE std::uint32_t block_of(std::uint32_t state) const {
        const std::uint32_t x = (state >> code_.pose_bits) & ((1U << code_.column_bits) - 1U);
        const std::uint32_t y = state >> (code_.column_bits + code_.pose_bits);
        return ((y >> kSide) << across_bits()) | (x >> kSide);
    }
    [[nodiscard]] FAIRLEAD_INLINE std::uint32_t place_of(std::uint32_t state) const {
        const std::uint32_t pose = state & ((1U << code_.pose_bits) - 1U);
        const std::uint32_t x = (state >> code_.pose_bits) & ((1U << code_.column_bits) - 1U);
        const std::uint32_t y = state >> (code_.column_bits + code_.pose_bits);
        return ((((y & 7U) << kSide) | (x & 7U)) << code_.pose_bits) | pose;
    }

    [[nodiscard]] FAIRLEAD_NOINLINE SearchNode* take_block(std::uint32_t index) {
        if (spare_.empty()) {
            // Room to give them all back.
            if (used_.size() >= room_) {
                const std::size_t room = room_ < 32 ? 64 : room_ * 2;
                if (!spare_.reserve(room)) return nullptr;
                room_ = room;
            }
            const Allocator& a = blocks_.allocator();
            void* memory = a.allocate(sizeof(SearchNode) * size_, 64, a.user);
            if (memory == nullptr) return nullptr;
            std::memset(memory, 0, sizeof(SearchNode) * size_);
            (void)spare_.push_back(static_cast<SearchNode*>(memory));
        }
        if (!used_.push_back(index)) return nullptr;
        blocks_[index] = spare_.back();
        spare_.pop_back();
        return blocks_[index];
    }
    void free_blocks() {
        const Allocator& a = blocks_.allocator();
        for (const std::uint32_t index : used_)
            a.release(blocks_[index], sizeof(SearchNode) * size_, 64, a.user);
        for (SearchNode* block : spare_) a.release(block, sizeof(SearchNode) * size_, 64, a.user);
        used_.clear();
        spare_.clear();
        blocks_.clear();
    }

    Array<SearchNode*> blocks_;  // by place; null: not met
    Array<std::uint32_t> used_;
    Array<SearchNode*> spare_;
    LatticeCode code_;
    std::size_t size_ = 0;  // nodes of a block
    std::size_t room_ = 0;  // of spare_
    std::uint32_t stamp_ = 0;
};

static_assert(NodeStore<BlockNodes>);

}  // namespace fairlead::drive
