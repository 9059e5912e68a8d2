// The page of the gallery and its table.
#pragma once

#include <string>
#include <vector>

#include "gallery/figure.h"

namespace fairlead::gallery {

struct Shown {
    Figure figure;
    Vec2 size{};  ///< points
    std::vector<Row> rows;
};

/// A page without scripts or outside references that shows <id>.svg from its own folder. `live`: beside it lies figure_1.html, the live
/// page; else its place is taken by a word on how to make it.
[[nodiscard]] std::string make_page(const std::vector<Shown>& figures, bool live = false);

/// All rows of all figures: figure,case,planner,status,length,cost,bound,expanded,generated,legal,note.
[[nodiscard]] std::string make_csv(const std::vector<Shown>& figures);

}  // namespace fairlead::gallery
