// FAIRLEAD_LANES whole numbers of 32 bits at a time, or of them rounded to floats. Sums and products are modulo 2^32.
//
// tidy: allow(once): included for one lane, for four and for eight, each time in a namespace of its own

#if FAIRLEAD_LANES == 1
using W = std::uint32_t;
using F = float;
FAIRLEAD_INLINE W fill(std::uint32_t a) { return a; }
FAIRLEAD_INLINE W sign(W a) { return 0U - (a >> 31); }  // all ones where negative
FAIRLEAD_INLINE F real(W a) { return static_cast<float>(static_cast<std::int32_t>(a)); }
FAIRLEAD_INLINE F fill_real(float a) { return a; }
// Where |f| is below the limit the sign bit of a, else that of f.
FAIRLEAD_INLINE W sign_of(F f, W a, F limit) {
    if (f < limit && f > -limit) return a;
    return f < 0.0F ? 0x80000000U : 0U;
}
FAIRLEAD_INLINE std::uint32_t lane(W a, int) { return a; }
#else
using W = std::uint32_t FAIRLEAD_VECTOR(4 * FAIRLEAD_LANES);
using I = std::int32_t FAIRLEAD_VECTOR(4 * FAIRLEAD_LANES);
using F = float FAIRLEAD_VECTOR(4 * FAIRLEAD_LANES);
FAIRLEAD_INLINE W fill(std::uint32_t a) { return W{} + a; }
FAIRLEAD_INLINE W sign(W a) { return reinterpret_cast<W>(reinterpret_cast<I>(a) >> 31); }
FAIRLEAD_INLINE F fill_real(float a) { return F{} + a; }
FAIRLEAD_INLINE std::uint32_t lane(W a, int i) { return a[i]; }
#if FAIRLEAD_LANES == 8
FAIRLEAD_INLINE F real(W a) { return _mm256_cvtepi32_ps(reinterpret_cast<__m256i>(a)); }
#else
FAIRLEAD_INLINE F real(W a) {
    F out{};
    for (int i = 0; i < FAIRLEAD_LANES; ++i) out[i] = static_cast<float>(reinterpret_cast<I>(a)[i]);
    return out;
}
#endif
FAIRLEAD_INLINE W sign_of(F f, W a, F limit) {
    const W sure = reinterpret_cast<W>((f >= limit) | (f <= -limit));
    return (reinterpret_cast<W>(f) & sure) | (a & ~sure);
}
#endif

// Records of kRecord numbers, one a triangle: three of their numbers as columns.
inline constexpr int kRecord = 20;
#if FAIRLEAD_LANES == 8
FAIRLEAD_INLINE void load_columns(const std::int32_t* at, W* out) {
    const auto pair = [at](int row) {
        const auto* low = reinterpret_cast<const __m128i*>(at + kRecord * row);
        const auto* high = reinterpret_cast<const __m128i*>(at + kRecord * (row + 4));
        return _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_load_si128(low)), _mm_load_si128(high), 1);
    };
    const __m256i r0 = pair(0), r1 = pair(1), r2 = pair(2), r3 = pair(3);
    const __m256i a = _mm256_unpacklo_epi32(r0, r1), b = _mm256_unpacklo_epi32(r2, r3);
    const __m256i c = _mm256_unpackhi_epi32(r0, r1), d = _mm256_unpackhi_epi32(r2, r3);
    out[0] = reinterpret_cast<W>(_mm256_unpacklo_epi64(a, b));
    out[1] = reinterpret_cast<W>(_mm256_unpackhi_epi64(a, b));
    out[2] = reinterpret_cast<W>(_mm256_unpacklo_epi64(c, d));
}
#else
FAIRLEAD_INLINE void load_columns(const std::int32_t* at, W* out) {
    for (int k = 0; k < 3; ++k) {
#if FAIRLEAD_LANES == 1
        out[k] = static_cast<std::uint32_t>(at[k]);
#else
        for (int i = 0; i < FAIRLEAD_LANES; ++i) out[k][i] = static_cast<std::uint32_t>(at[kRecord * i + k]);
#endif
    }
}
#endif
