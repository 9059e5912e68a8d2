// The program `fairlead`: reads the arguments, runs one subcommand, turns failures into one line and a status.

#include <csignal>
#include <cstdio>
#include <exception>
#include <new>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <fairlead/version.h>

#include "cli/commands.h"
#include "cli/failure.h"
#include "cli/limits.h"
#include "cli/numbers.h"
#include "cli/suggest.h"

namespace {

using namespace fairlead::cli;

constexpr const char* kFooter =
    "Exit status: 0 done (an unreachable goal is an answer), 1 a check failed, 2 bad usage or bad input.";

std::string one_line(std::string text) {
    for (char& c : text) {
        if (c == '\n') c = ' ';
    }
    return text;
}

/// "fairlead" or "fairlead route": what a message starts with.
std::string program_name(const CLI::App& app) {
    const auto used = app.get_subcommands();
    if (used.empty()) return "fairlead";
    const auto inner = used.front()->get_subcommands();
    return "fairlead " + used.front()->get_name() + (inner.empty() ? "" : " " + inner.front()->get_name());
}

int run(CLI::App& app, int argc, char** argv, int& status) {
    try {
        app.parse(argc, argv);
        return status;
    } catch (const CLI::Success& asked) {  // --help, --version
        return app.exit(asked);
    } catch (const CLI::ParseError& error) {
        fmt::print(stderr, "{}: {}\n", program_name(app), one_line(usage_error(app, error)));
    } catch (const Failure& failure) {
        fmt::print(stderr, "{}: {}\n", program_name(app), failure.line);
    } catch (const std::bad_alloc&) {
        fmt::print(stderr, "{}: out of memory\n", program_name(app));
    } catch (const std::exception& error) {
        fmt::print(stderr, "{}: {}\n", program_name(app), one_line(error.what()));
    }
    return kBadInput;
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app{"Pathfinding for any unit through any world.", "fairlead"};
    app.footer(kFooter);
    app.set_version_flag("-v,--version", "fairlead " FAIRLEAD_VERSION_TEXT, "Print the version and exit");
    app.require_subcommand(1);
    int status = kDone;
    add_demo(app, status);
    add_route(app, status);
    add_explain(app, status);
    add_classic(app, status);
    add_explore(app, status);
    add_batch(app, status);
    add_scen(app, status);
    add_verify(app, status);
    add_bake(app, status);
    add_export(app, status);
    add_inspect(app, status);
    add_check(app, status);
    add_reseal(app, status);
    add_planners(app, status);
    add_sim(app, status);
    add_replay(app, status);
    add_bench(app, status);
    add_help(app, status);
    check_numbers(app);
    name_types(app);
    for (CLI::App* sub : app.get_subcommands({})) {
        const std::vector<CLI::App*> inner = sub->get_subcommands({});
        for (CLI::App* leaf : inner) add_limits(*leaf);
        if (inner.empty()) add_limits(*sub);
    }
#ifdef SIGXFSZ
    std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is a failed write
#endif
    return run(app, argc, argv, status);
}
