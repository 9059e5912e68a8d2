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
    std::string world;    ///< "arena2", "random 25 % 512"
    std::string subject;  ///< a planner, a peer, an operation
    std::string what;     ///< "mean", "ratio", ...
    std::string unit;     ///< "us", "x", "bytes/cell", ...; empty for counts
    double value = 0.0;
};

struct SuiteOptions {
    std::string data;    ///< folder of the published maps; empty: worlds of our own only
    bool quick = false;  ///< a tenth of the work, for tests of the suites themselves
};

class Report {
  public:
    /// `on_figure` sees each figure as it comes; may be empty.
    explicit Report(std::function<void(const Figure&)> on_figure = {}) : on_figure_(std::move(on_figure)) {}

    void add(const std::string& world, const std::string& subject, const std::string& what, double value,
             const std::string& unit);
    [[nodiscard]] const std::vector<Figure>& figures() const { return figures_; }

  private:
    std::function<void(const Figure&)> on_figure_;
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

/// The figures file of a suite: machine, command, figures. docs/performance.md is made from these.
[[nodiscard]] std::string figures_json(const Suite& suite, const std::vector<Figure>& figures, bool quick);

// One file each.
void run_tiles(const SuiteOptions& options, Report& report);
void run_edits(const SuiteOptions& options, Report& report);
void run_dynamic(const SuiteOptions& options, Report& report);
void run_build(const SuiteOptions& options, Report& report);
void run_memory(const SuiteOptions& options, Report& report);
void run_smooth(const SuiteOptions& options, Report& report);

}  // namespace fairlead::bench
