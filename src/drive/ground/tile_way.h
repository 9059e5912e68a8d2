// The shortest way over free cells for a disc, from cell centre to cell centre: A* with 4 or 8 neighbours and steps that may
// be banned. What the turning methods of the article begin with (techniques L2 and B3).
#pragma once

#include <cstdint>
#include <span>

#include <fairlead/base/array.h>
#include <fairlead/drive/hybrid.h>
#include <fairlead/search/engine.h>
#include <fairlead/search/node_store.h>
#include <fairlead/search/open_list.h>

#include "drive/body/leg_check.h"

namespace fairlead::drive {

/// From a cell to one of its neighbours.
struct TileStep {
    TileCell from{};
    TileCell to{};

    friend bool operator==(const TileStep&, const TileStep&) = default;
};

class TileSpace {
  public:
    TileSpace() = default;
    /// A step is taken if the disc `core` (about the axle) passes. Within the start's cell it need not stand in the middle: the
    /// steps out of that cell, and into the goal's, need the two cells free alone.
    TileSpace(const GroundBits& free, double disc, std::int32_t neighbours, TileCell start, TileCell goal,
              std::span<const TileStep> banned);

    template <class Sink>
    void start(Sink& sink) {
        sink.add(state(start_), 0, 0);
    }
    template <class Sink>
    void expand(std::uint32_t at, Cost, std::uint32_t, Sink& sink) {
        const TileCell from = cell(at);
        for (std::int32_t i = 0; i < neighbours_; ++i) {
            const TileCell to{from.x + kSteps[i].x, from.y + kSteps[i].y};
            if (!free_.free(from.x + kSteps[i].x, from.y) || !free_.free(from.x, from.y + kSteps[i].y))
                continue;
            if (!free_.free(to.x, to.y) || !may_step(from, to)) continue;
            sink.add(state(to), i < 4 ? scale_.straight : scale_.diagonal, 0);
        }
    }
    [[nodiscard]] Cost heuristic(std::uint32_t at) const {
        const TileCell from = cell(at);
        const std::int32_t dx = goal_.x - from.x;
        const std::int32_t dy = goal_.y - from.y;
        if (neighbours_ == 8) return scale_.octile(dx, dy);
        return static_cast<Cost>((dx < 0 ? -dx : dx) + (dy < 0 ? -dy : dy)) * scale_.straight;
    }
    [[nodiscard]] bool is_goal(std::uint32_t at) const { return cell(at) == goal_; }

    [[nodiscard]] TileCell cell(std::uint32_t at) const {
        const auto width = static_cast<std::uint32_t>(free_.width);
        return {static_cast<std::int32_t>(at % width), static_cast<std::int32_t>(at / width)};
    }
    [[nodiscard]] std::uint32_t state(TileCell at) const {
        return static_cast<std::uint32_t>(at.y) * static_cast<std::uint32_t>(free_.width) +
               static_cast<std::uint32_t>(at.x);
    }

  private:
    static constexpr TileCell kSteps[8] = {{1, 0}, {0, 1},  {-1, 0},  {0, -1},
                                           {1, 1}, {-1, 1}, {-1, -1}, {1, -1}};

    [[nodiscard]] bool may_step(TileCell from, TileCell to) const;

    GroundBits free_;
    BodyCore disc_;
    std::int32_t neighbours_ = 8;
    TileCell start_{};
    TileCell goal_{};
    std::span<const TileStep> banned_;
    CostScale scale_{};
};

/// In the caller's Scratch.
class TileWay {
  public:
    explicit TileWay(const Allocator& allocator) : nodes_(allocator), open_(allocator), cells_(allocator) {}

    enum class Found : std::uint8_t { yes, no, no_memory };
    /// start and goal are on the map. cells(): both ends included.
    [[nodiscard]] Found find(const LegCheck& check, std::int32_t neighbours, TileCell start, TileCell goal,
                             std::span<const TileStep> banned);
    [[nodiscard]] std::span<const TileCell> cells() const { return cells_.span(); }
    [[nodiscard]] std::uint64_t expanded() const { return engine_.expanded(); }

  private:
    using Engine = BestFirst<TileSpace, AStarKey, HeapOpen, PagedNodes>;

    PagedNodes nodes_;
    HeapOpen open_;
    Array<TileCell> cells_;
    TileSpace space_;
    Engine engine_{space_, open_, nodes_};
};

/// The cell of a place, in cells; on the map's far edge the last one.
[[nodiscard]] TileCell cell_at(const GroundBits& free, Vec2 at);

}  // namespace fairlead::drive
