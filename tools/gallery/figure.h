// What a figure of the gallery is, and how to add one:
//
//   1. write a function void draw_my_figure(Canvas& canvas) in a figures_*.cpp:
//          const World world = canvas.world("sand");                      // scenes/sand.json
//          canvas.layout({.columns = 2, .panels = {{bounds, "before"}, {bounds, "after"}}, .legend = {...}});
//          canvas.panel(0, [&](const debug::Sink& sink) { debug::draw(world.grid.state(), sink); ... });
//          canvas.note(0, "12 turns, length 41.3");
//          canvas.row(row_of("before", route));
//   2. list it in the table at the end of that file: {"id", "Title", "Caption.", "P1 P3", draw_my_figure}.
//
// A new file's table is listed in figures.cpp.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fairlead/debug/debug.h>
#include <fairlead/route/route.h>

#include "gallery/scenes.h"
#include "picture/raster.h"

namespace fairlead::gallery {

/// A line of the summary table. What has no value is left empty.
struct Row {
    std::string label{};
    std::string planner{};
    std::string status{};
    std::optional<double> length{};
    std::optional<double> cost{};
    std::optional<double> bound{};
    std::optional<std::uint64_t> expanded{};
    std::optional<std::uint64_t> generated{};
    std::optional<bool> legal{};
    std::string note{};
};

[[nodiscard]] Row row_of(std::string label, const Route& route);

/// The part of a picture that shows one map.
struct Panel {
    Aabb world{{0, 0}, {1, 1}};
    std::string title{};
    bool upright = false;  ///< y grows up the page, whatever the canvas does: cuts, where y is height
};

enum class Mark : std::uint8_t { box, line, dashed, dot, target, ring, ramp };

/// What a color or sign means. For Mark::ramp the color runs from `color` over `middle` to `last`.
struct LegendItem {
    std::string text{};
    debug::Color color{};
    Mark mark = Mark::box;
    debug::Color middle{};
    debug::Color last{};
    double opacity = 1.0;
};

namespace legend {
[[nodiscard]] LegendItem wall();
[[nodiscard]] LegendItem route(std::string text = "route");
[[nodiscard]] LegendItem body();
[[nodiscard]] LegendItem start();
[[nodiscard]] LegendItem goal();
[[nodiscard]] LegendItem expanded();  ///< the heat ramp of the order of expansion
[[nodiscard]] LegendItem terrain(std::int32_t cost);
}  // namespace legend

struct Layout {
    int columns = 1;
    std::vector<Panel> panels{};
    std::vector<LegendItem> legend{};
    double width = 800.0;       ///< points
    double height_max = 640.0;  ///< of one panel; wider margins rather than higher panels
};

/// What moves in a picture: a disc, or a box with a heading.
struct Mover {
    debug::Color color{};
    double radius = 0.0;  ///< a disc's; 0: a box
    double length = 0.0, width = 0.0;
    double ahead = 0.0;           ///< of the box's middle, from the place
    std::vector<Place> places{};  ///< one a sample, the same number for all of a picture
};

/// What a moving picture shows for a while only: from sample `from` on, until `until`. Boxes are filled, a line is drawn.
struct Passing {
    std::vector<Aabb> boxes{};
    std::vector<Vec2> line{};
    debug::Color color{};
    double opacity = 1.0;
    double width = 2.0;  ///< of the line, points
    std::size_t from = 0, until = SIZE_MAX;
};

/// The paper of one figure: SVG and pixels at once.
class Canvas {
  public:
    Canvas(std::string title, std::string caption, std::string scenes, double pixels_per_point, bool y_up);
    ~Canvas();
    Canvas(const Canvas&) = delete;
    Canvas& operator=(const Canvas&) = delete;

    /// scenes/<name>.json.
    [[nodiscard]] World world(const std::string& name) const { return load_world(scenes_, name); }

    [[nodiscard]] const std::string& scenes() const { return scenes_; }

    /// Before anything is drawn, and once.
    void layout(Layout layout);
    void panel(std::size_t index, const std::function<void(const debug::Sink& sink)>& draw);
    /// A line of text below a panel.
    void note(std::size_t index, std::string_view text);
    /// In the SVG they move, again and again, a sample every `seconds`; where animations are not shown, and in pixels, they stand as at
    /// sample `still`.
    void move(std::size_t index, std::span<const Mover> movers, double seconds, std::size_t still);
    /// The same for what comes and goes, in a picture of so many samples.
    void pass(std::size_t index, std::span<const Passing> all, std::size_t samples, double seconds,
              std::size_t still);
    void row(Row row) { rows_.push_back(std::move(row)); }

    [[nodiscard]] const std::vector<Row>& rows() const { return rows_; }
    [[nodiscard]] Vec2 size() const { return size_; }
    /// End the drawing. Throws DemoError when memory ran out.
    [[nodiscard]] std::string svg();
    [[nodiscard]] std::string png();

  private:
    void draw_legend();

    std::string title_;
    std::string caption_;
    std::string scenes_;
    double pixels_per_point_;
    bool y_up_;
    Layout layout_;
    Vec2 size_{};
    std::vector<Aabb> frames_;  // of the panels, points
    double legend_y_ = 0.0;
    std::unique_ptr<debug::SvgWriter> svg_;
    std::unique_ptr<picture::RasterWriter> raster_;
    std::vector<debug::Sink> sinks_;
    debug::Tee tee_;
    std::vector<Row> rows_;
    std::string moving_{};  // SVG
};

struct Figure {
    const char* id;  ///< file name and anchor: lower case, digits, '_'
    const char* title;
    const char* caption;     ///< one or two sentences: what is seen, and what to see in it
    const char* techniques;  ///< ids, separated by blanks
    void (*draw)(Canvas& canvas);
};

/// All figures in the order of the page.
[[nodiscard]] std::vector<Figure> all_figures();

/// What stops the gallery; the text is the line on standard error.
struct DemoError {
    std::string text;
};

/// "12 345"; "3.25" with at most `decimals` digits after the point.
[[nodiscard]] std::string count_text(std::uint64_t value);
[[nodiscard]] std::string number_text(double value, int decimals = 2);

}  // namespace fairlead::gallery
