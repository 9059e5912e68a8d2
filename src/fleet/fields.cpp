// Fields that many units with one goal share: filled as a job of the scheduler's, in slices; then, in the same job, each unit that
// waits for
// its route gets it out of the field. Where filling takes long the units ask for themselves meanwhile, first legs first.
#include <new>

#include "fleet/fleet_data.h"

namespace fairlead::fleet {

namespace {

constexpr std::uint32_t kGroupOfClicks = 0x40000000u;  // CrowdGoal::group of units that were sent together
constexpr std::uint64_t kPatience = 15;   // frames that a unit waits for a field before it asks for itself
constexpr std::uint64_t kRouteUnits = 4;  // of work: sights, before the legs

FleetAsk ask_for_field(const FleetData& d, const Member& member) {
    return {&d.kinds[member.kind.value], member.kind, member.at, false, member.goal, {}};
}

/// May they share a field? Walkers of one body.
bool alike(const FleetData& d, const Member& a, const Member& b) {
    return d.kinds[a.kind.value].agent == d.kinds[b.kind.value].agent && a.at.layer == b.at.layer;
}

SharedField* new_field(FleetData& d) {
    for (SharedField* field : d.fields) {
        if (field->users == 0 && !field->request.valid()) return field;
    }
    const Allocator& from = d.options.allocator;
    void* memory = from.allocate(sizeof(SharedField), alignof(SharedField), from.user);
    if (memory == nullptr) return nullptr;
    auto* field = ::new (memory) SharedField(d);
    field->index = static_cast<std::uint32_t>(d.fields.size());
    if (d.fields.push_back(field)) return field;
    field->~SharedField();
    from.release(memory, sizeof(SharedField), alignof(SharedField), from.user);
    return nullptr;
}

/// Its memory in the port is given back.
void end_field(FleetData& d, SharedField& field) {
    if (field.request.valid()) (void)d.scheduler.cancel(field.request);
    field.request = {};
    if (field.open) d.port.fields.end(field.number, d.port.user);
    field.open = false;
    field.waiting.clear();
    field.next = 0;
}

/// False: the world has none for this goal; or there is no memory, and searches will say so.
bool open_field(FleetData& d, SharedField& field, const FleetAsk& ask) {
    const Result<std::uint32_t> begun = d.port.fields.begin(ask, d.port.user);
    if (!begun) return false;
    field.number = *begun;
    field.open = true;
    field.begun_at = d.frame;
    field.debt = 0;
    return true;
}

bool start_job(FleetData& d, SharedField& field) {
    if (field.request.valid()) return true;
    const Result<RequestId> id = d.scheduler.submit_job(field, {.priority = RequestOptions::kPriorityMax});
    if (!id) return false;
    field.request = *id;
    return true;
}

bool line_up(SharedField& field, Member& member) {
    member.line = static_cast<std::uint32_t>(field.waiting.size());
    if (!field.waiting.push_back(member.slot)) return false;
    member.lined_up = true;
    member.has_field_route = false;
    return true;
}

/// So many of `units` from `first` on are like it, and go by no field yet.
std::uint32_t count_alike(const FleetData& d, std::span<Member* const> units, std::size_t first) {
    std::uint32_t count = 0;
    for (std::size_t i = first; i < units.size(); ++i) {
        if (!units[i]->driver && units[i]->shared == kNoField && alike(d, *units[first], *units[i])) ++count;
    }
    return count;
}

/// One field for all like the first of them that go by none, if it pays.
Result<void> share_from(FleetData& d, std::span<Member* const> units, std::size_t first) {
    Member& speaker = *units[first];
    const FleetAsk ask = ask_for_field(d, speaker);
    const std::uint32_t pays_from = d.port.fields.pays_from(ask, d.port.user);
    if (pays_from == 0 || count_alike(d, units, first) < pays_from) return {};
    SharedField* field = new_field(d);
    if (field == nullptr) return Error{ErrorCode::out_of_memory};
    if (!open_field(d, *field, ask)) return {};
    field->kind = speaker.kind;
    field->goal = speaker.goal;
    for (std::size_t i = first; i < units.size(); ++i) {
        Member& member = *units[i];
        if (member.driver || member.shared != kNoField || !alike(d, speaker, member)) continue;
        if (!line_up(*field, member)) return Error{ErrorCode::out_of_memory};
        member.shared = field->index;
        ++field->users;
    }
    if (!start_job(d, *field)) return Error{ErrorCode::out_of_memory};
    return {};
}

}  // namespace

// The field first, then routes out of it. A route is a unit, and what it costs more is worked off before the next one.
std::uint64_t SharedField::step(std::uint64_t units) {
    const FleetPort& port = fleet->port;
    if (port.fields.running(number, port.user)) return port.fields.step(number, units, port.user);
    std::uint64_t used = 0;
    while (used < units && (next < waiting.size() || debt > 0)) {
        ++used;
        if (debt > 0) {
            --debt;
            continue;
        }
        const std::uint32_t slot = waiting[next++];
        if (slot == kNoMember) continue;
        Member& member = *fleet->members[slot];
        member.field_failed = !port.fields.route(number, member.at, member.coming(), port.user);
        member.has_field_route = true;
        debt = kRouteUnits + member.coming().legs.size() / 4;
    }
    return used;
}

bool SharedField::running() const {
    return next < waiting.size() || fleet->port.fields.running(number, fleet->port.user);
}

void leave_field(FleetData& d, Member& member) {
    if (member.shared == kNoField) return;
    SharedField& field = *d.fields[member.shared];
    if (member.lined_up) field.waiting[member.line] = kNoMember;
    member.shared = kNoField;
    member.lined_up = member.has_field_route = false;
    if (--field.users == 0) end_field(d, field);
}

bool ask_field(FleetData& d, Member& member) {
    if (member.shared == kNoField) return false;
    SharedField& field = *d.fields[member.shared];
    if (!field.open || member.lined_up) return field.open;
    return line_up(field, member) && start_job(d, field);
}

Result<void> share_fields(FleetData& d, std::span<Member* const> units, const Spot& goal) {
    CrowdGoal group;
    group.group = kGroupOfClicks | ++d.clicks;
    for (Member* member : units) {
        leave_squad(d, *member);
        leave_field(d, *member);
        if (member->request.valid()) (void)d.scheduler.cancel(member->request);
        member->request = {};
        member->goal = goal;
        member->group = group;
        member->begin_anew();
        member->again = member->looked = false;
        member->state = FleetState::waiting;
        member->asked_at = d.frame;
    }
    const Member* refused = nullptr;  // it does not pay for those like it
    for (std::size_t i = 0; i < units.size(); ++i) {
        Member& member = *units[i];
        const bool may = !member.driver && d.port.fields.pays_from != nullptr;
        if (may && member.shared == kNoField && (refused == nullptr || !alike(d, *refused, member))) {
            if (const Result<void> shared = share_from(d, units, i); !shared) return shared;
            if (member.shared == kNoField) refused = &member;
        }
        if (member.in_knot) break_knot_of(d, member);  // asks when it stands
        if (member.shared != kNoField || member.in_knot) continue;
        if (const Result<void> asked = ask_alone(d, member, false); !asked) {
            return asked;
        }
    }
    return {};
}

Result<void> follow_fields(FleetData& d) {
    for (SharedField* field : d.fields) {
        if (!field->open) continue;
        const bool done = field->request.valid() && d.scheduler.status(field->request) == RequestStatus::done;
        if (done) {
            Route nothing;
            (void)d.scheduler.take(field->request, nothing);
            field->request = {};
            if (field->running()) {  // it was more than one request may cost
                if (!start_job(d, *field)) return Error{ErrorCode::out_of_memory};
            } else {
                field->waiting.clear();
                field->next = 0;
            }
        }
        const bool slow =
            d.frame - field->begun_at == kPatience && field->next == 0 && field->request.valid();
        for (std::size_t i = 0; slow && i < field->waiting.size(); ++i) {
            const std::uint32_t slot = field->waiting[i];
            if (slot == kNoMember || d.members[slot]->request.valid()) continue;
            if (d.members[slot]->state != FleetState::waiting) continue;
            if (const Result<void> asked = ask_alone(d, *d.members[slot], false); !asked) return asked;
        }
    }
    return {};
}

// Fields of the revision before are of no use. Where enough units need a new way a new one is filled; the others go on.
Result<void> fields_world_changed(FleetData& d) {
    for (SharedField* field : d.fields) {
        if (!field->open) continue;
        end_field(d, *field);
        std::uint32_t need = 0;
        Member* speaker = nullptr;
        for (Member* member : d.members) {
            if (!member->used || member->shared != field->index) continue;
            const bool has = member->to_goal || member->first_leg;
            member->stale = !has || !d.port.legal(member->route(), d.ask_of(*member), d.port.user);
            member->lined_up = member->has_field_route = false;
            if (!member->stale) continue;
            ++need;
            speaker = member;
        }
        const bool pays =
            speaker != nullptr && need >= d.port.fields.pays_from(ask_for_field(d, *speaker), d.port.user);
        const bool opened = pays && open_field(d, *field, ask_for_field(d, *speaker));
        for (Member* one : d.members) {
            Member& member = *one;
            if (!member.used || member.shared != field->index) continue;
            if (!opened) {
                const bool asks = member.stale && !member.request.valid();
                leave_field(d, member);
                if (!asks) continue;
                if (const Result<void> asked = ask_alone(d, member, member.to_goal); !asked) return asked;
                continue;
            }
            if (!member.stale) continue;
            if (!line_up(*field, member)) return Error{ErrorCode::out_of_memory};
            member.again = member.to_goal;
        }
        if (opened && !start_job(d, *field)) return Error{ErrorCode::out_of_memory};
    }
    return {};
}

void release_fields(FleetData& d) {
    const Allocator& from = d.options.allocator;
    for (SharedField* field : d.fields) {
        end_field(d, *field);
        field->~SharedField();
        from.release(field, sizeof(SharedField), alignof(SharedField), from.user);
    }
    d.fields.clear();
}

}  // namespace fairlead::fleet
