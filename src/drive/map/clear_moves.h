// ClearMoves: the moves that an edge map allows and that do not run into a query's blockers, as the words of the edge map.
//
// They are worked out where they are asked for: those of a place and heading at once, when it is looked at first. Words that no
// blocker is near are the map's own.
#pragma once

#include <cstdint>

#include <fairlead/base/array.h>
#include <fairlead/search/node_store.h>

#include "drive/map/blocker_sweep.h"
#include "drive/map/edge_map.h"

namespace fairlead::drive {

class ClearMoves {
  public:
    explicit ClearMoves(const Allocator& allocator)
        : blocks_(allocator), first_(allocator), words_(allocator) {}

    /// Both must outlive the questions.
    void begin(const EdgeMap& edges, const BlockerSweep& blockers);

    /// As EdgeMap::column: of the words for moves in this heading the place's bit is true. Until the next question.
    [[nodiscard]] const std::uint64_t* column(std::int32_t x, std::int32_t y, std::int32_t heading) {
        return column(x, y, heading, std::uint64_t{1} << (x & 63));
    }
    /// The same for several of the 64 places.
    [[nodiscard]] const std::uint64_t* column(std::int32_t x, std::int32_t y, std::int32_t heading,
                                              std::uint64_t places);
    [[nodiscard]] bool may_drive(std::int32_t x, std::int32_t y, std::int32_t heading,
                                 std::size_t primitive) {
        return ((column(x, y, heading)[primitive] >> (x & 63)) & 1U) != 0;
    }
    /// Out of memory at some time since begin().
    [[nodiscard]] bool failed() const { return failed_; }

  private:
    [[nodiscard]] std::size_t block_at(std::int32_t x, std::int32_t y);
    void look_at(std::uint64_t* words, std::int32_t x, std::int32_t y, std::int32_t heading) const;

    const EdgeMap* edges_ = nullptr;
    const BlockerSweep* blockers_ = nullptr;
    std::uint32_t across_ = 0;    // words of a row
    std::size_t moves_ = 0;       // and standing room in each heading: words of the edge map
    HashedNodes blocks_;          // 64 places of a row that were looked at
    Array<std::size_t> first_;    // of a block: where its words begin
    Array<std::uint64_t> words_;  // moves_ words; then which places are looked at, for each heading
    bool failed_ = false;
};

}  // namespace fairlead::drive
