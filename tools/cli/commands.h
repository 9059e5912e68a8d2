// The subcommands. Each adds itself to the program; its callback sets `status`, the program's exit status.
#pragma once

#include <CLI/CLI.hpp>

namespace fairlead::cli {

inline constexpr int kDone = 0;
inline constexpr int kCheckFailed = 1;
inline constexpr int kBadInput = 2;

void add_route(CLI::App& app, int& status);
void add_explain(CLI::App& app, int& status);
void add_classic(CLI::App& app, int& status);
void add_explore(CLI::App& app, int& status);
void add_batch(CLI::App& app, int& status);
void add_scen(CLI::App& app, int& status);
void add_verify(CLI::App& app, int& status);
void add_planners(CLI::App& app, int& status);
void add_sim(CLI::App& app, int& status);
void add_replay(CLI::App& app, int& status);
void add_bench(CLI::App& app, int& status);
void add_demo(CLI::App& app, int& status);
void add_bake(CLI::App& app, int& status);
void add_export(CLI::App& app, int& status);
void add_inspect(CLI::App& app, int& status);
void add_check(CLI::App& app, int& status);
void add_reseal(CLI::App& app, int& status);
void add_help(CLI::App& app, int& status);

}  // namespace fairlead::cli
