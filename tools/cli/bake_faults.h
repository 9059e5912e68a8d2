// What is wrong with the triangles of a level, with places.
#pragma once

#include <cstddef>
#include <string>

#include <fairlead/mesh_bake/options.h>
#include <fairlead/raster/soup.h>

namespace fairlead::cli {

/// With --refuse-bad: fails at the first bad triangle.
void refuse_bad_triangles(const std::string& file, const TriangleSoup& soup, const bake::BakeOptions& baking);

/// Tells on standard error of triangles that a bake left out, `count` of them; fails if none is left.
void tell_left_out(const std::string& file, const TriangleSoup& soup, const bake::BakeOptions& baking,
                   std::size_t count);

}  // namespace fairlead::cli
