// A shortest route from a table: what start and goal see, and the best hub between.
//
// After Bojie Shen, Muhammad Aamir Cheema, Daniel Harabor & Peter Stuckey (2020), "Euclidean pathfinding with compressed path
// databases". Departures: what a point sees is looked up (the corners of its polygon, each with two exact tests of sides) instead
// of searched; distances come from hub labels; all corners of the start are put into one table by hub, so each label is
// read once, not once for each pair. First the pair of corners that lie nearest to the straight line is tried: where the way is
// nearly straight, as in open country, few others can be on a shorter one. Each leg of the way found is looked along once
// more: a table may come from a file that somebody forged, and a route through a wall must not.
#pragma once

#include <span>

#include "mesh/search/any_angle.h"
#include "mesh/surface/walk.h"
#include "mesh/table/table.h"

namespace fairlead::mesh {

class TableRun {
  public:
    explicit TableRun(const Allocator& allocator)
        : near_start_(allocator), near_goal_(allocator), best_of_(allocator), chain_(allocator) {}

    /// untrue: the table says that something is seen which is not. It is a forged one.
    enum class Found : std::uint8_t { yes, no, untrue, no_memory };

    /// A start; the table must outlive the search. False: out of memory.
    [[nodiscard]] bool prepare(const TableData& table, const StateData& state, const PathEnd& start);
    /// The shortest way to a goal, if it is shorter than `less_than`. No: there is none.
    [[nodiscard]] Found find(const PathEnd& goal, double less_than);

    double length = 0.0;  ///< of the way that was found last
    /// The walls that leave its corners, from the last one to the first.
    [[nodiscard]] std::span<const EdgeRef> chain() const { return chain_.span(); }
    /// Corners looked at so far.
    [[nodiscard]] std::uint64_t looked_at() const { return looked_at_; }

  private:
    /// A corner that may be seen from an end.
    struct Near {
        double far = 0.0;
        double least = 0.0;  ///< a way over it is at least this long
        std::uint32_t corner = 0;
        std::uint32_t sight = kNone;  ///< to be asked; kNone: it is seen
    };
    /// A way: from the start to its first corner, over the hub, from the last corner to the goal.
    struct Best {
        double length = 0.0;
        std::uint32_t hub = kNone;
        std::uint32_t first = 0;
        std::uint32_t last = 0;
    };
    /// The best way from the start to a hub. 16 bytes.
    struct ToHub {
        double far = 0.0;
        std::uint32_t stamp = 0;
        std::uint32_t corner = 0;  ///< the first one
    };
    [[nodiscard]] bool list_near(const PathEnd& from, Vec2 to, Array<Near>& out);
    [[nodiscard]] bool is_seen(Near& near, Vec2 from) const;
    [[nodiscard]] const Near* straightest(Array<Near>& near, Vec2 from) const;
    [[nodiscard]] bool in_sight(const PathEnd& from, const PathEnd& to) const;
    void try_straightest(const PathEnd& goal, Best& best);
    void fill_hubs(double less_than);
    void meet_hubs(const PathEnd& goal, Best& best);
    [[nodiscard]] PathEnd place_of(EdgeRef wall) const {
        return {state_->edge(wall).from, state_->polygon_ref(wall)};
    }
    [[nodiscard]] bool is_walkable(const PathEnd& goal) const;
    void straighten(const PathEnd& goal);
    [[nodiscard]] bool add_way(std::uint32_t from, std::uint32_t hub);
    [[nodiscard]] bool lay_chain(std::uint32_t first, std::uint32_t hub, std::uint32_t last);

    const TableData* table_ = nullptr;
    const StateData* state_ = nullptr;
    PathEnd start_{};
    std::uint32_t stamp_ = 0;
    std::uint64_t looked_at_ = 0;
    Array<Near> near_start_;
    Array<Near> near_goal_;
    Array<ToHub> best_of_;  ///< by hub
    Array<EdgeRef> chain_;
};

}  // namespace fairlead::mesh
