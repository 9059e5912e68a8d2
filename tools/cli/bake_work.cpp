// What bakes on the command line share.

#include "cli/bake_work.h"

#include <algorithm>
#include <atomic>

#include <fmt/format.h>

#include "cli/failure.h"
#include "cli/thread_group.h"

namespace fairlead::cli {

namespace {

volatile std::sig_atomic_t interrupted = 0;

}  // namespace

StopOnInterrupt::StopOnInterrupt() : before_(std::signal(SIGINT, [](int) { interrupted = 1; })) {}

StopOnInterrupt::~StopOnInterrupt() { std::signal(SIGINT, before_); }

bool StopOnInterrupt::asked() { return interrupted != 0; }

void ThreadFlag::add(CLI::App& app) { app.add_option("--threads", count_, "Threads")->capture_default_str(); }

Jobs ThreadFlag::jobs() const {
    if (count_ < 1 || count_ > kBakeThreadsMax)
        fail(fmt::format("--threads: {} is not 1 to {}", count_, kBakeThreadsMax));
    return {count_ > 1 ? &run : nullptr, const_cast<ThreadFlag*>(this)};
}

void ThreadFlag::run(void* user, std::size_t count, void (*job)(void* context, std::size_t index),
                     void* context) {
    std::atomic<std::size_t> next{0};
    const auto work = [&] {
        for (std::size_t i = next++; i < count; i = next++) job(context, i);
    };
    const auto wanted = static_cast<std::size_t>(static_cast<const ThreadFlag*>(user)->count_);
    ThreadGroup others(std::max<std::size_t>(std::min(wanted, count), 1) - 1, work);
    work();
    others.join();
}

fairlead::Progress BakeProgress::hook() {
    return {[](void* user, std::size_t done, std::size_t all) {
                auto& self = *static_cast<BakeProgress*>(user);
                if (!self.bar_) self.bar_.emplace(self.what_, all);
                self.bar_->at(done);
                return !StopOnInterrupt::asked();
            },
            this};
}

}  // namespace fairlead::cli
