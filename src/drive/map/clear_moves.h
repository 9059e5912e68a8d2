// ClearMoves: the moves that an edge map allows and that do not run into a query's blockers, as the words of the edge map.
//
// They are worked out where they are asked for: those of a place and heading at once, when it is looked at first. Words that no
// blocker is near are the map's own. A move that sweeps no cell which a blocker touches is clear; 64 places are asked that at once. What
// is left is looked at exactly (BlockerSweep).
#pragma once

#include <cstdint>
#include <span>

#include <fairlead/base/array.h>
#include <fairlead/drive/drive_table.h>
#include <fairlead/search/node_store.h>

#include "drive/map/blocker_sweep.h"
#include "drive/map/edge_map.h"

namespace fairlead::drive {

class ClearMoves {
  public:
    explicit ClearMoves(const Allocator& allocator)
        : blocks_(allocator), first_(allocator), words_(allocator), rows_(allocator) {}

    /// Both must outlive the questions.
    void begin(const EdgeMap& edges, const BlockerSweep& blockers);

    /// As EdgeMap::column: of the words for moves in this heading the place's bit is true. Until the next question.
    [[nodiscard]] const std::uint64_t* column(std::int32_t x, std::int32_t y, std::int32_t heading) {
        return column(x, y, heading, std::uint64_t{1} << (x & 63));
    }
    /// The same for several of the 64 places.
    [[nodiscard]] const std::uint64_t* column(std::int32_t x, std::int32_t y, std::int32_t heading,
                                              std::uint64_t places) {
        begun_ = false;
        return find_column(x, y, heading, places, INT32_MAX);
    }
    /// The same a part at a time: null, ask again with the same words, and with no others in between. A part is some 10 us at most.
    [[nodiscard]] const std::uint64_t* column_in_parts(std::int32_t x, std::int32_t y, std::int32_t heading,
                                                       std::uint64_t places) {
        return find_column(x, y, heading, places, kPart);
    }
    [[nodiscard]] bool may_drive(std::int32_t x, std::int32_t y, std::int32_t heading,
                                 std::size_t primitive) {
        return ((column(x, y, heading)[primitive] >> (x & 63)) & 1U) != 0;
    }
    /// Out of memory at some time since begin().
    [[nodiscard]] bool failed() const { return failed_; }

  private:
    static constexpr std::int32_t kPart = 3;  // moves looked at exactly

    /// Cells that blockers touch, of one row: those from 64 before a word's first place on.
    struct Row {
        std::uint64_t bits[3] = {};
    };
    [[nodiscard]] std::size_t block_at(std::int32_t x, std::int32_t y);
    [[nodiscard]] bool gather(std::int32_t x, std::int32_t y);
    [[nodiscard]] std::uint64_t touched_by(std::span<const CellRun> swept) const;
    [[nodiscard]] const std::uint64_t* find_column(std::int32_t x, std::int32_t y, std::int32_t heading,
                                                   std::uint64_t places, std::int32_t part);
    /// From `next_` on; looks at about `part` moves. True: at all.
    [[nodiscard]] bool look_at(std::uint64_t* words, std::int32_t y, std::int32_t heading,
                               std::uint64_t places, std::int32_t part);

    const EdgeMap* edges_ = nullptr;
    const BlockerSweep* blockers_ = nullptr;
    std::uint32_t across_ = 0;    // words of a row
    std::size_t moves_ = 0;       // and standing room in each heading: words of the edge map
    HashedNodes blocks_;          // 64 places of a row that were looked at
    Array<std::size_t> first_;    // of a block: where its words begin
    Array<std::uint64_t> words_;  // moves_ words; then which places are looked at, for each heading
    Array<Row> rows_;             // around the block at hand: `margin` rows to either side of its row
    std::int32_t near_x_ = -1;    // its first place
    std::int32_t near_y_ = -1;
    std::size_t next_ = 0;  // of a column in parts: the move to go on with
    bool begun_ = false;    // there is such a one
    bool failed_ = false;
};

}  // namespace fairlead::drive
