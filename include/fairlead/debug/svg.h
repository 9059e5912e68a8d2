// SvgWriter: a drawing as an SVG file, in memory. Opening and writing files is the caller's business.
//
//     debug::SvgWriter svg({.bounds = {{0, 0}, {64, 64}}, .title = "Town"});
//     debug::draw(*town, svg.sink());
//     Result<std::span<const char>> text = svg.finish();
//
// The file is SVG 1.1 without scripts, style sheets or references; every browser and vector editor shows it.
// It is the same byte for byte on every platform: coordinates are rounded to 1/100 of a point. Text uses the
// system's plain font. A group becomes a <g> whose class is its name.
//
// Row 0 is at the top (SVG's y grows down), as tile maps are printed; y_up turns the picture over, text stays
// upright. Time and memory are linear in what is drawn.
#pragma once

#include <cstdint>
#include <span>

#include <fairlead/base/array.h>
#include <fairlead/base/result.h>
#include <fairlead/debug/sink.h>

namespace fairlead::debug {

struct SvgOptions {
    Aabb bounds{{0, 0}, {1, 1}};  ///< the part of the world shown; finite, sides > 0
    double width = 800.0;         ///< of the picture, points, margins included; the height follows
    double margin = 8.0;          ///< points, on each side
    bool y_up = false;
    Fill background{rgb(0xffffff)};
    const char* title = "";  ///< for screen readers; UTF-8
    const char* description = "";
    Allocator allocator{};
};

/// The size of the picture in points.
[[nodiscard]] Vec2 svg_size(const SvgOptions& options);

/// Not movable: the sink points to it.
class SvgWriter {
  public:
    explicit SvgWriter(const SvgOptions& options = {});
    SvgWriter(const SvgWriter&) = delete;
    SvgWriter& operator=(const SvgWriter&) = delete;

    /// Valid while the writer lives. All callbacks are filled.
    [[nodiscard]] Sink sink();

    /// Ends the file and gives its bytes, valid while the writer lives. Nothing may be drawn afterwards.
    /// Errors: out_of_memory (at any time before).
    [[nodiscard]] Result<std::span<const char>> finish();

  private:
    struct Write;  // the callbacks, src/debug/svg.cpp

    enum class Path : std::uint8_t { none, fill, stroke };

    Array<char> text_;
    Array<bool> clipped_;  // for each open group: does it clip
    Vec2 offset_{};
    double scale_ = 1.0;
    bool y_up_ = false;
    bool failed_ = false;
    bool finished_ = false;
    Path path_ = Path::none;  // the path being written, and its style
    Fill fill_{};
    Stroke stroke_{};
    std::int64_t pen_x_ = 0;  // hundredths of a point
    std::int64_t pen_y_ = 0;
};

}  // namespace fairlead::debug
