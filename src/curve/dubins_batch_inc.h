// Dubins distances of FAIRLEAD_LANES pairs at once, each lane as dubins_distance does it: the same operations in the same
// order. What dubins_distance leaves out because it cannot win is worked out here and does not win.
//
// tidy: allow(once): included for two lanes and for four, each time in a namespace of its own

// Headings in [-pi, pi). Few are not.
FAIRLEAD_INLINE V in_range(V heading) {
    if (any((heading < -kPi) | (heading >= kPi))) {
        for (int i = 0; i < FAIRLEAD_LANES; ++i) heading[i] = in_one_turn(heading[i]);
    }
    return heading;
}

FAIRLEAD_INLINE V load(const double* from) {
    V out;
    std::memcpy(&out, from, sizeof out);
    return out;
}
FAIRLEAD_INLINE void store(V values, double* to) { std::memcpy(to, &values, sizeof values); }

// So many pairs at a time, in steps that are short enough for the processor to work on several groups of lanes at once.
inline constexpr int kBlock = 64;

struct Block {
    double x[kBlock], y[kBlock], turn[kBlock], cos[kBlock], sin[kBlock];
    double size[kBlock];                         // of LSL's line
    std::int32_t near[kBlock + FAIRLEAD_LANES];  // which may have three arcs

    [[nodiscard]] FAIRLEAD_INLINE Left left(int i) const {
        return {load(x + i), load(y + i), in_full_turn(load(turn + i)), load(cos + i), load(sin + i)};
    }
};

FAIRLEAD_INLINE void see_from_start(const Pose* from, const Pose* to, double radius, Block& block, int i) {
    const double scale = 1.0 / radius;
    const V x = (xs(to) - xs(from)) * scale;
    const V y = (ys(to) - ys(from)) * scale;
    const V start = in_range(headings(from));
    V phi = in_range(headings(to)) - start;
    phi = select(phi < -kPi, phi + kTwoPi, phi);
    phi = select(phi >= kPi, phi - kTwoPi, phi);
    FAIRLEAD_ASSERT(every((phi >= -kPi) & (kCurveSpanMax * kCurveSpanMax >= x * x + y * y)));
    const SinCos way = sin_cos(start);
    const SinCos goal = sin_cos(phi);
    store(way.cos * x + way.sin * y, block.x + i);
    store(way.cos * y - way.sin * x, block.y + i);
    store(phi, block.turn + i);
    store(goal.cos, block.cos + i);
    store(goal.sin, block.sin + i);
}

inline void mirror(Block& block, int count) {
    for (int i = 0; i < count; i += FAIRLEAD_LANES) {
        store(0.0 - load(block.y + i), block.y + i);
        store(0.0 - load(block.turn + i), block.turn + i);
        store(0.0 - load(block.sin + i), block.sin + i);
    }
}

inline void two_arcs_one_way(Block& block, double* best, int count) {
    for (int i = 0; i < count; i += FAIRLEAD_LANES) {
        const Middle lsl = line_of_lsl(block.left(i));
        const V sum = lsl.size + outer_arcs(lsl);
        store(lsl.size, block.size + i);
        const V old = load(best + i);
        store(select(sum < old, sum, old), best + i);
    }
}

inline void two_arcs_opposite(const Block& block, double* best, int count) {
    for (int i = 0; i < count; i += FAIRLEAD_LANES) {
        const Left p = block.left(i);
        const Opposite opposite = line_of_lsr(p);
        const V sum = arcs_of_lsr(p, opposite).sum();
        const V old = load(best + i);
        store(select(opposite.exists() & (sum < old), sum, old), best + i);
    }
}

inline void three_arcs(Block& block, double* best, int count) {
    int found = 0;
    for (int i = 0; i < count; i += FAIRLEAD_LANES) {
        const int may = bits(may_win(block.left(i), load(block.size + i), load(best + i)));
        for (int k = 0; k < FAIRLEAD_LANES; ++k) {
            block.near[found] = i + k;
            found += (may >> k) & 1;
        }
    }
    for (int i = 0; i < FAIRLEAD_LANES; ++i) block.near[found + i] = found > 0 ? block.near[0] : 0;
    for (int i = 0; i < found; i += FAIRLEAD_LANES) {
        const std::int32_t* at = block.near + i;
        const Left p{pick(block.x, at), pick(block.y, at), in_full_turn(pick(block.turn, at)),
                     pick(block.cos, at), pick(block.sin, at)};
        const Middle lsl = line_of_lsl(p);
        const Three lrl = middle_of_lrl(p, lsl);
        const V sum = select(has_three_arcs(lsl), lrl.arc + outer_arcs(lrl.m), fill(1e300));
        for (int k = 0; k < FAIRLEAD_LANES; ++k) best[at[k]] = sum[k] < best[at[k]] ? sum[k] : best[at[k]];
    }
}

// count <= kBlock, a multiple of FAIRLEAD_LANES.
inline void block_distances(const Pose* from, const Pose* to, double radius, int count, double* best) {
    Block block;
    for (int i = 0; i < count; i += FAIRLEAD_LANES) {
        see_from_start(from + i, to + i, radius, block, i);
        store(fill(1e300), best + i);
    }
    for (int side = 0; side < 2; ++side) {
        if (side == 1) mirror(block, count);
        two_arcs_one_way(block, best, count);
        two_arcs_opposite(block, best, count);
        three_arcs(block, best, count);
    }
    for (int i = 0; i < count; i += FAIRLEAD_LANES) store(load(best + i) * radius, best + i);
}

inline void distances(const Pose* from, const Pose* to, double radius, double* out, std::size_t count) {
    constexpr std::size_t kLanes = FAIRLEAD_LANES;
    const std::size_t whole = count - count % kLanes;
    for (std::size_t at = 0; at < whole; at += kBlock) {
        const std::size_t some = whole - at < kBlock ? whole - at : kBlock;
        block_distances(from + at, to + at, radius, static_cast<int>(some), out + at);
    }
    if (whole == count) return;
    Pose last_from[kLanes];
    Pose last_to[kLanes];
    double last[kLanes];
    for (std::size_t i = 0; i < kLanes; ++i) {
        const std::size_t source = whole + i < count ? whole + i : whole;
        last_from[i] = from[source];
        last_to[i] = to[source];
    }
    block_distances(last_from, last_to, radius, static_cast<int>(kLanes), last);
    for (std::size_t i = whole; i < count; ++i) out[i] = last[i - whole];
}
