#include "suites/tile_cache.h"

#ifdef FAIRLEAD_HAVE_RECAST

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <vector>

#include <DetourCommon.h>
#include <DetourNavMesh.h>
#include <DetourNavMeshBuilder.h>
#include <DetourTileCache.h>
#include <DetourTileCacheBuilder.h>

#include "suites/recast_field.h"

namespace fairlead::bench {

namespace {

constexpr int kLayersPerTile = 4;

struct Copying : dtTileCacheCompressor {
    int maxCompressedSize(const int size) override { return size; }
    dtStatus compress(const unsigned char* from, const int size, unsigned char* to, const int most,
                      int* written) override {
        return copy(from, size, to, most, written);
    }
    dtStatus decompress(const unsigned char* from, const int size, unsigned char* to, const int most,
                        int* written) override {
        return copy(from, size, to, most, written);
    }

  private:
    static dtStatus copy(const unsigned char* from, int size, unsigned char* to, int most, int* written) {
        if (size > most) return DT_FAILURE | DT_BUFFER_TOO_SMALL;
        std::memcpy(to, from, static_cast<std::size_t>(size));
        *written = size;
        return DT_SUCCESS;
    }
};

/// As the sample's: memory of one tile after the other, from one block.
struct Linear : dtTileCacheAlloc {
    std::vector<unsigned char> block = std::vector<unsigned char>(1 << 20);
    std::size_t used = 0;
    void reset() override { used = 0; }
    void* alloc(const size_t size) override {
        const std::size_t first = used;
        if (size > block.size() - first) return nullptr;
        used = (first + size + 15) / 16 * 16;
        used = std::min(used, block.size());
        return block.data() + first;
    }
    void free(void*) override {}
};

struct Ground : dtTileCacheMeshProcess {
    void process(dtNavMeshCreateParams* params, unsigned char* areas, unsigned short* flags) override {
        for (int i = 0; i < params->polyCount; ++i) {
            areas[i] = 0;
            flags[i] = 1;
        }
    }
};

dtTileCacheLayerHeader header_of(const recast::Piece& piece, int number, const rcHeightfieldLayer& layer) {
    dtTileCacheLayerHeader header{};
    header.magic = DT_TILECACHE_MAGIC;
    header.version = DT_TILECACHE_VERSION;
    header.tx = piece.x;
    header.ty = piece.y;
    header.tlayer = number;
    dtVcopy(header.bmin, layer.bmin);
    dtVcopy(header.bmax, layer.bmax);
    header.width = static_cast<unsigned char>(layer.width);
    header.height = static_cast<unsigned char>(layer.height);
    header.minx = static_cast<unsigned char>(layer.minx);
    header.maxx = static_cast<unsigned char>(layer.maxx);
    header.miny = static_cast<unsigned char>(layer.miny);
    header.maxy = static_cast<unsigned char>(layer.maxy);
    header.hmin = static_cast<unsigned short>(layer.hmin);
    header.hmax = static_cast<unsigned short>(layer.hmax);
    return header;
}

void expect(dtStatus status, const char* what) {
    if (dtStatusFailed(status)) throw std::runtime_error(std::string("DetourTileCache: ") + what);
}

}  // namespace

struct TileCache::Work {
    explicit Work(const BenchLevel& level, int tile_cells)
        : input(level, tile_cells, recast::kRadiusCells + 3) {}
    Work(const Work&) = delete;
    Work& operator=(const Work&) = delete;
    ~Work() {
        dtFreeTileCache(cache);
        dtFreeNavMesh(mesh);
    }

    void init(int tile_cells, int obstacles_max);
    void add_layers(const recast::Piece& piece);

    recast::Input input;
    Copying copying{};
    Linear linear{};
    Ground ground{};
    dtTileCache* cache = dtAllocTileCache();
    dtNavMesh* mesh = dtAllocNavMesh();
    std::vector<dtObstacleRef> obstacles{};
};

void TileCache::Work::init(int tile_cells, int obstacles_max) {
    dtTileCacheParams params{};
    dtVcopy(params.orig, input.low);
    params.cs = recast::kCell;
    params.ch = recast::kCellHeight;
    params.width = params.height = tile_cells;
    params.walkableHeight = recast::kAgentHeight;
    params.walkableRadius = recast::kAgentRadius;
    params.walkableClimb = recast::kClimb;
    params.maxSimplificationError = recast::kEdgeError;
    params.maxTiles = static_cast<int>(input.pieces.size()) * kLayersPerTile;
    params.maxObstacles = obstacles_max;
    expect(cache->init(&params, &linear, &copying, &ground), "init");
    dtNavMeshParams mesh_params{};
    dtVcopy(mesh_params.orig, input.low);
    mesh_params.tileWidth = mesh_params.tileHeight = input.tile_size;
    mesh_params.maxTiles = params.maxTiles;
    const int tile_bits =
        std::min(static_cast<int>(dtIlog2(dtNextPow2(static_cast<unsigned>(params.maxTiles)))), 14);
    mesh_params.maxPolys = 1 << (22 - tile_bits);
    expect(mesh->init(&mesh_params), "init of the mesh");
}

void TileCache::Work::add_layers(const recast::Piece& piece) {
    const recast::Compact open = recast::walkable_field(input, piece);
    if (!open) return;
    const std::unique_ptr<rcHeightfieldLayerSet,
                          recast::Freed<rcHeightfieldLayerSet, rcFreeHeightfieldLayerSet>>
        layers{rcAllocHeightfieldLayerSet()};
    if (!rcBuildHeightfieldLayers(&input.context, *open, input.border, recast::kHeightCells, *layers))
        throw std::runtime_error("DetourTileCache: layers");
    for (int i = 0; i < layers->nlayers; ++i) {
        const rcHeightfieldLayer& layer = layers->layers[i];
        dtTileCacheLayerHeader header = header_of(piece, i, layer);
        unsigned char* data = nullptr;
        int size = 0;
        expect(dtBuildTileCacheLayer(&copying, &header, layer.heights, layer.areas, layer.cons, &data, &size),
               "layer");
        expect(cache->addTile(data, size, DT_COMPRESSEDTILE_FREE_DATA, nullptr), "tile");
    }
}

TileCache::TileCache(const BenchLevel& level, std::uint32_t tile_cells, std::size_t obstacles_max)
    : work_(std::make_unique<Work>(level, static_cast<int>(tile_cells))) {
    work_->init(static_cast<int>(tile_cells), static_cast<int>(obstacles_max));
    for (const recast::Piece& piece : work_->input.pieces) work_->add_layers(piece);
    for (const recast::Piece& piece : work_->input.pieces)
        expect(work_->cache->buildNavMeshTilesAt(piece.x, piece.y, work_->mesh), "building");
}
TileCache::~TileCache() = default;

bool TileCache::add(const Vec3& place) {
    // The sample puts them half a metre into the ground.
    const float at[3] = {static_cast<float>(place.x), static_cast<float>(place.z) - 0.5F,
                         static_cast<float>(-place.y)};
    dtObstacleRef ref = 0;
    if (dtStatusFailed(work_->cache->addObstacle(at, 1.0F, 2.0F, &ref))) return false;
    work_->obstacles.push_back(ref);
    return true;
}

bool TileCache::remove(std::size_t i) {
    return dtStatusSucceed(work_->cache->removeObstacle(work_->obstacles[i]));
}

bool TileCache::update() {
    bool done = false;
    expect(work_->cache->update(0.0F, work_->mesh, &done), "update");
    return done;
}

}  // namespace fairlead::bench

#else

namespace fairlead::bench {

struct TileCache::Work {};
TileCache::TileCache(const BenchLevel&, std::uint32_t, std::size_t) {}
TileCache::~TileCache() = default;
bool TileCache::add(const Vec3&) { return false; }
bool TileCache::remove(std::size_t) { return false; }
bool TileCache::update() { return true; }

}  // namespace fairlead::bench

#endif
