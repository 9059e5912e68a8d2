// The triangles of a chunk, each by the way that suits its size: one voxel or a line of them; a window of 2, 3 or 4; any.
//
// tidy: allow(once): included for one lane, for four and for eight, each time in a namespace of its own

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
FAIRLEAD_INLINE P minus(P a, P b) {
    return each(a, b, [](std::int32_t p, std::int32_t q) { return p - q; });
}
FAIRLEAD_INLINE P cells(P a) {
    return each(a, a, [](std::int32_t p, std::int32_t) { return p >> kVoxelShift; });
}
FAIRLEAD_INLINE P steps(P a) {
    return each(a, a, [](std::int32_t p, std::int32_t) { return p * static_cast<std::int32_t>(kSide); });
}
#else
using P = std::int32_t FAIRLEAD_VECTOR(16);
FAIRLEAD_INLINE P load(const std::int32_t* at) { return *reinterpret_cast<const P*>(at); }
FAIRLEAD_INLINE void store(std::int32_t* at, P a) { *reinterpret_cast<P*>(at) = a; }
FAIRLEAD_INLINE P lesser(P a, P b) { return a < b ? a : b; }
FAIRLEAD_INLINE P greater(P a, P b) { return a > b ? a : b; }
FAIRLEAD_INLINE P minus(P a, P b) { return a - b; }
FAIRLEAD_INLINE P cells(P a) { return a >> kVoxelShift; }
FAIRLEAD_INLINE P steps(P a) { return a << kVoxelShift; }
#endif

// Triangles that wait for their lanes. A record: each corner from the window's low corner; behind the corners x, y and z of the
// window in the chunk, its last voxels, the triangle.
struct alignas(32) Waiting {
    std::int32_t records[FAIRLEAD_LANES][12];
    int count = 0;
};

class ChunkFill {
  public:
    ChunkFill(const ChunkTask& task, ChunkBits& bits) : task_(task), bits_(bits) {
        low_ = load(LatticePoint{{task.low[0], task.low[1], task.low[2], 0}}.at);
    }
    void run() {
        for (const std::uint32_t i : task_.triangles) add(i);
        flush<2>(waiting_[0]);
        flush<3>(waiting_[1]);
        flush<4>(waiting_[2]);
    }

  private:
    FAIRLEAD_INLINE void add(std::uint32_t number) {
        const std::uint32_t* const corners = task_.soup.corners + 3 * static_cast<std::size_t>(number);
        const LatticePoint* const points = task_.soup.points.data();
        const P a = load(points[corners[0]].at);
        const P b = load(points[corners[1]].at);
        const P c = load(points[corners[2]].at);
        const P first = cells(lesser(lesser(a, b), c));
        const P more = minus(cells(greater(greater(a, b), c)), first);
        const P from = minus(first, low_);
        const std::int32_t size = more[0] | more[1] | more[2];
        if (size <= 1 && (more[0] + more[1] + more[2]) <= 1) {
            return line(from[0], from[1], from[2], more[0], more[1], more[2]);
        }
        if (size > 3) return any_size(number);
        Waiting& to = waiting_[size == 1 ? 0 : (more[0] < 3 && more[1] < 3 && more[2] < 3 ? 1 : 2)];
        std::int32_t* const record = to.records[to.count];
        const P base = steps(first);
        store(record, minus(a, base));
        store(record + 4, minus(b, base));
        store(record + 8, minus(c, base));
        record[3] = pack(from[0], from[1], from[2]);
        record[7] = pack(more[0], more[1], more[2]);
        record[11] = static_cast<std::int32_t>(number);
        if (++to.count < FAIRLEAD_LANES) return;
        if (&to == &waiting_[0]) {
            flush<2>(to);
        } else if (&to == &waiting_[1]) {
            flush<3>(to);
        } else {
            flush<4>(to);
        }
    }
    static std::int32_t pack(std::int32_t x, std::int32_t y, std::int32_t z) {  // -4 <= x, y, z < 64
        return (x + 4) | (y + 4) << 8 | (z + 4) << 16;
    }
    static std::int32_t unpack(std::int32_t packed, int k) { return ((packed >> (8 * k)) & 0xff) - 4; }

    FAIRLEAD_INLINE void set(std::int32_t y, std::int32_t z, std::uint64_t mask) {
        bits_.rows[ChunkBits::index(static_cast<std::uint32_t>(y), static_cast<std::uint32_t>(z))] |= mask;
    }
    FAIRLEAD_INLINE void touch(std::int32_t y0, std::int32_t y1, std::int32_t z0, std::int32_t z1) {
        const std::uint32_t columns = (2U << (y1 >> 2)) - (1U << (y0 >> 2));
        for (std::int32_t z = z0 >> 2; z <= z1 >> 2; ++z)
            bits_.touched[z] = static_cast<std::uint16_t>(bits_.touched[z] | columns);
    }
    static std::uint64_t run_of(std::int32_t x0, std::int32_t x1) {  // both within 0..63
        return (~std::uint64_t{0} << x0) & (~std::uint64_t{0} >> (63 - x1));
    }
    // One voxel, or two that share a face: a triangle meets all that its box does.
    FAIRLEAD_INLINE void line(std::int32_t x, std::int32_t y, std::int32_t z, std::int32_t dx, std::int32_t dy,
                              std::int32_t dz) {
        const std::int32_t x0 = x > 0 ? x : 0, x1 = x + dx < 63 ? x + dx : 63;
        const std::int32_t y0 = y > 0 ? y : 0, y1 = y + dy < 63 ? y + dy : 63;
        const std::int32_t z0 = z > 0 ? z : 0, z1 = z + dz < 63 ? z + dz : 63;
        if ((x1 - x0) < 0 || (y1 - y0) < 0 || (z1 - z0) < 0) return;
        const std::uint64_t mask = run_of(x0, x1);
        set(y0, z0, mask);
        set(y1, z1, mask);
        touch(y0, y1, z0, z1);
    }
    void any_size(std::uint32_t number) {
        CellRange clip;
        for (int k = 0; k < 3; ++k) {
            clip.low[k] = task_.low[k];
            clip.high[k] = task_.low[k] + kVoxelChunk - 1;
        }
        walk_rows(task_.soup.triangle(number), kVoxelShift, clip, any_row, this);
    }
    static void any_row(void* user, std::int32_t x0, std::int32_t x1, std::int32_t y, std::int32_t z) {
        auto& self = *static_cast<ChunkFill*>(user);
        const std::int32_t* low = self.task_.low;
        self.set(y - low[1], z - low[2], run_of(x0 - low[0], x1 - low[0]));
        self.touch(y - low[1], y - low[1], z - low[2], z - low[2]);
    }

    template <int N>
    FAIRLEAD_NOINLINE void flush(Waiting& waiting) {
        if (waiting.count == 0) return;
        for (int i = waiting.count; i < FAIRLEAD_LANES; ++i) std::memcpy(waiting.records[i], waiting.records[0], sizeof waiting.records[0]);
        const Masks<N> masks = small_masks<N>(waiting.records[0]);
        for (int i = 0; i < waiting.count; ++i) {
            const std::int32_t* const record = waiting.records[i];
            if (FAIRLEAD_UNLIKELY(lane(masks.has_area, i) == 0)) {
                any_size(static_cast<std::uint32_t>(record[11]));
                continue;
            }
            std::uint64_t mask = lane(masks.bits[0], i);
            if constexpr (N == 4) mask |= static_cast<std::uint64_t>(lane(masks.bits[1], i)) << 32;
            write<N>(mask, record[3], record[7]);
        }
        waiting.count = 0;
    }
    template <int N>
    FAIRLEAD_INLINE void write(std::uint64_t mask, std::int32_t from, std::int32_t more) {
        const std::int32_t x = unpack(from, 0), y = unpack(from, 1), z = unpack(from, 2);
        const std::uint64_t in_row = (2U << unpack(more, 0)) - 1U;
        const std::int32_t y_end = y + unpack(more, 1), z_end = z + unpack(more, 2);
        const std::int32_t y0 = y > 0 ? y : 0, y1 = y_end < 63 ? y_end : 63;
        const std::int32_t z0 = z > 0 ? z : 0, z1 = z_end < 63 ? z_end : 63;
        if (y0 > y1 || z0 > z1) return;
        for (std::int32_t k = z0; k <= z1; ++k) {
            for (std::int32_t j = y0; j <= y1; ++j) {
                const std::uint64_t row = (mask >> (N * (j - y) + N * N * (k - z))) & in_row;
                set(j, k, x >= 0 ? row << x : row >> -x);
            }
        }
        touch(y0, y1, z0, z1);
    }

    const ChunkTask& task_;
    ChunkBits& bits_;
    P low_;
    Waiting waiting_[3];
};

inline void fill(const ChunkTask& task, ChunkBits& bits) {
    ChunkFill job(task, bits);
    job.run();
}
