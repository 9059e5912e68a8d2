// Scripts: what a driver does, as text that can be read, cut down and played again.
//
//     world grid
//     make rows=.../.@. corner=2      # '@' is a wall, '/' ends a row, '|' a layer
//     query start=0.5,0.5,0 goal=2.5,1.5,0 partial=1
//
// A line is a verb and arguments key=value; a value is a list of numbers or a word. What is not given has the value that
// does least, so an argument can be left out of any step, and a step out of any script: that is how they are cut down.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fairlead::simulate {

struct Step {
    std::string verb;
    std::vector<std::pair<std::string, std::string>> arguments;

    [[nodiscard]] const std::string* find(const char* key) const;
    [[nodiscard]] bool has(const char* key) const { return find(key) != nullptr; }
    [[nodiscard]] std::string word(const char* key) const;
    [[nodiscard]] double number(const char* key, double otherwise = 0.0) const;
    /// Brought into the range of the type; NaN is `otherwise`.
    [[nodiscard]] std::int32_t whole(const char* key, std::int32_t otherwise = 0) const;
    [[nodiscard]] std::uint64_t count(const char* key, std::uint64_t otherwise = 0) const;
    [[nodiscard]] std::vector<double> numbers(const char* key) const;

    Step& with(const char* key, double value);
    Step& with(const char* key, const std::vector<double>& values);
    Step& with(const char* key, const std::string& word);
};

struct Script {
    std::string world;
    std::vector<Step> steps;

    Step& add(const char* verb);
};

[[nodiscard]] std::string to_text(const Step& step);
[[nodiscard]] std::string to_text(const Script& script);
/// Nothing if a line is not a step.
[[nodiscard]] std::optional<Script> parse_script(const std::string& text);

[[nodiscard]] std::string number_text(double value);
/// The whole number nearest to a value, within the type's range; NaN is 0.
[[nodiscard]] std::int32_t to_whole(double value);
/// Item i of a list, `otherwise` where it is too short.
[[nodiscard]] double item(const std::vector<double>& values, std::size_t i, double otherwise = 0.0);

}  // namespace fairlead::simulate
