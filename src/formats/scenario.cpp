#include <fairlead/formats/scenario.h>

#include <algorithm>
#include <cmath>

#include <fairlead/formats/number.h>

#include "formats/budget.h"
#include "formats/printed.h"
#include "formats/text.h"
#include "formats/tile_rows.h"

namespace fairlead::formats {

namespace {

constexpr std::int32_t kBucketMax = 1 << 30;
constexpr std::int32_t kUsualSignificant = 6;  // printf's %g

// Collects what the lengths of a file have in common.
class PrintedStyle {
  public:
    void add(const Printed& form) {
        same_decimals_ = same_decimals_ && (!any_ || form.decimals == decimals_);
        decimals_ = form.decimals;
        significant_ = std::max(significant_, form.significant);
        any_ = true;
    }
    // 0 for a fixed number of decimals. Whole numbers throughout say nothing, so they get the usual %g.
    [[nodiscard]] std::int32_t significant() const {
        return any_ && same_decimals_ && decimals_ > 0 ? 0 : std::max(significant_, kUsualSignificant);
    }

  private:
    bool any_ = false;
    bool same_decimals_ = true;
    std::int32_t decimals_ = 0;
    std::int32_t significant_ = 0;
};

// start, goal and length: the end of a row in both versions.
void read_query(WordReader& words, std::int32_t width, std::int32_t height, ScenarioQuery& query,
                PrintedStyle& style) {
    query.start.x = words.integer32(0, width - 1);
    query.start.y = words.integer32(0, height - 1);
    query.goal.x = words.integer32(0, width - 1);
    query.goal.y = words.integer32(0, height - 1);
    std::string_view written;
    query.optimal = words.number(kNoRoute, kNumberMax, &written);
    if (query.optimal < 0.0 && query.optimal != kNoRoute) words.fail(ErrorCode::text_value);
    words.end();
    if (!words.ok() || query.optimal == kNoRoute) return;
    const Printed form = printed_form(written);
    query.decimals = form.decimals;
    style.add(form);
}

// A row of version 1. The map of a row is that of the row before it, mostly.
Result<void> read_row(const LineReader& lines, Scenario& scenario, PrintedStyle& style, Budget& budget) {
    WordReader words(lines);
    ScenarioQuery query;
    query.line = lines.number();
    query.bucket = words.integer32(0, kBucketMax);
    const std::string_view name = words.word();
    const std::int32_t width = words.integer32(1, kMapSideMax);
    const std::int32_t height = words.integer32(1, kMapSideMax);
    read_query(words, width, height, query, style);
    if (!words.ok()) return words.error();
    std::vector<ScenarioMap>& maps = scenario.maps;
    if (maps.empty() || maps.back().name != name || maps.back().width != width ||
        maps.back().height != height) {
        ScenarioMap map{.name = {}, .width = width, .height = height};
        if (!budget.copy(map.name, name) || !budget.append(maps, std::move(map))) return budget.spent();
    }
    query.map = static_cast<std::uint32_t>(maps.size() - 1);
    if (!budget.append(scenario.queries, query)) return budget.spent();
    return {};
}

Result<Scenario> read_version_1(LineReader& lines, Budget& budget) {
    Scenario scenario;
    PrintedStyle style;
    while (lines.next_filled()) {
        if (Result<void> row = read_row(lines, scenario, style, budget); !row) return row.error();
    }
    if (!scenario.maps.empty()) {
        scenario.width = scenario.maps.front().width;
        scenario.height = scenario.maps.front().height;
    }
    scenario.significant = style.significant();
    return scenario;
}

// The lines before `commands`, each once, in any order.
Result<void> read_header_2(LineReader& lines, Scenario& scenario, Budget& budget) {
    bool cost = false;
    while (true) {
        if (!lines.next_filled()) return lines.error(ErrorCode::text_end);
        WordReader words(lines);
        const std::string_view key = words.word();
        if (key == "commands") {
            if (scenario.width == 0 || scenario.height == 0 || !cost || scenario.patch_file.empty()) {
                words.fail(ErrorCode::text_missing);
            }
            words.end();
            return words.ok() ? Result<void>{} : Result<void>{words.error()};
        }
        if (key == "width" || key == "height") {
            std::int32_t& side = key == "width" ? scenario.width : scenario.height;
            if (side != 0) words.fail(ErrorCode::text_duplicate);
            side = words.integer32(1, kMapSideMax);
        } else if (key == "cost") {
            if (cost) words.fail(ErrorCode::text_duplicate);
            words.keyword("1");
            words.keyword("octile");
            cost = true;
        } else if (key == "patch") {
            if (!scenario.patch_file.empty()) words.fail(ErrorCode::text_duplicate);
            const std::string_view name = words.word();
            if (words.ok() && !budget.copy(scenario.patch_file, name)) return budget.spent();
        } else {
            words.fail(ErrorCode::text_keyword);
        }
        words.end();
        if (!words.ok()) return words.error();
    }
}

Result<void> read_command(const LineReader& lines, Scenario& scenario, PrintedStyle& style, Budget& budget) {
    WordReader words(lines);
    const std::string_view command = words.word();
    if (command == "P") {
        PatchPlacement placement;
        placement.line = lines.number();
        placement.bucket = words.integer32(0, kBucketMax);
        placement.patch = static_cast<std::uint32_t>(words.integer32(0, kBucketMax));
        placement.x = words.integer32(0, scenario.width - 1);
        placement.y = words.integer32(0, scenario.height - 1);
        words.end();
        if (words.ok() && !budget.append(scenario.placements, placement)) return budget.spent();
    } else if (command == "Q") {
        ScenarioQuery query;
        query.line = lines.number();
        query.bucket = words.integer32(0, kBucketMax);
        query.patches_before = static_cast<std::uint32_t>(scenario.placements.size());
        read_query(words, scenario.width, scenario.height, query, style);
        if (words.ok() && !budget.append(scenario.queries, query)) return budget.spent();
    } else {
        words.fail(ErrorCode::text_keyword);
    }
    return words.ok() ? Result<void>{} : Result<void>{words.error()};
}

Result<Scenario> read_version_2(LineReader& lines, Budget& budget) {
    Scenario scenario;
    scenario.version = 2;
    PrintedStyle style;
    if (Result<void> header = read_header_2(lines, scenario, budget); !header) return header.error();
    while (lines.next_filled()) {
        if (Result<void> row = read_command(lines, scenario, style, budget); !row) return row.error();
    }
    scenario.significant = style.significant();
    return scenario;
}

// Digits before the point; 1 for numbers below 1, as lengths are 0 or at least 1.
std::int32_t integer_digits(double value) {
    std::int32_t digits = 1;
    for (double bound = 10.0; value >= bound && digits < 18; bound *= 10.0) ++digits;
    return digits;
}

std::int32_t printed_places(const Scenario& scenario, const ScenarioQuery& query) {
    return std::clamp(std::max(query.decimals, scenario.significant - integer_digits(query.optimal)), 0, 17);
}

}  // namespace

Result<Scenario> load_scenario(std::string_view text, const Limits& limits) {
    return guarded(text, limits, [&]() -> Result<Scenario> {
        Budget budget(limits);
        LineReader lines(text);
        if (!lines.next_filled()) return lines.error(ErrorCode::text_end);
        WordReader words(lines);
        words.keyword("version");
        const std::string_view version = words.word();
        const bool one = version == "1" || version == "1.0";
        if (!one && version != "2" && version != "2.0") words.fail(ErrorCode::text_keyword);
        words.end();
        if (!words.ok()) return words.error();
        return one ? read_version_1(lines, budget) : read_version_2(lines, budget);
    });
}

std::string save_scenario(const Scenario& scenario) {
    std::string out;
    if (scenario.version != 1) return out;
    out = "version 1\n";
    for (const ScenarioQuery& query : scenario.queries) {
        const ScenarioMap& map = scenario.maps[query.map];
        append_number(out, std::int64_t{query.bucket});
        out += '\t';
        out += map.name;
        for (const std::int32_t value :
             {map.width, map.height, query.start.x, query.start.y, query.goal.x, query.goal.y}) {
            out += '\t';
            append_number(out, std::int64_t{value});
        }
        out += '\t';
        append_fixed(out, query.optimal, query.optimal == kNoRoute ? 0 : query.decimals);
        out += '\n';
    }
    return out;
}

double printed_tolerance(const Scenario& scenario, const ScenarioQuery& query) {
    constexpr double kSinglePrecision = 0x1.0p-24;
    return printed_slack(query.optimal, printed_places(scenario, query), kSinglePrecision);
}

bool says_no_route(const ScenarioQuery& query) {
    return query.optimal == kNoRoute || (query.optimal == 0.0 && query.start != query.goal);
}

bool length_agrees(const Scenario& scenario, const ScenarioQuery& query, double length) {
    if (says_no_route(query) || length == kNoRoute) return says_no_route(query) && length == kNoRoute;
    return std::fabs(length - query.optimal) <= printed_tolerance(scenario, query);
}

}  // namespace fairlead::formats
