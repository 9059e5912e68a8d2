// WorkHeap: works in an order, each of which knows its place and can be taken out of the middle.
#pragma once

#include <cstddef>
#include <cstdint>

#include <fairlead/base/array.h>
#include <fairlead/base/assert.h>

namespace fairlead::schedule {

inline constexpr std::uint32_t kNotInHeap = UINT32_MAX;

/// before(a, b) is a strict total order; `kPlace` is the member that keeps a work's place. Four children a node.
template <class Work, std::uint32_t Work::*kPlace, bool (*before)(const Work&, const Work&)>
class WorkHeap {
  public:
    explicit WorkHeap(const Allocator& allocator) : items_(allocator) {}

    [[nodiscard]] bool empty() const { return items_.empty(); }
    [[nodiscard]] std::size_t size() const { return items_.size(); }
    [[nodiscard]] std::size_t bytes() const { return items_.bytes(); }
    [[nodiscard]] Work& least() const { return *items_[0]; }
    /// Room for so many; push() needs it.
    [[nodiscard]] bool reserve(std::size_t count) { return items_.reserve(count); }

    void push(Work& work) {
        const bool pushed = items_.push_back(&work);
        FAIRLEAD_ASSERT(pushed);  // reserved
        rise(items_.size() - 1, work);
    }
    /// Nothing where it is not there.
    void remove(Work& work) {
        const std::uint32_t at = work.*kPlace;
        if (at == kNotInHeap) return;
        work.*kPlace = kNotInHeap;
        Work& last = *items_.back();
        items_.pop_back();
        if (&last == &work) return;
        rise(at, last);
        if (last.*kPlace == at) sink(at, last);
    }
    void replace(Work& work) {
        remove(work);
        push(work);
    }

  private:
    void put(std::size_t at, Work& work) {
        items_[at] = &work;
        work.*kPlace = static_cast<std::uint32_t>(at);
    }
    void rise(std::size_t at, Work& work) {
        for (; at > 0 && before(work, *items_[(at - 1) / 4]); at = (at - 1) / 4)
            put(at, *items_[(at - 1) / 4]);
        put(at, work);
    }
    void sink(std::size_t at, Work& work) {
        for (std::size_t child = at * 4 + 1; child < items_.size(); child = at * 4 + 1) {
            std::size_t best = child;
            for (std::size_t i = child + 1; i < child + 4 && i < items_.size(); ++i) {
                if (before(*items_[i], *items_[best])) best = i;
            }
            if (!before(*items_[best], work)) break;
            put(at, *items_[best]);
            at = best;
        }
        put(at, work);
    }

    Array<Work*> items_;
};

}  // namespace fairlead::schedule
