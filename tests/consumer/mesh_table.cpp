// Links fairlead::mesh_table alone.
#include <utility>

#include <fairlead/fairlead.h>

int main() {
    using namespace fairlead;
    const Vec3 corners[] = {{0, 0, 0}, {9, 0, 0}, {9, 9, 0}, {0, 9, 0}};
    const std::uint32_t sizes[] = {4};
    const std::uint32_t order[] = {0, 1, 2, 3};
    const NavMeshTile tile{.vertices = corners, .polygon_sizes = sizes, .polygon_corners = order};
    Result<NavMesh> level = NavMesh::make({.agent_radius = 0.3, .tiles = {&tile, 1}});
    if (!level) return 1;
    Result<MeshTable> table = MeshTable::make(level->acquire());
    Array<std::uint8_t> bytes;
    return table && table->save(bytes) && !bytes.empty() ? 0 : 1;
}
