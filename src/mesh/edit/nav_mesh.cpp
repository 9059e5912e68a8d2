#include <fairlead/mesh/nav_mesh.h>

#include <cmath>
#include <new>
#include <utility>

#include "base/no_memory.h"
#include "mesh/edit/editor.h"
#include "mesh/surface/surface.h"

namespace fairlead {

using mesh::EditorData;
using mesh::kNone;
using mesh::StateData;
using mesh::Tile;

const char* nav_mesh_rule_text(NavMeshRule rule) {
    switch (rule) {
        case NavMeshRule::too_few_corners: return "a polygon has less than three corners";
        case NavMeshRule::repeated_corner: return "a polygon has a vertex twice";
        case NavMeshRule::not_convex: return "a polygon is not convex and counter-clockwise";
        case NavMeshRule::edge_used_twice: return "two polygons lie on the same side of an edge";
        case NavMeshRule::tile_twice: return "two tiles have the same place";
        case NavMeshRule::outside_tile: return "a vertex lies outside its tile";
        case NavMeshRule::count_: break;
    }
    return "unknown rule";
}

// ---- NavMeshState ------------------------------------------------------------------------------------------

std::uint64_t NavMeshState::revision() const { return data_->revision; }
std::uint32_t NavMeshState::polygons() const { return data_->polygons; }
std::uint32_t NavMeshState::tiles() const { return static_cast<std::uint32_t>(data_->order.size()); }

double NavMeshState::agent_radius() const { return data_->agent_radius; }

bool NavMeshState::has_heights() const {
    for (const mesh::TileHeights* heights : data_->heights) {
        if (heights != nullptr) return true;
    }
    return false;
}

std::uint64_t NavMeshState::tile_key(std::uint32_t i) const {
    FAIRLEAD_ASSERT(i < tiles());
    return data_->tiles[data_->order[i]].tile->key;
}

double NavMeshState::ground_height(PolygonId polygon, Vec2 at) const {
    FAIRLEAD_ASSERT(valid(polygon));
    return data_->origin.z + mesh::ground_at(*data_, polygon.value, at - ground(data_->origin));
}

Aabb NavMeshState::bounds() const {
    if (data_->box.empty()) return {{0.0, 0.0}, {-1.0, -1.0}};
    const Vec2 origin = ground(data_->origin);
    return {data_->box.low + origin, data_->box.high + origin};
}

PolygonId NavMeshState::polygon(std::uint32_t i) const {
    FAIRLEAD_ASSERT(i < polygons());
    for (const std::uint32_t slot : data_->order) {
        const std::uint32_t count = data_->summaries[slot].polygons;
        if (i < count) return {data_->ref(slot, i)};
        i -= count;
    }
    return {};
}

bool NavMeshState::valid(PolygonId polygon) const {
    const std::uint32_t slot = polygon.value >> data_->bits;
    if (slot >= data_->tiles.size() || data_->tiles[slot].tile == nullptr) return false;
    return data_->local(polygon.value) < data_->tiles[slot].tile->count.polygons;
}

std::uint32_t NavMeshState::corners(PolygonId polygon) const {
    FAIRLEAD_ASSERT(valid(polygon));
    const mesh::MeshPolygon* at = &data_->tile_of(polygon.value).polygons[data_->local(polygon.value)];
    return at[1].first - at[0].first;
}

Vec3 NavMeshState::corner(PolygonId polygon, std::uint32_t i) const {
    FAIRLEAD_ASSERT(i < corners(polygon));
    const mesh::TileView& view = data_->tile_of(polygon.value);
    const std::uint32_t edge = view.polygons[data_->local(polygon.value)].first + i;
    const Vec2 at = view.edges[edge].from;
    return data_->origin + Vec3{at.x, at.y, view.tile->height(edge)};
}

PolygonId NavMeshState::neighbour(PolygonId polygon, std::uint32_t i) const {
    FAIRLEAD_ASSERT(i < corners(polygon));
    const mesh::TileView& view = data_->tile_of(polygon.value);
    const mesh::EdgeRef twin = view.edges[view.polygons[data_->local(polygon.value)].first + i].twin;
    return twin == kNone ? PolygonId{} : PolygonId{data_->polygon_ref(twin)};
}

std::uint8_t NavMeshState::area(PolygonId polygon) const {
    FAIRLEAD_ASSERT(valid(polygon));
    return data_->tile_of(polygon.value).polygons[data_->local(polygon.value)].area();
}

std::uint32_t NavMeshState::component(PolygonId polygon) const {
    FAIRLEAD_ASSERT(valid(polygon));
    return data_->component_name(data_->component(polygon.value));
}

std::uint32_t NavMeshState::links() const { return static_cast<std::uint32_t>(data_->links.records.size()); }

MeshLinkState NavMeshState::link_at(std::uint32_t i) const {
    FAIRLEAD_ASSERT(i < links());
    const mesh::LinkRecord& record = data_->links.records[i];
    MeshLinkState out{.link = record.link, .awake = record.count != 0, .from = record.link.from};
    out.to = record.link.to;
    const auto in_world = [&](int end) {
        return data_->origin + Vec3{record.at[end].x, record.at[end].y, record.z[end]};
    };
    if (record.placed[0]) out.from = in_world(0);
    if (record.placed[1]) out.to = in_world(1);
    out.heading_rad = record.heading;
    out.cost = record.cost;
    return out;
}

std::optional<MeshLinkState> NavMeshState::link(std::uint32_t id) const {
    const std::uint32_t place = data_->links.find(id);
    if (place == links()) return std::nullopt;
    return link_at(place);
}

MeshPoint NavMeshState::nearest(Vec3 position, const MeshReach& reach) const {
    const mesh::SurfacePoint at = mesh::nearest_point(*data_, position - data_->origin, reach);
    if (at.polygon == kNone) return {};
    return {{at.polygon}, data_->origin + Vec3{at.position.x, at.position.y, at.z}};
}

void NavMeshState::each_polygon(const Aabb& box, void (*visit)(PolygonId polygon, void* user),
                                void* user) const {
    const Vec2 origin = ground(data_->origin);
    mesh::each_polygon(*data_, {box.low - origin, box.high - origin}, visit, user);
}

NavMeshMemory NavMeshState::memory() const {
    NavMeshMemory sum;
    for (const mesh::TileView& view : data_->tiles)
        sum.tiles += view.tile != nullptr ? view.tile->block.bytes : 0;
    sum.tiles += data_->tiles.bytes() + data_->order.bytes() + sizeof(StateData);
    for (const mesh::PartLabels* block : data_->labels)
        sum.connectivity += block != nullptr ? block->block.bytes : 0;
    sum.connectivity += data_->components.bytes() + data_->labels.bytes();
    for (const mesh::TileLandmarks* block : data_->far)
        sum.landmarks += block != nullptr ? block->block.bytes : 0;
    for (const mesh::TileHeights* block : data_->heights)
        sum.heights += block != nullptr ? block->block.bytes : 0;
    sum.links = data_->links.bytes();
    return sum;
}

// ---- NavMesh -----------------------------------------------------------------------------------------------

Result<void> mesh::check_frame(const MeshFrame& frame) {
    const Vec3 o = frame.origin;
    const struct {
        double value;
        Field field;
    } sizes[] = {{frame.tile_size, Field::tile_size},
                 {frame.step_height, Field::step_height},
                 {frame.agent_radius, Field::agent_radius},
                 {frame.agent_height, Field::agent_height},
                 {frame.radius_max, Field::radius_max}};
    for (const double value : {o.x, o.y, o.z}) {
        if (!std::isfinite(value)) return Error{ErrorCode::not_finite, Field::origin};
        if (std::fabs(value) > kMeshSpan) return Error{ErrorCode::out_of_range, Field::origin};
    }
    for (const auto& size : sizes) {
        if (!std::isfinite(size.value)) return Error{ErrorCode::not_finite, size.field};
        if (size.value < 0.0 || size.value > kMeshSpan) return Error{ErrorCode::out_of_range, size.field};
    }
    if (frame.tile_size > 0.0 && 2.0 * (frame.radius_max - frame.agent_radius) > frame.tile_size)
        return Error{ErrorCode::out_of_range, Field::radius_max};
    return {};
}

namespace {

void end_editor(EditorData* editor) {
    if (editor == nullptr) return;
    const Allocator allocator = editor->revisions.allocator;
    editor->~EditorData();
    allocator.release(editor, sizeof(EditorData), alignof(EditorData), allocator.user);
}

Result<void> check_options(const NavMeshOptions& options) {
    if (options.landmarks > kLandmarksMax) return Error{ErrorCode::out_of_range, Field::landmarks};
    if (options.tile_size == 0.0 && options.tiles.size() > 1) {
        return Error{ErrorCode::incompatible, 1, static_cast<std::int64_t>(NavMeshRule::tile_twice)};
    }
    return mesh::check_frame({options.origin, options.tile_size, options.step_height, options.agent_radius,
                              options.agent_height, options.radius_max});
}

}  // namespace

Result<NavMesh> NavMesh::make(const NavMeshOptions& options) { return make_from(options, nullptr); }

Result<NavMesh> NavMesh::make_from(const NavMeshOptions& options, const mesh::StoredParts* stored) {
    const Result<void> checked = check_options(options);
    if (!checked) return checked.error();
    const Allocator& a = options.allocator;
    void* memory = a.allocate(sizeof(EditorData), alignof(EditorData), a.user);
    if (memory == nullptr) return kNoMemory;
    NavMesh made;
    made.editor_ = new (memory) EditorData(a);
    const Result<void> built = made.editor_->build(options, stored);
    if (!built) return built.error();
    made.state_.data_ = made.editor_->revisions.state;
    return made;
}

Result<void> NavMesh::apply(std::span<const MeshEdit> edits) {
    FAIRLEAD_ASSERT(editor_ != nullptr && "a world that was moved from is not edited");
    const Result<void> done = editor_->apply(edits);
    state_.data_ = editor_->revisions.state;
    return done;
}

std::uint32_t NavMesh::obstacles() const {
    FAIRLEAD_ASSERT(editor_ != nullptr && "a world that was moved from has none");
    return static_cast<std::uint32_t>(editor_->entries.size());
}

void NavMesh::each_obstacle(void (*visit)(std::int64_t id, const MeshObstacle& obstacle, void* user),
                            void* user) const {
    FAIRLEAD_ASSERT(editor_ != nullptr && "a world that was moved from has none");
    for (const mesh::ObstacleEntry& entry : editor_->entries)
        visit(entry.id, editor_->given[entry.place], user);
}

Result<void> NavMesh::set_tile(const NavMeshTile& tile) {
    FAIRLEAD_ASSERT(editor_ != nullptr && "a world that was moved from is not edited");
    const Result<void> done = editor_->set_tile(tile);
    state_.data_ = editor_->revisions.state;
    return done;
}

Result<void> NavMesh::remove_tile(std::int32_t x, std::int32_t y) {
    FAIRLEAD_ASSERT(editor_ != nullptr && "a world that was moved from is not edited");
    const Result<void> done = editor_->remove_tile(x, y);
    state_.data_ = editor_->revisions.state;
    return done;
}

Result<void> NavMesh::measure_landmarks(std::uint32_t landmarks) {
    FAIRLEAD_ASSERT(editor_ != nullptr && "a world that was moved from is not edited");
    const Result<void> done = editor_->survey(landmarks);
    state_.data_ = editor_->revisions.state;
    return done;
}

NavMesh::NavMesh(NavMesh&& other) noexcept {
    std::swap(state_.data_, other.state_.data_);
    std::swap(editor_, other.editor_);
}

NavMesh& NavMesh::operator=(NavMesh&& other) noexcept {
    if (this != &other) {
        end_editor(editor_);
        editor_ = std::exchange(other.editor_, nullptr);
        state_.data_ = std::exchange(other.state_.data_, nullptr);
    }
    return *this;
}

NavMesh::~NavMesh() { end_editor(editor_); }

NavMeshSnapshot NavMesh::acquire() const { return NavMeshSnapshot::of(state()); }

void NavMeshState::hold() const { data_->held.fetch_add(1, std::memory_order_relaxed); }

void NavMeshState::let_go() const { data_->held.fetch_sub(1, std::memory_order_release); }

}  // namespace fairlead
