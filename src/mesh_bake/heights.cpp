// Height fields, block by block in one pass over the floors: least squares for the plane, whole numbers for what it leaves.

#include "mesh_bake/heights.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "base/no_memory.h"
#include "mesh/data/height_block.h"

namespace fairlead::bake {

namespace {

constexpr std::int32_t kSide = kHeightBlock;
constexpr std::int32_t kCells = kSide * kSide;
constexpr double kSteps = 256.0;  ///< of a plane's numbers in a cell height

/// Cells of one layer in one block.
struct BlockCells {
    std::int32_t z[kCells];
    std::uint64_t there = 0;  ///< bit by cell
    std::uint32_t layer = 0;
    std::int32_t low = 0;
    std::int32_t high = 0;

    void add(std::uint32_t cell, std::int32_t height) {
        low = there == 0 ? height : std::min(low, height);
        high = there == 0 ? height : std::max(high, height);
        z[cell] = height;
        there |= std::uint64_t{1} << cell;
    }
};

struct Placed {
    std::uint32_t layer = 0;
    std::int32_t x = 0;  ///< block
    std::int32_t y = 0;
    HeightBlock block{};
};

struct Plane {
    double offset = 0.0;  ///< at the block's low corner, from `low`
    double slope_x = 0.0;
    double slope_y = 0.0;
};

// Least squares through the cells' middles.
Plane fit_plane(const BlockCells& c) {
    double n = 0.0, x = 0.0, y = 0.0, z = 0.0;
    double xx = 0.0, xy = 0.0, yy = 0.0, xz = 0.0, yz = 0.0;
    for (std::uint64_t left = c.there; left != 0; left &= left - 1) {
        const int cell = std::countr_zero(left);
        const double px = cell % kSide;
        const double py = cell / kSide;
        const double pz = c.z[cell] - c.low;
        n += 1.0;
        x += px;
        y += py;
        z += pz;
        xx += px * px;
        xy += px * py;
        yy += py * py;
        xz += px * pz;
        yz += py * pz;
    }
    // About the middle; all numbers are whole up to here.
    const double sxx = n * xx - x * x;
    const double sxy = n * xy - x * y;
    const double syy = n * yy - y * y;
    const double sxz = n * xz - x * z;
    const double syz = n * yz - y * z;
    const double det = sxx * syy - sxy * sxy;
    Plane plane;
    if (det > 0.0) {
        plane.slope_x = (sxz * syy - syz * sxy) / det;
        plane.slope_y = (syz * sxx - sxz * sxy) / det;
    } else if (sxx > 0.0) {
        plane.slope_x = sxz / sxx;
    } else if (syy > 0.0) {
        plane.slope_y = syz / syy;
    }
    plane.offset = (z - plane.slope_x * x - plane.slope_y * y) / n - 0.5 * (plane.slope_x + plane.slope_y);
    return plane;
}

// The plane in steps; false if its numbers are too large.
bool set_plane(const Plane& plane, HeightBlock& block) {
    const double values[3] = {plane.offset, plane.slope_x, plane.slope_y};
    std::int16_t* out[3] = {&block.offset, &block.slope_x, &block.slope_y};
    for (int k = 0; k < 3; ++k) {
        const double steps = std::floor(values[k] * kSteps + 0.5);
        if (!(steps >= -32000.0 && steps <= 32000.0)) return false;
        *out[k] = static_cast<std::int16_t>(steps);
    }
    return true;
}

struct HeightMaker {
    const CellBox& interior;
    const Floors& f;
    const Layers& layers;
    BakedMesh& out;
    Array<Placed> placed;
    Array<BlockCells> cells;  ///< of the block in hand, by layer
    std::uint64_t word_base = 0;

    [[nodiscard]] BlockCells* cells_of(std::uint32_t layer) {
        for (BlockCells& c : cells) {
            if (c.layer == layer) return &c;
        }
        if (!cells.resize_uninitialized(cells.size() + 1)) return nullptr;
        BlockCells& made = cells.back();
        made.there = 0;
        made.layer = layer;
        return &made;
    }

    [[nodiscard]] bool gather(std::int32_t x0, std::int32_t y0) {
        cells.clear();
        const std::int32_t x1 = std::min(x0 + kSide, interior.x1);
        const std::int32_t y1 = std::min(y0 + kSide, interior.y1);
        for (std::int32_t y = y0; y < y1; ++y) {
            const std::size_t row =
                static_cast<std::size_t>(y - f.box.y0) * static_cast<std::size_t>(f.box.width());
            const std::uint32_t last = f.first[row + static_cast<std::size_t>(x1 - f.box.x0)];
            for (std::uint32_t i = f.first[row + static_cast<std::size_t>(x0 - f.box.x0)]; i < last; ++i) {
                const std::uint32_t label = layers.label[i];
                if (!is_label(label)) continue;
                const std::uint32_t layer = layer_of(label);
                BlockCells* c = !cells.empty() && cells[0].layer == layer ? &cells[0] : cells_of(layer);
                if (c == nullptr) return false;
                const std::int32_t x = f.box.x0 + static_cast<std::int32_t>(f.cell[i] - row);
                c->add(static_cast<std::uint32_t>((y - y0) * kSide + (x - x0)), f.z[i]);
            }
        }
        return true;
    }

    // Whether the plane alone will do; it then is lowered from the cells' highest points to their middles.
    [[nodiscard]] static bool plane_fits(const BlockCells& c, HeightBlock& block) {
        for (std::uint64_t left = c.there; left != 0; left &= left - 1) {
            const int cell = std::countr_zero(left);
            const double x = cell % kSide + 0.5;
            const double y = cell / kSide + 0.5;
            const double z = (block.offset + block.slope_x * x + block.slope_y * y) / kSteps;
            const double off = z - (c.z[cell] - c.low);
            if (off > kHeightPlaneError || off < -kHeightPlaneError) return false;
        }
        const auto size = [](std::int16_t slope) { return slope < 0 ? -slope : slope; };
        constexpr int kLowerMost = 512;  // steeper is no ground but noise
        const int lower = std::min((size(block.slope_x) + size(block.slope_y)) / 2, kLowerMost);
        block.offset = static_cast<std::int16_t>(block.offset - lower);
        return true;
    }

    // What the block's plane leaves of the cells: the least, and how many bits the others need above it.
    [[nodiscard]] static std::uint8_t bits_left(const BlockCells& c, const HeightBlock& block,
                                                std::int32_t& least) {
        std::int32_t most = 0;
        bool first = true;
        for (std::uint64_t left = c.there; left != 0; left &= left - 1) {
            const auto cell = static_cast<std::uint32_t>(std::countr_zero(left));
            const std::int32_t rest = c.z[cell] - c.low - mesh::foretold(block, cell % kSide, cell / kSide);
            least = first ? rest : std::min(least, rest);
            most = first ? rest : std::max(most, rest);
            first = false;
        }
        const auto width = std::bit_width(static_cast<std::uint32_t>(most - least));
        return static_cast<std::uint8_t>(
            std::bit_ceil(static_cast<std::uint32_t>(std::max(1, static_cast<int>(width)))));
    }

    // Gives cells that are not of the layer the floor of one of the nearest that are, from neighbour to neighbour: borders
    // may be straightened over them.
    static void spread(std::uint64_t known, std::int32_t (&z)[kCells]) {
        constexpr std::uint64_t kFirstColumn = 0x0101010101010101ULL;
        const auto take = [&z](std::uint64_t fresh, int from) {
            for (; fresh != 0; fresh &= fresh - 1) {
                const int cell = std::countr_zero(fresh);
                z[cell] = z[cell + from];
            }
        };
        while (known != ~std::uint64_t{0}) {
            const std::uint64_t before = known;
            const std::pair<std::uint64_t, int> steps[] = {{before << 1 & ~kFirstColumn, -1},
                                                           {before >> 1 & ~(kFirstColumn << 7), 1},
                                                           {before << 8, -8},
                                                           {before >> 8, 8}};
            for (const auto& [reached, from] : steps) {
                take(reached & ~known, from);
                known |= reached;
            }
        }
    }

    // Numbers for all cells.
    [[nodiscard]] bool write_numbers(const BlockCells& c, HeightBlock& block) {
        const std::size_t first = out.height_words.size();
        const std::size_t count = std::size_t{block.bits} * kCells / 32;
        if (!out.height_words.resize(first + count)) return false;
        block.first = static_cast<std::uint32_t>(first - word_base);
        std::int32_t z[kCells] = {};
        for (std::uint64_t left = c.there; left != 0; left &= left - 1) {
            const int cell = std::countr_zero(left);
            z[cell] = c.z[cell];
        }
        spread(c.there, z);
        for (std::uint32_t cell = 0; cell < kCells; ++cell) {
            const std::int64_t rest =
                std::int64_t{z[cell]} - block.base - mesh::foretold(block, cell % kSide, cell / kSide);
            const std::int64_t most = (std::int64_t{1} << block.bits) - 1;
            const auto number = static_cast<std::uint32_t>(std::clamp<std::int64_t>(rest, 0, most));
            const std::uint32_t bit = cell * block.bits;
            out.height_words[first + bit / 32] |= number << (bit % 32);
        }
        return true;
    }

    [[nodiscard]] bool make_block(const BlockCells& c, HeightBlock& block) {
        block = {};
        block.empty = 0;
        block.base = c.low;
        if (c.low == c.high) return true;
        const bool tilted = set_plane(fit_plane(c), block);
        if (tilted && plane_fits(c, block)) return true;
        HeightBlock level;
        level.empty = 0;
        std::int32_t least = 0;
        level.bits = bits_left(c, level, least);
        level.base = c.low + least;
        if (tilted) {
            block.bits = bits_left(c, block, least);
            block.base = c.low + least;
        }
        if (!tilted || level.bits <= block.bits) block = level;
        return write_numbers(c, block);
    }

    // Blocks of a layer by row, without gaps inside a row.
    [[nodiscard]] bool arrange(BakedTile& tile) {
        const auto before = [](const Placed& a, const Placed& b) {
            if (a.layer != b.layer) return a.layer < b.layer;
            return a.y != b.y ? a.y < b.y : a.x < b.x;
        };
        std::sort(placed.begin(), placed.end(), before);  // total order: a layer has one block at a place
        const std::size_t layer_base = out.height_layers.size();
        const std::size_t row_base = out.height_rows.size();
        const std::size_t block_base = out.height_blocks.size();
        if (!out.height_layers.resize(layer_base + layers.count)) return false;
        for (std::size_t i = 0; i < placed.size();) {
            const Placed& first = placed[i];
            HeightLayer& layer = out.height_layers[layer_base + first.layer];
            if (layer.count == 0) {
                layer.y = first.y;
                layer.first = static_cast<std::uint32_t>(out.height_rows.size() - row_base);
            }
            while (layer.y + static_cast<std::int32_t>(layer.count) < first.y) {  // a row without blocks
                if (!out.height_rows.push_back({})) return false;
                ++layer.count;
            }
            HeightRow row{first.x, 0, static_cast<std::uint32_t>(out.height_blocks.size() - block_base)};
            for (; i < placed.size() && placed[i].layer == first.layer && placed[i].y == first.y; ++i) {
                while (row.x + static_cast<std::int32_t>(row.count) <= placed[i].x) {
                    const bool gap = row.x + static_cast<std::int32_t>(row.count) < placed[i].x;
                    if (!out.height_blocks.push_back(gap ? HeightBlock{} : placed[i].block)) return false;
                    ++row.count;
                }
            }
            ++layer.count;
            if (!out.height_rows.push_back(row)) return false;
        }
        tile.first_height_layer = layer_base;
        tile.first_height_row = row_base;
        tile.first_height_block = block_base;
        tile.first_height_word = word_base;
        tile.height_rows = static_cast<std::uint32_t>(out.height_rows.size() - row_base);
        tile.height_blocks = static_cast<std::uint32_t>(out.height_blocks.size() - block_base);
        tile.height_words = static_cast<std::uint32_t>(out.height_words.size() - word_base);
        return true;
    }

    Result<void> run(BakedTile& tile) {
        word_base = out.height_words.size();
        for (std::int32_t y = interior.y0; y < interior.y1; y += kSide) {
            for (std::int32_t x = interior.x0; x < interior.x1; x += kSide) {
                if (!gather(x, y)) return kNoMemory;
                for (const BlockCells& c : cells) {
                    Placed p{c.layer, (x - interior.x0) / kSide, (y - interior.y0) / kSide, {}};
                    if (!make_block(c, p.block) || !placed.push_back(p)) return kNoMemory;
                }
            }
        }
        if (out.height_words.size() - word_base > 0xffffffffU)
            return Error{ErrorCode::size_limit, Field::cell_size, 0xffffffff};
        return arrange(tile) ? Result<void>{} : kNoMemory;
    }
};

}  // namespace

Result<void> make_heights(const Settings& settings, const CellBox& interior, const Floors& floors,
                          const Layers& layers, BakedTile& tile, BakedMesh& out) {
    const Allocator& a = settings.allocator;
    HeightMaker maker{interior, floors, layers, out, Array<Placed>(a), Array<BlockCells>(a)};
    return maker.run(tile);
}

}  // namespace fairlead::bake
