// A copy of the table of chunks, and an editor for which every chunk of the world is one that a snapshot holds.
#include "grid/draft.h"

#include <algorithm>

#include "grid/edit.h"

namespace fairlead::grid {

namespace {

constexpr std::size_t kArenaBlock = std::size_t{1} << 16;
constexpr std::size_t kArenaAlignment = 64;

}  // namespace

ChunkArena::~ChunkArena() {
    const Allocator& a = blocks_.allocator();
    for (const Block& block : blocks_) a.release(block.memory, block.size, kArenaAlignment, a.user);
}

void* ChunkArena::allocate(std::size_t bytes, std::size_t alignment, void* user) {
    auto& self = *static_cast<ChunkArena*>(user);
    FAIRLEAD_ASSERT(alignment <= kArenaAlignment);
    const std::size_t size = (bytes + kArenaAlignment - 1) / kArenaAlignment * kArenaAlignment;
    while (self.block_ < self.blocks_.size()) {
        const Block& block = self.blocks_[self.block_];
        if (block.size - self.used_ >= size) {
            void* memory = static_cast<char*>(block.memory) + self.used_;
            self.used_ += size;
            return memory;
        }
        ++self.block_;
        self.used_ = 0;
    }
    const Allocator& a = self.blocks_.allocator();
    if (!self.blocks_.reserve(self.blocks_.size() + 1)) return nullptr;
    const Block block{nullptr, std::max(size, kArenaBlock)};
    void* memory = a.allocate(block.size, kArenaAlignment, a.user);
    if (memory == nullptr) return nullptr;
    if (!self.blocks_.push_back({memory, block.size})) return nullptr;  // reserved above
    self.block_ = self.blocks_.size() - 1;
    self.used_ = size;
    return memory;
}

Draft::Draft(const Allocator& allocator) : arena_(allocator), editor_(allocator) {
    data_.chunks = Array<std::uint64_t*>(allocator);
    editor_.allocator = arena_.allocator();
    editor_.draft = true;
}

bool Draft::begin(const GridState& world, std::uint32_t bodies, std::uint32_t halves) {
    end();
    const StateData& from = world.data();
    if (!copy_state(data_, from)) return false;
    // Chunks of the world are older than the draft: each is copied before it is written.
    for (Body& body : data_.bodies) body.cluster_levels = 0;  // not kept up to date
    data_.stamp = from.stamp + 1;
    editor_.held_limit = data_.stamp;
    editor_.bodies_wanted = bodies;
    editor_.halves_wanted = halves;
    editor_.state = &data_;
    if (!editor_.list_portal_ends()) return false;
    view_.data_ = &data_;
    return true;
}

Result<void> Draft::fill(const CellRect& rect, std::uint8_t tile) {
    return edit_tiles(editor_, rect, {nullptr, 0, tile});
}

void Draft::end() {
    view_ = {};
    editor_.state = nullptr;
    editor_.retired.clear();  // chunks of the world
    data_.chunks.clear();
    arena_.reset();
}

}  // namespace fairlead::grid
