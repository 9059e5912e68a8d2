// Bad usage and bad input as one line.

#include "cli/failure.h"

#include <iterator>

#include <fairlead/grid/find_route.h>

namespace fairlead::cli {

namespace {

// The flags behind the fields of a GridQuery, in the fields' order: what an Error's index points to.
constexpr const char* kFieldNames[] = {
    "--start",
    "the start's layer",
    "--goal",
    "--radius or --footprint",
    "--planner",
    "--smooth",
    "--corner",
    "--neighbours",
    "--heuristic",
    "--epsilon",
    "--turn-penalty",
    "--no-grow",
    "--no-certify",
    "--partial",
    "--terrain",
    "--blocker",
    "--influence",
    "--budget",
    "--turn-penalty-each",
};

}  // namespace

void fail(std::string line) {
    for (char& c : line) {
        if (c == '\n' || c == '\r') c = ' ';
    }
    throw Failure{std::move(line)};
}

void fail_at(std::string_view place, std::string_view reason) {
    std::string line{place};
    line += ": ";
    line += reason;
    fail(std::move(line));
}

std::string query_error_text(const Error& error) {
    if (error.code == ErrorCode::incompatible || error.code == ErrorCode::unsupported) {
        return grid_rule_text(static_cast<GridRule>(error.detail));
    }
    std::string text;
    const bool names_field = error.code == ErrorCode::not_finite || error.code == ErrorCode::out_of_range ||
                             error.code == ErrorCode::size_mismatch;
    if (names_field && error.index >= 0 && error.index < static_cast<std::int64_t>(std::size(kFieldNames))) {
        text = kFieldNames[error.index];
        text += ": ";
    }
    return text + error_text(error.code);
}

}  // namespace fairlead::cli
