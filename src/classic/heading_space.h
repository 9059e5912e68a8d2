// Tiles and eight headings: the article's Directional-8, -24 and -48 (techniques D1 to D11) in its window. The moves and the tiles that
// each sweeps come from the map's table; the first moves, from the exact start pose, are computed and swept one by one (D7).
#pragma once

#include <cmath>
#include <cstdint>

#include <fairlead/classic/offsets.h>
#include <fairlead/curve/dubins.h>
#include <fairlead/drive/drive_table.h>
#include <fairlead/math/trig.h>

#include "classic/tile_space.h"
#include "drive/body/leg_check.h"
#include "drive/lattice/article_bound.h"

namespace fairlead::classic {

inline constexpr std::int32_t kHeadings = 8;

struct HeadingSpace {
    const drive::LegCheck* check = nullptr;
    const DriveTable* table = nullptr;
    const drive::ArticleBound* bound = nullptr;
    WindowFrame frame{};
    Pose from{};  ///< world units, exact
    Cell from_cell{};
    Cell to{};
    std::int32_t to_heading = -1;  ///< -1: any
    std::int32_t rings = 1;
    bool article = true;

    [[nodiscard]] std::uint32_t place(std::int32_t x, std::int32_t y, std::int32_t heading) const {
        return frame.number(x, y) * kHeadings + static_cast<std::uint32_t>(heading);
    }
    /// World units.
    [[nodiscard]] Pose pose(std::uint32_t at) const {
        const Cell cell = frame.cell(at / kHeadings);
        return pose_of(cell, static_cast<std::int32_t>(at % kHeadings));
    }
    [[nodiscard]] Pose pose_of(const Cell& cell, std::int32_t heading) const {
        const double size = check->cell_size();
        return {check->frame().origin + Vec2{cell.x + 0.5, cell.y + 0.5} * size,
                heading_rad(kHeadings, heading)};
    }

    /// The curve of the first move to a place: the shortest of arc, line, arc, as in the table (E5).
    [[nodiscard]] CurveWord first_word(std::uint32_t at) const {
        CurveWord words[kDubinsWords];
        const int count = dubins_words(from, pose(at), turning_radius(), words);
        for (int i = 0; i < count; ++i) {
            if (words[i].segments[1].steer == Steer::straight) return words[i];
        }
        return words[0];
    }
    /// Does the way begin in a lattice pose?
    [[nodiscard]] bool starts_at(const Pose& at) const {
        const double turn = math::wrap_pi(at.heading_rad - from.heading_rad);
        return at.position == from.position && turn < 1e-12 && turn > -1e-12;
    }
    [[nodiscard]] double turning_radius() const { return table->turning_radius() * check->cell_size(); }

    template <class Sink>
    void start(Sink& sink) const {
        const std::int32_t near_by = nearest_heading(kHeadings, from.heading_rad);
        if (starts_at(pose_of(from_cell, near_by))) {
            sink.add(place(from_cell.x, from_cell.y, near_by), 0, kFromStart);
            return;
        }
        for (std::int32_t i = 0; i < offset_count(rings); ++i) {
            const std::int32_t x = from_cell.x + kTileOffsets[i].dx;
            const std::int32_t y = from_cell.y + kTileOffsets[i].dy;
            if (!frame.holds(x, y) || !check->on_map(pose_of({x, y}, 0).position)) continue;
            for (std::int32_t h = 0; h < kHeadings; ++h) {
                const std::uint32_t at = place(x, y, h);
                const CurveWord word = first_word(at);
                if (!check->word_is_free(from, turning_radius(), word)) continue;
                sink.add(at, cost_of(word.length * table->turning_radius()), kFromStart);
            }
        }
    }
    [[nodiscard]] bool is_goal(std::uint32_t at) const {
        if (at / kHeadings != frame.number(to.x, to.y)) return false;
        return to_heading < 0 || static_cast<std::int32_t>(at % kHeadings) == to_heading;
    }
    [[nodiscard]] std::uint32_t estimate(std::uint32_t at) const {
        const Cell cell = frame.cell(at / kHeadings);
        const Vec2 gap{static_cast<double>(to.x - cell.x), static_cast<double>(to.y - cell.y)};
        const double size =
            article ? bound->at(gap, heading_rad(kHeadings, static_cast<std::int32_t>(at % kHeadings)))
                    : std::sqrt(gap.x * gap.x + gap.y * gap.y) * (1.0 - 1.0 / 64);
        return static_cast<std::uint32_t>(std::floor(size * kStraightCost));
    }

    template <class Sink>
    void expand(std::uint32_t at, Sink& sink) const {
        const Cell cell = frame.cell(at / kHeadings);
        const auto heading = static_cast<std::int32_t>(at % kHeadings);
        const std::uint32_t first = table->primitives().first(heading);
        const auto moves = table->primitives().from(heading);
        for (std::uint32_t i = 0; i < moves.size(); ++i) {
            const Primitive& move = moves[i];
            const std::int32_t x = cell.x + move.dx;
            const std::int32_t y = cell.y + move.dy;
            if (!frame.holds(x, y) || !sweeps(cell, first + i)) continue;
            sink.add(place(x, y, move.to), cost_of(move.length), first + i);
        }
    }

  private:
    [[nodiscard]] static std::uint32_t cost_of(double cells) {
        return static_cast<std::uint32_t>(std::floor(cells * kStraightCost + 0.5));
    }
    [[nodiscard]] bool sweeps(const Cell& cell, std::uint32_t move) const {
        const drive::GroundBits& free = check->free();
        for (const CellRun& run : table->swept(move)) {
            const std::int32_t x = cell.x + run.dx;
            const std::int32_t y = cell.y + run.dy;
            if (y < 0 || y >= free.height || x < 0 || x + run.count > free.width) return false;
            for (std::int32_t k = 0; k < run.count; ++k) {
                if (!free.free(x + k, y)) return false;
            }
        }
        return true;
    }
};

}  // namespace fairlead::classic
