// What bakes on the command line share: threads, a progress bar, Ctrl-C, the times of stages.
#pragma once

#include <chrono>
#include <csignal>
#include <cstddef>
#include <optional>

#include <CLI/CLI.hpp>

#include <fairlead/base/jobs.h>

#include "cli/progress.h"

namespace fairlead::cli {

inline constexpr int kBakeThreadsMax = 256;

/// While it lives, Ctrl-C asks the bake to stop; no file is written then.
class StopOnInterrupt {
  public:
    StopOnInterrupt();
    StopOnInterrupt(const StopOnInterrupt&) = delete;
    StopOnInterrupt& operator=(const StopOnInterrupt&) = delete;
    ~StopOnInterrupt();

    [[nodiscard]] static bool asked();

  private:
    void (*before_)(int);
};

/// Wall time of the stages.
class Stages {
  public:
    double lap() {
        const auto now = std::chrono::steady_clock::now();
        const std::chrono::duration<double, std::milli> gone = now - last_;
        last_ = now;
        return gone.count();
    }

  private:
    std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

/// Jobs on some threads. Must outlive them.
class ThreadFlag {
  public:
    void add(CLI::App& app);
    /// Fails for a number out of range.
    [[nodiscard]] Jobs jobs() const;

  private:
    static void run(void* user, std::size_t count, void (*job)(void* context, std::size_t index),
                    void* context);
    int count_ = 1;
};

/// A progress bar that learns what there is to do with the first report, and stops when asked to.
class BakeProgress {
  public:
    explicit BakeProgress(const char* what) : what_(what) {}

    [[nodiscard]] fairlead::Progress hook();
    void end() { bar_.reset(); }

  private:
    const char* what_;
    std::optional<cli::Progress> bar_;
};

}  // namespace fairlead::cli
