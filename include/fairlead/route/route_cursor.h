// RouteCursor: a place on a route that moves along it. What a unit that follows a route asks each frame: where am I, which
// way do I face, in which gear, on which leg, and what have I just come to.
//
//     RouteCursor cursor(route);
//     double left = speed * seconds;                                        // of this frame
//     for (RouteEvent e = cursor.advance(left); e.happened(); e = cursor.advance(left)) {
//         if (e.kind == RouteEventKind::pivot) start_turning(e.from, e.to); // and spend the rest of the frame on it: break
//     }
//     draw(cursor.place());
//
// What happens on the way is told, not jumped: advance() stops at each event, with what is left of the distance in `left`.
//
//     kind        where                                                 from, to
//     corner      the heading jumps from one leg to the next            the same position, both headings: smooth between them
//     pivot       a leg of kind turn: on the spot, by turn_rad          the same position, both headings
//     gear        from forward to reverse or back (a cusp)              both places, the gears in gear_from and gear_to
//     link_enter  a link or portal begins; the cursor is in the link    the link's two ends
//     link_leave  and ends                                              the link's two ends
//     jump        the next leg starts elsewhere: maps that wrap,        the two places
//                 legs that are upright
//     start, goal an end of the route is reached                        the end
//
// Where several would be told at one place they come one after the other; of a jump, a change of gear and a corner between the same two
// legs the first is told, and its from, to, turn_rad and gears tell the rest. Behind an event place() is its `to`. A link has no
// length on the ground (what it takes is the game's to play): after link_enter the cursor stands in it, in_link(), place() being
// the leg's start, until it is moved again. retreat() goes back and tells the same events the other way round. Moving by 0 goes on
// to what happens at the very place.
//
// seek() goes to a distance and tells nothing: of several places at that distance to the first one; at 0 and before, to the start;
// at the route's length and beyond, to its end: exactly Route::end. A NaN counts as 0; in advance and retreat so does what is below 0.
//
// Promises. place() after seek(d) is a pure function of the route and d, bit for bit, wherever the cursor was before: the lengths of
// legs are summed exactly. It is a place on the leg as stored (place_on_leg). distance() never falls in advance and never
// rises in retreat. length() is Route::length but for rounding.
//
// Cost. Making one is linear in the legs. Moving costs the legs that are passed: constant per frame, seek too where the distance
// changes little. Nothing is allocated. The route must outlive the cursor, and may not be changed meanwhile.
#pragma once

#include <cstddef>
#include <cstdint>

#include <fairlead/route/route.h>

namespace fairlead {

enum class RouteEventKind : std::uint8_t {
    none,  ///< the distance is used up, or the cursor is at the end and has told so
    corner,
    pivot,
    gear,
    link_enter,
    link_leave,
    jump,
    start,
    goal,
};

/// "corner", "pivot", ... Never null.
[[nodiscard]] const char* route_event_name(RouteEventKind kind);

/// What a cursor came to.
struct RouteEvent {
    RouteEventKind kind = RouteEventKind::none;
    Gear gear_from = Gear::forward;
    Gear gear_to = Gear::forward;
    std::uint32_t link_id = 0;  ///< Leg::link_id, of link_enter and link_leave
    std::size_t leg =
        0;  ///< the link or pivot; else the leg that the cursor is on now; at the goal the number of legs
    double distance = 0.0;  ///< from the route's start
    double turn_rad = 0.0;  ///< from one heading to the other: a pivot's own turn, else the shorter way round
    Place from{};
    Place to{};

    [[nodiscard]] bool happened() const { return kind != RouteEventKind::none; }
};

namespace route {

/// A sum of lengths without rounding, in steps of 2^-78: adding and taking away leaves what was before.
class ExactLength {
  public:
    ExactLength() = default;
    /// 0 to 2^40.
    explicit ExactLength(double length);
    void add(const ExactLength& more);
    void take(const ExactLength& less);
    [[nodiscard]] double value() const;
    [[nodiscard]] friend bool operator<(const ExactLength& a, const ExactLength& b) {
        return a.whole_ != b.whole_ ? a.whole_ < b.whole_ : a.part_ < b.part_;
    }

  private:
    std::uint64_t whole_ = 0;  ///< in steps of 2^-16
    std::uint64_t part_ = 0;   ///< in parts of 2^-62 of such a step
};

}  // namespace route

class RouteCursor {
  public:
    /// At the start, before all events.
    explicit RouteCursor(const Route& route);
    explicit RouteCursor(Route&&) = delete;

    [[nodiscard]] Place place() const;
    [[nodiscard]] double distance() const;
    /// Of the whole route.
    [[nodiscard]] double length() const { return length_; }
    [[nodiscard]] double remaining() const;

    /// The leg that the cursor is on; at the end the last one. Null if the route has none.
    [[nodiscard]] const Leg* leg() const;
    [[nodiscard]] std::size_t leg_index() const;
    /// How far it is on that leg.
    [[nodiscard]] double on_leg() const { return at_end() ? 0.0 : offset_; }
    [[nodiscard]] Gear gear() const;
    /// Between link_enter and link_leave.
    [[nodiscard]] bool in_link() const;
    [[nodiscard]] bool at_end() const;

    /// Forward by at most `left`, to the next event. `left` is what remains of it; at the end nothing is used up.
    [[nodiscard]] RouteEvent advance(double& left);
    /// Over the rest of the leg, or into a link that begins here, and tells what is there: an event or none. At the end the goal, once.
    [[nodiscard]] RouteEvent next_leg();
    /// Back by at most `left`.
    [[nodiscard]] RouteEvent retreat(double& left);
    /// To a distance from the start.
    void seek(double distance);

  private:
    [[nodiscard]] const Leg& here() const { return route_->legs[leg_]; }
    [[nodiscard]] double leg_length(std::size_t i) const;
    [[nodiscard]] RouteEvent event(RouteEventKind kind, std::size_t leg, const Place& from,
                                   const Place& to) const;
    [[nodiscard]] RouteEvent joint(std::size_t before) const;
    [[nodiscard]] RouteEvent spot_event(RouteEventKind kind, bool back) const;
    [[nodiscard]] RouteEvent leave_forward();
    [[nodiscard]] RouteEvent leave_back();
    void enter_next();
    void enter_last();

    const Route* route_;
    double length_ = 0.0;
    double goal_ = 0.0;  ///< seek() to here or beyond is the end: the lesser of length() and Route::length
    route::ExactLength begin_{};  ///< of the leg
    std::size_t leg_ = 0;         ///< the number of legs: at the end
    double offset_ = 0.0;
    bool inside_ = false;  ///< of a link or turn: its event at this side has been told
    bool told_start_ = true;
    bool told_goal_ = false;
};

}  // namespace fairlead
