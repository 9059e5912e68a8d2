// Ways between places and the half lattice: from a start or goal anywhere to points that fit, through gaps from point to
// point, and between two places with no point between them. Found out as lengths first; written as bends when a route is.
#pragma once

#include "grid/half_gap.h"
#include "grid/half_motion.h"

namespace fairlead::grid {

/// A point that a place is joined to. On wrapped axes it may lie a lap outside.
struct HalfEnd {
    HalfPoint point{};
    double length = 0.0;  ///< of the way, in cells
    double cost = 0.0;    ///< its terrain counted in; the length on uniform cost
};

class HalfWays {
  public:
    explicit HalfWays(const Allocator& a = {})
        : flood_(a), motion_(a), ends_(a), passed_(a), gates_(a), way_(a), best_(a) {}

    /// What ways are looked for in; all must outlive it. The planes' layer is the sight's.
    void begin(HalfPlanes& planes, const SightWorld& world) {
        planes_ = &planes;
        out_of_memory_ = false;
        enter(world);
    }
    /// On another layer, of which the planes are by now.
    void enter(const SightWorld& world) {
        sight_ = Sight(world);
        SightWorld walls = world;
        walls.blockers = {};
        walls.blocker_index = nullptr;
        walls_ = Sight(walls);
    }

    /// The points that a place where the disc fits is joined to: itself, the corners of its room, or those that gaps
    /// lead to. Empty: a pocket, joined to no point at all.
    [[nodiscard]] std::span<const HalfEnd> ends_of(Vec2 place);
    /// The points that gaps lead to from the rooms around a point that fits.
    [[nodiscard]] std::span<const HalfEnd> ends_through_gaps(HalfPoint point);
    /// Both in pieces, each a door or a motion: begin, then step_ends() until it says that there is nothing left. No other ways may be
    /// asked for in between.
    void begin_ends(Vec2 place);
    /// `blind`: also gaps that lead to no point, for what they pass through.
    void begin_gaps(HalfPoint point, bool blind);
    [[nodiscard]] bool step_ends();
    [[nodiscard]] std::span<const HalfEnd> ends() const { return ends_; }
    /// After either: the rooms without a corner that fits that were come through.
    [[nodiscard]] std::span<const HalfRoom> passed() const { return passed_; }

    /// The way from a place to one of its ends, or from a point through gaps to another: the bends after it, the last the
    /// end itself. Empty: none.
    [[nodiscard]] std::span<const Vec2> way_to(Vec2 place, HalfPoint end);
    [[nodiscard]] std::span<const Vec2> way_through_gaps(HalfPoint point, HalfPoint end);
    /// The way between two places in one room, or in one pocket.
    [[nodiscard]] std::span<const Vec2> way_between(Vec2 from, Vec2 to);
    /// The way between two opposite corners of a room.
    [[nodiscard]] std::span<const Vec2> way_across(HalfPoint from, HalfPoint to);
    /// Length and cost of the last way.
    [[nodiscard]] double length() const { return length_; }
    [[nodiscard]] double cost() const { return cost_; }

    [[nodiscard]] bool out_of_memory() const { return out_of_memory_; }

  private:
    /// What step_ends does next.
    enum class Part : std::uint8_t { room, flood, ends, walk, done };
    enum class Walk : std::uint8_t { running, there, none };

    /// The rooms that hold a place: one, or those beside the side or around the corner that it lies on.
    struct Rooms {
        HalfRoom list[4]{};
        std::int32_t count = 0;

        explicit Rooms(Vec2 place);
        [[nodiscard]] bool holds(HalfRoom room) const;
    };
    void begin_flood(HalfRoom room, bool through);
    [[nodiscard]] bool flood(HalfRoom room, bool through);
    void begin_walk(std::uint32_t n, Vec2 a, Vec2 b);
    [[nodiscard]] Walk step_walk();
    /// From a to b in the n-th room of the flood.
    [[nodiscard]] bool walk(std::uint32_t n, Vec2 a, Vec2 b);
    [[nodiscard]] bool add_motion(Vec2 from);
    void next_room();
    void next_end();
    void add_end(HalfPoint point);
    [[nodiscard]] bool gap_around(HalfRoom room, HalfPoint point);
    void begin_ways();
    template <class Wanted>
    void try_ways(HalfRoom first, bool through, Vec2 from, Vec2 to, Wanted wanted);
    [[nodiscard]] std::span<const Vec2> take_best();

    HalfPlanes* planes_ = nullptr;
    Sight sight_{};
    Sight walls_{};  ///< without blockers: motions go round walls alone
    HalfFlood flood_;
    HalfMotion motion_;
    Array<HalfEnd> ends_;
    Array<HalfRoom> passed_;
    Array<std::uint32_t> gates_;
    Array<Vec2> way_;
    Array<Vec2> best_;  ///< the cheapest of several ways
    double best_cost_ = 0.0;
    double best_length_ = 0.0;
    // The ends that are being looked for.
    Part part_ = Part::done;
    Vec2 place_{};
    HalfPoint point_{};
    bool through_ = false;     ///< from a point, through gaps
    std::int32_t around_ = 0;  ///< the next of the rooms around the point, or of those that hold the place
    std::uint32_t room_ = 0;   ///< of the flood's rooms, and the next of its corners
    std::int32_t corner_ = 0;
    // The way that is being walked: the gates that are left, the last first.
    std::size_t left_ = 0;
    std::uint32_t walk_room_ = 0;
    Vec2 walk_from_{};
    Vec2 walk_to_{};
    double length_ = 0.0;
    double cost_ = 0.0;
    bool out_of_memory_ = false;
};

}  // namespace fairlead::grid
