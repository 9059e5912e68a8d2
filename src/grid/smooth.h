// Smoothing: from a tile route to a taut one. Works on points in cell units, in slices.
#pragma once

#include <cstdint>

#include <fairlead/base/array.h>
#include <fairlead/grid/query.h>

#include "grid/sight.h"

namespace fairlead::grid {

/// One smoothing run. Reuse one object: its buffers keep their memory.
class Smoother {
  public:
    explicit Smoother(const Allocator& allocator = {});

    /// `points`: the tile route, start and goal first and last, every consecutive pair sweepable (the caller
    /// knows). False: out of memory.
    [[nodiscard]] bool begin(const SightWorld& world, Smoothing method, std::span<const Vec2> points);

    /// Does at most `budget` sight tests. True while there is more to do. Any slicing gives the same result.
    [[nodiscard]] bool step(std::uint64_t budget);

    /// After step() returned false: the kept points, first and last included.
    [[nodiscard]] std::span<const Vec2> points() const;
    [[nodiscard]] bool out_of_memory() const;
    /// Sight tests so far.
    [[nodiscard]] std::uint64_t tests() const;

  private:
    struct State;  // smooth.cpp replaces this sketch
};

}  // namespace fairlead::grid
