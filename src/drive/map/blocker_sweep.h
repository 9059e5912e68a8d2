// BlockerSweep: what a body sweeps, against the blockers of a query: exact, as against walls (drive/body/sweep.h).
//
// A disc is met by a body exactly where its middle is met by the body rounded by the disc's radius as well. Those near are found in
// buckets (route/blocker_index.h). Each is on its floor, and nothing on another meets it.
#pragma once

#include <cstdint>
#include <span>

#include <fairlead/base/array.h>
#include <fairlead/curve/word.h>
#include <fairlead/math/pose.h>
#include <fairlead/route/agent.h>
#include <fairlead/route/blocker.h>
#include <fairlead/route/route.h>

#include "drive/body/sweep.h"
#include "drive/map/touched_cells.h"
#include "route/blocker_index.h"

namespace fairlead::drive {

class MapData;

class BlockerSweep {
  public:
    explicit BlockerSweep(const Allocator& allocator)
        : list_(allocator), index_(allocator), touched_(allocator) {}

    /// Takes those of a query, which check_blockers() accepts; the map must outlive the questions. False: out of memory.
    [[nodiscard]] bool begin(const MapData& map, std::span<const Blocker> blockers);
    /// The same, and makes all of them ready at once.
    [[nodiscard]] bool make(const MapData& map, std::span<const Blocker> blockers);
    /// Makes some of them ready. True: there are more.
    [[nodiscard]] bool step();
    /// Out of memory.
    [[nodiscard]] bool failed() const { return failed_; }
    [[nodiscard]] bool empty() const { return list_.empty(); }

    /// May the body be driven along a curve? Cells; false as soon as it would reach into a blocker by more than kSweepSlack.
    /// Cost: 0.1 us for each blocker near.
    [[nodiscard]] bool is_clear(const BodyCore& body, const Pose& from, double radius,
                                const CurveWord& word) const;
    /// May it stand there?
    [[nodiscard]] bool stands(const BodyCore& body, const Pose& at) const {
        return is_clear(body, at, 1.0, CurveWord{});
    }
    /// The cells that their boxes touch. What sweeps none of them is clear.
    [[nodiscard]] const TouchedCells& touched() const { return touched_; }
    /// Is there one near a box of a floor's cells, grown by `reach`? Perhaps also if there is none.
    [[nodiscard]] bool any_near(const Aabb& box, double reach) const;
    /// The least distance of a segment to one, or `most` if that is less; 0: the axle meets it.
    [[nodiscard]] double distance(const SweptSegment& segment, double most) const;

  private:
    template <class Use>
    bool each_near(std::int32_t floor, const Aabb& box, const Use& use) const;
    template <class Use>
    bool each_along(std::int32_t floor, const SweptSegment& piece, double reach, const Use& use) const;
    [[nodiscard]] std::int32_t floor_at(double y) const;

    const MapData* map_ = nullptr;
    Array<Blocker> list_;  // in the lattice's cells; the layer is the floor
    route::BlockerIndex index_;
    TouchedCells touched_;
    std::size_t next_ = 0;
    std::int32_t row_ = INT32_MIN;  // of the next one: where its cells are marked
    bool failed_ = false;
};

/// Of a query that may have none (null): is a curve, or a place, clear of them?
[[nodiscard]] inline bool is_clear_of(const BlockerSweep* blockers, const BodyCore& body, const Pose& from,
                                      double radius, const CurveWord& word) {
    return blockers == nullptr || blockers->is_clear(body, from, radius, word);
}
[[nodiscard]] inline bool stands_clear_of(const BlockerSweep* blockers, const BodyCore& body,
                                          const Pose& at) {
    return blockers == nullptr || blockers->stands(body, at);
}

/// not_finite, out_of_range, size_limit: blockers, index: which.
[[nodiscard]] Result<void> check_blockers(const MapData& map, std::span<const Blocker> blockers);

}  // namespace fairlead::drive
