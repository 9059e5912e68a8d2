// Planes of a map, made 64 rows at a time; a block of 64 x 64 cells in which nothing differs keeps its columns.
#include "drive/ground/ground_plane.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "drive/map/map_data.h"

namespace fairlead::drive {

namespace {

constexpr std::int32_t kBand = 64;

// Bit j of word i becomes bit i of word j (Warren, Hacker's Delight, 7-3).
void transpose(std::uint64_t (&a)[kBand]) {
    std::uint64_t mask = 0x00000000ffffffffULL;
    for (std::uint32_t j = 32; j != 0; j >>= 1, mask ^= mask << j) {
        for (std::uint32_t k = 0; k < kBand; k = (k + j + 1) & ~j) {
            const std::uint64_t t = ((a[k] >> j) ^ a[k + j]) & mask;
            a[k] ^= t << j;
            a[k + j] ^= t;
        }
    }
}

}  // namespace

GroundBits GroundPlanes::rows(std::int32_t plane) const {
    return {words_.data() + at(plane) + row_stride() + 1, row_stride(), width_, height_};
}

GroundBits GroundPlanes::columns(std::int32_t plane) const {
    return {words_.data() + at(plane) + row_words() + column_stride() + 1, column_stride(), height_, width_};
}

void GroundPlanes::clear() {
    words_.clear();
    cores_ = 0;
}

bool GroundPlanes::copy_from(const GroundPlanes& other) {
    width_ = other.width_;
    height_ = other.height_;
    cores_ = other.cores_;
    std::copy(std::begin(other.core_), std::end(other.core_), std::begin(core_));
    return words_.assign(other.words_.span());
}

// The first cores that hold a good part of the poses. True: other ones than before, or another size.
bool GroundPlanes::choose_cores(const MapData& map) {
    constexpr std::uint64_t kShare = 32;
    std::int32_t chosen[kMost] = {};
    std::int32_t count = 0;
    std::uint64_t all = 0;
    for (std::int32_t core = 0; core < map.cores(); ++core) all += map.core_size(core);
    for (std::int32_t core = 0; core < map.cores() && count < kMost; ++core) {
        if (map.core_size(core) * kShare >= all) chosen[count++] = core;
    }
    const bool same = width_ == map.edges().width() && height_ == map.edges().height() && count == cores_ &&
                      std::equal(chosen, chosen + count, core_);
    width_ = map.edges().width();
    height_ = map.edges().height();
    cores_ = count;
    std::copy(chosen, chosen + count, core_);
    return !same;
}

bool GroundPlanes::update(const MapData& map) {
    const bool fresh = choose_cores(map) || words_.empty();
    if (fresh) words_.clear();
    const bool room = !fresh || words_.resize(at(cores_ + 1));
    if (!room) {
        clear();
        return false;
    }
    for (std::int32_t plane = 0; plane <= cores_; ++plane) fill(plane, map);
    return true;
}

// Plane 0 is that of the free cells. Its rows only tell what has changed since the columns were made.
void GroundPlanes::fill(std::int32_t plane, const MapData& map) {
    const std::int32_t across = (width_ + 63) / 64;
    const GroundBits free = map.free_cells();
    std::uint64_t* const out = words_.data() + at(plane) + row_stride() + 1;
    for (std::int32_t low = 0; low < height_; low += kBand) {
        const std::int32_t top = std::min(low + kBand, height_);
        for (std::int32_t w = 0; w < across; ++w) {
            std::uint64_t differ = 0;
            for (std::int32_t y = low; y < top; ++y) {
                const auto row = static_cast<std::ptrdiff_t>(y);
                std::uint64_t cells = free.words[row * static_cast<std::ptrdiff_t>(free.stride) + w];
                if (plane > 0) cells &= map.core_cells(core_[plane - 1], w, y);
                std::uint64_t& word = out[row * static_cast<std::ptrdiff_t>(row_stride()) + w];
                differ |= word ^ cells;
                word = cells;
            }
            if (differ != 0) turn_block(plane, rows(plane), w, low);
        }
    }
}

void GroundPlanes::turn_block(std::int32_t plane, const GroundBits& from, std::int32_t word,
                              std::int32_t low) {
    std::uint64_t block[kBand] = {};
    const std::int32_t top = std::min(low + kBand, height_);
    for (std::int32_t y = low; y < top; ++y)
        block[y - low] =
            from.words[static_cast<std::ptrdiff_t>(y) * static_cast<std::ptrdiff_t>(from.stride) + word];
    transpose(block);
    std::uint64_t* const out = words_.data() + at(plane) + row_words() + column_stride() + 1;
    const std::int32_t right = std::min(word * 64 + 64, width_);
    for (std::int32_t x = word * 64; x < right; ++x)
        out[static_cast<std::ptrdiff_t>(x) * static_cast<std::ptrdiff_t>(column_stride()) + low / kBand] =
            block[x - word * 64];
}

}  // namespace fairlead::drive
