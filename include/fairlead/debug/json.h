// JsonWriter: a drawing as JSON, for programs and web pages that draw it themselves.
//
//     {"fairlead_drawing":1,"items":[
//     {"group":"walls"},
//     {"boxes":[[0,0,5,1],[7,2,9,4]],"fill":"#4a5361"},
//     {"end":"group"},
//     {"polyline":[[0.5,0.5],[3.5,2]],"stroke":"#0b62b3","width":2.5}]}
//
// Items stand in the order of drawing. Keys: one of group (its name; with "clip":[x0,y0,x1,y1]), end, line,
// polyline, polygon, boxes ([low x, low y, high x, high y] each), circle ([x,y] or [x,y,z]; "radius"), text
// ("at", "size", "anchor", "bold", "halo" where true). Points are [x,y], or [x,y,z] where the height is not
// 0. Styles: fill, fill_opacity, stroke, width and dash in points, stroke_opacity; what has its default
// (width 1, opacity 1, no dash) is left out.
#pragma once

#include <span>

#include <fairlead/base/array.h>
#include <fairlead/base/result.h>
#include <fairlead/debug/sink.h>

namespace fairlead::debug {

struct JsonOptions {
    int decimals = 4;     ///< of world coordinates, 0 to 9
    double point = 0.05;  ///< world units per point: sizes the markers; > 0
    Allocator allocator{};
};

/// Not movable: the sink points to it.
class JsonWriter {
  public:
    explicit JsonWriter(const JsonOptions& options = {});
    JsonWriter(const JsonWriter&) = delete;
    JsonWriter& operator=(const JsonWriter&) = delete;

    /// Valid while the writer lives. All callbacks are filled.
    [[nodiscard]] Sink sink();

    /// Ends the text and gives its bytes, valid while the writer lives. Nothing may be drawn afterwards.
    /// Errors: out_of_memory (at any time before).
    [[nodiscard]] Result<std::span<const char>> finish();

  private:
    struct Write;  // the callbacks, src/debug/json.cpp

    Array<char> text_;
    JsonOptions options_;
    bool first_ = true;
    bool failed_ = false;
    bool finished_ = false;
};

}  // namespace fairlead::debug
