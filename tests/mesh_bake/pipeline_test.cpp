// Every strip and every tile once, a tile only while the strips that it reads are there, whoever ends first.

#include "mesh_bake/pipeline.h"

#include <map>
#include <vector>

#include <gtest/gtest.h>

#include <fairlead/base/rng.h>

#include "support/environment.h"

namespace fairlead {
namespace {

using bake::Pipeline;

struct World {
    std::int32_t tiles_x, tiles_y, reach, kept, batch;
};

/// Pretends to be many threads: jobs that were started end in any order.
struct Rehearsal {
    World world;
    std::map<std::int32_t, std::int32_t>
        place;               ///< which strip is in a place of the ring; -1: it is being filled
    std::vector<int> tiles;  ///< how often each was given out
    std::vector<int> strips;
    std::vector<Pipeline::Work> in_hand;
    bool good = true;

    explicit Rehearsal(const World& w)
        : world(w),
          tiles(static_cast<std::size_t>(w.tiles_x) * static_cast<std::size_t>(w.tiles_y), 0),
          strips(static_cast<std::size_t>(w.tiles_y), 0) {}

    [[nodiscard]] bool reads(const Pipeline::Work& work, std::int32_t strip) const {
        return work.strip < 0 && strip >= work.row - world.reach && strip <= work.row + world.reach;
    }

    void begin(const Pipeline::Work& work) {
        in_hand.push_back(work);
        if (work.strip >= 0) {
            ++strips[static_cast<std::size_t>(work.strip)];
            const auto old = place.find(work.strip % world.kept);
            for (const Pipeline::Work& other : in_hand) {
                if (old != place.end() && reads(other, old->second)) good = false;
            }
            place[work.strip % world.kept] = -1;
            return;
        }
        ++tiles[static_cast<std::size_t>(work.row * world.tiles_x + work.x)];
        for (std::int32_t s = work.row - world.reach; s <= work.row + world.reach; ++s) {
            if (s >= 0 && s < world.tiles_y && place[s % world.kept] != s) good = false;
        }
    }

    void run(Rng& rng, std::uint32_t threads) {
        Pipeline pipeline(world.tiles_x, world.tiles_y, world.reach, world.kept, {});
        ASSERT_TRUE(pipeline.prepare());
        for (std::int32_t row = 0; row < world.tiles_y; row += world.batch) {
            std::size_t jobs = pipeline.begin_batch(std::min(row + world.batch, world.tiles_y));
            while (jobs > 0 || !in_hand.empty()) {
                if (jobs > 0 && in_hand.size() < threads && (in_hand.empty() || rng.below(2) == 0)) {
                    --jobs;
                    Pipeline::Work work;
                    if (pipeline.start(work)) begin(work);
                    continue;
                }
                if (in_hand.empty()) continue;
                const std::size_t i = rng.below(static_cast<std::uint32_t>(in_hand.size()));
                Pipeline::Work work = in_hand[i];
                in_hand.erase(in_hand.begin() + static_cast<std::ptrdiff_t>(i));
                if (work.strip >= 0) place[work.strip % world.kept] = work.strip;
                if (pipeline.finish(work, true)) begin(work);
            }
        }
        EXPECT_FALSE(pipeline.failed());
        for (const int times : tiles) good = good && times == 1;
        for (const int times : strips) good = good && times == 1;
    }
};

TEST(Pipeline, GivesOutEveryPieceOnceAndInTime) {
    Rng rng(81);
    const auto between = [&rng](std::uint32_t low, std::uint32_t high) {
        return static_cast<std::int32_t>(low + rng.below(high - low + 1));
    };
    for (int round = 0; round < testing::trials(2000); ++round) {
        SCOPED_TRACE(round);
        World world{between(1, 5), between(1, 24), between(1, 2), 0, between(1, 20)};
        world.kept = 2 * world.reach + 1 + between(0, 5);
        Rehearsal rehearsal(world);
        rehearsal.run(rng, static_cast<std::uint32_t>(between(1, 9)));
        ASSERT_TRUE(rehearsal.good);
    }
}

TEST(Pipeline, AFailureEndsIt) {
    Pipeline pipeline(4, 30, 1, 3, {});
    ASSERT_TRUE(pipeline.prepare());
    Pipeline::Work work;
    std::size_t skipped = 0;
    const std::size_t jobs = pipeline.begin_batch(30);
    for (std::size_t i = 0; i < jobs; ++i) {
        ASSERT_TRUE(pipeline.start(work));
        skipped += work.skip ? 1U : 0U;
        EXPECT_FALSE(pipeline.finish(work, i != 10));
    }
    EXPECT_TRUE(pipeline.failed());
    EXPECT_EQ(skipped, jobs - 11);
}

}  // namespace
}  // namespace fairlead
