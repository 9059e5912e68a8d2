// Where to go when there is no way to the goal although it hangs together with the start: what can be reached is flooded, and
// the place nearest to a goal is taken. For closed areas, links that are closed, and gaps that are too narrow.
#pragma once

#include <cstdint>
#include <span>

#include "mesh/search/link_use.h"
#include "mesh/surface/clear_spot.h"
#include "mesh/surface/flood.h"
#include "mesh/surface/surface.h"

namespace fairlead::mesh {

struct PartialTask {
    SurfacePoint from{};  ///< where the unit is, with room
    float width = 0.0F;   ///< gates narrower than this are shut
    LinkUse links{};
    SpotRules spot{};  ///< its radius above 0: the place has room for the unit
};

class PartialGoal {
  public:
    explicit PartialGoal(const Allocator& allocator) : flood_(allocator), spot_work_(allocator) {}

    enum class Outcome : std::uint8_t { running, done, no_memory };

    /// False: out of memory.
    [[nodiscard]] bool begin(const StateData& state, const PartialTask& task);
    /// Takes one from the budget for each polygon.
    [[nodiscard]] Outcome step(std::span<const SurfacePoint> goals, std::uint64_t& budget);

    SurfacePoint place{};        ///< the result
    std::uint32_t goal = kNone;  ///< the one that it is near to

  private:
    [[nodiscard]] bool leave(std::uint32_t polygon);
    [[nodiscard]] bool look_at(std::uint32_t polygon, std::span<const SurfacePoint> goals);
    [[nodiscard]] bool is_better(const SurfacePoint& at, const SurfacePoint& wanted) const;
    void take(const SurfacePoint& at, std::span<const SurfacePoint> goals, std::uint32_t number);

    const StateData* state_ = nullptr;
    PartialTask task_{};
    FloodWork flood_;
    FloodWork spot_work_;
    std::size_t next_ = 0;
    double square_ = 0.0;  ///< of the distance from the place to the goal
    double off_ = 0.0;     ///< in height
};

}  // namespace fairlead::mesh
