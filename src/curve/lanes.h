// Two doubles at a time, for kernels that solve a problem and its mirror image together. The same operations in the same
// order as on single doubles, so the same bits: as SSE2 or NEON registers where the compiler has vector types, as a plain
// struct elsewhere (and with FAIRLEAD_PLAIN_LANES, which a test builds to compare).
#pragma once

#include <cmath>
#include <cstdint>

#include <fairlead/base/platform.h>

namespace fairlead::curve {

#if defined(__GNUC__) && !defined(FAIRLEAD_PLAIN_LANES)

using D2 = double __attribute__((vector_size(16)));
using M2 = std::int64_t __attribute__((vector_size(16)));  ///< all ones where true

FAIRLEAD_INLINE D2 both(double a) { return D2{a, a}; }
FAIRLEAD_INLINE M2 less(D2 a, D2 b) { return a < b; }
FAIRLEAD_INLINE M2 either(M2 a, M2 b) { return a | b; }
FAIRLEAD_INLINE D2 select(M2 m, D2 a, D2 b) {
    return reinterpret_cast<D2>((reinterpret_cast<M2>(a) & m) | (reinterpret_cast<M2>(b) & ~m));
}
FAIRLEAD_INLINE D2 magnitude(D2 a) {
    return reinterpret_cast<D2>(reinterpret_cast<M2>(a) & M2{INT64_MAX, INT64_MAX});
}
/// `a` with its sign changed where `b` is negative (or -0).
FAIRLEAD_INLINE D2 flip_by(D2 a, D2 b) {
    return reinterpret_cast<D2>(reinterpret_cast<M2>(a) ^ (reinterpret_cast<M2>(b) & M2{INT64_MIN, INT64_MIN}));
}

#else

struct D2 {
    double v[2];
    double operator[](int i) const { return v[i]; }
    friend D2 operator+(D2 a, D2 b) { return {{a.v[0] + b.v[0], a.v[1] + b.v[1]}}; }
    friend D2 operator-(D2 a, D2 b) { return {{a.v[0] - b.v[0], a.v[1] - b.v[1]}}; }
    friend D2 operator*(D2 a, D2 b) { return {{a.v[0] * b.v[0], a.v[1] * b.v[1]}}; }
    friend D2 operator/(D2 a, D2 b) { return {{a.v[0] / b.v[0], a.v[1] / b.v[1]}}; }
};
struct M2 {
    bool v[2];
};

FAIRLEAD_INLINE D2 both(double a) { return {{a, a}}; }
FAIRLEAD_INLINE M2 less(D2 a, D2 b) { return {{a.v[0] < b.v[0], a.v[1] < b.v[1]}}; }
FAIRLEAD_INLINE M2 either(M2 a, M2 b) { return {{a.v[0] || b.v[0], a.v[1] || b.v[1]}}; }
FAIRLEAD_INLINE D2 select(M2 m, D2 a, D2 b) { return {{m.v[0] ? a.v[0] : b.v[0], m.v[1] ? a.v[1] : b.v[1]}}; }
FAIRLEAD_INLINE D2 magnitude(D2 a) { return {{std::fabs(a.v[0]), std::fabs(a.v[1])}}; }
FAIRLEAD_INLINE D2 flip_by(D2 a, D2 b) {
    return {{std::signbit(b.v[0]) ? -a.v[0] : a.v[0], std::signbit(b.v[1]) ? -a.v[1] : a.v[1]}};
}

#endif

FAIRLEAD_INLINE D2 pair(double a, double b) { return D2{a, b}; }
FAIRLEAD_INLINE D2 root(D2 a) { return D2{std::sqrt(a[0]), std::sqrt(a[1])}; }

/// The angle of (x, y) in [-pi, pi], to about 4e-16. 0 for (0, 0). Without branches: headings come in no order that a
/// predictor could learn. Reduced to |r| <= tan(pi / 8); the polynomial is minimax there, relative error 3.5e-17.
FAIRLEAD_INLINE D2 angle(D2 y, D2 x) {
    constexpr double kTan = 0x1.a827999fcef32p-2;  // tan(pi / 8)
    const D2 size_x = magnitude(x);
    const D2 size_y = magnitude(y);
    const M2 steep = less(size_x, size_y);
    const D2 larger = select(steep, size_y, size_x);
    const D2 smaller = select(steep, size_x, size_y);
    const M2 fold = less(both(kTan) * larger, smaller);
    const D2 over = select(fold, smaller - larger, smaller);
    const D2 under = select(fold, smaller + larger, larger);
    const D2 r = over / select(less(both(0.0), under), under, both(1.0));
    const D2 z = r * r;
    const D2 w = z * z;
    const D2 a = (both(-0x1.5555555555324p-2) + z * both(0x1.999999994adaep-3)) +
                 w * (both(-0x1.24924905ee06ap-3) + z * both(0x1.c71c65f28007ap-4));
    const D2 b = (both(-0x1.745bc63d6eed6p-4) + z * both(0x1.3afc5e9bf63c6p-4)) +
                 w * (both(-0x1.1006861fd765ep-4) + z * both(0x1.d2626b6f2ce97p-5));
    const D2 c = both(-0x1.653d6c7296438p-5) + z * both(0x1.5ca814fe657fep-6);
    const D2 tail = a + (w * w) * (b + (w * w) * c);
    const D2 first = (r + r * z * tail) + select(fold, both(0x1.921fb54442d18p-1), both(0.0));
    const D2 second = select(steep, both(0x1.921fb54442d18p+0) - first, first);
    const D2 third = select(less(x, both(0.0)), both(0x1.921fb54442d18p+1) - second, second);
    return flip_by(third, y);
}

struct LaneSinCos {
    D2 sin;
    D2 cos;
};

/// Of angles in [-4, 4], to about 2e-16. The quarter turns are few, so their product with the high part of pi / 2 is exact;
/// the polynomials are those of math/sin_cos.cpp.
FAIRLEAD_INLINE LaneSinCos sin_cos(D2 x) {
    const D2 shifted = x * both(0x1.45f306dc9c883p-1) + both(0x1.8p52);
    const D2 quarters = shifted - both(0x1.8p52);
    const D2 r = (x - quarters * both(0x1.921fb54442d18p+0)) - quarters * both(0x1.1a62633145c07p-54);
    const D2 z = r * r;
    const D2 w = z * z;
    const D2 s = (both(-0x1.5555555555548p-3) + z * both(0x1.111111110f730p-7)) +
                 w * ((both(-0x1.a01a019be9215p-13) + z * both(0x1.71de35552b242p-19)) +
                      w * (both(-0x1.ae5e4b83b29cfp-26) + z * both(0x1.5d8b55811a41bp-33)));
    const D2 c = (both(0x1.555555555554bp-5) + z * both(-0x1.6c16c16c15014p-10)) +
                 w * ((both(0x1.a01a019c8efb3p-16) + z * both(-0x1.27e4f7f169b50p-22)) +
                      w * (both(0x1.1ee9dbaf24728p-29) + z * both(-0x1.8fa671ee2c618p-37)));
    const D2 sine = r + r * z * s;
    const D2 cosine = (both(1.0) - both(0.5) * z) + w * c;
    // quarters is -2, -1, 0, 1 or 2; odd ones exchange the two.
    const D2 size = magnitude(quarters);
    const M2 odd = less(magnitude(size - both(1.0)), both(0.5));
    const M2 half = less(both(1.5), size);
    const D2 sin_size = select(odd, cosine, sine);
    const D2 cos_size = select(odd, sine, cosine);
    // sin: -1 for quarters -1 and +-2. cos: -1 for 1 and +-2.
    const D2 turned = select(half, both(-1.0), both(1.0));
    return {flip_by(sin_size, select(odd, quarters, turned)),
            flip_by(cos_size, select(odd, both(0.0) - quarters, turned))};
}

}  // namespace fairlead::curve
