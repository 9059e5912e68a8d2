// A frame loop with a scheduler: thirty units ask for routes at once, set off on first legs within a few frames, and a wall is built while
// they wait. No frame spends more than its budget.

#include <fairlead/fairlead.h>

#include <cstdio>

namespace {

using namespace fairlead;

/// One unit of the game.
struct Walker {
    RequestId request{};
    Route route;
    bool has_first_leg = false;
    int ready_frame = 0;
};

}  // namespace

int main() {
    constexpr int kWalkers = 30;
    constexpr std::uint64_t kUnits = 2000;  // a frame: about 0.2 ms
    Result<Grid> town = Grid::make({.width = 200, .height = 200});
    Result<Scheduler> scheduler = Scheduler::make({.threads = 2});
    if (!town || !scheduler || !town->fill({{100, 0}, {102, 180}}, 0)) return 1;
    const auto world = scheduler->add_world(*town);
    if (!world) return 1;

    Walker walkers[kWalkers];
    for (int i = 0; i < kWalkers; ++i) {
        const GridQuery query{
            .start = cell_centre(5, 20 + 4 * i),
            .goal = cell_centre(190, 30),
            .planner = GridPlanner::bucket_astar,
            .partial = true};  // where a search is cut short: the way to the best place so far
        const Result<RequestId> id = scheduler->submit<GridSearch>(
            *world, query, {.first_leg_units = 200, .on_edit = OnEdit::restart});
        if (!id) return 1;
        walkers[i].request = *id;
    }

    int ready = 0;
    int first_legs = 0;
    for (int frame = 1; ready < kWalkers; ++frame) {
        const UpdateReport report = scheduler->update({.units = kUnits});
        if (report.units > kUnits) return 1;
        if (frame == 20) {  // the game goes on
            if (!town->fill({{140, 40}, {142, 200}}, 0) || !scheduler->publish(*world, *town)) return 1;
        }
        for (Walker& walker : walkers) {
            const RequestInfo info = scheduler->info(walker.request);
            if (info.status == RequestStatus::done) {
                if (!scheduler->take(walker.request, walker.route)) return 1;
                walker.ready_frame = frame;
                ++ready;
            } else if (info.has_route && !walker.has_first_leg) {
                walker.has_first_leg = true;
                ++first_legs;
                if (!scheduler->peek(walker.request, walker.route)) return 1;
            } else if (wait_advice(info, /*sight_is_clear=*/false) == WaitAdvice::hold) {
                // nothing yet: it stays where it is
            }
        }
    }
    int newest = 0;
    for (const Walker& walker : walkers) newest += walker.route.revision == town->state().revision() ? 1 : 0;
    std::printf(
        "%d first legs; all routes after %d frames, %d of them on the edited town; longest route %.1f\n",
        first_legs, walkers[kWalkers - 1].ready_frame, newest, walkers[kWalkers - 1].route.length);
    return first_legs > 0 && newest > 0 ? 0 : 1;
}
