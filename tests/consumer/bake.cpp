// Links fairlead::bake alone.
#include <fairlead/fairlead.h>
#include <fairlead/mesh_bake/navmesh.h>

int main() {
    using namespace fairlead;
    const Vec3 corners[] = {{0, 0, 0}, {9, 0, 0}, {9, 9, 0}, {0, 9, 0}};
    const std::uint32_t triangles[] = {0, 1, 2, 0, 2, 3};
    Result<NavMesh> level =
        bake::navmesh({.vertices = corners, .triangles = triangles}, {.agent_radius = 0.4});
    return level ? 0 : 1;
}
