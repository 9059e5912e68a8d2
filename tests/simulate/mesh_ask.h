// Questions and edits of level meshes, made from steps.
#pragma once

#include <vector>

#include <fairlead/mesh/find_route.h>

#include "simulate/script.h"

namespace fairlead::simulate {

/// A query with the memory behind its spans.
struct MeshAsk {
    MeshQuery query;
    std::vector<Vec3> goals;
    std::vector<double> area_costs;
    std::vector<double> link_costs;

    [[nodiscard]] const MeshQuery& bind();
};

[[nodiscard]] MeshAsk mesh_ask_of(const Step& step);
[[nodiscard]] MeshEdit mesh_edit_of(const Step& step);
[[nodiscard]] bool good_filter(const MeshFilter& filter);
/// Are all fields in their documented ranges?
[[nodiscard]] bool good_mesh_query(const MeshQuery& query, double radius_max);

}  // namespace fairlead::simulate
