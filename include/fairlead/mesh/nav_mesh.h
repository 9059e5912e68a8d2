// NavMesh: a world of convex polygons that one can walk on (technique W4). The floor of a level, with ramps and
// floors above each other; two polygons that share an edge are joined there (a *portal*), an edge without a
// partner is a wall.
//
//     const Vec3 corners[] = {{0, 0, 0}, {9, 0, 0}, {9, 4, 0}, {0, 4, 0}, {9, 9, 1}, {0, 9, 1}};
//     const std::uint32_t sizes[] = {4, 4}, order[] = {0, 1, 2, 3, 3, 2, 4, 5};
//     const NavMeshTile level{.vertices = corners, .polygon_sizes = sizes, .polygon_corners = order};
//     Result<NavMesh> mesh = NavMesh::make({.tiles = {&level, 1}});
//     NavMeshSnapshot frozen = mesh->acquire();               // a search on it never sees later edits
//
// Lengths and angles are measured on the ground plane (x, y); z is height and tells floors apart. A polygon is
// convex seen from above, exactly: no corner turns right, by as little as it may be; corners in a straight line
// are allowed, and needed where a neighbour has a corner. Vertices of one tile are joined by their number,
// polygons of neighbouring tiles where an edge of one is an edge of the other, coordinate by coordinate, and the
// heights of its ends differ by no more than `step_height`.
//
// Tiles. A mesh is one tile, or many that lie in a raster of `tile_size`; a tile holds all floors above its
// square. Tiles can be put in, replaced and taken out while searches run.
//
// Edits and snapshots. Every edit makes one new revision, or none at all if it cannot be done. A snapshot is the
// state at one revision and never changes; edits copy only the tiles that they touch and the borders of their
// neighbours. One thread edits and acquires; a snapshot may be read and released on any thread.
//
// Heights. Between its corners a polygon is as high as the triangles that its first corner makes with the others. With a
// height field (NavMeshHeights) the ground may be told cell by cell: `nearest`, routes, follow_surface and everything else
// that gives a height then give the ground's, to the error that height_field.h states. (A bake straightens borders over cells beyond
// them, which may be those of another storey: there, where the heights of polygon and cells differ by more than
// step_height, the ground two cells inside counts.) What is joined to what, and what an
// obstacle blocks, is still told by the polygons' corners. Floors over each other are told apart by heights: they must be more than
// 2 kHeightSlack (math/contact.h) apart. Obstacles leave the ground as it is.
//
// Cost: make is linear, about 0.4 us a polygon; with landmarks one search over the whole mesh for each. Memory:
// 48 bytes an edge and 20 a polygon; with landmarks 34 bytes a corner and 4 more a landmark and corner. Deterministic:
// the same input gives the same state everywhere.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include <fairlead/base/allocator.h>
#include <fairlead/base/array.h>
#include <fairlead/base/assert.h>
#include <fairlead/base/borrowed.h>
#include <fairlead/base/id.h>
#include <fairlead/base/jobs.h>
#include <fairlead/base/result.h>
#include <fairlead/base/snapshot.h>
#include <fairlead/math/aabb.h>
#include <fairlead/math/vec.h>
#include <fairlead/mesh/height_field.h>
#include <fairlead/mesh/link.h>
#include <fairlead/mesh/obstacle.h>

namespace fairlead {

/// A polygon of one revision of a mesh.
struct PolygonTag;
using PolygonId = Id<PolygonTag>;

inline constexpr double kMeshSpan = 1e9;  ///< largest coordinate
inline constexpr std::uint32_t kLandmarksMax = 16;

/// The ground of a tile, cell by cell. Everything is copied.
struct NavMeshHeights {
    HeightField field{};                       ///< without layers: there are no heights
    Borrowed<std::uint32_t> polygon_layers{};  ///< of each polygon: its layer in the field
    double cell_size = 0.0;                    ///< above 0
    double cell_height = 0.0;  ///< above 0; heights count from NavMeshOptions::origin, as vertices do
    std::int32_t low_x = 0;    ///< the field's low corner, in cells from the origin
    std::int32_t low_y = 0;
};

/// One tile: polygons over shared vertices. Everything is copied.
struct NavMeshTile {
    std::int32_t x =
        0;  ///< its place in the raster: [x, x + 1) x [y, y + 1) times tile_size; up to 2^30 either way
    std::int32_t y = 0;
    Borrowed<Vec3> vertices{};                ///< relative to NavMeshOptions::origin
    Borrowed<std::uint32_t> polygon_sizes{};  ///< corners of each polygon, at least 3
    std::span<const std::uint32_t>
        polygon_corners{};           ///< vertices of all polygons in turn, counter-clockwise
    Borrowed<std::uint8_t> areas{};  ///< of each polygon, below kAreasMax; empty: all 0
    NavMeshHeights heights{};
    std::uint64_t key = 0;  ///< what it was made from (bake::tile_key), kept and saved with it; 0: not known
};

inline constexpr std::uint32_t kAreasMax = 64;

struct NavMeshOptions {
    Vec3 origin{};              ///< where (0, 0, 0) of the vertices lies in the world
    double tile_size = 0.0;     ///< 0: one tile of any extent, at raster place (0, 0)
    double step_height = 0.5;   ///< edges of neighbouring tiles are joined up to this difference of height
    double agent_radius = 0.0;  ///< the surface keeps this far from walls: obstacles grow by it
    double agent_height =
        2.0;  ///< and has this much room above it: obstacles block what is this far below them
    /// Largest radius that queries may have. More than agent_radius: the narrow places of the surface become sides of
    /// polygons (gates), and units of every radius between find their way. With a tile_size at most half of it more.
    double radius_max = 0.0;
    Borrowed<NavMeshTile> tiles{};
    Borrowed<MeshLink> links{};
    std::uint32_t landmarks = kLandmarksMax;  ///< 0 to kLandmarksMax; more of them make long searches shorter
    /// How much work looking for gates may be, as MeshLoadOptions::gate_work_max counts it. A mesh that needs more is refused; one that
    /// is made within a load's limit can be loaded. In one large tile it grows with the square of what is in it: use tiles.
    std::uint64_t gate_work_max = UINT64_MAX;
    Progress progress{};  ///< landmarks measured and tiles that have their gates, of all
    Allocator allocator{};
};

/// Why options are refused as incompatible.
enum class NavMeshRule : std::int64_t {
    too_few_corners,  ///< a polygon of less than 3 corners
    repeated_corner,  ///< a polygon has a vertex twice
    not_convex,       ///< a polygon turns right somewhere, runs clockwise, or winds more than once
    edge_used_twice,  ///< two polygons on the same side of an edge
    tile_twice,       ///< two tiles at the same place
    outside_tile,     ///< a vertex outside its tile's square
    count_,
};

/// One plain English sentence. Never null.
[[nodiscard]] const char* nav_mesh_rule_text(NavMeshRule rule);

struct NavMeshMemory {
    std::size_t tiles = 0;
    std::size_t connectivity = 0;
    std::size_t landmarks = 0;
    std::size_t heights = 0;
    std::size_t links = 0;
    [[nodiscard]] std::size_t total() const { return tiles + connectivity + landmarks + heights + links; }
};

namespace mesh {
struct StateData;   // src/mesh/data/state.h
struct EditorData;  // src/mesh/edit/editor.h
struct StoredParts;
}  // namespace mesh
struct MeshLoadOptions;  // save_mesh.h

/// A point of the surface.
struct MeshPoint {
    PolygonId polygon{};
    Vec3 position{};  ///< in the world; z is the surface's

    friend bool operator==(const MeshPoint&, const MeshPoint&) = default;
};

/// Where to look for the surface around a position.
struct MeshReach {
    /// On the ground plane, >= 0. Infinity is anywhere (queries take up to 4e9); a far reach costs no more than a near one where
    /// something is near.
    double across = 2.0;
    double above = 4.0;  ///< the surface may be this much above the position, >= 0
    double below = 4.0;  ///< or below it, >= 0
};

/// One revision of a mesh, read only. Reading is safe from any thread while a snapshot of it is held (or, for the
/// current one, while nobody edits).
class NavMeshState {
  public:
    [[nodiscard]] std::uint64_t revision() const;
    [[nodiscard]] std::uint32_t polygons() const;
    [[nodiscard]] std::uint32_t tiles() const;
    /// The smallest box around all polygons, in the world; empty if there are none.
    [[nodiscard]] Aabb bounds() const;

    /// How far the surface keeps from walls: NavMeshOptions::agent_radius.
    [[nodiscard]] double agent_radius() const;
    /// Whether some tile has a height field.
    [[nodiscard]] bool has_heights() const;
    /// The key of tile i, in order of tiles; i < tiles().
    [[nodiscard]] std::uint64_t tile_key(std::uint32_t i) const;

    /// Polygons in order of tiles and their place in them: 0 <= i < polygons(). 1 ns a tile.
    [[nodiscard]] PolygonId polygon(std::uint32_t i) const;
    [[nodiscard]] bool valid(PolygonId polygon) const;
    [[nodiscard]] std::uint32_t corners(PolygonId polygon) const;
    /// A corner in the world, counter-clockwise; i < corners().
    [[nodiscard]] Vec3 corner(PolygonId polygon, std::uint32_t i) const;
    /// What lies across the side from corner i to the next; not valid() where it is a wall.
    [[nodiscard]] PolygonId neighbour(PolygonId polygon, std::uint32_t i) const;
    [[nodiscard]] std::uint8_t area(PolygonId polygon) const;
    /// How high the ground is at a place of a polygon, in the world: what its tile's height field tells, else the polygon.
    [[nodiscard]] double ground_height(PolygonId polygon, Vec2 at) const;
    /// Polygons have the same number if and only if one can be walked to from the other, without links.
    [[nodiscard]] std::uint32_t component(PolygonId polygon) const;

    /// Links in order of their ids: 0 <= i < links().
    [[nodiscard]] std::uint32_t links() const;
    [[nodiscard]] MeshLinkState link_at(std::uint32_t i) const;
    /// The link of that id, if there is one. O(log links).
    [[nodiscard]] std::optional<MeshLinkState> link(std::uint32_t id) const;

    /// The point of the surface above or below `position` that is nearest in height; if there is none within reach,
    /// the nearest on the ground plane (ties: nearest in height, then the first polygon). Not valid() if there is
    /// none within reach. About 0.1 us when the position is over the mesh.
    [[nodiscard]] MeshPoint nearest(Vec3 position, const MeshReach& reach = {}) const;

    /// Tells `visit` of each polygon whose box on the ground plane meets `box` (in the world), on all floors, once. The box
    /// may be infinite.
    void each_polygon(const Aabb& box, void (*visit)(PolygonId polygon, void* user), void* user) const;

    [[nodiscard]] NavMeshMemory memory() const;

    /// For the library's own modules.
    [[nodiscard]] const mesh::StateData& data() const { return *data_; }

  private:
    friend class NavMesh;
    friend class Snapshot<NavMeshState>;
    [[nodiscard]] bool has_data() const { return data_ != nullptr; }
    void hold() const;
    void let_go() const;

    const mesh::StateData* data_ = nullptr;
};

/// Keeps one revision alive (base/snapshot.h). Released before its NavMesh is destroyed.
using NavMeshSnapshot = Snapshot<NavMeshState>;

/// The owner and editor of a mesh. Move only.
class NavMesh {
  public:
    /// Errors, with Error::index counting through the tiles' polygons or vertices as said: not_finite,
    /// out_of_range (vertices: the vertex; tile_size, step_height, landmarks: -1; -1 too where the contact slack of math/contact.h
    /// would be more than 1e-3 of agent_radius or radius_max), unknown_id (a polygon whose
    /// corner is no vertex; detail: the corner), incompatible (the polygon, for tile_twice the tile; detail: NavMeshRule),
    /// size_mismatch (polygon_corners, areas or heights.polygon_layers do not fit polygon_sizes), size_limit (more than references of
    /// 32 bits can name, or gates cross so many sides that a tile becomes several times as large; with detail gate_work_max, that);
    /// cancelled (progress said stop); of heights:
    /// out_of_range (-1: cell_size or cell_height; a polygon: its layer), baked_value as check_heights; out_of_memory. Of links, with
    /// the place in NavMeshOptions::links: duplicate_id (detail: the id), and not_finite or out_of_range (detail: -1).
    [[nodiscard]] static Result<NavMesh> make(const NavMeshOptions& options);

    NavMesh(NavMesh&& other) noexcept;
    NavMesh& operator=(NavMesh&& other) noexcept;
    NavMesh(const NavMesh&) = delete;
    NavMesh& operator=(const NavMesh&) = delete;
    ~NavMesh();

    /// The current revision. The reference follows the edits; it is valid while the NavMesh lives.
    [[nodiscard]] const NavMeshState& state() const {
        FAIRLEAD_ASSERT(editor_ != nullptr && "a world that was moved from has no state");
        return state_;
    }
    operator const NavMeshState&() const { return state(); }

    /// Freezes the current revision. O(1).
    [[nodiscard]] NavMeshSnapshot acquire() const;

    /// Makes the edits of obstacles and links, in this order, as one new revision. On an error nothing has changed and
    /// Error::index says which edit: unknown_id, duplicate_id (detail: the id); size_limit, not_finite, out_of_range,
    /// incompatible (NavMeshRule::not_convex) for outlines; not_finite, out_of_range for links. With index -1:
    /// out_of_memory; size_limit (a tile has become 16 times as large as the largest one that the mesh was made with). Edits
    /// that change nothing make no revision.
    ///
    /// Every tile that an edit touches is cut anew from its baked form and all its obstacles, so the result does not
    /// depend on what was there before. Cost: about 20 us for each tile touched, and 1 us for each obstacle in it; 5 ns for
    /// each tile of the mesh; 2 us for each link that changes or lies in a tile touched, and if there are any, 0.2 us for each link
    /// of the mesh. What comes apart or together is gone through, but for the largest piece.
    ///
    /// Links that came or changed since the landmarks were measured weaken them; links that went do not. After many, call
    /// measure_landmarks() when there is time.
    Result<void> apply(std::span<const MeshEdit> edits);

    [[nodiscard]] std::uint32_t obstacles() const;
    /// All of them, by id, as they were given. The mesh may not be edited meanwhile.
    void each_obstacle(void (*visit)(std::int64_t id, const MeshObstacle& obstacle, void* user),
                       void* user) const;

    /// Puts a tile in, or in the place of the one that is there; its obstacles are cut out of it. The landmarks are
    /// dropped: call measure_landmarks() when there is time. Only with a tile_size. Errors: as make, with Error::index as
    /// there; nothing has changed then.
    Result<void> set_tile(const NavMeshTile& tile);
    /// Takes a tile out. Errors: unknown_id (there is none), out_of_memory.
    Result<void> remove_tile(std::int32_t x, std::int32_t y);
    /// Measures the landmarks anew, without the obstacles in mind that are there now. As one new revision. Errors:
    /// out_of_memory.
    Result<void> measure_landmarks(std::uint32_t landmarks = kLandmarksMax);

  private:
    NavMesh() = default;
    friend Result<NavMesh> load_mesh(std::span<const std::uint8_t> bytes, const MeshLoadOptions& options);
    friend Result<void> save_mesh(const NavMesh& mesh, Array<std::uint8_t>& out);
    [[nodiscard]] static Result<NavMesh> make_from(const NavMeshOptions& options,
                                                   const mesh::StoredParts* stored);
    NavMeshState state_;
    mesh::EditorData* editor_ = nullptr;
};

}  // namespace fairlead
