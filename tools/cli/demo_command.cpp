// fairlead demo: the gallery of every feature.

#include <memory>

#include "cli/commands.h"
#include "gallery/demo.h"

namespace fairlead::cli {

void add_demo(CLI::App& app, int& status) {
    CLI::App* sub = app.add_subcommand("demo", "Draw the gallery: SVG and PNG files, index.html, a table");
    const auto options = std::make_shared<gallery::DemoOptions>();
    sub->add_option("-o", options->out, "Folder for the files (default demo)");
    sub->add_option("--scenes", options->scenes, "Folder of the scene files (default: the source tree's)");
    sub->add_option("--only", options->only, "Only the pictures whose id contains this");
    sub->add_option("--scale", options->pixels_per_point,
                    "Pixels per point of the PNG files, 1 to 8 (default 2)")
        ->check(CLI::Range(1.0, 8.0));
    sub->add_option("--page", options->page,
                    "The live page (./run page) to put beside it (default: the source tree's)");
    sub->add_flag("--quiet", options->quiet, "No line for each picture");
    sub->add_flag(
        "--y-down{false},--y-up", options->y_up,
        "--y-down: row 0 of the maps at the top, as their files read; left and right are mirrored then");
    sub->callback([options, &status] { status = gallery::run_demo(*options); });
}

}  // namespace fairlead::cli
