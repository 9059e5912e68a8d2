#include "oracle/timed_oracle.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <queue>
#include <tuple>
#include <utility>

namespace fairlead::oracle {

namespace {

double envelope_at(const std::vector<SpeedLine>& lines, double distance) {
    double least = kNoWay;
    for (const SpeedLine& line : lines) {
        if (distance >= line.low && distance <= line.high)
            least = std::min(least, line.level + line.slope * distance);
    }
    return least;
}

// Where the envelope may bend: ends of lines and where two of them cross.
std::vector<double> bends(const std::vector<SpeedLine>& lines, double length) {
    std::vector<double> out{0.0, length};
    for (const SpeedLine& a : lines) {
        out.insert(out.end(), {a.low, a.high});
        for (const SpeedLine& b : lines) {
            if (a.slope != b.slope) out.push_back((b.level - a.level) / (a.slope - b.slope));
        }
    }
    std::erase_if(out, [&](double d) { return !(d >= 0.0 && d <= length); });
    std::sort(out.begin(), out.end());  // total order
    return out;
}

}  // namespace

double envelope_seconds(const std::vector<SpeedStretch>& line, double from, double to, double accel,
                        double brake) {
    std::vector<SpeedLine> lines;
    double length = 0.0;
    for (const SpeedStretch& stretch : line) {
        const double begins = length;
        length += stretch.length;
        const double most = stretch.speed_max * stretch.speed_max;
        // At its limit, from there up behind it, and down before it.
        lines.push_back({most, 0.0, begins, length});
        lines.push_back({most - 2.0 * accel * length, 2.0 * accel, length, kNoWay});
        lines.push_back({most + 2.0 * brake * begins, -2.0 * brake, -1.0, begins});
    }
    lines.push_back({from * from, 2.0 * accel, 0.0, kNoWay});
    lines.push_back({to * to + 2.0 * brake * length, -2.0 * brake, -1.0, length});
    constexpr double kSame = 1e-9;
    if (envelope_at(lines, 0.0) < from * from * (1.0 - kSame)) return kNoWay;
    if (envelope_at(lines, length) < to * to * (1.0 - kSame)) return kNoWay;
    double seconds = 0.0;
    const std::vector<double> at = bends(lines, length);
    for (std::size_t i = 0; i + 1 < at.size(); ++i) {
        if (at[i + 1] - at[i] < 1e-13) continue;
        // Values just inside: at a bend two stretches meet.
        const double part = (at[i + 1] - at[i]) * 1e-9;
        const double a = std::sqrt(std::max(0.0, envelope_at(lines, at[i] + part)));
        const double b = std::sqrt(std::max(0.0, envelope_at(lines, at[i + 1] - part)));
        const double middle = std::sqrt(std::max(0.0, envelope_at(lines, 0.5 * (at[i] + at[i + 1]))));
        // Linear in the square between bends, so its ends follow from two values.
        const double rise = (b * b - a * a) / (1.0 - 2e-9);
        const double low = std::sqrt(std::max(0.0, middle * middle - 0.5 * rise));
        const double high = std::sqrt(std::max(0.0, middle * middle + 0.5 * rise));
        seconds += 2.0 * (at[i + 1] - at[i]) / (low + high);
    }
    return seconds;
}

namespace {

using State = std::tuple<int, int, int, int, int>;  // x, y, heading, gear, level

class Search {
  public:
    Search(LatticeOracle& legal, const PrimitiveSet& set, const TimedUnit& unit, const TimedEnds& ends)
        : legal_(legal), set_(set), unit_(unit), ends_(ends) {}

    double run() {
        reach({ends_.start.x, ends_.start.y, ends_.start.heading, 0, ends_.start_level}, 0.0);
        if (ends_.start_level == 0) reach({ends_.start.x, ends_.start.y, ends_.start.heading, 1, 0}, 0.0);
        while (!open_.empty()) {
            const auto [seconds, state] = open_.top();
            open_.pop();
            if (seconds > best_[state]) continue;
            if (is_goal(state)) return seconds;
            expand(state, seconds);
        }
        return kNoWay;
    }

  private:
    [[nodiscard]] bool is_goal(const State& state) const {
        const auto [x, y, heading, gear, level] = state;
        if (x != ends_.goal.x || y != ends_.goal.y || heading != ends_.goal.heading) return false;
        if (ends_.goal_level < 0) return true;
        return level == ends_.goal_level && (level == 0 || gear == 0);
    }

    void reach(const State& state, double seconds) {
        const auto [at, fresh] = best_.try_emplace(state, seconds);
        if (!fresh && at->second <= seconds) return;
        at->second = seconds;
        open_.push({seconds, state});
    }

    [[nodiscard]] double most(int gear) const {
        return gear == 1 ? std::min(unit_.reverse_speed_max, unit_.speeds.back()) : unit_.speeds.back();
    }

    [[nodiscard]] double seconds_of(std::size_t move, int repeat, int from, int to) {
        const auto key = std::make_tuple(move, repeat, from, to);
        const auto known = seconds_.find(key);
        if (known != seconds_.end()) return known->second;
        const Primitive& p = set_.all()[move];
        const int gear = p.gear == Gear::reverse ? 1 : 0;
        std::vector<SpeedStretch> line;
        for (const CurveSegment& s : p.word.used()) {
            if (s.amount == 0.0) continue;
            const double arc = std::sqrt(unit_.lateral * unit_.turning_radius);
            const double speed = s.steer == Steer::straight ? most(gear) : std::min(most(gear), arc);
            line.push_back({std::fabs(s.amount) * unit_.turning_radius * repeat, speed});
        }
        const double a = unit_.speeds[static_cast<std::size_t>(from)];
        const double b = unit_.speeds[static_cast<std::size_t>(to)];
        const bool allowed = a <= most(gear) && b <= most(gear);
        const double out = allowed ? envelope_seconds(line, a, b, unit_.accel, unit_.brake) : kNoWay;
        return seconds_[key] = out;
    }

    void expand(const State& state, double seconds) {
        const auto [x, y, heading, gear, level] = state;
        const int levels = static_cast<int>(unit_.speeds.size());
        for (std::size_t i = set_.first(heading); i < set_.first(heading + 1); ++i) {
            const Primitive& p = set_.all()[i];
            const int new_gear = p.gear == Gear::reverse ? 1 : 0;
            if (new_gear != gear && level > 0) continue;
            if (!legal_.may_drive(x, y, i)) continue;
            const double cusp = new_gear != gear ? unit_.cusp_seconds : 0.0;
            for (int to = 0; to < levels; ++to) {
                const double edge = seconds_of(i, 1, level, to);
                if (edge < kNoWay) reach({x + p.dx, y + p.dy, p.to, new_gear, to}, seconds + cusp + edge);
            }
            const HeadingStep ahead = heading_step(set_.headings(), heading);
            const int way = new_gear == 1 ? -1 : 1;
            if (p.to == heading && p.dx == way * ahead.dx && p.dy == way * ahead.dy)
                run_straight(state, i, seconds + cusp);
        }
    }

    // As few straight moves in a row as do for the next level up or down, where one is too short.
    void run_straight(const State& state, std::size_t move, double seconds) {
        const auto [x, y, heading, gear, level] = state;
        const Primitive& p = set_.all()[move];
        const int new_gear = p.gear == Gear::reverse ? 1 : 0;
        for (const int to : {level - 1, level + 1}) {
            if (to < 0 || to >= static_cast<int>(unit_.speeds.size())) continue;
            int repeat = 0;
            int cx = x;
            int cy = y;
            while (legal_.may_drive(cx, cy, move)) {
                cx += p.dx;
                cy += p.dy;
                if (seconds_of(move, ++repeat, level, to) < kNoWay) break;
                if (repeat > 200) break;
            }
            if (repeat < 2) continue;
            const double edge = seconds_of(move, repeat, level, to);
            if (edge < kNoWay) reach({cx, cy, heading, new_gear, to}, seconds + edge);
        }
    }

    LatticeOracle& legal_;
    const PrimitiveSet& set_;
    const TimedUnit& unit_;
    TimedEnds ends_;
    std::map<State, double> best_;
    std::map<std::tuple<std::size_t, int, int, int>, double> seconds_;
    using Entry = std::pair<double, State>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open_;
};

}  // namespace

double quickest(LatticeOracle& legal, const PrimitiveSet& set, std::int32_t width, std::int32_t height,
                const TimedUnit& unit, const TimedEnds& ends) {
    const auto inside = [&](const OraclePose& p) {
        return p.x >= 0 && p.y >= 0 && p.x < width && p.y < height;
    };
    if (!inside(ends.start) || !inside(ends.goal)) return kNoWay;
    return Search(legal, set, unit, ends).run();
}

}  // namespace fairlead::oracle
