// Requests to a scheduler: what can be said of one beside its query, what becomes of it, and what a unit does meanwhile.
//
//     Result<RequestId> id = scheduler->submit<GridSearch>(town, query, {.priority = 2, .deadline_frames = 90,
//                                                                        .first_leg_units = 300});
//
// A frame here is one call of Scheduler::update. All times are frames and all work is units of search, so that a game in lockstep
// does the same on every machine.
#pragma once

#include <cstdint>

#include <fairlead/base/borrowed.h>
#include <fairlead/base/error.h>
#include <fairlead/base/id.h>
#include <fairlead/route/route.h>

namespace fairlead {

struct RequestTag;
/// Names a request until its result is taken or it is cancelled; never used again for another one.
using RequestId = Id<RequestTag, std::uint64_t>;

enum class RequestStatus : std::uint8_t {
    unknown,   ///< no such request: its result was taken, or it was cancelled
    waiting,   ///< its search has not begun
    running,   ///< its search is on its way
    retrying,  ///< a try failed; the next one waits for its frame, or for an edit
    done,      ///< take() gives the result: a route, or the Error of a malformed query
    dropped,   ///< the world that it asked about was forgotten; take() says world_forgotten
    count_,
};

/// "waiting", ... Never null.
[[nodiscard]] const char* status_name(RequestStatus status);

/// Why the work on a request ended.
enum class RequestEnd : std::uint8_t {
    none,      ///< it has not
    searched,  ///< the search came to its end
    capped,    ///< units_max were spent: what there is by then, status budget_spent (technique T3)
    late,      ///< the deadline came first: what there is by then, status budget_spent
    failed,    ///< an Error: of a malformed query, or out_of_memory
    dropped,   ///< its world was forgotten
    count_,
};

/// "searched", ... Never null.
[[nodiscard]] const char* end_name(RequestEnd end);

/// What happens to a search on its way when its world is edited.
enum class OnEdit : std::uint8_t {
    finish,   ///< it ends on the revision that it began on; Route::revision tells which
    restart,  ///< it begins again on the newest one, up to restarts_max times, and then finishes
};

/// What is tried again (technique T7). A try has failed where it gave neither a complete nor a partial route. Errors are not tried
/// again.
struct RetryPolicy {
    std::uint32_t times = 0;           ///< tries after the first
    std::uint32_t wait_frames = 30;    ///< from one to the next
    bool newer_revision_only = false;  ///< not before the world was published anew; for a WorldId only
};

/// What is told by a callback, in an order that depends neither on threads nor on the machine.
enum class RequestEvent : std::uint8_t {
    first_leg,  ///< there is a route to set off on: Scheduler::peek gives it, take() a better one later
    done,       ///< take() gives the result
};

/// Called by update() after its work, on the thread that called it. May submit, cancel, peek and take.
struct RequestCallback {
    void (*call)(void* user, RequestId id, RequestEvent event) = nullptr;
    void* user = nullptr;
};

struct RequestOptions {
    static constexpr std::uint32_t kPriorityMax = 15;

    /// 0 to kPriorityMax. Each step counts as having waited SchedulerOptions::priority_frames longer.
    std::uint32_t priority = 0;
    /// Where so many updates have not done it, the next one ends it with what it has. 0: none.
    std::uint32_t deadline_frames = 0;
    /// Units of work on one try, at most those of SchedulerOptions::units_max. Then it is ended with what it has. 0: those.
    std::uint64_t units_max = 0;
    /// First legs first: a short search of so many units comes before the long ones, so that the unit sets off at once. Where it is not
    /// enough for the whole route, its best one so far (of queries that have a field `partial`, whatever it says, and of anytime
    /// planners) is
    /// there to peek at, and the whole one follows in its turn. Over a tile hierarchy it ends where the way is found. 0: no short search.
    std::uint64_t first_leg_units = 0;
    RetryPolicy retry{};
    OnEdit on_edit = OnEdit::finish;  ///< restart: for a WorldId only
    std::uint32_t restarts_max = 3;
    /// Requests with the same key, kind of search and WorldId are one search, as long as it is not done: say so of equal queries.
    /// It takes the
    /// more urgent of their places, the larger of their caps and the later deadline. 0: shared with nobody. For a WorldId only.
    std::uint64_t share_key = 0;
    RequestCallback callback{};
    /// For the record of a run alone (run_record.h): bytes from which its player makes the query again.
    Borrowed<std::uint8_t> payload{};
};

/// What is known of a request.
struct RequestInfo {
    RequestStatus status = RequestStatus::unknown;
    RequestEnd end = RequestEnd::none;
    bool has_route = false;      ///< peek() gives one with legs, or one that stays where it is
    std::uint32_t tries = 0;     ///< begun so far, restarts not counted
    std::uint32_t restarts = 0;  ///< because of edits
    std::uint64_t units = 0;     ///< worked on it so far, all tries together
    std::uint64_t waited = 0;    ///< frames from submit() to its first search, or to now
};

/// What a unit does while it has no route, or none yet (technique T7).
enum class WaitAdvice : std::uint8_t {
    follow,       ///< there is a route, or the beginning of one: follow it
    go_straight,  ///< straight on for the goal, for as long as nothing is in the way
    hold,         ///< stay where it is
};

/// A pure function for motion and crowd. `sight_is_clear`: the unit could go straight to its goal (or as far as it asks) without touching
/// a wall. A unit whose goal is unreachable holds.
[[nodiscard]] WaitAdvice wait_advice(const RequestInfo& request, bool sight_is_clear);

}  // namespace fairlead
