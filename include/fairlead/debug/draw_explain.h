// Drawing why there is no route (explain/explain.h).
//
//     debug::draw(*town, svg.sink());
//     debug::draw(why, svg.sink());
//
// One group, "explanation": the way of the first help that was found, with the body that it is for; the tightest place, or
// the blocked end, as a disc as wide as the room there, and around it the body that does not fit. Nothing here allocates.
#pragma once

#include <fairlead/debug/palette.h>
#include <fairlead/debug/sink.h>
#include <fairlead/explain/explain.h>

namespace fairlead::debug {

struct ExplainDraw {
    bool route = true;       ///< of the first help found
    double cell_size = 1.0;  ///< of the grid, for agents with a footprint
    Color color = palette::kWarning;
};

void draw(const Explanation& why, const Sink& sink, const ExplainDraw& options = {});

/// The first help that was found, in the order of HelpKind; null: none.
[[nodiscard]] const Help* first_help(const Explanation& why);

}  // namespace fairlead::debug
