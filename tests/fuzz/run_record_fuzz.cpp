// Records of runs. The bytes are records without their checksums, which would keep a fuzzer out: kind, length (one byte), body. They are
// written down with a header and checksums as they should be, and played on a small town. And once more as they are.
#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include <fairlead/base/assert.h>
#include <fairlead/base/baked.h>
#include <fairlead/grid/find_route.h>
#include <fairlead/schedule/run_record.h>
#include <fairlead/schedule/scheduler.h>

namespace {

using namespace fairlead;
using Bytes = std::vector<std::uint8_t>;

/// What a scheduler of the same options writes first.
void write(void* user, std::span<const std::uint8_t> bytes) {
    auto& out = *static_cast<Bytes*>(user);
    out.insert(out.end(), bytes.begin(), bytes.end());
}

constexpr SchedulerOptions kOptions{
    .searches_max = 3, .slice_units = 64, .requests_max = 64, .units_max = 4096};

/// A piece of work of the user's own.
struct Steps {
    std::uint32_t left = 40;
    bool step(std::uint64_t units) {
        left -= left < units ? left : static_cast<std::uint32_t>(units);
        return left > 0;
    }
    [[nodiscard]] bool running() const { return left > 0; }
};

struct Town {
    Grid grid = std::move(*Grid::make({.width = 12, .height = 12}));
    WorldId<GridSnapshot> world{};
    std::deque<Steps> jobs{};
};

Result<RequestId> submit(void* user, Scheduler& scheduler, const RecordedSubmit& then) {
    Town& town = *static_cast<Town*>(user);
    if (then.is_job) return scheduler.submit_job(town.jobs.emplace_back(), then.options);
    const GridQuery query{.start = cell_centre(1, 1), .goal = cell_centre(10, 10), .partial = true};
    if (then.world == town.world.value) return scheduler.submit<GridSearch>(town.world, query, then.options);
    return scheduler.submit<GridSearch>(town.grid, query, then.options);
}

Result<std::uint64_t> add_world(void* user, Scheduler& scheduler) {
    Town& town = *static_cast<Town*>(user);
    const auto id = scheduler.add_world(town.grid);
    if (!id) return id.error();
    town.world = *id;
    return town.world.value;
}

Result<void> publish(void* user, Scheduler& scheduler, std::uint64_t, std::uint64_t digest) {
    Town& town = *static_cast<Town*>(user);
    const Result<void> filled = town.grid.fill({{4, 4}, {6, 6}}, static_cast<std::uint8_t>(digest & 1));
    if (!filled) return filled;
    return scheduler.publish(town.world, town.grid, digest);
}

void put(Bytes& out, std::uint32_t value) {
    for (int i = 0; i < 4; ++i) out.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
}

Bytes framed(std::span<const std::uint8_t> data) {
    Bytes out;
    SchedulerOptions options = kOptions;
    options.recorder = {write, &out};
    (void)Scheduler::make(options);  // writes the header
    std::uint32_t checksum = 0;
    while (data.size() >= 2) {
        const std::size_t length = data[1] < data.size() - 2 ? data[1] : data.size() - 2;
        Bytes record{data[0]};
        put(record, static_cast<std::uint32_t>(length));
        record.insert(record.end(), data.begin() + 2, data.begin() + 2 + static_cast<std::ptrdiff_t>(length));
        checksum = crc32c(record, checksum);
        put(record, checksum);
        out.insert(out.end(), record.begin(), record.end());
        data = data.subspan(2 + length);
    }
    return out;
}

void play(std::span<const std::uint8_t> bytes) {
    Town town;
    Result<Scheduler> scheduler = Scheduler::make(kOptions);
    FAIRLEAD_ASSERT(scheduler.has_value());
    RunPlayer player{submit, add_world, publish, nullptr, &town};
    const Result<RunEnd> end = replay_run(bytes, *scheduler, player);
    if (end) FAIRLEAD_ASSERT(end->records <= bytes.size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    play({data, size});
    play(framed({data, size}));
    return 0;
}
