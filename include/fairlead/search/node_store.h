// Node stores: what a search knows about each state it has met: cost so far, parent, a tag (say, the direction it
// was entered by), closed or not.
//
// A node store satisfies the NodeStore concept:
//
//     void reset();                                    forgets all states without clearing memory
//     std::uint32_t find_or_add(std::uint32_t state, bool& added);   kNoNode: out of memory
//     std::uint32_t find(std::uint32_t state) const;   kNoNode if the state has not been met
//     Node& operator[](std::uint32_t node);           with members g, parent, tag, closed, as SearchNode has
//     std::uint32_t state_of(std::uint32_t node) const;
//     static constexpr Cost kCostNone;                 a cost above every one that its nodes can hold
#pragma once

#include <concepts>
#include <cstdint>
#include <cstring>

#include <fairlead/base/array.h>
#include <fairlead/search/cost.h>

namespace fairlead {

inline constexpr std::uint32_t kNoNode = UINT32_MAX;

/// 16 bytes.
struct SearchNode {
    Cost g = 0;
    std::uint32_t parent = kNoNode;  ///< a node of the same store
    std::uint32_t tag : 8 = 0;
    std::uint32_t closed : 1 = 0;
    std::uint32_t stamp : 23 = 0;  ///< the store's own: which query the node belongs to
};
static_assert(sizeof(SearchNode) == 16);

template <class T>
concept NodeStore = requires(T store, const T& view, std::uint32_t i, bool added) {
    store.reset();
    { store.find_or_add(i, added) } -> std::same_as<std::uint32_t>;
    { view.find(i) } -> std::same_as<std::uint32_t>;
    { store[i] } -> std::same_as<typename T::Node&>;
    { view.state_of(i) } -> std::same_as<std::uint32_t>;
};

/// One node per state, addressed by the state itself, in pages that are allocated when first met. The fastest
/// store for searches that meet a good part of their states; 16 bytes a state of every page met. Reset is O(1):
/// a node with an old stamp counts as new (and once in 8 million queries the pages are cleared).
class PagedNodes {
  public:
    using Node = SearchNode;
    static constexpr Cost kCostNone = kCostMax;

    explicit PagedNodes(const Allocator& allocator = {}) : pages_(allocator) {}
    PagedNodes(PagedNodes&&) = default;
    PagedNodes& operator=(PagedNodes&& other) noexcept {
        if (this != &other) {
            free_pages();
            pages_ = std::move(other.pages_);
            stamp_ = other.stamp_;
        }
        return *this;
    }
    ~PagedNodes() { free_pages(); }

    /// Room for states 0 .. count - 1. False: out of memory.
    [[nodiscard]] bool resize(std::uint64_t count) {
        const std::uint64_t pages = (count + kPageNodes - 1) >> kPageShift;
        if (pages > SIZE_MAX / sizeof(void*)) return false;
        return pages <= pages_.size() || pages_.resize(static_cast<std::size_t>(pages));
    }

    void reset() {
        if (++stamp_ < (1U << 23)) return;
        stamp_ = 1;
        for (SearchNode* page : pages_) {
            if (page != nullptr) std::memset(static_cast<void*>(page), 0, sizeof(SearchNode) * kPageNodes);
        }
    }

    [[nodiscard]] FAIRLEAD_INLINE std::uint32_t find_or_add(std::uint32_t state, bool& added) {
        SearchNode* page = pages_[state >> kPageShift];
        if (FAIRLEAD_UNLIKELY(page == nullptr)) {
            page = make_page(state >> kPageShift);
            if (page == nullptr) return kNoNode;
        }
        SearchNode& node = page[state & (kPageNodes - 1)];
        added = node.stamp != stamp_;
        if (added) {
            node.closed = 0;
            node.stamp = stamp_ & 0x7fffffU;
        }
        return state;
    }
    [[nodiscard]] std::uint32_t find(std::uint32_t state) const {
        const SearchNode* page = pages_[state >> kPageShift];
        return page != nullptr && page[state & (kPageNodes - 1)].stamp == stamp_ ? state : kNoNode;
    }
    /// For a state that will be looked at soon: a search over a large space waits mostly for its nodes.
    FAIRLEAD_INLINE void prefetch(std::uint32_t state) const {
        const SearchNode* page = pages_[state >> kPageShift];
        if (page != nullptr) FAIRLEAD_PREFETCH(page + (state & (kPageNodes - 1)));
    }
    [[nodiscard]] FAIRLEAD_INLINE SearchNode& operator[](std::uint32_t node) {
        return pages_[node >> kPageShift][node & (kPageNodes - 1)];
    }
    [[nodiscard]] const SearchNode& operator[](std::uint32_t node) const {
        return pages_[node >> kPageShift][node & (kPageNodes - 1)];
    }
    [[nodiscard]] std::uint32_t state_of(std::uint32_t node) const { return node; }

    [[nodiscard]] std::size_t bytes() const {
        std::size_t sum = pages_.bytes();
        for (const SearchNode* page : pages_) sum += page != nullptr ? sizeof(SearchNode) * kPageNodes : 0;
        return sum;
    }

  private:
    static constexpr std::uint32_t kPageShift = 12;
    static constexpr std::uint32_t kPageNodes = 1U << kPageShift;

    [[nodiscard]] FAIRLEAD_NOINLINE SearchNode* make_page(std::uint32_t index) {
        const Allocator& a = pages_.allocator();
        void* memory = a.allocate(sizeof(SearchNode) * kPageNodes, 64, a.user);
        if (memory == nullptr) return nullptr;
        std::memset(memory, 0, sizeof(SearchNode) * kPageNodes);
        return pages_[index] = static_cast<SearchNode*>(memory);
    }
    void free_pages() {
        const Allocator& a = pages_.allocator();
        for (SearchNode* page : pages_) {
            if (page != nullptr) a.release(page, sizeof(SearchNode) * kPageNodes, 64, a.user);
        }
        pages_.clear();
    }

    Array<SearchNode*> pages_;
    std::uint32_t stamp_ = 0;
};

/// Nodes in the order in which states are met, found through a hash table. For searches that meet few states of
/// many (jump points): everything stays in the cache. About 32 bytes a state met. Reset is O(1): a slot counts
/// only if its node number is in use and that node names the slot (Briggs & Torczon 1993).
class HashedNodes {
  public:
    using Node = SearchNode;
    static constexpr Cost kCostNone = kCostMax;

    explicit HashedNodes(const Allocator& allocator = {})
        : nodes_(allocator), keys_(allocator), slots_(allocator) {}

    void reset() {
        nodes_.clear();
        keys_.clear();
    }

    [[nodiscard]] FAIRLEAD_INLINE std::uint32_t find_or_add(std::uint32_t state, bool& added) {
        if (FAIRLEAD_UNLIKELY(nodes_.size() * 2 >= slots_.size()) && !grow()) return kNoNode;
        const std::uint32_t mask = static_cast<std::uint32_t>(slots_.size()) - 1U;
        std::uint32_t at = hash(state) & mask;
        const auto count = static_cast<std::uint32_t>(nodes_.size());
        for (;; at = (at + 1) & mask) {
            const std::uint32_t node = slots_[at];
            if (node >= count || keys_[node].slot != at) break;
            if (keys_[node].state == state) {
                added = false;
                return node;
            }
        }
        added = true;
        slots_[at] = count;
        if (!keys_.push_back({state, at}) || !nodes_.push_back({})) return kNoNode;
        return count;
    }
    [[nodiscard]] std::uint32_t find(std::uint32_t state) const {
        if (slots_.empty()) return kNoNode;
        const std::uint32_t mask = static_cast<std::uint32_t>(slots_.size()) - 1U;
        const auto count = static_cast<std::uint32_t>(nodes_.size());
        for (std::uint32_t at = hash(state) & mask;; at = (at + 1) & mask) {
            const std::uint32_t node = slots_[at];
            if (node >= count || keys_[node].slot != at) return kNoNode;
            if (keys_[node].state == state) return node;
        }
    }
    [[nodiscard]] FAIRLEAD_INLINE SearchNode& operator[](std::uint32_t node) { return nodes_[node]; }
    [[nodiscard]] const SearchNode& operator[](std::uint32_t node) const { return nodes_[node]; }
    [[nodiscard]] std::uint32_t state_of(std::uint32_t node) const { return keys_[node].state; }
    [[nodiscard]] std::size_t bytes() const { return nodes_.bytes() + keys_.bytes() + slots_.bytes(); }

  private:
    struct Key {
        std::uint32_t state;
        std::uint32_t slot;
    };
    [[nodiscard]] static FAIRLEAD_INLINE std::uint32_t hash(std::uint32_t state) {
        return static_cast<std::uint32_t>((std::uint64_t{state} * 0x9e3779b97f4a7c15ULL) >> 32);
    }

    [[nodiscard]] FAIRLEAD_NOINLINE bool grow() {
        const std::size_t size = slots_.empty() ? 1024 : slots_.size() * 2;
        if (!nodes_.reserve(size / 2) || !keys_.reserve(size / 2) || !slots_.resize(size)) return false;
        const std::uint32_t mask = static_cast<std::uint32_t>(size) - 1U;
        for (std::uint32_t& slot : slots_) slot = kNoNode;
        for (std::uint32_t node = 0; node < nodes_.size(); ++node) {
            std::uint32_t at = hash(keys_[node].state) & mask;
            while (slots_[at] != kNoNode) at = (at + 1) & mask;
            slots_[at] = node;
            keys_[node].slot = at;
        }
        return true;
    }

    Array<SearchNode> nodes_;
    Array<Key> keys_;
    Array<std::uint32_t> slots_;
};

static_assert(NodeStore<PagedNodes> && NodeStore<HashedNodes>);

}  // namespace fairlead
