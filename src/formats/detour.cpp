#include <fairlead/formats/detour.h>

#include <algorithm>
#include <utility>

#include <fairlead/base/bytes.h>

#include "formats/budget.h"
#include "formats/detour_tile.h"

namespace fairlead::formats {

namespace {

constexpr std::uint32_t kDetourTile = 0x444e4156;   // "DNAV"
constexpr std::uint32_t kDetourSet = 0x4d534554;    // "MSET"
constexpr std::uint32_t kDetourCache = 0x54534554;  // "TSET"
constexpr std::size_t kSetBytes = 40;
constexpr std::uint64_t kBytesPerByte = 100;  // of memory, for one of the file

constexpr const char* kDetourTexts[] = {
    "neither a Detour tile nor a set of them",
    "a set of compressed tiles (TSET); save the navigation mesh, not the tile cache",
    "a Detour set of another version than 1",
    "a number of tiles that the file has no room for",
    "the file ends too early",
    "something follows the last tile",
    "a tile does not begin as one",
    "a tile of another version than 7",
    "a count of a tile is below 0 or too large",
    "a tile is not as long as its counts make it",
    "a number of a tile's header is not finite or below 0",
    "a vertex is not finite or too far away",
    "a polygon has too few or too many corners",
    "a polygon's corner is no vertex",
    "a polygon's neighbour is no polygon and no side of the tile",
    "off-mesh connections are not where the header says",
    "a detail mesh lies outside of the lists",
    "an off-mesh connection without a polygon or with a number that is not finite",
    "more sides lie above each other on a border than any level has",
};
static_assert(std::size(kDetourTexts) == static_cast<std::size_t>(DetourRule::count_));

std::uint32_t word_at(std::span<const std::uint8_t> bytes, std::size_t at) {
    return at < bytes.size() ? ByteReader(bytes.subspan(at)).get<std::uint32_t>() : 0;
}

Result<std::uint32_t> read_set(std::span<const std::uint8_t> bytes, DetourParts& parts) {
    if (bytes.size() < kSetBytes) return detour_error(DetourRule::cut_short, -1);
    if (word_at(bytes, 4) != 1) return detour_error(DetourRule::set_version, -1);
    const std::uint32_t tiles = word_at(bytes, 8);
    if (tiles > (bytes.size() - kSetBytes) / 8) return detour_error(DetourRule::set_count, -1);
    // A tile's reference takes 4 bytes, or 8 and then 4 bytes of padding follow the size.
    const bool wide =
        word_at(bytes, kSetBytes + 8) != kDetourTile && word_at(bytes, kSetBytes + 16) == kDetourTile;
    const std::size_t head = wide ? 16 : 8;
    std::size_t at = kSetBytes;
    for (std::uint32_t i = 0; i < tiles; ++i) {
        if (bytes.size() - at < head) return detour_error(DetourRule::cut_short, i);
        const std::size_t size = word_at(bytes, at + head / 2);
        at += head;
        if (size > bytes.size() - at) return detour_error(DetourRule::cut_short, i);
        if (Result<void> done = read_detour_tile(bytes.subspan(at, size), i, parts); !done)
            return done.error();
        at += size;
    }
    if (at != bytes.size()) return detour_error(DetourRule::extra_bytes, -1);
    return tiles;
}

Result<std::uint32_t> read_parts(std::span<const std::uint8_t> bytes, DetourParts& parts) {
    if (bytes.size() < 4) return detour_error(DetourRule::magic, -1);
    switch (word_at(bytes, 0)) {
        case kDetourSet: return read_set(bytes, parts);
        case kDetourCache: return detour_error(DetourRule::tile_cache, -1);
        case kDetourTile: {
            if (Result<void> done = read_detour_tile(bytes, 0, parts); !done) return done.error();
            return 1U;
        }
        default: return detour_error(DetourRule::magic, -1);
    }
}

// The vertices that polygons have, in order.
void pack(DetourParts& parts, MeshFile& mesh) {
    std::vector<std::uint32_t> number(parts.vertices.size(), 0);
    for (const auto& ring : parts.rings) {
        for (const std::uint32_t vertex : ring) number[vertex] = 1;
    }
    std::uint32_t used = 0;
    for (std::size_t v = 0; v < number.size(); ++v) {
        if (number[v] == 0) continue;
        number[v] = used++;
        mesh.vertices.push_back(parts.vertices[v]);
    }
    for (const auto& ring : parts.rings) {
        mesh.polygon_sizes.push_back(static_cast<std::uint32_t>(ring.size()));
        for (const std::uint32_t vertex : ring) mesh.polygon_corners.push_back(number[vertex]);
    }
    mesh.areas = std::move(parts.areas);
}

Result<DetourMesh> read_mesh(std::span<const std::uint8_t> bytes) {
    DetourParts parts;
    const Result<std::uint32_t> tiles = read_parts(bytes, parts);
    if (!tiles) return tiles.error();
    const Result<std::uint32_t> joints = join_detour_sides(parts);
    if (!joints) return joints.error();
    DetourMesh out;
    pack(parts, out.mesh);
    if (Result<void> done = repair_mesh(out.mesh, out.repairs); !done) return done.error();
    for (const std::uint32_t from : out.repairs.from) out.flags.push_back(parts.flags[from]);
    out.links = std::move(parts.links);
    out.tiles = *tiles;
    out.joints = *joints;
    out.agent_height = parts.agent_height;
    out.agent_radius = parts.agent_radius;
    out.agent_climb = parts.agent_climb;
    return out;
}

}  // namespace

const char* detour_rule_text(DetourRule rule) {
    const auto i = static_cast<std::size_t>(rule);
    return i < std::size(kDetourTexts) ? kDetourTexts[i] : "unknown";
}

Result<DetourMesh> load_detour(std::string_view bytes, const Limits& limits) {
    return guarded(bytes, limits, [&]() -> Result<DetourMesh> {
        Budget budget(limits);
        if (!budget.take(kBytesPerByte * bytes.size())) return budget.spent();
        return read_mesh({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
    });
}

}  // namespace fairlead::formats
