// Dubins distances of FAIRLEAD_LANES pairs at once, each lane as dubins_distance does it: the same operations in the same
// order. What dubins_distance leaves out because it cannot win is worked out here and does not win.
//
// No include guard, as lanes_inc.h.

// Headings in [-pi, pi). Few are not.
FAIRLEAD_INLINE V in_range(V heading) {
    if (any((heading < -kPi) | (heading >= kPi))) {
        for (int i = 0; i < FAIRLEAD_LANES; ++i) heading[i] = in_one_turn(heading[i]);
    }
    return heading;
}

// The shortest of the words that begin to the left.
FAIRLEAD_INLINE V shortest_left(const Left& p) {
    const Middle lsl = line_of_lsl(p);
    V best = lsl.size + outer_arcs(lsl);
    const Opposite opposite = line_of_lsr(p);
    const V lsr = arcs_of_lsr(p, opposite).sum();
    best = select(opposite.exists() & (lsr < best), lsr, best);
    const M near = has_three_arcs(lsl) & (best >= 3.14);
    if (any(near)) {
        const Three lrl = middle_of_lrl(p, lsl);
        const V sum = lrl.arc + outer_arcs(lrl.m);
        best = select(near & (sum < best), sum, best);
    }
    return best;
}

FAIRLEAD_INLINE V distances_of(const Pose* from, const Pose* to, double radius) {
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
    const V ahead = way.cos * x + way.sin * y;
    const V aside = way.cos * y - way.sin * x;
    const V left = shortest_left({ahead, aside, in_full_turn(phi), goal.cos, goal.sin});
    const V right = shortest_left({ahead, 0.0 - aside, in_full_turn(0.0 - phi), goal.cos, 0.0 - goal.sin});
    return select(right < left, right, left) * radius;
}

FAIRLEAD_INLINE void store(V values, double* out, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) out[i] = values[static_cast<int>(i)];
}

inline void distances(const Pose* from, const Pose* to, double radius, double* out, std::size_t count) {
    constexpr std::size_t kLanes = FAIRLEAD_LANES;
    std::size_t at = 0;
    for (; at + kLanes <= count; at += kLanes) store(distances_of(from + at, to + at, radius), out + at, kLanes);
    if (at == count) return;
    Pose last_from[kLanes];
    Pose last_to[kLanes];
    for (std::size_t i = 0; i < kLanes; ++i) {
        const std::size_t source = at + i < count ? at + i : at;
        last_from[i] = from[source];
        last_to[i] = to[source];
    }
    store(distances_of(last_from, last_to, radius), out + at, count - at);
}
