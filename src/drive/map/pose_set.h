// A set of lattice poses: one bitmap of the map per heading, and its closure under the motion primitives, 64 cells at a
// time.
//
// The closure keeps a list of the words that have gained bits. Taking one, it ANDs the new bits with each primitive's
// bits of the edge map, shifts them by the primitive's step and ORs them into the bitmap of its end heading. Backward the
// new bits are shifted first, and the edge map is only asked about poses that are not reached yet: most are.
//
// Cost: linear in words reached x primitives of a heading; a word is looked at 1.3 to 2 times. About 1 ms for 256 x 256
// with 8 headings. begin() costs what the last closure reached.
#pragma once

#include <algorithm>
#include <cstdint>

#include <fairlead/base/array.h>
#include "drive/map/edge_map.h"

#include "drive/lattice/grid_lattice.h"

namespace fairlead::drive {

/// Half open.
struct CellBox {
    std::int32_t left = 0;
    std::int32_t low = 0;
    std::int32_t right = 0;
    std::int32_t top = 0;

    [[nodiscard]] CellBox grown(std::int32_t by, const EdgeMap& edges) const {
        return {left > by ? left - by : 0, low > by ? low - by : 0, std::min(right + by, edges.width()),
                std::min(top + by, edges.height())};
    }
    /// Its columns among the 64 of a word.
    [[nodiscard]] std::uint64_t columns(std::int32_t word) const {
        const std::int32_t from = std::max(left - word * 64, 0);
        const std::int32_t to = std::min(right - word * 64, 64);
        if (from >= to) return 0;
        return (~std::uint64_t{0} << from) & (~std::uint64_t{0} >> (64 - to));
    }
};

class PoseSet {
  public:
    explicit PoseSet(const Allocator& allocator = {}) : words_(allocator) {}

    /// Empty, of a map's size. False: out of memory.
    [[nodiscard]] bool reset(const EdgeMap& edges);
    [[nodiscard]] bool fits(const EdgeMap& edges) const {
        return height_ == static_cast<std::size_t>(edges.height()) &&
               across_ == (static_cast<std::size_t>(edges.width()) + 63) / 64 &&
               words_.size() == height_ * across_ * static_cast<std::size_t>(edges.table().headings());
    }

    [[nodiscard]] bool has(const LatticePose& pose) const {
        return ((words_[word_of(pose.x, pose.y, pose.heading)] >> (pose.x & 63)) & 1U) != 0;
    }
    void add(const LatticePose& pose) {
        words_[word_of(pose.x, pose.y, pose.heading)] |= std::uint64_t{1} << (pose.x & 63);
    }
    [[nodiscard]] std::size_t bytes() const { return words_.bytes(); }

    [[nodiscard]] FAIRLEAD_INLINE std::size_t word_of(std::int32_t x, std::int32_t y,
                                                      std::int32_t heading) const {
        return (static_cast<std::size_t>(heading) * height_ + static_cast<std::size_t>(y)) * across_ +
               static_cast<std::size_t>(x >> 6);
    }
    /// Calls visit(word, columns) for the words of a box, of all headings.
    template <class Visit>
    void for_words_in(const CellBox& box, std::int32_t headings, const Visit& visit) const {
        for (std::int32_t h = 0; h < headings; ++h) {
            for (std::int32_t y = box.low; y < box.top; ++y) {
                for (std::int32_t w = box.left >> 6; w <= (box.right - 1) >> 6; ++w)
                    visit(word_of(w * 64, y, h), box.columns(w));
            }
        }
    }
    [[nodiscard]] std::span<std::uint64_t> words() { return words_.span(); }
    [[nodiscard]] std::span<const std::uint64_t> words() const { return words_.span(); }
    [[nodiscard]] std::size_t height() const { return height_; }
    [[nodiscard]] std::size_t across() const { return across_; }

  private:
    Array<std::uint64_t> words_;
    std::size_t height_ = 0;
    std::size_t across_ = 0;
};

enum class Direction : std::uint8_t { forward, backward };

/// Grows a set to all poses that can be reached from it (forward) or can reach it (backward), in slices.
class PoseClosure {
  public:
    explicit PoseClosure(const Allocator& allocator = {});

    /// Empty. False: out of memory.
    [[nodiscard]] bool begin(const EdgeMap& edges, Direction direction);
    /// Empty, and never to grow beyond a box of cells.
    [[nodiscard]] bool begin_within(const EdgeMap& edges, Direction direction, const CellBox& box);
    /// A set that is closed but for what can be reached from its poses in a box.
    [[nodiscard]] bool resume(const EdgeMap& edges, Direction direction, std::span<const std::uint64_t> set,
                              const CellBox& box);
    /// After begin(): it does not grow into this set either. So up to kBarredMost times; more are left out.
    void bar(std::span<const std::uint64_t> set) {
        if (barred_count_ < kBarredMost) barred_[barred_count_++] = set.data();
    }
    static constexpr int kBarredMost = 8;
    /// After begin(), forward: by no other moves than these.
    void keep_to(ClearMoves& moves) { clear_ = &moves; }
    /// Another pose to grow from.
    void add(const LatticePose& from) {
        gain(reached_.word_of(from.x, from.y, from.heading), std::uint64_t{1} << (from.x & 63));
    }
    /// Other poses to grow from, of one word.
    void add_word(std::size_t word, std::uint64_t bits) { gain(word, bits); }

    /// Is there room for the body, by the moves that it is kept to?
    [[nodiscard]] bool has_room(std::int32_t x, std::int32_t y, std::int32_t heading) {
        if (clear_ == nullptr) return edges_->stands(x, y, heading);
        return clear_->may_drive(x, y, heading, edges_->room(heading));
    }
    /// Looks at up to `budget` words. True: there are more.
    [[nodiscard]] bool step(std::uint64_t budget);
    /// Ends with what another closure holds, of the same map, that has all that this one does.
    void finish_as(const PoseClosure& other);
    /// Turns all poses by half a circle. When done() only.
    void turn_round();
    [[nodiscard]] bool done() const { return waiting_ == 0; }

    [[nodiscard]] const PoseSet& set() const { return reached_; }
    /// The words that hold poses, in the order in which they were met.
    [[nodiscard]] std::span<const std::uint32_t> touched() const {
        return touched_.span().first(touched_count_);
    }

  private:
    // A primitive as seen from the word that is spread.
    struct Step {
        std::int64_t word;  // to the word of the other end's heading and row, in the same columns
        std::int32_t rows;  // to the other end
        std::int32_t dx;
        std::uint32_t index;  // in the primitives
    };

    [[nodiscard]] bool prepare(const EdgeMap& edges, Direction direction);
    [[nodiscard]] bool list_steps();
    void spread_forward(std::size_t word, std::int32_t heading, const std::uint64_t* allowed,
                        std::uint64_t bits);
    void spread_backward(std::size_t word, std::int32_t heading, std::int32_t x_word, std::int32_t y,
                         std::uint64_t bits);

    FAIRLEAD_INLINE void gain(std::size_t word, std::uint64_t bits) {
        std::uint64_t& reached = reached_.words()[word];
        bits &= ~reached;
        if (bits == 0) return;
        for (int i = 0; i < barred_count_; ++i) bits &= ~barred_[i][word];
        if (bits == 0) return;
        if (reached == 0 && touched_count_ < touched_.size())
            touched_[touched_count_++] = static_cast<std::uint32_t>(word);
        reached |= bits;
        std::uint64_t& fresh = fresh_.words()[word];
        if (fresh == 0) wait(static_cast<std::uint32_t>(word));
        fresh |= bits;
    }
    FAIRLEAD_INLINE void wait(std::uint32_t word) {
        const std::size_t end = next_ + waiting_;
        list_[end < list_.size() ? end : end - list_.size()] = word;
        ++waiting_;
    }

    const EdgeMap* edges_ = nullptr;
    ClearMoves* clear_ = nullptr;
    Direction direction_ = Direction::forward;
    PoseSet reached_;
    PoseSet fresh_;              // reached and not yet spread
    Array<std::uint32_t> list_;  // words with fresh bits, first in first out: a ring
    std::size_t next_ = 0;       // in the ring
    std::size_t waiting_ = 0;
    Array<std::uint32_t> touched_;
    std::size_t touched_count_ = 0;
    const std::uint64_t* barred_[kBarredMost] = {};
    int barred_count_ = 0;
    Array<Step> steps_;  // by heading of the end that is spread
    std::uint32_t first_step_[kHeadingsMax + 1] = {};
};

}  // namespace fairlead::drive
