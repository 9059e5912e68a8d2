// Roads as a raster: row by row, the cells whose middles lie on a road are free.
#include <cmath>
#include <cstring>

#include <fairlead/bridge/narrow_places_of.h>

#include "bridge/road_ground.h"

namespace fairlead {

namespace {

constexpr double kWallReach = 0.75;  // cells: nearer than that a wall takes a cell away

/// The cells of a raster with their middles within `half` of a line.
template <class Visit>
void each_row_near(Vec2 origin, double cell, std::int32_t width, std::int32_t height, Vec2 a, Vec2 b,
                   double half, Visit visit) {
    const auto index = [cell](double from, double v, std::int32_t most) {
        const double at = (v - from) / cell;
        return at <= 0.0 ? 0 : at >= most ? most : static_cast<std::int32_t>(at);
    };
    const Aabb box = bridge::box_around(a, b, half);
    const std::int32_t last = index(origin.y, box.high.y + cell, height);
    for (std::int32_t y = index(origin.y, box.low.y - cell, height); y < last; ++y) {
        const Vec2 from = origin + Vec2{0.5, y + 0.5} * cell;
        const double across = width;
        const bridge::Stretch in = bridge::near_line(from, {cell, 0.0}, a, b, half, {0.0, across - 1.0});
        if (in.empty()) continue;
        const auto x0 = static_cast<std::int32_t>(std::ceil(in.from - 1e-9));
        const auto x1 = static_cast<std::int32_t>(std::floor(in.to + 1e-9)) + 1;
        if (x0 < x1) visit(y, x0, x1);
    }
}

}  // namespace

Result<RoadmapWalls> RoadmapWalls::make(const RoadmapState& roads, const WallsOptions& options) {
    if (!std::isfinite(options.radius)) return Error(ErrorCode::not_finite, Field::agent_radius);
    if (!std::isfinite(options.detail)) return Error(ErrorCode::not_finite, Field::distance);
    if (!(options.radius > 0.0)) return Error(ErrorCode::out_of_range, Field::agent_radius);
    if (!(options.detail >= kPlaceCellsPerRadiusMin && options.detail <= kPlaceCellsPerRadiusMax)) {
        return Error(ErrorCode::out_of_range, Field::distance);
    }
    if (!roads.has_widths()) return Error(ErrorCode::unsupported, Field::width);
    bridge::RoadGround found(roads, 1.0, options.allocator);
    if (!found.gather()) return Error(ErrorCode::out_of_memory);
    if (found.roads.empty()) return Error(ErrorCode::size_zero);
    if (!found.flat) return Error(ErrorCode::unsupported, Field::height);
    RoadmapWalls walls(options.allocator);
    walls.options_ = options;
    const double cell = walls.cell_ = options.radius / options.detail;
    Aabb box = roadmap::kNoBox;
    for (const bridge::Road& road : found.roads)
        roadmap::include(box, bridge::box_around(ground(road.a), ground(road.b), road.half));
    walls.origin_ = box.low - Vec2{cell, cell};  // a cell of wall around all
    const double x = std::ceil((box.high.x - box.low.x) / cell * (1.0 - 1e-9)) + 2.0;
    const double y = std::ceil((box.high.y - box.low.y) / cell * (1.0 - 1e-9)) + 2.0;
    if (!(x <= kPlaceSideMax && y <= kPlaceSideMax && x * y <= static_cast<double>(kPlaceCellsMax))) {
        return Error(ErrorCode::size_limit, Field::cells, kPlaceCellsMax);
    }
    walls.width_ = static_cast<std::int32_t>(x);
    walls.height_ = static_cast<std::int32_t>(y);
    const auto width = static_cast<std::size_t>(walls.width_);
    if (!walls.blocked_.resize(width * static_cast<std::size_t>(walls.height_)))
        return Error(ErrorCode::out_of_memory);
    std::memset(walls.blocked_.data(), 1, walls.blocked_.size());
    const auto fill = [&](Vec2 a, Vec2 b, double half, int value) {
        each_row_near(walls.origin_, cell, walls.width_, walls.height_, a, b, half,
                      [&](std::int32_t row, std::int32_t x0, std::int32_t x1) {
                          const std::size_t at =
                              static_cast<std::size_t>(row) * width + static_cast<std::size_t>(x0);
                          std::memset(walls.blocked_.data() + at, value, static_cast<std::size_t>(x1 - x0));
                      });
    };
    for (const bridge::Road& road : found.roads) fill(ground(road.a), ground(road.b), road.half, 0);
    for (const RoadmapWallSide& side : roads.wall_sides()) fill(side.a, side.b, kWallReach * cell, 1);
    return walls;
}

PlacesOptions RoadmapWalls::options() const {
    return {.origin = origin_,
            .cell = cell_,
            .width = width_,
            .height = height_,
            .radius = options_.radius,
            .margin = options_.margin,
            .pocket = options_.pocket,
            .allocator = options_.allocator};
}

WallRows RoadmapWalls::rows() const {
    const auto row = [](std::int32_t y, std::int32_t x, std::span<std::uint8_t> blocked, void* user) {
        const RoadmapWalls& of = *static_cast<const RoadmapWalls*>(user);
        const std::size_t first =
            static_cast<std::size_t>(y) * static_cast<std::size_t>(of.width_) + static_cast<std::size_t>(x);
        std::memcpy(blocked.data(), of.blocked_.data() + first, blocked.size());
    };
    return {row, const_cast<RoadmapWalls*>(this)};  // only ever read
}

}  // namespace fairlead
