// Hints for words that the program does not know: the nearest by edits (optimal string alignment, Damerau 1964).

#include "cli/suggest.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

namespace fairlead::cli {

namespace {

std::size_t edits_between(std::string_view a, std::string_view b) {
    std::vector<std::vector<std::size_t>> cost(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
    for (std::size_t i = 0; i <= a.size(); ++i) cost[i][0] = i;
    for (std::size_t k = 0; k <= b.size(); ++k) cost[0][k] = k;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        for (std::size_t k = 1; k <= b.size(); ++k) {
            const std::size_t change = cost[i - 1][k - 1] + (a[i - 1] == b[k - 1] ? 0 : 1);
            cost[i][k] = std::min({cost[i - 1][k] + 1, cost[i][k - 1] + 1, change});
            if (i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1])
                cost[i][k] = std::min(cost[i][k], cost[i - 2][k - 2] + 1);
        }
    }
    return cost[a.size()][b.size()];
}

/// The innermost command that was named.
const CLI::App& command_of(const CLI::App& app) {
    const std::vector<CLI::App*> used = app.get_subcommands();
    return used.empty() ? app : command_of(*used.front());
}

std::vector<std::string> commands_of(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; }))
        names.push_back(sub->get_name());
    return names;
}

std::vector<std::string> flags_of(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::Option* option : app.get_options()) {
        for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    }
    return names;
}

bool is_number(const std::string& text) {
    return !text.empty() && text.find_first_not_of("0123456789.-,") == std::string::npos;
}

}  // namespace

std::string meant(const std::string& word) {
    return word.empty() ? "" : fmt::format("; did you mean {}?", word);
}

std::string nearest_word(const std::string& word, const std::vector<std::string>& words) {
    std::string best;
    std::size_t least = word.size() / 3 + 1;
    for (const std::string& other : words) {
        const std::size_t edits = edits_between(word, other);
        if (edits >= least) continue;
        least = edits;
        best = other;
    }
    return best;
}

std::string usage_error(const CLI::App& app, const CLI::ParseError& error) {
    const CLI::App& command = command_of(app);
    const std::vector<std::string> left = app.remaining(true);
    const bool no_command = dynamic_cast<const CLI::RequiredError*>(&error) != nullptr &&
                            command.get_subcommands().empty() && !commands_of(command).empty();
    if (no_command && !left.empty())
        return fmt::format("\"{}\" is no command{}", left.front(),
                           meant(nearest_word(left.front(), commands_of(command))));
    if (no_command) return fmt::format("{}; --help lists them", error.what());
    if (dynamic_cast<const CLI::ExtrasError*>(&error) == nullptr || left.empty()) return error.what();
    const std::string& word = left.front();
    if (word.starts_with("-") && !is_number(word))
        return fmt::format("{}: there is no such flag{}", word, meant(nearest_word(word, flags_of(command))));
    if (is_number(word))
        return fmt::format("\"{}\" was not expected; a place is X,Y without a space between", word);
    return fmt::format("\"{}\" was not expected", word);
}

}  // namespace fairlead::cli
