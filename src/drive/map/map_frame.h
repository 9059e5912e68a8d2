// From world units to cells of a map's lattice and back. Of a map with several floors the cells of the upper ones lie above the
// others (drive_map.h); their places in the world have the floor as layer.
#pragma once

#include <fairlead/math/pose.h>
#include "drive/map/map_data.h"

namespace fairlead::drive {

struct MapFrame {
    Vec2 origin;
    double size;              ///< of a cell of the lattice
    std::int32_t floor_rows;  ///< cells of the lattice from a floor to the next
    std::int32_t floors;
    std::int32_t first_layer;  ///< that floor 0 is
    double width;              ///< of a floor, cells of the lattice
    double height;

    explicit MapFrame(const MapData& map)
        : origin(map.options().origin),
          size(map.table().lattice_size()),
          floor_rows(map.floor_rows()),
          floors(map.floors()),
          first_layer(map.options().layer),
          width(map.edges().width()),
          height(floor_rows - (floors > 1 ? map.table().pitch() : 0)) {}

    /// The floor that a query's layer means; below 0: none.
    [[nodiscard]] std::int32_t floor_of(std::int32_t layer) const {
        if (layer == kMapLayer) return 0;
        return has_layer(layer) ? layer - first_layer : -1;
    }
    /// Is there such a floor?
    [[nodiscard]] bool has_layer(std::int32_t layer) const {
        const std::int64_t floor = std::int64_t{layer} - first_layer;
        return floor >= 0 && floor < floors;
    }
    /// Is there such a place?
    [[nodiscard]] bool on_map(Vec2 world, std::int32_t layer = kMapLayer) const {
        const std::int32_t floor = floor_of(layer);
        const Vec2 p = (world - origin) * (1.0 / size);
        return floor >= 0 && p.x >= 0.0 && p.y >= 0.0 && p.x < width && p.y < height;
    }
    [[nodiscard]] Pose in_cells(const Pose& world, std::int32_t layer = kMapLayer) const {
        Pose out{(world.position - origin) * (1.0 / size), world.heading_rad};
        out.position.y += row(floor_of(layer));
        return out;
    }
    [[nodiscard]] Pose to_world(const Pose& cells) const {
        const Vec2 down{0.0, row(floor_at(cells.position.y))};
        return {origin + (cells.position - down) * size, cells.heading_rad};
    }
    [[nodiscard]] std::int32_t layer_at(double y) const { return first_layer + floor_at(y); }
    /// The first of a floor's rows.
    [[nodiscard]] double row(std::int32_t floor) const {
        return static_cast<double>(floor) * static_cast<double>(floor_rows);
    }
    /// Rounding may leave a place a little outside its floor.
    [[nodiscard]] std::int32_t floor_at(double y) const {
        std::int32_t floor = 0;
        while (floor + 1 < floors && y >= row(floor + 1) - 0.5) ++floor;
        return floor;
    }
};

}  // namespace fairlead::drive
