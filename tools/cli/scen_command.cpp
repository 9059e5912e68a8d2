// fairlead scen: the queries of a published scenario, against the published lengths and the exact checker.

#include <algorithm>
#include <memory>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <fairlead/formats/file.h>
#include <fairlead/formats/number.h>

#include "cli/commands.h"
#include "cli/failure.h"
#include "cli/planner.h"
#include "cli/progress.h"
#include "cli/scen_volume.h"
#include "cli/scen_world.h"
#include "cli/unit.h"
#include "cli/volume_world.h"
#include "cli/world.h"

namespace fairlead::cli {

namespace {

struct ScenCommand {
    std::string map;
    std::string scen;
    PlannerFlags planner;
    LaterFlags later;
    int repeat = 1;
    bool csv = false;
    bool json = false;

    int run() const;
    template <class World>
    int run(World& world) const;
};

struct ScenRow {
    double length = formats::kNoRoute;
    std::uint64_t expanded = 0;
    std::uint64_t ns_total = UINT64_MAX;
    std::uint64_t ns_preprocess = UINT64_MAX;
    bool legal = false;
    bool agrees = false;
    double ratio = 0;  ///< of the length to the published one; 0: there is none
};

struct ScenSummary {
    std::string planner;
    std::size_t queries = 0;
    std::size_t wrong = 0;
    std::size_t illegal = 0;
    double mean_ns = 0;
    std::uint64_t median_ns = 0;
    std::uint64_t p99_ns = 0;
    std::size_t index_bytes = 0;  ///< what making the world and its edits keep beyond what the file says
    double amortised_ns = 0;      ///< mean with the preprocessing shared out
    std::uint64_t make_ns = 0;    ///< making the world
    std::size_t bytes = 0;        ///< everything
    const char* bytes_name = "";
    bool has_ratios = false;
    double ratio_mean = 0;  ///< of lengths to the published ones
    double ratio_max = 0;
};

/// All queries once. The first pass judges the routes; each keeps the smallest times.
template <class World>
void run_pass(World& world, bool first, std::vector<ScenRow>& rows, std::uint64_t& make_ns,
              Progress& progress, std::uint64_t done) {
    Scratch scratch;
    Route route;
    const std::uint64_t made = world.restart();
    make_ns = std::min(make_ns, made);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        ScenRow& row = rows[i];
        const std::uint64_t ns_preprocess = world.advance(i) + (i == 0 ? made : 0);
        if (i == 0) (void)world.search(i, scratch, route);  // the scratch grows here
        row.ns_total = std::min(row.ns_total, world.search(i, scratch, route));
        row.ns_preprocess = std::min(row.ns_preprocess, ns_preprocess);
        if (first) {
            if (route.status == PathStatus::complete) row.length = world.length(route);
            row.expanded = route.stats.expanded;
            row.legal = world.is_legal(route);
            row.agrees = world.agrees(i, route, row.length);
            if (row.length > 0 && world.optimal(i) > 0) row.ratio = row.length / world.optimal(i);
        }
        progress.at(done + i + 1);
    }
}

ScenSummary summarise(const std::vector<ScenRow>& rows) {
    ScenSummary sum;
    sum.queries = rows.size();
    std::vector<std::uint64_t> times;
    double total = 0;
    double preprocess = 0;
    double ratios = 0;
    for (const ScenRow& row : rows) {
        if (row.ratio > 0) sum.ratio_mean += (row.ratio - sum.ratio_mean) / ++ratios;
        sum.ratio_max = std::max(sum.ratio_max, row.ratio);
        sum.wrong += row.agrees ? 0 : 1;
        sum.illegal += row.legal ? 0 : 1;
        total += static_cast<double>(row.ns_total);
        preprocess += static_cast<double>(row.ns_preprocess);
        times.push_back(row.ns_total);
    }
    if (rows.empty()) return sum;
    std::sort(times.begin(), times.end());
    const double n = static_cast<double>(rows.size());
    sum.mean_ns = total / n;
    sum.amortised_ns = (total + preprocess) / n;
    sum.median_ns = times[times.size() / 2];
    sum.p99_ns = times[std::min(times.size() - 1, times.size() * 99 / 100)];
    return sum;
}

template <class World>
void print_csv(const World& world, const std::vector<ScenRow>& rows) {
    fmt::print("index,{},optimal,length,expanded,ns_total,ns_preprocess,legal\n", World::kColumns);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const ScenRow& row = rows[i];
        std::string line = fmt::format("{},{},", i, world.places(i));
        formats::append_fixed(line, world.optimal(i), world.decimals(i));
        line += ',';
        formats::append_number(line, row.length);
        fmt::print("{},{},{},{},{}\n", line, row.expanded, row.ns_total, row.ns_preprocess,
                   row.legal ? 1 : 0);
    }
}

/// For people: each query that failed.
template <class World>
void print_faults(const std::string& scen, const World& world, const std::vector<ScenRow>& rows) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (!rows[i].agrees) {
            std::string lengths;
            formats::append_number(lengths, rows[i].length);
            lengths += ", published ";
            formats::append_fixed(lengths, world.optimal(i), world.decimals(i));
            fmt::print("{}:{}: query {}: length {}\n", scen, world.line(i), i, lengths);
        }
        if (!rows[i].legal) fmt::print("{}:{}: query {}: the route is not legal\n", scen, world.line(i), i);
    }
}

void print_text(const ScenSummary& sum) {
    fmt::print("planner          {}\nqueries          {}\nwrong lengths    {}\nillegal routes   {}\n",
               sum.planner, sum.queries, sum.wrong, sum.illegal);
    if (sum.has_ratios)
        fmt::print("length / published     mean {:.4f}, largest {:.4f}\n", sum.ratio_mean, sum.ratio_max);
    fmt::print("mean / median / p99    {:.1f} / {:.1f} / {:.1f} us a query\n", sum.mean_ns / 1e3,
               static_cast<double>(sum.median_ns) / 1e3, static_cast<double>(sum.p99_ns) / 1e3);
    fmt::print("with preprocessing     {:.1f} us a query; making the world {:.1f} us\n",
               sum.amortised_ns / 1e3, static_cast<double>(sum.make_ns) / 1e3);
    fmt::print("bytes of index         {} of {}\n", sum.index_bytes, sum.bytes);
}

void print_json(const ScenSummary& sum) {
    nlohmann::ordered_json line{
        {"planner", sum.planner},        {"queries", sum.queries},         {"wrong_lengths", sum.wrong},
        {"illegal_routes", sum.illegal}, {"mean_ns", sum.mean_ns},         {"median_ns", sum.median_ns},
        {"p99_ns", sum.p99_ns},          {"index_bytes", sum.index_bytes}, {"amortised_ns", sum.amortised_ns},
        {"make_ns", sum.make_ns},        {sum.bytes_name, sum.bytes}};
    if (sum.has_ratios) {
        line["ratio_mean"] = sum.ratio_mean;
        line["ratio_max"] = sum.ratio_max;
    }
    fmt::print("{}\n", line.dump());
}

int ScenCommand::run() const {
    later.refuse();
    if (repeat < 1) fail(fmt::format("--repeat: {} is not 1 or more", repeat));
    if (formats::sniff_kind(read_file(scen)) == formats::FileKind::scenario_3d) {
        VolumeQuery plain = volume_query({}, planner);
        if (plain.planner != VolumePlanner::any_angle) plain.smooth = false;  // as it was published
        ScenVolume world{map, scen, plain};
        return run(world);
    }
    ScenWorld world{map, scen, planner.query()};
    return run(world);
}

template <class World>
int ScenCommand::run(World& world) const {
    const std::size_t count = world.queries();
    std::vector<ScenRow> rows(count);
    std::uint64_t make_ns = UINT64_MAX;
    {
        Progress progress{"scen", count * static_cast<std::size_t>(repeat)};
        for (int pass = 0; pass < repeat; ++pass)
            run_pass(world, pass == 0, rows, make_ns, progress, count * static_cast<std::size_t>(pass));
    }
    ScenSummary sum = summarise(rows);
    sum.planner = planner.name();
    sum.make_ns = make_ns;
    sum.bytes = world.bytes();
    sum.bytes_name = World::kBytesName;
    sum.has_ratios = World::kHasRatios;
    sum.index_bytes = world.index_bytes();
    if (csv) {
        print_csv(world, rows);
        std::fflush(stdout);
        fmt::print(stderr, "{},{},{},{},{:.1f},{},{},{},{:.1f}\n", sum.planner, sum.queries, sum.wrong,
                   sum.illegal, sum.mean_ns, sum.median_ns, sum.p99_ns, sum.index_bytes, sum.amortised_ns);
    } else if (json) {
        print_json(sum);
    } else {
        print_faults(scen, world, rows);
        print_text(sum);
    }
    return sum.wrong == 0 && sum.illegal == 0 ? kDone : kCheckFailed;
}

}  // namespace

void add_scen(CLI::App& app, int& status) {
    CLI::App* sub = app.add_subcommand(
        "scen", "Run a published scenario; status 1 if a length is wrong or a route illegal");
    const auto command = std::make_shared<ScenCommand>();
    sub->add_option(
           "MAP", command->map,
           "The scenario's .map or .3dmap; for version 2 its patch file, or - for the one that it names")
        ->required();
    sub->add_option("SCEN", command->scen, "A MovingAI .scen file, version 1 or 2, or a .3dscen file")
        ->required();
    sub->add_option("--repeat", command->repeat,
                    "Run everything so often and keep each query's smallest time");
    CLI::Option* csv =
        sub->add_flag("--csv", command->csv, "A row a query, the summary row on standard error");
    sub->add_flag("--json", command->json, "The summary as JSON")->excludes(csv);
    command->later.add(*sub, "--index", "there are no prepared tables to load");
    command->planner.add(*sub, false);
    sub->callback([command, &status] { status = command->run(); });
}

}  // namespace fairlead::cli
