// Routes after edits, the same in every world: the legs are looked at one by one, and those that are illegal are found anew and put in
// their place. Where that cannot be, the gap is widened leg by leg, at last to a new search of the whole.
//
// What is a world's own is a Mender:
//     void fit(MendGap& gap);                               widens it to where a gap may begin and end
//     bool ends_anywhere(const MendGap&, const Route&);     the gap's end is no place to come back to
//     Result<void> find(const MendGap&, const Route&, Route& piece);
//     Result<bool> put_in(const MendGap&, const Route&, MendWork&, Place& end);    false: the gap is too small
//     bool has_other_ends() const;                          the whole may be searched for the query's own goal
//     Result<void> search_anew(const Route&, Route& piece);
//     double measure(const Route& route, const Route* whole);                      line_cost; `whole`: the piece, if it is all of it
//     std::uint64_t revision() const;
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <fairlead/base/result.h>
#include <fairlead/route/revalidation.h>
#include <fairlead/route/route.h>

#include "base/no_memory.h"
#include "route/leads_nowhere.h"
#include "route/take_over.h"

namespace fairlead {

inline void note_bad(Revalidation& result, std::size_t first, std::size_t last) {
    result.legal = false;
    if (result.first_bad < 0) result.first_bad = static_cast<std::int64_t>(first);
    result.last_bad = static_cast<std::int64_t>(last);
}

/// `near(a, b, leg)`: may the edit have touched what lies between two places (leg null: a route without legs)? `legal(leg, end)`,
/// `stands(place)`: as the words say.
template <class Near, class Legal, class Stands>
[[nodiscard]] Revalidation look_at_legs(const Route& route, Near near, Legal legal, Stands stands) {
    Revalidation result;
    if (route.legs.empty()) {
        const bool asked = !leads_nowhere(route) && near(route.end, route.end, nullptr);
        result.legal = !asked || stands(route.end);
        return result;
    }
    for (std::size_t i = 0; i < route.legs.size(); ++i) {
        const Leg& leg = route.legs[i];
        const Place& end = leg_end(route, i);
        if (near(leg.start, end, &leg) && !legal(leg, end)) note_bad(result, i, i);
    }
    return result;
}

/// The same by a test that has near(a, b, leg, changed), legal(leg, end) and stands(place). `changed` null: all of it.
template <class Test, class Region>
[[nodiscard]] Revalidation look_at_legs(const Test& test, const Route& route, const Region* changed) {
    return look_at_legs(
        route,
        [&](const Place& a, const Place& b, const Leg* leg) {
            return changed == nullptr || test.near(a, b, leg, *changed);
        },
        [&](const Leg& leg, const Place& end) { return test.legal(leg, end); },
        [&](const Place& at) { return test.stands(at); });
}

/// A route that was found legal: a better one may have come up since it was found.
inline void keep_route(Route& route, std::uint64_t revision) {
    if (route.revision != revision) route.bound = kNoBound;
    route.revision = revision;
}

/// The way to a place nearer the goal, not to the goal.
[[nodiscard]] inline bool falls_short(const Route& route) {
    return route.status == PathStatus::partial || route.status == PathStatus::budget_spent;
}

/// The legs first to last, both included, are to be found anew. Of a route without legs: the place where it stands, from leg 0 to the
/// one before it.
struct MendGap {
    std::size_t first = 0;
    std::size_t last = 0;
    std::size_t legs = 0;

    MendGap(const Route& route, const Revalidation& found)
        : first(route.legs.empty() ? 0 : static_cast<std::size_t>(found.first_bad)),
          last(static_cast<std::size_t>(found.last_bad)),
          legs(route.legs.size()) {}

    [[nodiscard]] bool to_end() const { return last + 1 == legs; }
    [[nodiscard]] bool whole() const { return first == 0 && to_end(); }
    [[nodiscard]] const Place& start_in(const Route& route) const {
        return legs == 0 ? route.end : route.legs[first].start;
    }
    [[nodiscard]] const Place& end_in(const Route& route) const {
        return legs == 0 ? route.end : leg_end(route, last);
    }
    [[nodiscard]] std::span<const Leg> before(const Route& route) const {
        return route.legs.span().first(first);
    }
    [[nodiscard]] std::span<const Leg> after(const Route& route) const {
        return to_end() ? std::span<const Leg>() : route.legs.span().subspan(last + 1);
    }
    void widen() {
        if (first > 0) --first;
        if (last + 1 < legs) ++last;
    }
};

/// Kept in a Scratch.
struct MendWork {
    explicit MendWork(const Allocator& a) : legs(a) {
        piece.legs = Array<Leg>(a);
        piece.speeds = Array<SpeedKnot>(a);
    }
    Route piece;
    Array<Leg> legs;
};

[[nodiscard]] inline bool append_to(Array<Leg>& legs, std::span<const Leg> more) {
    for (const Leg& leg : more) {
        if (!legs.push_back(leg)) return false;
    }
    return true;
}

/// The route's legs with the piece in place of the gap, and where they end. False: out of memory.
[[nodiscard]] inline bool join_legs(const MendGap& gap, const Route& route, MendWork& work, Place& end) {
    work.legs.clear();
    end = gap.to_end() ? work.piece.end : route.end;
    return append_to(work.legs, gap.before(route)) && append_to(work.legs, work.piece.legs.span()) &&
           append_to(work.legs, gap.after(route));
}

/// No route: what the search of the whole said.
inline void leave_without(const Route& said, std::uint64_t revision, Route& route) {
    const PathStatus status = said.status;
    const char* const planner = said.planner;
    const Place end = said.end;
    route.clear();
    route.status = status;
    route.planner = planner;
    route.revision = revision;
    route.end = end;
}

template <class Mender>
[[nodiscard]] Result<void> mend_anew(Mender& mender, MendWork& work, Route& route) {
    if (const Result<void> done = mender.search_anew(route, work.piece); !done) return done;
    return take_over(work.piece, route) ? Result<void>() : Result<void>(kNoMemory);
}

/// `found`: what is illegal. On an error the route is as it was.
template <class Mender>
[[nodiscard]] Result<void> mend(Mender& mender, const Revalidation& found, MendWork& work, Route& route) {
    Route& piece = work.piece;
    MendGap gap(route, found);
    for (;; gap.widen()) {
        mender.fit(gap);
        if (mender.ends_anywhere(gap, route)) return mend_anew(mender, work, route);
        if (const Result<void> done = mender.find(gap, route, piece); !done) return done;
        if (piece.status == PathStatus::complete) {
            Place end;
            const Result<bool> fits = mender.put_in(gap, route, work, end);
            if (!fits.has_value()) return fits.error();
            if (*fits || gap.whole()) {
                if (!route.legs.assign(work.legs.span())) return kNoMemory;
                route.end = end;
                break;
            }
        }
        if (!gap.whole()) continue;
        if (mender.has_other_ends()) return mend_anew(mender, work, route);
        leave_without(piece, mender.revision(), route);
        return {};
    }
    route.length = 0.0;
    for (const Leg& leg : route.legs) route.length += leg.length;
    route.line_cost = mender.measure(route, gap.whole() ? &piece : nullptr);
    route.cost = gap.whole() ? piece.cost : route.line_cost;
    route.bound = gap.whole() ? piece.bound : kNoBound;
    route.revision = mender.revision();
    route.stats = piece.stats;
    return {};
}

}  // namespace fairlead
