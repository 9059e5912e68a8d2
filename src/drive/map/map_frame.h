// From world units to cells of a map's lattice and back.
#pragma once

#include <fairlead/drive/drive_map.h>
#include <fairlead/math/pose.h>

namespace fairlead::drive {

struct MapFrame {
    Vec2 origin;
    double size;  ///< of a cell of the lattice

    explicit MapFrame(const DriveMap& map) : origin(map.options().origin), size(map.table().lattice_size()) {}

    [[nodiscard]] Pose in_cells(const Pose& world) const {
        return {(world.position - origin) * (1.0 / size), world.heading_rad};
    }
    [[nodiscard]] Pose to_world(const Pose& cells) const {
        return {origin + cells.position * size, cells.heading_rad};
    }
};

}  // namespace fairlead::drive
