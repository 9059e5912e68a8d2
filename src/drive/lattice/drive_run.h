// DriveRun: one query of a turning unit over a DriveMap on its way, stage by stage: look at the ends, search the lattice, where it has
// no path look off it, and then for the place nearest the goal, write the chain of curves, smooth it.
#pragma once

#include <fairlead/drive/find_drive.h>

#include "drive/lattice/drive_work.h"
#include "drive/lattice/lattice_query.h"
#include "drive/map/map_data.h"
#include "search/run_state.h"

namespace fairlead::drive {

class DriveRun {
  public:
    explicit DriveRun(const Allocator&) {}

    /// Takes on a query; a malformed one is done at once, with its error. The memory is the scratch's DriveWork.
    void begin(const DriveMapState& map, const DriveQuery& query, const RunStart& with);
    [[nodiscard]] bool running() const { return at_.running(); }
    void work(std::uint64_t& budget);
    void give_up();

    [[nodiscard]] std::uint64_t expansions_max() const { return query_.expansions_max; }
    [[nodiscard]] bool has_route() const { return has_best() || leads_so_far(); }
    [[nodiscard]] SearchStats stats() const;
    /// No way to the goal was found, though the unit stands there.
    [[nodiscard]] bool is_cut_off() const { return no_way_ == PathStatus::unreachable; }
    [[nodiscard]] Result<void> take(Route& route);

  private:
    enum class Stage : std::uint8_t { ends, search, off_lattice, nearest, chain, smooth, done };

    void look_at_ends(std::uint64_t& budget);
    void prepare_search();
    void begin_search(double weight);
    void search(std::uint64_t& budget);
    void leave_lattice();
    void search_off_lattice(std::uint64_t& budget);
    void end_without_way(PathStatus status);
    void look_nearby(std::uint64_t& budget);
    void begin_chain(std::uint32_t last);
    void write_chain(std::uint64_t& budget);
    void pull_taut();
    void smooth(std::uint64_t& budget);
    void keep_best();
    void next_weight();
    [[nodiscard]] bool may_keep_to_corridor() const;
    void look_everywhere();
    [[nodiscard]] double measured_bound() const;
    void add_stats();
    void end_spent(bool smooths);
    /// A route to the goal is known. Of the anytime planner perhaps not yet the last one.
    [[nodiscard]] bool has_best() const;
    /// The budget is spent, and there is a path to the best pose so far.
    [[nodiscard]] bool leads_so_far() const;

    const MapData* map_ = nullptr;
    LatticeQuery query_;
    SearchTrace trace_{};
    RunState<Stage> at_;
    DriveWork* work_ = nullptr;
    double weight_ = 1.0;
    PathStatus no_way_ = PathStatus::complete;  // else why it is not the goal that is driven to
};

}  // namespace fairlead::drive
