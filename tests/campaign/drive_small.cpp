// Turning units on random maps of 24 x 24 cells: how much of what a fine oracle solves the default planner solves too, and
// how much longer its routes are. Routes are judged by verify and by the dense sampler.
//
//     drive_small [--from 0] [--to 2000] [--headings 8] [--stretch 1.05] [--planner weighted|lattice] [--csv FILE]
//     drive_small --case N [--svg FILE]
//
// --case N: one case; map, poses and both answers are printed. "extra" counts what the search solves and the oracle does
// not: the box fits exactly between walls one cell apart, and the oracle keeps 2e-4 away from them. Everything of a
// case follows from its number. Status 0: nothing illegal, at least 99.5 % solved, and at most 3 % above the oracle in
// the mean.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include <fairlead/bridge/grid_drive.h>
#include <fairlead/debug/draw.h>
#include <fairlead/debug/svg.h>
#include <fairlead/verify/verify.h>

#include "campaign/flags.h"
#include "measure/clock.h"
#include "oracle/fine_oracle.h"
#include "oracle/pose_sampler.h"
#include "support/bodies.h"
#include "support/drive_worlds.h"

using namespace fairlead;
using namespace fairlead::testing;

namespace {

struct Options {
    std::map<std::uint64_t, oracle::FineAnswer> known;
    std::uint64_t from = 0;
    std::uint64_t to = 2000;
    bool one = false;
    GridDriveSetup setup{};
    DrivePlanner planner = DrivePlanner::weighted;
    std::string csv;
    std::string svg;
};

// The oracle's answers from the --csv of an earlier run: it takes most of the time.
bool read_known(const char* path, Options& options) {
    std::ifstream in(path);
    std::string line;
    while (std::getline(in, line)) {
        std::vector<std::string> cell(1);
        for (const char c : line) {
            if (c == ',') {
                cell.emplace_back();
            } else {
                cell.back() += c;
            }
        }
        if (cell.size() != 13 || cell[0] == "case") continue;
        oracle::FineAnswer& answer = options.known[std::strtoull(cell[0].c_str(), nullptr, 10)];
        answer.reachable = cell[9] == "1";
        answer.cost = std::strtod(cell[10].c_str(), nullptr);
        answer.cost_found = std::strtod(cell[11].c_str(), nullptr);
    }
    return !options.known.empty();
}

bool read_options(int count, char** words, Options& options) {
    const auto take = [&](const std::string& flag, const char* value) {
        if (flag == "--from") {
            options.from = std::strtoull(value, nullptr, 10);
        } else if (flag == "--to") {
            options.to = std::strtoull(value, nullptr, 10);
        } else if (flag == "--case") {
            options.from = std::strtoull(value, nullptr, 10);
            options.to = options.from + 1;
            options.one = true;
        } else if (flag == "--headings") {
            options.setup.headings = std::atoi(value);
        } else if (flag == "--stretch") {
            options.setup.stretch = std::atof(value);
        } else if (flag == "--nodes") {
            options.setup.nodes = static_cast<DriveNodes>(std::atoi(value));
        } else if (flag == "--known") {
            if (!read_known(value, options)) return false;
        } else if (flag == "--planner") {
            options.planner =
                std::strcmp(value, "lattice") == 0 ? DrivePlanner::lattice : DrivePlanner::weighted;
        } else if (flag == "--svg") {
            options.svg = value;
        } else if (flag == "--csv") {
            options.csv = value;
        } else {
            return false;
        }
        return true;
    };
    return fairlead::testing::read_flags(count, words, take);
}

struct Case {
    MapStyle style = MapStyle::scattered;
    const char* body = "";
    bool on_lattice = false;
    bool drawn = false;  ///< false: no room for the body
    oracle::PoseMap map;
    DriveQuery query{};
};

Case make_case(std::uint64_t number, DrivePlanner planner) {
    Rng rng(0x5eed0000 + number * 7919);
    Case out;
    out.style = static_cast<MapStyle>(number % static_cast<std::uint64_t>(MapStyle::count_));
    DriveQuery& query = out.query;
    Agent& agent = query.agent;
    switch (rng.below(3)) {
        case 0:
            out.body = "disc 0.45";
            agent.radius = 0.45;
            break;
        case 1:
            out.body = "disc 0.95";
            agent.radius = 0.95;
            break;
        default:
            out.body = "box 2x1";
            agent = box_body(2.0, 1.0, 0.4);
            break;
    }
    agent.turning_radius = rng.between(1, 3);
    agent.can_reverse = rng.below(2) == 0;
    out.on_lattice = rng.below(2) == 0;
    query.planner = planner;
    // A style may leave a large body no place: then another map.
    for (int i = 0; i < 20 && !out.drawn; ++i) {
        out.map = random_drive_map(rng, out.style, 24, 24);
        out.drawn = random_free_pose(rng, out.map, agent, out.on_lattice, query.start) &&
                    random_free_pose(rng, out.map, agent, out.on_lattice, query.goal.at);
    }
    return out;
}

struct Outcome {
    PathStatus status = PathStatus::unreachable;
    bool illegal = false;
    double cost = 0.0;
    double us = 0.0;
    double fine_ms = 0.0;
    Route route;
    oracle::FineAnswer fine;
    [[nodiscard]] bool solved() const { return status == PathStatus::complete; }
    [[nodiscard]] double ratio() const { return fine.cost > 0.0 ? cost / fine.cost : 1.0; }
};

void judge(const Case& c, const Grid& grid, std::uint64_t number, Outcome& out) {
    const Violation bad = verify(out.route, grid, c.query.agent);
    const oracle::PoseFinding found = sample_route(
        out.route, c.map, c.query.agent, {.start = c.query.start.pose(), .goal = c.query.goal.at.pose()});
    out.illegal = static_cast<bool>(bad) || static_cast<bool>(found);
    if (!out.illegal) return;
    std::printf("case %llu: verify: %s; sampler: %s leg %zu by %g\n", static_cast<unsigned long long>(number),
                bad.text().c_str(), fault_name(found.fault), found.leg, found.amount);
}

Outcome run_case(const Case& c, const Options& options, std::uint64_t number, Scratch& scratch) {
    Outcome out;
    const Grid grid = grid_of(c.map);
    // The first call makes the table and the map.
    (void)find_route_into(grid, c.query, scratch, out.route, options.setup);
    std::uint64_t before = measure::thread_ns();
    const Result<void> done = find_route_into(grid, c.query, scratch, out.route, options.setup);
    out.us = static_cast<double>(measure::thread_ns() - before) / 1e3;
    out.status = done ? out.route.status : PathStatus::count_;
    if (out.solved()) judge(c, grid, number, out);
    out.cost = oracle::drive_cost(out.route, c.query.reverse_penalty, c.query.cusp_penalty);
    before = measure::thread_ns();
    if (const auto known = options.known.find(number); known != options.known.end()) {
        out.fine.reachable = known->second.reachable;
        out.fine.cost = known->second.cost;
        out.fine.cost_found = known->second.cost_found;
        return out;
    }
    out.fine = oracle::find_fine(
        c.map, c.query.agent,
        {c.query.start.pose(), c.query.goal.at.pose(), c.query.reverse_penalty, c.query.cusp_penalty});
    out.fine_ms = static_cast<double>(measure::thread_ns() - before) / 1e6;
    return out;
}

struct Row {
    std::size_t cases = 0;
    std::size_t fine = 0;   // solved by the oracle
    std::size_t both = 0;   // of these, by the planner
    std::size_t extra = 0;  // by the planner alone
    double cost = 0.0;      // of both
    double fine_cost = 0.0;
    std::vector<double> ratios;

    void add(const Outcome& out) {
        ++cases;
        if (out.solved() && !out.fine.reachable) ++extra;
        if (!out.fine.reachable) return;
        ++fine;
        if (!out.solved()) return;
        ++both;
        cost += out.cost;
        fine_cost += out.fine.cost;
        ratios.push_back(out.ratio());
    }
    [[nodiscard]] double share() const { return fine == 0 ? 100.0 : 100.0 * double(both) / double(fine); }
    [[nodiscard]] double mean() const {
        double sum = 0.0;
        for (const double r : ratios) sum += r - 1.0;
        return ratios.empty() ? 0.0 : 100.0 * sum / double(ratios.size());
    }
};

void print_row(const std::string& name, Row& row) {
    std::sort(row.ratios.begin(), row.ratios.end());
    const auto at = [&](double q) {
        if (row.ratios.empty()) return 0.0;
        return 100.0 * (row.ratios[static_cast<std::size_t>(q * double(row.ratios.size() - 1))] - 1.0);
    };
    const double sum = row.fine_cost > 0.0 ? 100.0 * (row.cost / row.fine_cost - 1.0) : 0.0;
    std::printf("%-18s %6zu %6zu %6zu %7.2f %6zu %+8.2f %+8.2f %+8.2f %+8.2f %+8.2f\n", name.c_str(),
                row.cases, row.fine, row.both, row.share(), row.extra, row.mean(), sum, at(0.0), at(0.5),
                at(0.99));
}

void draw_case(const Case& c, const Outcome& out, const std::string& name) {
    const Grid grid = grid_of(c.map);
    debug::SvgWriter svg({.bounds = debug::world_bounds(grid.state()), .title = "drive_small"});
    debug::draw(grid.state(), svg.sink());
    debug::draw(out.fine.route, c.query.agent, svg.sink(),
                {.color = debug::rgb(0x2060c0), .dash = 4.0, .body = false, .headings = true});
    if (out.solved()) debug::draw(out.route, c.query.agent, svg.sink(), {.headings = true});
    const Result<std::span<const char>> text = svg.finish();
    if (!text) return;
    std::ofstream(name, std::ios::binary).write(text->data(), static_cast<std::streamsize>(text->size()));
}

void print_legs(const Route& route) {
    for (const Leg& leg : route.legs) {
        std::printf("  %8.4f %8.4f heading %8.4f %s %8.4f curvature %8.4f\n", leg.start.position.x,
                    leg.start.position.y, leg.start.heading_rad, gear_name(leg.gear), leg.length,
                    leg.curvature);
    }
}

void show(const Case& c, const Outcome& out) {
    print_drive_map(c.map, c.query.start.pose(), c.query.goal.at.pose());
    std::printf("%s, turning radius %g, %s, poses %s\n", c.body, c.query.agent.turning_radius,
                c.query.agent.can_reverse ? "with reverse" : "forward only",
                c.on_lattice ? "on the lattice" : "anywhere");
    std::printf("planner: %s, cost %.6f (its own figure %.6f), length %.6f\n",
                out.status == PathStatus::count_ ? "error" : status_name(out.status), out.cost,
                out.route.cost, out.route.length);
    print_legs(out.route);
    std::printf("oracle: %s%s, cost %.6f (%.6f before tightening), length %.6f, %llu opened, %.0f ms\n",
                out.fine.reachable ? "reachable" : "no way", out.fine.doubtful ? ", doubtful" : "",
                out.fine.cost, out.fine.cost_found, out.fine.length,
                static_cast<unsigned long long>(out.fine.opened), out.fine_ms);
    print_legs(out.fine.route);
}

struct Tables {
    Row all;
    std::map<std::string, Row> rows;
    std::vector<std::uint64_t> failed;
    std::vector<std::pair<double, std::uint64_t>> longest;
    std::size_t illegal = 0;
    std::size_t doubtful = 0;
    double fine_ms = 0.0;

    void add(const Case& c, const Outcome& out, std::uint64_t number) {
        const Agent& agent = c.query.agent;
        const std::string gears = agent.can_reverse ? "reverse" : "forward";
        all.add(out);
        rows[std::string("1 ") + gears].add(out);
        rows[std::string("2 ") + style_name(c.style)].add(out);
        rows[std::string("3 ") + c.body].add(out);
        rows["4 radius " + std::to_string(static_cast<int>(agent.turning_radius))].add(out);
        rows[c.on_lattice ? "5 on lattice" : "5 anywhere"].add(out);
        illegal += out.illegal ? 1 : 0;
        doubtful += out.fine.doubtful ? 1 : 0;
        fine_ms += out.fine_ms;
        if (!out.fine.reachable) return;
        if (!out.solved())
            failed.push_back(number);
        else
            longest.emplace_back(out.ratio(), number);
    }

    bool print() {
        std::printf("%-18s %6s %6s %6s %7s %6s %8s %8s %8s %8s %8s\n", "", "cases", "oracle", "both", "%",
                    "extra", "mean %", "sum %", "least %", "median %", "p99 %");
        print_row("all", all);
        for (auto& [name, row] : rows) print_row(name.substr(2), row);
        std::printf("not solved:");
        for (const std::uint64_t n : failed) std::printf(" %llu", static_cast<unsigned long long>(n));
        std::sort(longest.rbegin(), longest.rend());
        std::printf("\nlongest:");
        for (std::size_t i = 0; i < std::min<std::size_t>(10, longest.size()); ++i) {
            std::printf(" %llu (%+.1f %%)", static_cast<unsigned long long>(longest[i].second),
                        100.0 * (longest[i].first - 1.0));
        }
        std::printf("\nillegal %zu, oracle doubtful %zu, oracle %.1f ms a case\n", illegal, doubtful,
                    fine_ms / double(std::max<std::size_t>(1, all.cases)));
        return illegal == 0 && all.share() >= 99.5 && all.mean() <= 3.0;
    }
};

void write_line(std::ofstream& csv, std::uint64_t number, const Case& c, const Outcome& out) {
    csv << number << ',' << style_name(c.style) << ',' << c.body << ',' << c.query.agent.turning_radius << ','
        << (c.query.agent.can_reverse ? 1 : 0) << ',' << (c.on_lattice ? 1 : 0) << ','
        << (out.solved() ? 1 : 0) << ',' << out.cost << ',' << out.us << ',' << (out.fine.reachable ? 1 : 0)
        << ',' << out.fine.cost << ',' << out.fine.cost_found << ',' << out.fine_ms << std::endl;
}

}  // namespace

int main(int count, char** words) {
    Options options;
    if (!read_options(count, words, options)) {
        std::fprintf(stderr,
                     "drive_small [--from N] [--to N] [--case N] [--headings N] [--stretch X] "
                     "[--planner weighted|lattice] [--nodes 0-3] [--known CSV] [--csv FILE] [--svg FILE]\n");
        return 2;
    }
    std::ofstream csv;
    if (!options.csv.empty()) {
        csv.open(options.csv);
        csv << "case,style,body,radius,reverse,on_lattice,solved,cost,us,fine,fine_cost,fine_found,fine_ms\n";
    }
    Scratch scratch;
    Tables tables;
    for (std::uint64_t number = options.from; number < options.to; ++number) {
        const Case c = make_case(number, options.planner);
        if (!c.drawn) continue;
        const Outcome out = run_case(c, options, number, scratch);
        if (options.one) show(c, out);
        if (options.one && !options.svg.empty()) draw_case(c, out, options.svg);
        if (csv.is_open()) write_line(csv, number, c, out);
        tables.add(c, out, number);
    }
    return tables.print() ? 0 : 1;
}
