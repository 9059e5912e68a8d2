#include "grid/half_lattice.h"

#include <algorithm>

#include "grid/dilate.h"

namespace fairlead::grid {

namespace {

constexpr std::uint32_t kNoPage = UINT32_MAX;

// Half cells from the point (odd: in the middle of its cell) to the tile k cells on; from the door that begins there: to its far end.
std::int64_t half_gap(std::int64_t k, bool odd, bool door) {
    const std::int64_t at = odd ? 1 : 0;
    const std::int64_t ahead = 2 * k - at;
    const std::int64_t behind = at + (door ? 1 : 0) - 2 * k - 2;
    return std::max<std::int64_t>(0, std::max(ahead, behind));
}

// Tiles low..high that are less than `left`, squared, away. False: none.
bool columns_near(std::int64_t left, bool odd, bool door, std::int32_t most, std::int32_t& low,
                  std::int32_t& high) {
    if (left <= 0) return false;
    const auto near = [&](std::int64_t k) { return half_gap(k, odd, door) * half_gap(k, odd, door) < left; };
    // Both are within one of half of the root.
    const auto half = static_cast<std::int64_t>(std::sqrt(static_cast<double>(left)) / 2.0);
    std::int64_t up = std::min<std::int64_t>(half + 2, most);
    while (up > 0 && !near(up)) --up;
    std::int64_t down = -std::min<std::int64_t>(half + 3, most);
    while (down < 0 && !near(down)) ++down;
    if (!near(up) || !near(down)) return false;  // the point's own cell: nothing is nearer
    low = static_cast<std::int32_t>(down);
    high = static_cast<std::int32_t>(up);
    return true;
}

}  // namespace

std::uint64_t spread_bits(std::uint64_t x) {
    x &= 0xffffffffULL;
    x = (x | (x << 16)) & 0x0000ffff0000ffffULL;
    x = (x | (x << 8)) & 0x00ff00ff00ff00ffULL;
    x = (x | (x << 4)) & 0x0f0f0f0f0f0f0f0fULL;
    x = (x | (x << 2)) & 0x3333333333333333ULL;
    return (x | (x << 1)) & 0x5555555555555555ULL;
}

std::uint64_t even_bits(std::uint64_t x) {
    x &= 0x5555555555555555ULL;
    x = (x | (x >> 1)) & 0x3333333333333333ULL;
    x = (x | (x >> 2)) & 0x0f0f0f0f0f0f0f0fULL;
    x = (x | (x >> 4)) & 0x00ff00ff00ff00ffULL;
    x = (x | (x >> 8)) & 0x0000ffff0000ffffULL;
    return (x | (x >> 16)) & 0x00000000ffffffffULL;
}

bool half_disc_rows(std::int64_t key, bool odd_i, bool odd_j, std::int32_t most_x, std::int32_t most_y,
                    std::int32_t door, Array<BodyRow>& rows) {
    rows.clear();
    std::int32_t low = 0;
    std::int32_t high = 0;
    if (!columns_near(key, odd_j, door == 2, most_y, low, high)) return true;
    for (std::int32_t dy = low; dy <= high; ++dy) {
        const std::int64_t gap = half_gap(dy, odd_j, door == 2);
        BodyRow row{dy, 0, 0};
        if (!columns_near(key - gap * gap, odd_i, door == 1, most_x, row.low, row.high)) continue;
        if (!rows.push_back(row)) return false;
    }
    return true;
}

HalfWalls::HalfWalls(const SightWorld& world) : state_(world.state), layer_(world.layer) {
    const StateData& state = *world.state;
    bool closes = world.costs != nullptr && world.costs[1] == 0;
    for (std::int32_t kind = 2; kind < 256 && world.costs != nullptr && state.rough_cells > 0; ++kind) {
        closes = closes || world.costs[kind] == 0;
    }
    costs_ = closes ? world.costs : nullptr;
    const Body& walls = state.bodies[0];
    rows_ = {state.row_lines(walls, layer_), state.rows, state.wrap_y, state.wrap_x};
    columns_ = {state.col_lines(walls, layer_), state.cols, state.wrap_x, state.wrap_y};
}

std::uint64_t HalfWalls::along_row(std::int32_t x, std::int32_t y) const {
    const std::uint64_t bits = rows_.blocked(x, y);
    return costs_ == nullptr || bits == ~0ULL ? bits : bits | closed(x, y, false, bits);
}

std::uint64_t HalfWalls::along_column(std::int32_t x, std::int32_t y) const {
    const std::uint64_t bits = columns_.blocked(y, x);
    return costs_ == nullptr || bits == ~0ULL ? bits : bits | closed(x, y, true, bits);
}

std::uint64_t HalfWalls::closed(std::int32_t x, std::int32_t y, bool column, std::uint64_t known) const {
    std::uint64_t bits = 0;
    for (std::int32_t n = 0; n < 64; ++n) {
        if (((known >> n) & 1U) != 0) continue;  // a wall, or past the edge of the map
        const std::int32_t cx = wrapped(column ? x : x + n, state_->width);
        const std::int32_t cy = wrapped(column ? y + n : y, state_->height);
        const std::uint8_t* row = state_->tile_row(cy, layer_);
        if (costs_[row == nullptr ? 1 : row[cx]] == 0) bits |= 1ULL << n;
    }
    return bits;
}

bool HalfPlanes::make_rows(std::int32_t kind) {
    const StateData& state = walls_.state();
    // Around a wrapped axis the disc meets itself: one lap to either side is enough. Past the edge all is blocked.
    const std::int32_t most_x = (turned_ ? state.height : state.width) + 1;
    const std::int32_t most_y = (turned_ ? state.width : state.height) + 1;
    return half_disc_rows(disc_.key, (kind & 1) != 0, (kind & 2) != 0, most_x, most_y, 0, rows_[kind]);
}

void HalfPlanes::set_layer(std::int32_t layer) {
    if (layer == world_.layer) return;
    world_.layer = layer;
    walls_ = HalfWalls(world_);
    table_at_ = squares_ * static_cast<std::size_t>(layer);
}

bool HalfPlanes::begin(const SightWorld& world, const HalfDisc& disc, bool turned) {
    world_ = world;
    walls_ = HalfWalls(world);
    disc_ = disc;
    turned_ = turned;
    out_of_memory_ = false;
    words_ = 0;
    const StateData& state = *world.state;
    wrap_x_ = turned ? state.wrap_y : state.wrap_x;
    wrap_y_ = turned ? state.wrap_x : state.wrap_y;
    size_i_ = 2 * (turned ? state.height : state.width);
    size_j_ = 2 * (turned ? state.width : state.height);
    across_ = (size_i_ >> kPageShift) + 1;
    const std::int32_t down = size_j_ / kPageLines + 1;
    kept_ = walls_.closes_terrain() ? nullptr : state.find_half(disc.square);
    pages_.clear();
    squares_ = static_cast<std::size_t>(across_) * static_cast<std::size_t>(down);
    table_at_ = squares_ * static_cast<std::size_t>(world.layer);
    bool good = table_.resize_uninitialized(squares_ * static_cast<std::size_t>(state.layers));
    for (std::int32_t kind = 0; kind < 4 && good; ++kind) good = make_rows(kind);
    if (good) std::fill(table_.begin(), table_.end(), kNoPage);
    out_of_memory_ = !good;
    return good;
}

HalfWords HalfPlanes::kept_words(std::int32_t plane, std::int32_t i, std::int32_t j) const {
    const StateData& state = walls_.state();
    const Lines lines =
        turned_ ? state.half_col_lines(*kept_, world_.layer) : state.half_row_lines(*kept_, world_.layer);
    const std::uint64_t* words = lines.line(j) + plane * lines.plane_stride + (i >> kPageShift) * 2;
    return {words[0], words[1]};  // past the end the guard's word
}

HalfWords HalfPlanes::kept_stops(std::int32_t i, std::int32_t j) const {
    return kept_ == nullptr || kept_->planes != kGapPlanes ? HalfWords{} : kept_words(kStopPlane, i, j);
}

void HalfPlanes::compute(Page& page, std::int32_t i, std::int32_t j) {
    std::uint64_t* points = page.points[j % kPageLines];
    page.known |= 1ULL << (j % kPageLines);
    if (kept_ != nullptr) {
        const HalfWords words = kept_words(kFreePlane, i, j);
        points[0] = words.low;
        points[1] = words.high;
        return;
    }
    const auto blocked = [&](std::int32_t x, std::int32_t y) { return walls_along(x, y); };
    const std::int32_t x = (i >> kPageShift) << (kPageShift - 1);
    const std::int32_t kind = (j & 1) * 2;
    const std::uint64_t whole = ~dilate(blocked, rows_[kind], j >> 1, x);
    const std::uint64_t middle = ~dilate(blocked, rows_[kind + 1], j >> 1, x);
    points[0] = spread_bits(whole) | (spread_bits(middle) << 1);
    points[1] = spread_bits(whole >> 32) | (spread_bits(middle >> 32) << 1);
    words_ += 2;
}

HalfWords HalfPlanes::words(std::int32_t i, std::int32_t j) {
    if (i < 0 || j < 0 || i > size_i_ || j > size_j_) return {};
    const Page* page = page_with(i, j);
    if (page == nullptr) return {};
    const std::uint64_t* points = page->points[j % kPageLines];
    return {points[0], points[1]};
}

const HalfPlanes::Page* HalfPlanes::page_with(std::int32_t i, std::int32_t j) {
    const std::size_t at = square_at(i, j);
    if (table_[at] == kNoPage) {
        const std::size_t n = pages_.size();
        if (!pages_.resize_uninitialized(n + 1)) {
            out_of_memory_ = true;
            return nullptr;
        }
        table_[at] = static_cast<std::uint32_t>(n);
        pages_[n].known = 0;
    }
    Page& page = pages_[table_[at]];
    if (((page.known >> (j % kPageLines)) & 1U) == 0) compute(page, i, j);
    return &page;
}

bool HalfPlanes::fits(std::int32_t i, std::int32_t j) {
    if (wrap_x_) i = wrapped(i, size_i_);
    if (wrap_y_) j = wrapped(j, size_j_);
    if (i < 0 || j < 0 || i > size_i_ || j > size_j_) return false;
    const Page* page = page_with(i, j);
    if (page == nullptr) return false;
    const std::int32_t at = i & ((1 << kPageShift) - 1);
    return ((page->points[j % kPageLines][at >> 6] >> (at & 63)) & 1U) != 0;
}

std::uint64_t HalfPlanes::window(std::int32_t i, std::int32_t j) {
    if (j < 0 || j > size_j_ || i > size_i_ || i <= -64) return 0;
    if (i < 0) return window(0, j) << -i;
    const Page* page = page_with(i, j);
    if (page == nullptr) return 0;
    const std::int32_t at = i & ((1 << kPageShift) - 1);
    const std::int32_t line = j % kPageLines;
    const std::uint64_t low = page->points[line][at >> 6] >> (at & 63);
    if ((at & 63) == 0) return low;
    std::uint64_t next = at < 64 ? page->points[line][1] : 0;
    const std::int32_t beyond = (i | ((1 << kPageShift) - 1)) + 1;
    if (at >= 64 && beyond <= size_i_) {
        page = page_with(beyond, j);
        if (page == nullptr) return 0;
        next = page->points[line][0];
    }
    return low | (next << (64 - (at & 63)));
}

std::uint32_t HalfPlanes::around(HalfPoint p) {
    constexpr std::int32_t kLast = (1 << kPageShift) - 1;
    std::uint32_t bits = 0;
    const std::int32_t at = (p.i - 1) & kLast;
    // Within one page, off the seams, a line's three points are in one or two words.
    const bool inside = p.i > 0 && p.i < size_i_ && p.j > 0 && p.j < size_j_ && at <= kLast - 2;
    for (std::int32_t dj = -1; dj <= 1; ++dj) {
        std::uint32_t three = 0;
        if (inside) {
            const Page* page = page_with(p.i, p.j + dj);
            if (page == nullptr) return 0;
            const std::uint64_t* line = page->points[(p.j + dj) % kPageLines];
            const std::int32_t bit = at & 63;
            std::uint64_t word = line[at >> 6] >> bit;
            if (bit > 61) word |= line[1] << (64 - bit);
            three = static_cast<std::uint32_t>(word & 7U);
        } else {
            for (std::int32_t di = -1; di <= 1; ++di) {
                if (fits(p.i + di, p.j + dj)) three |= 1U << (di + 1);
            }
        }
        bits |= three << (3 * (dj + 1));
    }
    return bits;
}

}  // namespace fairlead::grid
