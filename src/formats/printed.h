// How a length was printed in a file, and how far the number meant may be from it.
#pragma once

#include <cmath>
#include <cstdint>
#include <string_view>

namespace fairlead::formats {

struct Printed {
    std::int32_t decimals = 0;
    std::int32_t significant = 0;  ///< digits from the first that is not 0
};

[[nodiscard]] inline Printed printed_form(std::string_view text) {
    Printed form;
    bool point = false;
    for (const char c : text) {
        if (c == 'e' || c == 'E') break;
        if (c == '.') point = true;
        if (c < '0' || c > '9') continue;
        form.decimals += point ? 1 : 0;
        form.significant += form.significant > 0 || c != '0' ? 1 : 0;
    }
    return form;
}

/// Half a unit of the last of so many decimals, plus a share of the number for what its author lost in sums.
[[nodiscard]] inline double printed_slack(double number, std::int32_t decimals, double share) {
    double unit = 1.0;
    for (std::int32_t i = decimals; i > 0; --i) unit *= 10.0;
    return 0.5 / unit + std::fabs(number) * share;
}

}  // namespace fairlead::formats
