// Scratch: the memory that queries reuse. One per thread, owned by the caller, passed to every query. A warm one
// (that has served a similar query before) makes a query allocate nothing. It holds no results and no reference
// to any world between queries.
//
// Modules keep their own buffers in it, by type: scratch.get<T>() gives the one T of this scratch, made on first
// use. T is constructible from an Allocator.
#pragma once

#include <cstddef>
#include <new>

#include <fairlead/base/allocator.h>
#include <fairlead/base/array.h>

namespace fairlead {

class Scratch {
  public:
    explicit Scratch(const Allocator& allocator = {}) : slots_(allocator) {}
    Scratch(Scratch&&) = default;
    Scratch& operator=(Scratch&& other) noexcept {
        if (this != &other) {
            free_memory();
            slots_ = std::move(other.slots_);
        }
        return *this;
    }
    ~Scratch() { free_memory(); }

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

    /// Gives all memory back.
    void free_memory() {
        for (const Slot& slot : slots_) slot.end(slot.object, slots_.allocator());
        slots_.free_memory();
    }

    [[nodiscard]] const Allocator& allocator() const { return slots_.allocator(); }

  private:
    struct Slot {
        const char* key;
        void* object;
        void (*end)(void*, const Allocator&);
    };
    template <class T>
    static inline const char kKey = 0;

    Array<Slot> slots_;
};

}  // namespace fairlead
