// The simulator of use for as long as wanted (tests/simulate/driver.h): every world, seed after seed, to the first finding of each.
//
//     simulate [--world NAME] [--operations 1000000] [--seconds S] [--seed 1000000] [--shrink 0|1]
//     simulate --replay FILE          plays one script, as a finding prints it
//     simulate --show SEED --world NAME      prints the script of a seed

#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

#include "campaign/flags.h"
#include "simulate/run.h"

using namespace fairlead::simulate;

namespace {

int replay(const std::string& path) {
    std::ifstream file(path);
    std::stringstream text;
    text << file.rdbuf();
    const std::optional<Script> script = parse_script(text.str());
    const Driver* driver = script ? find_driver(script->world) : nullptr;
    if (driver == nullptr) {
        std::fprintf(stderr, "simulate: %s is no script\n", path.c_str());
        return EXIT_FAILURE;
    }
    const std::string what = play_apart(*driver, *script);
    std::printf("%s\n", what.empty() ? "no finding" : what.c_str());
    return what.empty() ? EXIT_SUCCESS : EXIT_FAILURE;
}

bool simulate(const Driver& driver, std::uint64_t seed, std::uint64_t operations, const Limits& limits) {
    Tally tally;
    const Finding finding = run_seeds(driver, seed, operations, tally, limits);
    std::printf("%-8s %10" PRIu64 " operations in %" PRIu64 " scripts: %" PRIu64 " answers, %" PRIu64
                " routes, %" PRIu64 " verified, %" PRIu64 " against an oracle, %" PRIu64
                " asked twice, %" PRIu64 " refused, %" PRIu64 " starved\n",
                driver.name, tally.operations, tally.scripts, tally.answers, tally.routes, tally.verified,
                tally.judged, tally.repeated, tally.refused, tally.starved);
    if (!finding.what.empty()) std::printf("%s\n", finding.text(driver).c_str());
    std::fflush(stdout);
    return finding.what.empty();
}

}  // namespace

int main(int count, char** words) {
    std::string world;
    std::string file;
    std::uint64_t operations = 1000000;
    std::uint64_t seed = 1000000;  // the test has the first ones
    Limits limits;
    bool show = false;
    const bool known =
        fairlead::testing::read_flags(count, words, [&](const std::string& flag, const char* value) {
            if (flag == "--world")
                world = value;
            else if (flag == "--replay")
                file = value;
            else if (flag == "--operations")
                operations = std::strtoull(value, nullptr, 10);
            else if (flag == "--seconds")
                limits.seconds = std::strtod(value, nullptr);
            else if (flag == "--shrink")
                limits.shrink = std::strtoull(value, nullptr, 10) != 0;
            else if (flag == "--seed" || flag == "--show")
                seed = std::strtoull(value, nullptr, 10);
            else
                return false;
            show = show || flag == "--show";
            return true;
        });
    if (!known || (!world.empty() && find_driver(world) == nullptr)) {
        std::fprintf(stderr,
                     "simulate: --world NAME, --operations N, --seconds S, --seed N, --shrink 0|1,  --replay "
                     "FILE, --show SEED\n");
        return EXIT_FAILURE;
    }
    if (!file.empty()) return replay(file);
    bool good = true;
    for (const Driver& driver : drivers()) {
        if (!world.empty() && driver.name != world) continue;
        if (show)
            std::printf("%s", to_text(draw_script(driver, seed)).c_str());
        else
            good = simulate(driver, seed, operations, limits) && good;
    }
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
