// Small levels as triangle soup, for the tests of the bake.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <fairlead/base/rng.h>
#include <fairlead/raster/soup.h>

#include "scenes/level.h"

namespace fairlead::testing {

using scenes::Level;

/// A floor of size x size with random boxes on it, some turned into slabs overhead and ramps.
Level random_blocks(Rng& rng, double size, int count);
/// A maze of w x h rooms of `step` metres with thin walls; some walls are taken out.
Level random_maze(Rng& rng, int w, int h, double step);
/// Cells of one metre, each blocked with the chance given in percent, smoothed like a cave.
Level random_cave(Rng& rng, int size, std::uint32_t percent, int smoothings);
/// Hills: a height field of size x size metres.
Level random_hills(Rng& rng, int size, double rough);
/// A spiral ramp of `turns` turns round a square core, and a floor at its foot.
Level spiral(int turns);
/// An OBJ file of the benchmark data, y up.
Level read_obj(const std::string& path);
/// All of it moved.
Level moved(Level level, Vec3 by);
/// The triangles in another order.
Level shuffled(const Level& level, Rng& rng);

}  // namespace fairlead::testing
