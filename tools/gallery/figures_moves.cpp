// What turning routes are made of: the moves of a lattice, the cells that they sweep, the core of a map.
#include <algorithm>

#include "gallery/drive_plan.h"
#include "gallery/figures.h"

namespace fairlead::gallery {
namespace {

namespace palette = debug::palette;
using debug::Sink;

// ---------------------------------------------------------------- moves of one heading

[[nodiscard]] PrimitiveSet set_of(std::int32_t rings) {
    Result<PrimitiveSet> set = PrimitiveSet::make(
        {.turning_radius = 1.0, .headings = rings == 0 ? 16 : 8, .rings = rings, .reverse = rings == 0});
    if (!set) throw DemoError{"no primitives"};
    return std::move(*set);
}

void draw_fans(Canvas& canvas) {
    const char* titles[] = {"Directional-8", "Directional-24", "Directional-48", "Chosen, with reverse"};
    const std::int32_t rings[] = {1, 2, 3, 0};
    Layout layout{.columns = 2,
                  .legend = {legend::start(),
                             legend::route("forward"),
                             {.text = "in reverse", .color = palette::kOther, .mark = Mark::line}}};
    std::vector<PrimitiveSet> sets;
    for (std::size_t i = 0; i < 4; ++i) {
        sets.push_back(set_of(rings[i]));
        // The article's curves swing out farther than they lead.
        const double far =
            rings[i] > 0 ? rings[i] + 2.5 : std::max(3.0, static_cast<double>(sets.back().reach()));
        layout.panels.push_back({{{-far, -far}, {far + 1.0, far + 1.0}}, titles[i]});
    }
    canvas.layout(std::move(layout));
    for (std::size_t i = 0; i < 4; ++i) {
        const std::string count = std::to_string(sets[i].from(0).size()) + " moves from heading 0";
        canvas.panel(i, [&](const Sink& sink) { debug::draw_fan(sets[i], 0, sink); });
        canvas.note(i, count);
        canvas.row({.label = titles[i], .note = count});
    }
}

// ---------------------------------------------------------------- tables and maps

[[nodiscard]] DriveTable table_of(const Agent& agent, std::int32_t headings) {
    Result<DriveTable> table = DriveTable::make({.agent = agent, .headings = headings});
    if (!table) throw DemoError{"no table"};
    return std::move(*table);
}

/// The longest forward move of the table from a heading that turns.
[[nodiscard]] std::size_t longest_turn(const DriveTable& table, std::int32_t heading) {
    const PrimitiveSet& set = table.primitives();
    std::size_t best = set.first(heading);
    for (std::size_t i = set.first(heading); i < set.first(heading + 1); ++i) {
        const Primitive& move = set.all()[i];
        const bool turns = move.gear == Gear::forward && move.from != move.to;
        if (turns && move.length > set.all()[best].length) best = i;
    }
    return best;
}

void draw_masks(Canvas& canvas) {
    const Agent agents[] = {
        {.radius = 0.95, .turning_radius = 3.0},
        {.shape = BodyShape::box, .length = 3.0, .width = 1.5, .axle_offset = 0.9, .turning_radius = 3.0}};
    const char* titles[] = {"A disc of radius 0.95", "A box of 3 x 1.5, its axle behind"};
    const Aabb frame{{-3.0, -3.0}, {8.0, 8.0}};
    canvas.layout({.columns = 2,
                   .panels = {{frame, titles[0]}, {frame, titles[1]}},
                   .legend = {{.text = "tiles of the list", .color = palette::tint(4)},
                              legend::body(),
                              legend::route("the axle's way")}});
    for (std::size_t i = 0; i < 2; ++i) {
        const DriveTable table = table_of(agents[i], 16);
        const std::size_t move = longest_turn(table, 0);
        std::size_t tiles = 0;
        for (const CellRun& run : table.swept(move)) tiles += static_cast<std::size_t>(run.count);
        canvas.panel(i, [&](const Sink& sink) {
            const debug::Group clip{sink, {.name = "clip", .clip = frame}};
            debug::draw_swept_mask(table, move, {0.0, 0.0}, sink);
        });
        const std::string text = std::to_string(tiles) + " tiles";
        canvas.note(i, text);
        canvas.row({.label = titles[i], .note = text});
    }
}

void draw_core_of(Canvas& canvas) {
    const World world = canvas.world("article_12_rings");
    const Agent agent{.radius = 0.4, .turning_radius = 1.0};
    const char* titles[] = {"Directional-8", "Directional-24"};
    const Aabb bounds = debug::world_bounds(world.grid.state());
    Layout layout{
        .columns = 2, .panels = {{bounds, titles[0]}, {bounds, titles[1]}}, .legend = {legend::wall()}};
    for (const std::int32_t count : {2, 4, 6, 8}) {
        layout.legend.push_back(
            {.text = std::to_string(count) + " headings", .color = debug::core_color(count, 8)});
    }
    canvas.layout(std::move(layout));
    for (std::size_t i = 0; i < 2; ++i) {
        Result<DriveTable> table =
            DriveTable::make({.agent = agent, .headings = 8, .rings = static_cast<std::int32_t>(i) + 1});
        if (!table) throw DemoError{"no table"};
        const Result<DriveMap> map = make_drive_map(world.grid, *table);
        if (!map) throw DemoError{"no map"};
        canvas.panel(i, [&](const Sink& sink) {
            debug::draw_core(*map, sink);
            debug::draw(world.grid.state(), sink, {.paper = false});
        });
        canvas.row({.label = titles[i], .note = "core drawn"});
    }
}

constexpr Figure kMovesFigures[] = {
    {"drive_rings", "The moves of one heading",
     "To every tile of one, two or three rings and every heading there the shortest curve of arc, line, arc; "
     "and the "
     "set that the library chooses for the radius, where moves that turn by more than a quarter circle are "
     "put together "
     "from others.",
     "D2 D6", draw_fans},
    {"drive_masks", "The tiles that a move sweeps",
     "Worked out once for a body and a turning radius: a move is free where these tiles are. A tile is in "
     "the list if "
     "and only if the body reaches into it.",
     "D11 C5", draw_masks},
    {"drive_core", "Where a turning unit can go on and come back",
     "The darker a tile, the more of its 8 headings belong to the poses that all reach each other. They are "
     "known when "
     "the map is prepared, so most queries without an answer need no search.",
     "D14", draw_core_of},
};

}  // namespace

std::span<const Figure> move_figures() { return kMovesFigures; }

}  // namespace fairlead::gallery
