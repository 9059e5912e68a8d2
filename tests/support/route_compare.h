// Are two routes the same bytes?
#pragma once

#include <sstream>
#include <string>

#include <fairlead/route/route.h>

namespace fairlead::testing {

/// The first field in which two routes differ, empty if none. `revisions`: do they count?
[[nodiscard]] inline std::string route_difference(const Route& a, const Route& b, bool revisions = true) {
    std::ostringstream out;
    out.precision(17);
    const auto differ = [&](const char* what, const auto& x, const auto& y) {
        if (x == y || !out.str().empty()) return;
        out << what << ": " << x << " and " << y;
    };
    differ("status", std::string(status_name(a.status)), std::string(status_name(b.status)));
    differ("planner", std::string(a.planner), std::string(b.planner));
    differ("expanded", a.stats.expanded, b.stats.expanded);
    differ("generated", a.stats.generated, b.stats.generated);
    differ("open_peak", a.stats.open_peak, b.stats.open_peak);
    differ("digest", a.stats.digest, b.stats.digest);
    differ("cost", a.cost, b.cost);
    differ("line_cost", a.line_cost, b.line_cost);
    differ("length", a.length, b.length);
    differ("bound", a.bound, b.bound);
    differ("number of legs", a.legs.size(), b.legs.size());
    if (revisions) differ("revision", a.revision, b.revision);
    if (!out.str().empty()) return out.str();
    for (std::size_t i = 0; i < a.legs.size(); ++i) {
        if (!(a.legs[i] == b.legs[i])) return "leg " + std::to_string(i);
    }
    return a.end == b.end ? "" : "end";
}

}  // namespace fairlead::testing
