// A heuristic of turning units against the truth, from poses drawn at random.
#include <fairlead/drive/check_heuristic.h>

#include <fairlead/base/rng.h>

#include "base/no_memory.h"
#include "drive/lattice/drive_run.h"
#include "drive/lattice/drive_work.h"
#include "drive/map/map_frame.h"
#include "route/heuristic_tally.h"
#include "search/run_search.h"

namespace fairlead {

namespace {

constexpr std::uint32_t kStartsMost = 1'000'000;
constexpr std::uint32_t kDraws = 200;  // of a pose where the body stands

class HeuristicCheck {
  public:
    HeuristicCheck(const DriveMapState& map, Scratch& scratch, HeuristicReport& report)
        : map_(map), data_(map.data()), frame_(map.data()), scratch_(scratch), tally_(report) {
        route_.legs = Array<Leg>(scratch.allocator());
        route_.speeds = Array<SpeedKnot>(scratch.allocator());
    }

    [[nodiscard]] bool draw(Rng& rng, drive::LatticePose& at) const {
        const EdgeMap& edges = data_.edges();
        for (std::uint32_t i = 0; i < kDraws; ++i) {
            at.x = rng.between(0, edges.width() - 1);
            at.y = rng.between(0, edges.height() - 1);
            at.heading = rng.between(0, data_.table().headings() - 1);
            if (edges.stands(at.x, at.y, at.heading)) return true;
        }
        return false;
    }

    [[nodiscard]] Result<void> compare(DriveQuery query, const drive::LatticePose& at) {
        const Place place = place_of(at);
        query.start = Spot{};
        query.start = Spot(place);
        query.planner = DrivePlanner::lattice;
        query.goal_curves = query.smooth = query.partial = false;
        query.off_lattice_max = 0;
        DriveQuery plain = query;
        plain.heuristic = DriveHeuristic::zero;
        if (const Result<void> done = run(plain); !done) return done;
        const bool joined = route_.status == PathStatus::complete;
        const double truth = route_.cost;
        if (const Result<void> done = run(query); !done) return done;
        auto* work = scratch_.get<drive::DriveWork>();
        if (work == nullptr) return kNoMemory;
        if (!joined || route_.status != PathStatus::complete) return {};
        Cost least = kCostMax;
        for (const drive::LatticeStart& start : work->starts) {
            const Cost whole = start.cost + work->lattice.least_left(state_of(*work, start.pose));
            if (whole < least) least = whole;
        }
        tally_.place(place, in_world(*work, least), truth);
        look_at_steps(*work);
        return {};
    }

  private:
    [[nodiscard]] Result<void> run(const DriveQuery& query) {
        auto* search = scratch_.get<drive::DriveRun>();
        if (search == nullptr) return kNoMemory;
        const SearchHooks hooks{};
        search->begin(map_, query, {hooks, scratch_});
        run_to_end(*search, hooks);
        return take_result(*search, route_);
    }

    // Of the tree that the search made, where both ends were opened.
    void look_at_steps(const drive::DriveWork& work) {
        const drive::BlockNodes& nodes = work.nodes;
        const std::uint32_t count = work.lattice.goal_state();
        for (std::uint32_t state = 0; state < count; ++state) {
            if (nodes.find(state) == kNoNode || nodes[state].closed == 0) continue;
            const std::uint32_t from = nodes[state].parent;
            if (from == kNoNode || nodes[from].closed == 0 || nodes[from].g > nodes[state].g) continue;
            tally_.step(place_of(work.lattice.code().pose(from)), place_of(work.lattice.code().pose(state)),
                        in_world(work, work.lattice.least_left(from)),
                        in_world(work, nodes[state].g - nodes[from].g),
                        in_world(work, work.lattice.least_left(state)));
        }
    }

    [[nodiscard]] std::uint32_t state_of(const drive::DriveWork& work, const drive::LatticePose& at) const {
        return work.lattice.code().state(at.x, at.y, at.heading, at.gear);
    }
    [[nodiscard]] double in_world(const drive::DriveWork& work, Cost cost) const {
        return static_cast<double>(cost) / static_cast<double>(work.scale.straight) * frame_.size;
    }
    [[nodiscard]] Place place_of(const drive::LatticePose& at) const {
        const Pose cells = data_.table().node(at.x, at.y, at.heading);
        const Pose world = frame_.to_world(cells);
        return {
            {world.position.x, world.position.y, 0.0}, world.heading_rad, frame_.layer_at(cells.position.y)};
    }

    const DriveMapState& map_;
    const drive::MapData& data_;
    drive::MapFrame frame_;
    Scratch& scratch_;
    HeuristicTally tally_;
    Route route_;
};

}  // namespace

Result<HeuristicReport> check_heuristic(const DriveMapState& map, const DriveQuery& query, Scratch& scratch,
                                        const HeuristicSamples& samples) {
    if (samples.starts > kStartsMost)
        return Error{ErrorCode::out_of_range, Field::places, samples.starts, kStartsMost};
    const ScratchLease lease(scratch);
    if (!lease) return kScratchInUse;
    HeuristicReport report;
    HeuristicCheck check(map, scratch, report);
    Rng rng(samples.seed);
    for (std::uint32_t i = 0; i < samples.starts; ++i) {
        drive::LatticePose at;
        if (!check.draw(rng, at)) return report;
        if (const Result<void> done = check.compare(query, at); !done) return done.error();
    }
    return report;
}

}  // namespace fairlead
