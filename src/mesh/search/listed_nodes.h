// A node store for spaces that make a new state for every step and never meet one again: states are numbered in the
// order in which they are made, and a node is its state. (search/node_store.h)
#pragma once

#include <fairlead/base/array.h>
#include <fairlead/search/node_store.h>

namespace fairlead::mesh {

class ListedNodes {
  public:
    using Node = SearchNode;
    static constexpr Cost kCostNone = kCostMax;

    explicit ListedNodes(const Allocator& allocator = {}) : nodes_(allocator) {}

    void reset() { nodes_.clear(); }
    [[nodiscard]] FAIRLEAD_INLINE std::uint32_t find_or_add(std::uint32_t state, bool& added) {
        added = state >= nodes_.size();
        // Beyond the next one: there was no memory for an earlier one.
        if (added && (state > nodes_.size() || !nodes_.push_back({}))) return kNoNode;
        return state;
    }
    [[nodiscard]] std::uint32_t find(std::uint32_t state) const {
        return state < nodes_.size() ? state : kNoNode;
    }
    [[nodiscard]] FAIRLEAD_INLINE SearchNode& operator[](std::uint32_t node) { return nodes_[node]; }
    [[nodiscard]] const SearchNode& operator[](std::uint32_t node) const { return nodes_[node]; }
    [[nodiscard]] std::uint32_t state_of(std::uint32_t node) const { return node; }
    [[nodiscard]] std::size_t bytes() const { return nodes_.bytes(); }

  private:
    Array<SearchNode> nodes_;
};

static_assert(NodeStore<ListedNodes>);

}  // namespace fairlead::mesh
