// SearchRun: one tile query on its way, stage by stage: prepare, where asked look for the nearest place, search, smooth.
#pragma once

#include <utility>

#include <fairlead/grid/find_route.h>

#include "grid/work.h"
#include "search/run_state.h"

namespace fairlead::grid {

class SearchRun {
  public:
    explicit SearchRun(const Allocator& allocator) : work_(allocator) {}

    /// Takes on a query; a malformed one is done at once, with its error.
    void begin(const GridState& grid, const GridQuery& query, const RunStart& with);
    [[nodiscard]] bool running() const { return at_.running(); }
    void work(std::uint64_t& budget);
    void give_up();
    /// Once, where a way over clusters is found and not yet unpacked.
    [[nodiscard]] bool pauses() { return std::exchange(pause_, false); }

    [[nodiscard]] std::uint64_t expansions_max() const { return query_.expansions_max; }
    [[nodiscard]] bool has_route() const;
    [[nodiscard]] SearchStats stats() const { return work_.stats; }
    [[nodiscard]] Result<void> take(Route& route);

  private:
    enum class Stage : std::uint8_t { prepare, nearest, half, search, lay, smooth, done };

    void reset_work();
    void prepare(std::uint64_t& budget);
    void end_prepare();
    void search_without_index();
    [[nodiscard]] PathStatus no_way() const;
    void begin_search();
    void ask_half();
    void work_at_half(std::uint64_t& budget);
    void look_nearby(std::uint64_t& budget);
    void search(std::uint64_t& budget);
    void end_search(SliceEnd end);
    void end_path();
    void lay_route();
    void smooth(std::uint64_t& budget);
    [[nodiscard]] bool begin_section();
    [[nodiscard]] bool end_section();
    [[nodiscard]] bool make_points();
    [[nodiscard]] bool keep_points();
    [[nodiscard]] bool lead_to_best();
    [[nodiscard]] bool shows_best() const;
    [[nodiscard]] Result<void> take_best(Route& route);
    [[nodiscard]] bool show_first_legs();
    [[nodiscard]] bool show_points();
    [[nodiscard]] const char* planner() const;

    GridState grid_;
    GridQuery query_;
    RunState<Stage> at_;
    GridWork work_;
    bool asks_half_ = false;  ///< where cells find no path, the half lattice is still to be asked
    bool partial_ = false;    ///< what the query says
    bool pause_ = false;
};

}  // namespace fairlead::grid
