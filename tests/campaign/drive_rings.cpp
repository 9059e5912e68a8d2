// The article's Directional-8, -24, -48 and -80 (rings 1 to 4, technique D6) on random maps of 24 x 24 cells beside a fine oracle: of the
// queries that have a way, how many does each ring solve? Poses are those of the lattice, units discs of 0.4 cells that only go
// forward, and each ring is the pure lattice: no curves to the goal. Beside them the default table and planner.
//
//     drive_rings [--from 0] [--to 1000]
//
// Case N follows from its number: the turning radius is 1, 1.5, 2 or 3 cells, the map one of four kinds. A way that only a ring finds
// and the oracle does not counts as one that there is. Status 1: an answer is not legal, or a ring does not solve what a smaller one
// solves.

#include <cstdio>
#include <cstdlib>
#include <vector>

#include <fairlead/bridge/grid_drive.h>
#include <fairlead/verify/verify.h>

#include "campaign/flags.h"
#include "oracle/fine_oracle.h"
#include "support/drive_worlds.h"

using namespace fairlead;
using namespace fairlead::testing;

namespace {

constexpr double kRadii[] = {1.0, 1.5, 2.0, 3.0};
constexpr std::int32_t kRings[] = {1, 2, 3, 4, 0};  // 0: the default table
constexpr const char* kNames[] = {"Directional-8", "Directional-24", "Directional-48", "Directional-80",
                                  "default"};
constexpr std::size_t kTables = 5;
constexpr std::int32_t kSide = 24;

Agent unit_of(double radius) { return {.radius = 0.4, .turning_radius = radius}; }

struct Row {
    std::size_t ways = 0;
    std::size_t solved[kTables]{};

    void add(const Row& other) {
        ways += other.ways;
        for (std::size_t t = 0; t < kTables; ++t) solved[t] += other.solved[t];
    }
    void print(const char* name) const {
        std::printf("| %s | %zu |", name, ways);
        for (const std::size_t count : solved)
            std::printf(" %.1f |",
                        100.0 * static_cast<double>(count) / static_cast<double>(ways > 0 ? ways : 1));
        std::printf("\n");
    }
};

class Campaign {
  public:
    Campaign() {
        for (const double radius : kRadii) {
            for (const std::int32_t rings : kRings) {
                Result<DriveTable> table =
                    DriveTable::make({.agent = unit_of(radius), .headings = 8, .rings = rings});
                if (!table) std::exit(1);
                tables_.push_back(std::move(*table));
            }
        }
    }

    void ask(std::uint64_t number) {
        const std::size_t which = number % std::size(kRadii);
        Rng rng(1000 + number);
        const auto style =
            static_cast<MapStyle>(number / std::size(kRadii) % static_cast<std::uint64_t>(MapStyle::count_));
        const oracle::PoseMap map = random_drive_map(rng, style, kSide, kSide);
        const Agent agent = unit_of(kRadii[which]);
        Pose start;
        Pose goal;
        if (!random_free_pose(rng, map, agent, true, start) || !random_free_pose(rng, map, agent, true, goal))
            return;
        const Grid grid = grid_of(map);
        bool solved[kTables]{};
        bool any = false;
        for (std::size_t t = 0; t < kTables; ++t) {
            solved[t] = solve(number, grid, tables_[which * kTables + t], {.start = start, .goal = goal},
                              kRings[t] == 0);
            any = any || solved[t];
            if (t > 0 && kRings[t] != 0 && solved[t - 1] && !solved[t])
                report(number, kNames[t], "solves less");
        }
        ++asked_;
        if (!any && !oracle::find_fine(map, agent, {start, goal}).reachable) return;
        Row& row = rows_[which];
        ++row.ways;
        for (std::size_t t = 0; t < kTables; ++t) row.solved[t] += solved[t] ? 1 : 0;
    }

    bool done() const {
        std::printf("%zu queries\n| turning radius | with a way |", asked_);
        for (const char* name : kNames) std::printf(" %s, %% |", name);
        std::printf("\n|--:|--:|--:|--:|--:|--:|--:|\n");
        Row all;
        for (std::size_t i = 0; i < std::size(kRadii); ++i) {
            char name[16];
            std::snprintf(name, sizeof name, "%.1f", kRadii[i]);
            rows_[i].print(name);
            all.add(rows_[i]);
        }
        all.print("all");
        return bad_ == 0;
    }

  private:
    bool solve(std::uint64_t number, const Grid& grid, const DriveTable& table, DriveQuery query,
               bool plain) {
        const Result<DriveMap> map = make_drive_map(grid, table);
        if (!map) return report(number, "map", "not made"), false;
        if (!plain) {
            query.planner = DrivePlanner::lattice;
            query.goal_curves = query.smooth = false;
        }
        const Result<Route> way = find_route(*map, query, scratch_);
        if (!way) return report(number, "route", "an error"), false;
        if (verify(*way, grid, table.options().agent)) report(number, "route", "not legal");
        return way->status == PathStatus::complete;
    }
    void report(std::uint64_t number, const char* what, const char* text) {
        std::printf("case %llu: %s: %s\n", static_cast<unsigned long long>(number), what, text);
        ++bad_;
    }

    std::vector<DriveTable> tables_;
    Scratch scratch_;
    Row rows_[std::size(kRadii)]{};
    std::size_t asked_ = 0;
    std::size_t bad_ = 0;
};

}  // namespace

int main(int count, char** words) {
    std::uint64_t from = 0;
    std::uint64_t to = 1000;
    const auto take = [&](const std::string& flag, const char* value) {
        if (flag != "--from" && flag != "--to") return false;
        (flag == "--from" ? from : to) = std::strtoull(value, nullptr, 10);
        return true;
    };
    if (!read_flags(count, words, take)) {
        std::fprintf(stderr, "drive_rings [--from N] [--to N]\n");
        return 2;
    }
    Campaign campaign;
    for (std::uint64_t number = from; number < to; ++number) campaign.ask(number);
    return campaign.done() ? 0 : 1;
}
