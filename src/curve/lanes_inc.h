// FAIRLEAD_LANES doubles at a time: the same operations in the same order as on single doubles, so the same bits. Vectors of
// the compiler (SSE2, AVX, NEON registers) where it has them, a plain struct elsewhere and with FAIRLEAD_PLAIN_LANES.
//
// tidy: allow(once): included for two lanes and for four, each time in a namespace of its own

#if defined(FAIRLEAD_VECTOR)

using V = double FAIRLEAD_VECTOR(8 * FAIRLEAD_LANES);
using M = std::int64_t FAIRLEAD_VECTOR(8 * FAIRLEAD_LANES);  // all ones where true

FAIRLEAD_INLINE V select(M m, V a, V b) { return m ? a : b; }
FAIRLEAD_INLINE V magnitude(V a) { return reinterpret_cast<V>(reinterpret_cast<M>(a) & (M{} + INT64_MAX)); }
// `a` with its sign changed where `b` is negative (or -0).
FAIRLEAD_INLINE V flip_by(V a, V b) {
    return reinterpret_cast<V>(reinterpret_cast<M>(a) ^ (reinterpret_cast<M>(b) & (M{} + INT64_MIN)));
}
#if FAIRLEAD_LANES == 2
FAIRLEAD_INLINE V fill(double a) { return V{a, a}; }
FAIRLEAD_INLINE V pair(double a, double b) { return V{a, b}; }
#else
FAIRLEAD_INLINE V fill(double a) { return V{a, a, a, a}; }
#endif
// bits: one for each lane where true, the first lane's the lowest.
#if FAIRLEAD_LANES == 2 && defined(__SSE2__)
FAIRLEAD_INLINE V root(V a) { return _mm_sqrt_pd(a); }
FAIRLEAD_INLINE int bits(M m) { return _mm_movemask_pd(reinterpret_cast<V>(m)); }
#elif FAIRLEAD_LANES == 4 && defined(FAIRLEAD_AVX2)
FAIRLEAD_INLINE V root(V a) { return _mm256_sqrt_pd(a); }
FAIRLEAD_INLINE int bits(M m) { return _mm256_movemask_pd(reinterpret_cast<V>(m)); }
#else
FAIRLEAD_INLINE int bits(M m) {
    int out = 0;
    for (int i = 0; i < FAIRLEAD_LANES; ++i) out |= m[i] != 0 ? 1 << i : 0;
    return out;
}
FAIRLEAD_INLINE V root(V a) {
    for (int i = 0; i < FAIRLEAD_LANES; ++i) a[i] = std::sqrt(a[i]);
    return a;
}
#endif

#else

struct M {
    bool v[FAIRLEAD_LANES];
    bool operator[](int i) const { return v[i]; }
};
struct V {
    double v[FAIRLEAD_LANES];
    V() = default;
    V(double a) {  // NOLINT: mixes with numbers as a vector does
        for (double& lane : v) lane = a;
    }
    double operator[](int i) const { return v[i]; }
    double& operator[](int i) { return v[i]; }
};
#define FAIRLEAD_LANE_OPERATOR(result, type, op)                              \
    FAIRLEAD_INLINE result operator op(const type& a, const type& b) {        \
        result out{};                                                         \
        for (int i = 0; i < FAIRLEAD_LANES; ++i) out.v[i] = a.v[i] op b.v[i]; \
        return out;                                                           \
    }
FAIRLEAD_LANE_OPERATOR(V, V, +)
FAIRLEAD_LANE_OPERATOR(V, V, -)
FAIRLEAD_LANE_OPERATOR(V, V, *)
FAIRLEAD_LANE_OPERATOR(V, V, /)
FAIRLEAD_LANE_OPERATOR(M, V, <)
FAIRLEAD_LANE_OPERATOR(M, V, >=)
FAIRLEAD_LANE_OPERATOR(M, M, &)
FAIRLEAD_LANE_OPERATOR(M, M, |)
#undef FAIRLEAD_LANE_OPERATOR

FAIRLEAD_INLINE V fill(double a) { return V(a); }
FAIRLEAD_INLINE V pair(double a, double b) {
    V out(a);
    out.v[1] = b;
    return out;
}
FAIRLEAD_INLINE V select(M m, V a, V b) {
    for (int i = 0; i < FAIRLEAD_LANES; ++i) b.v[i] = m.v[i] ? a.v[i] : b.v[i];
    return b;
}
FAIRLEAD_INLINE V magnitude(V a) {
    for (double& lane : a.v) lane = std::fabs(lane);
    return a;
}
FAIRLEAD_INLINE V flip_by(V a, V b) {
    for (int i = 0; i < FAIRLEAD_LANES; ++i) a.v[i] = std::signbit(b.v[i]) ? -a.v[i] : a.v[i];
    return a;
}
FAIRLEAD_INLINE V root(V a) {
    for (double& lane : a.v) lane = std::sqrt(lane);
    return a;
}
FAIRLEAD_INLINE int bits(M m) {
    int out = 0;
    for (int i = 0; i < FAIRLEAD_LANES; ++i) out |= m.v[i] ? 1 << i : 0;
    return out;
}

#endif

FAIRLEAD_INLINE bool any(M m) { return bits(m) != 0; }
FAIRLEAD_INLINE bool every(M m) { return bits(m) == (1 << FAIRLEAD_LANES) - 1; }

// One number of each of FAIRLEAD_LANES poses.
#if FAIRLEAD_LANES == 4
#define FAIRLEAD_GATHER(poses, field) \
    V { (poses)[0].field, (poses)[1].field, (poses)[2].field, (poses)[3].field }
#else
#define FAIRLEAD_GATHER(poses, field) pair((poses)[0].field, (poses)[1].field)
#endif
FAIRLEAD_INLINE V xs(const Pose* poses) { return FAIRLEAD_GATHER(poses, position.x); }
FAIRLEAD_INLINE V ys(const Pose* poses) { return FAIRLEAD_GATHER(poses, position.y); }
FAIRLEAD_INLINE V headings(const Pose* poses) { return FAIRLEAD_GATHER(poses, heading_rad); }
#undef FAIRLEAD_GATHER
#if FAIRLEAD_LANES == 4
FAIRLEAD_INLINE V pick(const double* of, const std::int32_t* at) {
    return V{of[at[0]], of[at[1]], of[at[2]], of[at[3]]};
}
#else
FAIRLEAD_INLINE V pick(const double* of, const std::int32_t* at) { return pair(of[at[0]], of[at[1]]); }
#endif

FAIRLEAD_INLINE V not_below_zero(V a) { return select(a < 0.0, fill(0.0), a); }

// The angle of (x, y) in [-pi, pi], to about 4e-16. 0 for (0, 0). Without branches: headings come in no order that a
// predictor could learn. Reduced to |r| <= tan(pi / 8); the polynomial is minimax there, relative error 3.5e-17.
FAIRLEAD_INLINE V angle(V y, V x) {
    const V size_x = magnitude(x);
    const V size_y = magnitude(y);
    const M steep = size_x < size_y;
    const V larger = select(steep, size_y, size_x);
    const V smaller = select(steep, size_x, size_y);
    const M fold = 0x1.a827999fcef32p-2 * larger < smaller;  // tan(pi / 8)
    const V over = select(fold, smaller - larger, smaller);
    const V under = select(fold, smaller + larger, larger);
    const V r = over / select(0.0 < under, under, fill(1.0));
    const V z = r * r;
    const V w = z * z;
    const V a = (-0x1.5555555555324p-2 + z * 0x1.999999994adaep-3) +
                w * (-0x1.24924905ee06ap-3 + z * 0x1.c71c65f28007ap-4);
    const V b = (-0x1.745bc63d6eed6p-4 + z * 0x1.3afc5e9bf63c6p-4) +
                w * (-0x1.1006861fd765ep-4 + z * 0x1.d2626b6f2ce97p-5);
    const V c = -0x1.653d6c7296438p-5 + z * 0x1.5ca814fe657fep-6;
    const V tail = a + (w * w) * (b + (w * w) * c);
    const V first = (r + r * z * tail) + select(fold, fill(0x1.921fb54442d18p-1), fill(0.0));
    const V second = select(steep, 0x1.921fb54442d18p+0 - first, first);
    const V third = select(x < 0.0, 0x1.921fb54442d18p+1 - second, second);
    return flip_by(third, y);
}

struct SinCos {
    V sin;
    V cos;
};

// Of angles in [-3.9, 3.9], to about 2e-16. The quarter turns are few, so their product with the high part of pi / 2 is exact;
// the polynomials are those of math/sin_cos.cpp.
FAIRLEAD_INLINE SinCos sin_cos(V x) {
    const V shifted = x * 0x1.45f306dc9c883p-1 + 0x1.8p52;
    const V quarters = shifted - 0x1.8p52;
    const V r = (x - quarters * 0x1.921fb54442d18p+0) - quarters * 0x1.1a62633145c07p-54;
    const V z = r * r;
    const V w = z * z;
    const V s = (-0x1.5555555555548p-3 + z * 0x1.111111110f730p-7) +
                w * ((-0x1.a01a019be9215p-13 + z * 0x1.71de35552b242p-19) +
                     w * (-0x1.ae5e4b83b29cfp-26 + z * 0x1.5d8b55811a41bp-33));
    const V c = (0x1.555555555554bp-5 + z * -0x1.6c16c16c15014p-10) +
                w * ((0x1.a01a019c8efb3p-16 + z * -0x1.27e4f7f169b50p-22) +
                     w * (0x1.1ee9dbaf24728p-29 + z * -0x1.8fa671ee2c618p-37));
    const V sine = r + r * z * s;
    const V cosine = (1.0 - 0.5 * z) + w * c;
    // quarters is -2, -1, 0, 1 or 2; odd ones exchange the two.
    const V size = magnitude(quarters);
    const M odd = magnitude(size - 1.0) < 0.5;
    const M half = 1.5 < size;
    const V sin_size = select(odd, cosine, sine);
    const V cos_size = select(odd, sine, cosine);
    // sin: -1 for quarters -1 and +-2. cos: -1 for 1 and +-2.
    const V turned = select(half, fill(-1.0), fill(1.0));
    return {flip_by(sin_size, select(odd, quarters, turned)),
            flip_by(cos_size, select(odd, 0.0 - quarters, turned))};
}
