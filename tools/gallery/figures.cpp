#include "gallery/figures.h"

#include <algorithm>

namespace fairlead::gallery {

int article_number(std::string_view id) {
    constexpr std::string_view kBefore = "article_";
    if (id.substr(0, kBefore.size()) != kBefore) return 0;
    int number = 0;
    for (const char c : id.substr(kBefore.size())) {
        if (c < '0' || c > '9') break;
        number = number * 10 + (c - '0');
    }
    return number;
}

std::vector<Figure> all_figures() {
    std::vector<Figure> all;
    for (const std::span<const Figure> table : {article_figures(),
                                                article_curve_figures(),
                                                article_search_figures(),
                                                article_facing_figures(),
                                                article_road_figures(),
                                                smoother_figures(),
                                                map_figures(),
                                                search_figures(),
                                                query_figures(),
                                                article_grid_figures(),
                                                roadmap_figures(),
                                                curve_figures(),
                                                move_figures(),
                                                drive_figures(),
                                                road_figures(),
                                                unit_figures(),
                                                mesh_drive_figures(),
                                                article_mesh_figures(),
                                                mesh_figures(),
                                                bake_figures(),
                                                volume_figures(),
                                                plate_figures(),
                                                place_figures(),
                                                moving_figures(),
                                                town_day_figures(),
                                                sprite_figures(),
                                                flight_figures(),
                                                cover_figures(),
                                                explore_figures(),
                                                drawing_figures()}) {
        all.insert(all.end(), table.begin(), table.end());
    }
    const auto others = std::stable_partition(all.begin(), all.end(),
                                              [](const Figure& f) { return article_number(f.id) > 0; });
    std::stable_sort(all.begin(), others, [](const Figure& a, const Figure& b) {
        return article_number(a.id) < article_number(b.id);
    });
    return all;
}

}  // namespace fairlead::gallery
