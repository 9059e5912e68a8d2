// What a suite of measurements is: it adds figures to a report. Suites compare with peers in one run, because absolute
// times move by more than most differences from machine to machine and from hour to hour.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace fairlead::bench {

/// One number: what was measured of whom in which world.
struct Figure {
    std::string world;    ///< the row of a table: "arena2", "own town 511"; or a planner
    std::string subject;  ///< its column: a planner, a peer, an operation
    std::string what;     ///< which table: "mean", "an expansion", ...
    std::string unit;     ///< "us", "x", ...; empty for counts
    double value = 0.0;
};

struct SuiteOptions {
    std::string data;    ///< folder of the published maps; empty: worlds of our own only
    bool quick = false;  ///< small worlds of our own and few queries, for tests of the suites themselves
    bool large = false;  ///< `hierarchy` alone, on 16384 x 16384 cells: 2 GB of memory
};

class Report {
  public:
    /// They see each figure and each remark as it comes; may be empty.
    explicit Report(std::function<void(const Figure&)> on_figure = {},
                    std::function<void(const std::string&)> on_note = {})
        : on_figure_(std::move(on_figure)), on_note_(std::move(on_note)) {}

    void add(const std::string& world, const std::string& subject, const std::string& what, double value,
             const std::string& unit);
    /// What a reader should know that is no figure: what was left out, and why.
    void note(const std::string& text) const {
        if (on_note_) on_note_(text);
    }
    [[nodiscard]] const std::vector<Figure>& figures() const { return figures_; }

  private:
    std::function<void(const Figure&)> on_figure_;
    std::function<void(const std::string&)> on_note_;
    std::vector<Figure> figures_;
};

struct Suite {
    const char* name;
    const char* what;  ///< one line
    void (*run)(const SuiteOptions& options, Report& report);
};

[[nodiscard]] std::span<const Suite> suites();
/// Null if there is none of this name.
[[nodiscard]] const Suite* find_suite(const std::string& name);

/// The folder of published data: `given`, else FAIRLEAD_DATA, else ../shared/data beside the repository; empty if there
/// is none.
[[nodiscard]] std::string data_folder(const std::string& given);

/// The figures file of a suite: machine, command, figures. The tables of docs/performance.md are made from these.
[[nodiscard]] std::string figures_json(const Suite& suite, const std::vector<Figure>& figures);

// One file each, of the suite's name.
void run_tiles(const SuiteOptions& options, Report& report);
void run_hierarchy(const SuiteOptions& options, Report& report);
void run_planners(const SuiteOptions& options, Report& report);
void run_radii(const SuiteOptions& options, Report& report);
void run_sealed(const SuiteOptions& options, Report& report);
void run_edits(const SuiteOptions& options, Report& report);
void run_dynamic(const SuiteOptions& options, Report& report);
void run_smooth(const SuiteOptions& options, Report& report);
void run_build(const SuiteOptions& options, Report& report);
void run_curves(const SuiteOptions& options, Report& report);
void run_turning(const SuiteOptions& options, Report& report);
void run_turning_large(const SuiteOptions& options, Report& report);
void run_budget(const SuiteOptions& options, Report& report);
void run_memory(const SuiteOptions& options, Report& report);
void run_meshes(const SuiteOptions& options, Report& report);
void run_mesh_bake(const SuiteOptions& options, Report& report);
void run_mesh_obstacles(const SuiteOptions& options, Report& report);
void run_voxels(const SuiteOptions& options, Report& report);
void run_volume_data(const SuiteOptions& options, Report& report);
void run_schedule(const SuiteOptions& options, Report& report);
void run_flow(const SuiteOptions& options, Report& report);
void run_explore(const SuiteOptions& options, Report& report);
void run_crowd(const SuiteOptions& options, Report& report);

}  // namespace fairlead::bench
