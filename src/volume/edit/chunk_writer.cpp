// A chunk is written anew where one of its cells changes: cells that stay are copied, the others put in words again. What a chunk holds
// does not depend on the order of the edits, so that an edited volume has the bytes of one that was made at once.
#include <algorithm>
#include <bit>
#include <cstring>
#include <new>

#include "volume/edit/editor.h"

namespace fairlead::volume {

namespace {

// The bricks of a cell's part.
constexpr std::uint64_t part_bricks(std::uint32_t part) {
    constexpr std::uint64_t kLow = 0x0000000000330033ULL;
    return kLow << ((part & 1) * 2 + (part >> 1 & 1) * 8 + (part >> 2) * 32);
}

std::uint32_t words_of(const std::uint64_t* node) { return 2 + count_bits(node[0] & ~node[1]); }

// Which parts hold something solid, a bit each.
std::uint32_t solid_parts(std::uint64_t any) {
    std::uint32_t parts = 0;
    for (std::uint32_t part = 0; part < 8; ++part) {
        if ((any & part_bricks(part)) != 0) parts |= 1U << part;
    }
    return parts;
}

std::uint32_t solid_parts(const CellEntry& entry) {
    std::uint32_t parts = 0;
    for (std::uint32_t part = 0; part < 8; ++part) {
        if (entry.distance(part) == 0) parts |= 1U << part;
    }
    return parts;
}

}  // namespace

Chunk* EditorData::own_chunk(std::size_t index) {
    Chunk*& slot = draft->chunks[index];
    if (slot == nullptr) {
        void* memory = make_block(sizeof(Chunk));
        if (memory == nullptr) return nullptr;
        const Block block = *static_cast<Block*>(memory);
        auto* chunk = new (memory) Chunk(kOpenChunk);
        chunk->block = block;
        slot = chunk;
    } else if (!is_new(&slot->block)) {
        void* memory = copy_block(&slot->block);
        if (memory == nullptr) return nullptr;
        slot = static_cast<Chunk*>(memory);
    }
    return slot;
}

ChunkWriter::ChunkWriter(EditorData& editor, std::int32_t x, std::int32_t y, std::int32_t z)
    : editor_(editor), x_(x), y_(y), z_(z), index_(editor.draft->chunk_index(x, y, z)) {
    const Chunk* chunk = editor.draft->chunks[index_];
    old_ = chunk == nullptr ? &kOpenChunk : chunk;
    std::memcpy(static_cast<void*>(entries_), old_->cells, sizeof(entries_));
    editor.words.clear();
    solid_ = old_->solid;
}

void ChunkWriter::read(std::uint32_t cell, CellBits& bits) const {
    const CellEntry entry = entries_[cell];
    if (!entry.is_mixed()) {
        std::fill_n(bits.bricks, 64, entry.node == CellEntry::kFull ? kAll : 0);
        return;
    }
    const bool mine = (mine_ >> cell & 1) != 0;
    const std::uint64_t* node = mine ? editor_.words.data() + entry.node : old_->node(entry.node);
    const std::uint64_t* next = node + 2;
    for (std::uint32_t b = 0; b < 64; ++b) {
        const std::uint64_t bit = std::uint64_t{1} << b;
        bits.bricks[b] = (node[0] & bit) == 0 ? 0 : (node[1] & bit) != 0 ? kAll : *next++;
    }
}

void ChunkWriter::note_parts(std::uint32_t cell, const CellEntry& before, const CellEntry& after) {
    const auto c = static_cast<std::int32_t>(cell);
    const std::int32_t cx = x_ * 4 + (c & 3), cy = y_ * 4 + (c >> 2 & 3), cz = z_ * 4 + (c >> 4);
    const std::uint32_t flipped = solid_parts(before) ^ solid_parts(after);
    if (flipped == 0) return;
    for (std::int32_t part = 0; part < 8; ++part) {
        if ((flipped >> part & 1) != 0)
            editor_.parts.include(cx * 2 + (part & 1), cy * 2 + (part >> 1 & 1), cz * 2 + (part >> 2));
    }
}

bool ChunkWriter::write(std::uint32_t cell, const CellBits& bits) {
    CellBits old;
    read(cell, old);
    std::uint64_t any = 0, full = 0, changed = 0;
    for (std::uint32_t b = 0; b < 64; ++b) {
        const std::uint64_t brick = bits.bricks[b];
        any |= std::uint64_t{brick != 0} << b;
        full |= std::uint64_t{brick == kAll} << b;
        changed |= std::uint64_t{brick != old.bricks[b]} << b;
    }
    if (changed == 0) return true;
    std::int64_t count = 0;
    for (std::uint64_t left = changed; left != 0; left &= left - 1) {
        const int b = std::countr_zero(left);
        count += std::int64_t{count_bits(bits.bricks[b])} - count_bits(old.bricks[b]);
    }
    CellEntry after = entries_[cell];
    after.node = any == 0 ? CellEntry::kEmpty : full == kAll ? CellEntry::kFull : std::uint16_t{2};
    const std::uint32_t parts = solid_parts(any);
    for (std::uint32_t part = 0; part < 8; ++part) {
        const std::uint32_t mask = 3U << (2 * part);
        if ((parts >> part & 1) != 0)
            after.distances &= static_cast<std::uint16_t>(~mask);
        else if (after.distance(part) == 0)
            after.distances |= static_cast<std::uint16_t>(mask);
    }
    if (after.is_mixed()) {
        if (editor_.words.empty() && !editor_.words.resize(2)) return false;  // 0 and 1 say empty and full
        after.node = static_cast<std::uint16_t>(editor_.words.size());
        if (!editor_.words.push_back(any) || !editor_.words.push_back(full)) return false;
        for (const std::uint64_t brick : bits.bricks) {
            if (brick != 0 && brick != kAll && !editor_.words.push_back(brick)) return false;
        }
    }
    note_parts(cell, entries_[cell], after);
    entries_[cell] = after;
    (after.is_mixed() ? mine_ : emptied_) |= std::uint64_t{1} << cell;
    (after.is_mixed() ? emptied_ : mine_) &= ~(std::uint64_t{1} << cell);
    solid_ += count;
    editor_.draft->solid += count;
    written_ = true;
    return true;
}

// The chunk's distances of blocks, where the solid ones are at 0 and no others.
std::uint16_t ChunkWriter::note_blocks() {
    std::uint32_t distances = old_->block_distances;
    for (std::uint32_t block = 0; block < 8; ++block) {
        const CellEntry* corner = entries_ + ((block & 1) * 2 + (block >> 1 & 1) * 8 + (block >> 2) * 32);
        bool solid = false;
        for (const int i : {0, 1, 4, 5, 16, 17, 20, 21}) solid = solid || corner[i].node != CellEntry::kEmpty;
        if (solid == (old_->block_distance(block) == 0)) continue;
        const auto b = static_cast<std::int32_t>(block);
        editor_.blocks.include(x_ * 2 + (b & 1), y_ * 2 + (b >> 1 & 1), z_ * 2 + (b >> 2));
        distances ^= solid ? distances & 3U << (2 * block) : 3U << (2 * block);
    }
    return static_cast<std::uint16_t>(distances);
}

bool ChunkWriter::finish() {
    if (!written_) return true;
    editor_.changed = true;
    const auto node_of = [&](std::uint32_t cell) {
        const bool mine = (mine_ >> cell & 1) != 0;
        return mine ? editor_.words.data() + entries_[cell].node : old_->node(entries_[cell].node);
    };
    std::uint32_t words = 2;
    for (std::uint32_t cell = 0; cell < 64; ++cell) {
        if (entries_[cell].is_mixed()) words += words_of(node_of(cell));
    }
    void* memory = editor_.make_block(Chunk::bytes_for(words));
    if (memory == nullptr) return false;
    const Block block = *static_cast<Block*>(memory);
    auto* chunk = new (memory) Chunk;
    chunk->block = block;
    chunk->words = static_cast<std::uint16_t>(words);
    chunk->solid = static_cast<std::uint32_t>(solid_);
    chunk->block_distances = note_blocks();
    std::uint32_t next = 2;
    for (std::uint32_t cell = 0; cell < 64; ++cell) {
        CellEntry entry = entries_[cell];
        if (entry.is_mixed()) {
            const std::uint64_t* node = node_of(cell);
            const std::uint32_t count = words_of(node);
            std::memcpy(chunk->node(next), node, count * sizeof(std::uint64_t));
            entry.node = static_cast<std::uint16_t>(next);
            next += count;
        }
        chunk->cells[cell] = entry;
    }
    Chunk*& slot = editor_.draft->chunks[index_];
    if (slot != nullptr && !editor_.give_up(&slot->block)) {
        editor_.discard(&chunk->block);
        return false;
    }
    slot = chunk;
    for (std::uint64_t left = mine_ | emptied_; left != 0; left &= left - 1) {
        const auto cell = static_cast<std::uint32_t>(std::countr_zero(left));
        if (!editor_.touched.push_back({static_cast<std::uint32_t>(index_), cell})) return false;
    }
    return true;
}

}  // namespace fairlead::volume
