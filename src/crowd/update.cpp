// An update: what all units share is counted first, then four phases over all of them, a block of units a job.
#include <fairlead/crowd/crowd.h>

#include "crowd/check_seconds.h"
#include "crowd/crowd_data.h"
#include "crowd/space/space_phases.h"

namespace fairlead {

namespace {

using crowd::CrowdData;
using crowd::Unit;

constexpr double kCellSide = 4.0;   // of the neighbour grid, in radii
constexpr std::size_t kBlock = 64;  // units a job

struct PhaseWork {
    CrowdData* data;
    void (*phase)(CrowdData&, std::uint32_t);
};

void run_phase(CrowdData& data, void (*phase)(CrowdData&, std::uint32_t), const Jobs& jobs) {
    PhaseWork work{&data, phase};
    const auto block = [](void* context, std::size_t index) {
        const PhaseWork& w = *static_cast<PhaseWork*>(context);
        const std::size_t end =
            (index + 1) * kBlock < w.data->units.size() ? (index + 1) * kBlock : w.data->units.size();
        for (std::size_t i = index * kBlock; i < end; ++i) {
            if (w.data->units[i].used) w.phase(*w.data, static_cast<std::uint32_t>(i));
        }
    };
    const std::size_t blocks = (data.units.size() + kBlock - 1) / kBlock;
    if (jobs.run != nullptr) {
        jobs.run(jobs.user, blocks, block, &work);
    } else {
        for (std::size_t i = 0; i < blocks; ++i) block(&work, i);
    }
}

double widest_of(const CrowdData& d) {
    double widest = 0.0;
    for (const Unit& unit : d.units) {
        if (unit.used && unit.body.radius > widest) widest = unit.body.radius;
    }
    return widest > 0.0 ? widest : 1.0;
}

/// Phases 0 to 4 on the ground.
bool update_on_ground(CrowdData& d, const Jobs& jobs) {
    const std::size_t n = d.units.size();
    if (!d.near.resize(n) || !d.own.resize(n) || !d.wish.resize(n) || !d.heard.resize(n) || !d.next.resize(n))
        return false;
    // All that can fail comes first: an update that ran out of memory has changed nothing.
    if (!d.grid.fill(d.units.span(), kCellSide * widest_of(d))) return false;
    for (crowd::Group& group : d.groups) {
        if (!crowd::flood_seats(d, group)) return false;
    }
    if (!crowd::plan_seats(d)) return false;
    crowd::keep_order(d);
    d.stop_max = d.way_max = 0.0;
    for (const Unit& unit : d.units) {
        if (!unit.used) continue;
        const double way = crowd::way_of(unit, d.step);
        if (way > d.way_max) d.way_max = way;
        const double speed = length(unit.velocity);
        const double stop = unit.body.driven ? way : crowd::braking_of(unit, d.step).stopping(speed);
        if (stop > d.stop_max) d.stop_max = stop;
    }
    for (std::size_t i = 0; i < n; ++i) d.heard[i] = d.wish[i];
    run_phase(d, &crowd::want, jobs);
    run_phase(d, &crowd::make_way, jobs);
    run_phase(d, &crowd::choose, jobs);
    run_phase(d, &crowd::move, jobs);
    return true;
}

bool update_in_space(CrowdData& d, const Jobs& jobs) {
    crowd::SpaceData& s = d.space;
    const std::size_t n = d.units.size();
    if (!d.near.resize(n) || !s.own.resize(n) || !s.wish.resize(n) || !s.heard.resize(n) || !s.next.resize(n))
        return false;
    if (!s.grid.fill(d.units.span(), kCellSide * widest_of(d)) || !crowd::keep_tunnels(d)) return false;
    s.longest = 0.0;
    for (std::uint32_t i = 0; i < n; ++i) {
        s.heard[i] = s.wish[i];
        if (!d.units[i].used) continue;
        const crowd::Braking braking = crowd::braking_of(d.units[i], d.step);
        const double speed = d.speed(i);
        const double way = d.units[i].body.driven ? braking.distance(speed) : braking.stopping(speed);
        if (way > s.longest) s.longest = way;
        for (std::uint32_t k = 0; k < s.units[i].way_count; ++k) {
            const double far = distance(d.units[i].at.position, s.units[i].way[k]) + s.units[i].off;
            if (far > s.longest) s.longest = far;
        }
    }
    run_phase(d, &crowd::want_in_space, jobs);
    run_phase(d, &crowd::make_way_in_space, jobs);
    run_phase(d, &crowd::choose_in_space, jobs);
    run_phase(d, &crowd::move_in_space, jobs);
    return true;
}

}  // namespace

Result<void> Crowd::update(double seconds, const CrowdWorld& world, const Jobs& jobs) {
    if (const Result<void> good = crowd::check_seconds(seconds); !good) return good;
    CrowdData& d = *data_;
    d.step = seconds;
    d.world = &world;
    if (!crowd::gather_groups(d)) return Error{ErrorCode::out_of_memory};
    for (Unit& unit : d.units) unit.was_settled = unit.settled;
    const bool done = d.options.space ? update_in_space(d, jobs) : update_on_ground(d, jobs);
    if (!done) return Error{ErrorCode::out_of_memory};
    return {};
}

}  // namespace fairlead
