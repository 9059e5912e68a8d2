#include "simulate/script.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <sstream>

namespace fairlead::simulate {

std::string number_text(double value) {
    char out[40];
    for (const int digits : {6, 17}) {
        std::snprintf(out, sizeof out, "%.*g", digits, value);
        if (std::strtod(out, nullptr) == value) break;
    }
    return out;
}

std::int32_t to_whole(double value) {
    if (std::isnan(value)) return 0;
    return static_cast<std::int32_t>(std::clamp(value, -2147483648.0, 2147483647.0));
}

double item(const std::vector<double>& values, std::size_t i, double otherwise) {
    return i < values.size() ? values[i] : otherwise;
}

const std::string* Step::find(const char* key) const {
    for (const auto& [name, value] : arguments) {
        if (name == key) return &value;
    }
    return nullptr;
}

std::string Step::word(const char* key) const {
    const std::string* value = find(key);
    return value == nullptr ? "" : *value;
}

double Step::number(const char* key, double otherwise) const {
    const std::string* value = find(key);
    return value == nullptr ? otherwise : std::strtod(value->c_str(), nullptr);
}

std::int32_t Step::whole(const char* key, std::int32_t otherwise) const {
    const double value = number(key, otherwise);
    return std::isnan(value) ? otherwise : to_whole(value);
}

std::uint64_t Step::count(const char* key, std::uint64_t otherwise) const {
    const std::string* value = find(key);
    return value == nullptr ? otherwise : std::strtoull(value->c_str(), nullptr, 10);
}

std::vector<double> Step::numbers(const char* key) const {
    std::vector<double> out;
    const std::string* value = find(key);
    for (const char* at = value == nullptr ? "" : value->c_str(); *at != 0;) {
        char* end = nullptr;
        out.push_back(std::strtod(at, &end));
        at = end == at ? at + 1 : end;
        if (*at == ',') ++at;
    }
    return out;
}

Step& Step::with(const char* key, double value) { return with(key, number_text(value)); }

Step& Step::with(const char* key, const std::vector<double>& values) {
    std::string text;
    for (const double value : values) text += (text.empty() ? "" : ",") + number_text(value);
    return with(key, text);
}

Step& Step::with(const char* key, const std::string& word) {
    arguments.emplace_back(key, word);
    return *this;
}

Step& Script::add(const char* verb) {
    steps.push_back({verb, {}});
    return steps.back();
}

std::string to_text(const Step& step) {
    std::string out = step.verb;
    for (const auto& [key, value] : step.arguments) out += " " + key + "=" + value;
    return out;
}

std::string to_text(const Script& script) {
    std::string out = "world " + script.world + "\n";
    for (const Step& step : script.steps) out += to_text(step) + "\n";
    return out;
}

std::optional<Script> parse_script(const std::string& text) {
    Script script;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line.substr(0, line.find('#')));
        Step step;
        if (!(words >> step.verb)) continue;
        std::string word;
        if (step.verb == "world") {
            if (!(words >> script.world)) return std::nullopt;
            continue;
        }
        while (words >> word) {
            const std::size_t equals = word.find('=');
            if (equals == std::string::npos || equals == 0) return std::nullopt;
            step.arguments.emplace_back(word.substr(0, equals), word.substr(equals + 1));
        }
        script.steps.push_back(step);
    }
    if (script.world.empty()) return std::nullopt;
    return script;
}

}  // namespace fairlead::simulate
