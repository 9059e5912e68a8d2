// The reference: best-first search from voxel to voxel, with 6, 18 or 26 neighbours and no corner cutting (technique V7). A step over an
// edge or a corner needs all voxels of the box that it crosses: the rule of the published lengths. With prices a step costs what the line
// between the middles does, and the heuristic is that of the open way at the least rate there is.
#pragma once

#include <cstdint>
#include <optional>

#include <fairlead/base/array.h>
#include <fairlead/search/engine.h>
#include <fairlead/search/hooks.h>
#include <fairlead/volume/query.h>

#include "volume/search/masks.h"
#include "volume/sight/prices.h"

namespace fairlead::volume {

/// g + h, h alone; Dijkstra's search has no h.
struct VoxelKey {
    bool greedy = false;
    [[nodiscard]] Cost operator()(Cost g, Cost h) const { return greedy ? h : g + h; }
    [[nodiscard]] bool reopens() const { return !greedy; }
};

/// A state is the number of a voxel: x, then y, then z.
class VoxelSpace {
  public:
    VoxelSpace() = default;
    VoxelSpace(Masks& masks, Prices& prices, const VolumeQuery& query, Voxel start, Voxel goal);

    /// Volumes of more voxels have no numbers of 32 bits.
    [[nodiscard]] static bool serves(const StateData& state) {
        return std::int64_t{state.size.x} * state.size.y * state.size.z < std::int64_t{UINT32_MAX};
    }

    template <class Sink>
    void start(Sink& sink) {
        sink.add(number(start_), 0, 0);
    }
    template <class Sink>
    void expand(std::uint32_t state, Cost, std::uint32_t, Sink& sink) {
        const Voxel at = voxel(state);
        note(state, at);
        const std::uint32_t free = free_around(at);
        const bool priced = has_prices_ && !is_plain_around(at);
        for (std::int32_t i = 0; i < count_; ++i) {
            const Move& move = moves_[i];
            if ((free & move.needs) != move.needs) continue;
            sink.add(state + move.by, FAIRLEAD_UNLIKELY(priced) ? price_of(move, at) : move.cost, 0);
        }
    }
    [[nodiscard]] Cost heuristic(std::uint32_t state) const;
    [[nodiscard]] bool is_goal(std::uint32_t state) const { return state == goal_state_; }

    [[nodiscard]] Voxel voxel(std::uint32_t state) const;
    [[nodiscard]] std::uint32_t number(Voxel v) const;
    [[nodiscard]] double to_sides(Cost cost) const { return static_cast<double>(cost) / unit_; }
    /// Is what the heuristic says never too much?
    [[nodiscard]] bool is_admissible() const;
    /// Of those expanded, the nearest to the goal in a straight line.
    [[nodiscard]] std::uint32_t nearest() const { return nearest_; }

  private:
    struct Move {
        std::uint32_t needs = 0;  ///< of the 27 voxels around, which must be free
        std::uint32_t by = 0;     ///< added to the state, modulo 2^32
        Cost cost = 0;
        Voxel step{};
        std::uint32_t axes = 0;
    };

    [[nodiscard]] std::uint32_t free_around(Voxel at);
    [[nodiscard]] bool is_plain_around(Voxel at) const;
    [[nodiscard]] Cost price_of(const Move& move, Voxel at) const;
    [[nodiscard]] Cost straight(Voxel at) const;
    /// A length at the least rate.
    [[nodiscard]] Cost scaled(Cost length) const {
        return has_prices_ ? static_cast<Cost>(static_cast<double>(length) * least_) : length;
    }
    [[nodiscard]] Cost by_steps(Voxel at) const;
    void note(std::uint32_t state, Voxel at);

    Masks* masks_ = nullptr;
    Prices* prices_ = nullptr;
    bool has_prices_ = false;
    double least_ = 1.0;  ///< rate
    Voxel size_{};
    Voxel start_{};
    Voxel goal_{};
    std::uint32_t goal_state_ = 0;
    Vec3 metric_{1, 1, 1};
    double unit_ = 1.0;  ///< cost of a side
    VoxelNeighbours neighbours_ = VoxelNeighbours::twenty_six;
    VolumeHeuristic heuristic_ = VolumeHeuristic::automatic;
    bool blind_ = false;  ///< Dijkstra
    Move moves_[26];
    std::int32_t count_ = 0;
    Cost step_cost_[8] = {};   ///< by which axes it is over, a bit each
    Cost least_cost_[8] = {};  ///< the same at the least rate
    std::uint32_t nearest_ = 0;
    Cost nearest_away_ = kCostMax;
};

/// Tells the user's hook, if there is one.
struct VoxelTrace {
    const VoxelSpace* space = nullptr;
    const StateData* state = nullptr;
    SearchTrace hook{};

    FAIRLEAD_INLINE void expanded(std::uint32_t s, Cost g) const {
        if (FAIRLEAD_UNLIKELY(hook.event != nullptr)) tell(TraceEventKind::expanded, s, g);
    }
    FAIRLEAD_INLINE void generated(std::uint32_t s, Cost g) const {
        if (FAIRLEAD_UNLIKELY(hook.event != nullptr)) tell(TraceEventKind::generated, s, g);
    }
    void tell(TraceEventKind kind, std::uint32_t s, Cost g) const;
};

class VoxelSearch {
  public:
    explicit VoxelSearch(const Allocator& allocator)
        : open_(allocator), nodes_(allocator), chain_(allocator) {}
    VoxelSearch(const VoxelSearch&) = delete;
    VoxelSearch& operator=(const VoxelSearch&) = delete;

    void begin(Masks& masks, Prices& prices, const VolumeQuery& query, Voxel start, Voxel goal,
               const SearchTrace& trace);
    [[nodiscard]] SearchProgress step(std::uint64_t budget) { return engine_->step(budget); }
    [[nodiscard]] std::uint64_t expanded() const { return engine_->expanded(); }
    [[nodiscard]] SearchStats stats() const;
    /// After found: of the way from middle to middle, sides; with prices what it costs.
    [[nodiscard]] double length() const { return space_.to_sides(engine_->goal_cost()); }
    [[nodiscard]] bool is_shortest() const { return space_.is_admissible(); }
    /// The middles of its voxels; where nothing was found of those to the nearest one. False: out of memory.
    [[nodiscard]] bool list_way(bool found, Array<Vec3>& way);

  private:
    using Engine = BestFirst<VoxelSpace, VoxelKey, HeapOpen, HashedNodes, VoxelTrace>;
    VoxelSpace space_;
    HeapOpen open_;
    HashedNodes nodes_;
    std::optional<Engine> engine_;
    Array<std::uint32_t> chain_;
};

}  // namespace fairlead::volume
