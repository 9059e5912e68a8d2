// The search for a route of a unit that flies with a turning circle, where a heading at an end may be any: FlySearch needs both.
//
// A free heading is tried along the line from start to goal first, then across it to either side, then against it; the first route that is
// found is taken. So it is a route, not the shortest over all headings.
#pragma once

#include <cstdint>

#include <fairlead/fly/find_fly.h>
#include <fairlead/schedule/sliced.h>

namespace fairlead::fleet {

/// A FlyQuery whose ends need no heading.
struct PlaneQuery {
    FlyQuery fly{};
};

template <class Visit>
void each_list(PlaneQuery& query, Visit&& visit) {
    each_list(query.fly, visit);
}

class PlaneSearch {
  public:
    using World = VolumeSnapshot;
    using Query = PlaneQuery;

    PlaneSearch(const World& world, const Query& query, Scratch& scratch, const SearchHooks& hooks = {});

    [[nodiscard]] std::uint64_t step(std::uint64_t units);
    [[nodiscard]] bool running() const { return search_.running(); }
    [[nodiscard]] bool has_route() const { return search_.has_route(); }
    [[nodiscard]] Result<void> take(Route& route) { return search_.take(route); }
    [[nodiscard]] SearchStats stats() const { return search_.stats(); }
    void stop();
    void restart(const Query& query);

  private:
    FlyQuery query_{};
    std::uint32_t try_ = 0;
    std::uint32_t tries_ = 1;
    FlySearch search_;
};

static_assert(ScheduledSearch<PlaneSearch>);

}  // namespace fairlead::fleet
