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
    if (++stamp_ == 0) {
        heads_.clear();
        stamp_ = 1;
    }
    return heads_.size() >= sides || heads_.resize(sides);
}

bool SideClaims::append(const Claim& claim) {
    if (!(claim.high - claim.low > kNothing)) return true;
    const auto number = static_cast<std::uint32_t>(claims_.size());
    if (!claims_.push_back(claim)) return false;
    claims_[number].next = kNone;
    if (last_ != kNone) claims_[last_].next = number;
    if (first_ == kNone) first_ = number;
    last_ = number;
    winning_ = false;
    return true;
}

bool SideClaims::win(const Way& way, double low, double high) {
    if (!(high - low > kNothing)) return true;
    if (winning_) {
        claims_[last_].high = won.back().high = high;
        return true;
    }
    if (!append({low, high, way.root, way.g}) || !won.push_back({low, high})) return false;
    winning_ = true;
    return true;
}

// Where the new way is shorter than an old one, between two shares. They are the same where |r - p| = |s - p| + k.
bool SideClaims::compete(const Claim& old, const Way& way, Vec2 right, Vec2 left, double low, double high) {
    const double wide = distance(right, left);
    const Vec2 along = (left - right) * (1.0 / wide);
    const double k = old.g - way.g;
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
        Claim kept = old;
        kept.low = cuts[i];
        kept.high = cuts[i + 1];
        const bool better = now < before - kSame * (before + wide);
        if (!(better ? win(way, cuts[i], cuts[i + 1]) : append(kept))) return false;
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
    if (!claims_.push_back({share, share, {}, g, head.points})) return false;
    head.points = number;
    return true;
}

bool SideClaims::claim(std::uint32_t side, Vec2 right, Vec2 left, const Way& way) {
    won.clear();
    const Head& head = head_of(side);
    first_ = last_ = kNone;
    winning_ = false;
    double at = way.low;  // up to here it is decided
    for (std::uint32_t i = head.first; i != kNone;) {
        const Claim old = claims_[i];
        i = old.next;
        const double low = std::max(old.low, way.low), high = std::min(old.high, way.high);
        if (old.low >= way.high && at < way.high) {
            if (!win(way, at, way.high)) return false;
            at = way.high;
        }
        if (low >= high) {
            if (!append(old)) return false;
            continue;
        }
        Claim rest = old;
        rest.high = low;
        if (!append(rest) || (at < low && !win(way, at, low))) return false;
        if (!compete(old, way, right, left, low, high)) return false;
        at = high;
        rest = old;
        rest.low = high;
        if (!append(rest)) return false;
    }
    if (at < way.high && !win(way, at, way.high)) return false;
    heads_[side].first = first_;
    return true;
}

}  // namespace fairlead::mesh
