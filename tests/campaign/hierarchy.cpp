// The hierarchy of random maps: queries beside the flat search, those of maps with many portals put in every way, and random edits
// compared with a fresh build.
//
//     hierarchy [--edits 100000] [--every 1000] [--maps 2000] [--portals 1000] [--seed 1]

#include <cstdio>
#include <cstdlib>

#include "campaign/flags.h"
#include "support/cluster_edits.h"
#include "support/cluster_queries.h"
#include "support/portal_queries.h"

using namespace fairlead::testing;

int main(int count, char** words) {
    std::uint64_t edits = 100000, every = 1000, maps = 2000, portals = 1000, seed = 1;
    const bool read = read_flags(count, words, [&](const std::string& flag, const char* value) {
        const std::uint64_t number = std::strtoull(value, nullptr, 10);
        if (flag == "--edits") edits = number;
        if (flag == "--every") every = number;
        if (flag == "--maps") maps = number;
        if (flag == "--portals") portals = number;
        if (flag == "--seed") seed = number;
        return flag == "--edits" || flag == "--every" || flag == "--maps" || flag == "--portals" ||
               flag == "--seed";
    });
    if (!read || every == 0) return 2;
    int failures = 0;
    const auto note = [&](const char* what, std::uint64_t map, const std::string& problem) {
        if (problem.empty()) return;
        std::printf("%s %llu: %s\n", what, static_cast<unsigned long long>(map), problem.c_str());
        std::fflush(stdout);
        ++failures;
    };
    ClusterQueryTally asked;
    for (std::uint64_t map = seed << 32; map < (seed << 32) + maps && failures < 20; ++map) {
        note("map", map, check_cluster_queries(map, 600, 12, asked));
        if (map % 50 == 0) note("long map", map, check_long_queries(map, 12, asked));
    }
    std::printf("%llu queries, %llu far, %llu over clusters, %.4f times as long in the mean, %.3f at most\n",
                static_cast<unsigned long long>(asked.queries), static_cast<unsigned long long>(asked.far),
                static_cast<unsigned long long>(asked.over_clusters), asked.mean_ratio(), asked.most);
    std::printf("with portals: %llu, %.4f times as dear in the mean\n",
                static_cast<unsigned long long>(asked.with_portals),
                asked.with_portals == 0 ? 1.0 : asked.portal_ratio / static_cast<double>(asked.with_portals));
    PortalQueryTally through;
    for (std::uint64_t map = seed << 32; map < (seed << 32) + portals && failures < 20; ++map)
        note("map with portals", map, check_portal_queries(map, 24, through));
    std::printf(
        "with many portals: %llu queries, %llu over clusters through %llu portals, %llu judged, %.4f times "
        "as "
        "dear in the mean, %.3f at most\n",
        static_cast<unsigned long long>(through.queries),
        static_cast<unsigned long long>(through.over_clusters),
        static_cast<unsigned long long>(through.links), static_cast<unsigned long long>(through.judged),
        through.mean_ratio(), through.most);
    ClusterEditTally edited;
    for (std::uint64_t map = seed << 32; edited.edits < edits && failures < 20; ++map) {
        const std::int32_t levels = 1 + static_cast<std::int32_t>(map % 3);
        const auto each = static_cast<int>(every * 5);
        note("edits of map", map, check_cluster_edits(map, levels, each, static_cast<int>(every), edited));
    }
    std::printf("hierarchy: %llu edits, %llu compared, %d wrong\n",
                static_cast<unsigned long long>(edited.edits),
                static_cast<unsigned long long>(edited.compared), failures);
    return failures == 0 ? 0 : 1;
}
