// A formation's slots: those of its shape, and those of files where the shape does not fit.
#include <cmath>

#include <fairlead/math/trig.h>

#include "crowd/formation/formation_data.h"

namespace fairlead::crowd {

namespace {

constexpr double kArm = 0.70710678118654752;  // of a wedge: ahead and aside for each step along an arm

std::uint32_t side_of(std::size_t count, bool space) {
    std::uint32_t side = 1;
    while ((space ? static_cast<std::size_t>(side) * side * side : static_cast<std::size_t>(side) * side) <
           count)
        ++side;
    return side;
}

/// Rows of `across` units, `storeys` of them above each other; what is left over stands in the middle.
void lay_rows(FormationData& data, std::uint32_t across, std::uint32_t storeys) {
    const std::size_t count = data.members.size();
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t line = i / across;
        const std::size_t row = line / storeys;
        const std::size_t in_line = (line + 1) * across <= count ? across : count - line * across;
        const std::size_t lines = (count + across - 1) / across;
        const std::size_t in_row = (row + 1) * storeys <= lines ? storeys : lines - row * storeys;
        const double file = static_cast<double>(i % across) - 0.5 * static_cast<double>(in_line - 1);
        const double storey = static_cast<double>(line % storeys) - 0.5 * static_cast<double>(in_row - 1);
        data.slots[i] = {-static_cast<double>(row) * data.spacing, file * data.spacing,
                         storey * data.spacing};
    }
}

void lay_wedge(FormationData& data) {
    for (std::size_t i = 0; i < data.members.size(); ++i) {
        const double along = static_cast<double>((i + 1) / 2) * kArm * data.spacing;
        data.slots[i] = {-along, i % 2 == 1 ? along : -along, 0.0};
    }
}

void lay_ring(FormationData& data) {
    const auto count = static_cast<double>(data.members.size());
    const double around = count * data.spacing / (2.0 * kPi);
    const double radius = around > data.spacing ? around : data.spacing;
    for (std::size_t i = 0; i < data.members.size(); ++i) {
        const math::SinCos turn = math::sin_cos(2.0 * kPi * static_cast<double>(i) / count);
        data.slots[i] = {radius * turn.cos, radius * turn.sin, 0.0};
    }
}

void lay_own(FormationData& data) {
    for (std::size_t i = 0; i < data.members.size(); ++i) {
        const Vec3 slot = data.own[i];
        data.slots[i] = {slot.x, slot.y, data.space ? slot.z : 0.0};
    }
}

void lay_shape(FormationData& data) {
    const auto count = static_cast<std::uint32_t>(data.members.size());
    const std::uint32_t side = side_of(count, data.space);
    switch (data.options.shape) {
        case FormationShape::line: return lay_rows(data, count, 1);
        case FormationShape::column: return lay_rows(data, 1, 1);
        case FormationShape::wedge: return lay_wedge(data);
        case FormationShape::ring: return lay_ring(data);
        case FormationShape::slots: return lay_own(data);
        case FormationShape::box:
        case FormationShape::count_: return lay_rows(data, side, data.space ? side : 1);
    }
}

void widen(double at, double& low, double& high) {
    if (at < low) low = at;
    if (at > high) high = at;
}

}  // namespace

void lay_slots(FormationData& data, const Fit& fit) {
    data.fit = fit;
    data.low = data.high = {};
    if (data.members.empty()) return;
    (void)data.slots.resize(data.members.size());  // room was made when they joined
    if (fit.whole) {
        lay_shape(data);
    } else {
        lay_rows(data, fit.across > 0 ? fit.across : 1, fit.storeys > 0 ? fit.storeys : 1);
    }
    for (const FormationSlot& slot : data.slots) {
        widen(slot.ahead, data.low.ahead, data.high.ahead);
        widen(slot.left, data.low.left, data.high.left);
        widen(slot.up, data.low.up, data.high.up);
    }
    if (!fit.whole) return;
    data.shape_low = data.low;
    data.shape_high = data.high;
}

double depth_of(const FormationData& data, const Fit& fit) {
    if (fit.whole) return -data.shape_low.ahead;
    const std::size_t abreast = static_cast<std::size_t>(fit.across > 0 ? fit.across : 1) * fit.storeys;
    return static_cast<double>((data.members.size() + abreast - 1) / abreast - 1) * data.spacing;
}

void measure_units(FormationData& data, const Crowd& crowd) {
    data.radius = data.speed = 0.0;
    for (FormationMember& member : data.members) {
        const CrowdUnit body = crowd.body(member.id);
        member.radius = body.radius;
        member.limits = body.limits;
        if (body.radius > data.radius) data.radius = body.radius;
        if (data.speed == 0.0 || body.limits.speed_max < data.speed) data.speed = body.limits.speed_max;
    }
    data.spacing = data.options.spacing > 0.0 ? data.options.spacing : 4.0 * data.radius;
}

}  // namespace fairlead::crowd
