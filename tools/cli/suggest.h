// What was probably meant by a word that the program does not know.
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace fairlead::cli {

/// The nearest of `words`; empty where none is near: at most a third of the letters left out, added, changed or swapped with the next.
[[nodiscard]] std::string nearest_word(const std::string& word, const std::vector<std::string>& words);

/// "; did you mean WORD?"; empty for none.
[[nodiscard]] std::string meant(const std::string& word);

/// One line for arguments that the parser refused, with a hint where there is one.
[[nodiscard]] std::string usage_error(const CLI::App& app, const CLI::ParseError& error);

}  // namespace fairlead::cli
