// Work: one search (or job) that one or several requests wait for, and what is known of it.
#pragma once

#include <cstdint>

#include <fairlead/base/array.h>
#include <fairlead/schedule/request.h>
#include <fairlead/schedule/sliced.h>

#include "schedule/order.h"

namespace fairlead::schedule {

inline constexpr std::uint32_t kNone = UINT32_MAX;
inline constexpr std::uint64_t kNever = UINT64_MAX;

enum class WorkState : std::uint8_t {
    spare,     ///< nobody's
    waiting,   ///< in the queue
    running,   ///< in a slot
    sleeping,  ///< until its frame
    parked,    ///< until its world is published
    ended,     ///< its result waits to be taken
};

struct Work {
    explicit Work(const Allocator& allocator) : lists(allocator) {}

    const detail::BodyOps* ops = nullptr;
    void* body = nullptr;        ///< memory for a body of ops; an object in it unless spare or ended
    Array<std::uint64_t> lists;  ///< of the query
    Route* route = nullptr;      ///< the best so far, of the pool
    std::uint32_t index = 0;     ///< of the core's list of works
    std::uint32_t kind = 0;      ///< of the core's list of kinds
    std::uint32_t slot = kNone;
    std::uint32_t next_spare = kNone;

    WorkState state = WorkState::spare;
    RequestEnd end = RequestEnd::none;
    bool has_route = false;     ///< `route` leads somewhere, or is done without legs
    bool short_search = false;  ///< for a first leg
    bool try_begun = false;
    bool late = false;  ///< to be ended at its next turn
    Error error{};

    // Requests for it, a list in the order of submit().
    std::uint32_t first_request = kNone;
    std::uint32_t last_request = kNone;

    // What is asked for, of all of them together.
    RequestOptions options{};
    std::uint64_t world = kNever;
    std::uint64_t deadline = kNever;  ///< the last frame that may do it

    // Its place in the queue, and among those that sleep and that have a deadline.
    std::uint64_t due = 0;
    std::uint64_t sequence = 0;
    std::uint64_t wakes = 0;
    std::uint32_t in_queue = kNotInHeap;
    std::uint32_t in_sleepers = kNotInHeap;
    std::uint32_t in_deadlines = kNotInHeap;
    Work* older = nullptr;  ///< of those that wait, by when they began to
    Work* newer = nullptr;
    std::uint64_t queued = 0;  ///< frame
    std::uint32_t share_next = kNone;

    std::uint64_t submitted = 0;   ///< frame
    std::uint64_t begun = kNever;  ///< frame of the first search
    std::uint64_t tried_revision = 0;
    std::uint64_t units = 0;  ///< of this try
    std::uint64_t units_before = 0;
    std::uint32_t tries = 0;
    std::uint32_t restarts = 0;  ///< of this try
    std::uint32_t restarts_before = 0;
};

inline bool due_before(const Work& a, const Work& b) {
    return a.due != b.due ? a.due < b.due : a.sequence < b.sequence;
}
inline bool wakes_before(const Work& a, const Work& b) {
    return a.wakes != b.wakes ? a.wakes < b.wakes : a.sequence < b.sequence;
}
inline bool ends_before(const Work& a, const Work& b) {
    return a.deadline != b.deadline ? a.deadline < b.deadline : a.sequence < b.sequence;
}

/// Of works that share by a key: chains through Work::share_next.
class ShareTable {
  public:
    ShareTable() {
        for (std::uint32_t& head : heads_) head = kNone;
    }
    [[nodiscard]] Work* find(const Array<Work*>& works, const detail::BodyOps* ops, std::uint64_t world,
                             std::uint64_t key) const;
    void add(Work& work);
    void remove(const Array<Work*>& works, Work& work);

  private:
    static constexpr std::size_t kBuckets = 1024;
    [[nodiscard]] static std::size_t bucket(std::uint64_t key);

    std::uint32_t heads_[kBuckets];
};

}  // namespace fairlead::schedule
