#include <algorithm>
#include <cmath>
#include <cstdio>

#include "gallery/figure.h"
#include "picture/stroke_font.h"

namespace fairlead::gallery {

using debug::at_height;
using debug::Color;
using debug::Fill;
using debug::Sink;
using debug::Stroke;
using debug::TextStyle;
namespace palette = debug::palette;

namespace {

constexpr double kMargin = 18.0;
constexpr double kGap = 20.0;          // between panels
constexpr double kTitleHeight = 24.0;  // above a panel
constexpr double kNoteHeight = 20.0;   // below it
constexpr double kRowGap = 12.0;       // below that
constexpr double kLegendRow = 22.0;
constexpr double kLegendText = 12.0;
constexpr double kMark = 22.0;  // width of a sign, blank included
constexpr double kRamp = 58.0;

constexpr TextStyle kTitleStyle{.color = palette::kInk, .size = 13.5, .bold = true};
constexpr TextStyle kNoteStyle{.color = palette::kFaint, .size = 12.0};

[[nodiscard]] double item_width(const LegendItem& item) {
    return (item.mark == Mark::ramp ? kRamp + 8.0 : kMark + 2.0) +
           1.12 * picture::text_width(item.text, kLegendText) + 20.0;  // fonts differ
}

void draw_ramp(const LegendItem& item, Vec2 at, const Sink& sink) {
    constexpr int kSteps = 16;
    for (int i = 0; i < kSteps; ++i) {
        const double t = static_cast<double>(i) / (kSteps - 1);
        const Color color =
            t < 0.5 ? mix(item.color, item.middle, t * 2) : mix(item.middle, item.last, t * 2 - 1);
        const double step = kRamp / kSteps;
        const Aabb box{{at.x + i * step, at.y - 6}, {at.x + (i + 1) * step, at.y + 6}};
        draw_boxes(sink, std::span{&box, 1}, 0, Fill{color});
    }
}

/// The sign of a legend item, at the left end of the middle of its line.
void draw_mark(const LegendItem& item, Vec2 at, const Sink& sink) {
    const Vec3 centre = at_height(at + Vec2{8, 0});
    const Vec3 left = at_height(at);
    const Vec3 right = at_height(at + Vec2{16, 0});
    switch (item.mark) {
        case Mark::box: {
            const Aabb box{at + Vec2{1, -6}, at + Vec2{15, 6}};
            draw_boxes(sink, std::span{&box, 1}, 0, Fill{item.color, item.opacity});
            if (item.color == palette::kPaper) {
                const Vec3 corners[] = {{box.low.x, box.low.y, 0},
                                        {box.high.x, box.low.y, 0},
                                        {box.high.x, box.high.y, 0},
                                        {box.low.x, box.high.y, 0}};
                draw_outline(sink, corners, Stroke{palette::kFaint, 0.75});
            }
            break;
        }
        case Mark::line: draw_line(sink, left, right, Stroke{item.color, 2.5}); break;
        case Mark::dashed: draw_line(sink, left, right, Stroke{item.color, 2.0, 4.0}); break;
        case Mark::dot: draw_circle(sink, centre, 5.0, Fill{item.color}, debug::kNoStroke); break;
        case Mark::ring: draw_circle(sink, centre, 5.5, debug::kNoFill, Stroke{item.color, 1.6}); break;
        case Mark::target:
            draw_circle(sink, centre, 6.5, debug::kNoFill, Stroke{item.color, 2.0});
            draw_circle(sink, centre, 3.0, Fill{item.color}, debug::kNoStroke);
            break;
        case Mark::ramp: draw_ramp(item, at, sink); break;
    }
}

/// Row by row as the width allows: the left end of each item, relative to the first.
[[nodiscard]] std::vector<Vec2> place_legend(const std::vector<LegendItem>& items, double width) {
    std::vector<Vec2> places;
    Vec2 at{};
    for (const LegendItem& item : items) {
        const double needed = item_width(item);
        if (at.x > 0 && at.x + needed > width) at = {0, at.y + kLegendRow};
        places.push_back(at);
        at.x += needed;
    }
    return places;
}

}  // namespace

namespace legend {
LegendItem wall() { return {"wall", palette::kWall, Mark::box}; }
LegendItem route(std::string text) { return {std::move(text), palette::kRoute, Mark::line}; }
LegendItem body() {
    return {.text = "ground swept by the body", .color = mix(palette::kPaper, palette::kRoute, 0.2)};
}
LegendItem start() { return {"start", palette::kInk, Mark::dot}; }
LegendItem goal() { return {"goal", palette::kInk, Mark::target}; }
LegendItem expanded() {
    return {"expanded, first to last", palette::heat(0), Mark::ramp, palette::heat(0.5), palette::heat(1)};
}
LegendItem terrain(std::int32_t cost) {
    return {"cost " + std::to_string(cost), palette::terrain(palette::terrain_class(cost)), Mark::box};
}
}  // namespace legend

Row row_of(std::string label, const Route& route) {
    Row row;
    row.label = std::move(label);
    row.planner = route.planner;
    row.status = status_name(route.status);
    if (route.status == PathStatus::complete || route.status == PathStatus::partial || !route.legs.empty()) {
        row.length = route.length;
        row.cost = route.cost;
        row.bound = route.bound;
    }
    row.expanded = route.stats.expanded;
    row.generated = route.stats.generated;
    return row;
}

std::string count_text(std::uint64_t value) {
    std::string text = std::to_string(value);
    for (std::size_t i = text.size(); i > 3; i -= 3) text.insert(i - 3, 1, ' ');
    return text;
}

std::string number_text(double value, int decimals) {
    if (!std::isfinite(value)) return value > 0 ? "infinite" : "none";
    char buffer[64];
    std::snprintf(buffer, sizeof buffer, "%.*f", decimals, value);
    std::string text = buffer;
    if (text.find('.') == std::string::npos) return text;
    while (text.back() == '0') text.pop_back();
    if (text.back() == '.') text.pop_back();
    return text == "-0" ? "0" : text;
}

Canvas::Canvas(std::string title, std::string caption, std::string scenes, double pixels_per_point, bool y_up)
    : title_(std::move(title)),
      caption_(std::move(caption)),
      scenes_(std::move(scenes)),
      pixels_per_point_(pixels_per_point),
      y_up_(y_up) {}

Canvas::~Canvas() = default;

void Canvas::layout(Layout layout) {
    layout_ = std::move(layout);
    const int columns = std::max(1, layout_.columns);
    const double inner = layout_.width - 2 * kMargin;
    const double width = (inner - kGap * (columns - 1)) / columns;
    const bool titled = std::any_of(layout_.panels.begin(), layout_.panels.end(),
                                    [](const Panel& p) { return !p.title.empty(); });

    // Rows of panels as high as the highest of each; all panels of a row stand on its top line.
    double y = kMargin;
    for (std::size_t first = 0; first < layout_.panels.size(); first += static_cast<std::size_t>(columns)) {
        const std::size_t last = std::min(first + static_cast<std::size_t>(columns), layout_.panels.size());
        double height = 0;
        for (std::size_t i = first; i < last; ++i) {
            const Vec2 world = layout_.panels[i].world.high - layout_.panels[i].world.low;
            height = std::max(height, std::min(width * world.y / world.x, layout_.height_max));
        }
        if (titled) y += kTitleHeight;
        for (std::size_t i = first; i < last; ++i) {
            const Vec2 world = layout_.panels[i].world.high - layout_.panels[i].world.low;
            const double shown = std::min(width, height * world.x / world.y);
            const double x = kMargin + static_cast<double>(i - first) * (width + kGap) + (width - shown) / 2;
            frames_.push_back({{x, y}, {x + shown, y + shown * world.y / world.x}});
        }
        y += height + kNoteHeight + kRowGap;
    }
    legend_y_ = y + kLegendRow / 2 - 2;
    if (!layout_.legend.empty()) {
        y += place_legend(layout_.legend, inner).back().y + kLegendRow;
    }
    size_ = {layout_.width, std::ceil(y + kMargin / 2)};

    const debug::SvgOptions page{.bounds = {{0, 0}, size_},
                                 .width = size_.x,
                                 .margin = 0,
                                 .title = title_.c_str(),
                                 .description = caption_.c_str()};
    svg_ = std::make_unique<debug::SvgWriter>(page);
    raster_ = std::make_unique<picture::RasterWriter>(page, pixels_per_point_);
    sinks_ = {svg_->sink(), raster_->sink()};
    tee_.sinks = sinks_;
    const Sink sink = tee_.sink();
    for (std::size_t i = 0; i < frames_.size(); ++i) {
        const Vec2 at = frames_[i].low + Vec2{0, -9};
        draw_text(sink, at_height(at), layout_.panels[i].title.c_str(), kTitleStyle);
    }
    draw_legend();
}

void Canvas::draw_legend() {
    const Sink sink = tee_.sink();
    const debug::Group group{sink, "legend"};
    const std::vector<Vec2> places = place_legend(layout_.legend, layout_.width - 2 * kMargin);
    for (std::size_t i = 0; i < places.size(); ++i) {
        const LegendItem& item = layout_.legend[i];
        const Vec2 at = places[i] + Vec2{kMargin, legend_y_};
        draw_mark(item, at, sink);
        const double indent = item.mark == Mark::ramp ? kRamp + 8.0 : kMark + 2.0;
        draw_text(sink, at_height(at + Vec2{indent, 4.2}), item.text.c_str(),
                  TextStyle{.color = palette::kInk, .size = kLegendText});
    }
}

void Canvas::panel(std::size_t index, const std::function<void(const Sink& sink)>& draw) {
    const Aabb& world = layout_.panels.at(index).world;
    // A rim of two points, so that the frame of a map is not cut in half by its own panel.
    const Aabb& frame = frames_.at(index);
    const double rim = 2.0 * (world.high.x - world.low.x) / (frame.high.x - frame.low.x);
    const Aabb seen{world.low - Vec2{rim, rim}, world.high + Vec2{rim, rim}};
    debug::View view{
        tee_.sink(),
        {.world = seen, .frame = {frame.low - Vec2{2, 2}, frame.high + Vec2{2, 2}}, .y_up = grows_up(index)}};
    draw(view.sink());
    if (view.failed()) throw DemoError{"out of memory in a picture"};
}

bool Canvas::grows_up(std::size_t index) const {
    const Panel& panel = layout_.panels.at(index);
    return (y_up_ || panel.upright) && !panel.chart;
}

void Canvas::note(std::size_t index, std::string_view text) {
    const Aabb& frame = frames_.at(index);
    draw_text(tee_.sink(), at_height({frame.low.x, frame.high.y + 16}), std::string{text}.c_str(),
              kNoteStyle);
}

std::string Canvas::svg() {
    const Result<std::span<const char>> text = svg_->finish();
    if (!text) throw DemoError{"out of memory in a picture"};
    std::string file{(*text).data(), (*text).size()};
    return file.insert(file.rfind("</svg>"), moving_);
}

std::string Canvas::png() { return picture::encode_png(raster_->image()); }

}  // namespace fairlead::gallery
