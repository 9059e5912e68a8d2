// Tables of a document.

#include "suites/tables.h"

#include <algorithm>
#include <fstream>
#include <stdexcept>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace fairlead::bench {

namespace {

constexpr std::string_view kOpen = "<!-- figures ";
constexpr std::string_view kClose = "<!-- end -->";

nlohmann::json load_figures(const std::string& path) {
    std::ifstream file{path};
    nlohmann::json json = nlohmann::json::parse(file, nullptr, false);
    if (!json.is_object()) throw std::runtime_error(path + ": no figures file");
    return json;
}

/// Three digits, never an exponent.
std::string number_text(double value) {
    if (value == 0) return "0";
    const double size = value < 0 ? -value : value;
    if (size >= 100) return fmt::format("{:.0f}", value);
    if (size >= 10) return fmt::format("{:.1f}", value);
    if (size >= 0.9) return fmt::format("{:.2f}", value);
    return fmt::format("{:.3f}", value);
}

std::size_t place_of(std::vector<std::string>& names, const std::string& name) {
    const auto at = std::find(names.begin(), names.end(), name);
    if (at == names.end()) names.push_back(name);
    return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
}

struct Table {
    std::vector<std::string> rows;
    std::vector<std::string> columns;
    std::vector<std::vector<std::string>> cells;  ///< by row; may be shorter than the columns
    std::string unit;

    void add(const nlohmann::json& figure) {
        const std::size_t row = place_of(rows, figure.at("world"));
        const std::size_t column = place_of(columns, figure.at("subject"));
        cells.resize(rows.size());
        if (cells[row].size() <= column) cells[row].resize(column + 1);
        unit = figure.at("unit");
        const double value = figure.at("value");
        cells[row][column] = unit.empty() && value == static_cast<double>(static_cast<long long>(value))
                                 ? fmt::format("{:.0f}", value)  // a count
                                 : number_text(value);
    }

    [[nodiscard]] std::string text(const std::string& what) const {
        std::string out = fmt::format("| {}{} |", what, unit.empty() ? "" : ", " + unit);
        for (const std::string& column : columns) out += fmt::format(" {} |", column);
        out += "\n|---|";
        for (std::size_t i = 0; i < columns.size(); ++i) out += "--:|";
        out += '\n';
        for (std::size_t row = 0; row < rows.size(); ++row) {
            out += fmt::format("| {} |", rows[row]);
            for (std::size_t i = 0; i < columns.size(); ++i)
                out += fmt::format(" {} |", i < cells[row].size() ? cells[row][i] : std::string{});
            out += '\n';
        }
        return out;
    }
};

std::string table_text(const std::string& suite, const std::string& what, const std::string& folder) {
    const std::string path = folder + "/" + suite + ".json";
    const nlohmann::json file = load_figures(path);
    Table table;
    for (const nlohmann::json& figure : file.at("figures")) {
        if (figure.at("what") == what) table.add(figure);
    }
    if (table.rows.empty()) throw std::runtime_error(fmt::format("{}: nothing called \"{}\"", path, what));
    return fmt::format("\n{}\n`{}`: {}, {}\n\n", table.text(what), file.at("command").get<std::string>(),
                       file.at("processor").get<std::string>(), file.at("compiler").get<std::string>());
}

}  // namespace

std::string with_tables(const std::string& text, const std::string& folder) {
    std::string out;
    std::size_t at = 0;
    for (;;) {
        const std::size_t open = text.find(kOpen, at);
        if (open == std::string::npos) return out + text.substr(at);
        const std::size_t words = open + kOpen.size();
        const std::size_t line_end = text.find('\n', open);
        const std::size_t colon = text.find(": ", words);
        const std::size_t arrow = text.find(" -->", words);
        const std::size_t close = text.find(kClose, open);
        if (close == std::string::npos || !(colon < arrow && arrow < line_end && line_end < close))
            throw std::runtime_error("a table needs \"<!-- figures SUITE: WHAT -->\" and \"<!-- end -->\"");
        out += text.substr(at, line_end + 1 - at);
        out +=
            table_text(text.substr(words, colon - words), text.substr(colon + 2, arrow - colon - 2), folder);
        at = close;
    }
}

}  // namespace fairlead::bench
