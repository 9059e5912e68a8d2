#include <fairlead/mesh_bake/navmesh.h>

#include <algorithm>
#include <memory>
#include <new>

#include "base/no_memory.h"

namespace fairlead::bake {

namespace {

/// Forms of all tiles; TileForm is not trivially copyable, so an Array cannot hold it.
class Forms {
  public:
    explicit Forms(const Allocator& allocator) : allocator_(allocator) {}
    Forms(const Forms&) = delete;
    Forms& operator=(const Forms&) = delete;
    ~Forms() {
        std::destroy_n(forms_, made_);
        if (forms_ != nullptr)
            allocator_.release(forms_, room_ * sizeof(TileForm), alignof(TileForm), allocator_.user);
    }
    [[nodiscard]] bool reserve(std::size_t count) {
        room_ = count;
        forms_ = static_cast<TileForm*>(
            allocator_.allocate(count * sizeof(TileForm), alignof(TileForm), allocator_.user));
        return forms_ != nullptr;
    }
    void add(TileForm&& form) { new (forms_ + made_++) TileForm(std::move(form)); }

  private:
    Allocator allocator_;
    TileForm* forms_ = nullptr;
    std::size_t room_ = 0;
    std::size_t made_ = 0;
};

template <class A, class B>
bool is_before(const A& a, const B& b) {
    return a.y != b.y ? a.y < b.y : a.x < b.x;
}

// Of a tile; 0: not known.
std::uint64_t key_at(std::span<const TileKey> keys, const BakedTile& tile) {
    const TileKey wanted{.x = tile.x, .y = tile.y};
    const auto at = std::lower_bound(keys.begin(), keys.end(), wanted, is_before<TileKey, TileKey>);
    return at != keys.end() && at->x == tile.x && at->y == tile.y ? at->key : 0;
}

}  // namespace

Result<TileForm> tile_of(const BakedMesh& mesh, std::size_t i, const Allocator& allocator,
                         std::uint64_t key) {
    const BakedTile& baked = mesh.tiles[i];
    TileForm form(allocator);
    if (!form.sizes.resize_uninitialized(baked.polygon_count) ||
        !form.areas.resize_uninitialized(baked.polygon_count) ||
        !form.layers.resize_uninitialized(baked.polygon_count)) {
        return kNoMemory;
    }
    for (std::uint32_t p = 0; p < baked.polygon_count; ++p) {
        const BakedPolygon& polygon = mesh.polygons[static_cast<std::size_t>(baked.first_polygon) + p];
        if (polygon.area >= kAreasMax) return Error{ErrorCode::out_of_range, p, polygon.area};
        form.sizes[p] = polygon.count;
        form.areas[p] = static_cast<std::uint8_t>(polygon.area);
        form.layers[p] = polygon.layer;
    }
    const auto part = [](const auto& array, std::uint64_t first, std::uint32_t count) {
        return array.span().subspan(static_cast<std::size_t>(first), count);
    };
    form.tile = {.x = mesh.tile_cells != 0 ? baked.x : 0,
                 .y = mesh.tile_cells != 0 ? baked.y : 0,
                 .vertices = part(mesh.vertices, baked.first_vertex, baked.vertex_count),
                 .polygon_sizes = form.sizes.span(),
                 .polygon_corners = part(mesh.corners, baked.first_corner, baked.corner_count),
                 .areas = form.areas.span(),
                 .heights = {.field = mesh.heights(i),
                             .polygon_layers = form.layers.span(),
                             .cell_size = mesh.cell_size,
                             .cell_height = mesh.cell_height,
                             .low_x = baked.low_x,
                             .low_y = baked.low_y},
                 .key = key};
    return form;
}

Result<NavMesh> navmesh_of(const BakedMesh& mesh, const BakeOptions& options, const NavMeshExtras& extras) {
    const std::size_t count = mesh.tiles.size();
    Forms forms(options.allocator);
    Array<NavMeshTile> tiles(options.allocator);
    if (count > 0 && !forms.reserve(count)) return kNoMemory;
    if (!tiles.reserve(count + extras.kept.size())) return kNoMemory;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < count; ++i) {
        Result<TileForm> form = tile_of(mesh, i, options.allocator, key_at(extras.keys, mesh.tiles[i]));
        if (!form) return form.error();
        for (; kept < extras.kept.size() && is_before(extras.kept[kept], form->tile); ++kept) {
            if (!tiles.push_back(extras.kept[kept])) return kNoMemory;
        }
        if (!tiles.push_back(form->tile)) return kNoMemory;
        forms.add(std::move(*form));
    }
    for (; kept < extras.kept.size(); ++kept) {
        if (!tiles.push_back(extras.kept[kept])) return kNoMemory;
    }
    return NavMesh::make({.origin = mesh.origin,
                          .tile_size = mesh.tile_cells * mesh.cell_size,
                          .step_height = options.climb + mesh.cell_height,
                          .agent_radius = options.agent_radius,
                          .agent_height = options.agent_height,
                          .radius_max = extras.radius_max,
                          .tiles = tiles.span(),
                          .landmarks = extras.landmarks,
                          .gate_work_max = extras.gate_work_max,
                          .progress = extras.progress,
                          .allocator = options.allocator});
}

Result<NavMesh> navmesh(const TriangleSoup& soup, const BakeOptions& options, const NavMeshExtras& extras) {
    const Result<BakedMesh> baked = bake_mesh(soup, options);
    if (!baked) return baked.error();
    return navmesh_of(*baked, options, extras);
}

}  // namespace fairlead::bake
