// What a unit does while its request waits, and the names of statuses.
#include <fairlead/schedule/request.h>

namespace fairlead {

WaitAdvice wait_advice(const RequestInfo& request, bool sight_is_clear) {
    if (request.has_route) return WaitAdvice::follow;
    switch (request.status) {
        case RequestStatus::waiting:
        case RequestStatus::running:
        case RequestStatus::retrying: return sight_is_clear ? WaitAdvice::go_straight : WaitAdvice::hold;
        case RequestStatus::done:
            // Searched to the end, there is no way; of a search that was cut short nothing is known.
            return sight_is_clear && (request.end == RequestEnd::capped || request.end == RequestEnd::late)
                       ? WaitAdvice::go_straight
                       : WaitAdvice::hold;
        case RequestStatus::unknown:
        case RequestStatus::dropped:
        case RequestStatus::count_: break;
    }
    return WaitAdvice::hold;
}

const char* status_name(RequestStatus status) {
    switch (status) {
        case RequestStatus::unknown: return "unknown";
        case RequestStatus::waiting: return "waiting";
        case RequestStatus::running: return "running";
        case RequestStatus::retrying: return "retrying";
        case RequestStatus::done: return "done";
        case RequestStatus::dropped: return "dropped";
        case RequestStatus::count_: break;
    }
    return "unknown";
}

const char* end_name(RequestEnd end) {
    switch (end) {
        case RequestEnd::none: return "none";
        case RequestEnd::searched: return "searched";
        case RequestEnd::capped: return "capped";
        case RequestEnd::late: return "late";
        case RequestEnd::failed: return "failed";
        case RequestEnd::dropped: return "dropped";
        case RequestEnd::count_: break;
    }
    return "none";
}

}  // namespace fairlead
