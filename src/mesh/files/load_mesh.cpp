// Bytes to meshes and tiles. The sections are read and looked at one by one; then the mesh is built as NavMesh::make
// builds it, which checks everything else.
#include <algorithm>
#include <cmath>
#include <utility>

#include <fairlead/mesh/save_mesh.h>

#include "base/no_memory.h"
#include "mesh/data/tile_builder.h"
#include "mesh/edit/editor.h"
#include "mesh/files/link_records.h"
#include "mesh/files/mesh_sections.h"
#include "mesh/files/obstacle_records.h"

namespace fairlead {

namespace {

using mesh::TileArrays;

/// What TILE says of one tile.
struct TileRow {
    NavMeshTile tile{};  ///< place, key, heights but for the arrays
    std::uint32_t vertices = 0;
    std::uint32_t polygons = 0;
    std::uint32_t corners = 0;
    std::uint32_t layers = 0;
    std::uint32_t rows = 0;
    std::uint32_t blocks = 0;
    std::uint32_t words = 0;
};

bool get_tile(ByteReader& in, TileRow& row) {
    NavMeshHeights& heights = row.tile.heights;
    row.tile.x = in.get<std::int32_t>();
    row.tile.y = in.get<std::int32_t>();
    for (std::uint32_t* count :
         {&row.vertices, &row.polygons, &row.corners, &row.layers, &row.rows, &row.blocks, &row.words}) {
        *count = in.get<std::uint32_t>();
    }
    heights.low_x = in.get<std::int32_t>();
    heights.low_y = in.get<std::int32_t>();
    const auto spare = in.get<std::uint32_t>();
    heights.cell_size = in.get<double>();
    heights.cell_height = in.get<double>();
    row.tile.key = in.get<std::uint64_t>();
    const bool none = row.rows == 0 && row.blocks == 0 && row.words == 0 && heights.low_x == 0 &&
                      heights.low_y == 0 && heights.cell_size == 0.0 && heights.cell_height == 0.0;
    return spare == 0 && (row.layers != 0 || none);
}

bool get_vertex(ByteReader& in, Vec3& vertex) {
    vertex.x = in.get<double>();
    vertex.y = in.get<double>();
    vertex.z = double{mesh::get_float(in)};
    return std::fabs(vertex.x) <= kMeshSpan && std::fabs(vertex.y) <= kMeshSpan &&
           std::fabs(vertex.z) <= kMeshSpan;
}

bool get_layer(ByteReader& in, HeightLayer& layer) {
    layer.y = in.get<std::int32_t>();
    layer.count = in.get<std::uint32_t>();
    layer.first = in.get<std::uint32_t>();
    return true;
}

bool get_row(ByteReader& in, HeightRow& row) {
    row.x = in.get<std::int32_t>();
    row.count = in.get<std::uint32_t>();
    row.first = in.get<std::uint32_t>();
    return true;
}

void get_block(ByteReader& in, HeightBlock& block) {
    block.base = in.get<std::int32_t>();
    block.offset = in.get<std::int16_t>();
    block.slope_x = in.get<std::int16_t>();
    block.slope_y = in.get<std::int16_t>();
    block.bits = in.get<std::uint8_t>();
    block.fraction = in.get<std::uint8_t>();
    block.first = in.get<std::uint32_t>();
}

/// The sections of a file, in arrays.
class MeshReader {
  public:
    MeshReader(const BakedFile& file, TileArrays& out, const Allocator& allocator)
        : file_(file),
          out_(out),
          loader_(file),
          rows_(allocator),
          tiles(allocator),
          landmarks(allocator),
          links(allocator),
          obstacles(allocator) {}

    [[nodiscard]] Result<void> read(bool alone) {
        if (alone && file_.header().minor == mesh::kLinkedMeshMinor)  // never was
            return Error{ErrorCode::baked_version, -1, file_.header().major};
        if (!known_sections() || !read_options(alone) || !read_arrays() || !divide()) return loader_.error();
        if (options.landmarks > 0 && !read_landmarks()) return loader_.error();
        if (!read_links(alone) || !read_obstacles(alone)) return loader_.error();
        return {};
    }
    /// Of polygons that are known to be good.
    [[nodiscard]] Result<void> check_landmarks() {
        if (options.landmarks == 0) return {};
        std::size_t first = 0;
        for (const NavMeshTile& tile : tiles) {
            if (!check_rows(tile, first)) return loader_.error();
            first += tile.vertices.size();
        }
        return {};
    }
    [[nodiscard]] Error bad(const SectionKind& kind, std::uint64_t record) const {
        return loader_.bad(kind, record);
    }

  private:
    const BakedFile& file_;
    TileArrays& out_;
    SectionLoader loader_;
    Array<TileRow> rows_;

  public:
    mesh::SavedOptions options{};
    Array<NavMeshTile> tiles;
    Array<float> landmarks;
    Array<mesh::StoredLink> links;
    Array<MeshEdit> obstacles;

  private:
    bool has_digits_ = false;

    [[nodiscard]] bool is_fine() const { return file_.header().minor >= mesh::kFineMeshMinor; }
    [[nodiscard]] bool has_section(const SectionKind& kind) const {
        for (std::uint32_t i = 0; i < file_.sections(); ++i) {
            if (file_.section_at(i).id == kind.id) return true;
        }
        return false;
    }
    [[nodiscard]] bool known_sections() {
        constexpr SectionKind kAll[] = {
            mesh::kOptionsSection,   mesh::kTileSection,        mesh::kVertexSection,
            mesh::kPolygonSection,   mesh::kCornerSection,      mesh::kHeightLayerSection,
            mesh::kHeightRowSection, mesh::kHeightBlockSection, mesh::kHeightWordSection,
            mesh::kLandmarkSection,  mesh::kLinkSection,        mesh::kObstacleSection,
            mesh::kOutlineSection};
        for (std::uint32_t i = 0; i < file_.sections(); ++i) {
            const BakedSection section = file_.section_at(i);
            const auto same = [&](const SectionKind& kind) { return kind.id == section.id; };
            if (std::none_of(std::begin(kAll), std::end(kAll), same))
                return loader_.fail({ErrorCode::baked_section, i, section.id});
        }
        return true;
    }

    [[nodiscard]] bool read_options(bool alone) {
        int records = 0;
        const auto read = [&](ByteReader& in) {
            MeshFrame& frame = options.frame;
            for (double* value :
                 {&frame.origin.x, &frame.origin.y, &frame.origin.z, &frame.tile_size, &frame.step_height,
                  &frame.agent_radius, &frame.agent_height, &frame.radius_max}) {
                *value = in.get<double>();
            }
            options.quantum_exponent = in.get<std::int32_t>();
            options.landmarks = in.get<std::uint32_t>();
            const bool lattice = options.quantum_exponent >= mesh::kQuantumExponentMin &&
                                 options.quantum_exponent <= mesh::kQuantumExponentMax;
            const bool fits = alone ? options.quantum_exponent == 0 && options.landmarks == 0
                                    : lattice && options.landmarks <= kLandmarksMax;
            return ++records == 1 && fits && mesh::check_frame(options.frame).has_value();
        };
        if (!loader_.records(mesh::kOptionsSection, read)) return false;
        if (records != 1 || file_.header().options_hash != options.hash())
            return loader_.fail(bad(mesh::kOptionsSection, 0));
        const bool has_rows =
            file_.section(mesh::kLandmarkSection.id, mesh::kLandmarkSection.stride).has_value();
        return has_rows == (options.landmarks > 0) ||
               loader_.fail({ErrorCode::baked_section, -1, mesh::kLandmarkSection.id});
    }

    [[nodiscard]] bool read_arrays() {
        const auto get_polygon = [this](ByteReader& in, std::uint32_t& size) {
            size = in.get<std::uint32_t>();
            const auto layer = in.get<std::uint32_t>();
            const auto area = in.get<std::uint32_t>();
            // Room for both was made; an area is a byte from here on.
            return area < kAreasMax && out_.polygon_layers.push_back(layer) &&
                   out_.areas.push_back(static_cast<std::uint8_t>(area));
        };
        const auto get_heights = [this](ByteReader& in, HeightBlock& block) {
            get_block(in, block);
            has_digits_ = has_digits_ || block.fraction > kNoHeights;
            return is_fine() || block.fraction <= kNoHeights;
        };
        const Result<BakedSection> polygons =
            file_.section(mesh::kPolygonSection.id, mesh::kPolygonSection.stride);
        const auto count = polygons ? static_cast<std::size_t>(polygons->count) : 0;
        if (!out_.polygon_layers.reserve(count) || !out_.areas.reserve(count)) return loader_.fail(kNoMemory);
        return loader_.list(mesh::kTileSection, rows_, get_tile) &&
               loader_.list(mesh::kVertexSection, out_.vertices, get_vertex) &&
               loader_.list(mesh::kPolygonSection, out_.sizes, get_polygon) &&
               loader_.list(mesh::kCornerSection, out_.corners, read_number) &&
               loader_.list(mesh::kHeightLayerSection, out_.layers, get_layer) &&
               loader_.list(mesh::kHeightRowSection, out_.rows, get_row) &&
               loader_.list(mesh::kHeightBlockSection, out_.blocks, get_heights) &&
               loader_.list(mesh::kHeightWordSection, out_.words, read_number);
    }

    /// The next `count` of an array.
    template <class T>
    struct Cut {
        std::span<const T> left;
        bool good = true;
        std::span<const T> take(std::uint32_t count) {
            good = good && count <= left.size();
            if (!good) return {};
            const std::span<const T> out = left.first(count);
            left = left.subspan(count);
            return out;
        }
        [[nodiscard]] bool at_end() const { return good && left.empty(); }
    };

    // Gives each tile its part of the arrays; all must be given away. Tiles come by y, then x.
    [[nodiscard]] bool divide() {
        Cut<Vec3> vertices{out_.vertices.span()};
        Cut<std::uint32_t> sizes{out_.sizes.span()}, corners{out_.corners.span()},
            polygon_layers{out_.polygon_layers.span()}, words{out_.words.span()};
        Cut<std::uint8_t> areas{out_.areas.span()};
        Cut<HeightLayer> layers{out_.layers.span()};
        Cut<HeightRow> rows{out_.rows.span()};
        Cut<HeightBlock> blocks{out_.blocks.span()};
        mesh::SourceHash source;
        if (!tiles.reserve(rows_.size())) return loader_.fail(kNoMemory);
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            const TileRow& row = rows_[i];
            NavMeshTile tile = row.tile;
            tile.vertices = vertices.take(row.vertices);
            tile.polygon_sizes = sizes.take(row.polygons);
            tile.polygon_corners = corners.take(row.corners);
            tile.areas = areas.take(row.polygons);
            const std::span<const std::uint32_t> of_polygons = polygon_layers.take(row.polygons);
            tile.heights.field = {layers.take(row.layers), rows.take(row.rows), blocks.take(row.blocks),
                                  words.take(row.words)};
            const bool flat = row.layers == 0;
            if (!flat) tile.heights.polygon_layers = of_polygons;
            const bool no_layers = std::all_of(of_polygons.begin(), of_polygons.end(),
                                               [](std::uint32_t layer) { return layer == 0; });
            const bool later = i == 0 || rows_[i - 1].tile.y < tile.y ||
                               (rows_[i - 1].tile.y == tile.y && rows_[i - 1].tile.x < tile.x);
            const bool all = vertices.good && sizes.good && corners.good && layers.good && rows.good &&
                             blocks.good && words.good;
            if (!all || !later || (flat && !no_layers)) return loader_.fail(bad(mesh::kTileSection, i));
            source.add(tile.key);
            if (!tiles.push_back(tile)) return loader_.fail(kNoMemory);
        }
        const bool ended = vertices.at_end() && sizes.at_end() && corners.at_end() && layers.at_end() &&
                           rows.at_end() && blocks.at_end() && words.at_end();
        if (!ended || file_.header().source_hash != source.value())
            return loader_.fail(bad(mesh::kTileSection, rows_.size()));
        rows_.free_memory();
        return true;
    }

    // No way is longer than to every vertex in turn across the whole mesh.
    [[nodiscard]] bool read_landmarks() {
        double low_x = kMeshSpan, high_x = -kMeshSpan, low_y = kMeshSpan, high_y = -kMeshSpan;
        for (const Vec3& v : out_.vertices) {
            low_x = std::min(low_x, v.x);
            high_x = std::max(high_x, v.x);
            low_y = std::min(low_y, v.y);
            high_y = std::max(high_y, v.y);
        }
        const double extent = std::max(0.0, (high_x - low_x) + (high_y - low_y));
        const double most = extent * static_cast<double>(out_.vertices.size());
        const auto get = [most](ByteReader& in, float& far) {
            far = mesh::get_float(in);
            return far >= 0.0F && double{far} <= most;
        };
        if (!loader_.list(mesh::kLandmarkSection, landmarks, get)) return false;
        return landmarks.size() == out_.vertices.size() * options.landmarks ||
               loader_.fail(bad(mesh::kLandmarkSection, landmarks.size()));
    }

    // By id; with links if the version has them.
    [[nodiscard]] bool read_links(bool alone) {
        const bool there = has_section(mesh::kLinkSection);
        const bool wanted = !alone && file_.header().minor == mesh::kLinkedMeshMinor;
        const bool may_be = !alone && is_fine();
        if (there != wanted && !(there && may_be))
            return loader_.fail({ErrorCode::baked_section, -1, mesh::kLinkSection.id});
        if (!there) return true;
        const auto get = [this](ByteReader& in, mesh::StoredLink& stored) {
            return mesh::get_link(in, stored) && (!stored.measured || options.landmarks > 0) &&
                   (links.empty() || links.back().link.id < stored.link.id);
        };
        return loader_.list(mesh::kLinkSection, links, get) &&
               (!links.empty() || loader_.fail(bad(mesh::kLinkSection, 0)));
    }

    // By id. A file of the version that may have them has them, or heights that need it.
    [[nodiscard]] bool read_obstacles(bool alone) {
        const bool there = has_section(mesh::kObstacleSection);
        const bool wrong = there ? alone || !is_fine() : is_fine() && !has_digits_;
        if (wrong || has_section(mesh::kOutlineSection) != there)
            return loader_.fail({ErrorCode::baked_section, -1, mesh::kObstacleSection.id});
        return !there || mesh::read_obstacles(loader_, obstacles);
    }

    // Along a side the distances differ by its length at most, but for rounding.
    [[nodiscard]] bool check_rows(const NavMeshTile& tile, std::size_t first_vertex) {
        const std::size_t count = options.landmarks;
        std::size_t at = 0;
        for (const std::uint32_t size : tile.polygon_sizes) {
            for (std::uint32_t i = 0; i < size; ++i) {
                const std::uint32_t a = tile.polygon_corners[at + i];
                const std::uint32_t b = tile.polygon_corners[at + (i + 1 < size ? i + 1 : 0)];
                if (a < b && !check_side(first_vertex + a, first_vertex + b, count)) return false;
            }
            at += size;
        }
        return true;
    }

    [[nodiscard]] bool check_side(std::size_t a, std::size_t b, std::size_t count) {
        const double far = distance(ground(out_.vertices[a]), ground(out_.vertices[b]));
        for (std::size_t i = 0; i < count; ++i) {
            const double p = double{landmarks[a * count + i]}, q = double{landmarks[b * count + i]};
            if (std::fabs(p - q) > far * (1.0 + 1e-6) + (p + q) * 1e-6)
                return loader_.fail(bad(mesh::kLandmarkSection, a * count + i));
        }
        return true;
    }
};

Result<BakedFile> open_kind(std::span<const std::uint8_t> bytes, std::uint32_t kind,
                            const MeshLoadOptions& options) {
    return BakedFile::open(bytes, {.kind = kind,
                                   .major = mesh::kMeshMajor,
                                   .minor = mesh::kFineMeshMinor,
                                   .bytes_max = options.bytes_max});
}

}  // namespace

namespace {

// The same edits that the game made, as one.
Result<void> put_obstacles(NavMesh& mesh, const MeshReader& reader) {
    if (reader.obstacles.empty()) return {};
    const Result<void> done = mesh.apply(reader.obstacles.span());
    if (done || done.error().code == ErrorCode::out_of_memory) return done;
    const std::int64_t index = done.error().index;
    return reader.bad(mesh::kObstacleSection,
                      index >= 0 ? static_cast<std::uint64_t>(index) : reader.obstacles.size());
}

}  // namespace

Result<NavMesh> load_mesh(std::span<const std::uint8_t> bytes, const MeshLoadOptions& options) {
    const Result<BakedFile> file = open_kind(bytes, kBakedMesh, options);
    if (!file) return file.error();
    TileArrays arrays(options.allocator);
    MeshReader reader(*file, arrays, options.allocator);
    const Result<void> read = reader.read(false);
    if (!read) return read.error();
    const MeshFrame& frame = reader.options.frame;
    std::uint32_t at_tile = 0;
    std::uint64_t link_room = mesh::link_room(bytes.size());
    bool too_many_gates = false;
    mesh::StoredParts stored{.quantum_exponent = reader.options.quantum_exponent,
                             .at_tile = &at_tile,
                             .gate_work_max = options.gate_work_max,
                             .too_many_gates = &too_many_gates};
    stored.links = reader.links.data();
    stored.link_count = static_cast<std::uint32_t>(reader.links.size());
    stored.link_room = &link_room;
    if (!options.measure_landmarks) stored.landmarks = reader.landmarks.span();
    Result<NavMesh> made = NavMesh::make_from({.origin = frame.origin,
                                               .tile_size = frame.tile_size,
                                               .step_height = frame.step_height,
                                               .agent_radius = frame.agent_radius,
                                               .agent_height = frame.agent_height,
                                               .radius_max = frame.radius_max,
                                               .tiles = reader.tiles.span(),
                                               .landmarks = reader.options.landmarks,
                                               .allocator = options.allocator},
                                              &stored);
    if (too_many_gates)
        return Error{ErrorCode::size_limit, -1, static_cast<std::int64_t>(options.gate_work_max)};
    if (!made && link_room == 0) return reader.bad(mesh::kLinkSection, reader.links.size());
    if (!made && made.error().code != ErrorCode::out_of_memory)
        return reader.bad(mesh::kTileSection, at_tile);
    if (made) {
        const Result<void> steady = reader.check_landmarks();
        if (!steady) return steady.error();
        const std::uint32_t unknown = mesh::find_unknown_link(made->state().data(), reader.links);
        if (unknown != mesh::kNone) return reader.bad(mesh::kLinkSection, unknown);
        const Result<void> put = put_obstacles(*made, reader);
        if (!put) return put.error();
    }
    return made;
}

Result<MeshTileFile> MeshTileFile::load(std::span<const std::uint8_t> bytes, const MeshLoadOptions& options) {
    const Result<BakedFile> file = open_kind(bytes, kBakedMeshTile, options);
    if (!file) return file.error();
    MeshTileFile out(options.allocator);
    MeshReader reader(*file, out.parts_, options.allocator);
    const Result<void> read = reader.read(true);
    if (!read) return read.error();
    if (reader.tiles.size() != 1) return reader.bad(mesh::kTileSection, reader.tiles.size());
    out.frame_ = reader.options.frame;
    out.tile_ = reader.tiles[0];
    mesh::TileBuilder builder(options.allocator);
    const Result<void> good = builder.read(out.tile_, out.frame_.tile_size, 0, mesh::kLoneTileBits);
    if (!good && good.error().code == ErrorCode::out_of_memory) return good.error();
    if (!good || !mesh::numbers_in_order(builder.source_vertices(), out.tile_))
        return reader.bad(mesh::kTileSection, 0);
    return out;
}

}  // namespace fairlead
