// The second witness of level meshes: a mesh made anew with what stands and leads in it now. It knows links and obstacles of any
// shape, which the oracle of tiles and boxes does not: what many edits made must answer as what was made at once.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include <fairlead/bridge/grid_mesh.h>
#include <fairlead/mesh/find_route.h>
#include <fairlead/mesh/nav_mesh.h>
#include <fairlead/mesh/obstacle.h>

namespace fairlead::simulate {

class MeshTwin {
  public:
    void reset();
    /// An edit that the mesh took.
    void edited(const MeshEdit& edit);
    /// The tiles changed.
    void forget() { fresh_.reset(); }
    /// The mesh is no longer what its tiles are.
    void give_up() { known_ = false; }

    /// Does the fresh mesh answer like this? Only where both answers are exact: empty if so, or if it is not asked.
    [[nodiscard]] std::string judge(const Grid& grid, const GridMeshOptions& options,
                                    const NavMeshState& state, const MeshQuery& query, const Route& route);

  private:
    [[nodiscard]] bool make(const Grid& grid, const GridMeshOptions& options);

    std::map<std::int64_t, MeshObstacle> obstacles_;
    std::map<std::uint32_t, MeshLink> links_;
    std::optional<NavMesh> fresh_;
    Scratch scratch_;
    bool known_ = true;
};

}  // namespace fairlead::simulate
