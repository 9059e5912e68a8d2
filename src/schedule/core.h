// Scheduler::Core: all that a scheduler has. The files beside this one each have a part of its functions.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>

#include <fairlead/base/array.h>
#include <fairlead/base/digest.h>
#include <fairlead/schedule/scheduler.h>

#include "base/owned.h"
#include "schedule/order.h"
#include "schedule/record.h"
#include "schedule/work.h"
#include "schedule/worker_pool.h"

namespace fairlead {

namespace schedule {

struct Request {
    std::uint32_t work = kNone;  ///< none: spare
    std::uint32_t next = kNone;  ///< of the same work; of the spare ones
    std::uint32_t generation = 0;
    RequestCallback callback{};
};

struct Told {
    RequestId id{};
    RequestEvent event = RequestEvent::done;
};

struct WorldSlot {
    const detail::WorldOps* ops = nullptr;
    void* world = nullptr;  ///< memory for one
    std::uint64_t publishes = 0;
    std::uint32_t generation = 0;
    bool known = false;
};

/// Of all bodies of one type.
struct Kind {
    const detail::BodyOps* ops = nullptr;
    std::uint32_t spare = kNone;  ///< works that have such a body
    double unit_us = 1.0;         ///< what a unit took lately
    double begin_us = 1.0;        ///< what beginning took at most, lately
    double end_us = 1.0;          ///< what handing over took at most, lately
};

/// What a turn of an update by time was spent on.
enum class Timed : std::uint8_t { no, begin, units, end };

enum class TurnEnd : std::uint8_t {
    goes_on,
    first_leg,  ///< `route` is the best so far; the search goes on as a whole one
    gave_up,    ///< a short search was stopped: `route` is what it had
    ended,      ///< `route` or `error` is the result
};

/// Where a search is on its way, with the scratch that it leases.
struct Slot {
    explicit Slot(const Allocator& allocator) : scratch(allocator) {
        route.legs = Array<Leg>(allocator);
        route.speeds = Array<SpeedKnot>(allocator);
    }
    Work* work = nullptr;
    Scratch scratch;
    Route route;
    double unit_us = 1.0;
    // Of the turn.
    std::uint64_t asked = 0;
    std::uint64_t used = 0;
    std::uint64_t over = 0;  ///< by which step() passed what it was asked for
    bool begun = false;
    Timed timed = Timed::no;
    double took_us = 0.0;
    TurnEnd turn = TurnEnd::goes_on;
    RequestEnd why = RequestEnd::none;
    Error error{};
    std::uint64_t digest = 0;
};

}  // namespace schedule

class Scheduler::Core {
  public:
    explicit Core(const SchedulerOptions& options);
    Core(const Core&) = delete;
    Core& operator=(const Core&) = delete;
    ~Core();
    /// Slots, threads. Errors: out_of_memory.
    [[nodiscard]] Result<void> start();

    // core.cpp: memory
    [[nodiscard]] const SchedulerOptions& options() const { return options_; }
    [[nodiscard]] std::size_t bytes() const;
    [[nodiscard]] std::uint32_t threads() const;
    [[nodiscard]] schedule::RunWriter& record() { return record_; }

    // worlds.cpp
    [[nodiscard]] void* open_world(const detail::WorldOps* ops, std::uint64_t& id);
    [[nodiscard]] void* world(std::uint64_t id, const detail::WorldOps* ops);
    void published(std::uint64_t id, std::uint64_t digest);
    [[nodiscard]] Result<void> forget(std::uint64_t id);

    // requests.cpp
    [[nodiscard]] Result<Place> open(const detail::BodyOps* ops, std::uint64_t world,
                                     const RequestOptions& options, std::size_t list_words);
    [[nodiscard]] RequestId close(const Place& place);
    [[nodiscard]] RequestInfo info(RequestId id) const;
    [[nodiscard]] Result<void> take(RequestId id, Route& route);
    [[nodiscard]] Result<void> peek(RequestId id, Route& route);
    [[nodiscard]] bool cancel(RequestId id);

    // sweep.cpp
    UpdateReport update(const FrameBudget& budget);
    /// As a recorded update by time went: the turns, each with what it was asked for.
    UpdateReport update_again(std::uint64_t units, std::span<const std::uint32_t> turns);
    [[nodiscard]] std::uint64_t digest() const { return digest_.value(); }
    [[nodiscard]] std::uint64_t frame() const { return frame_; }

  private:
    using Work = schedule::Work;
    using Slot = schedule::Slot;
    using WorkState = schedule::WorkState;

    // core.cpp
    [[nodiscard]] bool make_room(std::size_t works, std::size_t requests);
    [[nodiscard]] Work* new_work(const detail::BodyOps* ops);
    [[nodiscard]] schedule::Kind* kind_of(const detail::BodyOps* ops);
    [[nodiscard]] Route* spare_route();
    void give_back(Route*& route);
    void free_work(Work& work);

    // worlds.cpp
    [[nodiscard]] schedule::WorldSlot* find_world(std::uint64_t id);
    [[nodiscard]] bool knows_world(std::uint64_t id);
    [[nodiscard]] const void* world_of(std::uint64_t id);
    [[nodiscard]] std::uint64_t publishes_of(std::uint64_t id);

    // requests.cpp
    [[nodiscard]] Result<void> check(const RequestOptions& options, std::uint64_t world) const;
    [[nodiscard]] const schedule::Request* find(RequestId id) const;
    void prepare(Work& work, std::uint64_t world, const RequestOptions& options);
    [[nodiscard]] bool shows_best(const Work& work) const;
    void join(Work& work, const RequestOptions& options);
    [[nodiscard]] RequestId add_request(Work& work, const RequestCallback& callback);
    void drop_request(RequestId id);

    // queue.cpp
    [[nodiscard]] std::uint64_t due_of(const Work& work, const RequestOptions& options,
                                       std::uint64_t now) const;
    void take_out(Work& work);
    void enqueue(Work& work);
    void unqueue(Work& work);
    void sleep(Work& work);
    void wake_sleepers();
    void end_late(UpdateReport& report);
    void finish(Work& work, RequestEnd end, UpdateReport* report);
    void tell(const Work& work, RequestEvent event);
    void leave_slot(Work& work);

    // sweep.cpp
    void begin_update(UpdateReport& report);
    void end_update(UpdateReport& report);
    void admit(UpdateReport& report);
    [[nodiscard]] std::uint32_t line_up();
    void work_by_units(std::uint64_t units, UpdateReport& report);
    void work_by_time(std::uint64_t units, UpdateReport& report);
    void share_out(std::uint64_t units);
    void run_turns();
    void next_cursor();
    void call_back();
    // merge.cpp
    std::uint64_t merge(UpdateReport& report);
    void merge_turn(Slot& slot, UpdateReport& report);
    void merge_result(Slot& slot, UpdateReport& report);
    void merge_first_leg(Slot& slot, UpdateReport& report);
    [[nodiscard]] bool keep_route(Slot& slot);
    // turn.cpp
    void turn(Slot& slot) const;
    void timed_turn(Slot& slot);
    [[nodiscard]] double now_us() const;
    [[nodiscard]] std::uint64_t units_max(const Work& work) const;

    SchedulerOptions options_;
    schedule::RunWriter record_;
    schedule::WorkerPool pool_;
    Array<schedule::Request> requests_;
    std::uint32_t spare_request_ = schedule::kNone;
    std::uint32_t known_requests_ = 0;
    std::uint32_t untaken_ = 0;
    Array<Work*> works_;
    Array<schedule::Kind> kinds_;
    Array<schedule::WorldSlot> worlds_;
    Array<Route*> spare_routes_;
    std::size_t routes_ = 0;
    std::size_t body_bytes_ = 0;
    schedule::WorkHeap<Work, &Work::in_queue, schedule::due_before> queue_;
    schedule::WorkHeap<Work, &Work::in_sleepers, schedule::wakes_before> sleepers_;
    schedule::WorkHeap<Work, &Work::in_deadlines, schedule::ends_before> deadlines_;
    schedule::ShareTable shares_;
    Work* oldest_ = nullptr;
    Work* newest_ = nullptr;
    std::uint32_t parked_ = 0;
    std::uint64_t sequence_ = 0;
    Owned<Slot> slots_;
    std::uint32_t running_ = 0;
    Array<std::uint32_t> turns_;  ///< slots of this round, in the order of their turns
    std::uint32_t cursor_ = 0;    ///< the slot whose turn is first
    std::uint64_t debt_ = 0;      ///< units spent before they were there
    Array<std::uint32_t> asked_;  ///< of an update by time, for the record
    Array<schedule::Told> told_;
    std::uint32_t restarted_ = 0;  ///< since the last update
    bool updating_ = false;
    bool by_time_ = false;
    double until_us_ = 0.0;
    std::atomic<bool> turned_{false};  ///< in this update by time
    std::uint64_t frame_ = 0;
    Digest digest_;
};

}  // namespace fairlead
