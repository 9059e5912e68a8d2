// Draft: a world as it would be after some edits, for one question. It shares all chunks with the state that it is made from but those
// that the edits change; these are copies in its own memory, which the next draft uses again. The state is only read.
#pragma once

#include <fairlead/base/array.h>
#include <fairlead/grid/grid.h>

#include "grid/editor.h"

namespace fairlead::grid {

/// Memory that is given back all at once. Blocks are kept.
class ChunkArena {
  public:
    explicit ChunkArena(const Allocator& allocator) : blocks_(allocator) {}
    ChunkArena(const ChunkArena&) = delete;
    ChunkArena& operator=(const ChunkArena&) = delete;
    ~ChunkArena();

    [[nodiscard]] Allocator allocator() { return {&allocate, &release, this}; }
    void reset() { block_ = used_ = 0; }

  private:
    struct Block {
        void* memory;
        std::size_t size;
    };
    static void* allocate(std::size_t bytes, std::size_t alignment, void* user);
    static void release(void*, std::size_t, std::size_t, void*) {}

    Array<Block> blocks_;
    std::size_t block_ = 0;
    std::size_t used_ = 0;
};

class Draft {
  public:
    explicit Draft(const Allocator& allocator);
    Draft(const Draft&) = delete;
    Draft& operator=(const Draft&) = delete;

    /// The world as it is, before edits. Only the bodies whose bits are set are kept up to date by them. False: out of memory.
    [[nodiscard]] bool begin(const GridState& world, std::uint32_t bodies, std::uint32_t halves);
    /// As Grid::fill, inside the map. After an error only begin() is left.
    [[nodiscard]] Result<void> fill(const CellRect& rect, std::uint8_t tile);
    [[nodiscard]] const GridState& state() const { return view_; }
    void end();

  private:
    ChunkArena arena_;
    StateData data_{};
    EditorData editor_;
    GridState view_{};
};

}  // namespace fairlead::grid
