// Revisions<State>: how a world is edited while others read it.
//
// A new revision is built beside the current one and shares every block that it does not change. While it is
// built it is the *draft*; committing makes it the current state, dropping it leaves no trace. So nothing is
// ever undone, and an error or a lack of memory half way is no special case.
//
// A block that a new revision does without is freed at once if no snapshot needs it, otherwise it waits
// (retired) until every snapshot between its birth and its replacement is released. Only the editing thread
// allocates, retires and frees; releasing a snapshot is one atomic decrement, and its memory is swept up by a
// later edit.
//
// State is constructible from an Allocator and has
//     std::uint64_t revision;  mutable std::atomic<std::uint32_t> held;   snapshots that hold it
//     bool share(const State& other);            takes over all of the other's blocks; false: out of memory
//     void each_block(auto visit) const;         visit(Block*) for every block, none of them null
#pragma once

#include <atomic>
#include <cstdint>
#include <cstring>
#include <new>

#include <fairlead/base/allocator.h>
#include <fairlead/base/array.h>
#include <fairlead/base/assert.h>

namespace fairlead {

/// In front of every piece of memory that revisions share.
struct Block {
    /// Birth of a block that lies in memory of the caller's: no revision's own, and never written or freed.
    static constexpr std::uint64_t kBorrowed = UINT64_MAX;

    std::uint64_t birth = 0;  ///< revision that made it
    std::size_t bytes = 0;    ///< with this header
};

template <class State>
class Revisions {
  public:
    explicit Revisions(const Allocator& a) : allocator(a), held_(a), retired_(a), replaced_(a) {}

    Allocator allocator;
    State* state = nullptr;  ///< the current revision
    State* draft = nullptr;  ///< the one that is being made

    /// A draft that equals the current state. False: out of memory.
    [[nodiscard]] bool begin() {
        sweep();
        replaced_.clear();
        if (!held_.reserve(held_.size() + 1)) return false;
        void* memory = allocator.allocate(sizeof(State), alignof(State), allocator.user);
        if (memory == nullptr) return false;
        draft = new (memory) State(allocator);
        if (state == nullptr) return true;
        draft->revision = state->revision + 1;
        if (draft->share(*state)) return true;
        free_state(draft);
        draft = nullptr;
        return false;
    }

    /// Room for what commit() has to remember. Before it nothing is certain, after it nothing can fail.
    [[nodiscard]] bool ready() { return retired_.reserve(retired_.size() + replaced_.size()); }

    /// The draft becomes the current state. After ready().
    void commit() {
        State* old = state;
        state = draft;
        draft = nullptr;
        if (old == nullptr) return;
        if (is_held(old)) {
            const bool pushed = held_.push_back(old);
            FAIRLEAD_ASSERT(pushed);  // reserved by begin()
        } else {
            free_state(old);
        }
        for (Block* block : replaced_) {
            if (!needed(block->birth, state->revision)) {
                free_block(block);
            } else {
                const bool pushed = retired_.push_back({block, state->revision});
                FAIRLEAD_ASSERT(pushed);  // reserved by ready()
            }
        }
        replaced_.clear();
    }

    /// Forgets the draft and what was made for it.
    void drop() {
        if (draft == nullptr) return;
        draft->each_block([this](Block* block) {
            if (is_new(block)) free_block(block);
        });
        free_state(draft);
        draft = nullptr;
        replaced_.clear();
    }

    /// A zeroed block, born in the draft's revision; null when memory runs out.
    [[nodiscard]] void* make_block(std::size_t bytes) {
        void* memory = allocator.allocate(bytes, kAlignment, allocator.user);
        if (memory == nullptr) return nullptr;
        std::memset(memory, 0, bytes);
        return new (memory) Block{draft->revision, bytes};
    }
    /// A block of the draft's own: it may be written.
    [[nodiscard]] bool is_new(const Block* block) const { return block->birth == draft->revision; }
    /// A copy of a block, born in the draft's revision; the old one is given up. Null when memory runs out.
    [[nodiscard]] void* copy_block(Block* block) {
        void* memory = allocator.allocate(block->bytes, kAlignment, allocator.user);
        if (memory == nullptr) return nullptr;
        std::memcpy(memory, block, block->bytes);
        static_cast<Block*>(memory)->birth = draft->revision;
        if (give_up(block)) return memory;
        allocator.release(memory, block->bytes, kAlignment, allocator.user);
        return nullptr;
    }
    /// The draft does without this block from now on. False: out of memory.
    [[nodiscard]] bool give_up(Block* block) {
        if (block == nullptr) return true;
        if (is_new(block)) {
            free_block(block);
            return true;
        }
        return replaced_.push_back(block);
    }

    /// Frees a block of the draft's own that the draft does not have in its lists.
    void discard(Block* block) {
        FAIRLEAD_ASSERT(is_new(block));
        free_block(block);
    }

    /// Ends the life of everything. All snapshots must have been released.
    void destroy() {
        if (state == nullptr) return;
        FAIRLEAD_ASSERT(!is_held(state));
        sweep();
        FAIRLEAD_ASSERT(held_.empty() && retired_.empty());
        state->each_block([this](Block* block) { free_block(block); });
        free_state(state);
        state = nullptr;
    }

  private:
    static constexpr std::size_t kAlignment = 64;

    struct Retired {
        Block* block = nullptr;
        std::uint64_t death = 0;  ///< needed by held revisions in [birth, death)
    };

    static bool is_held(const State* old) { return old->held.load(std::memory_order_acquire) != 0; }
    void free_block(Block* block) {
        if (block->birth != Block::kBorrowed)
            allocator.release(block, block->bytes, kAlignment, allocator.user);
    }
    void free_state(State* old) {
        old->~State();
        allocator.release(old, sizeof(State), alignof(State), allocator.user);
    }
    [[nodiscard]] bool needed(std::uint64_t birth, std::uint64_t death) const {
        for (const State* old : held_) {
            if (old->revision >= birth && old->revision < death) return true;
        }
        return false;
    }
    // Frees what no snapshot needs any more.
    void sweep() {
        std::size_t kept = 0;
        for (State* old : held_) {
            if (is_held(old)) {
                held_[kept++] = old;
            } else {
                free_state(old);
            }
        }
        while (held_.size() > kept) held_.pop_back();
        kept = 0;
        for (const Retired& waiting : retired_) {
            if (needed(waiting.block->birth, waiting.death)) {
                retired_[kept++] = waiting;
            } else {
                free_block(waiting.block);
            }
        }
        while (retired_.size() > kept) retired_.pop_back();
    }

    Array<State*> held_;  ///< older revisions that snapshots hold, or held until the last sweep
    Array<Retired> retired_;
    Array<Block*> replaced_;  ///< blocks of older revisions that the draft does without
};

}  // namespace fairlead
