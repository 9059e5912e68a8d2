// A run written down and played again: the same digests with any number of threads, also of updates by time; damaged bytes are refused.
#include <cstring>
#include <map>
#include <vector>

#include <gtest/gtest.h>

#include <fairlead/base/bytes.h>
#include <fairlead/base/rng.h>
#include <fairlead/grid/find_route.h>
#include <fairlead/schedule/scheduler.h>

#include "support/environment.h"

namespace fairlead::testing {
namespace {

constexpr std::int32_t kSide = 48;

/// What a payload holds.
struct Order {
    std::int32_t from_x = 0, from_y = 0, to_x = 0, to_y = 0;
    [[nodiscard]] GridQuery query() const {
        return {.start = cell_centre(from_x, from_y),
                .goal = cell_centre(to_x, to_y),
                .planner = GridPlanner::astar,
                .partial = true};
    }
};

/// The game that is recorded, and the one that plays it: edits follow from the number of the revision.
struct Game {
    Grid town = *Grid::make({.width = kSide, .height = kSide});
    WorldId<GridSnapshot> id{};
    std::vector<std::uint8_t> bytes;
    bool other_edits = false;
    int taken = 0;

    static void write(void* user, std::span<const std::uint8_t> more) {
        auto& bytes = static_cast<Game*>(user)->bytes;
        bytes.insert(bytes.end(), more.begin(), more.end());
    }
    void edit() {
        Rng rng(town.state().revision() + (other_edits ? 1000 : 0));
        const std::int32_t x = rng.between(0, kSide - 6), y = rng.between(0, kSide - 6);
        ASSERT_TRUE(
            town.fill({{x, y}, {x + 5, y + 5}}, static_cast<std::uint8_t>(rng.below(3) == 0 ? 1 : 0)));
    }
    [[nodiscard]] RunPlayer player() {
        return {
            .submit = [](void* user, Scheduler& scheduler,
                         const RecordedSubmit& submit) -> Result<RequestId> {
                auto* game = static_cast<Game*>(user);
                Order order;
                if (submit.options.payload.size() != sizeof order) return Error{ErrorCode::size_mismatch};
                std::memcpy(&order, submit.options.payload.data(), sizeof order);
                if (submit.world == UINT64_MAX)
                    return scheduler.submit<GridSearch>(game->town, order.query(), submit.options);
                return scheduler.submit<GridSearch>(WorldId<GridSnapshot>{submit.world}, order.query(),
                                                    submit.options);
            },
            .add_world = [](void* user, Scheduler& scheduler) -> Result<std::uint64_t> {
                auto* game = static_cast<Game*>(user);
                game->id = *scheduler.add_world(game->town);
                return Result<std::uint64_t>(std::uint64_t{game->id.value});
            },
            .publish = [](void* user, Scheduler& scheduler, std::uint64_t world,
                          std::uint64_t digest) -> Result<void> {
                auto* game = static_cast<Game*>(user);
                game->edit();
                return scheduler.publish(WorldId<GridSnapshot>{world}, game->town, digest);
            },
            .taken = [](void* user, RequestId, const Result<void>&,
                        const Route&) { ++static_cast<Game*>(user)->taken; },
            .user = this,
        };
    }
    [[nodiscard]] SchedulerOptions options(std::uint32_t threads = 0) const {
        return {.threads = threads,
                .searches_max = 4,
                .slice_units = 50,
                .units_max = 2000,
                .patience_frames = 10};
    }
    /// Returns the digest at the end.
    std::uint64_t record(std::uint64_t seed, bool by_time, int frames) {
        SchedulerOptions recorded = options();
        recorded.recorder = {&Game::write, this};
        Scheduler scheduler = *Scheduler::make(recorded);
        Rng rng(seed);
        id = *scheduler.add_world(town);
        std::vector<RequestId> ids;
        Route route;
        for (int frame = 0; frame < frames; ++frame) {
            for (std::uint32_t n = rng.below(4); n > 0; --n) {
                const Order order{rng.between(0, kSide - 1), rng.between(0, kSide - 1),
                                  rng.between(0, kSide - 1), rng.between(0, kSide - 1)};
                std::uint8_t payload[sizeof order];
                std::memcpy(payload, &order, sizeof order);
                RequestOptions q{.priority = rng.below(16), .payload = payload};
                const bool frozen = rng.below(5) == 0;
                if (!frozen && rng.below(3) == 0) q.on_edit = OnEdit::restart;
                if (rng.below(3) == 0) q.first_leg_units = 60;
                if (rng.below(4) == 0) q.deadline_frames = 6;
                if (rng.below(4) == 0) q.retry = {.times = 2, .wait_frames = 3};
                ids.push_back(frozen ? *scheduler.submit<GridSearch>(town, order.query(), q)
                                     : *scheduler.submit<GridSearch>(id, order.query(), q));
            }
            if (rng.below(6) == 0) {
                edit();
                EXPECT_TRUE(scheduler.publish(id, town, town.state().revision()));
            }
            if (!ids.empty() && rng.below(3) == 0) {
                const std::uint32_t which = rng.below(static_cast<std::uint32_t>(ids.size()));
                scheduler.cancel(ids[which]);
            }
            by_time ? scheduler.update({.time_us = 30.0}) : scheduler.update({.units = rng.below(900)});
            std::erase_if(ids, [&](RequestId request) { return scheduler.take(request, route).has_value(); });
        }
        if (rng.below(2) == 0) {
            EXPECT_TRUE(scheduler.forget(id));
        }
        return scheduler.digest();
    }
    Result<RunEnd> play(std::span<const std::uint8_t> run, std::uint32_t threads = 0) {
        Scheduler scheduler = *Scheduler::make(options(threads));
        return replay_run(run, scheduler, player());
    }
};

TEST(RunRecord, PlaysToTheSameDigests) {
    for (const bool by_time : {false, true}) {
        for (std::uint64_t seed = 0; seed < static_cast<std::uint64_t>(trials(15)); ++seed) {
            Game recorded;
            const std::uint64_t digest = recorded.record(seed, by_time, 120);
            for (const std::uint32_t threads : {0U, 3U}) {
                Game game;
                const Result<RunEnd> end = game.play(recorded.bytes, threads);
                ASSERT_TRUE(end) << error_text(end.error()).c_str();
                EXPECT_TRUE(end->same) << "seed " << seed << ", frame " << end->differs_at;
                EXPECT_EQ(end->updates, 120U);
                EXPECT_EQ(end->digest, digest);
                EXPECT_FALSE(end->torn);
                EXPECT_GT(game.taken, 40);
            }
        }
    }
}

TEST(RunRecord, AnotherWorldIsNoticed) {
    Game recorded, other;
    recorded.record(3, false, 120);
    other.other_edits = true;
    const Result<RunEnd> end = other.play(recorded.bytes);
    ASSERT_TRUE(end);
    EXPECT_FALSE(end->same);
    EXPECT_GT(end->differs_at, 0U);
    EXPECT_LT(end->updates, 121U);
}

TEST(RunRecord, OptionsThatDecideResultsMustBeTheSame) {
    Game recorded, game;
    recorded.record(3, false, 5);
    const auto field = [&](void (*change)(SchedulerOptions&)) {
        SchedulerOptions options = game.options();
        change(options);
        Scheduler scheduler = *Scheduler::make(options);
        const Result<RunEnd> end = replay_run(recorded.bytes, scheduler, game.player());
        return end ? Field::none : end.error().field;
    };
    EXPECT_EQ(field([](SchedulerOptions& o) { o.searches_max = 5; }), Field::searches_max);
    EXPECT_EQ(field([](SchedulerOptions& o) { o.requests_max = 5; }), Field::requests_max);
    EXPECT_EQ(field([](SchedulerOptions& o) { o.slice_units = 5; }), Field::slice_units);
    EXPECT_EQ(field([](SchedulerOptions& o) { o.units_max = 5; }), Field::units_max);
    EXPECT_EQ(field([](SchedulerOptions& o) { o.patience_frames = 5; }), Field::patience_frames);
    EXPECT_EQ(field([](SchedulerOptions& o) { o.priority_frames = 5; }), Field::priority_frames);
}

TEST(RunRecord, DamagedBytesAreRefusedAndShortOnesPlayedAsFarAsTheyGo) {
    Game recorded;
    recorded.record(4, false, 30);
    const std::vector<std::uint8_t>& good = recorded.bytes;
    const auto code = [](std::span<const std::uint8_t> bytes) {
        Game game;
        const Result<RunEnd> end = game.play(bytes);
        return end ? ErrorCode::count_ : end.error().code;
    };
    EXPECT_EQ(code({}), ErrorCode::baked_length);
    std::vector<std::uint8_t> bytes = good;
    bytes[0] ^= 1;
    EXPECT_EQ(code(bytes), ErrorCode::baked_magic);
    bytes = good;
    bytes[4] = 2;
    EXPECT_EQ(code(bytes), ErrorCode::baked_version);
    bytes = good;
    bytes[20] ^= 1;
    EXPECT_EQ(code(bytes), ErrorCode::baked_checksum);

    Rng rng(8);
    int torn = 0;
    for (int n = 0; n < trials(300); ++n) {
        Game game;
        const auto length = 56 + rng.below(static_cast<std::uint32_t>(good.size() - 56));
        const Result<RunEnd> end = game.play(std::span(good).first(length));
        ASSERT_TRUE(end);
        EXPECT_TRUE(end->same);
        torn += end->torn ? 1 : 0;
    }
    EXPECT_GT(torn, trials(300) / 2);
    for (int n = 0; n < trials(300); ++n) {
        bytes = good;
        const auto at = 56 + rng.below(static_cast<std::uint32_t>(good.size() - 56));
        bytes[at] = static_cast<std::uint8_t>(bytes[at] ^ (1U << rng.below(8)));
        Game game;
        const Result<RunEnd> end = game.play(bytes);
        // A length that points past the end looks like a run that was cut short.
        EXPECT_TRUE(!end || end->torn) << at;
    }
}

// With checksums made anew: every value is checked for itself.
TEST(RunRecord, ForgedRecordsDoNoHarm) {
    Game recorded;
    recorded.record(4, false, 30);
    Rng rng(9);
    int refused = 0;
    for (int n = 0; n < trials(300); ++n) {
        std::vector<std::uint8_t> bytes = recorded.bytes;
        std::uint32_t sum = 0;
        for (std::size_t at = 56; at + 9 <= bytes.size();) {
            const std::size_t length = bytes[at + 1] | static_cast<std::size_t>(bytes[at + 2]) << 8;
            if (rng.below(40) == 0) {
                const std::size_t where =
                    at + (rng.below(4) == 0 ? 0 : 5 + rng.below(static_cast<std::uint32_t>(length)));
                // Budgets and caps stay small, or this would take its time.
                bytes[where] = static_cast<std::uint8_t>(rng.below(256));
            }
            sum = crc32c(std::span(bytes).subspan(at, 5 + length), sum);
            for (std::size_t i = 0; i < 4; ++i)
                bytes[at + 5 + length + i] = static_cast<std::uint8_t>(sum >> (8 * i));
            at += 9 + length;
        }
        Game game;
        const Result<RunEnd> end = game.play(bytes);
        refused += !end || !end->same ? 1 : 0;
    }
    EXPECT_GT(refused, trials(300) / 2);
}

}  // namespace
}  // namespace fairlead::testing
