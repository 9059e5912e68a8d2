// The order of insertion: biased randomised rounds, each along Hilbert's curve. Nina Amenta, Sunghee Choi, Guenter
// Rote (2003), "Incremental constructions con BRIO": every round is a random sample about as large as all before
// it, so the expected number of flips is O(n log n) whatever the points; the curve keeps the way from one point to
// the next short. Departures: rounds grow by four, and cells of the curve that hold many points are ordered
// within themselves by a curve of their own, so that a small dense cluster in a wide world costs no long walks.
#include "polygon/spatial_order.h"

#include <algorithm>
#include <cmath>

#include <fairlead/base/rng.h>

namespace fairlead::polygon {
namespace {

constexpr std::size_t kRoundPoints = 256;  ///< fewer points make one round
constexpr std::size_t kCrowd = 24;         ///< more points in one cell are ordered within it
constexpr std::size_t kRadixPoints = 300;  ///< fewer points are sorted by comparison
constexpr unsigned kCurveBitsMax = 14;     ///< per axis
constexpr unsigned kIndexBits = 32;

struct Box {
    Vec2 low;
    double side;
};

/// The place of a cell along the curve: a walk through its four states, two bits a step.
std::uint32_t along_curve(std::uint32_t x, std::uint32_t y, unsigned bits) {
    constexpr std::uint8_t kDigit[4][4] = {{0, 1, 3, 2}, {0, 3, 1, 2}, {2, 1, 3, 0}, {2, 3, 1, 0}};
    constexpr std::uint8_t kState[4][4] = {{1, 0, 2, 0}, {0, 3, 1, 1}, {2, 2, 0, 3}, {3, 1, 3, 2}};
    std::uint32_t place = 0;
    std::uint32_t state = 0;
    for (unsigned bit = bits; bit-- > 0;) {
        const std::uint32_t quarter = ((x >> bit) & 1U) * 2 + ((y >> bit) & 1U);
        place = place * 4 + kDigit[state][quarter];
        state = kState[state][quarter];
    }
    return place;
}

Box box_of(std::span<const Vec2> points, std::span<const std::uint64_t> keys) {
    const Vec2 first = points[static_cast<std::uint32_t>(keys[0])];
    Vec2 low = first, high = first;
    for (const std::uint64_t key : keys) {
        const Vec2 p = points[static_cast<std::uint32_t>(key)];
        low = {p.x < low.x ? p.x : low.x, p.y < low.y ? p.y : low.y};
        high = {p.x > high.x ? p.x : high.x, p.y > high.y ? p.y : high.y};
    }
    const double width = high.x - low.x, height = high.y - low.y;
    return {low, width > height ? width : height};
}

/// About four cells a point.
unsigned curve_bits(std::size_t points) {
    unsigned bits = 2;
    while (bits < kCurveBitsMax && (std::size_t{1} << (2 * bits)) < 4 * points) ++bits;
    return bits;
}

std::uint32_t to_cell(double offset, double scale, std::uint32_t cells) {
    const double at = offset * scale;
    return at < static_cast<double>(cells - 1) ? static_cast<std::uint32_t>(at) : cells - 1;
}

void set_keys(std::span<const Vec2> points, std::span<std::uint64_t> keys, const Box& box, unsigned bits) {
    const std::uint32_t cells = 1U << bits;
    const double scale = box.side > 0.0 ? static_cast<double>(cells) / box.side : 0.0;
    for (std::uint64_t& key : keys) {
        const auto index = static_cast<std::uint32_t>(key);
        const Vec2 p = points[index];
        const std::uint32_t x = to_cell(p.x - box.low.x, scale, cells);
        const std::uint32_t y = to_cell(p.y - box.low.y, scale, cells);
        key = (std::uint64_t{along_curve(x, y, bits)} << kIndexBits) | index;
    }
}

/// Gives each point its round, above the bits of the curve: three of four the last, three of four of the rest the
/// one before, and so on.
void set_rounds(std::span<std::uint64_t> keys, unsigned bits) {
    unsigned rounds = 0;
    for (std::size_t left = keys.size(); left > kRoundPoints; left /= 4) ++rounds;
    Rng rng(0x6f7264657273ULL);
    for (std::uint64_t& key : keys) {
        std::uint64_t draw = rng.next() | (std::uint64_t{3} << (2 * rounds));
        unsigned round = rounds;
        while (round > 0 && (draw & 3U) == 0) {
            draw >>= 2;
            --round;
        }
        key |= std::uint64_t{round} << (kIndexBits + 2 * bits);
    }
}

/// Least significant digit first; stable, so the result is the sorted order by curve, then by index, for lists whose
/// indices ascend.
void radix_sort(std::span<std::uint64_t> keys, std::span<std::uint64_t> other, unsigned key_bits) {
    constexpr unsigned kDigitBits = 11;
    std::uint32_t starts[1U << kDigitBits];
    std::span<std::uint64_t> from = keys, to = other;
    for (unsigned shift = kIndexBits; shift < kIndexBits + key_bits; shift += kDigitBits) {
        const auto digit = [shift](std::uint64_t key) { return (key >> shift) & ((1U << kDigitBits) - 1); };
        std::fill(std::begin(starts), std::end(starts), 0U);
        for (const std::uint64_t key : from) ++starts[digit(key)];
        std::uint32_t sum = 0;
        for (std::uint32_t& start : starts) {
            const std::uint32_t count = start;
            start = sum;
            sum += count;
        }
        for (const std::uint64_t key : from) to[starts[digit(key)]++] = key;
        std::swap(from, to);
    }
    if (from.data() != keys.data()) std::copy(from.begin(), from.end(), keys.begin());
}

void sort_keys(std::span<std::uint64_t> keys, std::span<std::uint64_t> other, unsigned key_bits) {
    if (keys.size() < kRadixPoints) {
        std::sort(keys.begin(), keys.end());  // total order: keys differ in the index
    } else {
        radix_sort(keys, other, key_bits);
    }
}

/// Orders the points of one crowded cell among themselves. The box shrinks by 2^bits each time, so this is at most
/// a hundred deep; points of equal value end it.
void order_crowd(std::span<const Vec2> points, std::span<std::uint64_t> keys, std::span<std::uint64_t> other);

void order_crowds(std::span<const Vec2> points, std::span<std::uint64_t> keys,
                  std::span<std::uint64_t> other) {
    for (std::size_t begin = 0; begin < keys.size();) {
        std::size_t end = begin + 1;
        while (end < keys.size() && (keys[end] >> kIndexBits) == (keys[begin] >> kIndexBits)) ++end;
        if (end - begin > kCrowd) {
            order_crowd(points, keys.subspan(begin, end - begin), other.subspan(begin, end - begin));
        }
        begin = end;
    }
}

void order_crowd(std::span<const Vec2> points, std::span<std::uint64_t> keys,
                 std::span<std::uint64_t> other) {
    const Box box = box_of(points, keys);
    if (!(box.side > 0.0)) return;
    const unsigned bits = curve_bits(keys.size());
    set_keys(points, keys, box, bits);
    sort_keys(keys, other, 2 * bits);
    order_crowds(points, keys, other);
}

}  // namespace

bool order_points(Work& work, std::span<const Vec2> points) {
    const std::size_t count = points.size();
    if (!work.keys.resize_uninitialized(count) || !work.keys_other.resize_uninitialized(count)) return false;
    if (count == 0) return true;
    const std::span<std::uint64_t> keys = work.keys.span();
    for (std::size_t i = 0; i < count; ++i) keys[i] = i;
    const unsigned bits = curve_bits(count);
    set_keys(points, keys, box_of(points, keys), bits);
    unsigned round_bits = 0;
    if (count > kRoundPoints) {
        set_rounds(keys, bits);
        round_bits = 4;
    }
    sort_keys(keys, work.keys_other.span(), 2 * bits + round_bits);
    order_crowds(points, keys, work.keys_other.span());
    return true;
}

}  // namespace fairlead::polygon
