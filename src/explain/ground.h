// Ground: is there ground between start and goal, and how wide is its widest way?
//
// Places are the middles of the tiles (pitch 1) or every half tile (pitch 2). Between two neighbouring places the distance to
// any tile changes one way only, so the room on a straight step is that at its ends; only steps on a diagonal need a look at the
// whole segment.
#pragma once

#include <cstdint>

#include <fairlead/base/array.h>
#include <fairlead/search/open_list.h>

#include "explain/spending.h"
#include "grid/prepare.h"
#include "grid/sight.h"

namespace fairlead::explaining {

class Ground {
  public:
    explicit Ground(const Allocator& allocator);

    /// `query` is a point's; it must outlive this. `portals`: the grid's are ways. False: out of memory, or more than 2^32 places.
    [[nodiscard]] bool begin(const grid::PreparedQuery& query, std::int32_t pitch, bool portals = true);

    /// Does any ground join them? From both ends in turn (from the start alone where the goal is a region), so that it costs
    /// what the smaller side costs. `budget` falls by the places looked at.
    [[nodiscard]] Answer flood(std::uint64_t& budget);
    /// After flood said no.
    [[nodiscard]] bool goal_side() const { return goal_side_; }
    [[nodiscard]] std::int64_t area() const { return area_; }

    /// The widest way (maximum bottleneck; Pollack 1960). Room above `limit`, in cells, does not count.
    [[nodiscard]] Answer widest(double limit, std::uint64_t& budget);
    /// After widest said yes: the least room on it, in cells, and where.
    [[nodiscard]] double room() const { return room_; }
    [[nodiscard]] Vec2 tightest() const { return tightest_; }
    [[nodiscard]] std::int32_t tightest_layer() const { return tightest_layer_; }

  private:
    struct Place {
        std::int32_t x, y, layer;
    };
    struct End {  // a place that an exact point joins
        std::uint32_t node;
        double room;
        Vec2 point;
    };
    struct Node {
        double room;  // around the place itself
        double best;  // on the widest way to it
        std::uint32_t from;
        bool known, done;
    };
    [[nodiscard]] std::uint32_t code(const Place& at) const;
    [[nodiscard]] Place place(std::uint32_t node) const;
    [[nodiscard]] Vec2 position(const Place& at) const;
    [[nodiscard]] const grid::Sight& sight(std::int32_t layer);
    [[nodiscard]] bool neighbour(const Place& at, std::int32_t move, Place& to, Vec2& unwrapped) const;
    [[nodiscard]] bool list_ends(Vec2 point, std::int32_t layer, double limit, Array<End>& out);
    [[nodiscard]] bool list_goals(double limit);
    [[nodiscard]] bool is_region() const;
    [[nodiscard]] bool reaches_region(const Place& at) const;
    template <class Visit>
    [[nodiscard]] bool each_portal(std::uint32_t node, bool back, const Visit& visit) const;
    [[nodiscard]] bool flood_one(int side, bool& met);
    [[nodiscard]] bool mark(std::uint32_t node, int side, bool& met);
    [[nodiscard]] double room_at(std::uint32_t node);
    [[nodiscard]] double step_room(std::uint32_t from, std::int32_t move, const Place& to, Vec2 there);
    [[nodiscard]] bool relax(std::uint32_t from, std::uint32_t to, double room);
    [[nodiscard]] bool expand(std::uint32_t node);
    void note_goal(std::uint32_t node);
    void trace_back();

    const grid::PreparedQuery* query_ = nullptr;
    std::int32_t pitch_ = 1, columns_ = 0, rows_ = 0;
    bool diagonals_ = false;
    bool portals_ = true;
    double limit_ = 0.0;
    grid::Sight sight_;
    std::int32_t sight_layer_ = -1;
    Array<End> starts_, goals_;
    Array<std::uint8_t> marks_;
    Array<std::uint32_t> todo_[2];
    Array<Node> nodes_;
    HeapOpen open_;
    bool goal_side_ = false;
    std::int64_t area_ = 0;
    double room_ = 0.0;
    double goal_room_ = -1.0;
    std::uint32_t goal_node_ = 0;
    Vec2 goal_point_{};
    Vec2 tightest_{};
    std::int32_t tightest_layer_ = 0;
};

}  // namespace fairlead::explaining
