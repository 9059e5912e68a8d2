// What all worlds do with a run, one query on its way: to its end in one call, in slices, for many goals.
//
// A run lives in the caller's Scratch and has
//     void begin(const State& world, const Query& query, const RunStart& with);
//     bool running() const;  void work(std::uint64_t& left);  void give_up();     as slices.h says
//     bool has_route() const;               there is one to take
//     Result<void> take(Route& route);      the route, but for its stats
//     SearchStats stats() const;            of the search; the digest covers the expansions
//     std::uint64_t expansions_max() const;
#pragma once

#include <cstdint>
#include <span>
#include <utility>

#include <fairlead/base/result.h>
#include <fairlead/search/route_search.h>
#include <fairlead/search/scratch.h>

#include "base/no_memory.h"
#include "search/run_state.h"
#include "search/slices.h"

namespace fairlead {

inline constexpr Error kScratchInUse{ErrorCode::scratch_in_use, -1, 0};
inline constexpr Error kNothingToTake{ErrorCode::nothing_to_take, -1, 0};

/// The result of a run. The route's digest covers the search and the route.
template <class Run, class Route, class... Which>
[[nodiscard]] Result<void> take_result(Run& run, Route& route, Which... which) {
    route.clear();
    const Result<void> done = run.take(route, which...);
    if (!done) {
        route.clear();
        return done;
    }
    route.stats = run.stats();
    route.stats.digest = route_digest(route, route.stats.digest);
    return {};
}

template <class Run>
void run_to_end(Run& run, const SearchHooks& hooks) {
    std::uint64_t units = 0;
    while (run.running()) work_in_slices(run, UINT64_MAX, Interrupts(hooks, units, run.expansions_max()));
}

/// One query to its end, in a scratch that nobody else uses.
template <class Run, class World, class Query>
[[nodiscard]] Result<void> find_into(const World& world, const Query& query, Scratch& scratch, Route& route,
                                     const SearchHooks& hooks) {
    route.clear();
    const ScratchLease lease(scratch);
    if (!lease) return kScratchInUse;
    Run* run = scratch.get<Run>();
    if (run == nullptr) return kNoMemory;
    run->begin(world, query, {hooks, scratch});
    run_to_end(*run, hooks);
    return take_result(*run, route);
}

/// What `into` writes into a route whose memory comes from the scratch's allocator.
template <class Into>
[[nodiscard]] Result<Route> new_route(const Scratch& scratch, Into into) {
    Route route;
    route.legs = Array<Leg>(scratch.allocator());
    route.speeds = Array<SpeedKnot>(scratch.allocator());
    if (const Result<void> done = into(route); !done) return done.error();
    return route;
}

/// A route for each of query.goal.list by one run; cleared on an error.
template <class Run, class World, class Query>
[[nodiscard]] Result<void> find_each(const World& world, const Query& query, Scratch& scratch,
                                     std::span<Route> routes, const SearchHooks& hooks) {
    for (Route& route : routes) route.clear();
    if (routes.size() != query.goal.list.size())
        return Error{ErrorCode::size_mismatch, Field::goal_list,
                     static_cast<std::int64_t>(query.goal.list.size())};
    if (routes.empty()) return {};
    const ScratchLease lease(scratch);
    if (!lease) return kScratchInUse;
    Run* run = scratch.get<Run>();
    if (run == nullptr) return kNoMemory;
    run->begin(world, query, {hooks, scratch, true});
    run_to_end(*run, hooks);
    for (std::uint32_t goal = 0; goal < routes.size(); ++goal) {
        const Result<void> done = take_result(*run, routes[goal], goal);
        if (done) continue;
        for (Route& route : routes) route.clear();
        return done;
    }
    return {};
}

// ---- RouteSearch: instantiated once for each kind, where its run is known -----------------------------------------

template <class Kind>
RouteSearch<Kind>::RouteSearch(World world, const Query& query, Scratch& scratch, const SearchHooks& hooks)
    : world_(std::move(world)), scratch_(&scratch), hooks_(hooks) {
    begin(query);
}

template <class Kind>
RouteSearch<Kind>::RouteSearch(RouteSearch&& other) noexcept
    : world_(std::move(other.world_)),
      scratch_(other.scratch_),
      hooks_(other.hooks_),
      lease_(std::move(other.lease_)),
      run_(std::exchange(other.run_, nullptr)),
      units_(other.units_),
      error_(std::exchange(other.error_, kNothingToTake)),
      stats_(other.stats_) {}

template <class Kind>
RouteSearch<Kind>& RouteSearch<Kind>::operator=(RouteSearch&& other) noexcept {
    if (this == &other) return *this;
    world_ = std::move(other.world_);
    scratch_ = other.scratch_;
    hooks_ = other.hooks_;
    lease_ = std::move(other.lease_);
    run_ = std::exchange(other.run_, nullptr);
    units_ = other.units_;
    error_ = std::exchange(other.error_, kNothingToTake);
    stats_ = other.stats_;
    return *this;
}

template <class Kind>
RouteSearch<Kind>::~RouteSearch() = default;

template <class Kind>
void RouteSearch<Kind>::begin(const Query& query) {
    units_ = 0;
    stats_ = {};
    if (!lease_) lease_ = ScratchLease(*scratch_);
    run_ = lease_ ? scratch_->get<Run>() : nullptr;
    error_ = lease_ ? kNoMemory : kScratchInUse;
    if (run_ != nullptr) run_->begin(*world_, query, {hooks_, *scratch_});
}

template <class Kind>
std::uint64_t RouteSearch<Kind>::step(std::uint64_t units) {
    if (!running()) return 0;
    const std::uint64_t before = units_;
    work_in_slices(*run_, units, Interrupts(hooks_, units_, run_->expansions_max()));
    return std::max<std::uint64_t>(units_ - before, 1);
}

template <class Kind>
bool RouteSearch<Kind>::running() const {
    return run_ != nullptr && run_->running();
}

template <class Kind>
bool RouteSearch<Kind>::has_route() const {
    return run_ != nullptr && run_->has_route();
}

template <class Kind>
Result<void> RouteSearch<Kind>::take(Route& route) {
    if (run_ == nullptr) {
        route.clear();
        return error_;
    }
    const Result<void> done = take_result(*run_, route);
    if (running()) return done;
    stats_ = run_->stats();
    run_ = nullptr;
    error_ = kNothingToTake;
    lease_.release();
    return done;
}

template <class Kind>
SearchStats RouteSearch<Kind>::stats() const {
    return run_ != nullptr ? run_->stats() : stats_;
}

template <class Kind>
void RouteSearch<Kind>::stop() {
    if (running()) run_->give_up();
}

template <class Kind>
void RouteSearch<Kind>::restart(const Query& query) {
    begin(query);
}

template <class Kind>
void RouteSearch<Kind>::restart(World world, const Query& query) {
    world_ = std::move(world);
    begin(query);
}

}  // namespace fairlead
