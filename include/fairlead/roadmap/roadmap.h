// Roadmap: a world of waypoints (techniques W1 and W2). Places joined by edges, each edge with a cost, one
// way or both ways. For worlds whose ways are laid by hand: roads, corridors, patrol nets, stairs and ledges
// to jump from.
//
//     const Waypoint places[] = {{WaypointId{1}, {0, 0}}, {WaypointId{7}, {9, 0}}, {WaypointId{8}, {9, 5}}};
//     const WaypointEdge ways[] = {{.from = WaypointId{1}, .to = WaypointId{7}},
//                                  {.from = WaypointId{7}, .to = WaypointId{8}, .cost = 2, .one_way = true}};
//     Result<Roadmap> harbour = Roadmap::make({.nodes = places, .edges = ways});
//     RoadmapSnapshot frozen = harbour->acquire();              // a search on it never sees later edits
//     harbour->remove_edge({.from = WaypointId{7}, .to = WaypointId{8}, .one_way = true});
//
// Waypoints have a number of the user's own (any from 0 up, gaps allowed) and a position; z is height, 0 in
// flat worlds. Edges run straight from one to the other. An edge costs its straight length unless it says
// otherwise; costs are positive. Several edges may join the same two waypoints; an edge may not join a
// waypoint with itself. A *link* is an edge that is not walked: a jump down, a ladder, a ferry; routes name
// it by its label.
//
// Walls are optional: polygons and lines that whatever leaves the net (from the start to it, from it to the
// goal) must keep clear of, at every height. The edges themselves are the user's word; audit_edges
// (coverage.h) checks them.
//
// Roads are optional: how wide and how fast the edges of each kind are (RoadKind). The ground of a road is what lies within half its width
// of the edge. A unit does not take roads that are narrower than itself, and legs of routes have the limits of speed. With widths the
// roadmap is a world for crowds (bridge/crowd_worlds.h).
//
// Edits and snapshots. apply() makes one new revision out of any number of edits, or none at all if one of
// them cannot be done. A snapshot is the state at one revision and never changes; edits copy only the pieces
// that they touch. One thread edits and acquires; a snapshot may be read and released on any thread.
//
// What the world answers does not depend on its history: the same waypoints, edges and walls give the same
// routes and digests, however they were put in.
//
// Connectivity. An index of which waypoint can be reached from which, one-way edges included, is exact at
// every revision. Edits that provably leave it as it is (prices, doors, moves, a second way between joined
// places) keep it; others make it anew.
//
// Cost: make is O(n log n) in waypoints and edges: about 0.4 us each. An edit copies a few kilobytes, and 24
// bytes for every 64 waypoints; making the index anew takes about 0.1 us for each waypoint and edge: put many
// edits into one apply(). Memory: GridState-like, RoadmapState::memory() says the bytes: 50 a waypoint, 28 an
// edge and direction.
#pragma once

#include <cstdint>
#include <span>

#include <fairlead/base/allocator.h>
#include <fairlead/base/assert.h>
#include <fairlead/base/borrowed.h>
#include <fairlead/base/id.h>
#include <fairlead/base/result.h>
#include <fairlead/base/snapshot.h>
#include <fairlead/math/aabb.h>
#include <fairlead/math/vec.h>
#include <fairlead/route/goal.h>
#include <fairlead/route/speed_limits.h>

namespace fairlead {

/// The user's own number of a waypoint, from 0 up.

/// Where a state keeps a waypoint: 0 to RoadmapState::slots() - 1, with gaps. Good for one revision; a
/// waypoint keeps its slot while it lives.
struct WaypointSlotTag;
using WaypointSlot = Id<WaypointSlotTag>;

struct Waypoint {
    WaypointId id{};
    Vec3 position{};  ///< each coordinate within +-kRoadmapSpan

    friend bool operator==(const Waypoint&, const Waypoint&) = default;
};

inline constexpr double kRoadmapSpan = 1e12;   ///< largest coordinate
inline constexpr double kEdgeCostMin = 1e-9;   ///< smallest cost of an edge
inline constexpr double kEdgeCostMax = 1e13;   ///< largest
inline constexpr double kStraightCost = -1.0;  ///< WaypointEdge::cost: the straight length of the edge
inline constexpr std::uint32_t kWaypointsMax = 1U << 24;
inline constexpr std::uint32_t kArcsMax = 1U << 27;  ///< edges, one that goes both ways counted twice

struct WaypointEdge {
    WaypointId from{};
    WaypointId to{};
    double cost = kStraightCost;  ///< kEdgeCostMin to kEdgeCostMax, or kStraightCost
    bool one_way = false;
    bool link = false;        ///< not walked: routes pass it as a leg of kind link
    std::uint8_t kind = 0;    ///< what sort of way it is: EdgeFilter::factors prices each
    std::uint32_t flags = 0;  ///< the user's bits (doors, factions): EdgeFilter closes edges by them
    std::uint32_t label = 0;  ///< the user's name for it: Leg::link_id of a link; tells parallel edges apart

    friend bool operator==(const WaypointEdge&, const WaypointEdge&) = default;
};

/// What the edges of a kind (WaypointEdge::kind) are on the ground. Of links nothing counts.
struct RoadKind {
    double width =
        0.0;  ///< 0: not known, there may be open ground beside the edge. All edges of a roadmap have a width, or none has
    double speed_max = kNoLimit;  ///< > 0

    friend bool operator==(const RoadKind&, const RoadKind&) = default;
};

/// Points [first_point, first_point + points) of RoadmapOptions::wall_points.
struct RoadmapWall {
    std::uint32_t first_point = 0;
    std::uint32_t points = 0;  ///< at least 3 if closed, else at least 2
    bool closed = false;  ///< a polygon: what is inside (by the even-odd rule) is solid. Else a thin line

    friend bool operator==(const RoadmapWall&, const RoadmapWall&) = default;
};

/// One side of a wall, as stored. 40 bytes.
struct RoadmapWallSide {
    Vec2 a{};
    Vec2 b{};
    std::uint32_t wall = 0;    ///< its place in RoadmapOptions::walls
    std::uint32_t closed = 0;  ///< 1: of a polygon
};

struct RoadmapOptions {
    Borrowed<Waypoint> nodes{};  ///< at most kWaypointsMax; none is allowed
    Borrowed<WaypointEdge> edges{};
    Borrowed<RoadmapWall> walls{};  ///< at most 2^24 of them and of their points
    Borrowed<Vec2> wall_points{};
    Borrowed<RoadKind> roads{};  ///< of kinds 0, 1, 2, ...; at most 256. Kinds beyond them: RoadKind{}
    Allocator allocator{};
};

/// One direction of an edge, as stored. 24 bytes.
struct RoadmapArc {
    double cost = 0.0;
    WaypointSlot to{};
    std::uint32_t label = 0;
    std::uint32_t flags = 0;
    std::uint8_t kind = 0;
    bool link = false;
    bool straight = false;  ///< the cost is the straight length and follows when a waypoint moves

    friend bool operator==(const RoadmapArc&, const RoadmapArc&) = default;
};

/// Why options or edits are refused as incompatible.
enum class RoadmapRule : std::int64_t {
    edge_to_itself,  ///< an edge from a waypoint to the same
    too_few_points,  ///< a polygon of less than 3 points, a line of less than 2
    footprint,       ///< a query's agent has a footprint in tiles; roadmaps take discs
    no_width,        ///< an edge whose kind has no width, where other kinds have one
    own_heuristic,   ///< a query's own heuristic, with dijkstra or a search backward
    count_,
};

/// One plain English sentence. Never null.
[[nodiscard]] const char* roadmap_rule_text(RoadmapRule rule);

/// One change, made by the functions below.
struct RoadmapEdit {
    enum class Kind : std::uint8_t { add_node, move_node, remove_node, add_edge, change_edge, remove_edge };

    Kind kind = Kind::add_node;
    Waypoint node{};
    WaypointEdge edge{};

    /// A new waypoint without edges. Errors: duplicate_id; not_finite, out_of_range (position, negative id);
    /// size_limit.
    [[nodiscard]] static RoadmapEdit add_node(const Waypoint& node) { return {Kind::add_node, node, {}}; }
    /// To another position. Edges of straight cost are priced anew. Errors: unknown_id, not_finite,
    /// out_of_range.
    [[nodiscard]] static RoadmapEdit move_node(const Waypoint& node) { return {Kind::move_node, node, {}}; }
    /// With all its edges. Errors: unknown_id.
    [[nodiscard]] static RoadmapEdit remove_node(WaypointId id) { return {Kind::remove_node, {id, {}}, {}}; }
    /// Errors: unknown_id, incompatible (edge_to_itself, no_width), not_finite, out_of_range (cost), size_limit.
    [[nodiscard]] static RoadmapEdit add_edge(const WaypointEdge& edge) { return {Kind::add_edge, {}, edge}; }
    /// Gives every edge between these waypoints with this label (one way: in this direction) the cost, kind,
    /// flags and link of `edge`. Errors: unknown_id (a waypoint, or no such edge), incompatible (no_width), not_finite, out_of_range.
    [[nodiscard]] static RoadmapEdit change_edge(const WaypointEdge& edge) {
        return {Kind::change_edge, {}, edge};
    }
    /// Removes every edge between these waypoints with this label; one way: only that direction, so that the
    /// edge becomes a one-way edge. Reads from, to, label and one_way. Errors: unknown_id as above.
    [[nodiscard]] static RoadmapEdit remove_edge(const WaypointEdge& edge) {
        return {Kind::remove_edge, {}, edge};
    }
};

struct RoadmapMemory {
    std::size_t nodes = 0;  ///< waypoints with their edges
    std::size_t ids = 0;    ///< from number to waypoint
    std::size_t boxes = 0;  ///< what is near a point
    std::size_t connectivity = 0;
    std::size_t walls = 0;
    [[nodiscard]] std::size_t total() const { return nodes + ids + boxes + connectivity + walls; }
};

namespace roadmap {
struct StateData;   // src/roadmap/state.h
struct EditorData;  // src/roadmap/editor.h
}  // namespace roadmap

/// One revision of a roadmap, read only. Reading is safe from any thread while a snapshot of it is held (or,
/// for the current one, while nobody edits).
class RoadmapState {
  public:
    [[nodiscard]] std::uint64_t revision() const;
    [[nodiscard]] std::uint32_t nodes() const;  ///< how many waypoints
    [[nodiscard]] std::uint32_t arcs() const;   ///< how many edges, one that goes both ways counted twice
    [[nodiscard]] std::uint32_t slots() const;  ///< slots are below this
    [[nodiscard]] bool has_walls() const;
    /// The smallest box around all waypoints; empty if there are none.
    [[nodiscard]] Aabb bounds() const;

    /// The waypoint with this number; not valid() if there is none. O(log n).
    [[nodiscard]] WaypointSlot find(WaypointId id) const;
    /// What is in a slot below slots(); the id is not valid() where nothing is.
    [[nodiscard]] Waypoint node(WaypointSlot slot) const;
    /// The edges out of a waypoint, ordered by the number of the waypoint they lead to. Empty for an empty
    /// slot.
    [[nodiscard]] std::span<const RoadmapArc> arcs(WaypointSlot slot) const;
    /// The waypoints that have an edge to this one, each once, ordered by number.
    [[nodiscard]] std::span<const WaypointSlot> arrivals(WaypointSlot slot) const;

    /// Is there a way from one waypoint to another, whatever it costs? Exact. O(1) mostly; where one-way
    /// edges leave it open, a walk over the sets of waypoints that reach each other. Errors: unknown_id
    /// (index 0 or 1: which), out_of_memory.
    [[nodiscard]] Result<bool> connected(WaypointId from, WaypointId to) const;

    /// May a disc move from a to b without overlapping a wall of this roadmap? Touching is allowed. Exact for
    /// a point (radius 0), which may slide along walls and pass where two walls only touch; within 1e-12 of
    /// the largest number involved otherwise. a == b: may it stand there? Finite numbers, radius >= 0.
    [[nodiscard]] bool walls_clear(Vec2 a, Vec2 b, double radius) const;

    /// What the edges of a kind are.
    [[nodiscard]] RoadKind road(std::uint8_t kind) const;
    /// Do the roads have widths?
    [[nodiscard]] bool has_widths() const;
    /// Does any kind of road have a limit of speed?
    [[nodiscard]] bool has_speed_limits() const;

    /// All sides of all walls, wall by wall, in the order of the wall's points; a polygon's last side leads back
    /// to its first point.
    [[nodiscard]] std::span<const RoadmapWallSide> wall_sides() const;

    [[nodiscard]] RoadmapMemory memory() const;

    /// For the library's own modules.
    [[nodiscard]] const roadmap::StateData& data() const { return *data_; }

  private:
    friend class Roadmap;
    friend class Snapshot<RoadmapState>;
    [[nodiscard]] bool has_data() const { return data_ != nullptr; }
    void hold() const;
    void let_go() const;

    const roadmap::StateData* data_ = nullptr;
};

/// Keeps one revision alive (base/snapshot.h). Released before its Roadmap is destroyed.
using RoadmapSnapshot = Snapshot<RoadmapState>;

/// The owner and editor of a roadmap. Move only.
class Roadmap {
  public:
    /// Errors, with Error::index counting through the nodes, then the edges, then the walls, then the wall
    /// points, then the roads: not_finite, out_of_range, duplicate_id (its second place), unknown_id (of an edge),
    /// incompatible (RoadmapRule), size_limit, size_mismatch (a wall's points are not in wall_points),
    /// out_of_memory.
    [[nodiscard]] static Result<Roadmap> make(const RoadmapOptions& options);

    Roadmap(Roadmap&& other) noexcept;
    Roadmap& operator=(Roadmap&& other) noexcept;
    Roadmap(const Roadmap&) = delete;
    Roadmap& operator=(const Roadmap&) = delete;
    ~Roadmap();

    /// The current revision. The reference follows the edits; it is valid while the Roadmap lives.
    [[nodiscard]] const RoadmapState& state() const {
        FAIRLEAD_ASSERT(editor_ != nullptr && "a world that was moved from has no state");
        return state_;
    }
    operator const RoadmapState&() const { return state(); }

    /// Freezes the current revision. O(1).
    [[nodiscard]] RoadmapSnapshot acquire() const;

    /// Makes the edits, in this order, as one new revision. On an error nothing has changed and Error::index
    /// says which edit; the errors are those of the kinds of edit, and out_of_memory. Edits that change
    /// nothing make no revision.
    Result<void> apply(std::span<const RoadmapEdit> edits);

    Result<void> add_node(const Waypoint& node);
    Result<void> move_node(const Waypoint& node);
    Result<void> remove_node(WaypointId id);
    Result<void> add_edge(const WaypointEdge& edge);
    Result<void> change_edge(const WaypointEdge& edge);
    Result<void> remove_edge(const WaypointEdge& edge);

  private:
    Roadmap() = default;
    RoadmapState state_;
    roadmap::EditorData* editor_ = nullptr;
};

}  // namespace fairlead
