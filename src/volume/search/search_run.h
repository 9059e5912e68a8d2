// SearchRun: one query on its way. A search from the start; where it gets lost, a coarse one from the goal and a guided one; the polish;
// where the way is long against open space, the same from the other end. Of several goals one after the other, the nearest first, until the
// next is farther away than the best way is long. A sphere wider than half a voxel that gets lost is first asked
// whether there is a way at all (wide/wide_way.h); where voxels' middles do not lead there, that search has the way too.
// With prices the way found so is compared with that of a search for cheaper ones, and bends are slid again.
#pragma once

#include <cstdint>
#include <optional>

#include <fairlead/base/digest.h>
#include <fairlead/volume/find_route.h>

#include "search/run_state.h"
#include "volume/search/coarse.h"
#include "volume/search/goal_list.h"
#include "volume/search/lazy_theta.h"
#include "volume/search/polish.h"
#include "volume/search/voxel_search.h"
#include "volume/wide/wide_way.h"

namespace fairlead::volume {

class SearchRun {
  public:
    explicit SearchRun(const Allocator& allocator)
        : blockers_(allocator),
          prices_(allocator),
          masks_(allocator),
          goals_(allocator),
          theta_(allocator),
          wide_(allocator),
          coarse_(allocator),
          voxels_(allocator),
          polisher_(allocator),
          way_(allocator),
          best_(allocator),
          winner_(allocator) {}
    SearchRun(const SearchRun&) = delete;
    SearchRun& operator=(const SearchRun&) = delete;

    void begin(const VolumeState& volume, const VolumeQuery& query, const RunStart& with);
    [[nodiscard]] bool running() const { return at_.running(); }
    void work(std::uint64_t& budget);
    void give_up() { end_spent(); }

    [[nodiscard]] std::uint64_t expansions_max() const { return query_.expansions_max; }
    [[nodiscard]] bool has_route() const;
    [[nodiscard]] SearchStats stats() const;
    [[nodiscard]] Result<void> take(Route& route);

  private:
    enum class Stage : std::uint8_t {
        prepare,
        goals,
        voxels,
        search,
        wide,
        coarse,
        guided,
        polish,
        again,
        polish_again,
        polish_best,
        priced,
        polish_priced,
        done
    };

    [[nodiscard]] Result<void> check() const;
    [[nodiscard]] Result<void> check_goal() const;

    void prepare();
    void settle_goals(std::uint64_t& budget);
    void next_goal(PathStatus of_this);
    [[nodiscard]] bool note_way();
    void take_winner();
    [[nodiscard]] bool cut_at_range();
    [[nodiscard]] bool in_range(Vec3 at) const;
    void begin_goal();
    void begin_search(Stage stage, const CoarseSearch* guide);
    [[nodiscard]] bool wants_again() const;
    void search(std::uint64_t& budget);
    void search_wide(std::uint64_t& budget);
    void begin_wide();
    void begin_off_middles();
    void take_wide_way();
    void begin_coarse();
    void search_coarse(std::uint64_t& budget);
    void search_voxels(std::uint64_t& budget);
    void found();
    void begin_first_polish();
    void begin_long_polish(Stage stage);
    void begin_polish(Stage stage, std::uint32_t base, std::uint32_t bend);
    void polish(std::uint64_t& budget);
    [[nodiscard]] bool has_prices() const { return !prices_.empty(); }
    [[nodiscard]] double least_rate() const { return has_prices() ? prices_.least() : 1.0; }
    [[nodiscard]] double price_of(std::span<const Vec3> way);
    void begin_priced();
    void search_priced(std::uint64_t& budget);
    void polish_priced(std::uint64_t& budget);
    void end_try();
    void finish();
    void end_spent();
    void leave_search();
    /// Of this try, which has `most` expansions.
    SearchProgress step_theta(std::uint64_t& budget, std::uint64_t most);

    VolumeState state_{};
    VolumeQuery query_{};
    SearchTrace trace_{};
    RunState<Stage> at_;
    BlockerTree blockers_;
    Prices prices_;
    Masks masks_;
    Body body_{};
    Vec3 metric_{1, 1, 1};
    WayEnd start_{};
    WayEnd goal_{};
    std::optional<Settler> settler_;
    GoalList goals_;
    std::size_t goal_at_ = 0;  ///< of goals_: the one at hand
    Vec3 begins_{};            ///< voxels: where the unit is, and where it goes, exactly
    Vec3 ends_{};
    double straight_ = 0.0;
    double open_length_ = 0.0;  ///< of the way from voxel to voxel if all were open
    LazyTheta theta_;
    WideWay wide_;
    CoarseSearch coarse_;
    VoxelSearch voxels_;
    double found_length_ = 0.0;  ///< of the way from voxel to voxel, sides
    Polisher polisher_;
    Array<Vec3> way_;
    Array<Vec3> best_;
    double best_length_ = 0.0;
    Array<Vec3> winner_;  ///< of the goals before this one, the best way
    double winner_length_ = 0.0;
    Vec3 winner_ends_{};
    std::size_t winner_goal_ = 0;
    bool has_winner_ = false;
    bool better_ = false;  ///< the priced polish at hand is of way_
    bool priced_ = false;  ///< the way to the goal at hand has been compared with cheaper ones
    bool guided_ = false;
    bool searched_ = false;    ///< theta_ has a place nearest the goal
    bool back_ = false;        ///< the search at hand is from the goal
    std::uint32_t tries_ = 0;  ///< begun, after the first way was found
    std::uint64_t used_ = 0;   ///< expansions of the search at hand
    SearchStats before_{};     ///< of searches before it
};

}  // namespace fairlead::volume
