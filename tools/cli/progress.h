// A progress bar on a terminal's standard error; nothing where that is a file or a pipe.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace fairlead::cli {

class Progress {
  public:
    Progress(std::string what, std::uint64_t total);
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;
    ~Progress();

    /// Draws at most ten times a second.
    void at(std::uint64_t done);

  private:
    std::string what_;
    std::uint64_t total_;
    bool shown_ = false;
    bool drawn_ = false;
    std::chrono::steady_clock::time_point next_;
};

}  // namespace fairlead::cli
