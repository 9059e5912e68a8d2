// CorridorRun: a corridor from one point to another, and the line through it.
#pragma once

#include <optional>

#include <fairlead/search/hooks.h>

#include "mesh/search/corridor_space.h"
#include "mesh/search/funnel.h"
#include "mesh/surface/walk.h"
#include "search/run_state.h"

namespace fairlead::mesh {

class CorridorRun {
  public:
    explicit CorridorRun(const Allocator& allocator)
        : line(allocator),
          open_(allocator),
          nodes_(allocator),
          portals_(allocator),
          prices_(allocator),
          part_(allocator),
          laid_(allocator),
          states_(allocator) {}

    enum class Style : std::uint8_t {
        funnel,     ///< the shortest line through the corridor
        midpoints,  ///< through the middles of portals, skipping those in sight (technique P9)
        weighted,   ///< the cheapest line through it
    };
    struct Task {
        PathEnd from{};
        PathEnd to{};
        AreaPrices prices{};
        Style style = Style::funnel;
        LinkUse links{};
        const Aims* aims = nullptr;  ///< for has_near()
        double near_square = 0.0;    ///< farther places do not count
        SearchTrace trace{};
    };

    Array<LinePoint> line;  ///< bends, without the ends; after found
    double cost = 0.0;      ///< of the line

    void begin(const StateData& state, const Task& task, double units);
    [[nodiscard]] SearchProgress step(std::uint64_t budget) { return engine_->step(budget); }
    /// After found. False: out of memory.
    [[nodiscard]] bool lay_line();

    /// Has it come nearer to the aims than the task says? To a place on a side that was looked through.
    [[nodiscard]] bool has_near() const { return space_.near_side != kNone; }
    [[nodiscard]] double near_square() const { return space_.near_square; }
    [[nodiscard]] PathEnd near_end() const {
        return {space_.near_place, state_->polygon_ref(state_->edge(space_.near_side).twin)};
    }
    /// The line to that place; then there is none any more. False: out of memory.
    [[nodiscard]] bool lay_near();

    /// What ways with links that are shorter than the straight line cost at least; infinite: there are none.
    [[nodiscard]] double cap() const { return space_.cap; }
    [[nodiscard]] const Task& task() const { return task_; }
    [[nodiscard]] std::uint64_t expanded() const { return engine_->expanded(); }
    [[nodiscard]] SearchStats stats() const { return stats_of(*engine_); }

  private:
    /// The sides met, as a point of each.
    struct Trace {
        const CorridorRun* run = nullptr;
        void expanded(std::uint32_t at, Cost g) const { run->tell(TraceEventKind::expanded, at, g); }
        void generated(std::uint32_t at, Cost g) const { run->tell(TraceEventKind::generated, at, g); }
    };
    using Engine = BestFirst<CorridorSpace, AStarKey, HeapOpen, HashedNodes, Trace>;

    /// Between links.
    struct Stretch {
        PathEnd from{};
        PathEnd to{};
    };
    FAIRLEAD_INLINE void tell(TraceEventKind kind, std::uint32_t at, Cost g) const {
        if (FAIRLEAD_UNLIKELY(task_.trace.event != nullptr)) tell_side(kind, at, g);
    }
    void tell_side(TraceEventKind kind, std::uint32_t at, Cost g) const;
    [[nodiscard]] bool list_states(std::uint32_t node);
    [[nodiscard]] bool lay_to(std::uint32_t node, const PathEnd& to);
    [[nodiscard]] bool list_portals(const Stretch& stretch, std::size_t first, std::size_t end);
    [[nodiscard]] bool lay_part(const Stretch& stretch);
    [[nodiscard]] bool skip_seen(const Stretch& stretch);
    void drop_straight(const Stretch& stretch);
    [[nodiscard]] double price_part(const Stretch& stretch) const;
    [[nodiscard]] double bound_cost() const;

    const StateData* state_ = nullptr;
    Task task_{};
    CorridorSpace space_{};
    HeapOpen open_;
    HashedNodes nodes_;
    std::optional<Engine> engine_;
    Array<Portal> portals_;
    Array<double> prices_;
    Array<LinePoint> part_;  ///< the line of the stretch at hand
    Array<LinePoint> laid_;  ///< of all stretches
    /// A state on the way.
    struct Passed {
        std::uint32_t state = kNone;
        std::uint32_t tag = 0;
    };
    Array<Passed> states_;
};

}  // namespace fairlead::mesh
