// Where a knot begins: vehicles that wait for each other in a ring, or behind one that goes nowhere. Its area takes in whole bodies, and
// its window is closed to others.
#include <algorithm>
#include <new>

#include "fleet/fleet_data.h"
#include "fleet/knots.h"
#include "fleet/near_area.h"

namespace fairlead::fleet {

namespace {

constexpr double kAtOnce = 0.2;       // seconds that those of a cycle stand
constexpr double kHeld = 5.0;         // seconds that one stands behind another that goes nowhere
constexpr double kMarginTurns = 3.0;  // turning radii around the bodies,
constexpr double kMarginMore = 3.0;   // and more with each knot that was broken
constexpr std::uint32_t kLargerMax = 3;
constexpr double kSideMax = 96.0;  // cells

/// Of a vehicle that stands: whom it waits for; kNoMember: nobody.
std::uint32_t waits_for(const FleetData& fleet, std::uint32_t m) {
    const Member& member = *fleet.members[m];
    if (!member.used || member.in_knot || !member.driver || member.held_for < kAtOnce) return kNoMember;
    if (member.state != FleetState::moving && member.state != FleetState::stuck) return kNoMember;
    return member.waits_for;
}

bool goes_nowhere(const Member& member) {
    return member.used && !member.in_knot && member.driver && member.speed == 0.0 &&
           member.state != FleetState::moving && member.state != FleetState::waiting &&
           member.state != FleetState::link;
}

void include(Aabb& area, Vec2 p, double reach) {
    area.low.x = std::min(area.low.x, p.x - reach);
    area.low.y = std::min(area.low.y, p.y - reach);
    area.high.x = std::max(area.high.x, p.x + reach);
    area.high.y = std::max(area.high.y, p.y + reach);
}

bool is_larger(const Aabb& area, double side) {
    return area.high.x - area.low.x > side || area.high.y - area.low.y > side;
}

void release_knot(FleetData& fleet, Knot* knot) {
    const Allocator& allocator = fleet.options.allocator;
    knot->~Knot();
    allocator.release(knot, sizeof(Knot), alignof(Knot), allocator.user);
}

/// Heights of those that begin a knot: far above and below them is another floor.
struct Heights {
    double low = 1e300;
    double high = -1e300;

    void include(double z) {
        low = std::min(low, z);
        high = std::max(high, z);
    }
    [[nodiscard]] bool has(double z, double near) const { return z >= low - near && z <= high + near; }
};

// Takes in whole bodies at the border, as long as there is room.
void grow(const FleetData& fleet, Knot& knot, const Heights& heights, double cell, double side) {
    for (bool more = true; more;) {
        more = false;
        for (const Member* member : fleet.members) {
            if (!member->used || member->in_knot || !member->driver || member->at.layer != knot.layer)
                continue;
            if (!heights.has(member->at.position.z, fleet.options.crowd.height)) continue;
            const double radius = fleet.radius_of(*member);
            if (!is_near(knot.area, ground(member->at.position), radius)) continue;
            Aabb larger = knot.area;
            include(larger, ground(member->at.position), radius + cell);
            if (larger == knot.area || is_larger(larger, side)) continue;
            knot.area = larger;
            more = true;
        }
    }
}

/// Its window, if it has ground and that is no other knot's. False: it is not open.
Result<bool> open_window(FleetData& fleet, Knot& knot, std::span<const std::uint32_t> seeds, double cell) {
    Array<Place> stand(fleet.options.allocator);
    for (const std::uint32_t m : seeds) {
        if (!stand.push_back(fleet.members[m]->at)) return Error{ErrorCode::out_of_memory};
    }
    const FleetWindow asked{knot.area, knot.layer, fleet.options.crowd.height, cell, stand.span()};
    const FleetWindows& windows = fleet.port.windows;
    const Result<std::uint32_t> opened = windows.open(asked, fleet.port.user);
    if (!opened)
        return opened.error().code == ErrorCode::out_of_memory ? Result<bool>(opened.error()) : false;
    knot.window = *opened;
    bool taken = false;
    for (const Knot* other : fleet.knots)
        taken = taken || windows.overlap(other->window, knot.window, fleet.port.user);
    if (taken) windows.close(knot.window, fleet.port.user);
    return !taken;
}

Result<void> begin_knot(FleetData& fleet, std::span<const std::uint32_t> seeds) {
    Knot fresh(fleet.options.allocator);
    fresh.area = {{1e300, 1e300}, {-1e300, -1e300}};
    fresh.layer = fleet.members[seeds[0]]->at.layer;
    double cell = 0.0;
    double smallest = 1e300;
    Heights heights;
    for (const std::uint32_t m : seeds) fresh.tries = std::max(fresh.tries, fleet.members[m]->knot_tries);
    for (const std::uint32_t m : seeds) {
        const Member& member = *fleet.members[m];
        const DriveTable* moves = fleet.port.moves(member.kind, fleet.port.user);
        if (moves == nullptr || member.at.layer != fresh.layer) return {};
        cell = std::max(cell, moves->options().cell_size);
        smallest = std::min(smallest, moves->options().cell_size);
        const double turns = kMarginTurns + kMarginMore * std::min(fresh.tries, kLargerMax);
        const double reach = fleet.radius_of(member) * 3.0 + turns * moves->options().agent.turning_radius;
        include(fresh.area, ground(member.at.position), reach + cell);
        heights.include(member.at.position.z);
    }
    const double side = kSideMax * cell;
    for (const std::uint32_t m : seeds) fleet.members[m]->knot_after = fleet.now + kKnotRest;
    if (is_larger(fresh.area, side)) return {};
    grow(fleet, fresh, heights, cell, side);
    const Result<bool> open = open_window(fleet, fresh, seeds, smallest);
    if (!open.has_value()) return open.error();
    if (!*open) return {};
    const Allocator& allocator = fleet.options.allocator;
    void* memory = allocator.allocate(sizeof(Knot), alignof(Knot), allocator.user);
    Knot* knot = memory != nullptr ? ::new (memory) Knot(allocator) : nullptr;
    if (knot == nullptr || !fleet.knots.push_back(knot)) {
        fleet.port.windows.close(fresh.window, fleet.port.user);
        if (knot != nullptr) release_knot(fleet, knot);
        return Error{ErrorCode::out_of_memory};
    }
    knot->area = fresh.area;
    knot->layer = fresh.layer;
    knot->window = fresh.window;
    knot->tries = fresh.tries;
    return {};
}

}  // namespace

Result<void> find_knots(FleetData& fleet) {
    fleet.marks.clear();
    if (!fleet.marks.resize(fleet.members.size())) return Error{ErrorCode::out_of_memory};
    for (std::uint32_t m = 0; m < fleet.members.size(); ++m) {
        const std::uint32_t first = waits_for(fleet, m);
        if (first == kNoMember || fleet.now < fleet.members[m]->knot_after) continue;
        fleet.seeds.clear();
        std::uint32_t at = m;
        while (at != kNoMember && fleet.marks[at] != m + 1) {
            fleet.marks[at] = m + 1;
            at = waits_for(fleet, at);
        }
        if (at != kNoMember) {  // a cycle, which begins here
            std::uint32_t on = at;
            do {
                if (!fleet.seeds.push_back(on)) return Error{ErrorCode::out_of_memory};
                on = waits_for(fleet, on);
            } while (on != at);
        } else if (fleet.members[m]->held_for > kHeld && goes_nowhere(*fleet.members[first])) {
            if (!fleet.seeds.push_back(m) || !fleet.seeds.push_back(first))
                return Error{ErrorCode::out_of_memory};
        }
        if (fleet.seeds.empty()) continue;
        if (const Result<void> begun = begin_knot(fleet, fleet.seeds.span()); !begun) return begun;
    }
    return {};
}

void drop_knot(FleetData& fleet, Knot* knot) {
    const std::uint32_t window = knot->window;
    release_knot(fleet, knot);
    fleet.port.windows.close(window, fleet.port.user);
}

}  // namespace fairlead::fleet
