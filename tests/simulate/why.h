// Why a query has no route, in every world: explain says what find_route says, the same when it is short of memory, and each help that it
// found is a route that verify accepts.
#pragma once

#include <string>

#include <fairlead/explain/explain.h>
#include <fairlead/verify/verify.h>

#include "simulate/driver.h"
#include "simulate/routes.h"
#include "simulate/starved.h"

namespace fairlead::simulate {

/// good: the query's numbers are. violates(help) is what verify says of its route.
template <class State, class Query, class Violates>
[[nodiscard]] std::string ask_why(const Step& step, Tally& tally, const State& state, const Query& query,
                                  bool good, Scratch& scratch, Violates violates) {
    const ExplainOptions options{.expansions = 20000, .trials_max = 14};
    const Result<Explanation> why = explain(state, query, scratch, options);
    Route route;
    Scratch fresh;
    const Result<void> done = find_route_into(state, query, fresh, route);
    if (why.has_value() != done.has_value()) return "explain: only one of explain and find_route is an error";
    const std::string starved = starve_answer(
        step, tally, [&](Scratch& memory_of) { return explain(state, query, memory_of, options); },
        [&](const Result<Explanation>& other) {
            if (other.has_value() != why.has_value()) return "explain, only one of two is an error";
            const bool same = !why || (other->reason == why->reason && other->status == why->status &&
                                       other->expanded == why->expanded);
            return same ? "" : "explain, another";
        });
    if (!starved.empty() || !done || !good) return starved;
    ++tally.answers;
    const bool known = why->reason != ExplainReason::budget_spent;
    if (known && query.expansions_max == UINT64_MAX && !query.partial && why->status != route.status)
        return std::string("explain: ") + status_name(why->status) + ", find_route " +
               status_name(route.status);
    for (const Help& help : why->helps) {
        if (help.proof != Proof::found) continue;
        ++tally.verified;
        if (help.route.status != PathStatus::complete) return "explain: a proof that is none";
        const Violation bad = violates(help);
        if (bad) return std::string("explain: a proof is illegal, ") + bad.text().c_str();
    }
    const Help& smaller = why->help(HelpKind::smaller_body);
    // Of a body with a height it is a share of all sizes.
    const double whole = query.agent.height > 0.0 ? 1.0 : query.agent.radius;
    if (smaller.proof == Proof::found && !(smaller.value < smaller.failed && smaller.failed <= whole))
        return "explain: radii in another order";
    return "";
}

}  // namespace fairlead::simulate
