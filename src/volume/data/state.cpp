// What a revision of a volume answers without a search.
#include "volume/data/state.h"

#include <algorithm>

namespace fairlead {

namespace volume {

namespace {

constexpr Chunk open_chunk() {
    Chunk chunk;
    chunk.block_distances = 0xffff;
    for (CellEntry& cell : chunk.cells) cell.distances = 0xffff;
    return chunk;
}

constexpr Chunk solid_chunk() {
    Chunk chunk;
    chunk.block = {Block::kBorrowed, sizeof(Chunk)};
    chunk.solid = 64 * 64 * 64;
    for (CellEntry& cell : chunk.cells) cell.node = CellEntry::kFull;
    return chunk;
}
constexpr ChunkLinks no_links() {
    ChunkLinks links;
    links.block = {Block::kBorrowed, sizeof(ChunkLinks)};
    return links;
}

constexpr Chunk kUnloadedChunk = solid_chunk();
constexpr ChunkLinks kUnloadedLinks = no_links();

}  // namespace

constexpr Chunk kOpenChunk = open_chunk();

Chunk* unloaded_chunk() { return const_cast<Chunk*>(&kUnloadedChunk); }
ChunkLinks* unloaded_links() { return const_cast<ChunkLinks*>(&kUnloadedLinks); }

std::int64_t StateData::voxels_in(Voxel chunk) const {
    const auto side = [](std::int32_t at, std::int32_t all) {
        return std::int64_t{std::min(all - at * 64, 64)};
    };
    return side(chunk.x, size.x) * side(chunk.y, size.y) * side(chunk.z, size.z);
}

std::uint64_t StateData::inside_bits(std::int32_t x, std::int32_t y, std::int32_t z) const {
    const std::int32_t nx = size.x - x * 4, ny = size.y - y * 4, nz = size.z - z * 4;
    if (nx >= 4 && ny >= 4 && nz >= 4) return kAll;
    return bits_between(0, nx - 1, kLowX, 1) & bits_between(0, ny - 1, kLowY, 4) &
           bits_between(0, nz - 1, kLowZ, 16);
}

}  // namespace volume

std::uint64_t VolumeState::revision() const { return data_->revision; }
Vec3 VolumeState::origin() const { return data_->origin; }
Vec3 VolumeState::voxel_size() const { return data_->scale; }
Voxel VolumeState::size() const { return data_->size; }
std::int64_t VolumeState::solid_voxels() const { return data_->solid; }
Voxel VolumeState::chunks() const { return data_->chunk_count; }
bool VolumeState::is_loaded(Voxel chunk) const {
    return data_->is_chunk(chunk) && data_->is_loaded(data_->chunk_index(chunk.x, chunk.y, chunk.z));
}
std::size_t VolumeState::loaded_chunks() const {
    return data_->chunks.size() - static_cast<std::size_t>(data_->unloaded);
}
bool VolumeState::in_bounds(Voxel v) const { return data_->in_bounds(v); }
bool VolumeState::is_free(Voxel v) const { return data_->is_free(v); }

std::uint64_t VolumeState::solid_bits(std::int32_t x, std::int32_t y, std::int32_t z) const {
    constexpr std::int32_t kBricksMax = kVolumeSideMax / 4;
    const auto near = [](std::int32_t b) { return b >= 0 && b < kBricksMax; };
    if (!near(x) || !near(y) || !near(z)) return volume::kAll;
    return ~data_->free_bits(x, y, z);
}

Voxel VolumeState::voxel_at(Vec3 world) const {
    const Vec3 at = data_->in_voxels(world);
    const auto near = [](double p) { return p >= -1e9 && p <= 1e9; };
    if (!near(at.x) || !near(at.y) || !near(at.z)) return {-1, -1, -1};
    const auto axis = [](double p) { return static_cast<std::int32_t>(std::floor(p)); };
    return {axis(at.x), axis(at.y), axis(at.z)};
}

Vec3 VolumeState::centre(Voxel v) const { return data_->in_world(volume::middle_of(v)); }

void VolumeState::each_brick(void (*visit)(const VoxelBrick&, void*), void* user) const {
    const volume::StateData& data = *data_;
    std::size_t i = 0;
    for (std::int32_t cz = 0; cz < data.chunk_count.z; ++cz) {
        for (std::int32_t cy = 0; cy < data.chunk_count.y; ++cy) {
            for (std::int32_t cx = 0; cx < data.chunk_count.x; ++cx, ++i) {
                const volume::Chunk* chunk = data.chunks[i];
                if (chunk == nullptr || chunk->solid == 0 || !data.is_loaded(i)) continue;
                for (std::int32_t c = 0; c < 64; ++c) {
                    const volume::CellEntry cell = chunk->cells[c];
                    if (cell.node == volume::CellEntry::kEmpty) continue;
                    const std::int32_t x = cx * 16 + (c & 3) * 4, y = cy * 16 + (c >> 2 & 3) * 4,
                                       z = cz * 16 + (c >> 4) * 4;
                    for (std::int32_t b = 0; b < 64; ++b) {
                        const VoxelBrick brick{x + (b & 3), y + (b >> 2 & 3), z + (b >> 4), 0};
                        std::uint64_t bits =
                            cell.node == volume::CellEntry::kFull
                                ? volume::kAll
                                : volume::node_brick(chunk->node(cell.node), static_cast<std::uint32_t>(b));
                        if (!data.brick_in_bounds(brick.x, brick.y, brick.z)) continue;
                        bits &= data.inside_bits(brick.x, brick.y, brick.z);
                        if (bits != 0) visit({brick.x, brick.y, brick.z, bits}, user);
                    }
                }
            }
        }
    }
}

void VolumeState::hold() const { data_->held.fetch_add(1, std::memory_order_relaxed); }
void VolumeState::let_go() const { data_->held.fetch_sub(1, std::memory_order_release); }

}  // namespace fairlead
