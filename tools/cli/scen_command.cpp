// fairlead scen: the queries of a published scenario, against the published lengths and the exact checker.

#include <algorithm>
#include <memory>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <fairlead/formats/number.h>
#include <fairlead/verify/verify.h>

#include "cli/commands.h"
#include "cli/failure.h"
#include "cli/planner.h"
#include "cli/progress.h"
#include "cli/scen_world.h"
#include "cli/solve.h"
#include "cli/unit.h"

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
};

struct ScenRow {
    double length = formats::kNoRoute;
    std::uint64_t expanded = 0;
    std::uint64_t ns_total = UINT64_MAX;
    std::uint64_t ns_preprocess = UINT64_MAX;
    bool legal = false;
    bool agrees = false;
};

struct ScenSummary {
    std::string planner;
    std::size_t queries = 0;
    std::size_t wrong = 0;
    std::size_t illegal = 0;
    double mean_ns = 0;
    std::uint64_t median_ns = 0;
    std::uint64_t p99_ns = 0;
    std::size_t index_bytes = 0;  ///< what Grid::make and the edits keep beyond the tiles
    double amortised_ns = 0;      ///< mean with the preprocessing shared out
    std::uint64_t make_ns = 0;    ///< Grid::make
    std::size_t grid_bytes = 0;   ///< everything
};

double length_of(const Route& route) {
    return route.status == PathStatus::complete ? route.length : formats::kNoRoute;
}

/// All queries once. The first pass judges the routes; each keeps the smallest times.
void run_pass(ScenWorld& world, const GridQuery& plain, bool first, std::vector<ScenRow>& rows,
              std::uint64_t& make_ns, std::string& planner, Progress& progress, std::uint64_t done) {
    const formats::Scenario& scenario = world.scenario();
    Scratch scratch;
    Route route;
    const std::uint64_t made = world.restart();
    make_ns = std::min(make_ns, made);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const formats::ScenarioQuery& asked = scenario.queries[i];
        ScenRow& row = rows[i];
        const std::uint64_t ns_preprocess = world.advance(i) + (i == 0 ? made : 0);
        GridQuery query = plain;
        query.start = world.grid().cell_centre(asked.start);
        query.goal = world.grid().cell_centre(asked.goal);
        if (i == 0) (void)timed_search(world.grid(), query, scratch, route);  // the scratch grows here
        const Result<std::uint64_t> ns = timed_search(world.grid(), query, scratch, route);
        if (!ns) fail_at(fmt::format("the query of line {}", asked.line), query_error_text(ns.error()));
        row.ns_total = std::min(row.ns_total, *ns);
        row.ns_preprocess = std::min(row.ns_preprocess, ns_preprocess);
        if (first) {
            row.length = length_of(route);
            row.expanded = route.stats.expanded;
            row.legal = !verify(route, world.grid(), query.agent);
            row.agrees = formats::length_agrees(scenario, asked, row.length);
            if (planner.empty() && route.planner[0] != '\0') planner = route.planner;
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
    for (const ScenRow& row : rows) {
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

std::string csv_line(std::size_t i, const formats::ScenarioQuery& query, const ScenRow& row) {
    std::string line = fmt::format("{},{},{},{},{},{},", i, query.bucket, query.start.x, query.start.y,
                                   query.goal.x, query.goal.y);
    formats::append_fixed(line, query.optimal, query.decimals);
    line += ',';
    formats::append_number(line, row.length);
    line += fmt::format(",{},{},{},{}\n", row.expanded, row.ns_total, row.ns_preprocess, row.legal ? 1 : 0);
    return line;
}

void print_csv(const formats::Scenario& scenario, const std::vector<ScenRow>& rows) {
    fmt::print("index,bucket,sx,sy,gx,gy,optimal,length,expanded,ns_total,ns_preprocess,legal\n");
    for (std::size_t i = 0; i < rows.size(); ++i) fmt::print("{}", csv_line(i, scenario.queries[i], rows[i]));
}

/// For people: each query that failed, then the figures.
void print_text(const std::string& scen, const formats::Scenario& scenario, const std::vector<ScenRow>& rows,
                const ScenSummary& sum) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const formats::ScenarioQuery& query = scenario.queries[i];
        if (!rows[i].agrees) {
            std::string lengths;
            formats::append_number(lengths, rows[i].length);
            lengths += ", published ";
            formats::append_fixed(lengths, query.optimal, query.decimals);
            fmt::print("{}:{}: query {}: length {}\n", scen, query.line, i, lengths);
        }
        if (!rows[i].legal) fmt::print("{}:{}: query {}: the route is not legal\n", scen, query.line, i);
    }
    fmt::print("planner          {}\nqueries          {}\nwrong lengths    {}\nillegal routes   {}\n",
               sum.planner, sum.queries, sum.wrong, sum.illegal);
    fmt::print("mean / median / p99    {:.1f} / {:.1f} / {:.1f} us a query\n", sum.mean_ns / 1e3,
               static_cast<double>(sum.median_ns) / 1e3, static_cast<double>(sum.p99_ns) / 1e3);
    fmt::print("with preprocessing     {:.1f} us a query; making the world {:.1f} us\n",
               sum.amortised_ns / 1e3, static_cast<double>(sum.make_ns) / 1e3);
    fmt::print("bytes of index         {} of {}\n", sum.index_bytes, sum.grid_bytes);
}

void print_json(const ScenSummary& sum) {
    const nlohmann::ordered_json line{
        {"planner", sum.planner},        {"queries", sum.queries},         {"wrong_lengths", sum.wrong},
        {"illegal_routes", sum.illegal}, {"mean_ns", sum.mean_ns},         {"median_ns", sum.median_ns},
        {"p99_ns", sum.p99_ns},          {"index_bytes", sum.index_bytes}, {"amortised_ns", sum.amortised_ns},
        {"make_ns", sum.make_ns},        {"grid_bytes", sum.grid_bytes}};
    fmt::print("{}\n", line.dump());
}

int ScenCommand::run() const {
    later.refuse();
    if (repeat < 1) fail(fmt::format("--repeat: {} is not 1 or more", repeat));
    const GridQuery plain = planner.query();
    ScenWorld world{map, scen, plain.corner};
    const std::size_t count = world.scenario().queries.size();
    std::vector<ScenRow> rows(count);
    std::uint64_t make_ns = UINT64_MAX;
    std::string used;
    {
        Progress progress{"scen", count * static_cast<std::size_t>(repeat)};
        for (int pass = 0; pass < repeat; ++pass) {
            run_pass(world, plain, pass == 0, rows, make_ns, used, progress,
                     count * static_cast<std::size_t>(pass));
        }
    }
    ScenSummary sum = summarise(rows);
    sum.planner = planner.name();
    sum.make_ns = make_ns;
    const GridMemory memory = world.grid().memory();
    sum.grid_bytes = memory.total();
    sum.index_bytes = memory.clearance + memory.sizes + memory.connectivity;
    if (csv) {
        print_csv(world.scenario(), rows);
        std::fflush(stdout);
        fmt::print(stderr, "{},{},{},{},{:.1f},{},{},{},{:.1f}\n", sum.planner, sum.queries, sum.wrong,
                   sum.illegal, sum.mean_ns, sum.median_ns, sum.p99_ns, sum.index_bytes, sum.amortised_ns);
    } else if (json) {
        print_json(sum);
    } else {
        print_text(scen, world.scenario(), rows, sum);
    }
    return sum.wrong == 0 && sum.illegal == 0 ? kDone : kCheckFailed;
}

}  // namespace

void add_scen(CLI::App& app, int& status) {
    CLI::App* sub = app.add_subcommand(
        "scen", "Run a published scenario; status 1 if a length is wrong or a route illegal");
    const auto command = std::make_shared<ScenCommand>();
    sub->add_option("MAP", command->map,
                    "The scenario's .map; for version 2 its patch file, or - for the one that it names")
        ->required();
    sub->add_option("SCEN", command->scen, "A MovingAI .scen file, version 1 or 2")->required();
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
