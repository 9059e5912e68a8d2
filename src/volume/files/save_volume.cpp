// Volumes to bytes: chunks in order, and what is joined to what, number by number as they lie in memory.
#include <fairlead/volume/save_volume.h>

#include "volume/data/state.h"
#include "volume/files/volume_sections.h"

namespace fairlead {

namespace volume {

namespace {

// Calls visit(place, index) for each chunk that is not open, in the order of the table.
template <class Visit>
void each_chunk(const StateData& state, const Visit& visit) {
    std::size_t i = 0;
    for (std::int32_t z = 0; z < state.chunk_count.z; ++z) {
        for (std::int32_t y = 0; y < state.chunk_count.y; ++y) {
            for (std::int32_t x = 0; x < state.chunk_count.x; ++x, ++i) {
                if (state.chunks[i] != nullptr) visit(Voxel{x, y, z}, i);
            }
        }
    }
}

template <class B>
std::uint32_t words_of(const B* block) {
    return block == nullptr ? 0 : static_cast<std::uint32_t>(block->block.bytes / 8);
}

void put_options(ByteWriter& out, const StateData& state) {
    for (const Vec3& v : {state.origin, state.scale}) {
        for (const double value : {v.x, v.y, v.z}) out.put(value);
    }
    for (const std::int32_t side : {state.size.x, state.size.y, state.size.z}) out.put(side);
    out.put(std::uint32_t{0});
    out.put(state.solid);
}

void put_chunk(ByteWriter& out, const StateData& state, Voxel place, std::size_t i) {
    for (const std::int32_t at : {place.x, place.y, place.z}) out.put(at);
    const bool loaded = state.is_loaded(i);
    out.put(loaded ? words_of(state.chunks[i]) : 0U);
    out.put(loaded ? words_of(state.tables[i]) : 0U);
    out.put(loaded ? words_of(state.links[i]) : 0U);
}

void put_block(ByteWriter& out, const Block& block) {
    out.put(Block::kBorrowed);
    out.put(std::uint64_t{block.bytes});
}

template <class T>
void put_all(ByteWriter& out, const T* numbers, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) out.put(numbers[i]);
}

void fill_up(ByteWriter& out) {
    while (out.size() % 8 != 0 && !out.failed()) out.put(std::uint8_t{0});
}

void put_image(ByteWriter& out, const Chunk& chunk) {
    put_block(out, chunk.block);
    out.put(chunk.solid);
    out.put(chunk.words);
    out.put(chunk.block_distances);
    for (const CellEntry cell : chunk.cells) {
        out.put(cell.node);
        out.put(cell.distances);
    }
    put_all(out, chunk.node(2), chunk.words - 2U);
}

void put_image(ByteWriter& out, const ChunkTables& tables) {
    put_block(out, tables.block);
    out.put(tables.several);
    out.put(tables.parts);
    out.put(std::uint32_t{0});
    for (std::uint32_t i = 0; i < tables.tables(); ++i) {
        const CellTable& table = tables.table()[i];
        out.put(table.parts);
        out.put(table.part_count);
        out.put(table.components);
        put_all(out, table.component, 64);
    }
    for (std::uint32_t i = 0; i < tables.parts; ++i) {
        out.put(tables.part()[i].voxel);
        out.put(tables.part()[i].component);
    }
    fill_up(out);
}

void put_image(ByteWriter& out, const ChunkLinks& links) {
    put_block(out, links.block);
    for (const std::uint64_t cells : {links.empty, links.mixed, links.listed}) out.put(cells);
    for (const std::uint32_t n : {links.links, links.pieces, links.numbers, 0U}) out.put(n);
    for (std::uint32_t i = 0; i < links.links; ++i) out.put(links.link()[i].bits);
    put_all(out, links.start(), links.starts());
    if (links.number_size() == 4)
        put_all(out, static_cast<const std::uint32_t*>(links.number()), links.numbers);
    else
        put_all(out, static_cast<const std::uint16_t*>(links.number()), links.numbers);
    put_all(out, links.first(), links.firsts());
    put_all(out, links.faces(), links.face_count());
    fill_up(out);
}

void put_image(ByteWriter& out, const Labels& labels) {
    put_block(out, labels.block);
    out.put(labels.chunks);
    out.put(labels.pieces);
    put_all(out, labels.first(), labels.chunks);
    put_all(out, labels.label(), labels.pieces);
    fill_up(out);
}

}  // namespace

}  // namespace volume

VolumeKey volume_key(const VolumeOptions& options, std::uint64_t source) {
    return {volume::options_hash_of(options.origin, options.voxel_size, options.size), source};
}

VolumeKey volume_key(const VolumeOptions& options) {
    Digest digest;
    for (const VoxelBrick& brick : options.bricks) {
        for (const std::int32_t at : {brick.x, brick.y, brick.z}) digest.add(at);
        digest.add(brick.solid);
    }
    return volume_key(options, std::max(digest.value(), std::uint64_t{1}));  // 0 means: not known
}

Result<void> save_volume(const VolumeState& volume, Array<std::uint8_t>& out, std::uint64_t source) {
    using namespace volume;
    const StateData& state = volume.data();
    BakedWriter file({.kind = kBakedVolume,
                      .major = kVolumeMajor,
                      .minor = state.unloaded > 0 ? kVolumeParts : kVolumeWhole,
                      .options_hash = options_hash_of(state.origin, state.scale, state.size),
                      .source_hash = source},
                     out.allocator());
    put_options(file.begin(kOptionsSection.id, kOptionsSection.stride), state);
    ByteWriter& chunks = file.begin(kChunkSection.id, kChunkSection.stride);
    each_chunk(state, [&](Voxel place, std::size_t i) { put_chunk(chunks, state, place, i); });
    ByteWriter& data = file.begin(kDataSection.id, kDataSection.stride);
    each_chunk(state, [&](Voxel, std::size_t i) {
        if (!state.is_loaded(i)) return;
        put_image(data, *state.chunks[i]);
        if (state.tables[i] != nullptr) put_image(data, *state.tables[i]);
        if (state.links[i] != nullptr) put_image(data, *state.links[i]);
    });
    put_image(file.begin(kLabelSection.id, kLabelSection.stride), *state.labels);
    return file.finish(out);
}

}  // namespace fairlead
