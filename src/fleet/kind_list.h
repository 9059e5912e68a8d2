// A list of values that cannot be copied: what a port prepares for each kind of unit.
#pragma once

#include <new>
#include <utility>

#include <fairlead/base/array.h>

namespace fairlead::fleet {

template <class T>
class KindList {
  public:
    explicit KindList(const Allocator& allocator) : items_(allocator) {}
    KindList(const KindList&) = delete;
    KindList& operator=(const KindList&) = delete;
    ~KindList() { clear(); }

    [[nodiscard]] std::size_t size() const { return items_.size(); }
    [[nodiscard]] T& operator[](std::size_t i) { return *items_[i]; }

    /// Null: no memory.
    template <class... Arguments>
    [[nodiscard]] T* add(Arguments&&... arguments) {
        const Allocator& from = items_.allocator();
        void* memory = from.allocate(sizeof(T), alignof(T), from.user);
        if (memory == nullptr) return nullptr;
        T* item = ::new (memory) T(std::forward<Arguments>(arguments)...);
        if (items_.push_back(item)) return item;
        destroy(item);
        return nullptr;
    }
    void clear() {
        for (T* item : items_) destroy(item);
        items_.clear();
    }
    void drop_last() {
        destroy(items_.back());
        items_.pop_back();
    }

  private:
    void destroy(T* item) {
        const Allocator& from = items_.allocator();
        item->~T();
        from.release(item, sizeof(T), alignof(T), from.user);
    }

    Array<T*> items_;
};

}  // namespace fairlead::fleet
