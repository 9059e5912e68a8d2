// Meshes and tiles to bytes.
#include <fairlead/mesh/save_mesh.h>
#include <algorithm>

#include <cmath>
#include <new>

#include "base/no_memory.h"
#include "mesh/data/state.h"
#include "mesh/data/tile_builder.h"
#include "mesh/edit/editor.h"
#include "mesh/files/link_records.h"
#include "mesh/files/mesh_sections.h"
#include "mesh/files/obstacle_records.h"

namespace fairlead {

namespace {

using mesh::kNone;
using mesh::StateData;
using mesh::Tile;
using mesh::TileHeights;

/// A tile as it is saved: without obstacles and gates.
struct BareTile {
    const Tile* tile = nullptr;
    NavMeshHeights heights{};          ///< all but polygon_layers
    const float* landmarks = nullptr;  ///< null: none
};

BareTile bare_tile(const StateData& state, std::uint32_t slot) {
    BareTile out;
    const bool cut = state.baked[slot] != nullptr;
    out.tile = cut ? state.baked[slot] : state.tiles[slot].tile;
    const mesh::TileLandmarks* far = cut ? state.baked_far[slot] : state.far[slot];
    out.landmarks = far != nullptr ? far->at() : nullptr;
    if (const TileHeights* heights = state.heights[slot]; heights != nullptr) {
        out.heights = {.field = heights->field(),
                       .polygon_layers = {},
                       .cell_size = heights->cell_size,
                       .cell_height = heights->cell_height,
                       .low_x = heights->low_x,
                       .low_y = heights->low_y};
    }
    return out;
}

void put_options(ByteWriter& out, const mesh::SavedOptions& options) {
    const MeshFrame& frame = options.frame;
    for (const double value : {frame.origin.x, frame.origin.y, frame.origin.z, frame.tile_size,
                               frame.step_height, frame.agent_radius, frame.agent_height, frame.radius_max}) {
        out.put(value);
    }
    out.put(options.quantum_exponent);
    out.put(options.landmarks);
}

void put_tile(ByteWriter& out, const BareTile& bare) {
    const Tile& tile = *bare.tile;
    const HeightField& field = bare.heights.field;
    out.put(tile.x);
    out.put(tile.y);
    out.put(tile.count.vertices);
    out.put(tile.count.polygons);
    out.put(tile.count.edges);
    for (const std::size_t count :
         {field.layers.size(), field.rows.size(), field.blocks.size(), field.words.size()}) {
        out.put(static_cast<std::uint32_t>(count));
    }
    out.put(bare.heights.low_x);
    out.put(bare.heights.low_y);
    out.put(std::uint32_t{0});
    out.put(bare.heights.cell_size);
    out.put(bare.heights.cell_height);
    out.put(tile.key);
}

// Vertices have numbers in the order in which the first sides at them come.
void put_vertices(ByteWriter& out, const Tile& tile) {
    std::uint32_t next = 0;
    for (std::uint32_t e = 0; e < tile.count.edges; ++e) {
        if (tile.vertices()[e] != next) continue;
        out.put(tile.edges()[e].from.x);
        out.put(tile.edges()[e].from.y);
        mesh::put_float(out, tile.vertex_heights()[next]);
        ++next;
    }
}

void put_polygons(ByteWriter& out, const Tile& tile) {
    for (std::uint32_t p = 0; p < tile.count.polygons; ++p) {
        const mesh::MeshPolygon* polygon = tile.polygons() + p;
        out.put(polygon[1].first - polygon[0].first);
        out.put(tile.count.layers != 0 ? tile.layers()[p] : std::uint32_t{0});
        out.put(std::uint32_t{polygon->area()});
    }
}

void put_layer(ByteWriter& out, const HeightLayer& layer) {
    out.put(layer.y);
    out.put(layer.count);
    out.put(layer.first);
}

void put_row(ByteWriter& out, const HeightRow& row) {
    out.put(row.x);
    out.put(row.count);
    out.put(row.first);
}

void put_block(ByteWriter& out, const HeightBlock& block) {
    out.put(block.base);
    out.put(block.offset);
    out.put(block.slope_x);
    out.put(block.slope_y);
    out.put(block.bits);
    out.put(block.fraction);
    out.put(block.first);
}

bool has_digits(const BareTile& bare) {
    const std::span<const HeightBlock> blocks = bare.heights.field.blocks;
    return std::any_of(blocks.begin(), blocks.end(),
                       [](const HeightBlock& block) { return block.fraction > kNoHeights; });
}

/// Writes all sections of one or many tiles.
class MeshWriter {
  public:
    /// `links`: those of the state are saved too; null: none are. `obstacles`: likewise.
    MeshWriter(const mesh::SavedOptions& options, std::span<const BareTile> tiles, std::uint32_t kind,
               const StateData* links, const mesh::EditorData* obstacles, const Allocator& allocator)
        : options_(options),
          tiles_(tiles),
          links_(links != nullptr && !links->links.records.empty() ? links : nullptr),
          obstacles_(obstacles != nullptr && !obstacles->entries.empty() ? obstacles : nullptr),
          file_(header(kind), allocator) {}

    [[nodiscard]] Result<void> write(Array<std::uint8_t>& out) {
        put_options(begin(mesh::kOptionsSection), options_);
        each(mesh::kTileSection, put_tile);
        each(mesh::kVertexSection, [](ByteWriter& to, const BareTile& t) { put_vertices(to, *t.tile); });
        each(mesh::kPolygonSection, [](ByteWriter& to, const BareTile& t) { put_polygons(to, *t.tile); });
        each(mesh::kCornerSection, [](ByteWriter& to, const BareTile& t) {
            for (std::uint32_t e = 0; e < t.tile->count.edges; ++e) to.put(t.tile->vertices()[e]);
        });
        each(mesh::kHeightLayerSection, [](ByteWriter& to, const BareTile& t) {
            for (const HeightLayer& layer : t.heights.field.layers) put_layer(to, layer);
        });
        each(mesh::kHeightRowSection, [](ByteWriter& to, const BareTile& t) {
            for (const HeightRow& row : t.heights.field.rows) put_row(to, row);
        });
        each(mesh::kHeightBlockSection, [](ByteWriter& to, const BareTile& t) {
            for (const HeightBlock& block : t.heights.field.blocks) put_block(to, block);
        });
        each(mesh::kHeightWordSection, [](ByteWriter& to, const BareTile& t) {
            for (const std::uint32_t word : t.heights.field.words) to.put(word);
        });
        if (options_.landmarks > 0) put_landmarks();
        if (links_ != nullptr) put_links();
        if (obstacles_ != nullptr) put_obstacles();
        return file_.finish(out);
    }

  private:
    BakedHeader header(std::uint32_t kind) const {
        mesh::SourceHash source;
        for (const BareTile& bare : tiles_) source.add(bare.tile->key);
        const bool fine = obstacles_ != nullptr || std::any_of(tiles_.begin(), tiles_.end(), has_digits);
        const std::uint16_t linked = links_ != nullptr ? mesh::kLinkedMeshMinor : mesh::kMeshMinor;
        return {.kind = kind,
                .major = mesh::kMeshMajor,
                .minor = fine ? mesh::kFineMeshMinor : linked,
                .options_hash = options_.hash(),
                .source_hash = source.value()};
    }
    ByteWriter& begin(const SectionKind& kind) { return file_.begin(kind.id, kind.stride); }
    template <class Put>
    void each(const SectionKind& kind, const Put& put) {
        ByteWriter& out = begin(kind);
        for (const BareTile& bare : tiles_) put(out, bare);
    }
    // The last number of a row tells what is unsure: 0 in a tile without obstacles.
    void put_landmarks() {
        ByteWriter& out = begin(mesh::kLandmarkSection);
        const std::size_t count = options_.landmarks;
        for (const BareTile& bare : tiles_) {
            for (std::size_t v = 0; v < bare.tile->count.vertices; ++v) {
                for (std::size_t i = 0; i < count; ++i)
                    mesh::put_float(out, bare.landmarks[v * (count + 1) + i]);
            }
        }
    }

    void put_links() {
        ByteWriter& out = begin(mesh::kLinkSection);
        // Where all tiles are gone there is nothing that landmarks could tell of.
        const auto has_ground = [](const BareTile& bare) { return bare.tile->count.vertices > 0; };
        const bool told = options_.landmarks > 0 && std::any_of(tiles_.begin(), tiles_.end(), has_ground);
        for (const mesh::LinkRecord& record : links_->links.records)
            mesh::put_link(out, {record.link, record.measured && told});
    }

    void put_obstacles() {
        ByteWriter& out = begin(mesh::kObstacleSection);
        for (const mesh::ObstacleEntry& entry : obstacles_->entries)
            mesh::put_obstacle(out, entry, obstacles_->given[entry.place]);
        ByteWriter& points = begin(mesh::kOutlineSection);
        for (const mesh::ObstacleEntry& entry : obstacles_->entries)
            mesh::put_outline(points, obstacles_->given[entry.place]);
    }

    const mesh::SavedOptions& options_;
    std::span<const BareTile> tiles_;
    const StateData* links_;
    const mesh::EditorData* obstacles_;
    BakedWriter file_;
};

}  // namespace

MeshFrame frame_of(const NavMeshState& mesh) {
    const StateData& state = mesh.data();
    return {state.origin,       state.tile_size,    state.step_height,
            state.agent_radius, state.agent_height, state.radius_max};
}

namespace {

Result<void> save_state(const StateData& state, const MeshFrame& frame, const mesh::EditorData* obstacles,
                        Array<std::uint8_t>& out) {
    const Allocator& allocator = state.tiles.allocator();
    Array<BareTile> tiles(allocator);
    if (!tiles.reserve(state.order.size())) return kNoMemory;
    for (const std::uint32_t slot : state.order) {
        if (!tiles.push_back(bare_tile(state, slot))) return kNoMemory;
    }
    int exponent = 0;
    (void)std::frexp(state.quantum, &exponent);
    const mesh::SavedOptions options{frame, exponent - 1, state.landmarks};
    return MeshWriter(options, tiles.span(), kBakedMesh, &state, obstacles, allocator).write(out);
}

}  // namespace

Result<void> save_mesh(const NavMeshState& mesh, Array<std::uint8_t>& out) {
    return save_state(mesh.data(), frame_of(mesh), nullptr, out);
}

Result<void> save_mesh(const NavMesh& mesh, Array<std::uint8_t>& out) {
    return save_state(mesh.state().data(), frame_of(mesh.state()), mesh.editor_, out);
}

Result<void> save_tile(const NavMeshState& mesh, std::int32_t x, std::int32_t y, Array<std::uint8_t>& out) {
    const StateData& state = mesh.data();
    const std::uint32_t slot = state.find_tile(x, y);
    if (slot == kNone) return Error{ErrorCode::unknown_id, -1, 0};
    const BareTile tile = bare_tile(state, slot);
    const mesh::SavedOptions options{frame_of(mesh), 0, 0};
    return MeshWriter(options, {&tile, 1}, kBakedMeshTile, nullptr, nullptr, state.tiles.allocator())
        .write(out);
}

Result<void> save_tile(const NavMeshTile& tile, const MeshFrame& frame, Array<std::uint8_t>& out) {
    const Allocator& allocator = out.allocator();
    const Result<void> good = mesh::check_frame(frame);
    if (!good) return good;
    mesh::TileBuilder builder(allocator);
    const Result<void> read = builder.read(tile, frame.tile_size, 0, mesh::kLoneTileBits);
    if (!read) return read;
    Array<std::uint64_t> memory(allocator);
    if (!memory.resize(builder.bytes() / sizeof(std::uint64_t) + 1)) return kNoMemory;
    Tile* const built = new (memory.data()) Tile;
    builder.write(*built);
    const BareTile bare{built, tile.heights, nullptr};
    const mesh::SavedOptions options{frame, 0, 0};
    return MeshWriter(options, {&bare, 1}, kBakedMeshTile, nullptr, nullptr, allocator).write(out);
}

}  // namespace fairlead
