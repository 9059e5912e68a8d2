// Runs a program by the shell, its outputs in temporary files.

#include "support/run_program.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "support/environment.h"

namespace fairlead::testing {

namespace {

std::string quoted(const std::string& text) {
    std::string out = "'";
    for (const char c : text) {
        if (c == '\'') {
            out += "'\\''";
        } else {
            out += c;
        }
    }
    return out + "'";
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines = split(text, '\n');
    if (!lines.empty() && lines.back().empty()) lines.pop_back();
    return lines;
}

// `before` the program, in the same shell.
RunResult run_shell(const std::string& before, const std::vector<std::string>& arguments,
                    const std::string& input) {
    const std::string out = temp_path("stdout");
    const std::string err = temp_path("stderr");
    std::string command = "cd " + quoted(source_path(".")) + " && " + before + quoted(cli_path());
    for (const std::string& argument : arguments) command += " " + quoted(argument);
    command += " >" + quoted(out) + " 2>" + quoted(err) + " <" + quoted(input);
    const int status = std::system(command.c_str());
    RunResult result;
    result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128;
    result.out = read_text(out);
    result.err = read_text(err);
    std::filesystem::remove(out);
    std::filesystem::remove(err);
    return result;
}

}  // namespace

std::vector<std::string> RunResult::out_lines() const { return lines_of(out); }
std::vector<std::string> RunResult::err_lines() const { return lines_of(err); }

std::vector<std::string> split(const std::string& text, char by) {
    std::vector<std::string> parts;
    std::size_t from = 0;
    for (std::size_t to = 0; to != std::string::npos; from = to + 1) {
        to = text.find(by, from);
        parts.push_back(text.substr(from, to == std::string::npos ? to : to - from));
    }
    return parts;
}

std::string read_text(const std::string& path) {
    const std::ifstream file{path, std::ios::binary};
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

void write_text(const std::string& path, const std::string& text) {
    std::ofstream file{path, std::ios::binary};
    file << text;
}

std::string temp_path(const std::string& name) {
    const ::testing::TestInfo* test = ::testing::UnitTest::GetInstance()->current_test_info();
    const std::filesystem::path folder = std::filesystem::temp_directory_path() / "fairlead_tests";
    std::filesystem::create_directories(folder);
    return (folder / (std::string{test->test_suite_name()} + "_" + test->name() + "_" +
                      std::to_string(getpid()) + "_" + name))
        .string();
}

RunResult run_cli(const std::vector<std::string>& arguments, const std::string& input) {
    return run_shell("", arguments, input);
}

RunResult run_cli_within(std::int64_t kib, const std::vector<std::string>& arguments) {
    return run_shell("ulimit -v " + std::to_string(kib) + " && exec ", arguments, "/dev/null");
}

}  // namespace fairlead::testing
