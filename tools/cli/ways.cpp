// Several ways instead of one.

#include "cli/ways.h"

#include <fmt/format.h>

#include <fairlead/formats/routes.h>

#include "cli/text.h"
#include "cli/world.h"

namespace fairlead::cli {

namespace {

void check_range(const char* flag, double value, double least, double most) {
    if (value < least || value > most) fail(fmt::format("{}: {} is not {} to {}", flag, value, least, most));
}

}  // namespace

void WaysFlags::add(CLI::App& app) {
    app_ = &app;
    const auto in_group = [](CLI::Option* option) { option->group("Several ways"); };
    in_group(
        app.add_option("--alternatives", count_,
                       "So many ways that differ, by --seed; as many as there are, the best first (1 to 64)")
            ->check(CLI::Range(1, 64)));
    in_group(
        app.add_option("--stretch", stretch_, "Each costs at most so many times the best (default 1.25)"));
    in_group(app.add_option("--apart", apart_, "The share of each that no other runs along (default 0.3)"));
    in_group(app.add_option("--apart-width", apart_width_,
                            "Nearer than this is along (default 0: 2 % of the best way's length)"));
    in_group(app.add_option("--tries", tries_, "Places tried (default 40)")->check(CLI::Range(1, 10000)));
}

void WaysFlags::refuse(const char* where) const {
    for (const char* flag : {"--alternatives", "--stretch", "--apart", "--apart-width", "--tries"}) {
        if (app_->get_option(flag)->count() > 0) fail(fmt::format("{}: {}", flag, where));
    }
}

AlternativeOptions WaysFlags::options(std::uint64_t seed) const {
    AlternativeOptions out{.stretch = to_number("--stretch", stretch_),
                           .apart = to_number("--apart", apart_),
                           .width = to_number("--apart-width", apart_width_),
                           .seed = seed,
                           .trials = tries_};
    check_range("--stretch", out.stretch, 1.0, 10.0);
    check_range("--apart", out.apart, 0.01, 1.0);
    check_range("--apart-width", out.width, 0.0, 1e300);
    return out;
}

void WaysFlags::print(const std::vector<Route>& ways, std::size_t found, std::uint64_t ns, bool json) const {
    const double width = to_number("--apart-width", apart_width_);
    const double along = width > 0.0 ? width : 0.02 * ways[0].length;
    for (std::size_t i = 0; i < found; ++i) {
        if (json) {
            std::string line;
            formats::append_route(line, static_cast<std::int64_t>(i), ways[i], i == 0 ? ns : 0);
            write_file("-", line);
            continue;
        }
        double least = 1.0;
        for (std::size_t k = 0; k < i; ++k) least = std::min(least, share_apart(ways[i], ways[k], along));
        fmt::print("way {}  {}  length {:.3f}  cost {:.3f} times the best", i, status_name(ways[i].status),
                   ways[i].length, ways[0].line_cost > 0.0 ? ways[i].line_cost / ways[0].line_cost : 1.0);
        if (i > 0) fmt::print("  {:.0f} % apart", 100.0 * least);
        fmt::print("\n");
    }
    if (!json) fmt::print("{} of {} ways, {:.1f} us\n", found, count_, static_cast<double>(ns) / 1000.0);
}

}  // namespace fairlead::cli
