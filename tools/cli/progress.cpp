// A progress bar on standard error.

#include "cli/progress.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include <fmt/format.h>

namespace fairlead::cli {

namespace {

constexpr auto kBetween = std::chrono::milliseconds(100);
constexpr std::uint64_t kWidth = 30;

}  // namespace

Progress::Progress(std::string what, std::uint64_t total)
    : what_(std::move(what)), total_(std::max<std::uint64_t>(1, total)), shown_(isatty(STDERR_FILENO) != 0) {
    next_ = std::chrono::steady_clock::now() + 3 * kBetween;  // nothing for what is done at once
}

Progress::~Progress() {
    if (drawn_) fmt::print(stderr, "\r\x1b[K");
}

void Progress::at(std::uint64_t done) {
    if (!shown_) return;
    const auto now = std::chrono::steady_clock::now();
    if (now < next_) return;
    next_ = now + kBetween;
    const std::uint64_t full = std::min(kWidth, done * kWidth / total_);
    fmt::print(stderr, "\r{} [{:=<{}}{:{}}] {}/{}\x1b[K", what_, "", full, "", kWidth - full, done, total_);
    std::fflush(stderr);
    drawn_ = true;
}

}  // namespace fairlead::cli
