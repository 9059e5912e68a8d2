#include "cli/demo/figures.h"

namespace fairlead::demo {

std::vector<Figure> all_figures() {
    std::vector<Figure> all;
    for (const std::span<const Figure> table : {map_figures(), drawing_figures()}) {
        all.insert(all.end(), table.begin(), table.end());
    }
    return all;
}

}  // namespace fairlead::demo
