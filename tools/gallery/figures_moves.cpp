// What turning routes are made of: the article's Figures 5, 9, 10 and 11, swept cells, the core of a map.
#include <algorithm>

#include <fairlead/curve/dubins.h>
#include <fairlead/curve/relaxed.h>
#include <fairlead/math/trig.h>

#include "gallery/drive_plan.h"
#include "gallery/figures.h"

namespace fairlead::gallery {
namespace {

namespace palette = debug::palette;
using debug::at_height;
using debug::Sink;
using debug::Stroke;

constexpr Stroke kHelp{palette::kFaint, 1.2, 4.0};
constexpr Stroke kCircle{palette::kFaint, 1.0};

void label(const Sink& sink, Vec2 at, const char* text, Vec2 shift_points) {
    debug::draw_text(
        sink, at_height(at + shift_points * sink.point), text,
        {.color = palette::kInk, .size = 14.0, .anchor = debug::Anchor::middle, .bold = true, .halo = true});
}

void dot(const Sink& sink, Vec2 at) {
    debug::draw_circle(sink, at_height(at), 3.2 * sink.point, {palette::kInk}, {palette::kPaper, 1.0});
}

void line(const Sink& sink, Vec2 a, Vec2 b, const Stroke& stroke) {
    debug::draw_line(sink, at_height(a), at_height(b), stroke);
}

[[nodiscard]] Route route_of(const CurveWord& word, const Pose& from, double radius) {
    Route route;
    route.status = PathStatus::complete;
    Pose end;
    if (!append_legs(word, from, radius, 0, route.legs, end)) throw DemoError{"out of memory"};
    route.length = word.length * radius;
    route.end = {at_height(end.position), end.heading_rad, 0};
    return route;
}

void draw_word(const Sink& sink, const CurveWord& word, const Pose& from, double radius) {
    debug::draw(route_of(word, from, radius), {}, sink, {.headings = true});
}

/// The centre of the circle on the left (side 1) or right (side -1) of a pose.
[[nodiscard]] Vec2 centre_of(const Pose& pose, double side, double radius) {
    const Vec2 ahead = math::direction(pose.heading_rad);
    return pose.position + Vec2{-ahead.y, ahead.x} * (side * radius);
}

[[nodiscard]] std::string letters_of(const CurveWord& word) {
    std::string letters;
    for (const char c : std::string{name(word).text}) {
        if (c == 'L' || c == 'R' || c == 'S') letters += c;
    }
    return letters;
}

[[nodiscard]] CurveWord word_of(const std::string& letters, const Pose& from, const Pose& to, double radius) {
    CurveWord words[kDubinsWords];
    const int count = dubins_words(from, to, radius, words);
    for (int i = 0; i < count; ++i) {
        if (letters_of(words[i]) == letters) return words[i];
    }
    throw DemoError{"no word " + letters};
}

// ---------------------------------------------------------------- Figure 5

void draw_tangent(Canvas& canvas) {
    constexpr double kRadius = 2.0;
    const Pose origin{{0.0, 0.0}, 0.0};
    const Vec2 to{7.0, 4.4};
    const CurveWord word = shortest_to_point(origin, to, kRadius);
    const Vec2 centre = centre_of(origin, 1.0, kRadius);
    const Vec2 leaves = pose_on_curve(origin, kRadius, word, word.segments[0].amount * kRadius).position;
    canvas.layout(
        {.panels = {{{{-3.2, -1.0}, {8.2, 5.0}}, ""}},
         .legend = {legend::route("arc and line"),
                    {.text = "the right triangle", .color = palette::kFaint, .mark = Mark::dashed}}});
    canvas.panel(0, [&](const Sink& sink) {
        debug::draw_circle(sink, at_height(centre), kRadius, debug::kNoFill, kCircle);
        for (const Vec2& end : {leaves, to, origin.position}) line(sink, centre, end, kHelp);
        draw_word(sink, word, origin, kRadius);
        for (const Vec2& p : {centre, leaves}) dot(sink, p);
        label(sink, origin.position, "O", {-14, -8});
        label(sink, centre, "P", {-14, 6});
        label(sink, leaves, "Q", {10, -12});
        label(sink, to, "D", {14, -12});
        label(sink, (centre + leaves) * 0.5, "r", {-9, 2});
        label(sink, (centre + to) * 0.5, "h", {0, 20});
        label(sink, (leaves + to) * 0.5, "d", {6, -10});
    });
    const double h = distance(centre, to);
    canvas.note(0, "r = 2, h = " + number_text(h, 3) + ", d = " + number_text(distance(leaves, to), 3) +
                       ", length " + number_text(word.length * kRadius, 3));
    canvas.row({.label = "arc and line", .planner = "curve", .length = word.length * kRadius});
}

// ---------------------------------------------------------------- Figure 9

void draw_words(Canvas& canvas) {
    const Pose from{{0.0, 0.0}, 3.1};
    const Pose to{{3.4, 0.0}, 3.0};
    const char* names[] = {"LSL", "RSR", "LSR", "RSL", "RLR", "LRL"};
    Layout layout{.columns = 3,
                  .legend = {legend::start(),
                             legend::goal(),
                             legend::route(),
                             {.text = "turning circles", .color = palette::kFaint, .mark = Mark::line}}};
    for (const char* letters : names) layout.panels.push_back({{{-2.6, -3.6}, {6.0, 3.6}}, letters});
    canvas.layout(std::move(layout));
    for (std::size_t i = 0; i < std::size(names); ++i) {
        const CurveWord word = word_of(names[i], from, to, 1.0);
        canvas.panel(i, [&](const Sink& sink) {
            for (const Pose& pose : {from, to}) {
                for (const double side : {-1.0, 1.0}) {
                    debug::draw_circle(sink, at_height(centre_of(pose, side, 1.0)), 1.0, debug::kNoFill,
                                       kCircle);
                }
            }
            draw_word(sink, word, from, 1.0);
        });
        canvas.note(i, "length " + number_text(word.length, 3));
        canvas.row({.label = names[i], .planner = "curve", .length = word.length});
    }
}

// ---------------------------------------------------------------- Figure 10

struct Construction {
    const char* word;
    const char* title;
    Pose from;
    Pose to;
    double last_side;  // of the second circle
};

void draw_construction(const Sink& sink, const Construction& part) {
    const CurveWord word = word_of(part.word, part.from, part.to, 1.0);
    const Vec2 p1 = centre_of(part.from, 1.0, 1.0);
    const Vec2 p2 = centre_of(part.to, part.last_side, 1.0);
    const Vec2 leaves = pose_on_curve(part.from, 1.0, word, word.segments[0].amount).position;
    const Vec2 meets =
        pose_on_curve(part.from, 1.0, word, word.segments[0].amount + word.segments[1].amount).position;
    for (const Vec2& p : {p1, p2}) debug::draw_circle(sink, at_height(p), 1.0, debug::kNoFill, kCircle);
    line(sink, p1, p2, kHelp);
    line(sink, p2, meets, kHelp);
    if (part.last_side < 0) {
        const Vec2 corner = p1 + (leaves - p1) * 2.0;
        line(sink, p1, corner, kHelp);
        line(sink, corner, p2, kHelp);
        dot(sink, corner);
        label(sink, corner, "2r from P1", {10, -12});
    } else {
        line(sink, p1, leaves, kHelp);
    }
    draw_word(sink, word, part.from, 1.0);
    for (const Vec2& p : {p1, p2, leaves, meets}) dot(sink, p);
    label(sink, p1, "P1", {-14, 14});
    label(sink, p2, "P2", {16, 14});
    label(sink, part.last_side < 0 ? p1 * 0.7 + p2 * 0.3 : (p1 + p2) * 0.5, "L", {-4, 18});
}

void draw_constructions(Canvas& canvas) {
    const Construction parts[] = {
        {"LSL", "Same sense: parallel to P1P2, as long", {{0, 0}, 0.0}, {{4.6, 2.4}, 1.9}, 1.0},
        {"LSR", "Opposite sense: a right triangle, side 2r", {{0, 0}, 0.0}, {{4.6, 3.4}, 0.3}, -1.0}};
    Layout layout{.columns = 2, .legend = {legend::start(), legend::goal(), legend::route()}};
    for (const Construction& part : parts) layout.panels.push_back({{{-1.5, -1.2}, {6.2, 4.1}}, part.title});
    canvas.layout(std::move(layout));
    for (std::size_t i = 0; i < std::size(parts); ++i) {
        canvas.panel(i, [&](const Sink& sink) { draw_construction(sink, parts[i]); });
        const CurveWord word = word_of(parts[i].word, parts[i].from, parts[i].to, 1.0);
        canvas.note(i, std::string{parts[i].word} + ", length " + number_text(word.length, 3));
        canvas.row({.label = parts[i].word, .planner = "curve", .length = word.length});
    }
}

// ---------------------------------------------------------------- Figure 11

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

constexpr Figure kFigures[] = {
    {"article_5_tangent", "The article's Figure 5: an arc, then a line",
     "From O, on the circle about P, to D: the line leaves the circle at Q, where it stands at a right angle "
     "to the "
     "radius r. So d follows from r and h.",
     "K2 K3", draw_tangent},
    {"article_9_words", "The article's Figure 9: the ways between two poses",
     "The four ways of arc, line, arc, and the two of three arcs that the article leaves out. Each is the "
     "shortest "
     "for some pair of poses. y runs down the page, so L turns clockwise here.",
     "D2 E5", draw_words},
    {"article_10_construction", "The article's Figure 10: how such a way is found",
     "Two circles of radius r about P1 and P2. Turning the same way on both, the line is parallel to P1P2; "
     "turning "
     "opposite ways, it is the long side of a right triangle.",
     "D3 D4 D5", draw_constructions},
    {"article_11_rings", "The article's Figure 11: the moves of one heading",
     "To every tile of one, two or three rings and every heading there the shortest curve of arc, line, arc; "
     "and the "
     "set that the library chooses for the radius, where moves that turn by more than a quarter circle are "
     "put together "
     "from others.",
     "D1 D2 D6", draw_fans},
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

std::span<const Figure> move_figures() { return kFigures; }

}  // namespace fairlead::gallery
