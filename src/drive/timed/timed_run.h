// TimedRun: one timed query over a DriveMap on its way, stage by stage: look at the ends, search places, headings and speeds, pull the
// path taut. Where there is no way to the goal, and a partial one is asked for: to the place nearest to it.
#pragma once

#include <fairlead/drive/find_timed.h>

#include "drive/lattice/lattice_query.h"
#include "drive/timed/timed_work.h"
#include "search/run_state.h"

namespace fairlead::drive {

class TimedRun {
  public:
    explicit TimedRun(const Allocator&) {}

    /// Takes on a query; a malformed one is done at once, with its error. The memory is the scratch's DriveWork and TimedWork.
    void begin(const DriveMapState& map, const TimedQuery& query, const RunStart& with);
    [[nodiscard]] bool running() const { return at_.running(); }
    void work(std::uint64_t& budget);
    void give_up() { end_spent(false); }

    [[nodiscard]] std::uint64_t expansions_max() const { return query_.expansions_max; }
    [[nodiscard]] bool has_route() const {
        return !at_.failed() && !at_.running() && (has_legs_ || at_.status == PathStatus::partial);
    }
    [[nodiscard]] SearchStats stats() const { return work_ != nullptr ? work_->stats : SearchStats{}; }
    [[nodiscard]] Result<void> take(Route& route);

  private:
    enum class Stage : std::uint8_t { ends, nearest, search, smooth, done };

    void begin_ends(bool goal_curves);
    void look_at_ends(std::uint64_t& budget);
    void look_nearby(std::uint64_t& budget);
    void end_without_way(PathStatus status);
    void end_too_fast(bool told);
    void prepare_search();
    [[nodiscard]] bool begin_search();
    void search(std::uint64_t& budget);
    void found();
    void smooth(std::uint64_t& budget);
    void end_spent(bool smooths);
    void pull_taut(PathStatus status);
    [[nodiscard]] bool take_path(std::uint32_t node);
    [[nodiscard]] double end_squared() const;

    const MapData* map_ = nullptr;
    const SpeedTable* times_ = nullptr;
    TimedQuery query_;
    LatticeQuery drive_;  ///< the same without speeds
    SearchTrace trace_{};
    RunState<Stage> at_;
    PathStatus result_ = PathStatus::complete;  ///< once it is smoothed
    PathStatus no_way_ =
        PathStatus::complete;  ///< but for complete: why it is the place nearest the goal that is driven to
    DriveWork* ends_ = nullptr;
    TimedWork* work_ = nullptr;
    bool exact_start_ = true;  ///< its speed is a level
    bool searched_ = false;
    bool has_legs_ = false;
    bool so_far_ = false;  ///< it leads to the best pose so far
    bool too_fast_ = false;
};

}  // namespace fairlead::drive
