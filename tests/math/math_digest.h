// One digest per function over many arguments: every toolchain must give the same. Used by the tests and by
// digest_main.cpp, which needs no test framework and so runs under libc++ and WebAssembly too.
#pragma once

#include <cstdint>

#include <fairlead/base/digest.h>
#include <fairlead/base/rng.h>
#include <fairlead/math/math.h>

namespace fairlead::math_test {

/// Arguments without library functions: every magnitude from 2^-30 to 2^30, both signs, some round numbers.
inline double any_angle(Rng& rng) {
    const std::uint32_t kind = rng.below(4);
    double x = rng.between(-8.0, 8.0);
    if (kind == 1) return static_cast<double>(rng.between(-64, 64)) * kHalfPi / 8.0;
    for (std::uint32_t i = kind < 2 ? 0 : rng.below(28); i > 0; --i) x *= kind == 2 ? 2.0 : 0.5;
    return x;
}

/// Coordinates of three kinds: free, on the half-integer lattice, near the lattice.
inline double any_coordinate(Rng& rng) {
    const double lattice = 0.5 * static_cast<double>(rng.between(-8, 8));
    const std::uint32_t kind = rng.below(4);
    if (kind == 0) return rng.between(-4.0, 4.0);
    return kind == 1 ? lattice + rng.between(-1.0, 1.0) * 0x1p-40 : lattice;
}

inline Vec2 any_point(Rng& rng) {
    const double x = any_coordinate(rng);
    return {x, any_coordinate(rng)};
}

inline Aabb any_box(Rng& rng) {
    const Vec2 low = any_point(rng);
    if (rng.below(2) == 0) return {low, low + Vec2{1.0, 1.0}};
    const double width = rng.unit() * 3.0;
    return {low, low + Vec2{width, rng.unit() * 3.0}};
}

struct NamedDigest {
    const char* name;
    std::uint64_t (*compute)(int count);
    std::uint64_t golden_few;   ///< for kFew arguments
    std::uint64_t golden_many;  ///< for kMany
};

inline constexpr int kFew = 400;
inline constexpr int kMany = 200000;

template <class Function>
std::uint64_t digest_of(int count, Function function) {
    Digest digest;
    Rng rng(20240229);
    for (int i = 0; i < count; ++i) digest.add(static_cast<double>(function(rng)));
    return digest.value();
}

inline std::uint64_t sin_digest(int n) {
    return digest_of(n, [](Rng& r) { return math::sin(any_angle(r)); });
}
inline std::uint64_t cos_digest(int n) {
    return digest_of(n, [](Rng& r) { return math::cos(any_angle(r)); });
}
inline std::uint64_t sin_cos_digest(int n) {
    return digest_of(n, [](Rng& r) {
        const math::SinCos sc = math::sin_cos(any_angle(r));
        return sc.sin * 3.0 + sc.cos;
    });
}
inline std::uint64_t huge_digest(int n) {
    return digest_of(n, [](Rng& r) {
        const double x = r.unit() - 0.5;
        return math::sin(x * 0x1p900) + math::cos(x * 0x1p50);
    });
}
inline std::uint64_t atan_digest(int n) {
    return digest_of(n, [](Rng& r) { return math::atan(any_angle(r)); });
}
inline std::uint64_t atan2_digest(int n) {
    return digest_of(n, [](Rng& r) {
        const double y = any_angle(r);
        return math::atan2(y, any_angle(r));
    });
}
inline std::uint64_t acos_digest(int n) {
    return digest_of(n, [](Rng& r) {
        const double x = r.between(-1.0, 1.0);
        return math::acos(x) + math::acos(1.0 - x * x * 0x1p-20);
    });
}
inline std::uint64_t asin_digest(int n) {
    return digest_of(n, [](Rng& r) {
        const double x = r.between(-1.0, 1.0);
        return math::asin(x) + math::asin(x * 0x1p-20);
    });
}
inline std::uint64_t wrap_digest(int n) {
    return digest_of(n, [](Rng& r) {
        const double x = any_angle(r);
        return math::wrap_pi(x) + 3.0 * math::wrap_two_pi(x);
    });
}
inline std::uint64_t distance_digest(int n) {
    return digest_of(n, [](Rng& r) {
        const Vec2 a = any_point(r), b = any_point(r);
        return math::distance_segment_box(a, b, any_box(r));
    });
}
inline std::uint64_t disc_digest(int n) {
    return digest_of(n, [](Rng& r) {
        const Vec2 a = any_point(r), b = any_point(r);
        const double radius = 0.25 * static_cast<double>(r.below(4));
        const Aabb box = any_box(r);
        return math::penetration_disc_box(a, b, radius, box) +
               (math::disc_sweep_overlaps_box(a, b, radius, box, 1e-9) ? 10.0 : 0.0);
    });
}
inline std::uint64_t square_digest(int n) {
    return digest_of(n, [](Rng& r) {
        const Vec2 a = any_point(r), b = any_point(r);
        const double half = 0.25 * static_cast<double>(r.below(4));
        const Aabb box = any_box(r);
        return math::penetration_square_box(a, b, half, box) +
               (math::square_sweep_overlaps_box(a, b, half, box, 1e-9) ? 10.0 : 0.0);
    });
}
inline std::uint64_t orient2d_digest(int n) {
    return digest_of(n, [](Rng& r) {
        const Vec2 a = any_point(r), b = any_point(r);
        const Vec2 between = r.below(2) == 0 ? a + (b - a) * r.unit() : any_point(r);
        return math::orient2d(a, b, between);
    });
}

inline constexpr NamedDigest kDigests[] = {
    {"sin", sin_digest, 0xb168a4d15b566160, 0xcfd882e58a6d487c},
    {"cos", cos_digest, 0x0d7ac9abafb1df80, 0x340d676af3fea9c6},
    {"sin_cos", sin_cos_digest, 0x19ead0614e00485b, 0xdd056db0728ab877},
    {"huge", huge_digest, 0xc86fa093a551fe41, 0xc2b62876998697a9},
    {"atan", atan_digest, 0x066f6e4fdbdb69fd, 0x63caa8ac6b78e8a8},
    {"atan2", atan2_digest, 0xa057eaae776956fa, 0xe3cda92b34ec8e0c},
    {"acos", acos_digest, 0xd38df7ec427aa155, 0x312cc1b9b8733296},
    {"asin", asin_digest, 0x01f97ece336c2098, 0xb1d1c1541d62bdcc},
    {"wrap", wrap_digest, 0xf3a4375f30232cf6, 0x4d566a9869b3678a},
    {"distance", distance_digest, 0x0d7375eb650c0ed0, 0xf1311521286cc5d5},
    {"disc", disc_digest, 0x1015d3aadb4afa02, 0xe390a5156c456471},
    {"square", square_digest, 0x29486a3573c677d8, 0x2b03f8041f99da0e},
    {"orient2d", orient2d_digest, 0x10b9287d10255ee5, 0x20413ebb323426a6},
};

}  // namespace fairlead::math_test
