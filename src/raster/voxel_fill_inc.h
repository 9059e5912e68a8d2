// The triangles of a chunk, each by the way that suits its size: one voxel or a line of them; a window of 2, 3 or 4;
// any.
//
// tidy: allow(once): included for one lane, for four and for eight, each time in a namespace of its own

// Triangles that wait for their lanes. A record: each corner from the window's low corner, then the window's place in
// the chunk and how many voxels the triangle's box has beyond its first. Behind the first corner stands the
// triangle's number.
struct alignas(32) Waiting {
    std::int32_t records[FAIRLEAD_LANES][kRecord];
    int count = 0;
};

class ChunkFill {
  public:
    ChunkFill(const ChunkTask& task, ChunkBits& bits) : task_(task), bits_(bits) {
        low_ = load(LatticePoint{{task.low[0], task.low[1], task.low[2], 0}}.at);
        zero_ = load(LatticePoint{{0, 0, 0, 0}}.at);
        last_ = load(LatticePoint{{kVoxelChunk - 1, kVoxelChunk - 1, kVoxelChunk - 1, 0}}.at);
    }
    void run() {
        const LatticePoint* const points = task_.soup.points.data();
        for (const TriangleRun& run : task_.triangles) {
            const std::uint32_t* corners = task_.soup.corners + 3 * static_cast<std::size_t>(run.first);
            const std::uint32_t end = run.first + run.count;
            for (std::uint32_t i = run.first; i < end; ++i, corners += 3) add(i, corners, points);
        }
        flush<2>(waiting_[0]);
        flush<3>(waiting_[1]);
        flush<4>(waiting_[2]);
    }

  private:
    FAIRLEAD_INLINE void add(std::uint32_t number, const std::uint32_t* corners, const LatticePoint* points) {
        const P a = load(points[corners[0]].at);
        const P b = load(points[corners[1]].at);
        const P c = load(points[corners[2]].at);
        const P first = cells(lesser(lesser(a, b), c));
        const P more = minus(cells(greater(greater(a, b), c)), first);
        const P from = minus(first, low_);
        const std::int32_t x = more[0], y = more[1], z = more[2];
        const std::int32_t size = x | y | z;
        if (size > 3) return any_size(number);
        // A triangle of one voxel or of two that share a face meets all that its box does. What is no such line sets
        // no bits: a branch that nobody can foretell costs more than the work.
        const std::uint64_t is_line = static_cast<std::uint32_t>(x + y + z - 2) >> 31;
        const P low = greater(from, zero_);
        const P high = lesser(plus(from, more), last_);
        const std::uint64_t mask = is_line << (low[0] & 63) | is_line << (high[0] & 63);
        set(low[1], low[2], mask);
        set(high[1] & 63, high[2] & 63, mask);
        const bool has_three = (x == 3) | (y == 3) | (z == 3);
        const std::int32_t which = (size > 1 ? 1 : 0) + (has_three ? 1 : 0);
        Waiting& to = waiting_[which];
        std::int32_t* const record = to.records[to.count];
        const P base = from_cells(first);
        store(record, minus(a, base));
        store(record + 4, minus(b, base));
        store(record + 8, minus(c, base));
        store(record + 12, from);
        store(record + 16, more);
        record[3] = static_cast<std::int32_t>(number);
        to.count += 1 - static_cast<std::int32_t>(is_line);
        if (to.count < FAIRLEAD_LANES) return;
        if (which == 0) {
            flush<2>(to);
        } else if (which == 1) {
            flush<3>(to);
        } else {
            flush<4>(to);
        }
    }

    FAIRLEAD_INLINE void set(std::int32_t y, std::int32_t z, std::uint64_t mask) {
        bits_.rows[z * kVoxelChunk + y] |= mask;
    }
    static std::uint64_t run_of(std::int32_t x0, std::int32_t x1) {  // both within 0..63
        return (~std::uint64_t{0} << x0) & (~std::uint64_t{0} >> (63 - x1));
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
    }

    template <int N>
    FAIRLEAD_NOINLINE void flush(Waiting& waiting) {
        if (waiting.count == 0) return;
        for (int i = waiting.count; i < FAIRLEAD_LANES; ++i)
            std::memcpy(waiting.records[i], waiting.records[0], sizeof waiting.records[0]);
        const Masks<N> masks = small_masks<N>(waiting.records[0]);
        for (int i = 0; i < waiting.count; ++i) {
            const std::int32_t* const record = waiting.records[i];
            if (FAIRLEAD_UNLIKELY(lane(masks.has_area, i) == 0)) {
                any_size(static_cast<std::uint32_t>(record[3]));
                continue;
            }
            std::uint64_t mask = lane(masks.bits[0], i);
            if constexpr (N == 4) mask |= static_cast<std::uint64_t>(lane(masks.bits[1], i)) << 32;
            write<N>(mask, record + 12, record + 16);
        }
        waiting.count = 0;
    }
    // The bits of a window that lie within the triangle's box.
    template <int N>
    static FAIRLEAD_INLINE std::uint64_t box_of(std::int32_t x, std::int32_t y, std::int32_t z) {
        constexpr std::uint64_t kRows = N == 2 ? 0x55 : (N == 3 ? 0x1249249 : 0x1111111111111111);
        constexpr std::uint64_t kLayers = N == 2 ? 0x11 : (N == 3 ? 0x40201 : 0x0001000100010001);
        const std::uint64_t row = ((std::uint64_t{2} << x) - 1) * kRows;
        const std::uint64_t layer = ((std::uint64_t{1} << (N * y + N)) - 1) * kLayers;
        return row & layer & (~std::uint64_t{0} >> (64 - N * N - N * N * z));
    }
    template <int N>
    FAIRLEAD_INLINE void write(std::uint64_t mask, const std::int32_t* from, const std::int32_t* more) {
        const std::int32_t x = from[0], y = from[1], z = from[2];
        const std::int32_t dx = more[0], dy = more[1], dz = more[2];
        mask &= box_of<N>(dx, dy, dz);
        if (FAIRLEAD_UNLIKELY((x | y | z | (kVoxelChunk - N - y) | (kVoxelChunk - N - z)) < 0))
            return write_part<N>(mask, x, y, z, y + dy, z + dz);
        for (std::int32_t k = 0; k < N; ++k) {
            for (std::int32_t j = 0; j < N; ++j) {
                const std::uint64_t row = (mask >> (N * j + N * N * k)) & ((1U << N) - 1);
                set(y + j, z + k, row << x);
            }
        }
    }
    // Of a window that is not all in the chunk.
    template <int N>
    void write_part(std::uint64_t mask, std::int32_t x, std::int32_t y, std::int32_t z, std::int32_t y_end,
                    std::int32_t z_end) {
        const std::int32_t y0 = y > 0 ? y : 0, y1 = y_end < 63 ? y_end : 63;
        const std::int32_t z0 = z > 0 ? z : 0, z1 = z_end < 63 ? z_end : 63;
        if (y0 > y1 || z0 > z1) return;
        for (std::int32_t k = z0; k <= z1; ++k) {
            for (std::int32_t j = y0; j <= y1; ++j) {
                const std::uint64_t row = (mask >> (N * (j - y) + N * N * (k - z))) & ((1U << N) - 1);
                set(j, k, x >= 0 ? row << x : row >> -x);
            }
        }
    }

    const ChunkTask& task_;
    ChunkBits& bits_;
    P low_, zero_, last_;
    Waiting waiting_[3];
};

inline void fill_bits(const ChunkTask& task, ChunkBits& bits) {
    ChunkFill job(task, bits);
    job.run();
}
