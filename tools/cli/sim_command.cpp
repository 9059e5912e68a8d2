// fairlead sim: units that go where they are sent, tick by tick, into a file of their tracks. fairlead replay: the same again, compared.

#include <memory>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/failure.h"
#include "cli/kept_files.h"
#include "cli/sim_play.h"
#include "cli/sim_record.h"
#include "cli/text.h"

namespace fairlead::cli {

namespace {

constexpr int kSimThreadsMax = 64;

void check_threads(int threads) {
    if (threads < 1 || threads > kSimThreadsMax) fail("--threads: not 1 to 64");
}

struct SimCommand {
    SimPlan plan;
    std::string out;
    std::string record;
    std::uint64_t every = 1;
    int threads = 1;
    bool json = false;

    void run() const;
    void tell(const SimEnd& end) const;
};

void SimCommand::run() const {
    plan.check();
    if (every == 0) fail("--every: at least 1");
    check_threads(threads);
    if (out == "-" && json) fail("--json: with -o - the track's last line says the same");
    if (record == "-") fail("--record: a file is needed");
    if (!record.empty() && record == out) fail("--record and -o are one file");
    std::optional<KeptFiles> files;
    std::optional<FileOut> run;
    if (!record.empty()) {
        files.emplace();
        run.emplace(record);
    }
    SimRecord written;
    written.version = FAIRLEAD_VERSION;
    written.plan = plan;
    written.step = SimRecord::step_for(plan.ticks());
    FileOut track(out);
    SimWatch watch{&track, every, threads, {}};
    if (run) {
        watch.ticked = [&written](std::uint64_t tick, std::uint64_t digest) {
            if (tick % written.step == 0) written.digests.push_back(digest);
            return true;
        };
    }
    const SimEnd end = play_sim(plan, watch);
    track.write(end_json(end) + "\n");
    if (run) {
        written.files = std::move(files->files());
        written.ticks = end.ticks;
        written.digest = end.digest;
        run->write(save_sim_record(written));
        run->finish();
    }
    track.finish();
    tell(end);
}

void SimCommand::tell(const SimEnd& end) const {
    if (json) {
        fmt::print("{}\n", end_json(end));
    } else if (out != "-") {
        const std::size_t told = end.arrived + end.stuck + end.unreachable + end.invalid;
        fmt::print("{} units after {} s: {} arrived, {} under way, {} stuck, {} unreachable, {} invalid\n",
                   end.units, text_of(plan.seconds), end.arrived, end.units - told, end.stuck,
                   end.unreachable, end.invalid);
    }
}

struct ReplayCommand {
    std::string path;
    std::string out;
    std::uint64_t every = 1;
    int threads = 1;

    [[nodiscard]] int run() const;
};

/// Where a run went another way than its record.
struct Difference {
    std::uint64_t first = 0;  ///< in ticks first to last; 0: nowhere
    std::uint64_t last = 0;
};

std::string where_text(const Difference& found) {
    if (found.first == found.last) return fmt::format("tick {}", found.first);
    return fmt::format("one of the ticks {} to {}", found.first, found.last);
}

int ReplayCommand::run() const {
    if (every == 0) fail("--every: at least 1");
    check_threads(threads);
    SimRecord record = load_sim_record(path, read_file(path));
    const KeptFiles files(std::move(record.files), true);
    std::optional<FileOut> track;
    if (!out.empty()) track.emplace(out);
    Difference found;
    SimWatch watch{track ? &*track : nullptr, every, threads, {}};
    watch.ticked = [&](std::uint64_t tick, std::uint64_t digest) {
        if (tick % record.step != 0 || digest == record.digests[tick / record.step - 1]) return true;
        found = {tick - record.step + 1, tick};
        return false;
    };
    const SimEnd end = play_sim(record.plan, watch);
    if (found.first == 0 && end.digest != record.digest)
        found = {record.digests.size() * record.step + 1, end.ticks};
    if (track) {
        track->write(end_json(end) + "\n");
        track->finish();
    }
    const std::string version =
        record.version == FAIRLEAD_VERSION ? "" : fmt::format("; recorded by version {}", record.version);
    if (found.first != 0) {
        fmt::print(stderr, "fairlead replay: {}: not as recorded from {} on{}\n", path, where_text(found),
                   version);
        return kCheckFailed;
    }
    fmt::print(out == "-" ? stderr : stdout, "{} ticks as recorded, digest {:016x}\n", end.ticks, end.digest);
    return kDone;
}

}  // namespace

void add_sim(CLI::App& app, int& status) {
    CLI::App* sub = app.add_subcommand("sim", "Let units go where they want, and write their tracks");
    const auto command = std::make_shared<SimCommand>();
    SimPlan& plan = command->plan;
    plan.world.add(*sub);
    sub->add_option("UNITS", plan.units,
                    "CSV whose header names its columns: id,x,y,gx,gy,radius,speed,...; volumes: z,gz too")
        ->required();
    sub->add_option("--seconds", plan.seconds, "How long (default 60)");
    sub->add_option("--rate", plan.rate, "Ticks a second (default 60)");
    sub->add_option("--budget", plan.budget, "Units of search a tick (default 20000)");
    sub->add_option("--every", command->every, "Write every so many ticks (default 1)");
    sub->add_option("--edits", plan.edits,
                    "Changes of the world: t_s,x0,y0,x1,y1,tile a line; meshes and volumes: "
                    "t_s,add|remove,id,x0,y0,z0,x1,y1,z1; "
                    "roadmaps: t_s,close|open,from,to,one_way");
    sub->add_flag("--no-avoid", plan.no_avoid, "Units go through each other");
    sub->add_option("--threads", command->threads,
                    "How many threads; the tracks do not depend on it (default 1)");
    sub->add_option("-o", command->out, "Where the tracks go, one JSON object a line; - is standard output")
        ->required();
    sub->add_option("--record", command->record, "Write down what `replay` needs to do the same again");
    sub->add_flag("--json", command->json, "Tell the end as the tracks' last line does");
    sub->callback([command, &status] {
        command->run();
        status = kDone;
    });
}

void add_replay(CLI::App& app, int& status) {
    CLI::App* sub =
        app.add_subcommand("replay", "Play a recorded simulation again; status 1: it went another way");
    const auto command = std::make_shared<ReplayCommand>();
    sub->add_option("RUN", command->path, "What `sim --record` wrote")->required();
    sub->add_option("--threads", command->threads, "How many threads (default 1)");
    sub->add_option("--every", command->every, "With -o: write every so many ticks (default 1)");
    sub->add_option("-o", command->out, "Also write the tracks; - is standard output");
    sub->callback([command, &status] { status = command->run(); });
}

}  // namespace fairlead::cli
