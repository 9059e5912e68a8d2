// One thread edits a world, four others read its snapshots, release them and get the answers that one thread gets.
// Run under ThreadSanitizer by `./run test all` (stage tsan).
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <fairlead/base/rng.h>
#include <fairlead/grid/find_route.h>
#include <fairlead/grid/grid.h>
#include <fairlead/mesh/find_route.h>
#include <fairlead/mesh/nav_mesh.h>
#include <fairlead/roadmap/find_route.h>
#include <fairlead/roadmap/roadmap.h>
#include <fairlead/verify/verify.h>
#include <fairlead/verify/verify_mesh.h>
#include <fairlead/verify/verify_roadmap.h>

#include "support/environment.h"
#include "support/mesh_obstacles.h"
#include "support/plain_mesh.h"
#include "support/roadmaps.h"
#include "support/route_compare.h"

namespace fairlead::testing {
namespace {

constexpr int kReaders = 4;

/// Jobs from one thread to many; closed when no more come.
template <class Job>
class Queue {
  public:
    void push(Job job) {
        const std::lock_guard lock(mutex_);
        jobs_.push_back(std::move(job));
        changed_.notify_one();
    }
    void close() {
        const std::lock_guard lock(mutex_);
        closed_ = true;
        changed_.notify_all();
    }
    bool pop(Job& job) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return closed_ || !jobs_.empty(); });
        if (jobs_.empty()) return false;
        job = std::move(jobs_.front());
        jobs_.pop_front();
        return true;
    }

  private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Job> jobs_;
    bool closed_ = false;
};

/// A question about one revision, and the answer that the editing thread got.
template <class Snapshot, class Query>
struct Asked {
    Snapshot snapshot;
    Query query{};
    Route expected{};
};

/// `make_job(scratch)` edits, asks and hands over; the readers ask again. Returns what went wrong.
template <class Job, class MakeJob>
std::vector<std::string> run(int jobs, const MakeJob& make_job) {
    Queue<Job> queue;
    std::vector<std::string> wrong[kReaders];
    std::vector<std::thread> readers;
    for (auto& mine : wrong) {
        readers.emplace_back([&queue, &mine] {
            Scratch scratch;
            Job job;
            while (queue.pop(job)) {
                const Result<Route> route = find_route(*job.snapshot, job.query, scratch);
                if (!route) {
                    mine.push_back("an error");
                    continue;
                }
                const std::string difference = route_difference(*route, job.expected);
                if (!difference.empty()) mine.push_back(difference);
                if (route->status == PathStatus::complete && verify(*route, *job.snapshot, job.query.agent)) {
                    mine.push_back("an illegal route");
                }
                job.snapshot.release();
            }
        });
    }
    Scratch scratch;
    for (int i = 0; i < jobs; ++i) queue.push(make_job(scratch));
    queue.close();
    for (std::thread& reader : readers) reader.join();

    std::vector<std::string> all;
    for (const auto& mine : wrong) all.insert(all.end(), mine.begin(), mine.end());
    return all;
}

template <class Snapshot, class Query>
Asked<Snapshot, Query> asked(Snapshot snapshot, const Query& query, Scratch& scratch) {
    Result<Route> route = find_route(*snapshot, query, scratch);
    EXPECT_TRUE(route);
    return {std::move(snapshot), query, route ? std::move(*route) : Route{}};
}

TEST(Snapshots, OfTilesReadByFourThreads) {
    Rng rng(41);
    constexpr std::int32_t kSide = 60;
    Result<Grid> grid = Grid::make({.width = kSide, .height = kSide});
    ASSERT_TRUE(grid);
    const double radii[] = {0.0, 0.4, 1.2};
    int complete = 0;
    const auto wrong = run<Asked<GridSnapshot, GridQuery>>(trials(2000), [&](Scratch& scratch) {
        const auto x = static_cast<std::int32_t>(rng.below(kSide - 6));
        const auto y = static_cast<std::int32_t>(rng.below(kSide - 6));
        EXPECT_TRUE(grid->fill({{x, y}, {x + 5, y + 2}}, static_cast<std::uint8_t>(rng.below(2))));
        GridQuery query;
        query.start = cell_centre(static_cast<std::int32_t>(rng.below(kSide)), 3);
        query.goal = cell_centre(static_cast<std::int32_t>(rng.below(kSide)), kSide - 4);
        query.agent.radius = radii[rng.below(3)];
        auto job = asked(grid->acquire(), query, scratch);
        complete += job.expected.status == PathStatus::complete;
        return job;
    });
    EXPECT_TRUE(wrong.empty()) << wrong.size() << ", the first: " << wrong.front();
    EXPECT_GT(complete, trials(2000) / 4);
}

TEST(Snapshots, OfMeshesReadByFourThreads) {
    Rng rng(42);
    constexpr std::int32_t kCell = 4;
    constexpr double kWide = 24.0 * kCell;
    PlainMesh plain = random_mesh(
        rng, {.width = 24, .height = 24, .cell = kCell, .blocked_percent = 15, .join_percent = 0});
    NavMesh mesh = plain.make_tiled(6.0 * kCell, 4, {}, 1.0);
    int complete = 0;
    std::vector<std::int64_t> there;
    std::int64_t next = 1;
    const auto wrong = run<Asked<NavMeshSnapshot, MeshQuery>>(trials(2000), [&](Scratch& scratch) {
        if (there.size() > 8) {
            const MeshEdit gone[] = {MeshEdit::remove(there.front())};
            EXPECT_TRUE(mesh.apply(gone));
            there.erase(there.begin());
        } else {
            const MeshEdit put[] = {MeshEdit::add(next, random_obstacle(rng, kWide))};
            EXPECT_TRUE(mesh.apply(put));
            there.push_back(next++);
        }
        MeshQuery query;
        query.start = {rng.between(0.0, kWide), rng.between(0.0, kWide), 0.0};
        query.goal = Vec3{rng.between(0.0, kWide), rng.between(0.0, kWide), 0.0};
        query.agent.radius = rng.below(2) == 0 ? 0.0 : 0.3;
        query.reach.across = kCell;
        auto job = asked(mesh.acquire(), query, scratch);
        complete += job.expected.status == PathStatus::complete;
        return job;
    });
    EXPECT_TRUE(wrong.empty()) << wrong.size() << ", the first: " << wrong.front();
    EXPECT_GT(complete, trials(2000) / 4);
}

TEST(Snapshots, OfRoadmapsReadByFourThreads) {
    Rng rng(43);
    const PlainRoadmap plain = random_roadmap(rng, {.nodes = 200, .degree = 4.0, .one_way = 0.1});
    Roadmap roadmap = plain.make();
    int complete = 0;
    const auto wrong = run<Asked<RoadmapSnapshot, RoadmapQuery>>(trials(2000), [&](Scratch& scratch) {
        Waypoint moved = plain.nodes[rng.below(200)];
        moved.position.x += rng.between(-3.0, 3.0);
        EXPECT_TRUE(roadmap.move_node(moved));
        RoadmapQuery query;
        query.start = Vec2{rng.between(0.0, 100.0), rng.between(0.0, 100.0)};
        query.goal = Vec2{rng.between(0.0, 100.0), rng.between(0.0, 100.0)};
        query.direct = false;
        auto job = asked(roadmap.acquire(), query, scratch);
        complete += job.expected.status == PathStatus::complete;
        return job;
    });
    EXPECT_TRUE(wrong.empty()) << wrong.size() << ", the first: " << wrong.front();
    EXPECT_GT(complete, trials(2000) / 4);
}

}  // namespace
}  // namespace fairlead::testing
