// From cell to neighbouring cell outwards: a cell that is not of the layer gets the floor there that is a step away at most, of
// whatever layer or tile; where there is none, its neighbour's height.

#include "mesh_bake/height_window.h"

#include <algorithm>
#include <bit>

namespace fairlead::bake {

namespace {

constexpr std::int32_t kBeyond = HeightWindow::kRound;
constexpr std::int32_t kWindowSide = HeightWindow::kWide;
constexpr std::int32_t kBlockSide = HeightWindow::kSide;

/// A set of cells of the window: a bit for each column, a row of them each.
struct CellSet {
    std::uint32_t row[kWindowSide] = {};

    [[nodiscard]] bool has(std::int32_t x, std::int32_t y) const { return (row[y] >> x & 1U) != 0; }
    void add(std::int32_t x, std::int32_t y) { row[y] |= 1U << x; }
};

/// Columns and rows count from the window's low corner here.
struct Filler {
    const Settings& settings;
    const Floors& f;
    const Layers& layers;
    std::uint32_t layer;
    std::int32_t x0, y0;  ///< of the window
    HeightWindow& out;
    CellSet known{};
    CellSet tops{};  ///< of the layer, with no height over the middle

    static std::uint64_t bit(std::int32_t x, std::int32_t y) {
        const std::int32_t i = x - kBeyond, j = y - kBeyond;
        const bool inside = i >= 0 && j >= 0 && i < kBlockSide && j < kBlockSide;
        return inside ? std::uint64_t{1} << (j * kBlockSide + i) : 0;
    }
    [[nodiscard]] std::size_t column_of(std::int32_t x, std::int32_t y) const {
        return static_cast<std::size_t>(y0 + y - f.box.y0) * static_cast<std::size_t>(f.box.width()) +
               static_cast<std::size_t>(x0 + x - f.box.x0);
    }

    /// Cells of the layer. Those whose height over the middle is not known are left for later, unless that is so of all.
    void take_own() {
        const std::int32_t from = std::max(0, f.box.x0 - x0), to = std::min(kWindowSide, f.box.x1 - x0);
        bool any_known = false;
        for (std::int32_t y = std::max(0, f.box.y0 - y0);
             y < std::min(kWindowSide, f.box.y1 - y0) && from < to; ++y) {
            const std::uint32_t last = f.first[column_of(to, y)];
            for (std::uint32_t i = f.first[column_of(from, y)]; i < last; ++i) {
                if (!is_label(layers.label[i]) || layer_of(layers.label[i]) != layer) continue;
                const auto x = static_cast<std::int32_t>(f.cell[i] - column_of(0, y));
                out.z[y * kWindowSide + x] = fine_height(f, i);
                out.own |= bit(x, y);
                const bool told = f.drop[i] != kDropUnknown;
                (told ? known : tops).add(x, y);
                any_known = any_known || told;
            }
        }
        out.near = out.own;
        if (!any_known) std::swap(known, tops);
    }

    /// The floor of a column that is nearest in height to `z`, a step away at most; kNone: there is none.
    [[nodiscard]] std::uint32_t floor_beside(std::int32_t x, std::int32_t y, std::int64_t z) const {
        const std::int32_t cx = x0 + x, cy = y0 + y;
        if (cx < f.box.x0 || cy < f.box.y0 || cx >= f.box.x1 || cy >= f.box.y1) return kNone;
        const std::size_t column = column_of(x, y);
        std::int64_t least = (std::int64_t{settings.climb} + 1) * kFine;
        std::uint32_t found = kNone;
        for (std::uint32_t i = f.first[column]; i < f.first[column + 1]; ++i) {
            const std::int64_t off = fine_height(f, i) - z;
            if ((off < 0 ? -off : off) >= least) continue;
            least = off < 0 ? -off : off;
            found = i;
        }
        return found;
    }

    /// Whether the mesh may go on over it: a floor of another layer, or of another tile.
    [[nodiscard]] bool is_ground(std::uint32_t floor) const {
        return is_label(layers.label[floor]) || layers.label[floor] == kOutside;
    }

    /// From the neighbours that had heights before this round: a floor if one of them leads to one, else the first one's height.
    void reach(std::int32_t x, std::int32_t y) {
        std::int64_t& z = out.z[y * kWindowSide + x];
        const bool is_top = tops.has(x, y);
        bool first = true;
        out.near |= bit(x, y);
        for (int k = 0; k < 4; ++k) {
            const std::int32_t nx = x - kStepX[k], ny = y - kStepY[k];
            if (nx < 0 || ny < 0 || nx >= kWindowSide || ny >= kWindowSide || !known.has(nx, ny)) continue;
            const std::int64_t beside = out.z[ny * kWindowSide + nx];
            const std::uint32_t floor = floor_beside(x, y, beside);
            if (floor != kNone || (first && !is_top)) z = beside;
            first = false;
            if (floor == kNone) continue;
            if (f.drop[floor] != kDropUnknown) z = fine_height(f, floor);
            constexpr std::int64_t kLevel = kFine / 32;
            if (is_ground(floor) && bit(x, y) != 0) {
                out.ground = true;
                out.level = out.level && z - beside <= kLevel && beside - z <= kLevel;
            }
            return;
        }
    }

    /// One cell further.
    void spread() {
        constexpr std::uint32_t kAll = (1U << kWindowSide) - 1U;
        CellSet next;
        for (std::int32_t y = 0; y < kWindowSide; ++y) {
            const std::uint32_t below = y > 0 ? known.row[y - 1] : 0;
            const std::uint32_t above = y + 1 < kWindowSide ? known.row[y + 1] : 0;
            const std::uint32_t here = known.row[y];
            next.row[y] = (here << 1 | here >> 1 | below | above) & ~here & kAll;
            for (std::uint32_t left = next.row[y]; left != 0; left &= left - 1)
                reach(std::countr_zero(left), y);
        }
        for (std::int32_t y = 0; y < kWindowSide; ++y) known.row[y] |= next.row[y];
    }

    /// Cells of the block that are further off the layer: the height of the last one before them.
    void fill_rest() {
        std::int64_t last = 0;
        for (std::int32_t y = 0; y < kWindowSide; ++y) {
            if (known.row[y] == 0) continue;
            last = out.z[y * kWindowSide + std::countr_zero(known.row[y])];
            break;
        }
        for (std::int32_t y = kBeyond; y < kBeyond + kBlockSide; ++y) {
            for (std::int32_t x = kBeyond; x < kBeyond + kBlockSide; ++x) {
                std::int64_t& z = out.z[y * kWindowSide + x];
                if (known.has(x, y)) last = z;
                if (!known.has(x, y) && !tops.has(x, y)) z = last;
            }
        }
    }
};

}  // namespace

void HeightWindow::fill(const Settings& settings, const Floors& floors, const Layers& layers,
                        std::uint32_t layer, std::int32_t x0, std::int32_t y0) {
    own = 0;
    near = 0;
    ground = false;
    level = true;
    Filler filler{settings, floors, layers, layer, x0 - kBeyond, y0 - kBeyond, *this};
    filler.take_own();
    for (int round = 0; round < kRound; ++round) filler.spread();
    filler.fill_rest();
}

}  // namespace fairlead::bake
