#include "simulate/run.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>

#include <fairlead/base/assert.h>

#include "support/sanitized.h"

namespace fairlead::simulate {

namespace {

/// What a child tells its parent, in memory that both see: what it was doing survives its crash.
struct Shared {
    std::uint64_t seed;
    Tally tally;
    char what[2000];
};

void write_down(Shared& shared, const std::string& what) {
    const std::size_t length = std::min(what.size(), sizeof shared.what - 1);
    std::memcpy(shared.what, what.data(), length);
    shared.what[length] = 0;
}

Shared* make_shared_memory() {
    void* memory = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    FAIRLEAD_ASSERT(memory != MAP_FAILED);
    return new (memory) Shared{};
}

void note_assertion(const char* condition, const char* file, int line, void* user) {
    write_down(*static_cast<Shared*>(user),
               std::string("assertion: ") + condition + " at " + file + ":" + std::to_string(line));
}

#if FAIRLEAD_SANITIZED
constexpr unsigned kSlower = 10;  // a sanitized program takes three to ten times as long
#else
constexpr unsigned kSlower = 1;
#endif

/// From now on; when it is over the process is killed by SIGVTALRM. Processor time, so a busy machine is no finding.
void limit_time(unsigned seconds) {
    itimerval time{};
    time.it_value.tv_sec = static_cast<time_t>(seconds * kSlower);
    setitimer(ITIMER_VIRTUAL, &time, nullptr);
}

void limit_child(unsigned seconds, bool quiet) {
    limit_time(seconds);
    rlimit core{};
    setrlimit(RLIMIT_CORE, &core);
    if (!quiet) return;
    const int nowhere = open("/dev/null", O_WRONLY);
    if (nowhere >= 0) dup2(nowhere, STDERR_FILENO);
}

/// Runs `work` in a child and says how it ended: empty, what it wrote down, or the signal.
std::string run_child(Shared& shared, unsigned seconds, bool quiet, const std::function<void()>& work) {
    shared.what[0] = 0;
    std::fflush(stdout);
    const pid_t child = fork();
    FAIRLEAD_ASSERT(child >= 0);
    if (child == 0) {
        limit_child(seconds, quiet);
        set_assert_handler({note_assertion, &shared});
        work();
        _exit(0);
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (shared.what[0] != 0) return shared.what;
    if (WIFSIGNALED(status)) {
        const int signal = WTERMSIG(status);
        if (signal == SIGVTALRM) return "endless: the processor time of the script is used up";
        return std::string("crash: ") + strsignal(signal);
    }
    return WEXITSTATUS(status) == 0 ? "" : "crash: status " + std::to_string(WEXITSTATUS(status));
}

}  // namespace

void Tally::add(const Tally& other) {
    scripts += other.scripts;
    operations += other.operations;
    answers += other.answers;
    routes += other.routes;
    verified += other.verified;
    judged += other.judged;
    repeated += other.repeated;
    starved += other.starved;
    refused += other.refused;
}

Script draw_script(const Driver& driver, std::uint64_t seed) {
    Dice dice(seed);
    return driver.draw(dice, kScriptOperations);
}

const Driver* find_driver(const std::string& name) {
    for (const Driver& driver : drivers()) {
        if (driver.name == name) return &driver;
    }
    return nullptr;
}

std::string play_apart(const Driver& driver, const Script& script, unsigned seconds) {
    Shared* shared = make_shared_memory();
    const std::string what = run_child(*shared, seconds, true, [&] {
        Tally tally;
        write_down(*shared, driver.play(script, tally));
    });
    munmap(shared, sizeof(Shared));
    return what;
}

Finding run_seeds(const Driver& driver, std::uint64_t seed, std::uint64_t operations, Tally& tally,
                  const Limits& limits) {
    constexpr std::uint64_t kBatch = 20000;  // operations of one child
    constexpr unsigned kSeconds = 60;        // of processor time; the longest scripts of fleets take ten
    Finding finding;
    Shared* shared = make_shared_memory();
    shared->seed = seed;
    const auto end =
        std::chrono::steady_clock::now() + std::chrono::duration<double>(std::min(limits.seconds, 1e6));
    for (std::uint64_t done = 0;
         done < operations && finding.what.empty() && std::chrono::steady_clock::now() < end;
         done += shared->tally.operations) {
        const std::uint64_t batch = std::min(kBatch, operations - done);
        shared->tally = {};
        finding.what = run_child(*shared, kSeconds, false, [&] {
            while (shared->tally.operations < batch && std::chrono::steady_clock::now() < end) {
                limit_time(kSeconds);
                write_down(*shared, driver.play(draw_script(driver, shared->seed), shared->tally));
                if (shared->what[0] != 0) _exit(0);
                ++shared->tally.scripts;
                ++shared->seed;
            }
        });
        tally.add(shared->tally);
    }
    if (!finding.what.empty()) {
        finding.seed = shared->seed;
        const Script drawn = draw_script(driver, finding.seed);
        finding.drawn = to_text(drawn);
        finding.minimal = !limits.shrink ? finding.drawn : to_text(shrink(drawn, [&](const Script& script) {
            return play_apart(driver, script, 2);
        }));
    }
    munmap(shared, sizeof(Shared));
    return finding;
}

std::string Finding::text(const Driver& driver) const {
    return std::string(driver.name) + ", seed " + std::to_string(seed) + ": " + what +
           "\nA script that replays it (save it, then ./run campaign simulate -- --replay FILE):\n" + minimal;
}

}  // namespace fairlead::simulate
