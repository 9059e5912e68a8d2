// Goes along the line from one place where it meets the surface of a region, a slack more or less, to the next one; what holds in the
// middle holds between them.
#include "verify/volume_prices.h"

#include <cmath>

namespace fairlead::witness {

namespace {

// Of a unit of speed 1 that holds its line: what is left of its speed beside what the current pushes aside, and the current along the line.
double rate_in(Vec3 drift, const Triple& along) {
    const double d[3] = {drift.x, drift.y, drift.z};
    const double c = d[0] * along[0] + d[1] * along[1] + d[2] * along[2];
    double aside = 0.0;
    for (std::size_t k = 0; k < 3; ++k) {
        const double off = d[k] - c * along[k];
        aside += off * off;
    }
    return 1.0 / (c + std::sqrt(1.0 - aside));
}

double capped(double danger) { return smaller(danger, kDangerMost); }

}  // namespace

bool VolumePrices::are_good() const {
    for (const VolumeArea& price : prices_) {
        const VolumeBlocker& b = price.region;
        if (!is_finite(b.low) || !is_finite(b.high) || !is_finite(price.drift)) return false;
        if (!b.is_box() && !(is_finite(b.centre) && b.radius >= 0.0 && b.radius <= frame_.far)) return false;
        if (!(price.factor >= 1.0 && price.factor <= kDangerMost)) return false;
        if (!(length(price.drift) <= kCurrentMost * (1.0 + 1e-9))) return false;
    }
    return true;
}

double VolumePrices::most() const {
    double dangers = 1.0, strongest = 0.0;
    for (const VolumeArea& price : prices_) {
        dangers += price.factor - 1.0;
        strongest = larger(strongest, length(price.drift));
    }
    return capped(dangers) / (1.0 - strongest);
}

VolumePrices::Side VolumePrices::side_of(const VolumeArea& price, const Triple& p) const {
    double out = -HUGE_VAL;  // how far outside, at least
    if (price.region.is_box()) {
        const Triple low = frame_.from_anywhere(price.region.low),
                     high = frame_.from_anywhere(price.region.high);
        for (std::size_t k = 0; k < 3; ++k) out = larger(out, larger(low[k] - p[k], p[k] - high[k]));
    } else {
        out = distance_of(p, frame_.from_anywhere(price.region.centre)) - price.region.radius;
    }
    return out > frame_.slack ? Side::outside : out < -frame_.slack ? Side::inside : Side::unsure;
}

// The next share after one at which the line may change sides; 1 where there is none.
double VolumePrices::next_cut(const VolumeArea& price, const Chord& chord, double after) const {
    double next = 1.0;
    const auto put = [&](double share) {
        if (share > after && share < next) next = share;
    };
    for (const double grow : {-frame_.slack, frame_.slack}) {
        if (price.region.is_box()) {
            const Triple low = frame_.from_anywhere(price.region.low),
                         high = frame_.from_anywhere(price.region.high);
            for (std::size_t k = 0; k < 3; ++k) {
                if (chord.d[k] == 0.0) continue;
                put((low[k] - grow - chord.a[k]) / chord.d[k]);
                put((high[k] + grow - chord.a[k]) / chord.d[k]);
            }
            continue;
        }
        const Triple centre = frame_.from_anywhere(price.region.centre);
        const double reach = price.region.radius + grow, whole = distance_of(chord.a, chord.at(1.0));
        // Where the line is nearest, and half of what is inside, as shares of it.
        double nearest = 0.0;
        for (std::size_t k = 0; k < 3; ++k) nearest += (centre[k] - chord.a[k]) * chord.d[k];
        nearest /= whole * whole;
        const double gap = distance_of(chord.at(nearest), centre);
        if (!(reach > gap)) continue;
        const double half = std::sqrt((reach - gap) * (reach + gap)) / whole;
        put(nearest - half);
        put(nearest + half);
    }
    return next;
}

CostRange VolumePrices::rate_at(const Triple& p, const Triple& along) const {
    double sure = 1.0, more = 0.0;
    CostRange current{1.0, 1.0};
    for (const VolumeArea& price : prices_) {
        const Side side = side_of(price, p);
        if (side == Side::outside) continue;
        (side == Side::inside ? sure : more) += price.factor - 1.0;
        if (price.drift == Vec3{}) continue;
        const double rate = rate_in(price.drift, along);
        if (side == Side::inside)
            current = {rate, rate};
        else
            current = {smaller(current.low, rate), larger(current.high, rate)};
    }
    return {capped(sure) * current.low, capped(sure + more) * current.high};
}

CostRange VolumePrices::cost(const Chord& chord) const {
    const double whole = distance_of(chord.a, chord.at(1.0));
    CostRange sum;
    if (whole == 0.0) return sum;
    const Triple along{chord.d[0] / whole, chord.d[1] / whole, chord.d[2] / whole};
    for (double at = 0.0; at < 1.0;) {
        double next = 1.0;
        for (const VolumeArea& price : prices_) next = smaller(next, next_cut(price, chord, at));
        const CostRange rate = rate_at(chord.at(0.5 * (at + next)), along);
        sum.low += rate.low * (next - at) * whole;
        sum.high += rate.high * (next - at) * whole;
        at = next;
    }
    return sum;
}

}  // namespace fairlead::witness
