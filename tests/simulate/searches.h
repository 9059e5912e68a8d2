// What the drivers of all worlds do with searches. A question is asked whole with warm memory, in slices with fresh memory, and short of
// memory: the answers are the same, bit for bit. Others are in flight between the steps of a script, beside each other and beside edits:
// each gives what it gives alone.
//
// Held is a snapshot, Ask a question with the memory behind its spans: ask.bind() is the query.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include <fairlead/search/hooks.h>
#include <fairlead/search/scratch.h>

#include "simulate/driver.h"
#include "simulate/routes.h"
#include "simulate/starved.h"

namespace fairlead::simulate {

inline constexpr std::size_t kSlots = 3;

[[nodiscard]] inline std::size_t slot_of(const Step& step) {
    return static_cast<std::uint32_t>(step.whole("slot")) % kSlots;
}

struct Asked {
    Result<void> done;
    Route route;
    bool cancelled = false;  ///< both ways gave it; nothing else is known of it
};

template <class Search>
void run_in_slices(Search& search, std::uint64_t slice) {
    while (search.step(slice)) {
    }
}

/// The answer of a search that is not done with any more; `alone` is the same question's. Empty: they are the same.
[[nodiscard]] inline std::string compare_answers(const Asked& one, const Asked& other, const char* which) {
    const std::string two = which;
    if (one.done.has_value() != other.done.has_value()) return "differs: only one of " + two + " is an error";
    if (!one.done) return one.done.error() == other.done.error() ? "" : "differs: the errors of " + two;
    const std::string differs = route_difference(one.route, other.route);
    return differs.empty() ? "" : "differs: " + two + ", " + differs;
}

/// The fields slice, cancel and starve of the step say how.
template <class Search, class Held, class Query>
[[nodiscard]] std::string ask_every_way(const Step& step, Tally& tally, const Held& held, const Query& query,
                                        Scratch& scratch, Asked& out) {
    std::atomic<bool> cancel{step.has("cancel")};
    const SearchHooks hooks{.cancel = &cancel};
    const std::uint64_t slice = std::max<std::uint64_t>(step.count("slice", 1), 1);
    out.done = find_route_into(*held, query, scratch, out.route, hooks);
    out.cancelled = cancel;
    if (out.done && out.route.stats.expanded > query.expansions_max) {
        return "budget: " + std::to_string(out.route.stats.expanded) + " expansions of " +
               std::to_string(query.expansions_max);
    }
    Scratch fresh;
    Asked again;
    Search search(held, query, fresh, hooks);
    run_in_slices(search, slice);
    ++tally.repeated;
    again.done = search.take(again.route);
    const std::string differs = compare_answers(out, again, "whole and sliced");
    if (!differs.empty() || out.cancelled) return differs;
    return starve_route(step, tally, out.done, out.route, [&](bool slices, Scratch& memory_of, Route& route) {
        if (!slices) return find_route_into(*held, query, memory_of, route);
        Search some(held, query, memory_of);
        run_in_slices(some, slice);
        return some.take(route);
    });
}

/// A search in flight: on a snapshot and scratch memory of its own, with what is known of the world as it was.
template <class Search, class Held, class Model, class Ask>
struct Flight {
    Held held;
    Model model;
    Ask ask;
    TestAllocator memory;
    Scratch scratch{memory.allocator()};
    std::atomic<bool> cancel{false};
    std::optional<Search> search;
};

template <class Search, class Held, class Model, class Ask>
class Flights {
  public:
    using One = Flight<Search, Held, Model, Ask>;

    void clear() {
        for (auto& flight : flights_) flight.reset();
    }

    void begin(const Step& step, Tally& tally, Held held, const Model& model, Ask ask) {
        std::unique_ptr<One>& place = flights_[slot_of(step)];
        place = std::make_unique<One>();
        place->held = std::move(held);
        place->model = model;
        place->ask = std::move(ask);
        starve_flight(step, tally, place->memory);
        place->search.emplace(place->held, place->ask.bind(), place->scratch,
                              SearchHooks{.cancel = &place->cancel});
    }

    /// The verbs step, finish, cancel and drop; judge(flight, asked) says what is wrong with the answer of one that is done.
    template <class Judge>
    [[nodiscard]] std::string play(const Step& step, Tally& tally, Judge judge) {
        std::unique_ptr<One>& flight = flights_[slot_of(step)];
        if (!flight) return "";
        if (step.verb == "drop") flight.reset();
        if (step.verb == "step") return work(flight, tally, step.count("n", 1), false, judge);
        if (step.verb == "finish") return work(flight, tally, 7, true, judge);
        if (step.verb != "cancel") return "";
        flight->cancel = true;
        return work(flight, tally, 64, true, judge);
    }

  private:
    template <class Judge>
    [[nodiscard]] std::string work(std::unique_ptr<One>& flight, Tally& tally, std::uint64_t n,
                                   bool to_the_end, Judge judge) {
        (void)flight->search->step(n);
        while (to_the_end && flight->search->running())
            (void)flight->search->step(std::max<std::uint64_t>(n, 1));
        if (flight->search->running()) return "";
        const std::string problem = end(*flight, tally, judge);
        flight.reset();
        return problem;
    }

    template <class Judge>
    [[nodiscard]] std::string end(One& flight, Tally& tally, Judge judge) {
        Asked asked;
        asked.done = flight.search->take(asked.route);
        if (flight.cancel || (flight.memory.feed() && out_of_memory(asked.done, asked.route))) return "";
        Scratch fresh;
        Asked alone;
        alone.done = find_route_into(*flight.held, flight.ask.bind(), fresh, alone.route);
        ++tally.repeated;
        const std::string differs = compare_answers(asked, alone, "interleaved and alone");
        return differs.empty() ? judge(flight, asked) : differs;
    }

    std::unique_ptr<One> flights_[kSlots];
};

}  // namespace fairlead::simulate
