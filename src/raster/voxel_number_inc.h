// The chunk of each triangle that lies in one.
//
// tidy: allow(once): included for one number at a time and for four, each time in a namespace of its own

inline void find_numbers(const LatticeSoup& soup, const ChunkGrid& grid, std::size_t first, std::size_t end,
                         std::uint32_t* numbers) {
    const LatticePoint* const points = soup.points.data();
    const std::size_t count = soup.points.size();
    const P last = load(LatticePoint{{grid.size[0] - 1, grid.size[1] - 1, grid.size[2] - 1, 0}}.at);
    for (std::size_t i = first; i < end; ++i) {
        const std::uint32_t* const corners = soup.corners + 3 * i;
        if (FAIRLEAD_LIKELY((corners[0] < count) & (corners[1] < count) & (corners[2] < count))) {
            const P a = load(points[corners[0]].at);
            const P b = load(points[corners[1]].at);
            const P c = load(points[corners[2]].at);
            const P low = lesser(lesser(a, b), c);
            const P high = greater(greater(a, b), c);
            const P low_cell = cells(low);
            const P high_cell = cells(high);
            // Behind the corners stands what is wrong with them: above 0 if anything is. A difference below 0: beyond
            // the bounds.
            const P beyond = minus(last, high_cell);
            const std::int32_t x = low_cell[0], y = low_cell[1], z = low_cell[2];
            const std::int32_t outside = x | y | z | beyond[0] | beyond[1] | beyond[2] | -high[3];
            const std::int32_t differ = (x ^ high_cell[0]) | (y ^ high_cell[1]) | (z ^ high_cell[2]);
            if (FAIRLEAD_LIKELY(outside >= 0)) {
                numbers[i] = differ < kVoxelChunk ? grid.number(x >> 6, y >> 6, z >> 6) : kSeveral;
                continue;
            }
        }
        numbers[i] = other_number(soup, grid, i);
    }
}
