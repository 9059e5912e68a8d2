// A set of lattice poses: one bitmap of the map per heading, and its closure under the motion primitives, 64 cells at a
// time.
//
// The closure keeps a list of the words that have gained bits. Taking one, it ANDs the new bits with each primitive's
// bits of the edge map, shifts them by the primitive's step and ORs them into the bitmap of its end heading. Forward
// the primitives are those that start in the heading, backward those that end in it.
//
// Cost: linear in words x primitives, each word looked at two to five times: about 1 ms for a forward closure over
// 256 x 256 with 8 headings.
#pragma once

#include <cstdint>

#include <fairlead/base/array.h>
#include <fairlead/drive/edge_map.h>

#include "drive/lattice_space.h"

namespace fairlead::drive {

class PoseSet {
  public:
    explicit PoseSet(const Allocator& allocator = {}) : words_(allocator) {}

    /// Empty, of a map's size. False: out of memory.
    [[nodiscard]] bool reset(const EdgeMap& edges);

    [[nodiscard]] bool has(const LatticePose& pose) const {
        return ((words_[word_of(pose.x, pose.y, pose.heading)] >> (pose.x & 63)) & 1U) != 0;
    }
    void add(const LatticePose& pose) {
        words_[word_of(pose.x, pose.y, pose.heading)] |= std::uint64_t{1} << (pose.x & 63);
    }
    [[nodiscard]] std::uint64_t count() const;
    void intersect(const PoseSet& other);
    [[nodiscard]] std::size_t bytes() const { return words_.bytes(); }

    [[nodiscard]] FAIRLEAD_INLINE std::size_t word_of(std::int32_t x, std::int32_t y,
                                                      std::int32_t heading) const {
        return (static_cast<std::size_t>(heading) * height_ + static_cast<std::size_t>(y)) * across_ +
               static_cast<std::size_t>(x >> 6);
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
    /// Another pose to grow from.
    void add(const LatticePose& from);

    /// Looks at up to `budget` words. True: there are more.
    [[nodiscard]] bool step(std::uint64_t budget);

    [[nodiscard]] const PoseSet& set() const { return reached_; }
    [[nodiscard]] PoseSet& set() { return reached_; }
    [[nodiscard]] std::uint64_t looked_at() const { return looked_at_; }

  private:
    [[nodiscard]] bool list_arrivals();
    void spread_forward(std::int32_t x, std::int32_t y, std::int32_t heading, std::uint64_t bits);
    void spread_backward(std::int32_t x, std::int32_t y, std::int32_t heading, std::uint64_t bits);
    void gain(std::int32_t x, std::int32_t y, std::int32_t heading, std::uint64_t bits);

    const EdgeMap* edges_ = nullptr;
    Direction direction_ = Direction::forward;
    PoseSet reached_;
    PoseSet done_;               // bits that have been spread
    PoseSet listed_;             // bit 0 of a word: it is in the list
    Array<std::uint32_t> list_;  // words of the sets, first in first out: a ring
    std::size_t next_ = 0;       // in the ring
    std::size_t waiting_ = 0;
    Array<std::uint16_t> arrivals_;  // primitives by end heading
    std::uint32_t first_arrival_[kHeadingsMax + 1] = {};
    std::uint64_t looked_at_ = 0;
};

}  // namespace fairlead::drive
