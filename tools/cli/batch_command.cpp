// fairlead batch: many queries, on several threads, the routes in the order of the queries.

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <optional>
#include <string>

#include <fmt/format.h>

#include <fairlead/formats/queries.h>
#include <fairlead/math/trig.h>

#include "cli/any_world.h"
#include "cli/commands.h"
#include "cli/ends.h"
#include "cli/failure.h"
#include "cli/limits.h"
#include "cli/progress.h"
#include "cli/query_flags.h"
#include "cli/speed.h"
#include "cli/thread_group.h"

namespace fairlead::cli {

namespace {

constexpr int kThreadsMax = 256;

struct BatchWork;

struct BatchCommand {
    QueryFlags flags;
    std::string queries;
    std::string out = "-";
    int threads = 1;
    bool no_certify = false;
    bool no_times = false;

    void run();
    void finish(BatchWork& work) const;
};

/// What the threads share. Each takes the next few queries; lines[i] belongs to query i whoever solved it.
struct BatchWork {
    const AnyWorld& world;
    const std::vector<formats::QueryRow>& rows;
    std::vector<AskedEnds> ends;
    bool no_times;
    std::vector<std::string> lines;
    std::vector<std::string> notes;
    std::vector<PathStatus> statuses;
    std::vector<std::optional<Error>> errors;
    std::atomic<std::size_t> next{0};
    std::atomic<std::size_t> done{0};

    void solve(std::size_t i, Scratch& scratch, Answer& answer) {
        if (const Result<void> found = world.find(ends[i], scratch, answer, false); !found) {
            errors[i] = found.error();
            return;
        }
        if (world.turns_on_spot()) turn_to(answer.route, ends[i].headings());
        statuses[i] = answer.route.status;
        notes[i] = answer.note;
        world.append_line(lines[i], rows[i].id, answer, no_times ? 0 : answer.ns);
    }

    void run(Progress* progress) {
        constexpr std::size_t kShare = 16;
        Scratch scratch;
        Answer answer;
        for (;;) {
            const std::size_t first = next.fetch_add(kShare);
            if (first >= rows.size()) return;
            const std::size_t last = std::min(first + kShare, rows.size());
            for (std::size_t i = first; i < last; ++i) solve(i, scratch, answer);
            const std::size_t so_far = done.fetch_add(last - first) + (last - first);
            if (progress != nullptr) progress->at(so_far);
        }
    }
};

std::string summary(const BatchWork& work) {
    std::array<std::size_t, static_cast<std::size_t>(PathStatus::count_)> counts{};
    for (const PathStatus status : work.statuses) ++counts[static_cast<std::size_t>(status)];
    std::string text = fmt::format("{} routes", work.rows.size());
    for (std::size_t i = 0; i < counts.size(); ++i) {
        if (counts[i] > 0) text += fmt::format(", {} {}", counts[i], status_name(static_cast<PathStatus>(i)));
    }
    return text;
}

AskedEnd to_end(const std::string& place, const formats::QueryPlace& told, char side) {
    AskedEnd end{.where_height = fmt::format("{}: {}z", place, side),
                 .where_heading = fmt::format("{}: {}h", place, side),
                 .position = told.position,
                 .z = told.z};
    if (told.heading_deg) end.heading_rad = math::wrap_pi(*told.heading_deg * kRadPerDeg);
    return end;
}

AskedEnds to_ends(const std::string& path, const formats::QueryRow& row) {
    const std::string place = fmt::format("{}:{}", path, row.line);
    AskedEnds ends{.start = to_end(place, row.start, 's')};
    ends.goals.push_back(to_end(place, row.goal, 'g'));
    return ends;
}

void BatchCommand::run() {
    if (threads < 1 || threads > kThreadsMax)
        fail(fmt::format("--threads: {} is not 1 to {}", threads, kThreadsMax));
    const std::string text = read_file(queries);
    const std::vector<formats::QueryRow> rows =
        expect(queries, text, formats::load_queries(text, file_limits()));
    if (is_timed_planner(flags.planner.name()))
        fail(fmt::format("--planner: {} is for `route`", flags.planner.name()));
    flags.drive.refuse_heading_sets();
    flags.certify = !no_certify;
    const std::unique_ptr<AnyWorld> world = load_any_world(flags, nullptr);
    std::vector<AskedEnds> ends;
    for (const formats::QueryRow& row : rows) {
        ends.push_back(to_ends(queries, row));
        world->check(ends.back());  // what is wrong with the ends is told before any search
    }
    BatchWork work{*world, rows, std::move(ends), no_times, {}, {}, {}, {}};
    finish(work);
}

void BatchCommand::finish(BatchWork& work) const {
    const std::vector<formats::QueryRow>& rows = work.rows;
    work.lines.resize(rows.size());
    work.notes.resize(rows.size());
    work.statuses.resize(rows.size());
    work.errors.resize(rows.size());
    {
        Progress progress{"batch", rows.size()};
        ThreadGroup others(static_cast<std::size_t>(threads) - 1, [&work] { work.run(nullptr); });
        work.run(&progress);
        others.join();
    }
    const auto place = [&](std::size_t i) { return fmt::format("{}:{}", queries, rows[i].line); };
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (work.errors[i]) fail(fmt::format("{}: {}", place(i), work.world.error(*work.errors[i])));
    }
    std::string all;
    for (const std::string& line : work.lines) all += line;
    write_file(out, all);
    if (out != "-") fmt::print("{}\n", summary(work));
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (!work.notes[i].empty()) fmt::print(stderr, "fairlead: {}: {}\n", place(i), work.notes[i]);
    }
}

}  // namespace

void add_batch(CLI::App& app, int& status) {
    CLI::App* sub = app.add_subcommand("batch", "Find the routes of a list of queries");
    const auto command = std::make_shared<BatchCommand>();
    command->flags.add_world(*sub);
    sub->add_option("QUERIES", command->queries, "CSV with the header id,sx,sy,sz,sh,gx,gy,gz,gh")
        ->required();
    sub->add_option("-o", command->out,
                    "Where the routes go, one JSON object a line (default -: standard output)");
    sub->add_option("--threads", command->threads,
                    "How many threads; the routes do not depend on it (default 1)");
    sub->add_flag("--no-certify", command->no_certify,
                  "Leave the clearance of the legs out: a little faster");
    sub->add_flag("--no-times", command->no_times, "Write ns as 0, so that equal runs give equal files");
    command->flags.add(*sub, false);
    sub->callback([command, &status] {
        command->run();
        status = kDone;
    });
}

}  // namespace fairlead::cli
