// ObjWriter: a drawing as a Wavefront OBJ file, to lay it over a level in a 3D program.
//
// Lines become `l` elements, filled shapes `f`, groups `g`; circles have 48 sides; text becomes a comment
// with its place. Colors stand behind the coordinates of each vertex ("v x y z r g b"), as most programs read
// them. Axes as in the library, z up, x and y on the ground; or turned, y up. Every shape has its own vertices.
#pragma once

#include <cstdint>
#include <span>

#include <fairlead/base/array.h>
#include <fairlead/base/result.h>
#include <fairlead/debug/sink.h>

namespace fairlead::debug {

struct ObjOptions {
    int decimals = 4;     ///< of coordinates, 0 to 9
    double point = 0.05;  ///< world units per point: sizes the markers; > 0
    double height = 0.0;  ///< added to every z, to lift the drawing off the floor
    bool y_up = false;    ///< writes (x, z, -y), as modelling programs mostly have it
    Allocator allocator{};
};

/// Not movable: the sink points to it.
class ObjWriter {
  public:
    explicit ObjWriter(const ObjOptions& options = {});
    ObjWriter(const ObjWriter&) = delete;
    ObjWriter& operator=(const ObjWriter&) = delete;

    /// Valid while the writer lives. Circles reach it as polygons and lines.
    [[nodiscard]] Sink sink();

    /// The text so far, valid until the next call. Errors: out_of_memory (at any time before).
    [[nodiscard]] Result<std::span<const char>> finish();

  private:
    struct Write;  // the callbacks, src/debug/obj.cpp

    Array<char> text_;
    ObjOptions options_;
    std::int64_t vertices_ = 0;
    bool failed_ = false;
};

}  // namespace fairlead::debug
