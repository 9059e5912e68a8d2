// Failure: bad usage or bad input. Thrown by the commands, printed by main as one line, exit status 2.
#pragma once

#include <string>
#include <string_view>

#include <fairlead/base/error.h>

namespace fairlead::cli {

struct Failure {
    std::string line;
};

[[noreturn]] void fail(std::string line);

/// `place: reason`, for a flag, a file or a query.
[[noreturn]] void fail_at(std::string_view place, std::string_view reason);

/// What the library says about a query, in the words of the command line.
[[nodiscard]] std::string query_error_text(const Error& error);

}  // namespace fairlead::cli
