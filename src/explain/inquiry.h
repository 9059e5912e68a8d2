// What all explanations have in common: the run of one explanation, and further queries that change one thing. `ask(query, route)` puts
// one such query and pays for it; it gives its Outcome.
#pragma once

#include <algorithm>
#include <utility>

#include "explain/spending.h"

namespace fairlead::explaining {

/// One explanation in the making. The work is kept in the caller's Scratch; its `inner` is the Scratch of the further searches, so
/// that what the caller's holds stays there.
template <class WorldType, class WorkType>
struct InquiryOf {
    using World = WorldType;
    using Work = WorkType;
    InquiryOf(const World& on, const ExplainOptions& options, Work& memory, Explanation& why)
        : world(on), work(memory), out(why), spending{options.expansions, options.trials_max} {}

    const World& world;
    Work& work;
    Explanation& out;
    Spending spending;

    [[nodiscard]] bool no_memory() { return fail({ErrorCode::out_of_memory, -1, 0}); }
    [[nodiscard]] bool fail(const Error& error) {
        spending.error = error;
        return false;
    }
    [[nodiscard]] Help& help(HelpKind kind) { return out.helps[static_cast<std::size_t>(kind)]; }
    void put_place(Vec3 at, double heading_rad = 0.0, std::int32_t layer = 0) {
        out.has_place = true;
        out.place = {at, heading_rad, layer};
    }
};

/// The query itself, with what is left to spend.
template <class In, class Query>
[[nodiscard]] Outcome ask(In& in, Query query, Route& route) {
    query.expansions_max = std::min(query.expansions_max, in.spending.expansions);
    return in.spending.judge(find_route_into(in.world, query, in.work.inner, route), route);
}
/// The query itself, first of all. Where it has no route look(status) goes on. False: an error, in `spending`.
template <class In, class Query, class Look>
[[nodiscard]] bool ask_first(In& in, const Query& query, const Look& look) {
    Route route;
    const Outcome first = ask(in, query, route);
    in.out.status = route.status;
    if (first == Outcome::error || first == Outcome::found) return first == Outcome::found;
    return look(route.status);
}
/// A further one.
template <class In, class Query>
[[nodiscard]] Outcome ask_more(In& in, const Query& query, Route& route) {
    --in.spending.trials;
    return ask(in, query, route);
}
template <class In>
[[nodiscard]] auto asker(In& in) {
    return [&in](const auto& query, Route& route) { return ask_more(in, query, route); };
}

/// A further query as a help of this kind. False: an error, in `spending`.
template <class In, class Query, class Ask>
[[nodiscard]] bool try_help(In& in, HelpKind kind, const Query& query, const Ask& ask) {
    Help& out = in.help(kind);
    out.proof = Proof::not_looked;
    if (in.spending.empty()) return true;
    const Outcome outcome = ask(query, out.route);
    out.proof = proof_of(outcome);
    out.agent = query.agent;
    return outcome != Outcome::error;
}

/// For bisect: the query with a unit that `change(agent, value)` changes.
template <class Query, class Ask, class Change>
[[nodiscard]] auto with_unit(const Query& query, const Ask& ask, const Change& change) {
    return [&query, ask, change](double value, Route& route, Help& to) {
        Query changed = query;
        change(changed.agent, value);
        const Outcome outcome = ask(changed, route);
        if (outcome == Outcome::found) to.agent = changed.agent;
        return outcome;
    };
}

/// As many kinds and flags as a filter may close.
inline constexpr std::uint32_t kSpareMost = 320;

/// Which of `count` kinds that a filter closes must be opened: the caller has opened all of them, then each is closed again if there
/// is a route without it. `set_open(i, is_open)` does that, and notes it in `help`. Where ends are put on what is open, closing one
/// may move them, so that another one can be spared after all: `again` asks until none can. False: an error, in `spending`.
template <class SetOpen, class Fits>
[[nodiscard]] bool spare_kinds(Spending& spending, std::uint32_t count, bool again, Help& help,
                               const SetOpen& set_open, const Fits& fits) {
    if (count == 0) return true;
    help.proof = Proof::not_looked;
    if (spending.empty()) return true;
    Outcome outcome = fits(help.route);
    if (outcome == Outcome::error) return false;
    help.proof = proof_of(outcome);
    bool spared[kSpareMost] = {};
    Route route;
    std::uint32_t needed = 0;  // so many in turn
    for (std::uint32_t i = 0; help.proof == Proof::found && !spending.empty(); i = (i + 1) % count) {
        ++needed;
        if (!spared[i]) {
            set_open(i, false);
            outcome = fits(route);
            if (outcome == Outcome::error) return false;
            spared[i] = outcome == Outcome::found;
            if (spared[i]) {
                std::swap(help.route, route);
                needed = again ? 0 : needed;
            } else {
                set_open(i, true);
            }
        }
        if (needed >= count) break;
    }
    return true;
}

/// Asks why a simpler unit, which goes wherever this one does, has no route: within what is left to spend, and `trials` further queries.
/// Where it has none its reason, and what is told of it, is this one's. False: an error, in the inquiry.
template <class In, class Query>
[[nodiscard]] bool explain_simpler(In& in, const Query& query, ExplainOptions limits, std::int32_t trials,
                                   Explanation& why) {
    limits.expansions = in.spending.expansions;
    limits.trials_max = std::min(trials, in.spending.trials);
    Result<Explanation> asked = explain(in.world, query, in.work.inner, limits);
    if (!asked) return in.fail(asked.error());
    why = std::move(*asked);
    in.spending.expansions -= std::min(in.spending.expansions, why.expanded);
    in.spending.trials -= why.trials;
    if (why.reason == ExplainReason::none) return true;
    Explanation& out = in.out;
    out.reason = why.reason;
    out.has_place = why.has_place;
    out.place = why.place;
    out.width = why.width;
    out.has_voxel = why.has_voxel;
    out.voxel = why.voxel;
    out.closed_area = why.closed_area;
    out.goal_side = why.goal_side;
    out.area = why.area;
    out.ground_area = why.ground_area;
    out.one_way = why.one_way;
    out.walls = why.walls;
    out.pocket = why.pocket;
    return true;
}

/// Checks the options, finds the memory, and has `look(inquiry)` fill the explanation.
template <class In, class Look>
[[nodiscard]] Result<Explanation> explain_by(const typename In::World& world, const Agent& agent,
                                             Scratch& scratch, const ExplainOptions& options,
                                             const Look& look) {
    if (const Result<void> good = check_options(options); !good) return good.error();
    auto* work = scratch.get<typename In::Work>();
    if (work == nullptr) return Error{ErrorCode::out_of_memory, -1, 0};
    Explanation out;
    out.agent = agent;
    In inquiry(world, options, *work, out);
    const bool good = look(inquiry);
    out.expanded = options.expansions - inquiry.spending.expansions;
    out.trials = options.trials_max - inquiry.spending.trials;
    if (!good) return inquiry.spending.error;
    return out;
}

}  // namespace fairlead::explaining
