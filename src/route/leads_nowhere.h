// What a route without legs means to those who look at it again after an edit.
#pragma once

#include <fairlead/route/route.h>

namespace fairlead {

/// Was no way found, not even the one that ends where it starts? Then there is nothing that an edit could spoil.
[[nodiscard]] inline bool leads_nowhere(const Route& route) {
    const bool arrives = route.status == PathStatus::complete || route.status == PathStatus::partial;
    return route.legs.empty() && !arrives;
}

}  // namespace fairlead
