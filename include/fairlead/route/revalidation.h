// Revalidation: what the worlds answer when asked whether a route is still legal after an edit.
#pragma once

#include <cstdint>

namespace fairlead {

/// What revalidate found.
struct Revalidation {
    bool legal = true;
    std::int64_t first_bad =
        -1;  ///< index of the first leg that is illegal now; -1: none, or the route has no legs
    std::int64_t last_bad = -1;  ///< and of the last one

    friend bool operator==(const Revalidation&, const Revalidation&) = default;
};

}  // namespace fairlead
