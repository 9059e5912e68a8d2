// fairlead bench: the suites of measurements, and the tables made from their figures.

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/failure.h"
#include "cli/world.h"
#include "suites/suite.h"
#include "suites/tables.h"

namespace fairlead::cli {

namespace {

struct BenchCommand {
    std::vector<std::string> suites;
    std::string data;
    std::string figures;
    std::string doc;
    bool csv = false;
    bool json = false;
    bool quick = false;
    bool large = false;
    bool list = false;
    bool check = false;

    int run() const;

  private:
    void measure(const bench::Suite& suite, const bench::SuiteOptions& options) const;
    int update_doc() const;
};

std::string suite_words() {
    std::string words;
    for (const bench::Suite& suite : bench::suites()) {
        words += words.empty() ? "" : ", ";
        words += suite.name;
    }
    return words;
}

void print_figure(const bench::Figure& figure) {
    fmt::print("  {:24} {:28} {:30} {:12.4g} {}\n", figure.world, figure.subject, figure.what, figure.value,
               figure.unit);
    std::fflush(stdout);
}

void print_csv(const char* suite, const bench::Figure& figure) {
    fmt::print("{},\"{}\",\"{}\",\"{}\",{:.4g},{}\n", suite, figure.world, figure.subject, figure.what,
               figure.value, figure.unit);
    std::fflush(stdout);
}

void BenchCommand::measure(const bench::Suite& suite, const bench::SuiteOptions& options) const {
    if (!csv && !json) fmt::print("{}: {}\n", suite.name, suite.what);
    bench::Report report{[&](const bench::Figure& figure) {
                             if (csv) print_csv(suite.name, figure);
                             if (!csv && !json) print_figure(figure);
                         },
                         [](const std::string& text) { fmt::print(stderr, "{}\n", text); }};
    suite.run(options, report);
    const std::string file = bench::figures_json(suite, report.figures());
    if (json) fmt::print("{}", file);
    if (figures.empty()) return;
    std::error_code none;
    std::filesystem::create_directories(figures, none);
    write_file(fmt::format("{}/{}.json", figures, suite.name), file);
}

int BenchCommand::update_doc() const {
    const std::string before = read_file(doc);
    const std::string after = bench::with_tables(before, figures.empty() ? "figures" : figures);
    if (check) {
        if (before != after) fmt::print("{}: its tables are not those of the figures files\n", doc);
        return before == after ? kDone : kCheckFailed;
    }
    if (before != after) write_file(doc, after);
    return kDone;
}

int BenchCommand::run() const {
    if (list) {
        for (const bench::Suite& suite : bench::suites()) fmt::print("{:10} {}\n", suite.name, suite.what);
        return kDone;
    }
    if (check && doc.empty()) fail("--check: needs --doc");
    if (quick && !figures.empty()) fail("--figures: quick figures are not worth keeping");
    if (large && !figures.empty()) fail("--figures: those of --large are kept by hand");
    std::vector<const bench::Suite*> chosen;
    for (const std::string& name : suites) {
        chosen.push_back(bench::find_suite(name));
        if (chosen.back() == nullptr)
            fail(fmt::format("\"{}\" is not a suite; there are: {}", name, suite_words()));
    }
    // A document alone needs no measuring.
    if (suites.empty() && (doc.empty() || !figures.empty()) && !check) {
        for (const bench::Suite& suite : bench::suites()) chosen.push_back(&suite);
    }
    const bench::SuiteOptions options{bench::data_folder(data), quick, large};
    if (!data.empty() && options.data.empty()) fail(fmt::format("--data: no folder maps in {}", data));
    if (!chosen.empty() && !quick && options.data.empty()) {
        fmt::print(stderr, "No published maps (--data DIR or FAIRLEAD_DATA): worlds of our own only\n");
    }
    if (csv) fmt::print("suite,world,subject,what,value,unit\n");
    for (const bench::Suite* suite : chosen) measure(*suite, options);
    return doc.empty() ? kDone : update_doc();
}

}  // namespace

void add_bench(CLI::App& app, int& status) {
    CLI::App* sub = app.add_subcommand("bench", "Measure: speed, memory, edits, beside a peer in one run");
    const auto command = std::make_shared<BenchCommand>();
    sub->add_option("SUITE", command->suites, "Which suites; all if none is named");
    sub->add_flag("--list", command->list, "Name the suites");
    sub->add_option("--data", command->data,
                    "Folder of the published data, with maps/ in it (default: FAIRLEAD_DATA)");
    CLI::Option* csv = sub->add_flag("--csv", command->csv, "A row a figure");
    sub->add_flag("--json", command->json, "A JSON object a suite")->excludes(csv);
    sub->add_option("--figures", command->figures, "Folder for a file SUITE.json each");
    sub->add_option("--doc", command->doc, "Make the tables of this document anew from the figures files");
    sub->add_flag("--check", command->check,
                  "With --doc: status 1 if its tables are not so; measures and writes nothing");
    sub->add_flag("--large", command->large, "hierarchy: on 16384 x 16384 cells alone; needs 2 GB of memory");
    sub->add_flag("--quick", command->quick, "Small worlds, few queries: to see that the suites work");
    sub->callback([command, &status] { status = command->run(); });
}

}  // namespace fairlead::cli
