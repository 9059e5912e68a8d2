// The chunk of each triangle that lies in one.
//
// tidy: allow(once): included for one number at a time and for four, each time in a namespace of its own

inline void find_numbers(const LatticeSoup& soup, const ChunkGrid& grid, std::size_t first, std::size_t end,
                         std::uint32_t* numbers) {
    const LatticePoint* const points = soup.points.data();
    const std::size_t count = soup.points.size();
    const P last = load(LatticePoint{{grid.size[0] - 1, grid.size[1] - 1, grid.size[2] - 1, 0}}.at);
    const P side = load(LatticePoint{{kVoxelChunk - 1, kVoxelChunk - 1, kVoxelChunk - 1, 0}}.at);
    for (std::size_t i = first; i < end; ++i) {
        const std::uint32_t* const corners = soup.corners + 3 * i;
        if (FAIRLEAD_LIKELY((corners[0] < count) & (corners[1] < count) & (corners[2] < count))) {
            const P a = load(points[corners[0]].at);
            const P b = load(points[corners[1]].at);
            const P c = load(points[corners[2]].at);
            const P low = cells(lesser(lesser(a, b), c));
            const P high = cells(greater(greater(a, b), c));
            // Below 0: it lies beyond the bounds, or something is wrong with a corner.
            if (FAIRLEAD_LIKELY(!any_below_0(either(low, minus(last, high))))) {
                const bool in_one = !any_below_0(minus(side, differing(low, high)));
                numbers[i] = in_one ? grid.number(low[0] >> 6, low[1] >> 6, low[2] >> 6) : kSeveral;
                continue;
            }
        }
        numbers[i] = other_number(soup, grid, i);
    }
}
