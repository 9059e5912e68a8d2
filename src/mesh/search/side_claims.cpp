#include "mesh/search/side_claims.h"

#include <algorithm>
#include <cmath>

namespace fairlead::mesh {

namespace {

/// By less than this a way is not shorter.
constexpr double kSame = 1e-13;
/// Stretches of smaller shares are rounding.
constexpr double kNothing = 1e-13;
constexpr double kSamePlace = 1e-11;

}  // namespace

bool SideClaims::begin(std::size_t sides) {
    claims_.clear();
    stretches_.clear();
    if (++stamp_ == 0) {
        heads_.clear();
        stamp_ = 1;
    }
    return heads_.size() >= sides || heads_.resize(sides);
}

// Stretches come from the right to the left; those that touch are one.
bool SideClaims::win(double low, double high) {
    if (!(high - low > kNothing)) return true;
    if (!won.empty() && !(low - won.back().high > kNothing)) {
        won.back().high = high;
        return true;
    }
    return won.push_back({low, high, 0});
}

// Where the new way is shorter than an old one, between two shares. They are the same where |r - p| = |s - p| + k.
bool SideClaims::compete(const Claim& old, const Way& way, Vec2 right, Vec2 left, double low, double high) {
    const double k = old.g - way.g;
    const Vec2 between = way.root - old.root;
    // Whoever stands on the new root had better come from the old one.
    if (k <= 0.0 && k * k >= dot(between, between)) return true;
    const double wide = distance(right, left);
    const Vec2 along = (left - right) * (1.0 / wide);
    const double r = dot(way.root - right, along), r_off = cross(along, way.root - right);
    const double s = dot(old.root - right, along), s_off = cross(along, old.root - right);
    // |r - p|^2 - |s - p|^2 - k^2 = a t + b, and that is 2 k |s - p|.
    const double a = 2.0 * (s - r), b = r * r + r_off * r_off - s * s - s_off * s_off - k * k;
    const double square = a * a - 4.0 * k * k;
    const double linear = 2.0 * (a * b + 4.0 * k * k * s);
    const double rest = b * b - 4.0 * k * k * (s * s + s_off * s_off);
    double cuts[4] = {low, high, high, high};
    int count = 1;
    const auto cut = [&](double t) {
        const double share = t / wide;
        if (share > low && share < high) cuts[count++] = share;
    };
    const double under = linear * linear - 4.0 * square * rest;
    if (under >= 0.0) {
        // Without the difference of two numbers that are almost the same.
        const double q = -0.5 * (linear + (linear < 0.0 ? -std::sqrt(under) : std::sqrt(under)));
        if (square != 0.0) cut(q / square);
        if (q != 0.0) cut(rest / q);
    }
    if (count == 3 && cuts[1] > cuts[2]) std::swap(cuts[1], cuts[2]);
    cuts[count] = high;
    for (int i = 0; i < count; ++i) {
        const Vec2 p = right + (left - right) * ((cuts[i] + cuts[i + 1]) / 2.0);
        const double before = old.g + distance(old.root, p), now = way.g + distance(way.root, p);
        if (now < before - kSame * (before + wide) && !win(cuts[i], cuts[i + 1])) return false;
    }
    return true;
}

bool SideClaims::claim_point(std::uint32_t side, double share, double g, bool& better) {
    Head& head = head_of(side);
    better = true;
    for (std::uint32_t i = head.points; i != kNone; i = claims_[i].next) {
        if (std::fabs(claims_[i].low - share) > kSamePlace) continue;
        better = g < claims_[i].g;
        if (better) claims_[i].g = g;
        return true;
    }
    const auto number = static_cast<std::uint32_t>(claims_.size());
    if (!claims_.push_back({share, share, {}, g, 0, head.points})) return false;
    head.points = number;
    return true;
}

// Puts what was won into the list, and takes it from those that had it.
bool SideClaims::insert(Head& head, const Way& way) {
    std::uint32_t before = kNone;  // the last claim that ends where the stretch begins, or earlier
    const auto link = [&](std::uint32_t number) {
        (before == kNone ? head.first : claims_[before].next) = number;
    };
    for (Stretch& stretch : won) {
        std::uint32_t at = before == kNone ? head.first : claims_[before].next;
        for (; at != kNone && claims_[at].high <= stretch.low; at = claims_[at].next) before = at;
        if (at != kNone && claims_[at].low < stretch.low) {
            // What is left of it on the right; and on the left, if the stretch lies inside.
            Claim rest = claims_[at];
            claims_[at].high = stretch.low;
            before = at;
            at = rest.next;
            if (rest.high > stretch.high) {
                rest.low = stretch.high;
                at = static_cast<std::uint32_t>(claims_.size());
                ++stretches_[rest.stretch].claims;
                if (!claims_.push_back(rest)) return false;
            }
        }
        for (; at != kNone && claims_[at].high <= stretch.high; at = claims_[at].next)
            --stretches_[claims_[at].stretch].claims;
        if (at != kNone && claims_[at].low < stretch.high) claims_[at].low = stretch.high;
        stretch.number = static_cast<std::uint32_t>(stretches_.size());
        const auto number = static_cast<std::uint32_t>(claims_.size());
        if (!stretches_.push_back({1, way.over}) ||
            !claims_.push_back({stretch.low, stretch.high, way.root, way.g, stretch.number, at}))
            return false;
        link(number);
        before = number;
    }
    return true;
}

bool SideClaims::claim(std::uint32_t side, Vec2 right, Vec2 left, const Way& way) {
    won.clear();
    Head& head = head_of(side);
    double at = way.low;  // up to here it is decided
    for (std::uint32_t i = head.first; i != kNone && at < way.high; i = claims_[i].next) {
        const Claim& old = claims_[i];
        if (old.high <= at) continue;
        const double low = std::max(old.low, at), high = std::min(old.high, way.high);
        if (!win(at, std::min(low, way.high))) return false;
        if (low < high && !compete(old, way, right, left, low, high)) return false;
        at = std::max(at, high);
    }
    if (!win(at, way.high)) return false;
    return won.empty() || insert(head, way);
}

}  // namespace fairlead::mesh
