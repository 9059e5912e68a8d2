// RunState: where a run stands, and one slice of its engine.
#pragma once

#include <algorithm>
#include <cstdint>

#include <fairlead/base/error.h>
#include <fairlead/route/route.h>
#include <fairlead/search/engine.h>
#include <fairlead/search/hooks.h>
#include <fairlead/search/scratch.h>

namespace fairlead {

/// What a run begins with, beside its world and its query.
struct RunStart {
    const SearchHooks& hooks;
    Scratch& scratch;        ///< that the run lives in, for what it shares with other runs
    bool all_goals = false;  ///< a route to each of several goals
};

/// What a slice of a search came to.
enum class SliceEnd : std::uint8_t { running, found, exhausted, spent, no_memory };

template <class Engine>
[[nodiscard]] SearchStats stats_of(const Engine& engine) {
    return {engine.expanded(), engine.generated(), engine.open_peak(), engine.digest()};
}

/// Of one search after another.
inline void add_stats(SearchStats& sum, const SearchStats& more) {
    sum.expanded += more.expanded;
    sum.generated += more.generated;
    sum.open_peak = std::max(sum.open_peak, more.open_peak);
    sum.digest ^= more.digest;
}

/// Stage is the run's own enumeration; its `done` is the end.
template <class Stage>
class RunState {
  public:
    void begin(Stage first, std::uint64_t expansions_max) {
        stage = first;
        status = PathStatus::budget_spent;  // what is true until it is done
        failed_ = false;
        expansions_max_ = expansions_left_ = expansions_max;
    }
    void fail(const Error& error) {
        failed_ = true;
        error_ = error;
        stage = Stage::done;
    }
    void finish(PathStatus with) {
        status = with;
        stage = Stage::done;
    }

    [[nodiscard]] bool running() const { return stage != Stage::done; }
    [[nodiscard]] bool failed() const { return failed_; }
    [[nodiscard]] const Error& error() const { return error_; }
    [[nodiscard]] std::uint64_t expansions_max() const { return expansions_max_; }
    [[nodiscard]] std::uint64_t expansions_left() const { return expansions_left_; }
    void spend(std::uint64_t expansions) { expansions_left_ -= std::min(expansions_left_, expansions); }

    Stage stage = Stage::done;
    PathStatus status = PathStatus::unreachable;

  private:
    bool failed_ = false;
    Error error_{};
    std::uint64_t expansions_max_ = 0;
    std::uint64_t expansions_left_ = 0;
};

/// Expands states with step(budget) -> SearchProgress, no more than are left of the slice and of the query's limit. `count`: how
/// many were expanded so far. At the limit nothing is expanded: spent, unless already the starts found no room.
template <class Stage, class Step, class Count>
[[nodiscard]] SliceEnd step_within(RunState<Stage>& at, std::uint64_t& left, Step step, Count count) {
    const std::uint64_t slice = std::min(left, at.expansions_left());
    const std::uint64_t before = count();
    const SearchProgress progress = step(slice);
    const std::uint64_t used = count() - before;
    at.spend(used);
    left -= std::min(left, std::max<std::uint64_t>(used, 1));
    switch (progress) {
        case SearchProgress::no_memory: return SliceEnd::no_memory;
        case SearchProgress::found: return slice == 0 ? SliceEnd::spent : SliceEnd::found;
        case SearchProgress::exhausted: return slice == 0 ? SliceEnd::spent : SliceEnd::exhausted;
        case SearchProgress::running: break;
    }
    return at.expansions_left() == 0 ? SliceEnd::spent : SliceEnd::running;
}

}  // namespace fairlead
