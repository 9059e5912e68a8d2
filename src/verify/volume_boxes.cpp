// The distance from a box, along a straight piece, is convex, and its square is a parabola between the places where the
// piece passes the planes of the box's sides: the least value is looked for on each of these parts. What rounding does
// to such a place is as if that side were moved by a few roundings.
#include "verify/volume_boxes.h"

#include <cmath>

namespace fairlead::witness {

namespace {

constexpr int kBoxHalvings = 60;

double box_gap_squared(const Triple& p, const VoxelSides& box) {
    double sum = 0.0;
    for (std::size_t k = 0; k < 3; ++k) {
        const double out = larger(larger(box.low[k] - p[k], p[k] - box.high[k]), 0.0);
        sum += out * out;
    }
    return sum;
}

/// Where the piece passes planes of sides, in order, between 0 and 1.
struct Breaks {
    std::array<double, 8> at{};
    std::size_t count = 0;

    void put(double share) {
        std::size_t i = count++;
        for (; i > 0 && at[i - 1] > share; --i) at[i] = at[i - 1];
        at[i] = share;
    }
};

Breaks breaks_of(const Chord& chord, const VoxelSides& box) {
    Breaks breaks;
    breaks.put(0.0);
    breaks.put(1.0);
    for (std::size_t k = 0; k < 3; ++k) {
        if (chord.d[k] == 0.0) continue;
        for (const double side : {box.low[k], box.high[k]}) {
            const double share = (side - chord.a[k]) / chord.d[k];
            if (share > 0.0 && share < 1.0) breaks.put(share);
        }
    }
    return breaks;
}

/// The bottom of the parabola between two breaks.
double bottom_between(const Chord& chord, const VoxelSides& box, double from, double to) {
    const Triple middle = chord.at(0.5 * (from + to));
    double steep = 0.0;
    double wide = 0.0;
    for (std::size_t k = 0; k < 3; ++k) {
        const bool below = middle[k] < box.low[k];
        if (!below && !(middle[k] > box.high[k])) continue;
        steep += ((below ? box.low[k] : box.high[k]) - chord.a[k]) * chord.d[k];
        wide += chord.d[k] * chord.d[k];
    }
    if (!(wide > 0.0)) return from;
    return larger(from, smaller(to, steep / wide));
}

}  // namespace

double gap_squared(const Chord& chord, const VoxelSides& box) {
    const Breaks breaks = breaks_of(chord, box);
    double least = smaller(box_gap_squared(chord.a, box), box_gap_squared(chord.at(1.0), box));
    for (std::size_t i = 0; i + 1 < breaks.count && least > 0.0; ++i) {
        const double share = bottom_between(chord, box, breaks.at[i], breaks.at[i + 1]);
        least = smaller(least, box_gap_squared(chord.at(share), box));
    }
    return least;
}

double signed_gap(const Triple& p, const VoxelSides& box) {
    double inside = -box.high[0];
    for (std::size_t k = 0; k < 3; ++k) {
        const double out = larger(box.low[k] - p[k], p[k] - box.high[k]);
        inside = k == 0 ? out : larger(inside, out);
    }
    return inside > 0.0 ? std::sqrt(box_gap_squared(p, box)) : inside;
}

Shares shares_within(const Chord& chord, const VoxelSides& box, double grow) {
    Shares shares{0.0, 1.0};
    for (std::size_t k = 0; k < 3; ++k) {
        const double low = box.low[k] - grow - chord.a[k];
        const double high = box.high[k] + grow - chord.a[k];
        const double d = chord.d[k];
        if (d == 0.0) {
            if (low > 0.0 || high < 0.0) return {};
            continue;
        }
        const double one = low / d;
        const double other = high / d;
        shares.low = larger(shares.low, smaller(one, other));
        shares.high = smaller(shares.high, larger(one, other));
    }
    return shares;
}

double first_within(const Chord& chord, const VoxelSides& box, double reach) {
    // The nearest place first: between the start and there the distance only falls.
    double best = box_gap_squared(chord.a, box);
    double near = 0.0;
    const Breaks breaks = breaks_of(chord, box);
    for (std::size_t i = 0; i + 1 < breaks.count; ++i) {
        const double bottom = bottom_between(chord, box, breaks.at[i], breaks.at[i + 1]);
        for (const double share : {bottom, breaks.at[i + 1]}) {
            const double gap = box_gap_squared(chord.at(share), box);
            if (gap >= best) continue;
            best = gap;
            near = share;
        }
    }
    const double enough = reach * reach;
    if (box_gap_squared(chord.a, box) < enough) return 0.0;
    double low = 0.0;
    double high = near;
    for (int i = 0; i < kBoxHalvings; ++i) {
        const double middle = 0.5 * (low + high);
        (box_gap_squared(chord.at(middle), box) < enough ? high : low) = middle;
    }
    return high;
}

}  // namespace fairlead::witness
