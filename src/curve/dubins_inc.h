// Lengths of the Dubins words whose first arc is to the left, one problem a lane. The others are those of the mirror image.
//
// LSL and three arcs need no angle of their own. Their first and last arc together turn by what the headings and the middle
// leave, or by a full turn more; which of the two follows from signs of cross products (the idea of Shkel and Lumelsky 2001,
// who decide by quadrants). So the two inverse functions left are one for LSR and one for the middle of three arcs.
//
// tidy: allow(once): included for two lanes and for four, each time in a namespace of its own

// The start is at the origin and heads along x.
struct Left {
    V x, y;      // the goal, in radii
    V turn;      // its heading, in [0, 2 pi]
    V cos, sin;  // of it
};

FAIRLEAD_INLINE V in_full_turn(V a) { return select(a < 0.0, a + kTwoPi, a); }  // from [-2 pi, 2 pi)

// What a difference of kNear between two places is worth at this size.
FAIRLEAD_INLINE V slack(V size) { return kNear + kAngleRounding * size; }

// An arc of a full turn is none where that moves the far end of a line of this length no more than the slack.
FAIRLEAD_INLINE V no_full_turn(V arc, V line) {
    const V reach = line + 1.0;
    return select((kTwoPi - arc) * reach < slack(reach), fill(0.0), arc);
}

// A word's middle part: it leaves the first circle along (x, y), a vector as long as what lies between the two centres. The
// goal's heading, turned back by the middle if that is an arc, and what the first and last arc have to turn together, less
// full turns.
struct Middle {
    V x, y, size;
    V cos, sin;
    V rest;
};

struct Arcs {
    V t, p, q;
    [[nodiscard]] FAIRLEAD_INLINE V sum() const { return t + p + q; }
};

// Whether the first arc reaches the middle's direction before it has turned by `rest`.
FAIRLEAD_INLINE M within(const Middle& m) {
    const V least = 0.0 - slack(m.size);
    const M after_start = m.y >= least;
    const M before_goal = m.x * m.sin - m.y * m.cos >= least;
    const M ahead = m.x * (m.cos + 1.0) + m.y * m.sin >= least;
    return (after_start & before_goal & ahead) | ((after_start | before_goal) & (m.rest >= kPi));
}

FAIRLEAD_INLINE V outer_arcs(const Middle& m) { return m.rest + select(within(m), fill(0.0), fill(kTwoPi)); }

// The same arcs one by one. Within up to the slack only: what is beyond is nothing or all.
FAIRLEAD_INLINE Arcs split(const Middle& m, V length) {
    const M inside = within(m);
    const V t = in_full_turn(angle(m.y, m.x));
    const V end = select(t - m.rest < kTwoPi - t, m.rest, fill(0.0));
    const V first = select(inside & (m.rest < t), end, t);
    return {first, length, select(inside, m.rest, m.rest + kTwoPi) - first};
}

FAIRLEAD_INLINE Middle line_of_lsl(const Left& p) {
    Middle m;
    m.x = p.x - p.sin;
    m.y = p.y - 1.0 + p.cos;
    m.size = root(m.x * m.x + m.y * m.y);
    m.cos = p.cos;
    m.sin = p.sin;
    m.rest = no_full_turn(p.turn, m.size);
    return m;
}

struct Opposite {
    V x, y;
    V rest;  // negative: none
    V line;

    [[nodiscard]] FAIRLEAD_INLINE M exists() const { return rest >= -kNear; }
};

FAIRLEAD_INLINE Opposite line_of_lsr(const Left& p) {
    Opposite o;
    o.x = p.x + p.sin;
    o.y = p.y - 1.0 - p.cos;
    o.rest = o.x * o.x + o.y * o.y - 4.0;
    o.line = root(not_below_zero(o.rest));
    return o;
}

// v = u (p - 2 i) with u the direction of the line, so u = v (p + 2 i) / |v|^2.
FAIRLEAD_INLINE Arcs arcs_of_lsr(const Left& p, const Opposite& o) {
    const V t = in_full_turn(angle(o.x * 2.0 + o.y * o.line, o.x * o.line - o.y * 2.0));
    return {no_full_turn(t, o.line), o.line, no_full_turn(in_full_turn(t - p.turn), o.line)};
}

// Three arcs: the middle circle touches both others; of the two places for it the one that makes its arc longer than half a
// turn. v (|v|/4 + i sqrt(1 - |v|^2/16)) / |v| points from the first centre to the middle one; the unit heads along i times
// that as it leaves the first circle.
struct Three {
    Middle m;
    V arc;
};

FAIRLEAD_INLINE M has_three_arcs(const Middle& lsl) {
    return (lsl.size < 4.0 + 0.1 * kNear) & (lsl.size >= kNear);
}

// Whether they may be shorter than `best`. With A = asin(size / 4) <= size pi / 8 the middle arc is 2 pi - 2 A, and the outer
// ones are at least turn - 2 A, or 4 pi + turn - 4 A in all.
FAIRLEAD_INLINE M may_win(const Left& p, V size, V best) {
    const V more = best - (kTwoPi - 1e-6);
    return (size < 4.01) & (0.0 - size * (kPi / 4) < more) & (p.turn - size * kHalfPi < more);
}

FAIRLEAD_INLINE Three middle_of_lrl(const Left& p, const Middle& lsl) {
    const V quarter = lsl.size * 0.25;
    const V height = root(not_below_zero(1.0 - quarter * quarter));
    const V half = angle(quarter, height);
    Three three;
    three.arc = kTwoPi - 2.0 * half;
    three.m.x = 0.0 - (lsl.x * height + lsl.y * quarter);
    three.m.y = lsl.x * quarter - lsl.y * height;
    three.m.size = lsl.size;
    const V cos = height * height - quarter * quarter;
    const V sin = 2.0 * quarter * height;
    three.m.cos = p.cos * cos + p.sin * sin;
    three.m.sin = p.sin * cos - p.cos * sin;
    three.m.rest = no_full_turn(in_full_turn(p.turn - 2.0 * half), fill(0.0));
    return three;
}
