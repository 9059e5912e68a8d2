// How far it is from any place of the surface to one goal, on the shortest way of a point: exact, and found no farther than it
// is asked for.
//
// The flood of intervals (any_angle.h) from the goal, stopped and taken up again. Of each polygon the intervals through which
// it was entered are kept; the distance of a place is the least over those, once no interval still to come can be nearer.
//
// As a lower bound for other searches: it never falls by more than the length of a step (it is a distance), so it is consistent.
// The idea of a search from the goal that is taken up again: Silver (2005), reverse resumable A*.
#pragma once

#include <cstdint>
#include <span>

#include <fairlead/base/array.h>
#include <fairlead/base/digest.h>
#include <fairlead/search/engine.h>
#include <fairlead/search/node_store.h>

#include "mesh/search/any_angle.h"
#include "mesh/search/listed_nodes.h"

namespace fairlead::mesh {

class DistanceFlood {
  public:
    explicit DistanceFlood(const Allocator& allocator);
    DistanceFlood(const DistanceFlood&) = delete;
    DistanceFlood& operator=(const DistanceFlood&) = delete;

    /// Gaps narrower than `width` are shut, as far as the mesh knows of them (gates.h). The state must outlive the questions. False:
    /// out of memory.
    [[nodiscard]] bool begin(const StateData& state, const PathEnd& goal, std::uint64_t closed_areas,
                             double width = 0.0);
    /// Infinite: there is no way (or failed()).
    [[nodiscard]] double from(std::uint32_t polygon, Vec2 place);
    /// The corners that the way from a place goes round, then the goal; at most `corners.size()` of them, and how many. Only
    /// after from() has told its length.
    [[nodiscard]] std::size_t way(std::uint32_t polygon, Vec2 place, std::span<Vec2> corners) const;
    [[nodiscard]] bool failed() const { return failed_; }

    /// Opens one interval more; false: there are none left, or no memory.
    [[nodiscard]] bool step();
    /// The way from a place, once all intervals were opened.
    struct Onward {
        double length = 0.0;  ///< infinite: there is none
        bool bends = false;   ///< at `bend` first, by a rounding's breadth; then to the root
        Vec2 bend{};
        std::uint32_t root = kNone;  ///< of space(); kNone: straight to the goal
    };
    [[nodiscard]] Onward onward(std::uint32_t polygon, Vec2 place) const;
    [[nodiscard]] const AnyAngleSpace& space() const { return space_; }
    [[nodiscard]] std::size_t bytes() const {
        return nodes_.bytes() + polygons_.bytes() + first_.bytes() + views_.bytes() + space_.bytes();
    }
    /// Of all views.
    void add_to(Digest& digest) const;

  private:
    /// A polygon seen from a root, through a part of one of its sides. 64 bytes.
    struct View {
        Vec2 root{};
        Vec2 left{};
        Vec2 right{};
        double g = 0.0;
        std::uint32_t next = kNone;  ///< of the same polygon
        std::uint32_t root_number = kNone;
    };
    static void keep(const Interval& at, std::uint32_t polygon, void* user);
    [[nodiscard]] static bool sees(const View& view, Vec2 place);
    [[nodiscard]] static Vec2 nearer_end(const View& view, Vec2 place);
    [[nodiscard]] static double through(const View& view, Vec2 place);
    [[nodiscard]] double known(std::uint32_t polygon, Vec2 place) const;

    PathEnd goal_{};
    AnyAngleSpace space_;
    HeapOpen open_;
    ListedNodes nodes_;
    BestFirst<AnyAngleSpace, AStarKey, HeapOpen, ListedNodes> engine_{space_, open_, nodes_};
    HashedNodes polygons_;
    Array<std::uint32_t> first_;  ///< view, by node of polygons_
    Array<View> views_;
    bool failed_ = false;
    bool ended_ = false;
};

}  // namespace fairlead::mesh
