// Bad usage and bad input as one line.

#include "cli/failure.h"

#include <fairlead/grid/find_route.h>

#include "cli/flags.h"

namespace fairlead::cli {

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
    if (error.code == ErrorCode::unsupported && error.field == Field::planner)
        return grid_rule_text(static_cast<GridRule>(error.detail));
    return flag_error_text(error);
}

}  // namespace fairlead::cli
