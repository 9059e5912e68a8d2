// What would help a turning unit, on tiles, on meshes and in volumes: single changes of its moves, its ends and its sizes, each proven by
// a route.
#pragma once

#include <algorithm>

#include "explain/inquiry.h"

namespace fairlead::explaining {

inline constexpr double kLeastScale = 0.02;

[[nodiscard]] inline Agent scaled_agent(Agent agent, double by) {
    agent.radius *= by;
    agent.length *= by;
    agent.width *= by;
    agent.axle_offset *= by;
    agent.height *= by;
    return agent;
}

/// `ask(query, route)` puts a further query. Each of its questions gives false on an error, which is in the inquiry.
template <class In, class Query, class Ask>
class TurningHelps {
  public:
    TurningHelps(In& inquiry, const Query& query, double accuracy, Ask ask)
        : in_(inquiry), query_(query), accuracy_(accuracy), ask_(ask) {}

    // Other ways to move.
    [[nodiscard]] bool try_gears() {
        if (!query_.agent.can_reverse) {
            Query query = query_;
            query.agent.can_reverse = true;
            if (!try_help(in_, HelpKind::reverse_gear, query, ask_)) return false;
        }
        if (query_.agent.can_pivot) return true;
        Query query = query_;
        query.agent.can_pivot = true;
        return try_help(in_, HelpKind::pivot, query, ask_);
    }

    [[nodiscard]] bool try_headings() {
        Query query = query_;
        query.goal.at = query_.goal.at.any_heading();
        if (query_.goal.at.has_heading) {
            if (!try_help(in_, HelpKind::goal_heading, query, ask_)) return false;
            Help& out = in_.help(HelpKind::goal_heading);
            out.value = out.route.end.heading_rad;
        }
        query = query_;
        query.start = query_.start.any_heading();
        if (query_.start.has_heading) {
            if (!try_help(in_, HelpKind::start_heading, query, ask_)) return false;
            Help& out = in_.help(HelpKind::start_heading);
            if (!out.route.legs.empty()) out.value = out.route.legs[0].start.heading_rad;
        }
        return true;
    }

    /// The largest turning radius with a route, from `least` on, to the accuracy of a `cell`.
    [[nodiscard]] bool shrink_circle(double least, double cell) {
        if (query_.agent.turning_radius <= least) return true;
        const auto change = [](Agent& agent, double radius) { agent.turning_radius = radius; };
        return bisect(least, query_.agent.turning_radius, 0.0, accuracy_ * cell, accuracy_, in_.spending,
                      in_.help(HelpKind::smaller_circle), with_unit(query_, ask_, change));
    }

    /// The largest factor on the body, below `high`, with which there is a route. `guess` likely has one.
    [[nodiscard]] bool shrink_body(double guess, double high) {
        const bool disc = query_.agent.shape == BodyShape::disc && query_.agent.height == 0.0;
        Help& out = in_.help(HelpKind::smaller_body);
        if (disc && query_.agent.radius == 0.0) return true;
        const auto change = [](Agent& agent, double scale) { agent = scaled_agent(agent, scale); };
        const double low = std::min(kLeastScale, 0.5 * high);
        if (!bisect(low, high, guess, accuracy_ * 0.2, accuracy_, in_.spending, out,
                    with_unit(query_, ask_, change)))
            return false;
        if (disc) {
            out.value *= query_.agent.radius;
            out.failed *= query_.agent.radius;
        }
        return true;
    }

  private:
    In& in_;
    const Query& query_;
    double accuracy_;
    Ask ask_;
};

}  // namespace fairlead::explaining
