#include "support/track_judge.h"

#include <algorithm>
#include <cmath>
#include <sstream>

#include <nlohmann/json.hpp>

namespace fairlead::testing {

namespace {

constexpr double kPiHere = 3.14159265358979323846;
constexpr double kSlack = 1e-6;

struct Pose2 {
    double x = 0.0, y = 0.0, heading = 0.0;
};

struct Line {
    double t = 0.0;
    Pose2 at{};
    double speed = 0.0;
    bool reverse = false;
    std::string state;
};

/// Who has facings shows the nearest one.
double half_facing(const TrackUnit& unit) { return unit.facings > 0 ? kPiHere / unit.facings : 0.0; }

double wrapped(double angle) { return std::remainder(angle, 2.0 * kPiHere); }

/// Distance from a line between two places to the square of a cell.
double line_to_cell(double ax, double ay, double bx, double by, int cx, int cy) {
    // the distance to a convex set is convex along the line: halve towards its least
    const auto at = [&](double s) {
        const double x = ax + (bx - ax) * s;
        const double y = ay + (by - ay) * s;
        const double dx = std::max({cx - x, 0.0, x - (cx + 1)});
        const double dy = std::max({cy - y, 0.0, y - (cy + 1)});
        return std::hypot(dx, dy);
    };
    double low = 0.0;
    double high = 1.0;
    if (ax == bx && ay == by) return at(0.0);
    for (int i = 0; i < 60; ++i) {
        const double a = low + (high - low) / 3.0;
        const double b = high - (high - low) / 3.0;
        if (at(a) <= at(b)) {
            high = b;
        } else {
            low = a;
        }
    }
    return std::min({at(0.0), at(1.0), at(0.5 * (low + high))});
}

using Corners = std::vector<std::pair<double, double>>;

Corners corners_of(const TrackUnit& unit, const Pose2& at) {
    Corners out;
    const double c = std::cos(at.heading);
    const double s = std::sin(at.heading);
    for (const auto& [u, v] : {std::pair{0.5, 0.5}, {-0.5, 0.5}, {-0.5, -0.5}, {0.5, -0.5}}) {
        const double x = u * unit.length;
        const double y = v * unit.width;
        out.emplace_back(at.x + x * c - y * s, at.y + x * s + y * c);
    }
    return out;
}

/// How far two convex outlines with round edges stay apart, along the best of the directions of their sides; discs are one corner.
double gap_along_sides(const Corners& a, const Corners& b, double round) {
    double best = -1e300;
    const auto extent = [](const Corners& of, double nx, double ny) {
        double low = 1e300;
        double high = -1e300;
        for (const auto& [x, y] : of) {
            low = std::min(low, x * nx + y * ny);
            high = std::max(high, x * nx + y * ny);
        }
        return std::pair{low, high};
    };
    std::vector<std::pair<double, double>> axes;
    for (const Corners* of : {&a, &b}) {
        for (std::size_t i = 0; of->size() > 1 && i < of->size(); ++i) {
            const auto& [x0, y0] = (*of)[i];
            const auto& [x1, y1] = (*of)[(i + 1) % of->size()];
            const double far = std::hypot(x1 - x0, y1 - y0);
            axes.emplace_back(-(y1 - y0) / far, (x1 - x0) / far);
        }
    }
    for (const auto& [ax, ay] : a) {
        for (const auto& [bx, by] : b) {
            const double far = std::hypot(bx - ax, by - ay);
            if (far > 0.0) axes.emplace_back((bx - ax) / far, (by - ay) / far);
        }
    }
    for (const auto& [nx, ny] : axes) {
        const auto [a0, a1] = extent(a, nx, ny);
        const auto [b0, b1] = extent(b, nx, ny);
        best = std::max({best, b0 - a1, a0 - b1});
    }
    return best - round;
}

Corners outline(const TrackUnit& unit, const Pose2& at) {
    if (unit.is_box()) return corners_of(unit, at);
    return {{at.x, at.y}};
}

double gap_between(const TrackUnit& a, const Pose2& pa, const TrackUnit& b, const Pose2& pb) {
    const double round = (a.is_box() ? 0.0 : a.radius) + (b.is_box() ? 0.0 : b.radius);
    if (std::hypot(pa.x - pb.x, pa.y - pb.y) > a.reach() + b.reach()) return 1.0;
    return gap_along_sides(outline(a, pa), outline(b, pb), round);
}

class Judge {
  public:
    explicit Judge(const TrackScene& scene) : scene_(scene), map_(scene.map) {}

    TrackVerdict judge(const std::string& track) {
        std::istringstream text(track);
        std::string line;
        if (!std::getline(text, line)) return {{"no lines"}};
        const auto head = nlohmann::json::parse(line);
        if (head["rate"] != scene_.rate || head["units"] != scene_.units.size()) fault(0, 0.0, "first line");
        std::vector<Line> before;
        for (int tick = 0;; ++tick) {
            std::vector<Line> now;
            for (const TrackUnit& unit : scene_.units) {
                if (!std::getline(text, line)) return {{"ends too early"}};
                const auto json = nlohmann::json::parse(line);
                if (now.empty() && json.contains("digest")) return finish(before, json);
                now.push_back(read(unit, tick, json));
            }
            make_edits(static_cast<double>(tick - 1) / scene_.rate);
            for (std::size_t i = 0; i < now.size(); ++i) judge_unit(i, now, before);
            judge_pairs(now);
            before = std::move(now);
        }
    }

  private:
    void fault(int id, double t, const std::string& what, double by = 0.0) {
        std::ostringstream text;
        text << "unit " << id << " at " << t << " s: " << what << " (" << by << ")";
        if (verdict_.faults.size() < 20) verdict_.faults.push_back(text.str());
    }

    Line read(const TrackUnit& unit, int tick, const nlohmann::json& json) {
        Line out;
        out.t = json["t"];
        out.at = {json["x"], json["y"], json["heading"]};
        out.speed = json["speed"];
        out.reverse = json["gear"] == "reverse";
        out.state = json["state"];
        if (json["id"] != unit.id || std::fabs(out.t - tick / scene_.rate) > 1e-12)
            fault(unit.id, out.t, "another line was due");
        const char* const known[] = {"waiting", "moving",      "link",   "arrived",
                                     "stuck",   "unreachable", "invalid"};
        if (std::find(std::begin(known), std::end(known), out.state) == std::end(known))
            fault(unit.id, out.t, "state " + out.state);
        return out;
    }

    void make_edits(double begins) {
        edited_now_ = false;
        for (; next_edit_ < scene_.edits.size() && scene_.edits[next_edit_].t <= begins; ++next_edit_) {
            const TrackEdit& edit = scene_.edits[next_edit_];
            for (int y = edit.y0; y < edit.y1; ++y) {
                for (int x = edit.x0; x < edit.x1; ++x)
                    map_.wall[static_cast<std::size_t>(y * map_.width + x)] = edit.wall ? 1 : 0;
            }
            edited_ = edit.t;
            edited_now_ = true;
        }
    }

    [[nodiscard]] double room_at(const TrackUnit& unit, const Pose2& at) const {
        if (!unit.is_box()) return map_.room(at.x, at.y, at.x, at.y, unit.radius + 1.0) - unit.radius;
        const double reach = unit.reach();
        double least = 1.0;
        for (int y = static_cast<int>(std::floor(at.y - reach)); y <= at.y + reach; ++y) {
            for (int x = static_cast<int>(std::floor(at.x - reach)); x <= at.x + reach; ++x) {
                if (!map_.is_wall(x, y)) continue;
                const Corners cell = {{x, y}, {x + 1, y}, {x + 1, y + 1}, {x, y + 1}};
                least = std::min(least, gap_along_sides(cell, corners_of(unit, at), 0.0));
            }
        }
        return least;
    }

    void judge_unit(std::size_t i, const std::vector<Line>& now, const std::vector<Line>& before) {
        const TrackUnit& unit = scene_.units[i];
        const Line& line = now[i];
        std::vector<Seen>& seen = seen_;
        if (seen.empty()) {
            seen.resize(scene_.units.size());
            // a vehicle shows the facing nearest to its heading, which may change with the least turn
            for (std::size_t k = 0; k < seen.size(); ++k) {
                if (scene_.units[k].drives()) seen[k].credit = 2.0 * half_facing(scene_.units[k]);
            }
        }
        if (line.state == "invalid") return;
        const double room = room_at(unit, line.at);
        const bool moved = !before.empty() && (line.at.x != before[i].at.x || line.at.y != before[i].at.y);
        // whom an edit put into a wall may stand there, or leave
        if (edited_now_ && !before.empty()) {
            seen[i].room = std::min(room_at(unit, before[i].at), 0.0);
            // and who cannot brake before the new wall runs into it
            if (unit.accel > 0.0) {
                const double brake = unit.brake > 0.0 ? unit.brake : unit.accel;
                seen[i].excused = line.t + before[i].speed / brake + 1.0 / scene_.rate;
            }
        }
        const double room_before = seen[i].room;
        if (line.t < seen[i].excused) seen[i].room = std::min(room, 0.0);
        if (room < seen[i].room - kSlack) fault(unit.id, line.t, "in a wall", room);
        seen[i].room = std::min(room, 0.0);
        if (line.speed > unit.speed * (1.0 + 1e-9)) fault(unit.id, line.t, "speed told", line.speed);
        if (line.state == "arrived" && !before.empty() && before[i].state != "arrived")
            judge_arrival(unit, line);
        if (line.state == "unreachable") judge_unreachable(unit, line);
        if (before.empty()) {
            judge_start(unit, line);
            return;
        }
        const Line& was = before[i];
        if (was.state == "link" || line.state == "link") return;
        seen[i].went = seen[i].went || line.state == "moving";
        if (line.state == "waiting" && seen[i].went && !seen[i].waited) {
            seen[i].waited = true;
            ++verdict_.waited;
        }
        // walkers step aside for others
        if (line.t <= unit.start_s && moved && unit.drives()) fault(unit.id, line.t, "moves too early");
        judge_step(unit, was, line, seen[i], room_before);
    }

    struct Seen {
        double room = 0.0;
        double excused = 0.0;  ///< until then
        double vx = 0.0, vy = 0.0;
        bool turned_to_start = false;
        bool went = false;
        double credit = 0.0;  ///< radians that it may turn at once
        bool waited = false;
    };

    void judge_start(const TrackUnit& unit, const Line& line) {
        if (line.at.x != unit.x || line.at.y != unit.y) fault(unit.id, 0.0, "begins elsewhere");
        if (unit.has_heading &&
            std::fabs(wrapped(line.at.heading - unit.h * kPiHere / 180.0)) > 1e-9 + half_facing(unit))
            fault(unit.id, 0.0, "begins with another heading", line.at.heading);
    }

    void judge_step(const TrackUnit& unit, const Line& was, const Line& now, Seen& seen, double room_before) {
        const double dt = 1.0 / scene_.rate;
        const double dx = now.at.x - was.at.x;
        const double dy = now.at.y - was.at.y;
        const double gone = std::hypot(dx, dy);
        if (gone > unit.speed * dt * (1.0 + 1e-6) + 1e-9) fault(unit.id, now.t, "too fast", gone / dt);
        if (gone > 0.0 && !unit.is_box()) {
            const double room = map_.room(was.at.x, was.at.y, now.at.x, now.at.y, unit.radius + 1.0);
            const double bend = unit.drives() ? gone * gone / (4.0 * unit.turning_radius) : 0.0;
            if (room < unit.radius - kSlack - bend && now.t >= seen.excused && room_before >= -kSlack)
                fault(unit.id, now.t, "through a wall", room);
        }
        double turned = std::fabs(wrapped(now.at.heading - was.at.heading));
        // with a free heading it takes that of its route
        if (unit.drives() && !unit.has_heading && !seen.turned_to_start && (gone > 0.0 || turned > 0.0)) {
            seen.turned_to_start = true;
            return;
        }
        judge_turn(unit, now, turned, seen);
        judge_facing(unit, now, dx, dy);
        if (unit.drives()) {
            judge_driven(unit, was, now, gone, turned);
        } else {
            judge_walked(unit, now, dx / dt, dy / dt, seen);
        }
        seen.vx = dx / dt;
        seen.vy = dy / dt;
    }

    /// A unit with facings turns by whole ones, no sooner than its rate allows; it keeps time for one.
    void judge_turn(const TrackUnit& unit, const Line& now, double turned, Seen& seen) {
        if (unit.turn_rate == 0.0) return;
        const double room = unit.turn_rate * kPiHere / 180.0 / scene_.rate;
        seen.credit = std::min(seen.credit, 2.0 * half_facing(unit)) + room;
        if (turned > seen.credit + 1e-9) fault(unit.id, now.t, "turns too fast", turned * scene_.rate);
        seen.credit -= turned;
    }

    /// Who has facings shows one of them and moves along it; who has a turn rate, and no turning circle, moves the way that it faces.
    void judge_facing(const TrackUnit& unit, const Line& now, double dx, double dy) {
        const bool walks = !unit.drives() && (unit.facings > 0 || unit.turn_rate > 0.0);
        if (unit.facings > 0) {
            const double off = std::remainder(now.at.heading, 2.0 * half_facing(unit));
            if (std::fabs(off) > 1e-9) fault(unit.id, now.t, "no facing", off);
        }
        if (!walks && unit.facings == 0) return;
        const double ahead = dx * std::cos(now.at.heading) + dy * std::sin(now.at.heading);
        const double aside = dy * std::cos(now.at.heading) - dx * std::sin(now.at.heading);
        if (std::fabs(aside) > 1e-9) fault(unit.id, now.t, "slides", aside);
        if (now.reverse ? ahead > 1e-9 : ahead < -1e-9) fault(unit.id, now.t, "moves backwards", ahead);
    }

    void judge_walked(const TrackUnit& unit, const Line& now, double vx, double vy, const Seen& seen) {
        if (std::fabs(std::hypot(vx, vy) - now.speed) > 1e-6)
            fault(unit.id, now.t, "speed is not as told", now.speed);
        if (unit.accel == 0.0 || now.t < seen.excused) return;  // it ran into a wall that came up
        const double dt = 1.0 / scene_.rate;
        const double accel = unit.accel * dt + kSlack;
        const double brake = std::max(accel, (unit.brake > 0.0 ? unit.brake : unit.accel) * dt + kSlack);
        const double speed = std::hypot(seen.vx, seen.vy);
        const double cx = vx - seen.vx;
        const double cy = vy - seen.vy;
        if (speed < 1e-9) {
            if (std::hypot(cx, cy) > accel)
                fault(unit.id, now.t, "speeds up too fast", std::hypot(cx, cy) / dt);
            return;
        }
        const double along = (cx * seen.vx + cy * seen.vy) / speed;
        const double across = std::fabs(cx * seen.vy - cy * seen.vx) / speed;
        if (along > accel) fault(unit.id, now.t, "speeds up too fast", along / dt);
        if (along < -brake) fault(unit.id, now.t, "brakes too hard", along / dt);
        const double most =
            unit.lateral_accel > 0.0 ? unit.lateral_accel * dt + kSlack : std::max(accel, brake);
        if (across > most) fault(unit.id, now.t, "lateral acceleration", across / dt);
    }

    void judge_driven(const TrackUnit& unit, const Line& was, const Line& now, double gone, double turned) {
        const double dt = 1.0 / scene_.rate;
        if (now.reverse && !unit.reverse && now.speed > 0.0) fault(unit.id, now.t, "reverses");
        const double accel = unit.accel > 0.0 ? unit.accel * dt + kSlack : 1e300;
        const double brake = unit.brake > 0.0 ? unit.brake * dt + kSlack : accel;
        const bool shifted = now.reverse != was.reverse;
        if (shifted) {
            if (now.speed > accel) fault(unit.id, now.t, "speeds up too fast", now.speed / dt);
            if (was.speed > brake) fault(unit.id, now.t, "brakes too hard", was.speed / dt);
            return;
        }
        if (now.speed - was.speed > accel)
            fault(unit.id, now.t, "speeds up too fast", (now.speed - was.speed) / dt);
        if (was.speed - now.speed > brake)
            fault(unit.id, now.t, "brakes too hard", (was.speed - now.speed) / dt);
        const bool on_the_spot = gone < 1e-9;
        if (on_the_spot) {
            if (turned > 1e-7 && unit.turn_rate == 0.0) fault(unit.id, now.t, "turns on the spot", turned);
            return;
        }
        // without a limit it can go back and forth within a tick
        if (was.speed == 0.0 && unit.turn_rate > 0.0) return;  // it turned where it stood, then set off
        if (unit.reverse && unit.accel == 0.0 && gone < 0.9 * unit.speed * dt) return;
        if (unit.facings > 0) return;  // its corners are those of its art
        const double bend = 2.0 * std::asin(std::min(1.0, gone / (2.0 * unit.turning_radius)));
        if (turned > bend + kSlack) fault(unit.id, now.t, "turning radius", turned / gone);
        const double way =
            std::atan2(now.at.y - was.at.y, now.at.x - was.at.x) + (now.reverse ? kPiHere : 0.0);
        const double slid = std::fabs(wrapped(way - was.at.heading));
        if (slid > bend + 1e-5) fault(unit.id, now.t, "slides", slid);
        if (unit.lateral_accel > 0.0 && accel < 1e300) {
            const double speed = gone / dt - std::max(accel, brake);
            if (speed > 0.0 && speed * turned / dt > unit.lateral_accel * (1.0 + kSlack) + kSlack)
                fault(unit.id, now.t, "lateral acceleration", speed * turned / dt);
        }
    }

    void judge_arrival(const TrackUnit& unit, const Line& line) {
        const double far = std::hypot(line.at.x - unit.gx, line.at.y - unit.gy);
        if (far > (unit.drives() ? kSlack : std::max(unit.radius, 1e-3) + kSlack))
            fault(unit.id, line.t, "arrived", far);
        if (!unit.drives() || !unit.has_goal_heading) return;
        const double off = std::fabs(wrapped(line.at.heading - unit.gh * kPiHere / 180.0));
        if (off > kSlack + half_facing(unit)) fault(unit.id, line.t, "arrived with another heading", off);
    }

    void judge_unreachable(const TrackUnit& unit, const Line& line) {
        if (unit.drives() || unit.radius > 0.5 || line.t < edited_ + 1.0) return;
        const auto cell = [](double v) { return static_cast<int>(std::floor(v)); };
        if (map_.joined(cell(line.at.x), cell(line.at.y), cell(unit.gx), cell(unit.gy)))
            fault(unit.id, line.t, "unreachable, and there is a way");
    }

    void judge_pairs(const std::vector<Line>& now) {
        for (std::size_t i = 0; i < now.size(); ++i) {
            for (std::size_t k = i + 1; k < now.size(); ++k) {
                if (now[i].state == "invalid" || now[k].state == "invalid") continue;
                const double gap = gap_between(scene_.units[i], now[i].at, scene_.units[k], now[k].at);
                if (gap < -kSlack)
                    fault(scene_.units[i].id, now[i].t, "overlaps unit " + std::to_string(scene_.units[k].id),
                          gap);
            }
        }
    }

    TrackVerdict finish(const std::vector<Line>& last, const nlohmann::json& json) {
        for (const Line& line : last) {
            verdict_.arrived += line.state == "arrived" ? 1 : 0;
            verdict_.stuck += line.state == "stuck" ? 1 : 0;
            verdict_.unreachable += line.state == "unreachable" ? 1 : 0;
            verdict_.invalid += line.state == "invalid" ? 1 : 0;
        }
        if (json["arrived"] != verdict_.arrived || json["stuck"] != verdict_.stuck)
            verdict_.faults.emplace_back("the last line's counts");
        return verdict_;
    }

    const TrackScene& scene_;
    TrackMap map_;
    std::size_t next_edit_ = 0;
    double edited_ = -1.0;
    bool edited_now_ = false;
    std::vector<Seen> seen_;
    TrackVerdict verdict_;
};

}  // namespace

double TrackUnit::reach() const { return is_box() ? 0.5 * std::hypot(length, width) : radius; }

double TrackMap::room(double ax, double ay, double bx, double by, double reach) const {
    double least = reach;
    const int x1 = static_cast<int>(std::floor(std::max(ax, bx) + reach));
    const int y1 = static_cast<int>(std::floor(std::max(ay, by) + reach));
    for (int y = static_cast<int>(std::floor(std::min(ay, by) - reach)); y <= y1; ++y) {
        for (int x = static_cast<int>(std::floor(std::min(ax, bx) - reach)); x <= x1; ++x) {
            if (is_wall(x, y)) least = std::min(least, line_to_cell(ax, ay, bx, by, x, y));
        }
    }
    return least;
}

bool TrackMap::joined(int ax, int ay, int bx, int by) const {
    if (is_wall(ax, ay) || is_wall(bx, by)) return false;
    std::vector<char> seen(wall.size(), 0);
    std::vector<std::pair<int, int>> todo = {{ax, ay}};
    while (!todo.empty()) {
        const auto [x, y] = todo.back();
        todo.pop_back();
        if (is_wall(x, y) || seen[static_cast<std::size_t>(y * width + x)] != 0) continue;
        seen[static_cast<std::size_t>(y * width + x)] = 1;
        for (const auto& [dx, dy] : {std::pair{1, 0}, {-1, 0}, {0, 1}, {0, -1}})
            todo.emplace_back(x + dx, y + dy);
    }
    return seen[static_cast<std::size_t>(by * width + bx)] != 0;
}

TrackVerdict judge_track(const TrackScene& scene, const std::string& track) {
    return Judge(scene).judge(track);
}

std::string units_csv(const std::vector<TrackUnit>& units) {
    std::ostringstream out;
    out.precision(17);
    out << "id,x,y,h,gx,gy,gh,radius,length,width,speed,accel,brake,lateral_accel,turn_rate,turning_radius,"
           "reverse,facings,start_s\n";
    const auto given = [&](double value) {
        out << ',';
        if (value != 0.0) out << value;
    };
    for (const TrackUnit& unit : units) {
        out << unit.id << ',' << unit.x << ',' << unit.y << ',';
        if (unit.has_heading) out << unit.h;
        out << ',' << unit.gx << ',' << unit.gy << ',';
        if (unit.has_goal_heading) out << unit.gh;
        for (const double value : {unit.radius, unit.length, unit.width, unit.speed, unit.accel, unit.brake,
                                   unit.lateral_accel, unit.turn_rate, unit.turning_radius})
            given(value);
        out << ',' << (unit.reverse ? 1 : 0) << ',' << unit.facings << ',' << unit.start_s << '\n';
    }
    return out.str();
}

}  // namespace fairlead::testing
