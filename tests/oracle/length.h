// Length of a tile route as the oracle counts it: straight + diagonal x sqrt 2 + extra / 1024, compared exactly.
//
// With terrain the counts are sums of the costs of the cells entered. Portals and turns go to `extra`; tests give them
// costs that are multiples of 1/1024 cell.
#pragma once

#include <cmath>
#include <cstdint>
#include <ostream>

namespace fairlead::oracle {

struct Length {
    std::int64_t straight = 0;
    std::int64_t diagonal = 0;
    std::int64_t extra = 0;

    friend bool operator==(const Length&, const Length&) = default;
    friend Length operator+(Length a, Length b) {
        return {a.straight + b.straight, a.diagonal + b.diagonal, a.extra + b.extra};
    }

    [[nodiscard]] double cells() const {
        return static_cast<double>(straight) + static_cast<double>(extra) / 1024.0 +
               static_cast<double>(diagonal) * std::sqrt(2.0);
    }
};

/// Sign of a - b, exact for counts below 2^51: compares 1024 (a.straight - b.straight) + ... with
/// 1024 sqrt 2 (b.diagonal - a.diagonal) by their squares.
[[nodiscard]] inline int compare(const Length& a, const Length& b) {
    const __int128 p = static_cast<__int128>(a.straight - b.straight) * 1024 + (a.extra - b.extra);
    const __int128 q = static_cast<__int128>(b.diagonal - a.diagonal) * 1024;
    if (p == 0 && q == 0) return 0;
    if (p >= 0 && q <= 0) return 1;
    if (p <= 0 && q >= 0) return -1;
    const bool larger = p * p > 2 * q * q;  // never equal: sqrt 2 is irrational
    return (p > 0) == larger ? 1 : -1;
}
[[nodiscard]] inline bool operator<(const Length& a, const Length& b) { return compare(a, b) < 0; }

/// Same number, whatever the counts (extra 1024 is straight 1).
[[nodiscard]] inline bool same(const Length& a, const Length& b) { return compare(a, b) == 0; }

inline std::ostream& operator<<(std::ostream& out, const Length& l) {
    return out << l.straight << " + " << l.diagonal << " sqrt 2 + " << l.extra << "/1024 = " << l.cells();
}

}  // namespace fairlead::oracle
