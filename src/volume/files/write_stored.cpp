// Chunk by chunk, through the writer that every edit goes through.
#include <algorithm>
#include <bit>

#include "volume/edit/editor.h"
#include "volume/files/stored_volume.h"

namespace fairlead::volume {

namespace {

// The cell whose words begin at `next`, which is moved behind them.
void read_cell(const StoredVolume& stored, std::size_t& next, CellBits& bits) {
    const StoredCell cell{stored.word(next), stored.word(next + 1)};
    next += 2;
    std::fill_n(bits.bricks, 64, 0);
    for (std::uint64_t left = cell.full; left != 0; left &= left - 1)
        bits.bricks[std::countr_zero(left)] = kAll;
    for (std::uint64_t left = cell.mixed(); left != 0; left &= left - 1)
        bits.bricks[std::countr_zero(left)] = stored.word(next++);
}

}  // namespace

bool write_stored(EditorData& editor, const StoredVolume& stored) {
    return stored.each_chunk([&](const StoredChunk& from, std::size_t next) {
        ChunkWriter writer(editor, from.place.x, from.place.y, from.place.z);
        CellBits bits;
        for (std::uint64_t cells = from.some; cells != 0; cells &= cells - 1) {
            const auto cell = static_cast<std::uint32_t>(std::countr_zero(cells));
            if ((from.full >> cell & 1) != 0) {
                std::fill_n(bits.bricks, 64, kAll);
            } else {
                read_cell(stored, next, bits);
            }
            if (!writer.write(cell, bits)) return false;
        }
        return writer.finish();
    });
}

}  // namespace fairlead::volume
