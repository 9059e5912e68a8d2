// CorridorRun: a corridor from one point to another, and the line through it.
#pragma once

#include <optional>

#include "mesh/corridor_space.h"
#include "mesh/funnel.h"
#include "mesh/walk.h"

namespace fairlead::mesh {

class CorridorRun {
  public:
    explicit CorridorRun(const Allocator& allocator)
        : line(allocator), open_(allocator), nodes_(allocator), portals_(allocator), prices_(allocator) {}

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
    };

    Array<LinePoint> line;  ///< bends, without the ends; after found
    double cost = 0.0;      ///< of the line

    void begin(const StateData& state, const Task& task, double units);
    [[nodiscard]] SearchProgress step(std::uint64_t budget) { return engine_->step(budget); }
    /// After found. False: out of memory.
    [[nodiscard]] bool lay_line();

    [[nodiscard]] const Task& task() const { return task_; }
    [[nodiscard]] std::uint64_t expanded() const { return engine_->expanded(); }
    [[nodiscard]] std::uint64_t generated() const { return engine_->generated(); }
    [[nodiscard]] std::uint64_t open_peak() const { return engine_->open_peak(); }
    [[nodiscard]] std::uint64_t digest() const { return engine_->digest(); }

  private:
    using Engine = BestFirst<CorridorSpace, AStarKey, HeapOpen, HashedNodes>;

    [[nodiscard]] bool list_portals();
    [[nodiscard]] bool cross_portals();
    [[nodiscard]] bool skip_seen();
    void drop_straight();
    void price_line();

    const StateData* state_ = nullptr;
    Task task_{};
    CorridorSpace space_{};
    HeapOpen open_;
    HashedNodes nodes_;
    std::optional<Engine> engine_;
    Array<Portal> portals_;
    Array<double> prices_;
};

}  // namespace fairlead::mesh
