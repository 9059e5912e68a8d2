// EditorData: the owner's side of a volume: its revisions, and the one that is being made.
#pragma once

#include <cstdint>
#include <span>

#include <fairlead/base/array.h>
#include <fairlead/base/result.h>
#include <fairlead/volume/volume.h>

#include "base/revisions.h"
#include "volume/components/flood.h"
#include "volume/data/state.h"

namespace fairlead::volume {

/// The 64 bricks of one cell.
struct CellBits {
    std::uint64_t bricks[64];
};

/// A box of parts or blocks, half open.
struct UnitBox {
    std::int32_t low[3] = {INT32_MAX, INT32_MAX, INT32_MAX};
    std::int32_t high[3] = {INT32_MIN, INT32_MIN, INT32_MIN};

    [[nodiscard]] bool empty() const { return low[0] >= high[0]; }
    void include(std::int32_t x, std::int32_t y, std::int32_t z) {
        const std::int32_t p[3] = {x, y, z};
        for (int k = 0; k < 3; ++k) {
            if (p[k] < low[k]) low[k] = p[k];
            if (p[k] >= high[k]) high[k] = p[k] + 1;
        }
    }
};

struct TouchedCell {
    std::uint32_t chunk = 0;
    std::uint32_t cell = 0;  ///< its place in it
    friend bool operator==(const TouchedCell&, const TouchedCell&) = default;
};

/// Cells of a chunk, a bit each.
struct CellSet {
    std::uint32_t chunk = 0;
    std::uint64_t cells = 0;
};

struct EditorData : Revisions<StateData> {
    explicit EditorData(const Allocator& a)
        : Revisions(a),
          words(a),
          chunk_bits(a),
          touched(a),
          touched_sets(a),
          fresh_sets(a),
          tables(a),
          table_parts(a),
          links(a),
          found(a),
          sets(a),
          pieces(a),
          meetings{Array<std::uint64_t>(a), Array<std::uint64_t>(a)} {}

    void* owner = nullptr;  ///< what it was made in (volume.cpp)

    // What is known about the draft.
    bool changed = false;
    UnitBox parts{};   ///< whose being empty or not has changed
    UnitBox blocks{};  ///< the same of blocks of 32^3
    // Buffers.
    Array<std::uint64_t> words;
    Array<std::uint64_t> chunk_bits;  ///< of a chunk that is being loaded: its bricks, cell by cell
    Array<TouchedCell> touched;       ///< whose voxels have changed, in order of edits
    CellFlood* flood = nullptr;
    Array<CellSet> touched_sets, fresh_sets;  ///< of join_cells
    Array<CellTable> tables;                  ///< of write_tables
    Array<PartOf> table_parts;
    Array<Link> links, found;  ///< of write_links
    Array<std::uint32_t> sets, pieces;
    Array<std::uint64_t> meetings[2];  ///< of label_pieces

    [[nodiscard]] bool begin() {
        changed = false;
        parts = blocks = {};
        touched.clear();
        return make_flood() && Revisions::begin();
    }

    /// Room for the flood of one cell. False: out of memory.
    [[nodiscard]] bool make_flood();
    /// All that no revision consists of.
    void free_buffers();

    /// A chunk of the draft's own, to be written; made if it is open. Null: out of memory.
    [[nodiscard]] Chunk* own_chunk(std::size_t index);
};

/// Cells of one chunk that are about to change; what is not set stays. One at a time.
class ChunkWriter {
  public:
    ChunkWriter(EditorData& editor, std::int32_t x, std::int32_t y, std::int32_t z);

    /// The bits of a cell as they are now.
    void read(std::uint32_t cell, CellBits& bits) const;
    /// Sets them. False: out of memory.
    [[nodiscard]] bool write(std::uint32_t cell, const CellBits& bits);
    /// Puts the chunk into the draft. False: out of memory.
    [[nodiscard]] bool finish();

  private:
    void note_parts(std::uint32_t cell, const CellEntry& before, const CellEntry& after);
    [[nodiscard]] std::uint16_t note_blocks();

    EditorData& editor_;
    std::int32_t x_, y_, z_;
    std::size_t index_;
    const Chunk* old_;
    bool written_ = false;
    CellEntry entries_[64];
    std::uint64_t mine_ = 0;     ///< cells whose words are in editor.words
    std::uint64_t emptied_ = 0;  ///< cells that have changed to empty or full
    std::int64_t solid_ = 0;
};

/// Brings the distances of parts and blocks up to date with what has changed. False: out of memory.
[[nodiscard]] bool measure_distances(EditorData& editor);
/// A chunk whose distances are not those of the voxels; SIZE_MAX: there is none. Which parts and blocks are solid is as it stands.
[[nodiscard]] std::size_t find_distance_fault(const StateData& state);

/// Brings components, links, pieces and labels up to date with the touched cells. False: out of memory.
[[nodiscard]] bool join_cells(EditorData& editor);
/// Its steps: floods of cells of a chunk that are touched; links of cells that are to be found anew; labels.
[[nodiscard]] bool write_tables(EditorData& editor, std::uint32_t chunk, std::uint64_t touched);
[[nodiscard]] bool write_links(EditorData& editor, std::uint32_t chunk, std::uint64_t fresh);
[[nodiscard]] bool label_pieces(EditorData& editor);

/// Puts a chunk in, or in the place of the one that is there; takes one out.
[[nodiscard]] Result<void> load_chunk(EditorData& editor, Voxel chunk, std::span<const VoxelBrick> bricks);
[[nodiscard]] Result<void> unload_chunk(EditorData& editor, Voxel chunk);

/// The voxels in bounds that an edit may change, empty where there are none; or what is wrong with it.
[[nodiscard]] Result<VoxelBox> edit_box(const StateData& state, const VolumeEdit& edit);
/// Makes one edit on the draft.
[[nodiscard]] Result<void> make_edit(EditorData& editor, const VolumeEdit& edit);

}  // namespace fairlead::volume
