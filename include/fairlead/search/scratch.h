// Scratch: the memory that queries reuse. One per thread, owned by the caller, passed to every query. A warm one
// (that has served a similar query before) makes a query allocate nothing. It holds no results and no reference
// to any world between queries.
//
// One search at a time. A search leases the scratch from its begin until its result is taken, or until its end; a call that
// needs the scratch meanwhile is refused with ErrorCode::scratch_in_use, and the search is unharmed.
//
// Modules keep their own buffers in it, by type: scratch.get<T>() gives the one T of this scratch, made on first
// use. T is constructible from an Allocator.
#pragma once

#include <cstddef>
#include <new>
#include <utility>

#include <fairlead/base/allocator.h>
#include <fairlead/base/array.h>
#include <fairlead/base/assert.h>

namespace fairlead {

class Scratch {
  public:
    explicit Scratch(const Allocator& allocator = {}) : slots_(allocator) {}
    /// Not while a search runs on it: an assertion.
    Scratch(Scratch&& other) noexcept : slots_((other.expect_free(), std::move(other.slots_))) {}
    Scratch& operator=(Scratch&& other) noexcept {
        other.expect_free();
        if (this != &other) {
            free_memory();
            slots_ = std::move(other.slots_);
        }
        return *this;
    }
    ~Scratch() { free_memory(); }

    /// Does a search run on it?
    [[nodiscard]] bool in_use() const { return in_use_; }

    /// The buffers of type T, or null when memory runs out. The pointer stays valid while the Scratch lives.
    template <class T>
    [[nodiscard]] T* get() {
        for (const Slot& slot : slots_) {
            if (slot.key == &kKey<T>) return static_cast<T*>(slot.object);
        }
        const Allocator& a = slots_.allocator();
        if (!slots_.reserve(slots_.size() + 1)) return nullptr;
        void* memory = a.allocate(sizeof(T), alignof(T), a.user);
        if (memory == nullptr) return nullptr;
        T* object = new (memory) T(a);
        const auto end = [](void* p, const Allocator& allocator) {
            static_cast<T*>(p)->~T();
            allocator.release(p, sizeof(T), alignof(T), allocator.user);
        };
        if (!slots_.push_back({&kKey<T>, object, end})) return nullptr;  // reserved above
        return object;
    }

    /// Gives all memory back. Not while a search runs on it: an assertion.
    void free_memory() {
        expect_free();
        for (const Slot& slot : slots_) slot.end(slot.object, slots_.allocator());
        slots_.free_memory();
    }

    [[nodiscard]] const Allocator& allocator() const { return slots_.allocator(); }

  private:
    friend class ScratchLease;

    struct Slot {
        const char* key;
        void* object;
        void (*end)(void*, const Allocator&);
    };
    // Not const: linkers may fold constants that are equal.
    template <class T>
    static inline char kKey = 0;

    void expect_free() const { FAIRLEAD_ASSERT(!in_use_ && "a search still runs on this scratch"); }

    Array<Slot> slots_;
    bool in_use_ = false;
};

/// The right to use a scratch, until its end. Empty where another one has it. Move only.
class ScratchLease {
  public:
    ScratchLease() = default;
    explicit ScratchLease(Scratch& scratch) {
        if (scratch.in_use_) return;
        scratch.in_use_ = true;
        scratch_ = &scratch;
    }
    ScratchLease(ScratchLease&& other) noexcept : scratch_(std::exchange(other.scratch_, nullptr)) {}
    ScratchLease& operator=(ScratchLease&& other) noexcept {
        if (this != &other) {
            release();
            scratch_ = std::exchange(other.scratch_, nullptr);
        }
        return *this;
    }
    ScratchLease(const ScratchLease&) = delete;
    ScratchLease& operator=(const ScratchLease&) = delete;
    ~ScratchLease() { release(); }

    [[nodiscard]] explicit operator bool() const { return scratch_ != nullptr; }
    [[nodiscard]] Scratch& operator*() const { return *scratch_; }

    void release() {
        if (scratch_ != nullptr) scratch_->in_use_ = false;
        scratch_ = nullptr;
    }

  private:
    Scratch* scratch_ = nullptr;
};

}  // namespace fairlead
