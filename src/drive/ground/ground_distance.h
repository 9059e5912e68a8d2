// How far a cell is from the goal on the ground, round the walls, whatever the heading: the obstacle-aware half of the
// lattice search's lower bound. Grown only as far as it is asked for (Silver 2005, reverse resumable A*).
//
// Steps go to the eight neighbours, 5 units straight and 7 on a diagonal (a little less than sqrt 2 x 5), between free
// cells; a diagonal step needs one of the two cells beside it free (but for points). Exact in these units. Of several shortest ways one
// is followed (ground_turns.h). The open list is a ring of buckets: with the consistent octile estimate toward the
// start, keys never fall and differ by less than 16. A link's beginning waits among the goals, which may be any distance away.
#pragma once

#include <cstdint>
#include <span>

#include <fairlead/base/array.h>
#include <fairlead/base/platform.h>
#include "drive/map/map_data.h"

#include "drive/ground/cell_blocks.h"
#include "drive/ground/ground_bits.h"
#include "drive/ground/ground_turns.h"

namespace fairlead::drive {

inline constexpr std::uint32_t kGroundFar = UINT32_MAX;  // cannot be reached

class GroundDistance {
  public:
    explicit GroundDistance(const Allocator& allocator = {});

    /// Forgets. Distances will be grown toward (start_x, start_y). False: out of memory.
    [[nodiscard]] bool begin(const GroundBits& ground, GroundCorner corner, std::int32_t start_x,
                             std::int32_t start_y);
    /// After begin(): moves back from a link's end to its beginning (DriveMap::links_back), of `per_cell` units for each cell of
    /// their cost. There is no direction to grow in then.
    void take_links(std::span<const LatticeLink> back, double per_cell) {
        links_ = back;
        per_cell_ = per_cell;
    }
    /// Before the first at(): a free cell that is `distance` from the goal. False: out of memory.
    [[nodiscard]] bool add_goal(std::int32_t x, std::int32_t y, std::uint32_t distance);

    /// Units of 1/5 cell, or kGroundFar.
    [[nodiscard]] FAIRLEAD_INLINE std::uint32_t at(std::int32_t x, std::int32_t y) {
        const std::uint32_t cell = cells_.at(x, y);
        return FAIRLEAD_LIKELY(is_settled(cell)) ? cell >> 1 : grow(x, y);
    }

    /// In slices. From now on, until the next begin() or another call, at() grows by a unit's share of cells at most. Where that is
    /// not enough, it says kGroundFar, and so does every other at() that would have to grow; the ground waits, until go_on() has got
    /// there, a share at a time.
    void grow_in_slices(bool slices) { slices_ = slices; }
    [[nodiscard]] FAIRLEAD_INLINE bool waits() const { return waits_; }
    /// True: it waits no longer.
    [[nodiscard]] bool go_on() { return grow_toward(wanted_x_, wanted_y_); }
    /// By one share at most. True: at() knows this cell now.
    [[nodiscard]] bool grow_toward(std::int32_t x, std::int32_t y);

    [[nodiscard]] bool failed() const { return failed_; }

  private:
    // A cell's number is its distance and whether that is settled; no distance passes 2^31 - 2: a way of a map's cells is shorter than
    // 2^30, and so far may a link lead.
    [[nodiscard]] static FAIRLEAD_INLINE bool is_settled(std::uint32_t cell) {
        return (cell & 1U) == 0;  // unset ones are odd, too
    }
    static constexpr std::uint32_t kBuckets = 16;
    static constexpr std::uint32_t kShare = 96;  // cells a unit, about 2 us

    struct Goal {
        std::uint32_t key;
        std::uint32_t distance;
        std::uint32_t cell;

        [[nodiscard]] bool operator<(const Goal& other) const {
            return key != other.key ? key < other.key : cell < other.cell;
        }
    };

    [[nodiscard]] std::uint32_t grow(std::int32_t x, std::int32_t y);
    [[nodiscard]] bool settle_next();
    [[nodiscard]] bool next_key();
    void settle_goals();
    [[nodiscard]] std::uint32_t estimate(std::int32_t x, std::int32_t y) const;
    void reach(std::int32_t x, std::int32_t y, std::uint32_t distance, std::uint32_t direction);
    void settle(std::uint32_t packed);
    void go_back(std::int32_t x, std::int32_t y, std::uint32_t distance);
    void spread(std::int32_t x, std::int32_t y, std::uint32_t distance, std::uint32_t steps);

    GroundBits ground_;
    CellBlocks cells_;
    Array<std::uint32_t> bucket_[kBuckets];
    Array<Goal> goals_;  // sorted once growing begins
    std::size_t next_goal_ = 0;
    bool sorted_ = false;
    std::span<const LatticeLink> links_;
    double per_cell_ = 0.0;
    GroundCorner corner_ = GroundCorner::closed;
    std::uint32_t key_ = 0;
    std::uint32_t waiting_ = 0;
    std::int32_t start_x_ = 0;
    std::int32_t start_y_ = 0;
    bool failed_ = false;
    bool slices_ = false;
    bool waits_ = false;  // for the distance of the cell wanted
    std::int32_t wanted_x_ = 0;
    std::int32_t wanted_y_ = 0;
};

}  // namespace fairlead::drive
