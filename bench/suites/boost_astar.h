// The peer: A* of the Boost Graph Library on an explicit graph of the map, as a game would use it.
#pragma once

#include <memory>

#include "suites/worlds.h"

namespace fairlead::bench {

/// False where Boost was not there when this was built.
[[nodiscard]] bool has_boost();

class BoostAstar {
  public:
    explicit BoostAstar(const BenchWorld& world);
    BoostAstar(const BoostAstar&) = delete;
    BoostAstar& operator=(const BoostAstar&) = delete;
    ~BoostAstar();

    /// The octile length, and the path itself kept inside; negative when there is none.
    [[nodiscard]] double length(Cell start, Cell goal);

  private:
    struct Graph;
    std::unique_ptr<Graph> graph_;
};

}  // namespace fairlead::bench
