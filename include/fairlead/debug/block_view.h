// BlockView: blocks (blocks.h) in an isometric picture, hidden surfaces removed exactly.
//
//     Result<debug::BlockView> view = debug::BlockView::make(*blocks);
//     debug::SvgWriter svg({.bounds = view->bounds(), .y_up = true});
//     view->draw(svg.sink());
//     view->draw(*way, svg.sink());                         // where the way is hidden it is dashed
//
// How. Seen along the diagonal of a block, every face is two triangles of one lattice in the picture, and all that is seen in one of
// those triangles is one face. So each triangle is asked once which face stands first along its line of sight: no sorting, no cycles,
// and nothing is written that is not seen. A line is split where it enters another triangle or passes through that triangle's face:
// between two such places it is seen or hidden as a whole.
//
// The picture's unit is the side of a block, y up. A block is a cube in it, also where voxels are longer on one axis.
//
// Cost: make looks at each triangle's line, at most 3 blocks a layer; 8 bytes a triangle. Drawing is linear in what is seen.
// Source: the isometric lattice; the rest our own.
#pragma once

#include <cstdint>
#include <span>

#include <fairlead/base/array.h>
#include <fairlead/base/result.h>
#include <fairlead/debug/blocks.h>
#include <fairlead/debug/sink.h>
#include <fairlead/route/route.h>

namespace fairlead::debug {

struct BlockViewOptions {
    /// Of a turn of the world, counter-clockwise from above. 0: the eye is at high x, high y; 1: high x, low y; 2: low, low; 3: low, high.
    int quarter = 0;
    bool frame = true;  ///< the far edges of the region, behind everything
    bool edges = true;  ///< lines between faces
    Allocator allocator{};
};

/// How a line through the blocks is drawn.
struct BlockLine {
    Stroke seen{.color = palette::kRoute, .width = 2.5};
    Stroke hidden{
        .color = palette::kRoute, .width = 1.4, .dash = 3.0, .opacity = 0.8};  ///< width 0: not at all
    bool casing = true;                                                        ///< a white rim
    bool shadow = false;  ///< a faint line on what lies below it
};

class BlockView {
  public:
    /// Errors: out_of_memory. The blocks outlive the view and do not change.
    [[nodiscard]] static Result<BlockView> make(const Blocks& blocks, const BlockViewOptions& options = {});

    /// Where a point of the world is in the picture.
    [[nodiscard]] Vec2 map(Vec3 world) const { return flat(turned(blocks_->in_blocks(world))); }
    /// Of all that can be drawn, with a rim.
    [[nodiscard]] Aabb bounds() const;
    /// Is there something between the eye and a point of the world?
    [[nodiscard]] bool is_hidden(Vec3 world) const;

    /// The blocks, as the group "blocks" (with "frame", "faces", "edges").
    void draw(const Sink& sink) const;
    /// A line through the world, as the group "line". What lies more than 10^6 blocks off, or is not finite, is left out.
    void draw_line(std::span<const Vec3> points, const Sink& sink, const BlockLine& line = {}) const;
    /// A route, as the group "route": its line, dots where legs meet, start (disc) and goal (target).
    void draw(const Route& route, const Sink& sink, const BlockLine& line = {}) const;
    /// A ball about a point, its color paler where it is hidden. Radius in points.
    void draw_dot(Vec3 world, double radius, Color color, const Sink& sink) const;

  private:
    struct Face {
        std::int32_t plane = 0;  ///< the face lies at this coordinate
        std::int8_t axis = -1;   ///< -1: nothing is seen
        std::uint8_t paint = 0;
        std::uint16_t number = 0;
    };
    struct Walk;   // src/debug/draw_block_lines.cpp
    struct Edges;  // src/debug/draw_block_view.cpp

    explicit BlockView(const Allocator& allocator) : faces_(allocator) {}
    [[nodiscard]] Vec3 turned(Vec3 blocks) const;
    [[nodiscard]] Voxel unturned(Voxel turned) const;
    [[nodiscard]] static Vec2 flat(Vec3 turned) {
        constexpr double kCos30 = 0.86602540378443865;
        return {(turned.y - turned.x) * kCos30, turned.z - 0.5 * (turned.x + turned.y)};
    }
    /// Triangle `half` of square (i, j): 0 where x - i > y - j.
    [[nodiscard]] const Face& face(std::int32_t i, std::int32_t j, std::int32_t half) const;
    [[nodiscard]] Face first_face(std::int32_t i, std::int32_t j, std::int32_t half) const;
    [[nodiscard]] bool take(Voxel at, int axis, Face& out) const;
    [[nodiscard]] Color shade(const Face& face) const;
    void draw_faces(const Sink& sink) const;
    void draw_runs(const Sink& sink, const Fill& fill, bool all, const Face& like) const;
    void draw_frame(const Sink& sink) const;
    void draw_edges(const Sink& sink) const;
    template <class Each>
    void draw_strokes(const Each& each, const BlockLine& line, const Sink& sink) const;
    void draw_pieces(Vec3 a, Vec3 b, bool hidden, const Stroke& stroke, const Sink& sink) const;
    void draw_shadow(Vec3 a, Vec3 b, const Sink& sink) const;
    [[nodiscard]] bool hides(const Face& face, Vec3 turned) const;

    const Blocks* blocks_ = nullptr;
    BlockViewOptions options_{};
    Voxel size_{};  // turned
    Array<Face> faces_;
};

}  // namespace fairlead::debug
