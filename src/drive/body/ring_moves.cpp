// Directional-8, -24 and -48 (Pinter 2001): from the middle of a tile to the middle of each tile around, and to every heading
// there, by the shortest of the four curves of arc, line, arc. However far a curve swings out: a turn on the spot's
// neighbour is a full loop, and nearly always blocked. With every word all six of Dubins (1957) are moves of their own: where
// the shortest is blocked, another may be free.

#include "drive/body/ring_moves.h"

#include <cmath>
#include <span>

#include <fairlead/curve/dubins.h>

namespace fairlead::drive {

namespace {

constexpr double kSameWord = 1e-6;  // radii

bool is_arc_line_arc(const CurveWord& word) { return word.segments[1].steer == Steer::straight; }

// A word without what has no length, and with arcs that follow each other on one circle as one.
CurveWord joined(const CurveWord& word) {
    CurveWord out;
    for (const CurveSegment& segment : word.used()) {
        if (std::fabs(segment.amount) < kSameWord) continue;
        const bool goes_on = out.count > 0 && out.segments[out.count - 1].steer == segment.steer;
        if (goes_on) {
            out.segments[out.count - 1].amount += segment.amount;
        } else {
            out.segments[out.count++] = segment;
        }
    }
    return out;
}

// Do two words drive the same curve?
bool same_curve(const CurveWord& a, const CurveWord& b) {
    const CurveWord one = joined(a);
    const CurveWord other = joined(b);
    if (one.count != other.count) return false;
    for (std::int32_t i = 0; i < one.count; ++i) {
        if (one.segments[i].steer != other.segments[i].steer) return false;
        if (std::fabs(one.segments[i].amount - other.segments[i].amount) > kSameWord) return false;
    }
    return true;
}

// Of two equally long the one that turns left first.
bool is_better(const CurveWord& a, const CurveWord& b) {
    if (std::fabs(a.length - b.length) > kSameWord) return a.length < b.length;
    return a.segments[0].steer > b.segments[0].steer;
}

// The words of one move, at most six.
std::size_t choose_words(const PrimitiveOptions& options, std::span<const CurveWord> all,
                         std::span<CurveWord, kDubinsWords> chosen) {
    std::size_t count = 0;
    for (const CurveWord& word : all) {
        if (options.every_word) {
            bool known = false;
            for (std::size_t i = 0; i < count; ++i) known = known || same_curve(chosen[i], word);
            if (!known) chosen[count++] = word;
        } else if (is_arc_line_arc(word) && (count == 0 || is_better(word, chosen[0]))) {
            chosen[0] = word;
            count = 1;
        }
    }
    return count;
}

}  // namespace

bool append_ring_moves(const PrimitiveOptions& options, Array<Primitive>& moves) {
    const std::int32_t headings = options.headings;
    const auto append = [&](std::int32_t from, std::int32_t dx, std::int32_t dy, std::int32_t to) {
        const Pose start{{}, heading_rad(headings, from)};
        const Pose end{{static_cast<double>(dx), static_cast<double>(dy)}, heading_rad(headings, to)};
        CurveWord words[kDubinsWords];
        CurveWord chosen[kDubinsWords];
        const auto all = static_cast<std::size_t>(dubins_words(start, end, options.turning_radius, words));
        const std::size_t count = choose_words(options, std::span(words, all), chosen);
        for (std::size_t i = 0; i < count; ++i) {
            Primitive made;
            made.word = chosen[i];
            made.length = made.word.length * options.turning_radius;
            made.dx = static_cast<std::int8_t>(dx);
            made.dy = static_cast<std::int8_t>(dy);
            made.from = static_cast<std::uint8_t>(from);
            made.to = static_cast<std::uint8_t>(to);
            if (!moves.push_back(made)) return false;
        }
        return true;
    };
    const std::int32_t far = options.rings;
    for (std::int32_t from = 0; from < headings; ++from) {
        for (std::int32_t dy = -far; dy <= far; ++dy) {
            for (std::int32_t dx = -far; dx <= far; ++dx) {
                if (dx == 0 && dy == 0) continue;
                for (std::int32_t to = 0; to < headings; ++to) {
                    if (!append(from, dx, dy, to)) return false;
                }
            }
        }
    }
    return true;
}

}  // namespace fairlead::drive
