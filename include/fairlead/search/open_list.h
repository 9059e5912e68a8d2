// Open lists: where a best-first search keeps the states it has found and not yet expanded.
//
// The order in which an open list gives its entries back is fixed by the pushes alone, never by addresses or by a
// library's implementation, so a search does the same everywhere. An open list satisfies the OpenList concept:
//
//     void reset();                                   empty, memory kept
//     bool push(Cost f, Cost h, std::uint32_t node);  false: out of memory
//     bool pop(std::uint32_t& node);                  false: empty
//     Cost floor() const;                             no entry has a smaller f; kCostMax when empty
//     static constexpr bool kExact;                   pops in order of f
//
// A node may be pushed again with a smaller f; the search skips the entry that comes out later.
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>

#include <fairlead/base/array.h>
#include <fairlead/search/cost.h>

namespace fairlead {

template <class T>
concept OpenList = requires(T list, const T& view, Cost cost, std::uint32_t node) {
    list.reset();
    { list.push(cost, cost, node) } -> std::same_as<bool>;
    { list.pop(node) } -> std::same_as<bool>;
    { view.floor() } -> std::same_as<Cost>;
    { view.size() } -> std::convertible_to<std::size_t>;
    { T::kExact } -> std::convertible_to<bool>;
};

/// A 4-ary heap with a total order: smaller f, then smaller h (so larger g; to 1/16384 cell), then smaller node.
/// Push and pop O(log n); 16 bytes an entry. 4-ary because a node's children then share a cache line
/// (LaMarca & Ladner 1996).
class HeapOpen {
  public:
    static constexpr bool kExact = true;

    explicit HeapOpen(const Allocator& allocator = {}) : entries_(allocator) {}

    void reset() { entries_.clear(); }
    [[nodiscard]] std::size_t size() const { return entries_.size(); }
    [[nodiscard]] std::size_t bytes() const { return entries_.bytes(); }
    [[nodiscard]] Cost floor() const { return entries_.empty() ? kCostMax : entries_[0].f; }

    [[nodiscard]] bool push(Cost f, Cost h, std::uint32_t node) {
        const Cost coarse = h >> 20;
        const Cost tie = coarse < UINT32_MAX ? coarse : UINT32_MAX;
        const Entry entry{f, (tie << 32) | node};
        if (!entries_.push_back(entry)) return false;
        Entry* const e = entries_.data();
        std::size_t i = entries_.size() - 1;
        while (i > 0) {
            const std::size_t parent = (i - 1) >> 2;
            if (!before(entry, e[parent])) break;
            e[i] = e[parent];
            i = parent;
        }
        e[i] = entry;
        return true;
    }

    [[nodiscard]] bool pop(std::uint32_t& node) {
        if (entries_.empty()) return false;
        Entry* const e = entries_.data();
        node = static_cast<std::uint32_t>(e[0].key);
        const Entry last = entries_.back();
        entries_.pop_back();
        const std::size_t n = entries_.size();
        std::size_t i = 0;
        for (;;) {
            const std::size_t child = 4 * i + 1;
            if (child >= n) break;
            std::size_t least = child;
            if (child + 4 <= n) {
                least += before(e[child + 1], e[child]) ? 1 : 0;
                const std::size_t other = child + 2 + (before(e[child + 3], e[child + 2]) ? 1 : 0);
                least = before(e[other], e[least]) ? other : least;
            } else {
                for (std::size_t c = child + 1; c < n; ++c) {
                    if (before(e[c], e[least])) least = c;
                }
            }
            if (!before(e[least], last)) break;
            e[i] = e[least];
            i = least;
        }
        if (n > 0) e[i] = last;
        return true;
    }

  private:
    struct Entry {
        Cost f;
        std::uint64_t key;
    };
    [[nodiscard]] static FAIRLEAD_INLINE bool before(const Entry& a, const Entry& b) {
        return (a.f < b.f) | ((a.f == b.f) & (a.key < b.key));
    }
    Array<Entry> entries_;
};

/// Buckets of equal width over f; the last entry pushed into the lowest bucket comes first. Push O(1), pop O(1)
/// amortised; 16 bytes an entry. Entries within one bucket (1/8 cell) come out of order: the search then reopens
/// a state now and then and, once it has a goal, empties that bucket. Needs f that never falls by more than
/// rounding (a consistent heuristic). The ring of buckets grows to the largest step of f.
/// Dial (1969); buckets of a width below the smallest step as in Denardo & Fox (1979).
class BucketOpen {
  public:
    static constexpr bool kExact = false;

    explicit BucketOpen(const Allocator& allocator = {})
        : heads_(allocator), filled_(allocator), entries_(allocator) {}

    /// `width_bits`: a bucket spans 2^width_bits of f.
    void set_width(std::int32_t width_bits) { width_bits_ = width_bits; }

    void reset() {
        for (std::uint32_t& head : heads_) head = kNone;
        for (std::uint64_t& word : filled_) word = 0;
        entries_.clear();
        free_ = kNone;
        count_ = 0;
        base_ = top_ = 0;
    }
    [[nodiscard]] std::size_t size() const { return count_; }
    [[nodiscard]] std::size_t bytes() const { return heads_.bytes() + filled_.bytes() + entries_.bytes(); }
    [[nodiscard]] Cost floor() const { return count_ == 0 ? kCostMax : lowest() << width_bits_; }

    [[nodiscard]] bool push(Cost f, Cost, std::uint32_t node) {
        std::uint64_t bucket = f >> width_bits_;
        // An empty ring goes where the bucket is, but no farther up than needed: what comes next may be lower. How far does
        // not depend on how large it has become, so a warm ring never grows where a new one did not.
        if (count_ == 0) {
            if (bucket - base_ >= kBucketsMin) base_ = bucket;
            top_ = bucket;
        }
        if (bucket < base_) {
            if (top_ - bucket >= heads_.size() && !grow(top_ - bucket + 1)) return false;
            base_ = bucket;
        } else if (bucket - base_ >= heads_.size() && !grow(bucket - base_ + 1)) {
            return false;
        }
        std::uint32_t at = free_;
        if (at != kNone) {
            free_ = entries_[at].next;
        } else {
            at = static_cast<std::uint32_t>(entries_.size());
            if (!entries_.push_back({})) return false;
        }
        const std::size_t slot = bucket & (heads_.size() - 1);
        entries_[at] = {node, heads_[slot]};
        heads_[slot] = at;
        filled_[slot >> 6] |= 1ULL << (slot & 63);
        if (bucket > top_) top_ = bucket;
        ++count_;
        return true;
    }

    [[nodiscard]] bool pop(std::uint32_t& node) {
        if (count_ == 0) return false;
        base_ = lowest();
        const std::size_t slot = base_ & (heads_.size() - 1);
        const std::uint32_t at = heads_[slot];
        node = entries_[at].node;
        heads_[slot] = entries_[at].next;
        if (heads_[slot] == kNone) filled_[slot >> 6] &= ~(1ULL << (slot & 63));
        entries_[at].next = free_;
        free_ = at;
        --count_;
        return true;
    }

  private:
    static constexpr std::uint32_t kNone = UINT32_MAX;
    static constexpr std::size_t kBucketsMin = 64;
    struct Entry {
        std::uint32_t node;
        std::uint32_t next;
    };

    // The lowest bucket that holds an entry. count_ > 0.
    [[nodiscard]] std::uint64_t lowest() const {
        const std::size_t mask = heads_.size() - 1;
        const std::size_t slot = base_ & mask;
        std::uint64_t word = filled_[slot >> 6] >> (slot & 63);
        if (word != 0) return base_ + static_cast<std::uint64_t>(std::countr_zero(word));
        std::uint64_t ahead = 64 - (slot & 63);
        for (;; ahead += 64) {
            word = filled_[((slot + ahead) & mask) >> 6];
            if (word != 0) return base_ + ahead + static_cast<std::uint64_t>(std::countr_zero(word));
        }
    }

    // A ring of at least `buckets` buckets, a power of two and at least kBucketsMin.
    [[nodiscard]] FAIRLEAD_NOINLINE bool grow(std::uint64_t buckets) {
        if (buckets > (std::uint64_t{1} << 26)) return false;
        std::size_t size = heads_.size() < kBucketsMin ? kBucketsMin : heads_.size();
        while (size < buckets) size *= 2;
        const std::size_t old = heads_.size();
        if (!heads_.reserve(size) || !filled_.resize(size / 64)) return false;
        if (!heads_.resize_uninitialized(size)) return false;  // reserved above
        // The old ring's entries move to their slots of the new one: first the new half is empty.
        for (std::size_t i = old; i < size; ++i) heads_[i] = kNone;
        for (std::size_t i = 0; i < old; ++i) {
            const std::uint64_t bucket = base_ + i;
            const std::size_t from = bucket & (old - 1);
            const std::size_t to = bucket & (size - 1);
            if (from == to) continue;
            heads_[to] = heads_[from];
            heads_[from] = kNone;
        }
        for (std::uint64_t& word : filled_) word = 0;
        for (std::size_t i = 0; i < size; ++i) {
            if (heads_[i] != kNone) filled_[i >> 6] |= 1ULL << (i & 63);
        }
        return true;
    }

    std::int32_t width_bits_ = 31;
    std::uint32_t free_ = kNone;
    std::size_t count_ = 0;
    std::uint64_t base_ = 0;  ///< no filled bucket is lower
    std::uint64_t top_ = 0;   ///< the highest filled one; count_ > 0
    Array<std::uint32_t> heads_;
    Array<std::uint64_t> filled_;
    Array<Entry> entries_;
};

static_assert(OpenList<HeapOpen> && OpenList<BucketOpen>);

}  // namespace fairlead
