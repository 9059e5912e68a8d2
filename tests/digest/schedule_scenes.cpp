// A scheduler over a town that is edited: 1,500 requests of walkers of two sizes with priorities, deadlines, first legs and retries,
// in 400 frames of stated budgets; frame and route of each result.
#include <fairlead/base/rng.h>
#include <fairlead/grid/find_route.h>
#include <fairlead/schedule/scheduler.h>

#include "digest/digest_scene.h"
#include "digest/route_digest.h"

namespace {

using namespace fairlead;
using fairlead::testing::add_route;

constexpr std::int32_t kTownSide = 90;

Spot any_cell(Rng& rng) {
    const std::int32_t x = rng.between(0, kTownSide - 1);
    return cell_centre(x, rng.between(0, kTownSide - 1));
}

RequestOptions any_options(Rng& rng) {
    RequestOptions options;
    options.priority = rng.below(16);
    if (rng.below(3) == 0) options.first_leg_units = 40;
    if (rng.below(5) == 0) options.deadline_frames = 1 + rng.below(20);
    if (rng.below(4) == 0)
        options.retry = {.times = 2, .wait_frames = 5, .newer_revision_only = rng.below(2) == 0};
    if (rng.below(3) == 0) options.on_edit = OnEdit::restart;
    if (rng.below(8) == 0) options.units_max = 100;
    return options;
}

}  // namespace

FAIRLEAD_DIGEST_SCENE(schedule_requests) {
    Rng rng(20261127);
    Result<Grid> town = Grid::make({.width = kTownSide, .height = kTownSide});
    Result<Scheduler> scheduler = Scheduler::make({.searches_max = 5, .slice_units = 64, .units_max = 5000});
    if (!town || !scheduler) return digest.add(std::uint64_t{1});
    const auto world = scheduler->add_world(*town);
    if (!world) return digest.add(std::uint64_t{2});
    Array<RequestId> ids;
    Route route;
    for (int frame = 0; frame < 400; ++frame) {
        for (std::uint32_t n = rng.below(8); n > 0; --n) {
            GridQuery query{.start = any_cell(rng), .goal = any_cell(rng)};
            if (rng.below(4) == 0) query.agent.radius = 0.8;
            query.partial = rng.below(2) == 0;
            const Result<RequestId> id = scheduler->submit<GridSearch>(*world, query, any_options(rng));
            if (!id || !ids.push_back(*id)) return digest.add(std::uint64_t{3});
        }
        if (rng.below(5) == 0) {
            const std::int32_t x = rng.between(0, kTownSide - 9);
            const std::int32_t y = rng.between(0, kTownSide - 9);
            const auto tile = static_cast<std::uint8_t>(rng.below(4) == 0 ? 1 : 0);
            if (!town->fill({{x, y}, {x + 8, y + 3}}, tile) || !scheduler->publish(*world, *town))
                return digest.add(std::uint64_t{4});
        }
        const UpdateReport report = scheduler->update({.units = rng.below(1200)});
        digest.add(report.units);
        std::size_t kept = 0;
        for (const RequestId id : ids) {
            if (scheduler->take(id, route)) {
                digest.add(id.value);
                add_route(digest, route);
            } else {
                ids[kept++] = id;
            }
        }
        while (ids.size() > kept) ids.pop_back();
    }
    digest.add(scheduler->digest());
}
