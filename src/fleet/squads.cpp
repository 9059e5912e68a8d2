// Units that were sent in formation: one route for all, asked for from the widest one nearest to their middle; then the formation tells
// each where to go. Who loses the others is asked for by itself, as any unit, until it is back.
#include <new>
#include <utility>

#include "fleet/fleet_data.h"

namespace fairlead::fleet {

namespace {

constexpr std::uint32_t kGroupOfSquads = 0x80000000u;  // CrowdGoal::group of those that break up for good

/// The widest; of those the one nearest to the middle.
const Member& speaker_of(const FleetData& d, const Squad& squad) {
    Vec3 middle{};
    double widest = 0.0;
    for (const std::uint32_t m : squad.members) {
        middle += d.members[m]->at.position / static_cast<double>(squad.members.size());
        const double radius = d.kinds[d.members[m]->kind.value].agent.radius;
        if (radius > widest) widest = radius;
    }
    const Member* best = d.members[squad.members[0]];
    double least = std::numeric_limits<double>::infinity();
    for (const std::uint32_t m : squad.members) {
        const Member& one = *d.members[m];
        const double apart = distance(one.at.position, middle);
        if (d.kinds[one.kind.value].agent.radius < widest || apart >= least) continue;
        least = apart;
        best = &one;
    }
    return *best;
}

FleetAsk ask_of(const FleetData& d, const Squad& squad, const Place& from) {
    return {&d.kinds[squad.kind.value], squad.kind, from, false, squad.goal.any_heading(), {}};
}

Result<void> ask_for(FleetData& d, Squad& squad) {
    if (squad.request.valid()) (void)d.scheduler.cancel(squad.request);
    squad.request = {};
    const Member& speaker = speaker_of(d, squad);
    squad.kind = speaker.kind;
    RequestOptions options;
    options.on_edit = OnEdit::restart;
    const Result<RequestId> id = d.port.ask(d.scheduler, ask_of(d, squad, speaker.at), options, d.port.user);
    if (!id) return id.error();
    squad.request = *id;
    squad.asked_at = d.frame;
    squad.edited = false;
    return {};
}

void destroy(FleetData& d, Squad* squad) {
    if (squad->request.valid()) (void)d.scheduler.cancel(squad->request);
    squad->~Squad();
    d.options.allocator.release(squad, sizeof(Squad), alignof(Squad), d.options.allocator.user);
}

void tell_all(FleetData& d, const Squad& squad, FleetState state) {
    for (const std::uint32_t m : squad.members) {
        Member& member = *d.members[m];
        member.why = squad.why;
        member.asked_frames = d.frame - squad.asked_at;
        if (!member.alone) member.state = state;
    }
}

bool has_links(const Route& route) {
    for (const Leg& leg : route.legs) {
        if (leg.kind == LegKind::link) return true;
    }
    return false;
}

/// Each by itself, to stand close around the goal.
Result<void> break_up(FleetData& d, std::uint32_t s) {
    Squad& squad = *d.squads[s];
    const Spot goal = squad.goal.any_heading();
    while (!squad.members.empty()) {
        Member& member = *d.members[squad.members.back()];
        squad.members.pop_back();
        member.squad = kNoSquad;
        member.alone = false;
        member.goal = goal;
        member.group = {kGroupOfSquads | squad.generation};
        if (const Result<void> asked = ask(d, member, false); !asked) return asked;
    }
    d.squads[s] = nullptr;
    destroy(d, &squad);
    return {};
}

/// Who was planned for when it was sent is let go first: a formation moves nobody who is moved by a plan.
bool waits_for_knots(FleetData& d, const Squad& squad) {
    bool waits = false;
    for (const std::uint32_t m : squad.members) {
        if (!d.members[m]->in_knot) continue;
        break_knot_of(d, *d.members[m]);
        waits = true;
    }
    return waits;
}

Result<void> take_route(FleetData& d, std::uint32_t s, const CrowdWorld& world) {
    Squad& squad = *d.squads[s];
    if (waits_for_knots(d, squad)) return {};
    const Result<void> taken = d.scheduler.take(squad.request, squad.coming);
    squad.request = {};
    squad.why = taken ? squad.coming.status : PathStatus::start_blocked;
    // a goal within a wall, on a mesh that takes the nearest place instead: that is not where they were sent
    if (squad.why == PathStatus::complete && squad.goal.kind == Spot::Kind::position &&
        distance(ground(squad.coming.end.position), ground(squad.goal.position)) >
            d.kinds[squad.kind.value].agent.radius + 1e-6)
        squad.why = PathStatus::goal_blocked;
    const bool goes = squad.why == PathStatus::complete || squad.why == PathStatus::partial;
    // found in the world before an edit
    if (squad.edited &&
        !(goes && d.port.legal(squad.coming, ask_of(d, squad, speaker_of(d, squad).at), d.port.user)))
        return ask_for(d, squad);
    if (!goes) {
        squad.under_way = false;
        squad.formation.stop(d.crowd);
        tell_all(d, squad,
                 squad.why == PathStatus::unreachable ? FleetState::unreachable : FleetState::invalid);
        return {};
    }
    if (has_links(squad.coming)) return break_up(d, s);
    std::swap(squad.route, squad.coming);
    FormationEnd end;
    end.has_heading = squad.goal.has_heading;
    end.heading_rad = squad.goal.heading_rad;
    if (const Result<void> sent = squad.formation.send(d.crowd, world, squad.route, end); !sent) return sent;
    squad.under_way = true;
    tell_all(d, squad, FleetState::moving);
    for (const std::uint32_t m : squad.members) {
        d.members[m]->best = std::numeric_limits<double>::infinity();
        d.members[m]->best_for = 0.0;
    }
    return {};
}

FormationUnit unit_of(const Squad& squad, const FleetData& d, const Member& member) {
    for (std::size_t i = 0; i < squad.members.size(); ++i) {
        if (d.members[squad.members[i]] == &member) return squad.formation.unit(i);
    }
    return {};
}

}  // namespace

Result<FleetFormationId> send_squad(FleetData& d, std::span<Member* const> units, const Spot& goal,
                                    const FormationOptions& options) {
    FormationOptions mine = options;
    mine.allocator = d.options.allocator;
    Result<Formation> formation = Formation::make(mine);
    if (!formation) return formation.error();
    double widest = 0.0;
    for (const Member* member : units) {
        if (const Result<void> added = formation->add(member->body); !added) return added.error();
        const double radius = d.kinds[member->kind.value].agent.radius;
        if (radius > widest) widest = radius;
    }
    if (options.spacing > 0.0 && options.spacing < kFormationSpacingLeast * widest)
        return Error{ErrorCode::out_of_range, Field::spacing};
    std::uint32_t s = 0;
    while (s < d.squads.size() && d.squads[s] != nullptr) ++s;
    if (s == d.squads.size() && !d.squads.push_back(nullptr)) return Error{ErrorCode::out_of_memory};
    void* memory = d.options.allocator.allocate(sizeof(Squad), alignof(Squad), d.options.allocator.user);
    if (memory == nullptr) return Error{ErrorCode::out_of_memory};
    auto* squad = ::new (memory) Squad(std::move(*formation), d.options.allocator);
    squad->generation = ++d.squads_made;
    squad->goal = goal;
    bool room = squad->members.reserve(units.size());
    for (const Member* member : units) {
        std::uint32_t slot = 0;
        while (d.members[slot] != member) ++slot;
        room = room && squad->members.push_back(slot);
    }
    const Result<void> asked = room ? ask_for(d, *squad) : Error{ErrorCode::out_of_memory};
    if (!asked) {
        destroy(d, squad);
        return asked.error();
    }
    for (Member* member : units) {
        leave_squad(d, *member);
        leave_field(d, *member);
        if (member->request.valid()) (void)d.scheduler.cancel(member->request);
        member->request = {};
        member->goal = goal.any_heading();
        member->group = {};
        member->squad = s;
        member->state = FleetState::waiting;
        (void)d.crowd.stop(member->body);
    }
    d.squads[s] = squad;
    return FleetFormationId{static_cast<std::uint64_t>(squad->generation) << 32 | s};
}

void leave_squad(FleetData& d, Member& member) {
    if (member.squad == kNoSquad) return;
    Squad& squad = *d.squads[member.squad];
    std::size_t kept = 0;
    for (const std::uint32_t m : squad.members) {
        if (d.members[m] != &member) squad.members[kept++] = m;
    }
    squad.members.pop_back();
    (void)squad.formation.remove(member.body);
    if (squad.members.empty()) {
        d.squads[member.squad] = nullptr;
        destroy(d, &squad);
    }
    member.squad = kNoSquad;
    member.alone = false;
}

Result<void> change_body_in_squad(FleetData& d, const Member& member, UnitId old) {
    if (member.squad == kNoSquad) return {};
    Formation& formation = d.squads[member.squad]->formation;
    (void)formation.remove(old);
    return formation.add(member.body);
}

Result<void> lead_squads(FleetData& d, double seconds) {
    if (d.squads.empty()) return {};
    const CrowdWorld world = d.port.crowd(d.port.user);
    for (std::uint32_t s = 0; s < d.squads.size(); ++s) {
        if (d.squads[s] == nullptr) continue;
        if (d.squads[s]->request.valid()) {
            const RequestStatus status = d.scheduler.status(d.squads[s]->request);
            if (status == RequestStatus::done || status == RequestStatus::dropped) {
                if (const Result<void> taken = take_route(d, s, world); !taken) return taken;
            }
        }
        if (d.squads[s] == nullptr || !d.squads[s]->under_way) continue;
        if (const Result<void> led = d.squads[s]->formation.update(seconds, d.crowd, world); !led) return led;
        for (const std::uint32_t m : d.squads[s]->members) {
            Member& member = *d.members[m];
            if (!member.alone || unit_of(*d.squads[s], d, member).alone) continue;
            member.alone = false;  // it is back
            if (member.request.valid()) (void)d.scheduler.cancel(member.request);
            member.request = {};
        }
    }
    return {};
}

Result<void> follow_squad(FleetData& d, Member& member, double seconds) {
    Squad& squad = *d.squads[member.squad];
    if (!squad.under_way) return {};
    const FormationUnit unit = unit_of(squad, d, member);
    const FormationState state = squad.formation.state();
    const bool ends = state == FormationState::closing || state == FormationState::arrived;
    const bool there = ends && unit.there;
    if (there) {
        member.state = FleetState::arrived;
        member.best_for = 0.0;
        return {};
    }
    if (member.state == FleetState::arrived) member.state = FleetState::moving;
    watch_progress(d, member, squad.formation.remaining() + distance(unit.slot, member.at.position), seconds);
    if (!unit.lost || member.request.valid() || d.frame - member.asked_at <= kAskAgain) return {};
    const Result<void> asked = ask(d, member, true);
    if (!asked) return asked;
    member.alone = true;
    return {};
}

Result<void> squads_world_changed(FleetData& d) {
    for (Squad* squad : d.squads) {
        if (squad == nullptr) continue;
        squad->formation.world_changed();
        if (squad->request.valid()) {
            squad->edited = true;
            continue;
        }
        const Place from = speaker_of(d, *squad).at;
        if (squad->under_way && d.port.legal(squad->route, ask_of(d, *squad, from), d.port.user)) continue;
        if (const Result<void> asked = ask_for(d, *squad); !asked) return asked;
    }
    return {};
}

void release_squads(FleetData& d) {
    for (Squad*& squad : d.squads) {
        if (squad != nullptr) destroy(d, squad);
        squad = nullptr;
    }
}

}  // namespace fairlead::fleet

namespace fairlead {

FleetFormationView Fleet::formation(FleetFormationId id) const {
    FleetFormationView view;
    const auto s = static_cast<std::uint32_t>(id.value);
    const fleet::Squad* squad = s < data_->squads.size() ? data_->squads[s] : nullptr;
    if (squad == nullptr || squad->generation != id.value >> 32) return view;
    view.exists = true;
    view.state = squad->under_way ? squad->formation.state() : FormationState::idle;
    view.why = squad->why;
    view.size = squad->members.size();
    view.files = squad->formation.files();
    view.remaining = squad->formation.remaining();
    return view;
}

}  // namespace fairlead
