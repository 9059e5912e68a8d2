#include "support/cluster_edits.h"

#include "support/cluster_check.h"
#include "support/grid_compare.h"
#include "support/grids.h"

namespace fairlead::testing {

namespace {

const Agent kSizes[] = {{.radius = 0.45}, {.radius = 0.8},  {.radius = 1.5},
                        {.radius = 3.2},  {.footprint = 2}, {.footprint = 3}};

std::vector<std::uint8_t> repeated(const std::vector<std::uint8_t>& layer, std::int32_t layers) {
    std::vector<std::uint8_t> all;
    for (std::int32_t i = 0; i < layers; ++i) all.insert(all.end(), layer.begin(), layer.end());
    return all;
}

}  // namespace

EditedMap::EditedMap(const GridOptions& options, const std::vector<std::uint8_t>& one_layer)
    : options_(options), tiles_(repeated(one_layer, options.layers)), grid_(*Grid::make(options, tiles_)) {
    options_.allocator = {};
}

EditedMap::Edit EditedMap::draw(Rng& rng) const {
    constexpr std::int32_t kSides[] = {1, 3, 16, 16, 40, 150};
    Edit edit;
    edit.rect = draw_rect(rng, grid_.state(), kSides[rng.below(6)]);
    const CellRect& r = edit.rect;
    const auto count = static_cast<std::size_t>((r.high.x - r.low.x) * (r.high.y - r.low.y));
    constexpr std::uint32_t kPercents[] = {0, 0, 20, 50, 100, 100};
    edit.tiles = random_tiles(rng, count, kPercents[rng.below(6)]);
    return edit;
}

void EditedMap::note(const Edit& edit) {
    const CellRect& r = edit.rect;
    std::size_t k = 0;
    for (std::int32_t y = r.low.y; y < r.high.y; ++y) {
        for (std::int32_t x = r.low.x; x < r.high.x; ++x)
            tiles_[static_cast<std::size_t>((r.layer * options_.height + y) * options_.width + x)] =
                edit.tiles[k++];
    }
}

std::string EditedMap::difference() const {
    const Result<Grid> fresh = Grid::make(options_, tiles_);
    return fresh ? hierarchy_difference(grid_.state(), fresh->state()) : "no fresh grid";
}

std::string check_cluster_edits(std::uint64_t seed, std::int32_t levels, int edits, int every,
                                ClusterEditTally& tally) {
    Rng rng(seed);
    const auto kind = static_cast<ClusterMap>(rng.below(static_cast<std::uint32_t>(ClusterMap::count_)));
    GridOptions options;
    options.width = levels == 3   ? 2049 + rng.between(0, 100)
                    : levels == 2 ? rng.between(513, 650)
                                  : rng.between(65, 300);
    options.height = levels == 3 ? rng.between(65, 150) : rng.between(65, 300);
    options.layers = rng.below(6) == 0 ? 2 : 1;
    options.wrap_x = options.width >= 128 && rng.below(5) == 0;
    options.wrap_y = options.height >= 128 && rng.below(5) == 0;
    options.hierarchy = true;
    const Agent sizes[] = {kSizes[rng.below(6)]};
    if (rng.below(2) == 0) options.sizes = sizes;
    const std::vector<std::uint8_t> floor = cluster_map(rng, kind, options.width, options.height);
    std::vector<Portal> portals;
    if (rng.below(3) == 0)
        portals = draw_portals(rng, options, repeated(floor, options.layers), rng.between(1, 40));
    options.portals = portals;
    EditedMap map(options, floor);
    if (cluster_levels(map.grid().state(), {}) != levels) return "a wrong number of levels";
    for (int i = 1; i <= edits; ++i) {
        const EditedMap::Edit edit = map.draw(rng);
        if (!map.apply(edit)) return "an edit failed";
        map.note(edit);
        ++tally.edits;
        if (i % every != 0 && i != edits) continue;
        ++tally.compared;
        const std::string problem = map.difference();
        if (!problem.empty())
            return std::string(cluster_map_name(kind)) + ", after edit " + std::to_string(i) + ": " + problem;
    }
    return "";
}

}  // namespace fairlead::testing
