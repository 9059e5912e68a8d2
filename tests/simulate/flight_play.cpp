// The library's side of fleets in volumes: two fleets are told the same, as in fleet_play.cpp: their digests must agree. Every frame of
// the first is judged: spheres against the voxels' boxes in long double, pairs, limits, what a turning circle and a climb allow, states.
//
// What is owed: who is in a wall or too near to another one by an edit or by where it was put is excused until it is free and can stop.
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include <fairlead/fleet/volume_fleet.h>

#include "simulate/driver.h"
#include "simulate/fleet_pair.h"
#include "support/test_allocator.h"

namespace fairlead::simulate {

namespace {

using testing::TestAllocator;

constexpr double kGive = 2e-9;
constexpr double kFlightStep = 1.0 / 30.0;

struct FlownUnit {
    FleetId id{};
    FleetUnit kind{};
    FleetView now{};
    Vec3 goal{};
    bool sent = false;
    bool group = false;
    bool free = false;    ///< of walls, as far as it needs to stop
    bool headed = false;  ///< else it takes the heading that its first route begins with

    [[nodiscard]] Vec3 p() const { return now.place.position; }
    [[nodiscard]] bool plane() const { return kind.agent.turning_radius > 0.0; }
    [[nodiscard]] double radius() const { return kind.agent.radius; }
    [[nodiscard]] double stop() const { return now.speed * now.speed / (2.0 * kind.limits.brake_max); }
};

/// Solid voxels, kept without the library; outside all is solid.
struct DugSpace {
    std::int32_t size[3] = {1, 1, 1};
    std::vector<std::uint8_t> solid{};

    [[nodiscard]] bool is_solid(std::int32_t x, std::int32_t y, std::int32_t z) const {
        if (x < 0 || y < 0 || z < 0 || x >= size[0] || y >= size[1] || z >= size[2]) return true;
        return solid[static_cast<std::size_t>((z * size[1] + y) * size[0] + x)] != 0;
    }
    void fill(const VoxelBox& box, bool is) {
        for (std::int32_t z = box.low.z; z < box.high.z; ++z) {
            for (std::int32_t y = box.low.y; y < box.high.y; ++y) {
                for (std::int32_t x = box.low.x; x < box.high.x; ++x)
                    solid[static_cast<std::size_t>((z * size[1] + y) * size[0] + x)] = is ? 1 : 0;
            }
        }
    }
    /// From a place to what is solid, `reach` if nothing is so near.
    [[nodiscard]] double to_solid(Vec3 p, double reach) const {
        const long double at[3] = {p.x, p.y, p.z};
        std::int32_t low[3];
        std::int32_t high[3];
        for (int k = 0; k < 3; ++k) {
            if (!(p.x > -1e3 && p.x < 1e3 && p.y > -1e3 && p.y < 1e3 && p.z > -1e3 && p.z < 1e3)) return 0.0;
            low[k] = std::max(static_cast<std::int32_t>(std::floor(at[k] - reach)), -2);
            high[k] = std::min(static_cast<std::int32_t>(std::floor(at[k] + reach)), size[k] + 1);
        }
        long double least = static_cast<long double>(reach) * reach;
        for (std::int32_t z = low[2]; z <= high[2]; ++z) {
            for (std::int32_t y = low[1]; y <= high[1]; ++y) {
                for (std::int32_t x = low[0]; x <= high[0]; ++x) {
                    if (!is_solid(x, y, z)) continue;
                    const std::int32_t corner[3] = {x, y, z};
                    long double squared = 0.0;
                    for (int k = 0; k < 3; ++k) {
                        const long double gap = std::max({corner[k] - at[k], at[k] - corner[k] - 1.0L, 0.0L});
                        squared += gap * gap;
                    }
                    least = std::min(least, squared);
                }
            }
        }
        return static_cast<double>(std::sqrt(least));
    }
};

bool is_point(const std::vector<double>& p) {
    return std::isfinite(item(p, 0)) && std::isfinite(item(p, 1)) && std::isfinite(item(p, 2));
}
Vec3 point3(const std::vector<double>& p) { return {item(p, 0), item(p, 1), item(p, 2)}; }

struct FlightPlayer {
    explicit FlightPlayer(Tally& tallied) : tally(&tallied) {}
    [[nodiscard]] std::string play(const Step& step);

  private:
    std::string make(const Step& step);
    std::string clear();
    std::string add_kind(const Step& step);
    std::string add(const Step& step);
    std::string send(const Step& step);
    std::string fill(const Step& step);
    std::string update(double seconds, std::uint64_t budget);
    std::string tick(const Step& step);
    std::string settle();
    std::string judge(double seconds);
    std::string judge_walls(FlownUnit& unit) const;
    std::string judge_moves(const FlownUnit& unit, const FleetView& was, double seconds) const;
    std::string judge_turns(const FlownUnit& unit, const FleetView& was) const;
    std::string judge_pairs();
    [[nodiscard]] bool stands_free(const FlownUnit& unit) const {
        const double reach = unit.radius() + unit.stop();
        return space.to_solid(unit.p(), reach) >= reach - 0.5 * kGive;
    }
    void excuse();
    [[nodiscard]] FlownUnit* named(const Step& step) {
        return units.empty() ? nullptr : &units[static_cast<std::size_t>(step.count("id")) % units.size()];
    }

    TestAllocator memory;
    std::optional<Volume> volume;
    std::optional<VolumeFleet> port[2];
    FleetPair both;
    DugSpace space;
    bool avoid = true;
    std::vector<FleetUnit> kinds;
    std::vector<FlownUnit> units;
    std::map<std::pair<std::uint64_t, std::uint64_t>, bool> clear_of;
    Tally* tally;
};

std::string FlightPlayer::clear() {
    units.clear();
    kinds.clear();
    clear_of.clear();
    both.clear();
    for (std::optional<VolumeFleet>& one : port) one.reset();
    return memory.live_blocks == 0 && memory.live_bytes == 0 ? "" : "leak: of a fleet";
}

std::string FlightPlayer::make(const Step& step) {
    const std::string leak = clear();
    if (!leak.empty()) return leak;
    const std::vector<double> size = step.numbers("size");
    for (std::size_t k = 0; k < 3; ++k) space.size[k] = std::clamp(to_whole(item(size, k, 8.0)), 1, 40);
    space.solid.assign(static_cast<std::size_t>(space.size[0] * space.size[1] * space.size[2]), 0);
    Result<Volume> made = Volume::make({.size = {space.size[0], space.size[1], space.size[2]}});
    if (!made) return "refused: a volume";
    volume.emplace(std::move(*made));
    avoid = step.number("avoid", 1.0) != 0.0;
    both.slices = step.has("slices");
    for (int i = 0; i < 2; ++i) {
        FleetOptions asked;
        asked.avoid = avoid;
        const Allocator from = i == 0 ? memory.allocator() : Allocator{};
        port[i].emplace(*volume, from);
        const std::string bad = both.make(i, port[i]->port(), asked, from);
        if (!bad.empty()) return bad;
    }
    return "";
}

std::string FlightPlayer::add_kind(const Step& step) {
    const std::vector<double> is = step.numbers("is");
    FleetUnit unit;
    unit.agent.radius = item(is, 0, 0.4);
    unit.agent.turning_radius = item(is, 1);
    unit.limits = SpeedLimits::only(item(is, 2, 2.0));
    unit.limits.accel_max = unit.limits.brake_max = item(is, 3, 8.0);
    if (item(is, 4) != 0.0) unit.climb.up_rad = unit.climb.down_rad = item(is, 4);
    const Result<FleetKind> one = both.one->add_kind(unit), other = both.other->add_kind(unit);
    if (one.has_value() != other.has_value()) return "differs: one of two kinds is refused";
    if (!one) {
        ++tally->refused;
        const bool flies = unit.agent.turning_radius > 0.0;
        const bool good = check_body(unit.agent) && check_speed_limits(unit.limits) &&
                          check_climb(unit.climb) && (flies || unit.climb == ClimbLimits{});
        return good ? std::string("refused: a kind, ") + error_name(one.error().code) : "";
    }
    if (one->value != kinds.size() || other->value != kinds.size()) return "status: the number of a kind";
    if (unit.agent.radius == 0.0) unit.agent.radius = 1e-3;
    kinds.push_back(unit);
    return "";
}

std::string FlightPlayer::add(const Step& step) {
    if (kinds.empty() || units.size() >= 30) return "";
    const std::size_t kind = static_cast<std::size_t>(step.count("kind")) % kinds.size();
    Place at;
    at.position = point3(step.numbers("at"));
    at.heading_rad = step.number("heading");
    const FleetKind named_kind{static_cast<std::uint32_t>(kind)};
    const Result<FleetId> one = both.one->add(named_kind, at, step.has("heading"));
    const Result<FleetId> other = both.other->add(named_kind, at, step.has("heading"));
    if (one.has_value() != other.has_value()) return "differs: one of two adds is refused";
    const bool good =
        is_finite(at.position) && std::isfinite(at.heading_rad) && kinds[kind].agent.radius <= 1e6;
    if (one.has_value() != good) return good ? "refused: a unit" : "taken: a bad unit";
    if (!good) return ++tally->refused, "";
    if (!(*one == *other)) return "differs: the ids of new units";
    FlownUnit unit;
    unit.id = *one;
    unit.kind = kinds[kind];
    unit.headed = step.has("heading") && std::abs(step.number("heading")) < 1e6;
    units.push_back(unit);
    excuse();
    const FleetView& now = units.back().now;
    return now.exists && now.state == FleetState::idle && now.speed == 0.0 ? ""
                                                                           : "status: a new unit is not idle";
}

std::string FlightPlayer::send(const Step& step) {
    FlownUnit* unit = named(step);
    if (unit == nullptr) return "";
    const std::vector<double> at = step.numbers("to");
    Spot to(point3(at));
    if (step.has("heading")) to = Spot(Position3(point3(at)), step.number("heading"));
    CrowdGoal group;
    group.group = static_cast<std::uint32_t>(step.count("group"));
    const Result<void> one = both.one->send(unit->id, to, group),
                       other = both.other->send(unit->id, to, group);
    if (one.has_value() != other.has_value()) return "differs: one of two sends is refused";
    const bool good = is_point(at) && std::isfinite(to.heading_rad);
    if (!one) {
        ++tally->refused;
        return good ? std::string("refused: a send, ") + error_name(one.error().code) : "";
    }
    if (!good) return "taken: a bad goal";
    unit->goal = to.position;
    unit->sent = true;
    unit->group = group.group != 0;
    unit->now = both.one->unit(unit->id);
    return "";
}

void FlightPlayer::excuse() {
    for (FlownUnit& unit : units) {
        unit.now = both.one->unit(unit.id);
        unit.free = stands_free(unit);
    }
    clear_of.clear();
}

std::string FlightPlayer::fill(const Step& step) {
    const std::vector<double> b = step.numbers("box");
    const auto whole = [&](std::size_t i) { return std::clamp(to_whole(item(b, i)), 0, 40); };
    VoxelBox box{{whole(0), whole(1), whole(2)}, {}};
    box.high = {std::min(box.low.x + whole(3), space.size[0]), std::min(box.low.y + whole(4), space.size[1]),
                std::min(box.low.z + whole(5), space.size[2])};
    if (box.empty()) return "";
    const bool solid = !step.has("free");
    if (!volume->apply(solid ? VolumeEdit::fill(box) : VolumeEdit::clear(box))) return "refused: an edit";
    space.fill(box, solid);
    if (!both.one->world_changed() || !both.other->world_changed()) return "refused: a changed world";
    excuse();
    return "";
}

std::string FlightPlayer::judge_walls(FlownUnit& unit) const {
    if (!unit.free) {
        unit.free = stands_free(unit);
        return "";
    }
    const double reach = unit.radius();
    const double near = space.to_solid(unit.p(), reach + 0.1);
    return near < reach - 1e-6 ? "wall: by " + number_text(reach - near) : "";
}

/// A chord is a little shorter than its arc.
std::string FlightPlayer::judge_turns(const FlownUnit& unit, const FleetView& was) const {
    const Vec3 moved = unit.p() - was.place.position;
    const double flat = std::hypot(moved.x, moved.y);
    // On circles of the size of the earth where an arc ends is a matter of rounding.
    if (!unit.headed || unit.kind.agent.turning_radius > 1e6) return "";
    const double turned = std::remainder(unit.now.place.heading_rad - was.place.heading_rad, kTwoPi);
    const double half = std::min(0.5 * std::abs(turned), 1.5);
    const double arc = flat * (half > 1e-6 ? half / std::sin(half) : 1.0);
    if (std::abs(turned) > arc / unit.kind.agent.turning_radius * (1.0 + 1e-6) + 1e-6)
        return "limits: turns on too small a circle";
    const double climb = moved.z > 0.0 ? unit.kind.climb.up_rad : unit.kind.climb.down_rad;
    // within one frame the way may bend to and fro
    if (std::abs(moved.z) > arc * std::tan(climb) * 1.05 + 1e-6) return "limits: too steep";
    return "";
}

std::string FlightPlayer::judge_moves(const FlownUnit& unit, const FleetView& was, double seconds) const {
    const SpeedLimits& limits = unit.kind.limits;
    const double round = 1e-9 * limits.speed_max;
    const FleetView& now = unit.now;
    if (!now.exists || !is_finite(unit.p()) || now.state >= FleetState::count_) return "status: no such unit";
    if (now.speed > limits.speed_max + round) return "limits: speed " + number_text(now.speed);
    if (now.speed - was.speed > limits.accel_max * seconds + round) return "limits: speeds up too much";
    if (was.speed - now.speed > limits.brake_max * seconds + round) return "limits: brakes too hard";
    if (was.state != FleetState::waiting &&
        distance(unit.p(), was.place.position) >
            limits.speed_max * seconds * (1.0 + 1e-9) + 1e-9 + 1e-15 * length(unit.p()))
        return "limits: it jumps";
    if (!unit.sent && now.state != FleetState::idle && now.state != FleetState::arrived)
        return std::string("status: not sent, yet ") + fleet_state_name(now.state);
    if (unit.sent && now.state == FleetState::idle) return "status: sent, yet idle";
    const bool came = now.state == FleetState::arrived && was.state != FleetState::arrived;
    const double near = unit.plane() ? 1e-6 : unit.radius() + 1e-3 + 1e-6;
    if (came && unit.sent && !unit.group && distance(unit.p(), unit.goal) > near)
        return "status: arrived elsewhere";
    return unit.plane() && unit.kind.limits.speed_max < 1e3 ? judge_turns(unit, was) : "";
}

std::string FlightPlayer::judge_pairs() {
    if (!avoid) return "";
    for (std::size_t i = 0; i < units.size(); ++i) {
        for (std::size_t k = 0; k < i; ++k) {
            const FlownUnit &a = units[i], &b = units[k];
            bool& clear = clear_of[{a.id.value, b.id.value}];
            const double gap = distance(a.p(), b.p()) - a.radius() - b.radius();
            if (clear && gap < -kGive) {
                return "overlap: units " + std::to_string(i) + " and " + std::to_string(k) + " by " +
                       number_text(-gap) + (a.plane() ? ", a plane" : ", a drone") +
                       (b.plane() ? ", a plane" : ", a drone");
            }
            clear = gap >= 0.0 && (clear || gap >= a.stop() + b.stop());
        }
    }
    return "";
}

std::string FlightPlayer::judge(double seconds) {
    ++tally->judged;
    ++tally->verified;
    for (std::size_t i = 0; i < units.size(); ++i) {
        FlownUnit& unit = units[i];
        const FleetView was = unit.now;
        unit.now = both.one->unit(unit.id);
        std::string bad = judge_moves(unit, was, seconds);
        if (bad.empty()) bad = judge_walls(unit);
        unit.headed = unit.headed || unit.p() != was.place.position;
        if (bad.empty()) continue;
        return bad + ", unit " + std::to_string(i) + (unit.plane() ? ", a plane, " : ", a drone, ") +
               fleet_state_name(was.state) + " to " + fleet_state_name(unit.now.state) + ", at (" +
               number_text(unit.p().x) + ", " + number_text(unit.p().y) + ", " + number_text(unit.p().z) +
               ")";
    }
    return judge_pairs();
}

std::string FlightPlayer::update(double seconds, std::uint64_t budget) {
    bool moved = false;
    const std::string bad = both.update(seconds, budget, *tally, moved);
    return moved ? judge(seconds) : bad;
}

std::string FlightPlayer::tick(const Step& step) {
    const std::uint64_t count = std::min<std::uint64_t>(step.count("n", 1), 300);
    for (std::uint64_t i = 0; i < count; ++i) {
        const std::string bad = update(step.number("seconds", kFlightStep), step.count("units", 5000));
        if (!bad.empty()) return bad + ", tick " + std::to_string(i);
    }
    return "";
}

/// Until nobody is under way, for half a minute at most: planes that meet in a tunnel stand there.
std::string FlightPlayer::settle() {
    int quiet = 0;
    for (int i = 0; i < 900 && quiet < 60; ++i) {
        const std::string bad = update(kFlightStep, 20000);
        if (!bad.empty()) return bad + ", tick " + std::to_string(i);
        const auto going = [](const FlownUnit& unit) {
            return unit.now.state == FleetState::waiting || unit.now.state == FleetState::moving ||
                   unit.now.state == FleetState::stuck;
        };
        quiet = std::none_of(units.begin(), units.end(), going) ? quiet + 1 : 0;
    }
    for (const FlownUnit& unit : units) tally->routes += unit.now.state == FleetState::arrived ? 1 : 0;
    return "";
}

std::string FlightPlayer::play(const Step& step) {
    if (step.verb == "make") return make(step);
    if (!both.one || !both.other) return "";
    if (step.verb == "kind") return add_kind(step);
    if (step.verb == "add") return add(step);
    if (step.verb == "send") return send(step);
    if (step.verb == "fill") return fill(step);
    if (step.verb == "tick") return tick(step);
    if (step.verb == "settle") return settle();
    FlownUnit* unit = named(step);
    if (unit == nullptr) return "";
    if (step.verb == "stop") {
        if (!both.one->stop(unit->id) || !both.other->stop(unit->id)) return "refused: stop";
        unit->sent = false;
        unit->now = both.one->unit(unit->id);
    } else if (step.verb == "remove") {
        if (!both.one->remove(unit->id) || !both.other->remove(unit->id)) return "refused: remove";
        units.erase(units.begin() + (unit - units.data()));
    }
    return both.one->size() == units.size() ? "" : "status: the number of units";
}

}  // namespace

std::string play_flight_script(const Script& script, Tally& tally) {
    FlightPlayer player(tally);
    return play_steps(script, tally, [&](const Step& step) { return player.play(step); });
}

}  // namespace fairlead::simulate
