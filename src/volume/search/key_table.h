// Where the nodes of a search are found by their keys: a table that is not cleared from search to search, entries with an old stamp are
// free. The nodes themselves stay with the search, in an array; each has its `key`.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include <fairlead/base/array.h>
#include <fairlead/base/platform.h>
#include <fairlead/search/node_store.h>

namespace fairlead::volume {

class KeyTable {
  public:
    explicit KeyTable(const Allocator& allocator) : slots_(allocator) {}

    /// Forgets all.
    void reset() {
        if (++stamp_ != 0) return;
        std::fill(slots_.begin(), slots_.end(), Slot{});
        stamp_ = 1;
    }
    /// The place of the node with a key; kNoNode: there is none.
    template <class Node>
    [[nodiscard]] std::uint32_t find(const Array<Node>& nodes, std::uint64_t key) const {
        if (slots_.empty()) return kNoNode;
        const Slot& slot = slots_[slot_of(slots_, nodes, key)];
        return slot.stamp == stamp_ ? slot.node : kNoNode;
    }
    /// The same; where there is none, `made` becomes the last of the nodes. kNoNode: out of memory.
    template <class Node>
    [[nodiscard]] std::uint32_t find_or_add(Array<Node>& nodes, const Node& made, bool& added) {
        if (2 * nodes.size() >= slots_.size() && !grow(nodes)) return kNoNode;
        Slot& slot = slots_[slot_of(slots_, nodes, made.key)];
        added = slot.stamp != stamp_;
        if (!added) return slot.node;
        const auto place = static_cast<std::uint32_t>(nodes.size());
        if (!nodes.push_back(made)) return kNoNode;
        slot = {stamp_, place};
        return place;
    }

  private:
    struct Slot {
        std::uint32_t stamp = 0;
        std::uint32_t node = 0;
    };

    /// That of the key, or the free one where it would go. By the high bits of its product with a number that mixes well (Fibonacci
    /// hashing), then onward.
    template <class Node>
    [[nodiscard]] FAIRLEAD_INLINE std::size_t slot_of(const Array<Slot>& slots, const Array<Node>& nodes,
                                                      std::uint64_t key) const {
        const std::size_t mask = slots.size() - 1;
        std::size_t at = static_cast<std::size_t>(key * 0x9e3779b97f4a7c15ULL >> 20) & mask;
        while (slots[at].stamp == stamp_ && nodes[slots[at].node].key != key) at = (at + 1) & mask;
        return at;
    }
    template <class Node>
    [[nodiscard]] FAIRLEAD_NOINLINE bool grow(const Array<Node>& nodes) {
        Array<Slot> larger(slots_.allocator());
        if (!larger.resize(std::max<std::size_t>(1024, slots_.size() * 2))) return false;
        for (std::uint32_t i = 0; i < nodes.size(); ++i)
            larger[slot_of(larger, nodes, nodes[i].key)] = {stamp_, i};
        slots_ = std::move(larger);
        return true;
    }

    Array<Slot> slots_;
    std::uint32_t stamp_ = 1;
};

}  // namespace fairlead::volume
