// Pairs of places that are joined in the world, asked again in a draft with the building in it.
#include <fairlead/grid/would_cut.h>

#include "base/no_memory.h"
#include "grid/draft.h"
#include "grid/half_lattice.h"
#include "grid/joined.h"
#include "grid/stand.h"
#include "search/run_search.h"

namespace fairlead {

namespace {

using grid::BodyKey;
using grid::StateData;

Result<void> check(const GridState& grid, std::span<const CellRect> building, std::span<const Cell> places,
                   const Agent& agent) {
    if (const Result<void> good = grid::check_agent(agent); !good) return good.error();
    for (std::size_t i = 0; i < building.size(); ++i) {
        const CellRect& r = building[i];
        const bool inside = r.layer >= 0 && r.layer < grid.layers() && r.low.x >= 0 && r.low.y >= 0 &&
                            r.high.x <= grid.width() && r.high.y <= grid.height() && r.low.x <= r.high.x &&
                            r.low.y <= r.high.y;
        if (!inside) return Error{ErrorCode::out_of_range, Field::rect, static_cast<std::int64_t>(i), 0};
    }
    for (std::size_t i = 0; i < places.size(); ++i) {
        if (!grid.inside(places[i]))
            return Error{ErrorCode::out_of_range, Field::places, static_cast<std::int64_t>(i), 0};
    }
    return {};
}

// Which indices the answer for a unit is read from.
struct Wanted {
    std::uint32_t bodies = UINT32_MAX;
    std::uint32_t halves = UINT32_MAX;
    bool registered = false;

    Wanted(const StateData& state, const Agent& agent) {
        const grid::Body* body = grid::connectivity_body(state, grid::body_key(agent, state.cell_size));
        registered = body != nullptr;
        if (!registered) return;
        bodies = 1U | 1U << (body - state.bodies);
        const bool disc = agent.footprint == 0;
        const grid::Body* half =
            disc ? state.find_half(grid::HalfDisc::of(agent.radius / state.cell_size).square) : nullptr;
        halves = half != nullptr ? 1U << (half - state.half_bodies) : 0;
    }
};

struct Question {
    const Agent& agent;
    Scratch& scratch;
    bool registered;

    [[nodiscard]] Result<bool> joined(const GridState& world, Cell a, Cell b) const {
        if (registered) return world.connected(a, b, agent);
        return grid::joined_by_search(world, a, b, agent, scratch);
    }
};

// The world with the building in it, made when it is first asked for.
struct Later {
    const GridState& world;
    std::span<const CellRect> building;
    const Wanted& wanted;
    Scratch& scratch;
    grid::Draft* draft = nullptr;

    Later(const GridState& grid, std::span<const CellRect> rects, const Wanted& bodies, Scratch& memory)
        : world(grid), building(rects), wanted(bodies), scratch(memory) {}
    Later(const Later&) = delete;
    Later& operator=(const Later&) = delete;
    ~Later() {
        if (draft != nullptr) draft->end();
    }

    [[nodiscard]] Result<void> make() {
        if (draft != nullptr) return {};
        draft = scratch.get<grid::Draft>();
        if (draft == nullptr || !draft->begin(world, wanted.bodies, wanted.halves)) return kNoMemory;
        for (const CellRect& rect : building) {
            if (const Result<void> done = draft->fill(rect, 0); !done) return done.error();
        }
        return {};
    }
};

}  // namespace

Result<bool> would_cut(const GridState& grid, std::span<const CellRect> building,
                       std::span<const Cell> places, const Agent& agent, Scratch& scratch) {
    if (const Result<void> good = check(grid, building, places, agent); !good) return good.error();
    if (scratch.in_use()) return kScratchInUse;
    const Wanted wanted(grid.data(), agent);
    const Question ask{agent, scratch, wanted.registered};
    Later later(grid, building, wanted, scratch);
    // What is joined to one of several that are joined is joined to all: one pair will do for each place. Where portals lead one way
    // a way there is no way back, and no pair stands for another.
    const StateData& state = grid.data();
    const bool both_ways = state.portal_count == 0 || state.portal_tables->two_way;
    for (std::size_t i = 1; i < places.size(); ++i) {
        for (std::size_t k = 0; k < i; ++k) {
            const Result<bool> now = ask.joined(grid, places[k], places[i]);
            if (!now.has_value()) return now.error();
            if (!*now) continue;
            if (const Result<void> done = later.make(); !done) return done.error();
            const Result<bool> then = ask.joined(later.draft->state(), places[k], places[i]);
            if (!then.has_value()) return then.error();
            if (!*then) return true;
            if (both_ways) break;
        }
    }
    return false;
}

}  // namespace fairlead
