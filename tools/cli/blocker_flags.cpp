// Temporary blockers.

#include "cli/blocker_flags.h"

#include <fmt/format.h>

#include "cli/failure.h"
#include "cli/text.h"

namespace fairlead::cli {

void BlockerFlags::add(CLI::App& app) {
    app.add_option("--blocker", texts_,
                   "Something in the way: X,Y,R (a disc) or X0,Y0,X1,Y1 (a box); may be repeated")
        ->group("Query")
        ->allow_extra_args(false);
}

std::vector<Blocker> BlockerFlags::blockers() const {
    std::vector<Blocker> blockers;
    for (const std::string& text : texts_) {
        std::vector<double> n;
        for (const auto& number : to_numbers("--blocker", text)) {
            if (number) n.push_back(*number);
        }
        Blocker blocker;
        if (n.size() == 3 && n[2] > 0) {
            blocker.centre = {n[0], n[1]};
            blocker.radius = n[2];
        } else if (n.size() == 4 && n[0] < n[2] && n[1] < n[3]) {
            blocker.box = {{n[0], n[1]}, {n[2], n[3]}};
        } else {
            fail(fmt::format("--blocker: \"{}\" is neither X,Y,R nor X0,Y0,X1,Y1 with X0 < X1, Y0 < Y1",
                             text));
        }
        blockers.push_back(blocker);
    }
    return blockers;
}

}  // namespace fairlead::cli
