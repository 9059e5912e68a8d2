// What is joined to what: the components of cells, the faces through which they meet, the pieces that a chunk falls into, and which
// pieces are one component of the world.
//
// A node is a component of a cell. An empty cell has one; so have most others. Where a mixed cell has several, a table says for each
// brick which one it belongs to, or that it belongs to several, and then by the part's lowest voxel. A mixed cell knows its links; what
// an empty one meets, its neighbours know.
//
// Pieces are the components of the free voxels of one chunk. Labels name the components of the world, by the lowest number of a piece in
// it, counting chunk by chunk. An edit floods the cells that it touches, links them and their neighbours anew, and labels anew.
//
// Of what is so in most cells nothing is stored: no table where there is one component, one byte of faces where each link leads from
// the first component to the first of the neighbour, no numbers where the chunk is one piece.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "base/revisions.h"
#include "volume/data/layout.h"

namespace fairlead::volume {

inline constexpr std::uint8_t kSeveral = 0xff;
inline constexpr std::uint32_t kCellComponentsMax = 2048;  ///< half of its voxels: none beside another

/// Faces of a cell: 0 and 1 down and up along x, 2 and 3 along y, 4 and 5 along z.
inline constexpr std::int32_t kFaceStep[6][3] = {{-1, 0, 0}, {1, 0, 0},  {0, -1, 0},
                                                 {0, 1, 0},  {0, 0, -1}, {0, 0, 1}};

/// From a component of a cell through a face to one of the cell there. In order of face, from, to.
struct Link {
    std::uint32_t bits = 0;

    [[nodiscard]] static constexpr Link make(std::uint32_t from, std::uint32_t face, std::uint32_t to) {
        return {face << 24 | from << 12 | to};
    }
    [[nodiscard]] constexpr std::uint32_t from() const { return bits >> 12 & 0xfff; }
    [[nodiscard]] constexpr std::uint32_t face() const { return bits >> 24; }
    [[nodiscard]] constexpr std::uint32_t to() const { return bits & 0xfff; }
    friend bool operator==(const Link&, const Link&) = default;
};

/// Links from the only component to the first one beyond each of these faces, a bit each.
struct FaceLinks {
    Link link[6];
    std::uint32_t count = 0;
};
[[nodiscard]] constexpr std::array<FaceLinks, 64> make_face_links() {
    std::array<FaceLinks, 64> out{};
    for (std::uint32_t faces = 0; faces < 64; ++faces) {
        for (std::uint32_t face = 0; face < 6; ++face) {
            if ((faces >> face & 1) != 0) out[faces].link[out[faces].count++] = Link::make(0, face, 0);
        }
    }
    return out;
}
inline constexpr std::array<FaceLinks, 64> kFaceLinks = make_face_links();

/// How many of `cells` lie before one of them.
[[nodiscard]] FAIRLEAD_INLINE std::uint32_t rank(std::uint64_t cells, std::uint32_t cell) {
    return count_bits(cells & ((std::uint64_t{1} << cell) - 1));
}
[[nodiscard]] FAIRLEAD_INLINE bool has(std::uint64_t cells, std::uint32_t cell) {
    return (cells >> cell & 1) != 0;
}
[[nodiscard]] constexpr std::size_t in_eights(std::size_t bytes) { return (bytes + 7) & ~std::size_t{7}; }

/// A part of a brick: its component.
struct PartOf {
    std::uint16_t voxel = 0;  ///< its brick and its lowest bit: brick x 64 + bit
    std::uint16_t component = 0;
};

/// Of one cell with several components.
struct CellTable {
    std::uint32_t parts = 0;  ///< where they begin among the chunk's; in order of voxels
    std::uint16_t part_count = 0;
    std::uint16_t components = 0;
    std::uint8_t component[64];  ///< by brick; kSeveral: see its parts. Of a full brick no matter
};
static_assert(sizeof(CellTable) == 72);

/// The tables of one chunk, and behind them the parts. A chunk none of whose cells has several components has none.
struct ChunkTables {
    Block block{};
    std::uint64_t several = 0;  ///< cells that have a table
    std::uint32_t parts = 0;
    std::uint32_t unused = 0;

    [[nodiscard]] static std::size_t bytes_for(std::size_t tables, std::size_t parts) {
        return in_eights(sizeof(ChunkTables) + tables * sizeof(CellTable) + parts * sizeof(PartOf));
    }
    [[nodiscard]] std::uint32_t tables() const { return count_bits(several); }
    [[nodiscard]] const CellTable* table() const { return reinterpret_cast<const CellTable*>(this + 1); }
    [[nodiscard]] CellTable* table() { return reinterpret_cast<CellTable*>(this + 1); }
    [[nodiscard]] const PartOf* part() const { return reinterpret_cast<const PartOf*>(table() + tables()); }
    [[nodiscard]] PartOf* part() { return reinterpret_cast<PartOf*>(table() + tables()); }
    /// Null: the cell has no table.
    [[nodiscard]] const CellTable* find(std::uint32_t cell) const {
        return has(several, cell) ? table() + rank(several, cell) : nullptr;
    }
};

/// Links and pieces of one chunk that holds something solid. A chunk without solid voxels is one piece. Behind it lie, in this order:
///     links of the cells that list them
///     if there are several pieces: for each mixed cell where its numbers begin; numbers, of 2 bytes or, for more than 2^16 pieces, 4
///     for each cell that lists links where they begin, and where they end
///     for each other mixed cell its faces
/// A number is the piece of an empty cell, in order, or, after all of those, of a component of a mixed cell.
struct ChunkLinks {
    Block block{};
    std::uint64_t empty = 0;  ///< cells, in bounds
    std::uint64_t mixed = 0;  ///< cells
    std::uint64_t listed =
        0;  ///< mixed cells whose links are listed: not all of them from and to the first component
    std::uint32_t links = 0;  ///< that are listed
    std::uint32_t pieces = 0;
    std::uint32_t numbers = 0;  ///< 0: there is one piece at most
    std::uint32_t unused = 0;

    [[nodiscard]] std::size_t number_size() const { return pieces > 0x10000 ? 4 : 2; }
    [[nodiscard]] std::size_t starts() const { return numbers == 0 ? 0 : count_bits(mixed); }
    [[nodiscard]] std::size_t face_count() const { return count_bits(mixed & ~listed); }
    [[nodiscard]] std::size_t firsts() const { return listed == 0 ? 0 : count_bits(listed) + 1; }
    /// With this head.
    [[nodiscard]] std::size_t bytes() const {
        return in_eights(sizeof(ChunkLinks) + links * sizeof(Link) + starts() * 4 + numbers * number_size() +
                         firsts() * 2 + face_count());
    }
    [[nodiscard]] const Link* link() const { return reinterpret_cast<const Link*>(this + 1); }
    [[nodiscard]] const std::uint32_t* start() const {
        return reinterpret_cast<const std::uint32_t*>(link() + links);
    }
    [[nodiscard]] const void* number() const { return start() + starts(); }
    [[nodiscard]] const std::uint16_t* first() const {
        const void* behind = static_cast<const std::uint8_t*>(number()) + numbers * number_size();
        return static_cast<const std::uint16_t*>(behind);
    }
    [[nodiscard]] const std::uint8_t* faces() const {
        const void* behind = first() + firsts();
        return static_cast<const std::uint8_t*>(behind);
    }

    /// Of a mixed cell.
    [[nodiscard]] std::span<const Link> links_of(std::uint32_t cell) const {
        if (has(listed, cell)) {
            const std::uint16_t* from = first() + rank(listed, cell);
            return {link() + from[0], static_cast<std::size_t>(from[1] - from[0])};
        }
        const FaceLinks& plain = kFaceLinks[faces()[rank(mixed & ~listed, cell)]];
        return {plain.link, plain.count};
    }
    /// Those of them through one face.
    [[nodiscard]] std::span<const Link> links_of(std::uint32_t cell, std::uint32_t face) const {
        const std::span<const Link> all = links_of(cell);
        std::size_t begin = 0;
        while (begin < all.size() && all[begin].face() < face) ++begin;
        std::size_t end = begin;
        while (end < all.size() && all[end].face() == face) ++end;
        return all.subspan(begin, end - begin);
    }
    /// Of a component of a mixed cell, or of an empty cell in bounds.
    [[nodiscard]] std::uint32_t piece(std::uint32_t cell, std::uint32_t component) const {
        if (numbers == 0) return 0;
        const std::uint32_t i = has(mixed, cell) ? start()[rank(mixed, cell)] + component : rank(empty, cell);
        return number_size() == 4 ? static_cast<const std::uint32_t*>(number())[i]
                                  : static_cast<const std::uint16_t*>(number())[i];
    }
};
static_assert(sizeof(ChunkLinks) % 8 == 0 && sizeof(ChunkTables) % 8 == 0);

/// Labels of all pieces: those of chunk c from first()[c] on.
struct Labels {
    Block block{};
    std::uint32_t chunks = 0;
    std::uint32_t pieces = 0;

    [[nodiscard]] static std::size_t bytes_for(std::size_t chunks, std::size_t pieces) {
        return in_eights(sizeof(Labels) + (chunks + pieces) * sizeof(std::uint32_t));
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

    /// Not below what there are; 0 of a full cell.
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

/// Of a mixed cell; one that the bounds cut may have no free voxel.
[[nodiscard]] std::uint32_t components_in(const StateData& state, std::uint32_t chunk, std::uint32_t cell);

/// Of a free voxel.
[[nodiscard]] std::uint32_t component_of(const StateData& state, Voxel v);
[[nodiscard]] std::uint32_t label_of(const StateData& state, Voxel v);

}  // namespace fairlead::volume
