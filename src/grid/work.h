// GridWork: everything that a tile query keeps in the Scratch from one query to the next.
#pragma once

#include <variant>

#include <fairlead/route/route.h>
#include <fairlead/search/bidirectional.h>
#include <fairlead/search/engine.h>

#include "grid/fixed_window.h"
#include "grid/general_space.h"
#include "grid/half_jump.h"
#include "grid/half_space.h"
#include "grid/hierarchy/cluster_search.h"
#include "grid/jump_point.h"
#include "grid/moves.h"
#include "grid/plain_space.h"
#include "grid/prepare.h"
#include "grid/smooth.h"
#include "grid/tracer.h"
#include "grid/turn_space.h"

namespace fairlead::grid {

/// The key of the planners that share the textbook engine, chosen by the query.
struct ChosenKey {
    enum class Kind : std::uint8_t { sum, g, h, weighted } kind = Kind::sum;
    std::uint32_t weight_256 = 256;
    [[nodiscard]] Cost operator()(Cost g, Cost h) const {
        switch (kind) {
            case Kind::g: return g;
            case Kind::h: return h;
            case Kind::weighted: return WeightedKey{weight_256}(g, h);
            case Kind::sum: break;
        }
        return g + h;
    }
    /// Greedy best-first search opens a state once: what it cost to get there plays no part.
    [[nodiscard]] bool reopens() const { return kind != Kind::h; }
};

template <class Trace>
struct Engines {
    using Jump = BestFirst<JumpPointSpace, AStarKey, BucketOpen, HashedNodes, Trace>;
    using Plain = BestFirst<PlainSpace, AStarKey, BucketOpen, PagedNodes, Trace>;
    using Bucket = BestFirst<GeneralSpace, AStarKey, BucketOpen, PagedNodes, Trace>;
    using Heap = BestFirst<GeneralSpace, ChosenKey, HeapOpen, PagedNodes, Trace>;
    using Both = Bidirectional<BestFirst<GeneralSpace, AStarKey, HeapOpen, PagedNodes, Trace>>;
    using Turn = BestFirst<TurnSpace, AStarKey, HeapOpen, PagedNodes, Trace>;
    using Window = BestFirst<WindowSpace, AStarKey, WindowOpen, WindowNodes, Trace>;
    using Half = BestFirst<HalfSpace, AStarKey, BucketOpen, PagedNodes, Trace>;
    using HalfJump = BestFirst<HalfJumpSpace, AStarKey, BucketOpen, HashedNodes, Trace>;
    using Clusters = BestFirst<ClusterSpace, ClusterKey, BucketOpen, HashedNodes, Trace>;
    using Any =
        std::variant<std::monostate, Jump, Plain, Bucket, Heap, Both, Turn, Window, Half, HalfJump, Clusters>;
};

// How a step of a path was made.
inline constexpr std::uint32_t kByWalk = 0;
inline constexpr std::uint32_t kByPortal = 1;
inline constexpr std::uint32_t kByLine = 2;  ///< straight, at any angle
inline constexpr std::uint32_t kByMove = 3;  ///< and more: + the move, where the heading counts

/// One cell of the path found, and how it was come to. On the half lattice: one point, and the tag of the step.
struct PathStep {
    std::uint32_t state = 0;
    std::uint32_t by = kByWalk;
};

/// A stretch of the path between portals, as points in cells.
struct Section {
    std::uint32_t first = 0;  ///< in the points
    std::uint32_t count = 0;
    std::int32_t layer = 0;
    std::uint32_t portal = UINT32_MAX;  ///< that leads on from it
};

/// The way to the place nearest the goal, of all searches of a query so far.
struct BestSoFar {
    explicit BestSoFar(const Allocator& a) : path(a) {}

    NearestPlace place;
    Array<PathStep> path;
    double tile_cost = 0.0;
    bool on_half = false;
};

/// How far preparing a search over the half lattice is (half_prepare.h).
struct HalfPreparing {
    enum class Part : std::uint8_t { places, aims, starts, goals, sort, direct, pocket, last, done };
    Part part = Part::done;
    std::size_t at = 0;       ///< of the part's list
    bool begun = false;       ///< the element at `at` is being worked on
    std::int32_t pieces = 0;  ///< of work that are paid for

    const Body* body = nullptr;  ///< the registered size's points
    HalfCode code{};
    std::uint32_t places_at = 0;
    std::uint64_t start_name = 0;  ///< component of a point unit at the start
    bool region = false;
    bool list = false;        ///< any_of
    bool any_inside = false;  ///< a place of the list is on the map
    bool may_meet =
        false;  ///< a point unit gets from the start to a place of the goal, for all that the index knows
    bool blocked = false;      ///< no goal has room for the disc
    bool meets = false;        ///< the registered size's index joins a start to a goal, perhaps
    bool in_pocket = false;    ///< the start is joined to no point
    bool direct = false;       ///< there is a way from the start straight to a goal
    bool only_partly = false;  ///< that goal stands for one that cannot be reached
    Vec2 aim{};                ///< the goal's place that is nearest to the start
    double aim_square = 1e300;
};

struct GridWork {
    explicit GridWork(const Allocator& a)
        : query(a),
          hashed(a),
          paged(a),
          paged_back(a),
          heap(a),
          heap_back(a),
          bucket(a),
          window_nodes(a),
          window_open(window_nodes),
          half_planes(a),
          half_columns(a),
          half_stops(a),
          half_column_stops(a),
          half_ways(a),
          half_region(a),
          half_starts(a),
          half_goals(a),
          clusters(a),
          best(a),
          smoother(a),
          path(a),
          points(a),
          taut(a),
          sections(a),
          shown(a) {}

    PreparedQuery query;
    JumpPointSpace jump;
    PlainSpace plain;
    GeneralSpace general;
    GeneralSpace general_back;
    TurnSpace turn;
    WindowSpace window;
    std::int32_t window_side = kWindowSide;

    HashedNodes hashed;
    PagedNodes paged;
    PagedNodes paged_back;
    HeapOpen heap;
    HeapOpen heap_back;
    BucketOpen bucket;
    WindowNodes window_nodes;
    WindowOpen window_open;
    bool on_half = false;  ///< the search is one over the half lattice (half_search.h)
    std::int32_t half_start_layer = 0;
    HalfSpace half;
    HalfJumpSpace half_jump;
    bool half_jumps = false;  ///< half_jump is what is searched
    MoveTables half_moves;
    std::int32_t half_moves_for = -1;  ///< which neighbourhood they hold
    HalfPlanes half_planes;
    HalfPlanes half_columns;  ///< the same turned, where straight steps are jumps
    HalfStops half_stops;
    HalfStops half_column_stops;
    HalfWays half_ways;
    HalfRegion half_region;
    HalfPreparing half_preparing;
    Array<HalfStart> half_starts;
    Array<HalfGoal> half_goals;
    ClusterSearch clusters;
    MoveTables moves;
    std::int32_t moves_for = -1;  ///< which rule and neighbourhood `moves` holds

    std::variant<Engines<NoTrace>::Any, Engines<PlaceTrace>::Any> engine;
    SearchTrace trace{};  ///< who watches; nobody without an event

    double weight = 1.0;  ///< anytime: of the running search
    bool has_path = false;
    bool clusters_tried = false;  ///< the hierarchy did not serve, or does
    bool over_clusters = false;   ///< the path is one of the hierarchy
    bool stays = false;           ///< the goal is where the start is
    bool wants_nearest = false;   ///< the query says `partial`: what is expanded is noted
    NearestPlace nearest;         ///< of the running search
    BestSoFar best;
    PathStatus status = PathStatus::complete;
    double tile_cost = 0.0;  ///< of the path, in cells
    Cost best_cost = 0;      ///< the same in the query's fixed point
    double bound = kNoBound;
    SearchStats stats{};
    SearchStats stats_before{};  ///< of the query's earlier searches (larger windows, smaller weights)
    std::uint64_t waited = 0;    ///< units that the search waited for ways through gaps
    std::uint64_t waited_before = 0;

    std::int32_t ring = 0;  ///< nearest: the next ring around the goal
    double ring_best = 1e300;
    std::uint32_t ring_state = UINT32_MAX;

    Smoother smoother;
    bool smoothing = false;   ///< a section is being smoothed
    std::size_t section = 0;  ///< the next one to smooth
    Array<PathStep> path;
    Array<Vec2> points;
    Array<Vec2> taut;
    Array<Section> sections;
    Array<Section> shown;  ///< the sections, while a route is shown that is still being made
};

}  // namespace fairlead::grid
