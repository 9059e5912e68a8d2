// The blockers of one query in buckets, so that a step looks at those beside it and not at all 65,536.
//
// The ground is cut into squares of side s, 2 s, 4 s, ... Each blocker's box goes to the level whose squares are at least as
// long as the box, and so into at most 2 x 2 of them (3 x 3 where a seam cuts one); s is at least the width of the body, so
// that a step looks at a few squares of each level. The squares are kept in a hash table of chains: sorting in a blocker takes
// the same time whatever there is already, which lets a query prepare in slices, and a new query forgets the table by a new
// stamp. On a wrapped axis places are taken modulo its size, the last square of a lap being cut short.
//
// Without the buckets an expansion among 1,000 blockers took 82 us and among 65,536 7.7 ms (./run bench budget).

#include "route/blocker_index.h"

#include <cmath>

namespace fairlead::route {

namespace {

constexpr double kSideMin = 1.0;
constexpr double kMargin = 1e-6;  // more than any rounding on a map
constexpr double kLapsKnown =
    0x1p40;  // further out, a coordinate does not tell the place in its lap well enough

std::uint64_t mixed(std::uint64_t v) {
    v = (v ^ (v >> 30)) * 0xbf58476d1ce4e5b9ULL;
    v = (v ^ (v >> 27)) * 0x94d049bb133111ebULL;
    return v ^ (v >> 31);
}

double between(double value, double low, double high) {
    return value < low ? low : (value > high ? high : value);
}

// Of a map that ends: one map's size on either side is told apart. Boxes that meet still meet when both are cut to that.
double in_window(double value, double size) { return between(value, -size, 2.0 * size); }

}  // namespace

Aabb box_of(const Blocker& blocker) {
    const Vec2 size{blocker.radius, blocker.radius};
    return blocker.box.empty() ? Aabb{blocker.centre - size, blocker.centre + size} : blocker.box;
}

bool BlockerIndex::begin(const Axis& across, const Axis& along, std::size_t count, double reach) {
    places_.clear();
    entries_.clear();
    far_.clear();
    levels_ = 0;
    across_ = across;
    along_ = along;
    // About one blocker a square, if they are spread over the map.
    const double spread = std::sqrt(across_.size * along_.size / static_cast<double>(count));
    side_ = kSideMin;
    while (side_ < 2.0 * reach + 1.0 || side_ < spread) side_ *= 2.0;

    std::size_t slots = 16;
    while (slots < 2 * count) slots *= 2;
    mask_ = static_cast<std::uint32_t>(slots - 1);
    ++stamp_;
    if (stamp_ == 0 || heads_.size() < slots) {
        heads_.clear();
        stamp_ = 1;
        if (!heads_.resize(slots)) return false;  // zero bytes: of stamp 0
    }
    return true;
}

BlockerIndex::Buckets BlockerIndex::buckets(const Axis& axis, std::uint32_t level, double low,
                                            double high) const {
    const double long_as = side(level);
    const auto at = [long_as](double p) { return static_cast<std::int32_t>(std::floor(p / long_as)); };
    low -= kMargin;
    high += kMargin;
    Buckets out;
    if (!axis.wraps) {
        out.part[0] = {at(in_window(low, axis.size)), at(in_window(high, axis.size))};
        return out;
    }
    const std::int32_t last = at(axis.size);
    if (!(high - low < axis.size)) {
        out.part[0] = {0, last};
        return out;
    }
    const double from = between(low - std::floor(low / axis.size) * axis.size, 0.0, axis.size);
    const double to = from + (high - low);
    out.part[0] = {at(from), to < axis.size ? at(to) : last};
    if (to >= axis.size) out.part[1] = {0, at(to - axis.size)};
    // Round the whole axis they meet in one square, which is to be gone through once.
    if (out.part[1].high >= out.part[0].low) {
        out.part[0] = {0, last};
        out.part[1] = {};
    }
    return out;
}

BlockerIndex::Range BlockerIndex::rows_of(std::span<const Vec2> corners, double reach,
                                          std::uint32_t level) const {
    double low = corners[0].y;
    double high = low;
    for (const Vec2 p : corners) {
        low = p.y < low ? p.y : low;
        high = p.y > high ? p.y : high;
    }
    return buckets(along_, level, low - reach, high + reach).part[0];
}

BlockerIndex::Range BlockerIndex::columns_of(std::span<const Vec2> corners, double reach, std::uint32_t level,
                                             std::int32_t y) const {
    // The rows that blockers may hang over, as in_window() cuts them.
    const double bottom = y * side(level) - reach - kMargin;
    const double top = (y + 1) * side(level) + reach + kMargin;
    const bool first = y * side(level) <= -along_.size;
    const bool last = (y + 1) * side(level) > 2.0 * along_.size;
    double low = HUGE_VAL;
    double high = -HUGE_VAL;
    for (std::size_t i = 0; i < corners.size(); ++i) {
        const Vec2 a = corners[i];
        const Vec2 b = corners[i + 1 < corners.size() ? i + 1 : 0];
        const double under = a.y < b.y ? a.y : b.y;
        const double over = a.y < b.y ? b.y : a.y;
        if ((over < bottom && !first) || (under > top && !last)) continue;
        // Where the side enters and leaves the row; level sides, and what lies out of the window, as a whole.
        double from = 0.0;
        double to = 1.0;
        if (over - under > kMargin && !first && !last) {
            const double k = 1.0 / (b.y - a.y);
            from = between(((a.y < b.y ? bottom : top) - a.y) * k, 0.0, 1.0);
            to = between(((a.y < b.y ? top : bottom) - a.y) * k, 0.0, 1.0);
        }
        const double x = a.x + (b.x - a.x) * from;
        const double end = a.x + (b.x - a.x) * to;
        low = between(x < end ? x : end, -HUGE_VAL, low);
        high = between(x < end ? end : x, high, HUGE_VAL);
    }
    if (!(low <= high)) return {};
    return buckets(across_, level, low - reach, high + reach).part[0];
}

std::uint32_t BlockerIndex::slot(std::uint32_t level, std::int32_t layer, std::int32_t x,
                                 std::int32_t y) const {
    const std::uint64_t place =
        (static_cast<std::uint64_t>(static_cast<std::uint32_t>(y)) << 32) | static_cast<std::uint32_t>(x);
    const std::uint64_t which = (static_cast<std::uint64_t>(level) << 32) | static_cast<std::uint32_t>(layer);
    return static_cast<std::uint32_t>(mixed(place + 0x9e3779b97f4a7c15ULL * which)) & mask_;
}

std::int32_t BlockerIndex::first_common(const Buckets& asked, const Buckets& covered) {
    for (const Range& a : asked.part) {
        std::int32_t best = INT32_MAX;
        for (const Range& c : covered.part) {
            const std::int32_t low = a.low > c.low ? a.low : c.low;
            const std::int32_t high = a.high < c.high ? a.high : c.high;
            if (low <= high && low < best) best = low;
        }
        if (best != INT32_MAX) return best;
    }
    return INT32_MAX;
}

bool BlockerIndex::add(const Blocker& blocker) {
    const Aabb box = box_of(blocker);
    const auto number = static_cast<std::uint32_t>(places_.size());
    const auto length = [](const Axis& axis, double low, double high) {
        if (axis.wraps) return high - low < axis.size ? high - low : axis.size;
        return in_window(high, axis.size) - in_window(low, axis.size);
    };
    const double wide = length(across_, box.low.x, box.high.x);
    const double tall = length(along_, box.low.y, box.high.y);
    Place place{.layer = blocker.layer};
    while (place.level + 1 < kLevelsMax && side(place.level) < (wide < tall ? tall : wide)) ++place.level;

    const auto unknown = [](const Axis& axis, double low, double high) {
        return axis.wraps && !(low > -kLapsKnown && high < kLapsKnown);
    };
    if (unknown(across_, box.low.x, box.high.x) || unknown(along_, box.low.y, box.high.y)) {
        return places_.push_back(place) && far_.push_back(number);
    }
    place.x = buckets(across_, place.level, box.low.x, box.high.x);
    place.y = buckets(along_, place.level, box.low.y, box.high.y);
    if (!places_.push_back(place)) return false;
    levels_ |= 1U << place.level;
    for (const Range& row : place.y.part) {
        for (std::int32_t y = row.low; y <= row.high; ++y) {
            for (const Range& column : place.x.part) {
                for (std::int32_t x = column.low; x <= column.high; ++x) {
                    Head& head = heads_[slot(place.level, place.layer, x, y)];
                    const std::uint32_t next = head.stamp == stamp_ ? head.first : kNone;
                    head = {stamp_, static_cast<std::uint32_t>(entries_.size())};
                    if (!entries_.push_back({number, next, x, y})) return false;
                }
            }
        }
    }
    return true;
}

}  // namespace fairlead::route
