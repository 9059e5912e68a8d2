// View: a window in a picture. Maps a part of a world into a rectangle of another sink, so that one picture
// can hold several maps, a map and its legend, or a minimap.
//
//     debug::View left{page.sink(), {.world = {{0, 0}, {64, 64}}, .frame = {{20, 20}, {420, 420}}}};
//     debug::draw(*town, left.sink());
#pragma once

#include <fairlead/base/array.h>
#include <fairlead/debug/sink.h>

namespace fairlead::debug {

struct ViewOptions {
    Aabb world{{0, 0}, {1, 1}};  ///< what is shown; not empty, sides > 0
    Aabb frame{{0, 0}, {1, 1}};  ///< where, in the units of the target; not empty, sides > 0
    bool y_up = false;           ///< false: y grows in the world where it grows in the target
    bool clip = true;            ///< draw nothing outside the frame
};

/// The scale is the same on both axes; the world is centred where the frame has another shape.
class View {
  public:
    View(const Sink& target, const ViewOptions& options);
    View(const View&) = delete;
    View& operator=(const View&) = delete;
    ~View();

    /// Valid while this object lives. The target sees one group "view" until then.
    [[nodiscard]] Sink sink();
    /// Where a point of the world lies in the target.
    [[nodiscard]] Vec2 map(Vec2 world) const {
        return {offset_.x + world.x * scale_, offset_.y + world.y * (flip_ ? -scale_ : scale_)};
    }
    [[nodiscard]] double scale() const { return scale_; }
    /// The part of the frame that the world covers.
    [[nodiscard]] Aabb covered() const { return covered_; }
    /// True when memory ran out and a shape was left out.
    [[nodiscard]] bool failed() const { return failed_; }

  private:
    [[nodiscard]] Vec3 map(Vec3 p) const;
    [[nodiscard]] Aabb map(const Aabb& box) const;
    [[nodiscard]] std::span<const Vec3> map(std::span<const Vec3> points);

    Sink target_;
    double scale_ = 1.0;
    Vec2 offset_{};
    Aabb covered_{};
    bool flip_ = false;
    bool failed_ = false;
    Array<Vec3> points_;
};

}  // namespace fairlead::debug
