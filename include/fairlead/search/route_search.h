// RouteSearch: a query on its way, in slices. One class for all worlds and units: GridSearch, RoadmapSearch, MeshSearch,
// DriveSearch and the others are names for it.
//
//     GridSearch search(*town, query, scratch);              // holds a snapshot of the town, leases the scratch
//     while (search.running()) search.step(200);             // the next frame goes on
//     Result<void> done = search.take(route);                // the scratch is free again
//
// Promises. The world may be edited meanwhile: the search is on its own snapshot, whose revision the route tells. For any slicing the
// route, the stats and the digest are those of find_route. A warm search allocates nothing. It can be moved, and asked again.
//
// The query's spans, the hooks' flag and the scratch must outlive the search. A scratch serves one search at a time: a second one is
// refused, take() says scratch_in_use.
#pragma once

#include <concepts>
#include <cstdint>

#include <fairlead/base/result.h>
#include <fairlead/route/route.h>
#include <fairlead/search/hooks.h>
#include <fairlead/search/scratch.h>

namespace fairlead {

/// What a scheduler needs of a search. Every search of the library satisfies it, and a user's own may.
template <class T>
concept SlicedSearch = std::movable<T> &&
    requires(T search, const T& asked, const typename T::Query& query, std::uint64_t units, Route& route) {
    /// Works for about so many units of bounded work (an expansion, a line of sight of the smoother); the units used: at least 1
    /// and at most a little more than asked for while it is running, 0 after.
    { search.step(units) } -> std::same_as<std::uint64_t>;
    { asked.running() } -> std::same_as<bool>;
    /// There is a route with legs, or one that stays where it is, to take: with an anytime planner long before the end.
    { asked.has_route() } -> std::same_as<bool>;
    /// The result, or the best route so far of an anytime planner that is still running; with neither, status budget_spent.
    { search.take(route) } -> std::same_as<Result<void>>;
    { asked.stats() } -> std::same_as<SearchStats>;
    /// Ends it now, as a cancel does: what is left is what take() gives.
    { search.stop() } -> std::same_as<void>;
    /// Forgets this query and takes on another one, in the same world.
    { search.restart(query) } -> std::same_as<void>;
};

/// `Kind` names the World that a search holds (a Snapshot), the Query, and the private Run that does the work.
template <class Kind>
class RouteSearch {
  public:
    using World = typename Kind::World;
    using Query = typename Kind::Query;

    RouteSearch(World world, const Query& query, Scratch& scratch, const SearchHooks& hooks = {});
    RouteSearch(RouteSearch&& other) noexcept;
    RouteSearch& operator=(RouteSearch&& other) noexcept;
    RouteSearch(const RouteSearch&) = delete;
    RouteSearch& operator=(const RouteSearch&) = delete;
    ~RouteSearch();

    /// As the concept SlicedSearch says.
    std::uint64_t step(std::uint64_t units);
    [[nodiscard]] bool running() const;
    [[nodiscard]] bool has_route() const;
    /// Errors: those of find_route. After the end of the search the result moves out and the scratch is free for others; asked
    /// again: nothing_to_take.
    [[nodiscard]] Result<void> take(Route& route);
    [[nodiscard]] SearchStats stats() const;
    void stop();
    void restart(const Query& query);
    /// In another world, or a newer revision of this one.
    void restart(World world, const Query& query);

  private:
    using Run = typename Kind::Run;

    void begin(const Query& query);

    World world_;
    Scratch* scratch_;
    SearchHooks hooks_;
    ScratchLease lease_;
    Run* run_ = nullptr;  ///< lives in the scratch; null: there is none, or its result was taken
    std::uint64_t units_ = 0;
    Error error_{};        ///< why there is no run
    SearchStats stats_{};  ///< of a result that was taken
};

/// Forgotten the scratch: does not compile, and says so in a sentence.
template <class World, class Query>
Result<Route> find_route(const World&, const Query&) {
    static_assert(
        sizeof(Query) == 0,
        "find_route(world, query, scratch): a search needs a fairlead::Scratch, one for each thread, "
        "which keeps its memory from call to call");
    return Error{};
}

}  // namespace fairlead
