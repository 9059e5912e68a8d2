// Exact sums of doubles. Jonathan R. Shewchuk (1997), "Adaptive precision floating-point arithmetic and fast
// robust geometric predicates": GROW-EXPANSION, FAST-EXPANSION-SUM and SCALE-EXPANSION with zero elimination.
#pragma once

#include <cstddef>

#include "math/exact.h"

namespace fairlead::math::detail {

/// An exact sum of doubles, none of which overlaps another, smallest first; zeros are left out.
template <std::size_t Capacity>
struct Expansion {
    double part[Capacity];
    int size = 0;

    /// Adds one number exactly. At most Capacity times.
    void add(double value) {
        int kept = 0;
        for (int i = 0; i < size; ++i) {
            const Pair sum = two_sum(value, part[i]);
            value = sum.high;
            if (sum.low != 0.0) part[kept++] = sum.low;
        }
        if (value != 0.0) part[kept++] = value;
        size = kept;
    }

    void add(Pair pair) {
        add(pair.low);
        add(pair.high);
    }

    /// p * q, four exact products: eight numbers.
    void add_product(Pair p, Pair q) {
        add(two_product(p.low, q.low));
        add(two_product(p.low, q.high));
        add(two_product(p.high, q.low));
        add(two_product(p.high, q.high));
    }

    /// The sum, rounded, with its exact sign: grown one number at a time in round-to-even, the parts are not
    /// even adjacent (Shewchuk's theorem 10), so the largest outweighs twice the rest.
    [[nodiscard]] double value() const {
        double sum = 0.0;
        for (int i = 0; i < size; ++i) sum += part[i];
        return sum;
    }
};

/// out = e + f; room for m + n numbers, which must not be those of e or f. Returns how many there are.
inline int sum_expansions(const double* e, int m, const double* f, int n, double* out) {
    int i = 0, j = 0, kept = 0;
    const auto smaller_first = [&] {
        if (j == n) return e[i++];
        if (i == m) return f[j++];
        return magnitude(e[i]) < magnitude(f[j]) ? e[i++] : f[j++];
    };
    if (m + n == 0) return 0;
    double total = smaller_first();
    while (i + j < m + n) {
        const Pair sum = two_sum(total, smaller_first());
        total = sum.high;
        if (sum.low != 0.0) out[kept++] = sum.low;
    }
    if (total != 0.0) out[kept++] = total;
    return kept;
}

/// out = e * factor; room for 2 m numbers.
inline int scale_expansion(const double* e, int m, double factor, double* out) {
    if (m == 0) return 0;
    int kept = 0;
    Pair total = two_product(e[0], factor);
    if (total.low != 0.0) out[kept++] = total.low;
    for (int i = 1; i < m; ++i) {
        const Pair product = two_product(e[i], factor);
        const Pair low = two_sum(total.high, product.low);
        if (low.low != 0.0) out[kept++] = low.low;
        total = fast_two_sum(product.high, low.high);
        if (total.low != 0.0) out[kept++] = total.low;
    }
    if (total.high != 0.0) out[kept++] = total.high;
    return kept;
}

}  // namespace fairlead::math::detail
