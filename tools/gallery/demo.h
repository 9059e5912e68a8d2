// The gallery: one picture a technique, as SVG and PNG, with a page that shows them all.
#pragma once

#include <string>

namespace fairlead::gallery {

struct DemoOptions {
    std::string out = "demo";  ///< directory for the files; made if it is not there
    std::string scenes{};      ///< directory of the scene files; empty: the source tree's, else ./scenes
    std::string only{};        ///< draw only the figures whose id contains this
    std::string page{};  ///< the live page to copy; empty: the one that the source tree has built, if it has
    bool y_up = true;    ///< as in the world: left is left. false: row 0 at the top, as map files read
    bool quiet = false;  ///< no line on standard output for each figure
    double pixels_per_point = 2.0;  ///< of the PNG files; 1 to 8
};

/// Writes <out>/<id>.svg and <id>.png for each figure, <out>/index.html and <out>/summary.csv; and <out>/figure_1.html, where
/// there is one to copy.
/// The exit status of the command line: 0 done, 2 with one line on standard error where a file cannot be read
/// or written, or no figure matches.
int run_demo(const DemoOptions& options);

}  // namespace fairlead::gallery
