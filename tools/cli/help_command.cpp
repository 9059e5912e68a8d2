// fairlead help: what --help says, for who asks in words.

#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/failure.h"
#include "cli/suggest.h"

namespace fairlead::cli {

namespace {

const CLI::App& command_in(const CLI::App& app, const std::string& word) {
    std::vector<std::string> names;
    for (const CLI::App* one : app.get_subcommands([](const CLI::App*) { return true; })) {
        if (one->get_name() == word) return *one;
        names.push_back(one->get_name());
    }
    fail(fmt::format("\"{}\" is no command{}", word, meant(nearest_word(word, names))));
}

}  // namespace

void add_help(CLI::App& app, int& status) {
    CLI::App* sub = app.add_subcommand("help", "What a command does and takes");
    const auto words = std::make_shared<std::vector<std::string>>();
    sub->add_option("COMMAND", *words, "Of which: route, bake navmesh, ...; none: all commands");
    sub->callback([&app, words, &status] {
        const CLI::App* asked = &app;
        std::string name = app.get_name();
        for (const std::string& word : *words) {
            asked = &command_in(*asked, word);
            name += " " + word;
        }
        fmt::print("{}", asked->get_formatter()->make_help(asked, name, CLI::AppFormatMode::Normal));
        status = kDone;
    });
}

}  // namespace fairlead::cli
