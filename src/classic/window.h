// The article's fixed window with headings (techniques F3, F4, F5, F8): nodes in one matrix, the open list a list or a binary tree that
// runs through the nodes themselves.
//
// A place is (y x side + x) x planes + plane: one plane for units that turn on the spot, eight headings else. 16 bytes a place: two costs
// of 24 bits in 1/64 tile, three links of 17 bits, the move made to get here (12 bits), two flags. One bit a place says that it was
// touched in this search, so that nothing but the bits is cleared: 60 x 60 are 57,600 and 450 bytes, with headings 460,800 and 3,600;
// 120 x 120 with headings, the largest, 1,843,200.
#pragma once

#include <cstdint>

#include <fairlead/base/array.h>

#include "base/least_heap.h"

namespace fairlead::classic {

inline constexpr std::uint32_t kNoPlace = (1U << 17) - 1;
inline constexpr std::uint32_t kPlacesMax = kNoPlace;
inline constexpr std::uint32_t kCostLimit = (1U << 24) - 1;  ///< costs are below it
inline constexpr std::uint32_t kFromStart = (1U << 12) - 1;  ///< as a move: from the exact start

struct WindowPlace {
    std::uint64_t g : 24;
    std::uint64_t f : 24;
    std::uint64_t move : 12;
    std::uint64_t open : 1;
    std::uint64_t closed : 1;
    std::uint64_t parent : 17;
    std::uint64_t next : 17;
    std::uint64_t previous : 17;
};

inline constexpr std::size_t kPlaceBytes = 16;

/// The matrix and its bits.
class Window {
  public:
    explicit Window(const Allocator& allocator) : places_(allocator), touched_(allocator) {}

    /// False: out of memory. side x side x planes at most kPlacesMax.
    [[nodiscard]] bool resize(std::int32_t side, std::int32_t planes) {
        const auto count = static_cast<std::size_t>(side) * static_cast<std::size_t>(side) *
                           static_cast<std::size_t>(planes);
        return places_.resize_uninitialized(count) && touched_.resize_uninitialized((count + 63) / 64);
    }
    void reset() {
        for (std::uint64_t& word : touched_) word = 0;
    }
    /// True the first time that it is asked for a place; the place is then empty.
    [[nodiscard]] bool touch(std::uint32_t place) {
        std::uint64_t& word = touched_[place >> 6];
        const std::uint64_t bit = std::uint64_t{1} << (place & 63U);
        if ((word & bit) != 0) return false;
        word |= bit;
        places_[place] = WindowPlace{};
        return true;
    }
    [[nodiscard]] WindowPlace& operator[](std::uint32_t place) { return places_[place]; }
    [[nodiscard]] const WindowPlace& operator[](std::uint32_t place) const { return places_[place]; }
    [[nodiscard]] std::size_t place_bytes() const { return places_.size() * kPlaceBytes; }
    [[nodiscard]] std::size_t bit_bytes() const { return touched_.size() * sizeof(std::uint64_t); }

    /// The order of the open list, total: least f, then most g, then the first place.
    [[nodiscard]] bool before(std::uint32_t a, std::uint32_t b) const {
        const WindowPlace& x = places_[a];
        const WindowPlace& y = places_[b];
        if (x.f != y.f) return x.f < y.f;
        return x.g != y.g ? x.g > y.g : a < b;
    }

  private:
    Array<WindowPlace> places_;
    Array<std::uint64_t> touched_;
};
static_assert(sizeof(WindowPlace) == kPlaceBytes);
static_assert(kPlaceBytes * 60 * 60 == 57600 && kPlaceBytes * 120 * 120 == 230400);
static_assert(kPlaceBytes * 60 * 60 * 8 == 460800 && kPlaceBytes * 120 * 120 * 8 == 1843200);
static_assert(60 * 60 / 8 == 450 && 60 * 60 * 8 / 8 == 3600);
static_assert(120 * 120 * 8 <= kPlacesMax);

/// The article's: unsorted, O(1) to enter and to leave, O(n) to find the least.
class ListOpen {
  public:
    ListOpen(Window& window, const Allocator&) : window_(window) {}

    [[nodiscard]] bool add(std::uint32_t place) {
        WindowPlace& p = window_[place];
        p.next = head_ & kNoPlace;
        p.previous = kNoPlace;
        if (head_ != kNoPlace) window_[head_].previous = place & kNoPlace;
        head_ = place;
        return true;
    }
    void remove(std::uint32_t place) {
        const WindowPlace& p = window_[place];
        const auto next = static_cast<std::uint32_t>(p.next);
        const auto previous = static_cast<std::uint32_t>(p.previous);
        if (previous != kNoPlace) {
            window_[previous].next = next & kNoPlace;
        } else {
            head_ = next;
        }
        if (next != kNoPlace) window_[next].previous = previous & kNoPlace;
    }
    [[nodiscard]] std::uint32_t pop() {
        std::uint32_t least = head_;
        if (least == kNoPlace) return kNoPlace;
        for (auto at = static_cast<std::uint32_t>(window_[least].next); at != kNoPlace;
             at = static_cast<std::uint32_t>(window_[at].next)) {
            if (window_.before(at, least)) least = at;
        }
        remove(least);
        return least;
    }

  private:
    Window& window_;
    std::uint32_t head_ = kNoPlace;
};

/// The article's other way: a binary tree through two links a node (next: what comes before, previous: what comes after), not balanced.
class TreeOpen {
  public:
    TreeOpen(Window& window, const Allocator&) : window_(window) {}

    [[nodiscard]] bool add(std::uint32_t place) {
        window_[place].next = kNoPlace;
        window_[place].previous = kNoPlace;
        Slot slot;
        for (std::uint32_t at = root_; at != kNoPlace; at = get(slot)) slot = {at, window_.before(place, at)};
        put(slot, place);
        return true;
    }
    void remove(std::uint32_t place) {
        Slot slot;
        for (std::uint32_t at = root_; at != place; at = get(slot)) slot = {at, window_.before(place, at)};
        take_out(slot, place);
    }
    [[nodiscard]] std::uint32_t pop() {
        if (root_ == kNoPlace) return kNoPlace;
        Slot slot;
        std::uint32_t least = root_;
        for (std::uint32_t at = lower(least); at != kNoPlace; at = lower(least)) {
            slot = {least, true};
            least = at;
        }
        put(slot, higher(least));
        return least;
    }

  private:
    /// Where a node hangs: below another one, on one of its sides; below none it is the root.
    struct Slot {
        std::uint32_t above = kNoPlace;
        bool low = false;
    };
    [[nodiscard]] std::uint32_t lower(std::uint32_t at) const {
        return static_cast<std::uint32_t>(window_[at].next);
    }
    [[nodiscard]] std::uint32_t higher(std::uint32_t at) const {
        return static_cast<std::uint32_t>(window_[at].previous);
    }
    [[nodiscard]] std::uint32_t get(const Slot& slot) const {
        if (slot.above == kNoPlace) return root_;
        return slot.low ? lower(slot.above) : higher(slot.above);
    }
    void put(const Slot& slot, std::uint32_t place) {
        if (slot.above == kNoPlace) {
            root_ = place;
        } else if (slot.low) {
            window_[slot.above].next = place & kNoPlace;
        } else {
            window_[slot.above].previous = place & kNoPlace;
        }
    }
    void take_out(const Slot& slot, std::uint32_t place) {
        if (lower(place) == kNoPlace) return put(slot, higher(place));
        if (higher(place) == kNoPlace) return put(slot, lower(place));
        // The least of what comes after takes its place.
        Slot of_next{place, false};
        std::uint32_t next = higher(place);
        while (lower(next) != kNoPlace) {
            of_next = {next, true};
            next = lower(next);
        }
        put(of_next, higher(next));
        window_[next].next = lower(place) & kNoPlace;
        window_[next].previous = higher(place) & kNoPlace;
        put(slot, next);
    }

    Window& window_;
    std::uint32_t root_ = kNoPlace;
};

/// What replaced both: a heap beside the matrix. Places that have become cheaper are in it twice.
class HeapOpen {
  public:
    HeapOpen(Window& window, const Allocator& allocator) : window_(window), heap_(allocator) {}

    [[nodiscard]] bool add(std::uint32_t place) {
        const WindowPlace& p = window_[place];
        return heap_.push({static_cast<std::uint32_t>(p.f), static_cast<std::uint32_t>(p.g), place});
    }
    void remove(std::uint32_t) {}
    [[nodiscard]] std::uint32_t pop() {
        while (!heap_.empty()) {
            const Item item = heap_.least();
            heap_.pop();
            const WindowPlace& p = window_[item.place];
            if (p.open != 0 && p.g == item.g) return item.place;
        }
        return kNoPlace;
    }

  private:
    struct Item {
        std::uint32_t f = 0;
        std::uint32_t g = 0;
        std::uint32_t place = 0;
    };
    static bool before(const Item& a, const Item& b) {
        if (a.f != b.f) return a.f < b.f;
        return a.g != b.g ? a.g > b.g : a.place < b.place;
    }
    Window& window_;
    LeastHeap<Item, before> heap_;
};

}  // namespace fairlead::classic
