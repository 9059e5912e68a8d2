// What is joined to what: the components of cells, the faces through which they meet, the pieces that a chunk falls into, and which
// pieces are one component of the world.
//
// A node is a component of a cell. An empty cell has one; so have most others (CellEntry::components). Where a mixed cell has several,
// a table says for each brick which one it belongs to, or that it belongs to several, and then by the part's lowest voxel. A mixed cell
// lists its links; what an empty one meets, its neighbours know.
//
// Pieces are the components of the free voxels of one chunk. Labels name the components of the world, by the lowest number of a piece in
// it, counting chunk by chunk. An edit floods the cells that it touches, links them and their neighbours anew, and labels anew.
#pragma once

#include <cstdint>
#include <span>

#include "base/revisions.h"
#include "volume/data/layout.h"

namespace fairlead::volume {

inline constexpr std::uint16_t kSeveral = 0xffff;
inline constexpr std::uint16_t kNoPiece = 0xffff;
inline constexpr std::uint8_t kNoTable = 0xff;

/// Faces of a cell: 0 and 1 down and up along x, 2 and 3 along y, 4 and 5 along z.
inline constexpr std::int32_t kFaceStep[6][3] = {{-1, 0, 0}, {1, 0, 0},  {0, -1, 0},
                                                 {0, 1, 0},  {0, 0, -1}, {0, 0, 1}};

struct Link {
    std::uint32_t from : 12;  ///< component of this cell
    std::uint32_t face : 3;
    std::uint32_t to : 12;  ///< component of the cell there
    std::uint32_t unused : 5;
    friend bool operator==(const Link&, const Link&) = default;
};
static_assert(sizeof(Link) == 4);

/// A part of a brick that belongs to several components.
struct PartOf {
    std::uint16_t voxel = 0;  ///< its brick and its lowest bit: brick x 64 + bit
    std::uint16_t component = 0;
};

/// Of one cell with several components.
struct CellTable {
    std::uint16_t component[64];  ///< by brick, or kSeveral; of a full brick no matter
    std::uint32_t parts = 0;      ///< where they begin among the chunk's
    std::uint32_t part_count = 0;
};

/// The tables of one chunk, and behind them the parts. A chunk none of whose cells has several components has none.
struct ChunkTables {
    Block block{};
    std::uint32_t tables = 0;
    std::uint32_t parts = 0;
    std::uint8_t at[64];  ///< by cell; kNoTable: one component

    [[nodiscard]] static std::size_t bytes_for(std::size_t tables, std::size_t parts) {
        return sizeof(ChunkTables) + tables * sizeof(CellTable) + parts * sizeof(PartOf);
    }
    [[nodiscard]] const CellTable* table() const { return reinterpret_cast<const CellTable*>(this + 1); }
    [[nodiscard]] CellTable* table() { return reinterpret_cast<CellTable*>(this + 1); }
    [[nodiscard]] const PartOf* part() const { return reinterpret_cast<const PartOf*>(table() + tables); }
    [[nodiscard]] PartOf* part() { return reinterpret_cast<PartOf*>(table() + tables); }
};

/// Where the links and pieces of a mixed cell begin in its chunk's lists.
struct CellLinks {
    std::uint32_t links = 0;
    std::uint32_t link_count = 0;
    std::uint32_t pieces = 0;  ///< one a component
};

/// Links and pieces of one chunk that holds something solid. A chunk without solid voxels is one piece.
struct ChunkLinks {
    Block block{};
    std::uint32_t cells = 0;  ///< mixed ones
    std::uint32_t links = 0;
    std::uint32_t numbers = 0;  ///< of components of mixed cells
    std::uint32_t pieces = 0;
    std::uint8_t at[64];           ///< by cell: which of the mixed ones
    std::uint16_t cell_piece[64];  ///< of empty cells; kNoPiece of others

    [[nodiscard]] static std::size_t bytes_for(std::size_t cells, std::size_t links, std::size_t numbers) {
        return sizeof(ChunkLinks) + cells * sizeof(CellLinks) + links * sizeof(Link) +
               ((numbers + 3) & ~std::size_t{3}) * 2;
    }
    [[nodiscard]] const CellLinks* cell() const { return reinterpret_cast<const CellLinks*>(this + 1); }
    [[nodiscard]] CellLinks* cell() { return reinterpret_cast<CellLinks*>(this + 1); }
    [[nodiscard]] const Link* link() const { return reinterpret_cast<const Link*>(cell() + cells); }
    [[nodiscard]] Link* link() { return reinterpret_cast<Link*>(cell() + cells); }
    [[nodiscard]] const std::uint16_t* number() const {
        return reinterpret_cast<const std::uint16_t*>(link() + links);
    }
    [[nodiscard]] std::uint16_t* number() { return reinterpret_cast<std::uint16_t*>(link() + links); }

    [[nodiscard]] std::span<const Link> links_of(std::uint32_t place) const {
        const CellLinks& at_cell = cell()[at[place]];
        return {link() + at_cell.links, at_cell.link_count};
    }
    [[nodiscard]] std::uint16_t piece(std::uint32_t place, bool mixed, std::uint32_t component) const {
        return mixed ? number()[cell()[at[place]].pieces + component] : cell_piece[place];
    }
};

/// Labels of all pieces: those of chunk c from first()[c] on.
struct Labels {
    Block block{};
    std::uint32_t chunks = 0;
    std::uint32_t pieces = 0;

    [[nodiscard]] static std::size_t bytes_for(std::size_t chunks, std::size_t pieces) {
        return sizeof(Labels) + (chunks + pieces) * sizeof(std::uint32_t);
    }
    [[nodiscard]] const std::uint32_t* first() const {
        return reinterpret_cast<const std::uint32_t*>(this + 1);
    }
    [[nodiscard]] std::uint32_t* first() { return reinterpret_cast<std::uint32_t*>(this + 1); }
    [[nodiscard]] const std::uint32_t* label() const { return first() + chunks; }
    [[nodiscard]] std::uint32_t* label() { return first() + chunks; }
};

struct StateData;

/// Components of one cell that are being asked for, brick by brick.
class CellView {
  public:
    CellView(const StateData& state, std::int32_t x, std::int32_t y, std::int32_t z);

    [[nodiscard]] std::uint32_t components() const { return components_; }
    [[nodiscard]] std::uint64_t free(std::uint32_t brick) const;
    /// The component of a free voxel, and in `bits` those of the brick that are known to be in it.
    [[nodiscard]] std::uint32_t component(std::uint32_t brick, std::uint32_t voxel,
                                          std::uint64_t& bits) const;

  private:
    const StateData* state_;
    std::int32_t x_, y_, z_;
    std::uint32_t components_ = 0;
    const CellTable* table_ = nullptr;  ///< null: one component
    const PartOf* parts_ = nullptr;
};

/// Of a free voxel.
[[nodiscard]] std::uint32_t component_of(const StateData& state, Voxel v);
[[nodiscard]] std::uint32_t label_of(const StateData& state, Voxel v);

}  // namespace fairlead::volume
