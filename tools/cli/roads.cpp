#include "cli/roads.h"

#include <cmath>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "cli/failure.h"
#include "cli/text.h"
#include "cli/world.h"

namespace fairlead::cli {

namespace {

// Row 0 is the first line, so +y is down.
constexpr std::string_view kLetters = ".>v<^-|\\/+";
constexpr std::uint8_t kDirections[] = {0, 1, 4, 16, 64, 17, 68, 34, 136, kRoadAnyWay};

double to_factor(const char* flag, const std::string& text, double otherwise) {
    if (text.empty()) return otherwise;
    if (text == "forbidden") return kRoadForbidden;
    const double factor = to_number(flag, text);
    if (!(factor >= 1.0 && factor <= 1000.0))
        fail(fmt::format("{}: {} is not 1 to 1000, or forbidden", flag, text));
    return factor;
}

}  // namespace

RoadLayer load_roads(const std::string& path, std::int32_t width, std::int32_t height) {
    const std::string text = read_file(path);
    Result<RoadLayer> roads = RoadLayer::make(width, height);
    if (!roads) fail_at(path, error_text(roads.error()).c_str());
    std::string_view rest = text;
    std::int32_t y = 0;
    for (; !rest.empty(); ++y) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        std::string_view line = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
        if (y >= height) fail(fmt::format("{}:{}: the map has {} rows", path, y + 1, height));
        if (line.size() != static_cast<std::size_t>(width))
            fail(
                fmt::format("{}:{}: {} characters; the map has {} columns", path, y + 1, line.size(), width));
        for (std::int32_t x = 0; x < width; ++x) {
            const std::size_t which = kLetters.find(line[static_cast<std::size_t>(x)]);
            if (which == std::string_view::npos)
                fail(fmt::format("{}:{}:{}: a road is one of {}", path, y + 1, x + 1, kLetters));
            roads->set(x, y, kDirections[which]);
        }
    }
    if (y != height) fail(fmt::format("{}: {} rows; the map has {}", path, y, height));
    return std::move(*roads);
}

void RoadFlags::add(CLI::App& app, bool cones) {
    app.add_option("--roads", path_,
                   "With --turning-radius: a text of the map's size, one character a cell: . off the road, > "
                   "v < ^ one "
                   "way, - | / \\ both ways, + any way")
        ->group("Roads");
    app.add_option(
           "--off-road", off_road_,
           "With --roads: a length off the road costs this many times, 1 to 1000 (default 4), or forbidden")
        ->group("Roads");
    app.add_option("--against", against_,
                   "With --roads: a length against the lane costs this many times, 1 to 1000 (default 10), "
                   "or forbidden")
        ->group("Roads");
    if (!cones) return;
    app.add_option(
           "--cones", cones_,
           "With --roads: cones beside them, but for so many tiles around bends, 0 to 64 (the article's way)")
        ->group("Roads");
}

bool RoadFlags::given() const {
    return !path_.empty() || !off_road_.empty() || !against_.empty() || !cones_.empty();
}

RoadRules RoadFlags::rules() const {
    if (path_.empty() && given()) fail("--off-road, --against, --cones: only with --roads");
    const RoadRules plain;
    return {.off_road = to_factor("--off-road", off_road_, plain.off_road),
            .against = to_factor("--against", against_, plain.against)};
}

std::unique_ptr<RoadLayer> RoadFlags::roads(const GridState& grid) const {
    if (path_.empty()) return nullptr;
    return std::make_unique<RoadLayer>(load_roads(path_, grid.width(), grid.height()));
}

Grid RoadFlags::tiles(const GridState& grid, const RoadLayer& roads) const {
    if (!against_.empty()) fail("--against: not with --corners, whose tile route knows no lanes");
    if (!cones_.empty()) fail("--cones: not with --corners, whose curves know no cones");
    if (grid.layers() > 1) fail("--roads: not on worlds with several floors");
    const double off = rules().off_road;
    std::vector<std::uint8_t> tiles;
    std::vector<std::uint16_t> costs(256, 1);
    costs[2] = off == kRoadForbidden ? std::uint16_t{1} : static_cast<std::uint16_t>(std::lround(off));
    if (!grid.uniform()) fail("--roads: with --corners only on maps without terrain costs");
    for (std::int32_t y = 0; y < grid.height(); ++y) {
        for (std::int32_t x = 0; x < grid.width(); ++x) {
            const bool road = roads.at(x, y) != 0;
            const bool wall = grid.blocked({x, y, 0}) || (!road && off == kRoadForbidden);
            tiles.push_back(wall ? std::uint8_t{0} : (road ? std::uint8_t{1} : std::uint8_t{2}));
        }
    }
    GridOptions options{.width = grid.width(),
                        .height = grid.height(),
                        .origin = grid.origin(),
                        .cell_size = grid.cell_size()};
    options.terrain_costs = costs;
    Result<Grid> made = Grid::make(options, tiles);
    if (!made) fail(error_text(made.error()).c_str());
    return std::move(*made);
}

std::unique_ptr<RoadCones> RoadFlags::cones(const RoadLayer* roads) const {
    if (roads == nullptr || cones_.empty()) return nullptr;
    const double tiles = to_number("--cones", cones_);
    if (!(tiles >= 0.0 && tiles <= 64.0) || tiles != static_cast<double>(static_cast<int>(tiles)))
        fail(fmt::format("--cones: {} is not a whole number from 0 to 64", cones_));
    Result<RoadCones> cones = RoadCones::make(*roads, static_cast<std::int32_t>(tiles));
    if (!cones) fail(error_text(cones.error()).c_str());
    return std::make_unique<RoadCones>(std::move(*cones));
}

RoadVerifyOptions RoadFlags::judged(const GridState& grid) const {
    const RoadRules told = rules();
    const RoadVerifyOptions options{.origin = grid.origin(),
                                    .cell_size = grid.cell_size(),
                                    .off_road = told.off_road == kRoadForbidden,
                                    .against = told.against == kRoadForbidden};
    if (!options.off_road && !options.against)
        fail("--roads: nothing to judge without --off-road forbidden or --against forbidden");
    return options;
}

}  // namespace fairlead::cli
