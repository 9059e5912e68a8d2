// Detour's tile, as DetourNavMesh.h of Recast 1.5 and 1.6 lays it out in memory: header, vertices, polygons, links, detail
// meshes, their vertices and triangles, bounding volume tree, off-mesh connections; each padded to 4 bytes.

#include "formats/detour_tile.h"

#include <cmath>
#include <cstring>

#include <fairlead/base/bytes.h>

namespace fairlead::formats {

namespace {

constexpr std::size_t kHeaderBytes = 100;
constexpr std::size_t kVertexBytes = 12;
constexpr std::size_t kPolygonBytes = 32;
constexpr std::size_t kLinkBytes[] = {12, 16};  // with 32 and 64 bit references
constexpr std::size_t kDetailBytes = 12;
constexpr std::size_t kTreeBytes = 16;
constexpr std::size_t kConnectionBytes = 36;
constexpr int kTileCorners = 6;
constexpr std::uint32_t kTileMagic = 0x444e4156;  // "DNAV"
constexpr std::uint16_t kExternal = 0x8000;

double get_float(ByteReader& in) {
    const auto word = in.get<std::uint32_t>();
    float value = 0;
    static_assert(sizeof value == sizeof word);
    std::memcpy(&value, &word, sizeof value);
    return static_cast<double>(value);
}

// To z up.
Vec3 get_place(ByteReader& in) {
    const double x = get_float(in), y = get_float(in), z = get_float(in);
    return {x, 0.0 - z, y};
}

bool is_place(Vec3 p) {
    return std::fabs(p.x) <= kMeshSpan && std::fabs(p.y) <= kMeshSpan && std::fabs(p.z) <= kMeshSpan;
}

struct Counts {
    std::uint32_t polygons = 0, vertices = 0, links = 0, details = 0, detail_vertices = 0,
                  detail_triangles = 0;
    std::uint32_t tree = 0, connections = 0, connection_base = 0;

    [[nodiscard]] std::uint64_t bytes(std::size_t link_bytes) const {
        return kHeaderBytes + std::uint64_t{vertices} * kVertexBytes +
               std::uint64_t{polygons} * kPolygonBytes + std::uint64_t{links} * link_bytes +
               std::uint64_t{details} * kDetailBytes + std::uint64_t{detail_vertices} * kVertexBytes +
               std::uint64_t{detail_triangles} * 4 + std::uint64_t{tree} * kTreeBytes +
               std::uint64_t{connections} * kConnectionBytes;
    }
};

class TileReader {
  public:
    TileReader(std::span<const std::uint8_t> bytes, std::int64_t tile, DetourParts& parts)
        : bytes_(bytes),
          in_(bytes),
          tile_(tile),
          parts_(parts),
          first_vertex_(static_cast<std::uint32_t>(parts.vertices.size())) {}

    Result<void> read() {
        for (const auto step :
             {&TileReader::read_header, &TileReader::read_vertices, &TileReader::read_polygons,
              &TileReader::read_details, &TileReader::read_connections}) {
            if (Result<void> done = (this->*step)(); !done) return done;
        }
        return {};
    }

  private:
    [[nodiscard]] Error error(DetourRule rule) const { return detour_error(rule, tile_); }

    Result<void> read_header() {
        if (bytes_.size() < kHeaderBytes) return error(DetourRule::cut_short);
        if (in_.get<std::uint32_t>() != kTileMagic) return error(DetourRule::tile_magic);
        if (in_.get<std::int32_t>() != 7) return error(DetourRule::tile_version);
        for (int i = 0; i < 4; ++i) (void)in_.get<std::uint32_t>();  // x, y, layer, user's id
        for (std::uint32_t* count : {&counts_.polygons, &counts_.vertices, &counts_.links, &counts_.details,
                                     &counts_.detail_vertices, &counts_.detail_triangles, &counts_.tree,
                                     &counts_.connections, &counts_.connection_base}) {
            *count = in_.get<std::uint32_t>();
            if (*count > INT32_MAX) return error(DetourRule::tile_count);
        }
        if (counts_.polygons > 0xffff || counts_.vertices > 0xffff) return error(DetourRule::tile_count);
        const double height = get_float(in_), radius = get_float(in_);
        climb_ = get_float(in_);
        for (const double size : {height, radius, climb_}) {
            if (!(size >= 0.0 && size <= kMeshSpan)) return error(DetourRule::header_number);
        }
        const Vec3 low = get_place(in_), high = get_place(in_);
        (void)get_float(in_);
        if (!is_place(low) || !is_place(high)) return error(DetourRule::header_number);
        if (bytes_.size() == counts_.bytes(kLinkBytes[0])) {
            link_bytes_ = kLinkBytes[0];
        } else if (bytes_.size() == counts_.bytes(kLinkBytes[1])) {
            link_bytes_ = kLinkBytes[1];
        } else {
            return error(DetourRule::tile_size);
        }
        if (tile_ == 0) {
            parts_.agent_height = height;
            parts_.agent_radius = radius;
            parts_.agent_climb = climb_;
        }
        return {};
    }

    Result<void> read_vertices() {
        for (std::uint32_t i = 0; i < counts_.vertices; ++i) {
            const Vec3 place = get_place(in_);
            if (!is_place(place)) return error(DetourRule::vertex);
            parts_.vertices.push_back(place);
        }
        return {};
    }

    Result<void> read_polygons() {
        const std::uint64_t connections_end = std::uint64_t{counts_.connection_base} + counts_.connections;
        if (counts_.connections > 0 && connections_end > counts_.polygons)
            return error(DetourRule::polygon_type);
        for (std::uint32_t p = 0; p < counts_.polygons; ++p) {
            Polygon polygon;
            if (Result<void> done = read_polygon(polygon); !done) return done;
            const bool connects =
                counts_.connections > 0 && p >= counts_.connection_base && p < connections_end;
            if (polygon.type > 1 || (polygon.type == 1) != connects) return error(DetourRule::polygon_type);
            if (polygon.type == 1) {
                if (polygon.corners != 2) return error(DetourRule::polygon_corners);
                connections_.push_back(polygon);
            } else {
                if (polygon.corners < 3) return error(DetourRule::polygon_corners);
                add_ground(polygon);
            }
        }
        return {};
    }

    struct Polygon {
        std::uint16_t vertices[kTileCorners] = {};
        std::uint16_t neighbours[kTileCorners] = {};
        std::uint16_t flags = 0;
        std::uint8_t corners = 0, area = 0, type = 0;
    };

    Result<void> read_polygon(Polygon& polygon) {
        (void)in_.get<std::uint32_t>();  // first link: made when the tile is added
        for (std::uint16_t& vertex : polygon.vertices) vertex = in_.get<std::uint16_t>();
        for (std::uint16_t& neighbour : polygon.neighbours) neighbour = in_.get<std::uint16_t>();
        polygon.flags = in_.get<std::uint16_t>();
        polygon.corners = in_.get<std::uint8_t>();
        const auto kind = in_.get<std::uint8_t>();
        polygon.area = kind & 0x3f;
        polygon.type = static_cast<std::uint8_t>(kind >> 6);
        if (polygon.corners > kTileCorners) return error(DetourRule::polygon_corners);
        for (int i = 0; i < polygon.corners; ++i) {
            if (polygon.vertices[i] >= counts_.vertices) return error(DetourRule::polygon_vertex);
            const std::uint16_t neighbour = polygon.neighbours[i];
            const bool outside = (neighbour & kExternal) != 0;
            const bool good = outside ? (neighbour & ~kExternal) < 8 : neighbour <= counts_.polygons;
            if (!good) return error(DetourRule::polygon_neighbour);
        }
        return {};
    }

    void add_ground(const Polygon& polygon) {
        const auto number = static_cast<std::uint32_t>(parts_.rings.size());
        std::vector<std::uint32_t> ring;
        for (std::uint32_t i = 0; i < polygon.corners; ++i) {
            ring.push_back(first_vertex_ + polygon.vertices[i]);
            if ((polygon.neighbours[i] & kExternal) == 0) continue;
            const int direction = polygon.neighbours[i] & 7;  // x+, -, z+, -, x-, -, z-, -; ours is y = -z
            if (direction % 2 != 0) continue;
            const bool along_y = direction % 4 == 0;
            parts_.sides.push_back({number, i, along_y, along_y ? direction == 4 : direction == 2, climb_});
        }
        parts_.rings.push_back(std::move(ring));
        parts_.areas.push_back(polygon.area);
        parts_.flags.push_back(polygon.flags);
    }

    Result<void> read_details() {
        ByteReader in(bytes_.subspan(static_cast<std::size_t>(
            kHeaderBytes + std::uint64_t{counts_.vertices} * kVertexBytes +
            std::uint64_t{counts_.polygons} * kPolygonBytes + std::uint64_t{counts_.links} * link_bytes_)));
        for (std::uint32_t i = 0; i < counts_.details; ++i) {
            const std::uint64_t vertices = in.get<std::uint32_t>(), triangles = in.get<std::uint32_t>();
            const std::uint64_t vertex_count = in.get<std::uint8_t>(),
                                triangle_count = in.get<std::uint8_t>();
            (void)in.get<std::uint16_t>();
            if (vertices + vertex_count > counts_.detail_vertices ||
                triangles + triangle_count > counts_.detail_triangles)
                return error(DetourRule::detail);
        }
        return {};
    }

    Result<void> read_connections() {
        ByteReader in(bytes_.last(std::size_t{counts_.connections} * kConnectionBytes));
        for (std::uint32_t i = 0; i < counts_.connections; ++i) {
            DetourLink link;
            link.start = get_place(in);
            link.end = get_place(in);
            link.radius = get_float(in);
            const std::uint32_t polygon = in.get<std::uint16_t>();
            link.both_ways = (in.get<std::uint8_t>() & 1) != 0;
            (void)in.get<std::uint8_t>();
            link.user_id = in.get<std::uint32_t>();
            const bool good = is_place(link.start) && is_place(link.end) && link.radius >= 0.0 &&
                              link.radius <= kMeshSpan && polygon >= counts_.connection_base &&
                              polygon - counts_.connection_base < connections_.size();
            if (!good) return error(DetourRule::off_mesh);
            const Polygon& own = connections_[polygon - counts_.connection_base];
            link.area = own.area;
            link.flags = own.flags;
            parts_.links.push_back(link);
        }
        return {};
    }

    std::span<const std::uint8_t> bytes_;
    ByteReader in_;
    std::int64_t tile_;
    DetourParts& parts_;
    std::uint32_t first_vertex_;
    Counts counts_;
    std::size_t link_bytes_ = 0;
    double climb_ = 0.0;
    std::vector<Polygon> connections_;
};

}  // namespace

Result<void> read_detour_tile(std::span<const std::uint8_t> bytes, std::int64_t tile, DetourParts& parts) {
    return TileReader(bytes, tile, parts).read();
}

}  // namespace fairlead::formats
