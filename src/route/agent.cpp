#include <fairlead/route/agent.h>

#include <algorithm>
#include <cmath>

namespace fairlead {

Result<void> check_body(const Agent& agent) {
    const Result<void> good = check_body_in_space(agent);
    if (good && agent.height != 0.0) return Error{ErrorCode::unsupported, Field::agent_height};
    return good;
}

Result<void> check_body_in_space(const Agent& agent) {
    const struct {
        double value;
        Field field;
    } numbers[] = {{agent.radius, Field::agent_radius},
                   {agent.length, Field::agent_length},
                   {agent.width, Field::agent_width},
                   {agent.axle_offset, Field::agent_axle_offset},
                   {agent.turning_radius, Field::agent_turning_radius},
                   {agent.height, Field::agent_height}};
    for (const auto& number : numbers) {
        if (!std::isfinite(number.value)) return Error{ErrorCode::not_finite, number.field};
    }
    const auto bad = [](Field field) { return Error{ErrorCode::out_of_range, field}; };
    if (agent.footprint < 0 || agent.footprint > 64) return bad(Field::agent_footprint);
    if (agent.turning_radius < 0.0) return bad(Field::agent_turning_radius);
    if (agent.height < 0.0) return bad(Field::agent_height);
    if (agent.footprint > 0) return {};
    switch (agent.shape) {
        case BodyShape::disc:
            if (agent.radius < 0.0) return bad(Field::agent_radius);
            if (agent.height == 0.0) return {};
            if (agent.height < 2.0 * agent.radius) return bad(Field::agent_height);
            if (agent.radius == 0.0) return bad(Field::agent_radius);
            return {};
        case BodyShape::box:
            if (!(agent.length > 0.0)) return bad(Field::agent_length);
            if (!(agent.width > 0.0)) return bad(Field::agent_width);
            break;
        case BodyShape::capsule:
            if (!(agent.radius > 0.0)) return bad(Field::agent_radius);
            if (agent.length < 2.0 * agent.radius) return bad(Field::agent_length);
            break;
        default: return bad(Field::agent_shape);
    }
    if (std::abs(agent.axle_offset) > agent.length) return bad(Field::agent_axle_offset);
    return {};
}

bool good_body(const Agent& agent) { return check_body(agent).has_value(); }

double core_half_height(const Agent& agent) {
    const double half = 0.5 * agent.height - (agent.shape == BodyShape::box ? 0.0 : agent.radius);
    return half > 0.0 ? half : 0.0;
}

BodyCore body_core(const Agent& agent) {
    const auto around_axle = [&](double half_length, double half_width) {
        return Aabb{{agent.axle_offset - half_length, -half_width},
                    {agent.axle_offset + half_length, half_width}};
    };
    switch (agent.shape) {
        case BodyShape::box: return {around_axle(agent.length * 0.5, agent.width * 0.5), 0.0};
        case BodyShape::capsule: return {around_axle(agent.length * 0.5 - agent.radius, 0.0), agent.radius};
        case BodyShape::disc: break;
    }
    return {{}, agent.radius};
}

BodyCore body_beyond(const Agent& agent, double margin) {
    BodyCore body = body_core(agent);
    Aabb& core = body.core;
    const double half_x = 0.5 * (core.high.x - core.low.x), half_y = 0.5 * (core.high.y - core.low.y);
    double less_x = 0.0, less_y = 0.0;
    if (agent.shape == BodyShape::box) {
        // A corner moves in by (less_x, less_y), which is as long as the margin.
        less_y = std::min(half_y, margin * 0.70710678118654746);
        less_x = std::min(half_x, std::sqrt(margin * margin - less_y * less_y));
        less_y = std::min(half_y, std::sqrt(margin * margin - less_x * less_x));
    } else {
        less_x = std::min(half_x, std::max(0.0, margin - body.radius));
        body.radius = std::max(0.0, body.radius - margin);
    }
    core.low = core.low + Vec2{less_x, less_y};
    core.high = core.high - Vec2{less_x, less_y};
    core.low = {std::min(core.low.x, 0.0), std::min(core.low.y, 0.0)};
    core.high = {std::max(core.high.x, 0.0), std::max(core.high.y, 0.0)};
    return body;
}

BodyCore scaled_body(const BodyCore& body, double factor) {
    return {{body.core.low * factor, body.core.high * factor}, body.radius * factor};
}

double circumscribed_radius(const Agent& agent) {
    const BodyCore body = body_core(agent);
    const double x = std::max(std::abs(body.core.low.x), std::abs(body.core.high.x));
    const double y = std::max(std::abs(body.core.low.y), std::abs(body.core.high.y));
    return std::sqrt(x * x + y * y) + body.radius;
}

double circumscribed_sphere(const Agent& agent) {
    const double round = body_core(agent).radius;
    const double across = circumscribed_radius(agent) - round, up = core_half_height(agent);
    return std::sqrt(across * across + up * up) + round;
}

double inscribed_radius(const Agent& agent) {
    const BodyCore body = body_core(agent);
    const Aabb& core = body.core;
    // From inside to the nearest side; from outside minus the distance to the core.
    const double inside = std::min({-core.low.x, core.high.x, -core.low.y, core.high.y});
    const double outside = std::max({core.low.x, -core.high.x, 0.0});
    return std::max(0.0, (outside > 0.0 ? -outside : inside) + body.radius);
}

}  // namespace fairlead
