// Shortest paths on a mesh, exactly: the space of intervals (Polyanya) for the engine of search/engine.h.
//
// A state is a root (the start, or a corner where the path bends) and an interval of a polygon's side that the root
// sees, about to be crossed. Opening it projects the interval through the polygon ahead: on the sides in sight the root
// stays; where the interval ends at a corner the path may bend there, and the sides out of sight get that corner as
// their root. What it still costs is the length of the shortest line from the root through the interval to the goal,
// were there no walls.
//
// Michael Cui, Daniel Harabor & Alban Grastien (2017), "Compromise-free pathfinding on a navigation mesh". Departures:
//
//  * Intervals are never cut to coordinates. Their ends are the vertices through which the limiting rays go, and every
//    question of sight is an exact orientation of three given points. Coordinates of an end are computed for the
//    estimate alone.
//  * Bounds of the distance from corners to the goal, from distances to landmarks (Goldberg & Harrelson 2005).
//  * Dead ends of the mesh are never entered (blocks.h).
//  * A corner is bent round again only for less (and on the same side only for really less).
//  * Off-mesh links (any_angle_links.cpp).
//  * A state whose best successor is at least as good as everything on the open list goes on with that one at once.
//
// Coordinates are relative to the mesh's origin.
#pragma once

#include <cstdint>
#include <span>

#include <fairlead/base/array.h>
#include <fairlead/search/engine.h>
#include <fairlead/search/hooks.h>

#include "mesh/data/plane.h"
#include "mesh/data/state.h"
#include "mesh/search/landmarks.h"
#include "mesh/search/link_use.h"
#include "mesh/search/listed_nodes.h"
#include "mesh/search/side_claims.h"
#include "mesh/surface/flood.h"

namespace fairlead::mesh {

/// A corner reached from one side is worth nothing if it was reached for less from the other: what lies behind it is then
/// nearer on another way. For the same length it is worth as much, and on one straight line both lengths may be the same
/// but for rounding.
inline constexpr double kSure = 1.0 - 1e-9;
/// By more than rounding.
inline constexpr double kSooner = 1.0 - 1e-12;

/// Where an interval ends, on one side.
enum class Limit : std::uint8_t {
    at_end,  ///< at the vertex where the side of the polygon ends
    behind,  ///< on the ray from the root through a vertex that was passed
    tail,    ///< on the line on which the root was reached: the ray from the root before through the root
    cone,    ///< as `behind`, for both: the exit side of a link, in the polygon that it leads to
    all,     ///< no limits: the root is in the polygon, where a link leads to
};

/// 48 bytes.
struct Interval {
    EdgeRef edge = kNone;  ///< the side, of the polygon ahead; kNone: the goal is reached
    std::uint32_t root = 0;
    Vec2 left{};  ///< the vertex of at_end and behind, the root before for tail
    Vec2 right{};
    Limit left_limit = Limit::at_end;
    Limit right_limit = Limit::at_end;
    std::uint32_t goal = 0;  ///< which, if it is reached
};

/// What a root is. The last two are no place that the path comes to: seen from them, a link's exit side is where its entry
/// side is seen from the root before.
enum class RootKind : std::uint8_t {
    corner,
    start,
    exit,      ///< a point where a link leads to
    moved,     ///< the root before, moved with the link
    mirrored,  ///< and mirrored at the exit side, for ways that come back from it
};

struct Root {
    Vec2 at{};
    double g = 0.0;
    double rest = 0.0;             ///< it is at least this far to the goal
    std::uint32_t parent = kNone;  ///< another root
    std::uint32_t turn = kNone;    ///< number of the corner in the search's own list; moved, mirrored: of the
                                   ///< stretch of the entry (side_claims.h)
    EdgeRef edge =
        kNone;  ///< corner: a side that starts here, of a polygon that the path passes; link: its piece
    std::uint16_t side = 0;  ///< of the bend: 0 left, 1 right
    RootKind kind = RootKind::corner;
    std::uint8_t links = 0;  ///< moved, mirrored: how many roots in a row are that
};
static_assert(sizeof(Root) == 48);

struct PathEnd {
    Vec2 at{};
    std::uint32_t polygon = kNone;
};

/// Units of cost for a length of 1: the longest path there can be costs less than 2^62. It passes each corner at most once,
/// and each leg is at most as long as the world is wide; 2^40 units for the width leave room for 2^22 legs across the world.
[[nodiscard]] double cost_units(const StateData& state);

class AnyAngleSpace {
  public:
    explicit AnyAngleSpace(const Allocator& allocator)
        : intervals_(allocator),
          roots_(allocator),
          found_(allocator),
          turns_(allocator),
          filtered_(allocator),
          goal_order_(allocator),
          reached_(allocator),
          ranges_(allocator),
          flood_(allocator),
          claims_(allocator),
          entered_(allocator),
          stamps_{Array<std::uint32_t>(allocator), Array<std::uint32_t>(allocator)} {}

    /// A query. The state and the goals must outlive the search. False: out of memory.
    [[nodiscard]] bool prepare(const StateData& state, const PathEnd& start, std::span<const PathEnd> goals,
                               std::uint64_t areas_closed, float width = 0.0F, const LinkUse& links = {});
    /// No goal: everything that can be reached, nearest first. `distances` has for each tile slot an array with a number
    /// for each vertex and takes the least distance found. False: out of memory.
    [[nodiscard]] bool prepare_flood(const StateData& state, const PathEnd& start,
                                     std::span<float* const> distances);
    /// No goal: tells `met` of every polygon when it is first reached, nearest first, with its distance.
    /// And, if asked, of every interval that it is opened through.
    struct Within {
        void (*met)(std::uint32_t polygon, double distance, void* user) = nullptr;
        void* user = nullptr;
        void (*opened)(const Interval& at, std::uint32_t polygon, void* user) = nullptr;
    };
    [[nodiscard]] bool prepare_within(const StateData& state, const PathEnd& start, const Within& within,
                                      std::uint64_t areas_closed, const LinkUse& links, float width = 0.0F);
    /// A goal has been reached and is looked for no more. With several goals, step the engine again for the next.
    void close_goal(std::uint32_t goal) { reached_[goal] = 1; }
    /// The open list whose floor() is asked; before the search begins.
    void set_open(const HeapOpen* open) { open_ = open; }

    /// Told of every interval; before the search begins.
    void watch(const SearchTrace& hook) { watch_ = hook; }

    /// Told of every interval that is opened, but for links' exits; after prepare, before the search begins.
    struct Passed {
        void (*met)(const Interval& at, void* user) = nullptr;
        void* user = nullptr;
    };
    void tell_passed(const Passed& passed) { passed_ = passed; }

    // ---- for the engine
    template <class Sink>
    void start(Sink& sink) {
        if (!begin()) failed_ = true;
        push_all(0, sink, kNone);
    }
    template <class Sink>
    void expand(std::uint32_t state, Cost g, std::uint32_t, Sink& sink) {
        Interval at = intervals_[state];
        for (std::uint32_t step = 1;; ++step) {
            ++opened_;
            if (FAIRLEAD_UNLIKELY(watch_.event != nullptr))
                tell(step == 1 ? TraceEventKind::expanded : TraceEventKind::passed, at, g);
            if (FAIRLEAD_UNLIKELY(passed_.met != nullptr) && at.left_limit < Limit::cone)
                passed_.met(at, passed_.user);
            if (!open_interval(at)) {
                failed_ = true;
                return;
            }
            const std::uint32_t best = best_found();
            if (step == kStepsMax || best == kNone || found_[best].at.edge == kNone) break;
            if (found_[best].f > open_->floor()) break;
            at = found_[best].at;
            push_all(g, sink, best);
        }
        push_all(g, sink, kNone);
    }
    [[nodiscard]] Cost heuristic(std::uint32_t) const { return pushed_h_; }
    [[nodiscard]] bool is_goal(std::uint32_t state) const { return intervals_[state].edge == kNone; }

    /// The part of its side that an interval is, on the left and on the right, to rounding.
    struct Ends {
        Vec2 left{};
        Vec2 right{};
    };
    [[nodiscard]] Ends ends_of(const Interval& at) const;

    // ---- the result
    [[nodiscard]] const Interval& interval(std::uint32_t state) const { return intervals_[state]; }
    [[nodiscard]] const Root& root(std::uint32_t i) const { return roots_[i]; }
    [[nodiscard]] bool failed() const { return failed_; }
    [[nodiscard]] std::uint64_t opened() const { return opened_; }
    [[nodiscard]] double units() const { return units_; }
    [[nodiscard]] std::size_t bytes() const { return intervals_.bytes() + roots_.bytes() + turns_.bytes(); }

  private:
    static constexpr std::uint32_t kStepsMax = 16;

    struct Found {
        Interval at{};
        Cost f = 0;
    };
    /// How cheaply a corner has been bent round. 24 bytes.
    struct Turn {
        double g[2] = {};
        std::uint32_t stamp = 0;
        std::uint32_t root[2] = {};
    };
    enum Bend : std::uint8_t { kLeft, kRight };
    static constexpr std::uint32_t kUnknown = kNone - 1;
    static constexpr std::size_t kGoalsAimedAt = 8;  ///< more of them are not worth an estimate each
    /// A corner that is one only because areas are closed.
    struct FilteredCorner {
        EdgeRef wall = kNone;  ///< the side that its free space begins with
        std::uint32_t turn = 0;
        std::uint32_t stamp = 0;
    };

    void tell(TraceEventKind kind, const Interval& at, Cost g) const;
    [[nodiscard]] bool begin();
    [[nodiscard]] bool prepare_common(const StateData& state, const PathEnd& start);
    [[nodiscard]] Turn& turn(std::uint32_t number);
    [[nodiscard]] std::uint32_t root_towards(const Interval& at, Vec2 p);

    // any_angle_links.cpp
    [[nodiscard]] bool leads_to_link(const TileView& at, const MeshEdge& side) const;
    [[nodiscard]] bool add_linked(const Interval& at, Vec2 u, Vec2 v, double past);
    [[nodiscard]] bool use_links(const LinkUse& use, bool both_ways);
    void bound_links();
    [[nodiscard]] double past_links(const Interval& at, Vec2 u, Vec2 v) const;
    [[nodiscard]] double through(const Interval& at, Vec2 u, Vec2 v, Vec2 goal) const;
    [[nodiscard]] double bound_from(Vec2 p) const;
    [[nodiscard]] EdgeRef first_side(std::uint32_t polygon) const;
    [[nodiscard]] double rest_from(std::uint32_t polygon, Vec2 p, Vec2 q) const;
    [[nodiscard]] bool take_links(const Interval& at, std::uint32_t polygon);
    [[nodiscard]] bool clear_range(std::uint32_t piece, double& low, double& high);
    [[nodiscard]] double had_before(std::uint32_t piece, std::uint32_t number) const;
    [[nodiscard]] bool arrive(std::uint32_t from, std::uint32_t piece, Vec2 entry, Vec2 exit,
                              std::uint32_t number, bool& sooner);
    [[nodiscard]] bool cross_side(const Interval& at, std::uint32_t piece, double low, double high);
    [[nodiscard]] bool cross_from(std::uint32_t root, std::uint32_t piece, double low, double high);
    [[nodiscard]] bool pass_point(std::uint32_t root, std::uint32_t piece, double share);
    [[nodiscard]] bool pass_crossings(std::uint32_t root, std::uint32_t piece, double low, double high);
    [[nodiscard]] bool cross_stretch(std::uint32_t root, std::uint32_t piece, const SideClaims::Stretch& won);
    [[nodiscard]] bool leave_stretch(std::uint32_t root, std::uint32_t piece, const SideClaims::Way& way,
                                     const SideClaims::Stretch& won);
    [[nodiscard]] bool add_cone(Root root, Vec2 left, Vec2 right);
    [[nodiscard]] bool open_exit(const Interval& at);
    [[nodiscard]] bool is_closed(std::uint32_t polygon) const {
        return state_->is_closed(polygon, areas_closed_);
    }
    [[nodiscard]] std::uint32_t own_polygon(const Root& root) const {
        return root.kind == RootKind::start ? start_.polygon : state_->links.pieces[root.edge].polygon_out;
    }
    void note_distances(const Interval& at, std::uint32_t slot, std::uint32_t polygon);
    [[nodiscard]] bool open_interval(const Interval& at);
    [[nodiscard]] bool open_flat(const Interval& at, const TileView& view, std::uint32_t slot);
    [[nodiscard]] bool find_goals(const Interval& at, std::uint32_t polygon);
    [[nodiscard]] bool order_goals();
    [[nodiscard]] bool mark_blocks();
    [[nodiscard]] bool is_corner(EdgeRef edge);
    [[nodiscard]] std::uint32_t bend(const Interval& at, EdgeRef edge, Bend side);
    [[nodiscard]] std::uint32_t make_bend(const Interval& at, EdgeRef edge, Bend side);
    [[nodiscard]] std::uint32_t turn_at(EdgeRef edge);
    [[nodiscard]] bool find_filtered_corner(EdgeRef edge);
    [[nodiscard]] bool is_back(const Interval& at, Vec2 p) const;
    [[nodiscard]] bool find_goal(const Interval& at, std::uint32_t goal);
    [[nodiscard]] double estimate(const Interval& at, Vec2 u, Vec2 v) const;
    [[nodiscard]] double rest_at(EdgeRef edge) const;
    /// What is left to the goal from the vertex where a side of the tile starts, at least. Only if bounded_.
    [[nodiscard]] FAIRLEAD_INLINE double rest_of(const TileView& view, std::uint32_t side) const {
        const std::uint32_t vertex = view.vertices[side];
        std::int32_t steps = steps_between(view.far + std::size_t{vertex} * kLandmarksMax, goal_range_);
        // Rounded to the nearest one, and before that to floats.
        steps -= view.far_off == nullptr ? 1 : 1 + view.far_off[vertex];
        const double rest = steps * rest_step_;
        return rest < rest_cap_ ? rest : rest_cap_;
    }
    void bound_goal();
    [[nodiscard]] bool add(const Interval& at, Vec2 u, Vec2 v);
    /// All of the side `e`, seen from a root; weigh() it when its limits are known. There is room for it.
    [[nodiscard]] FAIRLEAD_INLINE Interval& find_side(const MeshEdge* e, const MeshEdge* next,
                                                      std::uint32_t root) {
        (void)found_.resize_uninitialized(found_.size() + 1);
        Interval& out = found_.back().at;
        out.edge = e->twin;
        out.root = root;
        out.left = next->from;
        out.right = e->from;
        out.left_limit = out.right_limit = Limit::at_end;
        out.goal = 0;
        return out;
    }
    [[nodiscard]] bool weigh(const TileView& view, const MeshEdge* e, const MeshEdge* next);
    [[nodiscard]] bool weigh_among(Vec2 u, Vec2 v, double past);
    /// Nothing is in sight of the start through its own polygon again. (A start on a vertex would see it, round and round.)
    [[nodiscard]] FAIRLEAD_INLINE bool is_own(const Interval& at) const {
        return at.root == 0 && state_->polygon_ref(at.edge) == start_.polygon;
    }
    [[nodiscard]] bool note_opened(const Interval& at, const TileView& view, std::uint32_t polygon);
    /// May a path bend where a side starts? Only is_corner() knows.
    [[nodiscard]] FAIRLEAD_INLINE bool may_be_corner(const MeshEdge& side) const {
        return side.corner != kNone || areas_closed_ != 0;
    }
    [[nodiscard]] static FAIRLEAD_INLINE std::uint32_t index_of(const TileView& view, const MeshEdge* side) {
        return static_cast<std::uint32_t>(side - view.edges);
    }
    [[nodiscard]] bool add_goal(const Interval& at, std::uint32_t root, std::uint32_t goal);
    [[nodiscard]] FAIRLEAD_INLINE bool may_cross(const TileView& at, const MeshEdge& side) const {
        if (side.twin == kNone) return false;
        if (width_ > 0.0F && at.gaps != nullptr && at.gaps[&side - at.edges] < width_) return false;
        if (areas_closed_ != 0 && state_->is_shut(side, areas_closed_)) return false;
        if (all_blocks_) return true;
        if ((side.block & kThroughFlag) != 0) return through_;
        if (stamp_of_tile_ != nullptr && stamp_of_tile_[side.block & kBlockMask] == stamp_) return true;
        return FAIRLEAD_UNLIKELY(links_ != nullptr) && leads_to_link(at, side);
    }

    void enter_tile(std::uint32_t slot) {
        stamp_of_tile_ = slot == slot_[0]   ? stamps_[0].data()
                         : slot == slot_[1] ? stamps_[1].data()
                                            : nullptr;
    }
    /// Below 0: right of the interval's right limit.
    [[nodiscard]] FAIRLEAD_INLINE double right_of(const Interval& at, Vec2 root, Vec2 p) const {
        return at.right_limit == Limit::tail ? side_of(at.right, root, p) : side_of(root, at.right, p);
    }
    /// Above 0: left of its left limit.
    [[nodiscard]] FAIRLEAD_INLINE double left_of(const Interval& at, Vec2 root, Vec2 p) const {
        return at.left_limit == Limit::tail ? side_of(at.left, root, p) : side_of(root, at.left, p);
    }

    [[nodiscard]] std::uint32_t best_found() const {
        std::uint32_t best = kNone;
        for (std::uint32_t i = 0; i < found_.size(); ++i) {
            if (best == kNone || found_[i].f < found_[best].f) best = i;
        }
        return best;
    }

    template <class Sink>
    void push_all(Cost g, Sink& sink, std::uint32_t but) {
        for (std::uint32_t i = 0; i < found_.size(); ++i) {
            if (i == but) continue;
            const Found& next = found_[i];
            const auto number = static_cast<std::uint32_t>(intervals_.size());
            if (!intervals_.push_back(next.at)) {
                failed_ = true;
                break;
            }
            const Cost there = fixed(roots_[next.at.root].g);
            pushed_h_ = next.f - there;
            if (FAIRLEAD_UNLIKELY(watch_.event != nullptr)) tell(TraceEventKind::generated, next.at, there);
            sink.add(number, there - g, 0);
        }
        found_.clear();
    }
    /// Below 2^62: the conversion of signed numbers is one instruction.
    [[nodiscard]] FAIRLEAD_INLINE Cost fixed(double cost) const {
        return static_cast<Cost>(static_cast<std::int64_t>(cost * units_));
    }

    const StateData* state_ = nullptr;
    const HeapOpen* open_ = nullptr;
    PathEnd start_{};
    std::span<const PathEnd> goals_{};
    std::uint64_t areas_closed_ = 0;
    float width_ = 0.0F;  ///< gates narrower than this are shut
    double units_ = 1.0;
    Cost pushed_h_ = 0;
    std::uint64_t opened_ = 0;
    bool failed_ = false;
    std::span<float* const> distances_{};  ///< not empty: a flood
    Within within_{};
    Passed passed_{};
    SearchTrace watch_{};
    bool all_blocks_ = false;  ///< no dead ends are left out
    bool through_ = true;      ///< paths may leave the tiles of start and goal
    const std::uint32_t* stamp_of_tile_ = nullptr;
    std::uint32_t stamp_ = 0;
    std::uint32_t slot_[2] = {kNone, kNone};  ///< the tiles of start and goal

    // Links. Null: there are none, or all are closed.
    const LinkTable* links_ = nullptr;
    LinkUse link_use_{};
    bool both_ways_ = false;  ///< a flood for landmarks
    double rest_cap_ = 0.0;   ///< landmarks say nothing beyond this: there are links that they do not know
    /// Links that are shorter than the straight line, as goals to aim at.
    struct CheapWay {
        Vec2 at{};
        double half = 0.0;  ///< of its width
        double rest = 0.0;  ///< at least that much from its entry to the goal
    };
    static constexpr std::uint32_t kCheapMax = 8;  ///< more of them are not worth an estimate each
    CheapWay cheap_[kCheapMax] = {};
    std::uint32_t cheap_count_ = 0;
    double cheap_cap_ = 0.0;  ///< the least cost of all that uses one of them, where they are too many
    /// Where a unit with a radius has room on both sides of a link.
    struct Range {
        std::uint32_t stamp = 0;
        double low = 0.0;
        double high = 0.0;  ///< below low: nowhere
    };

    Array<Interval> intervals_;
    Array<Root> roots_;
    Array<Found> found_;
    Array<Turn> turns_;               ///< by number of the corner; behind them those of filtered_
    Array<FilteredCorner> filtered_;  ///< a hash table
    std::uint32_t filtered_count_ = 0;
    EdgeRef filtered_wall_ = kNone;    ///< of the corner that was found last
    Array<std::uint32_t> goal_order_;  ///< the goals by polygon
    Array<std::uint8_t> reached_;      ///< by goal
    std::uint32_t bent_[2] = {};       ///< the roots at the ends of the interval that is being opened
    Array<Range> ranges_;              ///< by piece
    FloodWork flood_;
    SideClaims claims_;
    Array<SideClaims::Stretch> entered_;  ///< of the entry at hand
    Array<std::uint32_t> stamps_[2];      ///< by block of the start's and of the goal's tile
    LandmarkRange goal_range_{};          ///< of the goal
    bool bounded_ = false;                ///< by landmarks
    bool noting_ = false;  ///< there is more to ask of an opened polygon than whether the one goal is there
    std::uint32_t goal_polygon_ = kNone;  ///< of the one goal
    std::uint32_t rest_side_ =
        kNone;  ///< of the polygon that is being opened: from its start rest_known_ is left
    double rest_known_ = 0.0;
    double rest_step_ = 0.0;  ///< StateData::landmark_step
};

}  // namespace fairlead::mesh
