// Triangles of a few voxels, one a lane: which of the N^3 voxels of a window at the triangle's low corner it meets,
// by separating axes.
//
// Corners count steps from the window's low corner, so that they are below 2^15. Seen along an axis, the three edges
// are half-planes: each has at its best corner of cell (i, j) a value that must not be negative (one less where that
// corner is not part of the cell, so that only the sign is asked for). It is at most 2^30 in size. Where the triangle
// is seen from its side it turns neither way and all three are 0: there its plane decides. That value is below 2^46:
// its sign is that of a float where that is above 2^29, which is more than the float can be wrong, and else that of
// the value modulo 2^32.
//
// tidy: allow(once): included for one lane, for four and for eight, each time in a namespace of its own

inline constexpr std::uint32_t kSide = 1U << kVoxelShift;

FAIRLEAD_INLINE W positive(W a) { return a & ~sign(a); }
FAIRLEAD_INLINE W one_if_above_zero(W not_negative) { return sign(fill(0) - not_negative) & 1U; }

struct Corner {
    W at[3];
};

// Of an edge seen along one axis.
struct Edge {
    W base, step_u, step_v;

    // `turn` is 1, -1 or 0.
    FAIRLEAD_INLINE Edge(W from_u, W from_v, W to_u, W to_v, W turn) {
        const W u = (from_v - to_v) * turn;
        const W v = (to_u - from_u) * turn;
        const W reach = positive(u) + positive(v);
        base = reach * kSide - one_if_above_zero(reach) - u * from_u - v * from_v;
        step_u = u * kSide;
        step_v = v * kSide;
    }
};

// The cells (i, j) of the window that the triangle meets, seen along one axis: negative where it does not.
template <int N>
struct Shadow {
    W out[N * N];  // i + N j

    FAIRLEAD_INLINE Shadow(const Corner* t, int u, int v, W area) {
        const W turn = sign(area) | one_if_above_zero(positive(area));
        const Edge e0(t[0].at[u], t[0].at[v], t[1].at[u], t[1].at[v], turn);
        const Edge e1(t[1].at[u], t[1].at[v], t[2].at[u], t[2].at[v], turn);
        const Edge e2(t[2].at[u], t[2].at[v], t[0].at[u], t[0].at[v], turn);
        W row0 = e0.base, row1 = e1.base, row2 = e2.base;
        for (int j = 0; j < N; ++j) {
            W at0 = row0, at1 = row1, at2 = row2;
            for (int i = 0; i < N; ++i) {
                out[i + N * j] = at0 | at1 | at2;
                at0 += e0.step_u, at1 += e1.step_u, at2 += e2.step_u;
            }
            row0 += e0.step_v, row1 += e1.step_v, row2 += e2.step_v;
        }
    }
};

// One side of the plane: a value at each voxel's best corner, as it is modulo 2^32 and as a float.
struct PlaneSide {
    W base;
    F rough;

    FAIRLEAD_INLINE PlaneSide(const W* n, const Corner& a) {
        const W reach = positive(n[0]) | positive(n[1]) | positive(n[2]);
        base = fill(0) - one_if_above_zero(reach);
        rough = fill_real(0.0F);
        for (int k = 0; k < 3; ++k) {
            base += positive(n[k]) * kSide - n[k] * a.at[k];
            rough = rough + real(positive(n[k])) * static_cast<float>(kSide) - real(n[k]) * real(a.at[k]);
        }
    }
};

template <int N>
struct Masks {
    static constexpr int kWords = N == 4 ? 2 : 1;
    W bits[kWords];  // bit x + N y + N^2 z, in words of 32
    W has_area;      // not 0
};

template <int N>
FAIRLEAD_INLINE Masks<N> small_masks(const std::int32_t* records) {
    Corner t[3];
    for (int k = 0; k < 3; ++k) load_columns(records + 4 * k, t[k].at);
    W e[3], f[3], n[3];
    for (int k = 0; k < 3; ++k) {
        e[k] = t[1].at[k] - t[0].at[k];
        f[k] = t[2].at[k] - t[0].at[k];
    }
    n[0] = e[1] * f[2] - e[2] * f[1];
    n[1] = e[2] * f[0] - e[0] * f[2];
    n[2] = e[0] * f[1] - e[1] * f[0];
    const Shadow<N> xy(t, 0, 1, n[2]);
    const Shadow<N> xz(t, 0, 2, fill(0) - n[1]);
    const Shadow<N> yz(t, 1, 2, n[0]);
    const PlaneSide above(n, t[0]);
    const W m[3] = {fill(0) - n[0], fill(0) - n[1], fill(0) - n[2]};
    const PlaneSide below(m, t[0]);
    W step[3];
    F rough_step[3];
    for (int k = 0; k < 3; ++k) {
        step[k] = n[k] * kSide;
        rough_step[k] = real(n[k]) * static_cast<float>(kSide);
    }
    const F limit = fill_real(0x1p29F);
    Masks<N> out{};
    out.has_area = n[0] | n[1] | n[2];
    for (int z = 0; z < N; ++z) {
        for (int y = 0; y < N; ++y) {
            W moved =
                fill(static_cast<std::uint32_t>(z)) * step[2] + fill(static_cast<std::uint32_t>(y)) * step[1];
            F rough = rough_step[2] * static_cast<float>(z) + rough_step[1] * static_cast<float>(y);
            const W row = yz.out[y + N * z];
            for (int x = 0; x < N; ++x) {
                const W up = sign_of(above.rough + rough, above.base + moved, limit);
                const W down = sign_of(below.rough - rough, below.base - moved, limit);
                const W missed = row | xy.out[x + N * y] | xz.out[x + N * z] | up | down;
                const int bit = x + N * y + N * N * z;
                out.bits[bit / 32] |= ~sign(missed) & (1U << (bit % 32));
                moved += step[0];
                rough = rough + rough_step[0];
            }
        }
    }
    return out;
}
