// Height fields, block by block in one pass over the floors: least squares for the plane, whole numbers for what it leaves.

#include "mesh_bake/heights.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "base/no_memory.h"
#include "mesh/data/height_block.h"
#include "mesh_bake/height_window.h"

namespace fairlead::bake {

namespace {

constexpr std::int32_t kSide = kHeightBlock;
constexpr std::int32_t kCells = kSide * kSide;
constexpr double kSteps = 256.0;  ///< of a plane's numbers in a cell height

constexpr std::uint64_t kAll = ~std::uint64_t{0};

/// The cells of one layer in one block. Heights are from `base`, in parts of a cell height.
struct BlockCells {
    std::uint32_t layer = 0;
    std::uint64_t there = 0;  ///< bit by cell: of the layer
    std::uint64_t told = 0;   ///< and with a height over the middle
    std::uint64_t fit = 0;    ///< those that the block has to be right for
    std::int64_t z[kCells];   ///< of those in `fit`, or of all
    std::int32_t base = 0;    ///< cell heights

    /// Heights from the lowest of `fit`.
    void set_base() {
        std::int64_t low = INT64_MAX;
        for (std::uint64_t left = fit; left != 0; left &= left - 1)
            low = std::min(low, z[std::countr_zero(left)]);
        base = static_cast<std::int32_t>(low >> 8);
        for (std::int64_t& height : z) height -= std::int64_t{base} * kFine;
    }
};
static_assert(kFine == 256);

struct Placed {
    std::uint32_t layer = 0;
    std::int32_t x = 0;  ///< block
    std::int32_t y = 0;
    HeightBlock block{};
};

struct Plane {
    double offset = 0.0;  ///< at the block's low corner, from `base`
    double slope_x = 0.0;
    double slope_y = 0.0;
};

// Least squares through the heights over the cells' middles.
Plane fit_plane(const BlockCells& c) {
    double n = 0.0, x = 0.0, y = 0.0, z = 0.0;
    double xx = 0.0, xy = 0.0, yy = 0.0, xz = 0.0, yz = 0.0;
    for (std::uint64_t left = c.fit; left != 0; left &= left - 1) {
        const int cell = std::countr_zero(left);
        const double px = cell % kSide;
        const double py = cell / kSide;
        const double pz = static_cast<double>(c.z[cell]) / kSteps;
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
    // About the middle; all numbers are exact up to here.
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
    const Settings& settings;
    const CellBox& interior;
    const Floors& f;
    const Layers& layers;
    BakedMesh& out;
    Array<Placed> placed;
    Array<BlockCells> cells;  ///< of the block in hand, by layer
    std::uint64_t word_base = 0;
    HeightWindow window{};

    [[nodiscard]] BlockCells* cells_of(std::uint32_t layer) {
        for (BlockCells& c : cells) {
            if (c.layer == layer) return &c;
        }
        if (!cells.resize_uninitialized(cells.size() + 1)) return nullptr;
        BlockCells& made = cells.back();
        made.there = made.told = 0;
        made.layer = layer;
        return &made;
    }

    // Whether a block has floors that the mesh may have polygons on.
    [[nodiscard]] bool has_more(std::int32_t x0, std::int32_t y0) const {
        const std::int32_t from = std::max(x0, f.box.x0), to = std::min(x0 + kSide, f.box.x1);
        for (std::int32_t y = std::max(y0, f.box.y0); y < std::min(y0 + kSide, f.box.y1) && from < to; ++y) {
            const std::size_t row =
                static_cast<std::size_t>(y - f.box.y0) * static_cast<std::size_t>(f.box.width());
            const std::uint32_t last = f.first[row + static_cast<std::size_t>(to - f.box.x0)];
            for (std::uint32_t i = f.first[row + static_cast<std::size_t>(from - f.box.x0)]; i < last; ++i) {
                if (is_label(layers.label[i]) || layers.label[i] == kOutside) return true;
            }
        }
        return false;
    }

    // The layers in the block and in the cells round it.
    [[nodiscard]] bool gather(std::int32_t x0, std::int32_t y0) {
        cells.clear();
        const std::int32_t from = std::max(x0 - 1, interior.x0), to = std::min(x0 + kSide + 1, interior.x1);
        const std::int32_t y1 = std::min(y0 + kSide + 1, interior.y1);
        if (from >= to) return true;
        for (std::int32_t y = std::max(y0 - 1, interior.y0); y < y1; ++y) {
            const std::size_t row =
                static_cast<std::size_t>(y - f.box.y0) * static_cast<std::size_t>(f.box.width());
            const std::uint32_t last = f.first[row + static_cast<std::size_t>(to - f.box.x0)];
            for (std::uint32_t i = f.first[row + static_cast<std::size_t>(from - f.box.x0)]; i < last; ++i) {
                const std::uint32_t label = layers.label[i];
                if (!is_label(label)) continue;
                const std::uint32_t layer = layer_of(label);
                BlockCells* c = !cells.empty() && cells[0].layer == layer ? &cells[0] : cells_of(layer);
                if (c == nullptr) return false;
                const std::int32_t x = f.box.x0 + static_cast<std::int32_t>(f.cell[i] - row) - x0;
                if (x < 0 || x >= kSide || y < y0 || y >= y0 + kSide) continue;
                const std::int32_t cell = (y - y0) * kSide + x;
                c->z[cell] = fine_height(f, i);
                c->there |= std::uint64_t{1} << cell;
                if (f.drop[i] != kDropUnknown) c->told |= std::uint64_t{1} << cell;
            }
        }
        return true;
    }

    // Heights for the cells of the block that are not of the layer: borders may be straightened over them, and the ground goes on in
    // them over the seam to another layer or tile. False: there is nothing in the block.
    [[nodiscard]] bool round_out(BlockCells& c, std::int32_t x0, std::int32_t y0) {
        c.fit = kAll;
        if (c.told == kAll) return true;
        if (c.there == 0 && !has_more(x0, y0)) return false;
        window.fill(settings, f, layers, c.layer, x0, y0);
        c.fit = window.near;
        if (window.own == 0 && (!window.ground || window.level)) return false;  // the look-up goes on level
        for (std::int32_t cell = 0; cell < kCells; ++cell)
            c.z[cell] = window.z[HeightWindow::cell(cell % kSide, cell / kSide)];
        return true;
    }

    // Whether the plane alone will do.
    [[nodiscard]] static bool plane_fits(const BlockCells& c, const HeightBlock& block) {
        for (std::uint64_t left = c.fit; left != 0; left &= left - 1) {
            const int cell = std::countr_zero(left);
            const double x = cell % kSide + 0.5;
            const double y = cell / kSide + 0.5;
            const double off =
                (block.offset + block.slope_x * x + block.slope_y * y - static_cast<double>(c.z[cell])) /
                kSteps;
            if (off > kHeightPlaneError || off < -kHeightPlaneError) return false;
        }
        return true;
    }

    // In units of the block's numbers, to the nearest.
    static std::int64_t in_units(std::int64_t fine, std::uint8_t fraction) {
        const int shift = kHeightDigitsMax - fraction;
        return shift == 0 ? fine : (fine + (std::int64_t{1} << (shift - 1))) >> shift;
    }

    // What the block's plane leaves of a cell.
    static std::int64_t rest_of(const BlockCells& c, const HeightBlock& block, std::uint32_t cell) {
        return in_units(c.z[cell], block.fraction) - mesh::foretold(block, cell % kSide, cell / kSide);
    }

    struct Rests {
        std::int64_t least = INT64_MAX;
        std::int64_t most = INT64_MIN;

        [[nodiscard]] int width() const {
            return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(most - least)));
        }
    };
    [[nodiscard]] static Rests rests(const BlockCells& c, const HeightBlock& block) {
        Rests out;
        for (std::uint64_t left = c.fit; left != 0; left &= left - 1) {
            const std::int64_t rest = rest_of(c, block, static_cast<std::uint32_t>(std::countr_zero(left)));
            out.least = std::min(out.least, rest);
            out.most = std::max(out.most, rest);
        }
        return out;
    }

    // As few bits as kHeightDigits allow, then as many digits as these bits have room for. Without digits, if that is too much.
    static void choose_bits(const BlockCells& c, HeightBlock& block, Rests& left) {
        constexpr std::uint8_t kDigits = 5;  // a 64th of a cell height
        constexpr int kBitsMost = 16;
        block.fraction = kDigits;
        left = rests(c, block);
        if (left.width() > kBitsMost) {
            block.fraction = 0;
            left = rests(c, block);
        }
        block.bits =
            static_cast<std::uint8_t>(std::bit_ceil(static_cast<std::uint32_t>(std::max(1, left.width()))));
        while (block.fraction >= kDigits && block.fraction < kHeightDigitsMax) {
            HeightBlock finer = block;
            ++finer.fraction;
            const Rests more = rests(c, finer);
            if (more.width() > block.bits) break;
            block = finer;
            left = more;
        }
    }

    // Numbers for all cells.
    [[nodiscard]] bool write_numbers(const BlockCells& c, HeightBlock& block) {
        const std::size_t first = out.height_words.size();
        const std::size_t count = std::size_t{block.bits} * kCells / 32;
        if (!out.height_words.resize(first + count)) return false;
        block.first = static_cast<std::uint32_t>(first - word_base);
        const std::int64_t below = (std::int64_t{block.base} - c.base) << block.fraction;
        for (std::uint32_t cell = 0; cell < kCells; ++cell) {
            const std::int64_t rest = rest_of(c, block, cell) - below;
            const std::int64_t most = (std::int64_t{1} << block.bits) - 1;
            const auto number = static_cast<std::uint32_t>(std::clamp<std::int64_t>(rest, 0, most));
            const std::uint32_t bit = cell * block.bits;
            out.height_words[first + bit / 32] |= number << (bit % 32);
        }
        return true;
    }

    // Raises the block's plane by `units`: whole cell heights by its base, what is left by its offset, which is exact.
    static void lift(HeightBlock& block, std::int64_t units) {
        const std::int64_t whole = units >> block.fraction;
        const std::int64_t rest = (units - (whole << block.fraction)) << (kHeightDigitsMax - block.fraction);
        block.base = static_cast<std::int32_t>(block.base + whole);
        block.offset = static_cast<std::int16_t>(block.offset + rest);
    }

    [[nodiscard]] bool make_block(BlockCells& c, HeightBlock& block) {
        c.set_base();
        block = {};
        block.fraction = 0;
        block.base = c.base;
        const bool tilted = set_plane(fit_plane(c), block);
        if (tilted && plane_fits(c, block)) return true;
        HeightBlock level;
        level.base = c.base;
        Rests level_left, left;
        choose_bits(c, level, level_left);
        if (tilted) choose_bits(c, block, left);
        if (!tilted || level.bits <= block.bits) {
            block = level;
            left = level_left;
        }
        lift(block, left.least);
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
        // And the blocks round the tile, where the ground goes on.
        for (std::int32_t y = interior.y0 - kSide; y < interior.y1 + 1; y += kSide) {
            for (std::int32_t x = interior.x0 - kSide; x < interior.x1 + 1; x += kSide) {
                if (!gather(x, y)) return kNoMemory;
                for (BlockCells& c : cells) {
                    if (!round_out(c, x, y)) continue;
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
    HeightMaker maker{settings, interior, floors, layers, out, Array<Placed>(a), Array<BlockCells>(a)};
    return maker.run(tile);
}

}  // namespace fairlead::bake
