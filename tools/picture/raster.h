// RasterWriter: a drawing as pixels, and those as a PNG file, without any graphics library.
//
//     const debug::SvgOptions page{.bounds = debug::world_bounds(*town)};
//     picture::RasterWriter raster(page);                    // the same page as SvgWriter's
//     debug::draw(*town, raster.sink());
//     std::string file = picture::encode_png(raster.image());
//
// Edges are smoothed: across exactly, down by 8 scans a pixel. Shapes of one style that overlap or touch are
// filled as one (sink.h), lines have round ends and joins, text is drawn in the strokes of stroke_font.h. The
// result is the same on every machine, byte for byte before compression.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <fairlead/debug/sink.h>
#include <fairlead/debug/svg.h>

namespace fairlead::picture {

/// Rows from the top, three bytes a pixel: red, green, blue.
struct Image {
    int width = 0;
    int height = 0;
    std::vector<std::uint8_t> pixels;
};

class RasterWriter {
  public:
    explicit RasterWriter(const debug::SvgOptions& page, double pixels_per_point = 2.0);
    RasterWriter(const RasterWriter&) = delete;
    RasterWriter& operator=(const RasterWriter&) = delete;

    /// Valid while the writer lives. All callbacks are filled but boxes, which reach it as polygons.
    [[nodiscard]] debug::Sink sink();

    /// Ends the drawing.
    [[nodiscard]] const Image& image();

  private:
    struct Paint;  // the callbacks, raster.cpp

    struct Edge {
        double x0, y0, x1, y1;  // y0 < y1, pixels
        int winding;            // +1 where the outline went down
    };
    struct Clip {
        int x0, y0, x1, y1;  // pixels, half open
    };

    Image image_;
    Vec2 offset_{};
    double scale_ = 1.0;   // pixels per world unit
    double pixels_ = 2.0;  // per point
    bool y_up_ = false;
    std::vector<Clip> clips_;

    // The shape being collected, and its look.
    std::vector<Edge> edges_;
    bool is_stroke_ = false;
    debug::Fill fill_{};
    debug::Stroke stroke_{};
    std::vector<float> cover_;
};

/// 8 bits a channel, no alpha, no time stamp.
[[nodiscard]] std::string encode_png(const Image& image);

}  // namespace fairlead::picture
