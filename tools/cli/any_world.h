// Every world and unit that a route can be asked for: made of the flags once, then asked by `route` and `batch`. Who adds a world
// or a unit writes one class, in a file ask_*.cpp; the commands do not change.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include <fairlead/base/result.h>
#include <fairlead/debug/trace.h>
#include <fairlead/route/route.h>
#include <fairlead/search/scratch.h>

#include "cli/ends.h"
#include "cli/query_flags.h"
#include "cli/volume_picture.h"
#include "cli/ways.h"

namespace fairlead::cli {

/// Of one query.
struct Answer {
    Route route{};
    std::uint64_t ns = 0;   ///< processor time of the search
    std::string note{};     ///< what is to be said beside the route; empty: nothing
    debug::Trace events{};  ///< if they were asked for
    std::size_t heading =
        0;  ///< of the headings listed: which of them the route has (drive_solve.h, each_heading)
};

/// Shared by threads: every const function may run on several at once.
class AnyWorld {
  public:
    AnyWorld() = default;
    AnyWorld(const AnyWorld&) = delete;
    AnyWorld& operator=(const AnyWorld&) = delete;
    virtual ~AnyWorld() = default;

    /// Fails where the ends have no meaning here. Before any search.
    virtual void check(const AskedEnds& ends) const = 0;
    /// Into an answer whose memory is reused. `watched`: with the search's events, at the cost of time.
    [[nodiscard]] virtual Result<void> find(const AskedEnds& ends, Scratch& scratch, Answer& out,
                                            bool watched) const = 0;
    /// What the library says about a query, in the words of the command line.
    [[nodiscard]] virtual std::string error(const Error& error) const = 0;

    /// The unit turns on the spot, so that headings asked for are added to its route.
    [[nodiscard]] virtual bool turns_on_spot() const { return true; }
    /// Places have a height.
    [[nodiscard]] virtual bool in_space() const { return false; }
    /// `explain` knows this world and unit.
    [[nodiscard]] virtual bool is_explained() const { return false; }
    /// Fails where there is no picture (--svg), nor events to watch (--trace).
    virtual void check_svg() const {}
    virtual void check_trace() const {}
    /// Fails where pictures cannot be turned over.
    virtual void check_y_up() const {}
    /// The answer's line of ROUTES.jsonl.
    virtual void append_line(std::string& out, std::int64_t id, const Answer& answer, std::uint64_t ns) const;
    /// For people, after the legs.
    virtual void print_more(const Route&) const {}

    [[nodiscard]] virtual std::string svg(const AskedEnds& ends, const Answer& answer, bool y_up) const = 0;
    /// Volumes have these two, and know how they are looked at.
    [[nodiscard]] virtual std::string png(const Answer&) const { return {}; }
    [[nodiscard]] virtual std::string obj(const Answer&) const { return {}; }

    [[nodiscard]] virtual bool has_ways() const { return false; }
    /// --alternatives, where there are any.
    virtual void show_ways(const AskedEnds&, const WaysFlags&, bool /*json*/) const {}
};

/// The world of the flags. Fails with the flag or the file, and the reason. `look` is of volumes. The flags must outlive it.
[[nodiscard]] std::unique_ptr<AnyWorld> load_any_world(const QueryFlags& flags, const LookFlags* look);

[[nodiscard]] std::unique_ptr<AnyWorld> ask_tiles(const QueryFlags& flags);
[[nodiscard]] std::unique_ptr<AnyWorld> ask_drive(const QueryFlags& flags, const Agent& agent);
[[nodiscard]] std::unique_ptr<AnyWorld> ask_roadmap(const QueryFlags& flags);
[[nodiscard]] std::unique_ptr<AnyWorld> ask_mesh(const QueryFlags& flags);
[[nodiscard]] std::unique_ptr<AnyWorld> ask_mesh_drive(const QueryFlags& flags, const Agent& agent);
[[nodiscard]] std::unique_ptr<AnyWorld> ask_volume(const QueryFlags& flags, const LookFlags* look);
[[nodiscard]] std::unique_ptr<AnyWorld> ask_cylinder(const QueryFlags& flags);

/// Fails for flags that tiles and roadmaps have, and their walkers. `has_tables`: --table means something there.
void refuse_flat(const QueryFlags& flags, const char* where, bool has_tables);

/// The search of a world with a find_route of its own, into the answer.
template <class World, class Query>
[[nodiscard]] Result<void> search_into(const World& world, const Query& query, Scratch& scratch, Answer& out,
                                       bool watched) {
    SearchHooks hooks;
    out.note.clear();
    out.events.clear();
    if (watched) hooks.trace = out.events.hook();
    const Result<std::uint64_t> ns = timed_search(world, query, scratch, out.route, hooks);
    if (!ns) return ns.error();
    out.ns = *ns;
    return {};
}

}  // namespace fairlead::cli
