// Units with a turning circle on tile maps, with and without speeds.

#include <optional>

#include "cli/any_world.h"
#include "cli/drive_solve.h"
#include "cli/failure.h"
#include "cli/flags.h"

namespace fairlead::cli {

namespace {

/// What both share: the map and the query between two poses.
class OnTiles : public AnyWorld {
  public:
    OnTiles(const QueryFlags& flags, const Agent& agent)
        : job_(flags.drive.job(agent, flags.unit.facings(), flags.planner)),
          tiles_(flags.world, agent, flags.drive, blockers_of(flags, job_), job_) {
        check_floors(job_, tiles_.map());
    }

    void check(const AskedEnds& ends) const override {
        const auto [start, goal] = drive_ends(ends);
        check_ends(job_, start, goal);
        (void)to_floor(ends.start.where_height, ends.start.z, tiles_.grid());
        (void)to_floor(ends.goal().where_height, ends.goal().z, tiles_.grid());
    }
    bool turns_on_spot() const override { return false; }

  protected:
    [[nodiscard]] const DriveJob& job() const { return job_; }
    [[nodiscard]] const DriveWorld& tiles() const { return tiles_; }
    [[nodiscard]] DriveQuery query(const AskedEnds& ends) const {
        const auto [start, goal] = drive_ends(ends);
        return query_between(job_, start, goal, tiles_.grid());
    }

  private:
    static std::vector<Blocker> blockers_of(const QueryFlags& flags, const DriveJob& job) {
        std::vector<Blocker> blockers = flags.blockers.blockers();
        check_blockers(job, blockers);
        return blockers;
    }

    DriveJob job_;
    DriveWorld tiles_;
};

class TurningOnTiles final : public OnTiles {
  public:
    TurningOnTiles(const QueryFlags& flags, const Agent& agent)
        : OnTiles(flags, agent), sets_{flags.drive.start_headings(), flags.drive.goal_headings()} {
        if (flags.speed.turns())
            pivot_penalty_ = flags.speed.pivot_penalty(tiles().grid().state().cell_size());
    }

    void check(const AskedEnds& ends) const override {
        OnTiles::check(ends);
        if (!sets_.start.empty() && ends.start.heading_rad) fail("--start-headings: --start has a heading");
        if (!sets_.goal.empty() && ends.goal().heading_rad) fail("--goal-headings: --goal has a heading");
    }
    Result<void> find(const AskedEnds& ends, Scratch& scratch, Answer& out, bool watched) const override {
        const std::vector<DriveQuery> asked = all_headings(ends);
        DriveNotes notes;
        const Result<std::uint64_t> ns =
            solve_cheapest(tiles(), job(), asked, scratch, out.route, notes, out.heading);
        if (!ns) return ns.error();
        out.ns = *ns;
        out.note = notes_text(notes, job().facings);
        out.events.clear();
        if (!watched || !job().searches_poses()) return {};
        const Result<std::uint64_t> again =
            solve_drive(tiles(), job(), asked[out.heading], scratch, out.route, notes, &out.events);
        return again ? Result<void>() : again.error();
    }
    std::string error(const Error& error) const override { return flag_error_text(error); }
    bool is_explained() const override { return true; }
    void check_trace() const override { cli::check_trace(job()); }
    std::string svg(const AskedEnds& ends, const Answer& answer, bool y_up) const override {
        return make_svg(tiles(), all_headings(ends)[answer.heading], answer.route, answer.events, y_up);
    }

  private:
    [[nodiscard]] std::vector<DriveQuery> all_headings(const AskedEnds& ends) const {
        DriveQuery plain = query(ends);
        if (pivot_penalty_) plain.pivot_penalty = *pivot_penalty_;
        return each_heading(plain, sets_);
    }

    HeadingSets sets_;
    std::optional<double> pivot_penalty_{};
};

class TimedOnTiles final : public OnTiles {
  public:
    TimedOnTiles(const QueryFlags& flags, const Agent& agent)
        : OnTiles(flags, agent), speed_(flags.speed), planner_(flags.planner) {
        if (!tiles().map().state().is_plain()) fail("--speed: not on worlds with several floors or portals");
        if (!flags.drive.start_headings().empty() || !flags.drive.goal_headings().empty())
            fail("--start-headings, --goal-headings: not with --speed");
    }

    Result<void> find(const AskedEnds& ends, Scratch&, Answer& out, bool) const override {
        out.ns = solve_timed(tiles(), speed_, speed_.query(query(ends), planner_), out.route);
        out.note = timed_text(out.route);
        return {};
    }
    std::string error(const Error& error) const override { return flag_error_text(error); }
    void check_trace() const override { fail("--trace: not with --speed, whose search tells no events"); }
    void append_line(std::string& out, std::int64_t id, const Answer& answer,
                     std::uint64_t ns) const override {
        out += timed_json(id, answer.route, ns);
    }
    std::string svg(const AskedEnds& ends, const Answer& answer, bool y_up) const override {
        return make_svg(tiles(), query(ends), answer.route, answer.events, y_up);
    }

  private:
    const SpeedFlags& speed_;
    const PlannerFlags& planner_;
};

}  // namespace

std::unique_ptr<AnyWorld> ask_drive(const QueryFlags& flags, const Agent& agent) {
    if (flags.check_edges) fail("--check-edges: for roadmaps only");
    flags.speed.check(flags.planner);
    if (!flags.speed.given()) return std::make_unique<TurningOnTiles>(flags, agent);
    if (agent.can_pivot) fail("--pivot: with --speed it takes a --turn-rate too");
    return std::make_unique<TimedOnTiles>(flags, agent);
}

}  // namespace fairlead::cli
