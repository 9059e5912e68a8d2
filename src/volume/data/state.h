// StateData: everything that a revision of a volume consists of. Immutable once it is the current one.
#pragma once

#include <atomic>
#include <cmath>
#include <cstdint>

#include <fairlead/base/array.h>
#include <fairlead/volume/volume.h>

#include "base/revisions.h"
#include "volume/components/joins.h"
#include "volume/data/layout.h"

namespace fairlead::volume {

/// A chunk that neither holds nor is near anything solid.
extern const Chunk kOpenChunk;

/// A chunk that is not there: solid all through, also beyond the bounds. Its blocks are nobody's (Block::kBorrowed): never written, and in
/// no piece.
[[nodiscard]] Chunk* unloaded_chunk();
[[nodiscard]] ChunkLinks* unloaded_links();

struct StateData {
    explicit StateData(const Allocator& a) : chunks(a), tables(a), links(a) {}

    std::uint64_t revision = 0;
    mutable std::atomic<std::uint32_t> held{0};
    Vec3 origin{};
    Vec3 scale{1, 1, 1};    ///< world units of a voxel
    Vec3 inverse{1, 1, 1};  ///< voxels of a world unit
    Voxel size{};
    Voxel chunk_count{};
    double slack = 0.0;          ///< the contact slack, in voxels of the shortest side
    std::int64_t solid = 0;      ///< voxels in bounds of chunks that are there
    std::int64_t missing = 0;    ///< voxels in bounds of those that are not
    std::int64_t unloaded = 0;   ///< chunks that are not there
    Array<Chunk*> chunks;        ///< null: open
    Array<ChunkTables*> tables;  ///< by chunk; null: no cell has several components
    Array<ChunkLinks*> links;    ///< by chunk; null: nothing solid in it
    Labels* labels = nullptr;

    [[nodiscard]] bool share(const StateData& other) {
        origin = other.origin;
        scale = other.scale;
        inverse = other.inverse;
        size = other.size;
        chunk_count = other.chunk_count;
        slack = other.slack;
        solid = other.solid;
        missing = other.missing;
        unloaded = other.unloaded;
        labels = other.labels;
        return chunks.assign(other.chunks.span()) && tables.assign(other.tables.span()) &&
               links.assign(other.links.span());
    }
    template <class Visit>
    void each_block(Visit visit) const {
        for (Chunk* chunk : chunks) {
            if (chunk != nullptr) visit(&chunk->block);
        }
        for (ChunkTables* block : tables) {
            if (block != nullptr) visit(&block->block);
        }
        for (ChunkLinks* block : links) {
            if (block != nullptr) visit(&block->block);
        }
        if (labels != nullptr) visit(&labels->block);
    }

    [[nodiscard]] bool is_loaded(std::size_t chunk) const { return chunks[chunk] != unloaded_chunk(); }
    /// Of a voxel in bounds.
    [[nodiscard]] bool is_loaded_at(Voxel v) const {
        return unloaded == 0 || is_loaded(chunk_index(v.x >> 6, v.y >> 6, v.z >> 6));
    }
    [[nodiscard]] bool is_chunk(Voxel chunk) const {
        return (chunk.x | chunk.y | chunk.z) >= 0 && chunk.x < chunk_count.x && chunk.y < chunk_count.y &&
               chunk.z < chunk_count.z;
    }
    /// Voxels of a chunk that lie in bounds.
    [[nodiscard]] std::int64_t voxels_in(Voxel chunk) const;
    [[nodiscard]] FAIRLEAD_INLINE bool in_bounds(Voxel v) const {
        return static_cast<std::uint32_t>(v.x) < static_cast<std::uint32_t>(size.x) &&
               static_cast<std::uint32_t>(v.y) < static_cast<std::uint32_t>(size.y) &&
               static_cast<std::uint32_t>(v.z) < static_cast<std::uint32_t>(size.z);
    }
    [[nodiscard]] FAIRLEAD_INLINE std::size_t chunk_index(std::int32_t x, std::int32_t y,
                                                          std::int32_t z) const {
        return (static_cast<std::size_t>(z) * static_cast<std::size_t>(chunk_count.y) +
                static_cast<std::size_t>(y)) *
                   static_cast<std::size_t>(chunk_count.x) +
               static_cast<std::size_t>(x);
    }
    /// The chunk that holds a voxel in bounds.
    [[nodiscard]] FAIRLEAD_INLINE const Chunk& chunk_of(Voxel v) const {
        const Chunk* chunk = chunks[chunk_index(v.x >> 6, v.y >> 6, v.z >> 6)];
        return chunk == nullptr ? kOpenChunk : *chunk;
    }
    /// Solid voxels of the brick (x, y, z) in bounds; those beyond the bounds are not counted as solid.
    [[nodiscard]] FAIRLEAD_INLINE std::uint64_t stored_bits(std::int32_t x, std::int32_t y,
                                                            std::int32_t z) const {
        const Chunk* chunk = chunks[chunk_index(x >> 4, y >> 4, z >> 4)];
        if (chunk == nullptr) return 0;
        const CellEntry cell = chunk->cells[place64(x >> 2, y >> 2, z >> 2)];
        if (cell.node == CellEntry::kEmpty) return 0;
        if (cell.node == CellEntry::kFull) return kAll;
        return node_brick(chunk->node(cell.node), place64(x, y, z));
    }
    [[nodiscard]] bool cell_in_bounds(std::int32_t x, std::int32_t y, std::int32_t z) const {
        return in_bounds({x * 16, y * 16, z * 16});
    }
    [[nodiscard]] const CellEntry& cell_entry(std::int32_t x, std::int32_t y, std::int32_t z) const {
        const Chunk* chunk = chunks[chunk_index(x >> 2, y >> 2, z >> 2)];
        return (chunk == nullptr ? kOpenChunk : *chunk).cells[place64(x, y, z)];
    }
    [[nodiscard]] bool brick_in_bounds(std::int32_t x, std::int32_t y, std::int32_t z) const {
        return in_bounds({x * 4, y * 4, z * 4});
    }
    /// The voxels of a brick that lie in bounds.
    [[nodiscard]] std::uint64_t inside_bits(std::int32_t x, std::int32_t y, std::int32_t z) const;
    /// Free voxels of a brick.
    [[nodiscard]] std::uint64_t free_bits(std::int32_t x, std::int32_t y, std::int32_t z) const {
        if (!brick_in_bounds(x, y, z)) return 0;
        return ~stored_bits(x, y, z) & inside_bits(x, y, z);
    }
    [[nodiscard]] FAIRLEAD_INLINE bool is_free(Voxel v) const {
        return in_bounds(v) && (stored_bits(v.x >> 2, v.y >> 2, v.z >> 2) >> place64(v.x, v.y, v.z) & 1) == 0;
    }

    /// World to voxels and back.
    [[nodiscard]] Vec3 in_voxels(Vec3 world) const {
        return {(world.x - origin.x) * inverse.x, (world.y - origin.y) * inverse.y,
                (world.z - origin.z) * inverse.z};
    }
    [[nodiscard]] Vec3 in_world(Vec3 at) const {
        return {origin.x + at.x * scale.x, origin.y + at.y * scale.y, origin.z + at.z * scale.z};
    }
    /// Length of a difference given in voxels, world units.
    [[nodiscard]] FAIRLEAD_INLINE double length_of(Vec3 d) const {
        const double x = d.x * scale.x, y = d.y * scale.y, z = d.z * scale.z;
        return std::sqrt(x * x + y * y + z * z);
    }
    /// In the bounds, but for the contact slack.
    [[nodiscard]] bool holds(Vec3 at) const {
        const auto in = [this](double p, std::int32_t side) { return p >= -slack && p <= side + slack; };
        return in(at.x, size.x) && in(at.y, size.y) && in(at.z, size.z);
    }
};

/// The voxel that holds a point in voxels; on the upper bound the last one. StateData::holds the point.
[[nodiscard]] FAIRLEAD_INLINE Voxel voxel_of(const StateData& state, Vec3 at) {
    const auto axis = [](double p, std::int32_t size) {
        const auto v = p > 0.0 ? static_cast<std::int32_t>(p) : 0;
        return v < size ? v : size - 1;
    };
    return {axis(at.x, state.size.x), axis(at.y, state.size.y), axis(at.z, state.size.z)};
}
[[nodiscard]] FAIRLEAD_INLINE Vec3 middle_of(Voxel v) { return {v.x + 0.5, v.y + 0.5, v.z + 0.5}; }

}  // namespace fairlead::volume
