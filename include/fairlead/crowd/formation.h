// Formation: a group that goes as one, each unit in its slot of a shape: it keeps the shape where there is room, breaks at a gap, forms
// again behind it, and stands in its shape at the goal.
//
//     Result<Formation> squad = Formation::make({.shape = FormationShape::wedge});
//     for (const UnitId id : ids) squad->add(id);
//     squad->send(*crowd, world, *route, {.has_heading = true, .heading_rad = kHalfPi});   // one route, of the widest unit's radius
//     squad->update(1.0 / 30.0, *crowd, world);                                           // every frame, before
//     crowd->update(1.0 / 30.0, world);
//
// A Fleet does all of it: fleet->send(ids, goal, {.shape = FormationShape::wedge}) (fleet/fleet.h).
//
// Slots. A leader that is no unit goes along the route. A slot is so far ahead of it, to its left and (in space) above it:
//
//     shape     slots                                                                  the leader is
//     line      side by side                                                           in the middle
//     column    one behind the other                                                   the first
//     wedge     an arrow head                                                          at its tip
//     box       rows as wide as deep; in a crowd in space rows, files and storeys      in the middle of the first row
//     ring      a circle                                                               at its centre: an escort
//     slots     the user's own: x ahead, y to the left, z up (in space)                at (0, 0, 0)
//
// The shape bends with the route, and lies beside it where a wall is near on one side. Which unit takes which slot: so that the squares of
// the ways to the slots have the least sum; the ways of any two then do not cross. It is found anew when units come or go, when the shape
// changes and at the goal.
//
// On its way. The leader goes no faster than the slowest unit can follow, in bends no faster than the outermost, and slower the farther one
// is behind. Before a narrower stretch the shape becomes as many files as fit in, as long as that is two or more. Where only one
// fits the formation breaks: each unit goes along the route by itself, as the crowd orders narrow places, and takes the foremost free slot
// behind the gap. When all are through it goes on. At the goal all take their slots as `heading_rad` has them.
// A slot in a wall is moved: on the way toward the route, at the goal to the nearest free place that the goal's surroundings see.
//
//     a unit           the others
//     is removed       close up (of the crowd: at the next update; of the formation: remove())
//     is pushed away   wait for it while it comes back; it goes along the route if it does not see its slot
//     does not move    after 3 s it changes slots with another; after 8 s nobody waits for it: it is `late` until it is back
//     sees no way      `lost`: give it a route of its own (Crowd::send, reroute); it joins again by itself when it sees its slot
//
// An edit of the world: world_changed(). If the route leads through a new wall the state is `blocked`: the leader stops before it; send() a
// new route, which may begin anywhere near the units.
//
// Promises. Those of the crowd: no unit touches another or a wall. The same calls give the same bits. A warm update() allocates nothing
// and looks at a bounded stretch of the route, but for a late unit: once a second it is looked for along all of it. Not promised: the
// shape while others push through it.
//
// Cost: 0.5 us a unit and update; send(), and giving slots anew (n^2 to n^3 steps for n units), 0.2 ms for 30 units and 2 ms for 128. 200
// bytes for each piece of a quarter of the spacing of the route. Routes with links are refused (unsupported, route): send stretch by
// stretch.
//
// Errors: of make: not_finite, out_of_range (spacing, shape, slots: which), size_zero (slots), incompatible (slots given for another
// shape). Of add: size_limit (kFormationMax), size_mismatch (slots: fewer than units), duplicate_id (unit). Of send: not_finite (route,
// goal_heading), out_of_range (route: there is none; spacing: below kFormationSpacingLeast), unsupported (unit: one that is driven;
// route). out_of_memory, after which it is idle; after other errors nothing has changed.
//
// Source: least sum of squares: Turpin, Michael and Kumar 2014 (CAPT); found by shortest augmenting paths: Jonker and Volgenant 1987.
#pragma once

#include <cstdint>

#include <fairlead/base/borrowed.h>
#include <fairlead/crowd/crowd.h>

namespace fairlead {

enum class FormationShape : std::uint8_t { line, column, wedge, box, ring, slots, count_ };

/// "line", "column", ... Never null.
[[nodiscard]] const char* formation_shape_name(FormationShape shape);

inline constexpr std::size_t kFormationMax = 128;
inline constexpr double kFormationSpacingLeast = 2.1;  ///< radii of the widest unit

struct FormationOptions {
    FormationShape shape = FormationShape::box;
    double spacing =
        0.0;  ///< between neighbours; 0: four radii of the widest unit, so that one can pass between two
    Borrowed<Vec3> slots{};  ///< of FormationShape::slots; copied. At least as many as units
    Allocator allocator{};
};

/// How it stands in the end.
struct FormationEnd {
    bool has_heading = false;  ///< else as it comes
    double heading_rad = 0.0;
};

enum class FormationState : std::uint8_t {
    idle,     ///< not sent
    shape,    ///< in its shape, or taking it up
    files,    ///< narrower, for what lies around it or ahead
    gap,      ///< broken up: one after the other goes through a gap
    closing,  ///< the leader is at the goal, the units take their last slots
    arrived,  ///< all who are not lost stand in them
    blocked,  ///< a wall is across the route
    count_
};

/// "idle", "shape", ... Never null.
[[nodiscard]] const char* formation_state_name(FormationState state);

struct FormationUnit {
    UnitId id{};
    Vec3 slot{};            ///< where it ought to be now
    bool has_slot = false;  ///< not before a gap
    bool there = false;     ///< within its radius of it
    bool late = false;      ///< nobody waits for it
    bool alone = false;     ///< it goes along a route by itself
    bool lost = false;      ///< and does not see where that leads
};

namespace crowd {
struct FormationData;  // src/crowd/formation/formation_data.h
}

/// Move only.
class Formation {
  public:
    [[nodiscard]] static Result<Formation> make(const FormationOptions& options = {});
    Formation(Formation&& other) noexcept;
    Formation& operator=(Formation&& other) noexcept;
    Formation(const Formation&) = delete;
    Formation& operator=(const Formation&) = delete;
    ~Formation();

    /// A unit of the crowd; also on the way.
    [[nodiscard]] Result<void> add(UnitId id);
    /// The crowd keeps it, as it moves now: stop() or send() it. False: it was not in the formation.
    bool remove(UnitId id);

    /// All go along a route, from where they are. It is copied. Units that the crowd does not know any more are removed.
    [[nodiscard]] Result<void> send(Crowd& crowd, const CrowdWorld& world, const Route& route,
                                    const FormationEnd& end = {});
    /// All stop where they are.
    void stop(Crowd& crowd);
    /// Tells each unit what it wants in the crowd's next update, of as many seconds (kSecondsMin to 1).
    [[nodiscard]] Result<void> update(double seconds, Crowd& crowd, const CrowdWorld& world);
    /// The world was edited: walls beside the route are looked at anew.
    void world_changed();

    [[nodiscard]] FormationState state() const;
    [[nodiscard]] std::size_t size() const;
    [[nodiscard]] FormationUnit unit(std::size_t i) const;  ///< i < size(); in order of adding
    [[nodiscard]] double along() const;                     ///< how far the leader is on the route
    [[nodiscard]] double remaining() const;                 ///< and how far from its end
    [[nodiscard]] std::uint32_t files() const;              ///< side by side, in `files`; else 0

  private:
    explicit Formation(crowd::FormationData* data) : data_(data) {}
    crowd::FormationData* data_ = nullptr;
};

}  // namespace fairlead
