// Threads that help the one that calls.

#include "cli/thread_group.h"

#include <cstdio>
#include <utility>

#include <fmt/format.h>

namespace fairlead::cli {

ThreadGroup::ThreadGroup(std::size_t count, std::function<void()> work) : work_(std::move(work)) {
    threads_.reserve(count);
    try {
        while (threads_.size() < count) threads_.emplace_back([this] { run(); });
    } catch (const std::exception& error) {
        fmt::print(stderr, "fairlead: --threads: {} of {} run; the system gives no more: {}\n",
                   threads_.size() + 1, count + 1, error.what());
    }
}

void ThreadGroup::run() {
    try {
        work_();
    } catch (...) {
        const std::lock_guard lock(mutex_);
        if (!thrown_) thrown_ = std::current_exception();
    }
}

void ThreadGroup::wait() {
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
}

void ThreadGroup::join() {
    wait();
    if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
}

}  // namespace fairlead::cli
