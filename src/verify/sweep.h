// A body along one leg: its first overlap with anything that it must not enter.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

#include <fairlead/verify/verify.h>

#include "verify/blocker.h"
#include "verify/cells.h"
#include "verify/contact.h"
#include "verify/piece.h"
#include "verify/ride.h"
#include "verify/rigid_contact.h"
#include "verify/scale.h"
#include "verify/tile_world.h"

namespace fairlead::witness {

/// In cells. A square or a disc, of which one number is 0, both for a point; or a body that turns with its heading.
struct Body {
    double half = 0.0;    ///< half the side of a square
    double radius = 0.0;  ///< of a disc
    bool turns = false;   ///< the others are 0, and this is it:
    RigidBody rigid{};
    [[nodiscard]] double reach() const { return turns ? rigid.reach() : half + radius; }
};

struct Hit {
    ViolationKind kind = ViolationKind::none;
    Contact contact{};
    Obstacle obstacle{};
    Cell cell{-1, -1, -1};
    std::int64_t index = -1;
};

template <TileWorld World>
class Sweep {
  public:
    Sweep(const World& world, const Scale& scale, const VerifyOptions& options)
        : walls_(world, options.terrain),
          scale_(scale),
          blockers_(options.blockers),
          cells_left_(options.cells_max) {
        for (const Blocker& blocker : blockers_) {
            if (blocker.box.empty()) blocker_size_ = larger(blocker_size_, blocker.radius / scale.cell);
        }
    }

    /// The first overlap that is deeper than the slack, with its worst moment; or kind none; or too_far.
    [[nodiscard]] Hit run(const Ride& ride, std::int32_t layer, const Body& body) {
        begin(ride, layer, body);
        Steps steps(ride_, reach_, body.turns);
        Piece piece;
        while (steps.next(piece)) {
            open_ = piece;
            look_at_border();
            look_at_walls(piece);
            look_at_blockers();
            if (spent_) return {ViolationKind::too_far, {piece.from, piece.from, 0.0}, {}, {-1, -1, -1}, -1};
            if (hit_.kind != ViolationKind::none) {
                find_worst(piece, steps);
                name_cell();
                break;
            }
        }
        return hit_;
    }

  private:
    static constexpr int kFollowMax = 256;      // pieces
    static constexpr double kRigidSize = 68.0;  // verify.h, "Bodies that turn"

    void begin(const Ride& ride, std::int32_t layer, const Body& body) {
        ride_ = ride;
        layer_ = layer;
        body_ = body;
        reach_ = body.reach();
        hit_ = {};
        double size = size_of(ride.track.start) + ride.track.length;
        size = larger(larger(size, reach_), blocker_size_);
        size = larger(larger(size, scale_.width), scale_.height);
        if (body.turns) size = larger(size, 4.0 * reach_ + kRigidSize);
        threshold_ = scale_.threshold(size);
        thin_ = body.turns ? half_width(body.rigid) <= 2.0 * scale_.slack
                           : body.half == 0.0 && body.radius <= threshold_;
    }

    [[nodiscard]] static double half_width(const RigidBody& body) {
        const Vec2 size = body.core.high - body.core.low;
        return 0.5 * smaller(size.x, size.y) + body.radius;
    }

    /// Squares and discs become points.
    [[nodiscard]] Obstacle grown(Aabb box, double round) const {
        const Vec2 half{body_.half, body_.half};
        return {{box.low - half, box.high + half}, round + body_.radius};
    }

    void consider(const Obstacle& obstacle, ViolationKind kind, std::int64_t index) {
        if (settled() || !meets(open_, obstacle)) return;
        const Contact contact = contact_with(obstacle);
        if (hit_.kind != ViolationKind::none && hit_.contact.begin <= contact.begin) return;
        hit_ = {kind, contact, obstacle, {-1, -1, -1}, index};
        open_ = piece_of(ride_, open_.from, contact.begin);
    }

    /// Does the body go deeper into an obstacle than allowed, on a piece of the ride?
    [[nodiscard]] bool meets(const Piece& piece, const Obstacle& obstacle) const {
        if (!body_.turns) return goes_deeper(piece, obstacle, threshold_);
        // The disc around the axle that holds the body comes first: it costs little.
        const double round = reach_ + obstacle.round + detail::kPad;
        return goes_deeper(piece, Obstacle{obstacle.box, round}, 0.0) &&
               goes_deeper(part_of(ride_.motion, piece.from, piece.to), body_.rigid, obstacle, threshold_);
    }

    /// Of a body that turns only where the contact begins.
    [[nodiscard]] Contact contact_with(const Obstacle& obstacle) const {
        if (!body_.turns) return find_contact(ride_.track, open_, obstacle, threshold_);
        const double from =
            contact_begin(ride_.motion, body_.rigid, obstacle, threshold_, open_.from, open_.to);
        return {from, from, 0.0};
    }

    /// The worst moment of the first contact, which was found on this piece.
    void find_worst(const Piece& piece, Steps& steps) {
        if (body_.turns) {
            hit_.contact =
                rigid_contact(ride_.motion, body_.rigid, hit_.obstacle, threshold_, hit_.contact.begin);
            return;
        }
        hit_.contact = find_contact(ride_.track, piece, hit_.obstacle, threshold_);
        follow(steps);
    }

    /// Nothing can begin earlier than what is found.
    [[nodiscard]] bool settled() const {
        return hit_.kind != ViolationKind::none && hit_.contact.begin <= open_.from;
    }

    void look_at_border() {
        const Aabb all{{-kOutside, -kOutside}, {kOutside, kOutside}};
        if (!walls_.wrap_x()) {
            consider(grown({all.low, {0.0, all.high.y}}, 0.0), ViolationKind::off_world, -1);
            consider(grown({{scale_.width, all.low.y}, all.high}, 0.0), ViolationKind::off_world, -1);
        }
        if (!walls_.wrap_y()) {
            consider(grown({all.low, {all.high.x, 0.0}}, 0.0), ViolationKind::off_world, -1);
            consider(grown({{all.low.x, scale_.height}, all.high}, 0.0), ViolationKind::off_world, -1);
        }
    }

    void look_at_walls(const Piece& piece) {
        const Vec2 reach{reach_on(walls_.wrap_x(), scale_.width), reach_on(walls_.wrap_y(), scale_.height)};
        for_runs_near(piece, reach, bounds(), [&](const CellRun& run) {
            const auto cells = static_cast<std::uint64_t>(run.last - run.first) + 1;
            if (settled() || !spend(cells)) return false;
            for (std::int32_t x = run.first; x <= run.last; ++x) {
                if (walls_.closed(x, run.row, layer_)) look_at_wall(x, run.row);
            }
            return true;
        });
    }

    /// On a wrapped axis the nearest image of a wall is never farther than half the map, and for a body that looks the same
    /// to all sides it is the one that counts.
    [[nodiscard]] double reach_on(bool wraps, double period) const {
        return wraps && !body_.turns ? smaller(reach_, 0.5 * period + 1.0) : reach_;
    }

    /// The border is an obstacle of its own; a thin body still needs the cells along it, for their seams.
    [[nodiscard]] CellBounds bounds() const {
        constexpr std::int32_t kAll = 1 << 28;
        const std::int32_t rim = thin_ ? 1 : 0;
        CellBounds all{-rim, walls_.width() - 1 + rim, -rim, walls_.height() - 1 + rim};
        if (walls_.wrap_x()) all.x_first = -kAll, all.x_last = kAll;
        if (walls_.wrap_y()) all.y_first = -kAll, all.y_last = kAll;
        return all;
    }

    void look_at_wall(std::int32_t x, std::int32_t y) {
        if (!thin_) {
            look_at_box(x, y, 1, 1);
            return;
        }
        // A body thinner than the slack could slip along the side that two walls share: that side is inside
        // their union, as is the corner that four share. Each is looked at from its lowest cell.
        const bool right = walls_.closed(x + 1, y, layer_);
        const bool up = walls_.closed(x, y + 1, layer_);
        if (right && up && walls_.closed(x + 1, y + 1, layer_)) {
            look_at_box(x, y, 2, 2);
            return;
        }
        if (right) look_at_box(x, y, 2, 1);
        if (up) look_at_box(x, y, 1, 2);
        if (!right && !up) look_at_box(x, y, 1, 1);
    }

    void look_at_box(std::int32_t x, std::int32_t y, std::int32_t wide, std::int32_t high) {
        const bool all_outside = !walls_.inside(x, y) && !walls_.inside(x + wide - 1, y) &&
                                 !walls_.inside(x, y + high - 1) &&
                                 !walls_.inside(x + wide - 1, y + high - 1);
        if (all_outside) return;
        const Vec2 low{static_cast<double>(x), static_cast<double>(y)};
        const Vec2 size{static_cast<double>(wide), static_cast<double>(high)};
        consider(grown({low, low + size}, 0.0), ViolationKind::wall, -1);
    }

    void look_at_blockers() {
        for (std::size_t i = 0; i < blockers_.size() && !spent_ && !settled(); ++i) {
            if (blockers_[i].layer == layer_) look_at_images(blockers_[i], static_cast<std::int64_t>(i));
        }
    }

    struct Images {
        double first = 0.0;
        double last = 0.0;
    };

    /// Which laps of [low, high] come within reach of a piece of a wrapped axis that runs from a to b.
    [[nodiscard]] Images images(double a, double b, double low, double high, double reach,
                                double period) const {
        const double near = (body_.turns ? reach : smaller(reach, 0.5 * period + 1.0)) + 1.0;
        return {std::ceil((smaller(a, b) - near - high) / period),
                std::floor((larger(a, b) + near - low) / period)};
    }

    void look_at_images(const Blocker& blocker, std::int64_t index) {
        const Obstacle one = blocker_obstacle(blocker, scale_);
        const double reach = reach_ + one.round;
        Images across;
        Images along;
        if (walls_.wrap_x()) {
            across = images(open_.a.x * open_.flip.x, open_.b.x * open_.flip.x, one.box.low.x, one.box.high.x,
                            reach, scale_.width);
        }
        if (walls_.wrap_y()) {
            along = images(open_.a.y * open_.flip.y, open_.b.y * open_.flip.y, one.box.low.y, one.box.high.y,
                           reach, scale_.height);
        }
        for (double j = along.first; j <= along.last; j += 1.0) {
            for (double i = across.first; i <= across.last; i += 1.0) {
                if (!spend(1)) return;
                const Vec2 shift{i * scale_.width, j * scale_.height};
                consider(grown({one.box.low + shift, one.box.high + shift}, one.round),
                         ViolationKind::blocker, index);
            }
        }
    }

    [[nodiscard]] bool spend(std::uint64_t cells) {
        spent_ = spent_ || cells > cells_left_;
        if (!spent_) cells_left_ -= cells;
        return !spent_;
    }

    /// The contact may go on, and get worse, in the next pieces.
    void follow(Steps& steps) {
        Piece piece;
        for (int i = 0; i < kFollowMax && steps.next(piece); ++i) {
            if (!goes_deeper(piece, hit_.obstacle, threshold_)) return;
            const Contact more = find_contact(ride_.track, piece, hit_.obstacle, threshold_);
            if (more.begin > piece.from) return;
            if (more.depth > hit_.contact.depth) {
                hit_.contact.depth = more.depth;
                hit_.contact.worst = more.worst;
            }
        }
    }

    /// Of the walls that the contact is with, the one nearest to the body's centre at the worst moment.
    void name_cell() {
        if (hit_.kind != ViolationKind::wall) return;
        const Vec2 p = place_at(hit_.contact.worst);
        const auto nearest = [&](double at, double low, double high, std::int32_t size, bool wrap) {
            const auto first = static_cast<std::int32_t>(std::floor(low + body_.half + 0.5));
            const auto last = static_cast<std::int32_t>(std::floor(high - body_.half + 0.5)) - 1;
            const std::int32_t cell = detail::floor_between(at, first, last);
            return wrap ? cell : (cell < 0 ? 0 : (cell >= size ? size - 1 : cell));
        };
        const Aabb& box = hit_.obstacle.box;
        hit_.cell =
            walls_.cell(nearest(p.x, box.low.x, box.high.x, walls_.width(), walls_.wrap_x()),
                        nearest(p.y, box.low.y, box.high.y, walls_.height(), walls_.wrap_y()), layer_);
    }

    [[nodiscard]] Vec2 place_at(double distance) const {
        return ride_.on_spot() ? ride_.track.start : point_at(ride_.track, distance);
    }

    Walls<World> walls_;
    Scale scale_;
    std::span<const Blocker> blockers_;
    std::uint64_t cells_left_ = 0;
    double blocker_size_ = 0.0;
    bool spent_ = false;

    // Of the leg under way.
    Ride ride_{};
    std::int32_t layer_ = 0;
    Body body_{};
    double reach_ = 0.0;
    double threshold_ = 0.0;
    bool thin_ = false;
    Piece open_{};  ///< of the piece under way: the part before what is found so far
    Hit hit_{};
};

}  // namespace fairlead::witness
