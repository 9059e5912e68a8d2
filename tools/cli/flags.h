// Which flag stands for a field of the library's queries and options.
#pragma once

#include <string>

#include <fairlead/base/error.h>

namespace fairlead::cli {

/// "--radius" for agent.radius, ...; empty for fields that no flag sets. Never null.
[[nodiscard]] const char* flag_of(Field field);

/// What the library says, with the flag before it: "--epsilon: a number is outside its documented range".
[[nodiscard]] std::string flag_error_text(const Error& error);

}  // namespace fairlead::cli
