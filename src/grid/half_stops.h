// Stops: points that fit from which a gap may lead on (half_gap.h), found out 128 points of a line at a time when first
// asked for.
//
// A gap is a door with two blocked ends that no single tile closes; whether its middle is open as well is not looked at
// here. It is left out if the room on one side has neither a corner that fits nor the end of another such door: there it
// leads nowhere. A stop is a point that fits beside an end of what remains. So every point with a way through gaps is one,
// and some more are.
#pragma once

#include "grid/half_gap.h"
#include "grid/half_words.h"

namespace fairlead::grid {

class HalfStops {
  public:
    explicit HalfStops(const Allocator& a = {}) : table_(a), pages_(a) {
        for (Array<BodyRow>& rows : rows_) rows = Array<BodyRow>(a);
    }

    /// Forgets everything; `planes` must outlive it. For R > 9. False: out of memory.
    [[nodiscard]] bool begin(HalfPlanes& planes);

    /// Is the point, on the planes' layer, a stop? Beside seams: perhaps. Out of memory: no, and out_of_memory() from then on.
    [[nodiscard]] bool at(HalfPoint p);
    /// Which of the 64 points from (i, j) on along i are; none off the map. Not for wrapped axes.
    [[nodiscard]] std::uint64_t window(std::int32_t i, std::int32_t j);
    [[nodiscard]] bool out_of_memory() const { return out_of_memory_; }

  private:
    static constexpr std::int32_t kLines = HalfPlanes::kPageLines;
    static constexpr std::int32_t kKinds = 8;
    struct Page {
        std::uint64_t known_doors;
        std::uint64_t known_stops;
        HalfWords along[kLines];   ///< doors that may be gaps, from the point along i
        HalfWords across[kLines];  ///< and along j
        HalfWords stops[kLines];
    };
    [[nodiscard]] Page* page_with(std::int32_t i, std::int32_t j);
    void find_doors(Page& page, std::int32_t i, std::int32_t j);
    [[nodiscard]] HalfWords open(std::int32_t kinds, std::int32_t i, std::int32_t j, HalfWords of) const;
    [[nodiscard]] HalfWords doors(std::int32_t i, std::int32_t j, bool along);
    [[nodiscard]] HalfWords leads(std::int32_t i, std::int32_t j);
    [[nodiscard]] HalfWords doors_that_lead(std::int32_t i, std::int32_t j, bool along);
    [[nodiscard]] HalfWords bridges(std::int32_t i, std::int32_t j);
    [[nodiscard]] HalfWords near_bridges(std::int32_t i, std::int32_t j);
    [[nodiscard]] HalfWords stops(std::int32_t i, std::int32_t j);

    HalfPlanes* planes_ = nullptr;
    Array<BodyRow>
        rows_[kKinds];  ///< tiles that block both ends of a door: [4 (along j) + 2 (j odd) + (i odd)]
    Array<std::uint32_t> table_;
    Array<Page> pages_;
    bool out_of_memory_ = false;
};

}  // namespace fairlead::grid
