// Trace: what a search did, step by step, to be drawn, counted and compared.
//
//     debug::Trace trace;
//     Result<Route> route = find_route(*town, query, scratch, {.trace = trace.hook()});      // any world, any unit
//     debug::add_path(trace, *route);
//     debug::draw(trace.events(), svg.sink());
//     trace.count(debug::TraceKind::expand);            // equals SearchStats::expanded
//
// Recording allocates; a search without a hook pays nothing.
#pragma once

#include <cstdint>
#include <span>

#include <fairlead/base/array.h>
#include <fairlead/base/result.h>
#include <fairlead/math/pose.h>
#include <fairlead/math/vec.h>
#include <fairlead/route/agent.h>
#include <fairlead/search/hooks.h>

namespace fairlead::debug {

enum class TraceKind : std::uint8_t {
    generate,  ///< put on the open list, or improved there
    expand,    ///< taken from the open list and opened
    close,     ///< settled or thrown away without being opened
    path,      ///< part of the route, from the start to the goal
    pass,      ///< opened in the same expansion as the one before (level meshes)
    count_,    ///< not a kind: the number of them
};

/// "generate", "expand", "close", "path", "pass". Never null.
[[nodiscard]] const char* trace_kind_name(TraceKind kind);

struct TraceEvent {
    Vec2 position{};
    Vec2 from{};  ///< where it was reached or seen from; `position` itself at the start or if unknown
    Vec2
        left{};  ///< level meshes: the part of a side that is seen from `from`, with `position` in its middle
    Vec2 right{};             ///< elsewhere both are 0
    double z = 0.0;           ///< height of `position`; of `left`, where there is one
    std::uint32_t order = 0;  ///< from 0, in the order of events
    std::int32_t layer = 0;
    TraceKind kind = TraceKind::expand;
    bool has_heading = false;  ///< a pose of a unit that turns
    double heading_rad = 0.0;
    Vec3 low{};  ///< volumes: the corners of the box that the node lies in; elsewhere both are 0
    Vec3 high{};

    [[nodiscard]] bool has_box() const { return !(low == high); }
    [[nodiscard]] bool has_side() const { return !(left == right); }
    friend bool operator==(const TraceEvent&, const TraceEvent&) = default;
};

class Trace {
  public:
    /// Keeps at most `events_max` events; later ones are counted, not kept.
    explicit Trace(std::size_t events_max = std::size_t{1} << 24, const Allocator& allocator = {})
        : events_(allocator), events_max_(events_max) {}

    /// For SearchHooks::trace. The hook points to this trace: it must stay where it is while a search is watched.
    [[nodiscard]] SearchTrace hook();
    void add(const SearchEvent& event);

    void add(TraceKind kind, Vec2 position, Vec2 from, std::int32_t layer = 0);
    void add(TraceKind kind, Vec2 position) { add(kind, position, position); }
    /// A pose: with its heading.
    void add_pose(TraceKind kind, const Pose& pose, Vec2 from, std::int32_t layer = 0);
    void clear();

    [[nodiscard]] std::span<const TraceEvent> events() const { return events_.span(); }
    /// All that were added, kept or not.
    [[nodiscard]] std::uint64_t count(TraceKind kind) const;
    /// False when events were dropped: past the limit, or memory ran out.
    [[nodiscard]] bool complete() const { return complete_; }

  private:
    void keep(TraceEvent event);

    Array<TraceEvent> events_;
    std::size_t events_max_;
    std::uint64_t counts_[static_cast<std::size_t>(TraceKind::count_)] = {};
    bool complete_ = true;
};

/// Adds where the route's legs start, and its end, as events of kind path, each reached from the one before.
void add_path(Trace& trace, const Route& route);
/// The same, with headings where the unit has a turning radius.
void add_path(Trace& trace, const Route& route, const Agent& agent);

/// Replaces `text` by JSON: {"fairlead_trace":1,"counts":{"generate":n,...},"events":[[kind,x,y,from x,from
/// y, layer],...]} with kind as the number of the enumerator, in order, coordinates to 4 decimals; poses have their heading
/// in radians behind the layer, to 6 decimals; nodes of volumes their height and the corners of their box, [z, low x, low y, low z,
/// high x, high y, high z]. Errors: out_of_memory.
Result<void> write_trace_json(std::span<const TraceEvent> events, Array<char>& text);

}  // namespace fairlead::debug
