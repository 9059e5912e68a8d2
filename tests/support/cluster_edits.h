// Random edits of maps with a hierarchy, compared with one that is built anew. For the test and the campaign.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <fairlead/grid/grid.h>

#include "support/cluster_maps.h"

namespace fairlead::testing {

struct ClusterEditTally {
    std::uint64_t edits = 0;
    std::uint64_t compared = 0;  ///< with a grid made of the same tiles
};

/// A map, the tiles that it should have, and edits of it.
class EditedMap {
  public:
    /// The spans of `options` must outlive it. `one_layer` is repeated on every layer.
    EditedMap(const GridOptions& options, const std::vector<std::uint8_t>& one_layer);

    [[nodiscard]] Grid& grid() { return grid_; }
    [[nodiscard]] const std::vector<std::uint8_t>& tiles() const { return tiles_; }
    /// A rectangle filled, opened or scattered; drawn first, then done, so that it can be tried again.
    struct Edit {
        CellRect rect;
        std::vector<std::uint8_t> tiles;
    };
    [[nodiscard]] Edit draw(Rng& rng) const;
    [[nodiscard]] Result<void> apply(const Edit& edit) { return grid_.set(edit.rect, edit.tiles); }
    /// The edit has been done.
    void note(const Edit& edit);
    /// Of the hierarchy, from one that is made of the same tiles.
    [[nodiscard]] std::string difference() const;

  private:
    GridOptions options_;
    std::vector<std::uint8_t> tiles_;
    Grid grid_;
};

/// Map number `seed`: of any kind, of `levels` levels, with sizes and seams. `every`: how many edits between two comparisons. Empty:
/// all bytes of the hierarchy were as in a fresh build, always.
[[nodiscard]] std::string check_cluster_edits(std::uint64_t seed, std::int32_t levels, int edits, int every,
                                              ClusterEditTally& tally);

}  // namespace fairlead::testing
