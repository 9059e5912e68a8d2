#include "suites/recast_bake.h"

namespace fairlead::bench {

const char* partition_name(RecastPartition partition) {
    constexpr const char* kNames[] = {"watershed", "monotone", "layers"};
    return kNames[static_cast<std::size_t>(partition)];
}

}  // namespace fairlead::bench

#ifdef FAIRLEAD_HAVE_RECAST

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <DetourNavMesh.h>
#include <DetourNavMeshBuilder.h>
#include <RecastAlloc.h>

#include "suites/recast_field.h"

namespace fairlead::bench {

namespace {

constexpr int kLayersColumnsMax = 1 << 19;

struct BakedPiece {
    const recast::Piece* piece;
    recast::PolyMesh mesh;
    recast::Detail detail;
};

bool make_regions(recast::Input& input, RecastPartition partition, rcCompactHeightfield& open) {
    using namespace recast;
    if (partition == RecastPartition::monotone)
        return rcBuildRegionsMonotone(&input.context, open, input.border, kRegionMin, kRegionMerge);
    if (partition == RecastPartition::layers)
        return rcBuildLayerRegions(&input.context, open, input.border, kRegionMin);
    return rcBuildDistanceField(&input.context, open) &&
           rcBuildRegions(&input.context, open, input.border, kRegionMin, kRegionMerge);
}

/// False where a step fails; a piece without polygons is none.
bool bake_piece(recast::Input& input, const recast::Piece& piece, RecastPartition partition,
                std::vector<BakedPiece>& out) {
    using namespace recast;
    const Compact open = walkable_field(input, piece);
    if (!open) return piece.triangles.empty();
    Contours contours{rcAllocContourSet()};
    PolyMesh mesh{rcAllocPolyMesh()};
    Detail detail{rcAllocPolyMeshDetail()};
    if (!make_regions(input, partition, *open) ||
        !rcBuildContours(&input.context, *open, kEdgeError, kEdgeCells, *contours))
        return false;
    if (contours->nconts == 0) return true;
    if (!rcBuildPolyMesh(&input.context, *contours, 6, *mesh) ||
        !rcBuildPolyMeshDetail(&input.context, *mesh, *open, kDetailDistance, kDetailError, *detail))
        return false;
    if (mesh->npolys > 0) out.push_back({&piece, std::move(mesh), std::move(detail)});
    return true;
}

template <class T>
void put(std::string& bytes, const T& value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

/// Empty where Detour refuses.
std::string detour_tile(const BakedPiece& baked) {
    const rcPolyMesh& mesh = *baked.mesh;
    // All ground is alike: area 0, flag 1.
    std::vector<unsigned char> areas(static_cast<std::size_t>(mesh.npolys), 0);
    std::vector<unsigned short> flags(static_cast<std::size_t>(mesh.npolys), 1);
    dtNavMeshCreateParams params{};
    params.verts = mesh.verts;
    params.vertCount = mesh.nverts;
    params.polys = mesh.polys;
    params.polyAreas = areas.data();
    params.polyFlags = flags.data();
    params.polyCount = mesh.npolys;
    params.nvp = mesh.nvp;
    params.detailMeshes = baked.detail->meshes;
    params.detailVerts = baked.detail->verts;
    params.detailVertsCount = baked.detail->nverts;
    params.detailTris = baked.detail->tris;
    params.detailTriCount = baked.detail->ntris;
    params.walkableHeight = recast::kAgentHeight;
    params.walkableRadius = recast::kAgentRadius;
    params.walkableClimb = recast::kClimb;
    params.tileX = baked.piece->x;
    params.tileY = baked.piece->y;
    rcVcopy(params.bmin, mesh.bmin);
    rcVcopy(params.bmax, mesh.bmax);
    params.cs = recast::kCell;
    params.ch = recast::kCellHeight;
    params.buildBvTree = true;
    unsigned char* data = nullptr;
    int size = 0;
    if (!dtCreateNavMeshData(&params, &data, &size)) return {};
    std::string bytes{reinterpret_cast<const char*>(data), static_cast<std::size_t>(size)};
    dtFree(data);
    return bytes;
}

// What Recast holds, for recast_peak_bytes: each piece of memory has its size in front.
std::size_t held_bytes = 0, peak_bytes = 0;
constexpr std::size_t kFront = 16;

void* counted_alloc(std::size_t size, rcAllocHint) {
    auto* memory = static_cast<unsigned char*>(std::malloc(size + kFront));
    if (memory == nullptr) return nullptr;
    std::memcpy(memory, &size, sizeof size);
    held_bytes += size;
    peak_bytes = std::max(peak_bytes, held_bytes);
    return memory + kFront;
}
void counted_free(void* pointer) {
    if (pointer == nullptr) return;
    auto* memory = static_cast<unsigned char*>(pointer) - kFront;
    std::size_t size = 0;
    std::memcpy(&size, memory, sizeof size);
    held_bytes -= size;
    std::free(memory);
}

}  // namespace

bool has_recast() { return true; }

struct RecastBake::Work {
    recast::Input input;
    std::vector<BakedPiece> baked{};
};

RecastBake::RecastBake(const BenchLevel& level, std::uint32_t tile_cells)
    : work_(new Work{{level, static_cast<int>(tile_cells), recast::kRadiusCells + 3}}) {}
RecastBake::~RecastBake() = default;

bool RecastBake::bake(RecastPartition partition) {
    work_->baked.clear();
    for (const recast::Piece& piece : work_->input.pieces) {
        if (!bake_piece(work_->input, piece, partition, work_->baked)) return false;
    }
    return true;
}

void RecastBake::clear() { work_->baked.clear(); }

bool RecastBake::bearable(RecastPartition partition) const {
    const recast::Piece& piece = work_->input.pieces.front();
    return partition != RecastPartition::layers || piece.width * piece.height < kLayersColumnsMax;
}

std::string RecastBake::detour_set() const {
    const recast::Input& input = work_->input;
    std::string tiles;
    int count = 0;
    int most_polygons = 1;
    for (const BakedPiece& baked : work_->baked) {
        const std::string tile = detour_tile(baked);
        if (tile.empty()) continue;
        ++count;
        most_polygons = std::max(most_polygons, baked.mesh->npolys);
        put(tiles, dtTileRef{1});
        put(tiles, static_cast<int>(tile.size()));
        tiles += tile;
    }
    if (count == 0) return {};
    dtNavMeshParams params{};
    rcVcopy(params.orig, input.low);
    params.tileWidth = input.tile_size > 0 ? input.tile_size : input.high[0] - input.low[0];
    params.tileHeight = input.tile_size > 0 ? input.tile_size : input.high[2] - input.low[2];
    params.maxTiles = static_cast<int>(input.pieces.size());
    params.maxPolys = most_polygons;
    std::string set;
    put(set, std::uint32_t{'M' << 24 | 'S' << 16 | 'E' << 8 | 'T'});
    put(set, 1);
    put(set, count);
    put(set, params);
    return set + tiles;
}

std::size_t recast_peak_bytes(const BenchLevel& level, std::uint32_t tile_cells) {
    held_bytes = peak_bytes = 0;
    rcAllocSetCustom(counted_alloc, counted_free);
    bool done = false;
    {
        RecastBake bake{level, tile_cells};
        done = bake.bake(RecastPartition::watershed);
    }
    rcAllocSetCustom(nullptr, nullptr);
    return done ? peak_bytes : 0;
}

}  // namespace fairlead::bench

#else

namespace fairlead::bench {

struct RecastBake::Work {};
bool has_recast() { return false; }
RecastBake::RecastBake(const BenchLevel&, std::uint32_t) {}
RecastBake::~RecastBake() = default;
bool RecastBake::bake(RecastPartition) { return false; }
void RecastBake::clear() {}
bool RecastBake::bearable(RecastPartition) const { return false; }
std::string RecastBake::detour_set() const { return {}; }
std::size_t recast_peak_bytes(const BenchLevel&, std::uint32_t) { return 0; }

}  // namespace fairlead::bench

#endif
