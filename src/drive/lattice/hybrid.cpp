#include <fairlead/drive/hybrid.h>

#include <algorithm>
#include <cmath>

#include <fairlead/drive/find_drive.h>

#include "base/no_memory.h"
#include "drive/body/leg_check.h"
#include "drive/corners/simple_smoothing.h"
#include "drive/corners/tile_line.h"
#include "drive/cost/line_cost.h"
#include "drive/curves/few_turns.h"
#include "drive/curves/write_route.h"
#include "drive/ground/tile_way.h"
#include "drive/lattice/lattice_query.h"

namespace fairlead {

using drive::LegCheck;
using drive::MapData;
using drive::TileLine;
using drive::TileWay;

namespace {

constexpr std::size_t kTilesMax = 1000000;
constexpr std::int32_t kAheadMax = 64;
constexpr std::int32_t kGapMax = 100;

struct HybridWork {
    explicit HybridWork(const Allocator& allocator)
        : way(allocator), forward(allocator), backward(allocator), smoothed(allocator) {
        join.legs = Array<Leg>(allocator);
    }

    TileWay way;
    TileLine forward;
    TileLine backward;
    Route join;
    Array<Leg> smoothed;
};

Result<void> check_ends(const MapData& map, const Pose& start, const Pose& goal, std::int32_t ahead) {
    if (map.table().nodes() != DriveNodes::centres) return Error{ErrorCode::unsupported, -1, 0};
    if (map.has_roads()) return Error{ErrorCode::unsupported, -1, 1};
    if (!map.is_plain()) return Error{ErrorCode::unsupported, -1, 2};
    if (const Result<void> good = drive::check_spot(start, Field::start, Field::start_heading); !good)
        return good;
    if (const Result<void> good = drive::check_spot(goal, Field::goal, Field::goal_heading); !good)
        return good;
    if (ahead < 0 || ahead > kAheadMax) return Error{ErrorCode::out_of_range, Field::ahead, ahead};
    return {};
}

Result<void> check_tiles(const MapData& map, std::span<const TileCell> tiles) {
    if (tiles.empty()) return Error{ErrorCode::size_zero, Field::tiles};
    if (tiles.size() > kTilesMax)
        return Error{ErrorCode::size_limit, Field::tiles, static_cast<std::int64_t>(kTilesMax)};
    for (std::size_t i = 0; i < tiles.size(); ++i) {
        const TileCell& at = tiles[i];
        if (at.x < 0 || at.y < 0 || at.x >= map.edges().width() || at.y >= map.edges().height())
            return Error{ErrorCode::out_of_range, Field::tiles, static_cast<std::int64_t>(i), 0};
    }
    return {};
}

// Complete: there is something to search.
PathStatus look_at_ends(const LegCheck& check, const Pose& start, const Pose& goal) {
    if (!check.on_map(start.position) || !check.on_map(goal.position)) return PathStatus::off_world;
    if (!check.stands(start)) return PathStatus::start_blocked;
    return check.stands(goal) ? PathStatus::complete : PathStatus::goal_blocked;
}

Place place_of(const Pose& pose, const MapData& map) {
    return {{pose.position.x, pose.position.y, 0.0}, pose.heading_rad, map.options().layer};
}

void begin(Route& route, const MapData& map, const Pose& start, const char* planner) {
    route.clear();
    route.planner = planner;
    route.revision = map.options().revision;
    route.end = place_of(start, map);
}

void finish(Route& route, const MapData& map, const Pose& end, PathStatus status) {
    drive::finish_legs(map, nullptr, route.legs);
    route.status = status;
    route.end = place_of(end, map);
    for (const Leg& leg : route.legs) route.length += leg.length;
    route.cost = route.length;
    route.line_cost = drive::line_cost(map, route.legs.span());
}

// The whole of a forward line, and on to the goal if it arrives.
bool write_line(const TileLine& line, const MapData& map, const Pose& goal, Route& route) {
    const std::size_t last = line.chain().size() - 1;
    if (!line.append_entry(route.legs) || !line.append(0, last, route.legs)) return false;
    if (!line.arrives()) {
        finish(route, map, line.pose(line.chain()[last]), PathStatus::partial);
        return true;
    }
    if (!line.append_exit(route.legs)) return false;
    finish(route, map, goal, PathStatus::complete);
    return true;
}

// Stage 8, the article's simple smoothing.
bool smooth(const MapData& map, const HybridQuery& query, HybridWork& work, Route& route) {
    if (!query.smooth) return true;
    const double radius = map.table().options().agent.turning_radius;
    if (!drive::smooth_simply(LegCheck(map), radius, route.legs.span(), query.goal, work.smoothed))
        return false;
    if (!route.legs.resize_uninitialized(work.smoothed.size())) return false;
    std::copy(work.smoothed.begin(), work.smoothed.end(), route.legs.begin());
    return true;
}

// Stages 3 to 7: two pieces and what joins them.
class Joiner {
  public:
    Joiner(const DriveMapState& map, const HybridQuery& query, HybridWork& work, HybridDrive& out)
        : state_(map),
          map_(map.data()),
          query_(query),
          work_(work),
          out_(out),
          keep_(work.forward.chain().size()),
          from_(0),
          end_(work.backward.chain().size()) {}

    /// False: too far apart.
    [[nodiscard]] bool near_enough() const { return gap(end_of_a(), beginning_of_b()) <= query_.gap; }

    // In turn A gives up its last pose and B its first, as long as they stay near.
    void shorten() {
        bool turn_of_a = true;
        for (int stuck = 0; stuck < 2; turn_of_a = !turn_of_a) {
            ++stuck;
            if (turn_of_a && keep_ > 0) {
                --keep_;
                if (gap(end_of_a(), beginning_of_b()) < query_.gap) {
                    stuck = 0;
                } else {
                    ++keep_;
                }
            } else if (!turn_of_a && from_ < end_) {
                ++from_;
                if (gap(end_of_a(), beginning_of_b()) < query_.gap) {
                    stuck = 0;
                } else {
                    --from_;
                }
            }
        }
    }

    [[nodiscard]] Result<void> join(Scratch& scratch) {
        const double cell = map_.table().options().cell_size;
        const DriveQuery query{.start = end_of_a(),
                               .goal = beginning_of_b(),
                               .cusp_penalty = cell,
                               .pivot_penalty = 2.0 * cell,
                               .expansions_max = query_.join_expansions_max};
        return find_route_into(state_, query, scratch, work_.join);
    }

    /// Stages 7 and 8.
    [[nodiscard]] bool write() {
        Route& route = out_.route;
        const TileLine& a = work_.forward;
        const TileLine& b = work_.backward;
        if (keep_ > 0 && !(a.append_entry(route.legs) && a.append(0, keep_ - 1, route.legs))) return false;
        for (const Leg& leg : work_.join.legs) {
            if (!route.legs.push_back(leg)) return false;
        }
        if (from_ < end_ && !(b.append(from_, end_ - 1, route.legs) && b.append_exit(route.legs)))
            return false;
        if (!smooth(map_, query_, work_, route)) return false;
        finish(route, map_, query_.goal, PathStatus::complete);
        route.cost = route.line_cost + work_.join.cost - work_.join.line_cost;
        return true;
    }

  private:
    // The exact ends where nothing of a piece is left.
    [[nodiscard]] Pose end_of_a() const {
        return keep_ > 0 ? work_.forward.pose(work_.forward.chain()[keep_ - 1]) : query_.start;
    }
    [[nodiscard]] Pose beginning_of_b() const {
        return from_ < end_ ? work_.backward.pose(work_.backward.chain()[from_]) : query_.goal;
    }
    // In tiles, on the longer axis.
    [[nodiscard]] double gap(const Pose& a, const Pose& b) const {
        const Vec2 way = (b.position - a.position) * (1.0 / map_.table().lattice_size());
        return std::max(std::abs(way.x), std::abs(way.y));
    }

    const DriveMapState& state_;
    const MapData& map_;
    const HybridQuery& query_;
    HybridWork& work_;
    HybridDrive& out_;
    std::size_t keep_;  // poses of A
    std::size_t from_;  // first pose of B
    std::size_t end_;
};

Result<void> join_pieces(const DriveMapState& map, const HybridQuery& query, HybridWork& work,
                         Scratch& scratch, HybridDrive& out) {
    Joiner joiner(map, query, work, out);
    out.route.status = PathStatus::budget_spent;
    out.stage = HybridStage::gap;
    if (!joiner.near_enough()) return {};
    joiner.shorten();
    out.stage = HybridStage::join;
    if (const Result<void> done = joiner.join(scratch); !done) return done;
    out.expanded_join = work.join.stats.expanded;
    if (work.join.status != PathStatus::complete) return {};
    out.stage = HybridStage::complete;
    return joiner.write() ? Result<void>{} : Result<void>{kNoMemory};
}

Result<void> find(const DriveMapState& state, const HybridQuery& query, HybridWork& work, Scratch& scratch,
                  HybridDrive& out) {
    const MapData& map = state.data();
    const LegCheck check(map);
    out.route.status = look_at_ends(check, query.start, query.goal);
    if (out.route.status != PathStatus::complete) return {};
    const TileCell from = drive::cell_at(check.free(), check.frame().in_cells(query.start).position);
    const TileCell to = drive::cell_at(check.free(), check.frame().in_cells(query.goal).position);
    out.stage = HybridStage::tiles;
    const TileWay::Found found = work.way.find(check, 4, from, to, {});
    if (found == TileWay::Found::no_memory) return kNoMemory;
    out.expanded_tiles = work.way.expanded();
    out.route.status = PathStatus::unreachable;
    if (found == TileWay::Found::no) return {};
    const std::span<const TileCell> tiles = work.way.cells();
    out.tiles = static_cast<std::int64_t>(tiles.size());
    if (!work.forward.run(map, query.start, query.goal, tiles, query.ahead, false)) return kNoMemory;
    out.expanded_forward = work.forward.expanded();
    out.furthest = work.forward.furthest();
    if (work.forward.arrives()) {
        out.stage = HybridStage::forward;
        const bool good =
            write_line(work.forward, map, query.goal, out.route) && smooth(map, query, work, out.route);
        if (!good) return kNoMemory;
        out.route.length = 0.0;
        finish(out.route, map, query.goal, PathStatus::complete);
        return {};
    }
    if (!work.backward.run(map, query.start, query.goal, tiles, query.ahead, true)) return kNoMemory;
    out.expanded_backward = work.backward.expanded();
    out.nearest = work.backward.furthest();
    return join_pieces(state, query, work, scratch, out);
}

}  // namespace

const char* hybrid_stage_name(HybridStage stage) {
    switch (stage) {
        case HybridStage::ends: return "ends";
        case HybridStage::tiles: return "tiles";
        case HybridStage::forward: return "forward";
        case HybridStage::gap: return "gap";
        case HybridStage::join: return "join";
        case HybridStage::complete: return "complete";
    }
    return "unknown";
}

Result<void> drive_along_tiles_into(const DriveMapState& state, const TileDriveQuery& asked, Scratch& scratch,
                                    TileDrive& out) {
    const MapData& map = state.data();
    const TileDriveQuery query = drive::with_few_turns(asked);
    begin(out.route, map, query.start, "tile_drive");
    out.furthest = -1;
    out.expanded = 0;
    if (const Result<void> good = check_ends(map, query.start, query.goal, query.ahead); !good) return good;
    if (const Result<void> good = check_tiles(map, query.tiles); !good) return good;
    auto* work = scratch.get<HybridWork>();
    if (work == nullptr) return kNoMemory;
    out.route.status = look_at_ends(LegCheck(map), query.start, query.goal);
    if (out.route.status != PathStatus::complete) return {};
    TileLine& line = work->forward;
    if (!line.run(map, query.start, query.goal, query.tiles, query.ahead, false)) return kNoMemory;
    out.furthest = line.furthest();
    out.expanded = line.expanded();
    out.route.stats.expanded = line.expanded();
    out.route.status = PathStatus::unreachable;
    if (line.furthest() < 0 || write_line(line, map, query.goal, out.route)) return {};
    out.route.clear();
    return kNoMemory;
}

Result<TileDrive> drive_along_tiles(const DriveMapState& map, const TileDriveQuery& query, Scratch& scratch) {
    TileDrive out;
    if (const Result<void> done = drive_along_tiles_into(map, query, scratch, out); !done)
        return done.error();
    return out;
}

Result<void> find_hybrid_into(const DriveMapState& state, const HybridQuery& asked, Scratch& scratch,
                              HybridDrive& out) {
    const MapData& map = state.data();
    const HybridQuery query = drive::with_few_turns(asked);
    begin(out.route, map, query.start, "hybrid");
    out.stage = HybridStage::ends;
    out.tiles = 0;
    out.furthest = out.nearest = -1;
    out.expanded_tiles = out.expanded_forward = out.expanded_backward = out.expanded_join = 0;
    if (const Result<void> good = check_ends(map, query.start, query.goal, query.ahead); !good) return good;
    if (query.gap < 1 || query.gap > kGapMax) return Error{ErrorCode::out_of_range, Field::gap, query.gap};
    auto* work = scratch.get<HybridWork>();
    if (work == nullptr) return kNoMemory;
    const Result<void> done = find(state, query, *work, scratch, out);
    out.route.stats.expanded =
        out.expanded_tiles + out.expanded_forward + out.expanded_backward + out.expanded_join;
    if (!done) out.route.clear();
    return done;
}

Result<HybridDrive> find_hybrid(const DriveMapState& map, const HybridQuery& query, Scratch& scratch) {
    HybridDrive out;
    if (const Result<void> done = find_hybrid_into(map, query, scratch, out); !done) return done.error();
    return out;
}

}  // namespace fairlead
