// Scheduler: many requests for routes, a little work each frame, on one thread or several.
//
//     Result<Scheduler> scheduler = Scheduler::make({.threads = 3});
//     const auto town_id = *scheduler->add_world(*town);                        // holds the town's current revision
//     Result<RequestId> id = scheduler->submit<GridSearch>(town_id, {.start = unit, .goal = chest}, {.priority = 2});
//
//     scheduler->update({.units = 4000});                                       // each frame; or {.time_us = 500}
//     if (scheduler->status(*id) == RequestStatus::done) scheduler->take(*id, route);
//     ...
//     town->fill(rect, 0);                                                      // an edit,
//     scheduler->publish(town_id, *town);                                       // of which the scheduler is told
//
// Any SlicedSearch will do, of every world and unit, also one of your own (schedule/sliced.h), and so will other work in slices
// (submit_job): filling a field, mending what an edit broke.
//
// Owned. A request has a copy of its query and of the lists in it (blockers, factors, influence, goals): nothing of what submit()
// was given
// need live on. What a query points to by a pointer must: tables (MeshQuery::table, MeshDriveQuery::table, TimedQuery::times) and the
// `user` of functions, until the request is done or cancelled. A query type of your own has its lists copied if it has each_list
// (sliced.h).
// Scratches belong to the scheduler, one for each search on its way (searches_max), so memory is bounded by these and not by
// the number of requests. A warm scheduler allocates nothing: requests, routes and scratches are used again.
//
// Worlds. A WorldId stands for the newest revision that was published: a search takes it when it begins, so requests that wait hold
// nothing and follow the edits. A snapshot or a world can be given in place of a WorldId: that request keeps this revision from
// submit() on. Worlds outlive
// the snapshots: forget() the world (or destroy the scheduler) before it dies; both are quick, however many requests wait.
//
// The budget. A unit is a unit of the search's own, bounded work: an expansion, a line of sight of the smoother, a step of a fill.
// Beginning a search costs one more, handing over its result another.
//   units    No more are spent than this in this update: never, for all searches of the library. A search of the user's own whose step()
//            does more than it was asked to goes over by that, and the next updates have so much less. What is not spent lapses.
//            Results, their order, the frame in which each comes and the digest depend on nothing else: not on threads, clocks or
//            machines.
//   time_us  Work goes on while the clock has not reached it. Slices are sized by what units took so far: of at most slice_us, and so small
//            toward the end that they fit even if their units are 50 times as dear as the last ones. Which request gets how
//            far is up to the clock; each route is the same as ever. docs/scheduling.md has how well it is kept.
// Keeping accounts (submit, take, moving requests through the queue) is no search and counts no units: some 0.2 us a request that
// changes.
//
// The order. Each request has a due frame: the one of submit(), later by `patience_frames` or by its deadline if that is sooner, and
// earlier by priority_frames for each step of priority; a short search for a first leg is due at once. The soonest due begins first; of
// equals, that which was submitted first. Up to searches_max are on their way at a time and get slices of slice_units in turn, so
// one long search holds up no short one.
//
// Nobody starves. A request waits only for those that are due before it, and none that is submitted more than
//     W = patience_frames + RequestOptions::kPriorityMax x priority_frames
// frames later is. With n of them, and C = units_max + 2 units (and the short one's, where there is one) a try at most,
// it begins within (n + searches_max) x C / U + 2 updates of U units each, and its try ends within that of n + 1. A retry queues
// anew. Tests hold this.
//
// Threads. Each turn of a search is a job; jobs run through the caller's Jobs, or on threads of the scheduler's own, and what they did is
// put together in a fixed order. The functions of a Scheduler are for one thread at a time. While update() runs, another thread
// may edit the
// world; it hands over a snapshot to be published.
//
// Errors name the field. Of options: out_of_range, incompatible; out_of_memory. A malformed query ends its own request
// (RequestEnd::failed,
// take() has the Error) and disturbs no other.
//
// Sources: earliest due date first with aging (Jackson 1955; Silberschatz, Galvin and Gagne); techniques T1 to T4 and T7: one search
// a frame among five flyers that share a semaphore, and a cap at which a flyer goes straight on and asks again later (Pinter and
// others 2001).
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <memory>
#include <type_traits>
#include <utility>

#include <fairlead/base/allocator.h>
#include <fairlead/base/jobs.h>
#include <fairlead/base/result.h>
#include <fairlead/schedule/request.h>
#include <fairlead/schedule/run_record.h>
#include <fairlead/schedule/sliced.h>

namespace fairlead {

template <class World>
struct ScheduledWorldTag;
/// A world that a scheduler was told of; World is what searches hold: WorldId<GridSnapshot>.
template <class World>
using WorldId = Id<ScheduledWorldTag<World>, std::uint64_t>;

struct SchedulerClock {
    /// Microseconds from any start, never fewer than before. Null: the system's steady clock.
    double (*now_us)(void* user) = nullptr;
    void* user = nullptr;
};

struct SchedulerOptions {
    static constexpr std::uint32_t kThreadsMax = 64;
    static constexpr std::uint32_t kSearchesMax = 256;
    static constexpr std::uint32_t kRequestsMax = 1U << 24;

    /// That work, the one that calls update() among them; 0 and 1: that one alone. Where fewer can be started, fewer work. Not
    /// read where there are jobs.
    std::uint32_t threads = 0;
    Jobs jobs{};                          ///< the caller's own threads
    std::uint32_t searches_max = 8;       ///< on their way at a time, 1 to kSearchesMax; each has a scratch
    std::uint32_t requests_max = 100000;  ///< known at a time, 1 to kRequestsMax
    std::uint64_t slice_units = 256;      ///< a turn of a search, 1 to 2^32
    std::uint64_t units_max = 1 << 20;  ///< a try of a request at most, 1 to 2^48: what makes waiting bounded
    std::uint32_t patience_frames = 60;  ///< 0 to 2^20
    std::uint32_t priority_frames = 30;  ///< 0 to 2^20
    double slice_us = 10.0;              ///< a turn in updates by time, 1 to 1e6
    SchedulerClock clock{};
    RunRecorder recorder{};  ///< writes down what replay_run plays (run_record.h)
    Allocator allocator{};   ///< with several threads called from all of them
};

/// For one update. Both may be given; what is reached first ends it. Neither: until nothing is left to do.
struct FrameBudget {
    std::uint64_t units = UINT64_MAX;
    double time_us = std::numeric_limits<double>::infinity();  ///< less than 0 and NaN: none
};

/// What an update did, and how things stand (technique T4).
struct UpdateReport {
    std::uint64_t frame = 0;       ///< its number, from 1
    std::uint64_t units = 0;       ///< spent in it
    std::uint64_t units_over = 0;  ///< of these, more than there were: by searches of the user's own
    std::uint32_t begun = 0;       ///< searches, in this update; so the next seven
    std::uint32_t done = 0;        ///< requests whose result came, however they ended
    std::uint32_t first_legs = 0;  ///< told
    std::uint32_t capped = 0;
    std::uint32_t late = 0;
    std::uint32_t failed = 0;     ///< with an Error
    std::uint32_t retried = 0;    ///< tries that failed and are followed by another one
    std::uint32_t restarted = 0;  ///< because of edits since the last update
    std::uint32_t waiting = 0;    ///< searches now, requests that share one counted once; so the next two
    std::uint32_t running = 0;
    std::uint32_t retrying = 0;
    std::uint32_t untaken = 0;  ///< requests whose result waits to be taken
    std::uint64_t longest_wait =
        0;                       ///< frames, of the searches that began in this update and of those that wait
    bool record_failed = false;  ///< out of memory for the record: it is worth nothing from here on
};

class Scheduler {
  public:
    /// Errors: out_of_range with the field; out_of_memory.
    [[nodiscard]] static Result<Scheduler> make(const SchedulerOptions& options = {});
    Scheduler(Scheduler&& other) noexcept;
    Scheduler& operator=(Scheduler&& other) noexcept;
    Scheduler(const Scheduler&) = delete;
    Scheduler& operator=(const Scheduler&) = delete;
    /// Lets go of all snapshots; no request is worked on. About 0.2 us a request.
    ~Scheduler();

    // ---- worlds ----

    /// `world`: a Grid, Roadmap, NavMesh, DriveMap, Volume, or a snapshot of one, or the World of a search of your own. Errors:
    /// out_of_memory.
    template <class World>
    [[nodiscard]] auto add_world(const World& world) {
        if constexpr (requires { world.acquire(); }) {
            return add_snapshot(world.acquire());
        } else {
            return add_snapshot(world);
        }
    }
    /// A newer revision. Searches that wait will take it; those on their way finish or begin again, as their requests say.
    /// `digest`: a number of your
    /// own that the record keeps, to tell at replay whether this is the same world. Errors: unknown_id (world).
    template <class World>
    Result<void> publish(WorldId<World> id, const std::type_identity_t<World>& newest,
                         std::uint64_t digest = 0) {
        void* place = begin_publish(id.value, &detail::kWorldOps<World>);
        if (place == nullptr) return unknown_world(id.value);
        *static_cast<World*>(place) = newest;
        end_publish(id.value, digest);
        return {};
    }
    /// Lets go of all snapshots of it, now. Its requests end: dropped. Errors: unknown_id (world).
    template <class World>
    Result<void> forget(WorldId<World> id) {
        return forget_world(id.value);
    }

    // ---- requests ----

    /// Errors: unknown_id (world); out_of_range (priority); size_limit (requests: too many are known); out_of_memory. What is
    /// wrong with the query
    /// is told when it is searched.
    template <ScheduledSearch Search>
    [[nodiscard]] Result<RequestId> submit(WorldId<typename Search::World> world,
                                           const typename Search::Query& query,
                                           const RequestOptions& options = {}) {
        using Body = detail::SearchBody<Search>;
        const Result<Place> place =
            open(&detail::kSearchOps<Search>, world.value, options, detail::list_words(query));
        if (!place) return place.error();
        if (place->body != nullptr) ::new (place->body) Body(query, place->lists);
        return close(*place);
    }
    /// About one revision of a world: a snapshot, or a world as it is now. Errors as above; unsupported (on_edit, retry, share_key): what
    /// needs a WorldId.
    template <ScheduledSearch Search>
    [[nodiscard]] Result<RequestId> submit(const std::type_identity_t<typename Search::World>& world,
                                           const typename Search::Query& query,
                                           const RequestOptions& options = {}) {
        using Body = detail::SearchBody<Search>;
        const Result<Place> place =
            open(&detail::kSearchOps<Search>, kNoWorld, options, detail::list_words(query));
        if (!place) return place.error();
        ::new (place->body) Body(query, place->lists, world);
        return close(*place);
    }
    /// Work that is no search. `job` stays the caller's: it must outlive the request and stay where it is. Its request is done
    /// when it no longer
    /// runs; a cap or a deadline ends the request, not the job. Errors as above.
    template <SlicedJob Job>
    [[nodiscard]] Result<RequestId> submit_job(Job& job, const RequestOptions& options = {}) {
        const Result<Place> place = open(&detail::kJobOps<Job>, kNoWorld, options, 0);
        if (!place) return place.error();
        ::new (place->body) Job*(&job);
        return close(*place);
    }
    template <SlicedJob Job>
    Result<RequestId> submit_job(Job&& job, const RequestOptions& options = {}) requires(
        !std::is_lvalue_reference_v<Job>) = delete;

    [[nodiscard]] RequestStatus status(RequestId id) const;
    [[nodiscard]] RequestInfo info(RequestId id) const;

    /// The result. What `route` had goes back to the scheduler, so that passing the same one again allocates nothing. After it the id is
    /// unknown. A job gives an empty route. Errors: those of the search; world_forgotten; nothing_to_take (not done: ask again later);
    /// unknown_id. On an Error `route` is cleared.
    [[nodiscard]] Result<void> take(RequestId id, Route& route);
    /// The best route so far into `route`, as a copy: of a request that is done, that has a first leg, whose last try gave one, or
    /// of an anytime
    /// planner on its way. Errors: nothing_to_take (none yet), unknown_id, out_of_memory.
    [[nodiscard]] Result<void> peek(RequestId id, Route& route);
    /// Forgets it, whatever its status; a search that nobody else shares ends now. No callback. False: unknown.
    bool cancel(RequestId id);

    // ---- frames ----

    /// Works, then calls the callbacks. Not from within one: an assertion.
    UpdateReport update(const FrameBudget& budget);

    /// Of all results so far, in their order: id, frame, end and route of each. Equal on every machine for equal calls with
    /// budgets in units.
    [[nodiscard]] std::uint64_t digest() const;
    [[nodiscard]] std::uint64_t frame() const;
    /// Memory: requests, queries, routes; without what searches have in their scratches.
    [[nodiscard]] std::size_t bytes() const;
    /// Threads that work: the caller's own and those that could be started.
    [[nodiscard]] std::uint32_t threads() const;

    class Core;

  private:
    friend class RunReplay;

    static constexpr std::uint64_t kNoWorld = UINT64_MAX;

    /// Room for a request's body. No body: it shares a search that is there.
    struct Place {
        void* body = nullptr;
        std::uint64_t* lists = nullptr;
        std::uint64_t request = 0;
    };

    explicit Scheduler(Core* core) : core_(core) {}

    template <class World>
    [[nodiscard]] Result<WorldId<World>> add_snapshot(const World& world) {
        std::uint64_t id = 0;
        void* place = open_world(&detail::kWorldOps<World>, id);
        if (place == nullptr) return Error{ErrorCode::out_of_memory, Field::world};
        std::construct_at(static_cast<World*>(place), world);
        return WorldId<World>{id};
    }
    [[nodiscard]] void* open_world(const detail::WorldOps* ops, std::uint64_t& id);
    [[nodiscard]] void* begin_publish(std::uint64_t world, const detail::WorldOps* ops);
    void end_publish(std::uint64_t world, std::uint64_t digest);
    [[nodiscard]] static Error unknown_world(std::uint64_t world);
    Result<void> forget_world(std::uint64_t world);
    [[nodiscard]] Result<Place> open(const detail::BodyOps* ops, std::uint64_t world,
                                     const RequestOptions& options, std::size_t list_words);
    RequestId close(const Place& place);

    Core* core_;
};

}  // namespace fairlead
