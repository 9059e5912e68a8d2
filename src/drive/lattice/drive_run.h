// DriveRun: one query of a turning unit over a DriveMap on its way, stage by stage: look at the ends, search the lattice, where it has
// no path look off it, and then for the place nearest the goal, write the chain of curves, smooth it.
#pragma once

#include <fairlead/drive/find_drive.h>

#include "drive/lattice/drive_work.h"
#include "drive/lattice/lattice_query.h"
#include "drive/map/map_data.h"
#include "search/run_state.h"

namespace fairlead::drive {

class DriveRun : public PoseRun<DriveRun> {
  public:
    explicit DriveRun(const Allocator&) {}

    /// Takes on a query; a malformed one is done at once, with its error. The memory is the scratch's DriveWork.
    void begin(const DriveMapState& map, const DriveQuery& query, const RunStart& with);
    /// No way to the goal was found, though the unit stands there.
    [[nodiscard]] bool is_cut_off() const { return no_way_ == PathStatus::unreachable; }
    [[nodiscard]] Result<void> take(Route& route);

  private:
    friend class PoseRun<DriveRun>;
    enum class Beyond : std::uint8_t { off_lattice, nearest };

    // What PoseRun asks of a world.
    void look_at_ends(std::uint64_t& budget);
    void begin_search(double weight);
    void search(std::uint64_t& budget);
    void search_beyond(std::uint64_t& budget) {
        beyond_ == Beyond::off_lattice ? search_off_lattice(budget) : look_nearby(budget);
    }
    void begin_chain(std::uint32_t last);
    void write_chain(std::uint64_t& budget);
    [[nodiscard]] bool fill_chain(std::uint32_t last);
    [[nodiscard]] bool takes_over();
    [[nodiscard]] std::uint32_t nearest_so_far() const { return work_->space.nearest(); }
    [[nodiscard]] double bound_of(double weight) const;
    [[nodiscard]] SearchStats search_stats() const { return stats_of(work_->engine); }
    [[nodiscard]] const CurveWorld& curves() const { return work_->goal.curves; }
    [[nodiscard]] static bool failed() { return false; }

    void prepare_search();
    void leave_lattice();
    void search_off_lattice(std::uint64_t& budget);
    void end_without_way(PathStatus status);
    void look_nearby(std::uint64_t& budget);
    [[nodiscard]] bool may_keep_to_corridor() const;
    void look_everywhere();
    [[nodiscard]] double measured_bound() const;

    const MapData* map_ = nullptr;
    LatticeQuery query_;
    SearchTrace trace_{};
    DriveWork* work_ = nullptr;
    Beyond beyond_ = Beyond::off_lattice;
    PathStatus no_way_ = PathStatus::complete;  // else why it is not the goal that is driven to
};

}  // namespace fairlead::drive
