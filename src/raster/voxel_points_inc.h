// Corners of a triangle as four whole numbers at a time.
//
// tidy: allow(once): included for one number at a time and for four, each time in a namespace of its own

#if FAIRLEAD_LANES == 1
struct P {
    std::int32_t v[4];
    std::int32_t operator[](int i) const { return v[i]; }
};
FAIRLEAD_INLINE P each(P a, P b, std::int32_t (*op)(std::int32_t, std::int32_t)) {
    return {{op(a.v[0], b.v[0]), op(a.v[1], b.v[1]), op(a.v[2], b.v[2]), op(a.v[3], b.v[3])}};
}
FAIRLEAD_INLINE P load(const std::int32_t* at) { return {{at[0], at[1], at[2], at[3]}}; }
FAIRLEAD_INLINE void store(std::int32_t* at, P a) {
    for (int k = 0; k < 4; ++k) at[k] = a.v[k];
}
FAIRLEAD_INLINE P lesser(P a, P b) {
    return each(a, b, [](std::int32_t p, std::int32_t q) { return p < q ? p : q; });
}
FAIRLEAD_INLINE P greater(P a, P b) {
    return each(a, b, [](std::int32_t p, std::int32_t q) { return p > q ? p : q; });
}
FAIRLEAD_INLINE P plus(P a, P b) {
    return each(a, b, [](std::int32_t p, std::int32_t q) { return p + q; });
}
FAIRLEAD_INLINE P minus(P a, P b) {
    return each(a, b, [](std::int32_t p, std::int32_t q) { return p - q; });
}
FAIRLEAD_INLINE P differing(P a, P b) {
    return each(a, b, [](std::int32_t p, std::int32_t q) { return p ^ q; });
}
FAIRLEAD_INLINE P either(P a, P b) {
    return each(a, b, [](std::int32_t p, std::int32_t q) { return p | q; });
}
FAIRLEAD_INLINE P cells(P a) {
    return each(a, a, [](std::int32_t p, std::int32_t) { return p >> kVoxelShift; });
}
FAIRLEAD_INLINE P from_cells(P a) {
    return each(a, a, [](std::int32_t p, std::int32_t) { return p * kVoxelSteps; });
}
FAIRLEAD_INLINE bool any_below_0(P a) { return (a.v[0] | a.v[1] | a.v[2] | a.v[3]) < 0; }
#else
using P = std::int32_t FAIRLEAD_VECTOR(16);
FAIRLEAD_INLINE P load(const std::int32_t* at) { return *reinterpret_cast<const P*>(at); }
FAIRLEAD_INLINE void store(std::int32_t* at, P a) { *reinterpret_cast<P*>(at) = a; }
FAIRLEAD_INLINE P lesser(P a, P b) { return a < b ? a : b; }
FAIRLEAD_INLINE P greater(P a, P b) { return a > b ? a : b; }
FAIRLEAD_INLINE P minus(P a, P b) { return a - b; }
FAIRLEAD_INLINE P plus(P a, P b) { return a + b; }
FAIRLEAD_INLINE P differing(P a, P b) { return a ^ b; }
FAIRLEAD_INLINE P either(P a, P b) { return a | b; }
FAIRLEAD_INLINE P cells(P a) { return a >> kVoxelShift; }
FAIRLEAD_INLINE P from_cells(P a) { return a << kVoxelShift; }
#if defined(FAIRLEAD_AVX2)
FAIRLEAD_INLINE bool any_below_0(P a) { return _mm_movemask_ps(reinterpret_cast<__m128>(a)) != 0; }
#else
FAIRLEAD_INLINE bool any_below_0(P a) { return (a[0] | a[1] | a[2] | a[3]) < 0; }
#endif
#endif
