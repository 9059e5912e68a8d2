// Runs a program as a user would: arguments in; status and both outputs back.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace fairlead::testing {

struct RunResult {
    int status = -1;
    std::string out;
    std::string err;

    [[nodiscard]] std::vector<std::string> out_lines() const;
    [[nodiscard]] std::vector<std::string> err_lines() const;
};

/// The command line program of this build, in the root of the repository. `input`: the file that it reads as standard input.
[[nodiscard]] RunResult run_cli(const std::vector<std::string>& arguments,
                                const std::string& input = "/dev/null");

/// The same within so many KiB of address space. 128 for a status: a signal ended it; 127: it could not even be loaded.
[[nodiscard]] RunResult run_cli_within(std::int64_t kib, const std::vector<std::string>& arguments);

/// A file name of this test case in a folder for temporary files.
[[nodiscard]] std::string temp_path(const std::string& name);

[[nodiscard]] std::string read_text(const std::string& path);
void write_text(const std::string& path, const std::string& text);
[[nodiscard]] std::vector<std::string> split(const std::string& text, char by);

}  // namespace fairlead::testing
