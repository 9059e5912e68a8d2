// What explain found, as JSON and as text.
#pragma once

#include <string>

#include <fairlead/explain/explain.h>

namespace fairlead::cli {

/// One line for programs.
[[nodiscard]] std::string explanation_json(const Explanation& why);
[[nodiscard]] std::string explanation_text(const Explanation& why);

}  // namespace fairlead::cli
