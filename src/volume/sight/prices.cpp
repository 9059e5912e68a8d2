// See prices.h. A line is cut where it enters or leaves a region; between two cuts the rate is that in the middle.
#include "volume/sight/prices.h"

#include <algorithm>
#include <cmath>

namespace fairlead::volume {

namespace {

constexpr std::size_t kPricesMax = 65536;

// The part of the line a + t d in a box, low sides included. False: none.
bool cut_box(const math::SpaceBox& box, const double (&a)[3], const double (&d)[3], double& from,
             double& to) {
    for (int k = 0; k < 3; ++k) {
        const double low = box.low[k] - a[k], high = box.high[k] - a[k];
        if (d[k] == 0.0) {
            if (low > 0.0 || high <= 0.0) return false;
            continue;
        }
        from = std::max(from, std::min(low / d[k], high / d[k]));
        to = std::min(to, std::max(low / d[k], high / d[k]));
    }
    return from < to;
}

bool cut_ball(const Obstacle& o, const double (&a)[3], const double (&d)[3], double& from, double& to) {
    double dd = 0.0, ad = 0.0, aa = 0.0;
    for (int k = 0; k < 3; ++k) {
        const double p = a[k] - o.box.low[k];
        dd += d[k] * d[k];
        ad += p * d[k];
        aa += p * p;
    }
    const double root = ad * ad - dd * (aa - o.radius * o.radius);
    if (!(root > 0.0)) return false;
    const double half = std::sqrt(root);
    from = std::max(from, (-ad - half) / dd);
    to = std::min(to, (-ad + half) / dd);
    return from < to;
}

// Time for a unit of length over ground, for a unit of speed 1 (Zermelo 1931). `c`: share of the current along the way.
double rate_of_current(double c, double squared) {
    return 1.0 / (c + std::sqrt(std::max(1.0 - squared + c * c, 0.0)));
}

}  // namespace

Result<void> check_prices(const StateData& state, std::span<const VolumeArea> prices) {
    if (prices.size() > kPricesMax) return Error{ErrorCode::size_limit, Field::areas, kPricesMax};
    for (std::size_t i = 0; i < prices.size(); ++i) {
        const VolumeArea& price = prices[i];
        const auto bad = [&](ErrorCode code) {
            return Error{code, Field::areas, static_cast<std::int64_t>(i), 0};
        };
        const Result<void> good = check_blocker(state, price.region);
        if (!good) return bad(good.error().code);
        if (!std::isfinite(price.factor) || !is_finite(price.drift)) return bad(ErrorCode::not_finite);
        if (!(price.factor >= 1.0 && price.factor <= kDangerMost) ||
            dot(price.drift, price.drift) > kCurrentMost * kCurrentMost * (1.0 + 1e-12))
            return bad(ErrorCode::out_of_range);
    }
    return {};
}

bool Prices::begin(const StateData& state, std::span<const VolumeArea> prices) {
    prices_ = prices;
    least_ = most_ = 1.0;
    if (prices.empty()) return true;
    scale_ = state.scale;
    side_ = std::min({scale_.x, scale_.y, scale_.z});
    double dangers = 1.0, strongest = 0.0;
    for (const VolumeArea& price : prices) {
        dangers = std::min(dangers + (price.factor - 1.0), kDangerMost);
        strongest = std::max(strongest, dot(price.drift, price.drift));
    }
    least_ = 1.0 / (1.0 + std::sqrt(strongest)) * (1.0 - 1e-12);
    most_ = dangers / (1.0 - std::min(std::sqrt(strongest), kCurrentMost)) * (1.0 + 1e-12);
    return tree_.begin_areas(state, prices) && spans_.reserve(prices.size()) &&
           shares_.reserve(2 * prices.size() + 2);
}

// Of the regions in spans_, in the order of the query.
double Prices::rate_at(double share, Vec3 along) const {
    double danger = 1.0;
    const Vec3* drift = nullptr;
    for (const Span& span : spans_) {
        if (share < span.from || share >= span.to) continue;
        const VolumeArea& price = prices_[span.price];
        danger += price.factor - 1.0;
        if (!(price.drift == Vec3{})) drift = &price.drift;
    }
    danger = std::min(danger, kDangerMost);
    return drift == nullptr ? danger : danger * rate_of_current(dot(*drift, along), dot(*drift, *drift));
}

double Prices::of_line(Vec3 from, Vec3 to) {
    const Vec3 way = to - from;
    const double length = std::sqrt(dot(way, way));
    dearest_ = 0.5;
    if (prices_.empty() || length == 0.0) return length;
    spans_.clear();
    const double a[3] = {from.x, from.y, from.z}, d[3] = {way.x, way.y, way.z};
    (void)tree_.along(from, to, 0.0, [&](const Obstacle& o, std::uint32_t number) {
        double begins = 0.0, ends = 1.0;
        const bool is_box = prices_[number].region.is_box();
        if (!(is_box ? cut_box(o.box, a, d, begins, ends) : cut_ball(o, a, d, begins, ends))) return false;
        return !spans_.push_back({number, begins, ends});  // there is room
    });
    if (spans_.empty()) return length;
    const auto before = [](const Span& one, const Span& other) { return one.price < other.price; };
    std::sort(spans_.begin(), spans_.end(), before);  // total order
    shares_.clear();
    const auto cut = [&](double share) { (void)shares_.push_back(share); };  // there is room
    cut(0.0);
    cut(1.0);
    for (const Span& span : spans_) {
        cut(span.from);
        cut(span.to);
    }
    std::sort(shares_.begin(), shares_.end());  // total order
    const Vec3 along = way / length;
    double sum = 0.0, highest = 0.0;
    for (std::size_t i = 1; i < shares_.size(); ++i) {
        const double piece = shares_[i] - shares_[i - 1], middle = 0.5 * (shares_[i] + shares_[i - 1]);
        if (!(piece > 0.0)) continue;
        const double rate = rate_at(middle, along);
        sum += piece * rate;
        if (rate > highest) highest = rate, dearest_ = middle;
    }
    return sum * length;
}

double Prices::of_voxels(Vec3 from, Vec3 to) {
    const Vec3 s = scale_;
    return of_line({from.x * s.x, from.y * s.y, from.z * s.z}, {to.x * s.x, to.y * s.y, to.z * s.z}) / side_;
}

bool Prices::is_free_of(const math::SpaceBox& box) const {
    return prices_.empty() || !tree_.around(box, 0.0, [](const Obstacle&, std::uint32_t) { return true; });
}

}  // namespace fairlead::volume
