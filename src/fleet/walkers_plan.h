// Several walkers on a graph of places, one to a place, planned together: in each step everyone moves to a neighbouring place or stays, in
// straight lines at the same time, and nobody comes nearer to another one than both radii.
//
// LaCAM (Okumura, "LaCAM: Search-Based Algorithm for Quick Multi-Agent Pathfinding", AAAI 2023) with PIBT as its generator (Okumura et al.,
// "Priority Inheritance with Backtracking for Iterative Multi-agent Path Finding", AIJ 2022): depth first over where all are; each state is
// met again with more and more walkers told where to step, so that a plan is found if there is one, given the time. Steps are not as few as
// can be. Long lanes in which somebody has to go far back take too long for it: after so many steps walkers are brought to their goals one
// after the other (fleet/walkers_swap.h), along ways of the shortest length that there is on the graph.
//
// Places are points of a square lattice, no closer than the sum of any two radii.
#pragma once

#include <cstdint>

#include <fairlead/base/array.h>
#include <fairlead/base/result.h>
#include <fairlead/math/vec.h>

#include "fleet/walkers_swap.h"

namespace fairlead::fleet {

inline constexpr std::uint32_t kPlanWalkersMax = 20;
inline constexpr std::uint32_t kPlanPlacesMax = 1024;
inline constexpr std::uint32_t kNoPlanPlace = UINT32_MAX;

class WalkersPlan {
  public:
    explicit WalkersPlan(const Allocator& allocator);

    /// As new, but for what it has room for.
    void clear();
    /// The graph. Both are kNoPlanPlace or false where there is no more room.
    [[nodiscard]] std::uint32_t add_place(Vec2 at);
    [[nodiscard]] bool join(std::uint32_t a, std::uint32_t b);
    [[nodiscard]] std::uint32_t place_count() const { return static_cast<std::uint32_t>(places_.size()); }
    [[nodiscard]] Vec2 place(std::uint32_t number) const { return places_[number].at; }

    /// False: there is no more room, or no way from start to goal. All starts are apart, and all goals.
    [[nodiscard]] bool add_walker(std::uint32_t start, std::uint32_t goal, double radius);
    [[nodiscard]] std::uint32_t walker_count() const { return count_; }

    [[nodiscard]] Result<void> begin();
    /// At most so many units of work, each one step of all. The units used.
    std::uint64_t step(std::uint64_t units);
    [[nodiscard]] bool running() const { return stage_ == Stage::running; }
    [[nodiscard]] bool found() const { return stage_ == Stage::found; }

    /// Of what was found: states, the first one of which is where all start.
    [[nodiscard]] std::uint32_t state_count() const { return static_cast<std::uint32_t>(found_.size()); }
    [[nodiscard]] std::uint32_t place_of(std::uint32_t state, std::uint32_t walker) const {
        return config_of(found_[state])[walker];
    }

  private:
    enum class Stage : std::uint8_t { building, running, found, failed };
    struct PlanPlace {
        Vec2 at{};
        std::uint32_t count = 0;
        std::uint16_t to[8] = {};
    };
    struct Walker {
        std::uint32_t start = 0;
        std::uint32_t goal = 0;
        double radius = 0.0;
    };
    /// Where all are, how it was come to, and who has been told what.
    struct State {
        std::uint32_t parent = 0;
        std::uint32_t next_same = 0;  ///< of its hash
        std::uint32_t first = 0;      ///< its orders, a queue
        std::uint32_t last = 0;
    };
    /// One walker told to step to a place, behind those of another order.
    struct Order {
        std::uint32_t parent = 0;
        std::uint32_t next = 0;
        std::uint16_t walker = 0;
        std::uint16_t place = 0;
        std::uint16_t depth = 0;
    };

    [[nodiscard]] const std::uint16_t* config_of(std::uint32_t state) const {
        return configs_.data() + static_cast<std::size_t>(state) * count_;
    }
    [[nodiscard]] std::uint32_t distance(std::uint32_t walker, std::uint32_t place) const {
        return distances_[static_cast<std::size_t>(walker) * places_.size() + place];
    }
    [[nodiscard]] bool fill_distances(std::uint32_t walker);
    [[nodiscard]] bool add_state(std::uint32_t parent, const std::uint16_t* config);
    [[nodiscard]] std::uint32_t find_state(const std::uint16_t* config) const;
    [[nodiscard]] bool add_order(std::uint32_t state, const Order& order);
    void rank(std::uint32_t state);
    [[nodiscard]] bool is_goal(std::uint32_t state) const;
    void expand();
    void solve_by_swaps();
    [[nodiscard]] bool take_swaps();
    [[nodiscard]] bool make_next(std::uint32_t state, std::uint32_t order);
    [[nodiscard]] bool move_walker(std::uint32_t walker);
    [[nodiscard]] bool in_the_way(std::uint32_t a, std::uint32_t b) const;
    void finish(std::uint32_t state);

    Array<PlanPlace> places_;
    Walker walkers_[kPlanWalkersMax];
    std::uint32_t count_ = 0;
    Array<std::uint16_t> distances_;
    Array<std::uint32_t> queue_;
    Array<std::uint16_t> configs_;
    Array<std::uint32_t> ranks_;      ///< steps since a walker was last at its goal, `count_` for each state
    Array<std::uint16_t> orders_of_;  ///< walkers, most urgent first, `count_` for each state
    Array<State> states_;
    Array<Order> orders_;
    Array<std::uint32_t> open_;
    Array<std::uint32_t> buckets_;
    Array<std::uint32_t> found_;
    // one step of all
    const std::uint16_t* now_ = nullptr;
    std::uint32_t next_[kPlanWalkersMax] = {};
    std::uint16_t moved_[kPlanWalkersMax] = {};  ///< in the order in which they were
    std::uint32_t moved_count_ = 0;
    std::uint32_t salt_ = 0;
    const std::uint16_t* ranked_ = nullptr;
    Stage stage_ = Stage::building;
    SwapPlan swaps_;
    std::uint64_t owed_ = 0;  ///< units of work that were done at once, and the stage that they lead to
    Stage then_ = Stage::building;
};

}  // namespace fairlead::fleet
