// Walkers on roadmaps.

#include <fairlead/roadmap/find_route.h>
#include <fairlead/roadmap/smooth.h>

#include "cli/any_world.h"
#include "cli/failure.h"
#include "cli/roadmap_world.h"

namespace fairlead::cli {

namespace {

class RoadWalkers final : public AnyWorld {
  public:
    RoadWalkers(const QueryFlags& flags, const GridQuery& words)
        : path_(flags.world.path()),
          seed_(flags.planner.seed()),
          roads_(load_roadmap_world(flags.world, words.corner)),
          plain_(roadmap_query(words, roads_, flags.check_edges)),
          smoothing_(flags.planner.smoothing().value_or(Smoothing::none)) {
        if (smoothing_ != Smoothing::best && smoothing_ != Smoothing::none)
            fail("--smooth: best or none, on roadmaps");
    }

    void check(const AskedEnds& ends) const override {
        GoalList list;
        (void)query(ends, list);
    }
    Result<void> find(const AskedEnds& ends, Scratch& scratch, Answer& out, bool watched) const override {
        GoalList list;
        const RoadmapQuery asked = query(ends, list);
        const Result<void> done = search_into(roads_.roadmap, asked, scratch, out, watched);
        if (!done || smoothing_ == Smoothing::none) return done;
        return smooth_route(roads_.roadmap, asked, scratch, out.route);
    }
    std::string error(const Error& error) const override { return roadmap_error_text(error); }
    bool is_explained() const override { return true; }
    std::string svg(const AskedEnds& ends, const Answer& answer, bool y_up) const override {
        GoalList list;
        return make_svg(roads_, query(ends, list), answer.route, answer.events, y_up);
    }
    bool has_ways() const override { return true; }
    void show_ways(const AskedEnds& ends, const WaysFlags& ways, bool json) const override {
        if (smoothing_ != Smoothing::none) fail("--smooth: not with --alternatives on roadmaps");
        GoalList list;
        ways.show(path_, roads_.roadmap.state(), query(ends, list), seed_, json, roadmap_error_text);
    }

  private:
    [[nodiscard]] RoadmapQuery query(const AskedEnds& ends, GoalList& list) const {
        RoadmapQuery query = plain_;
        fill(query, ends, list);
        return query;
    }

    std::string path_;
    std::uint64_t seed_;
    RoadmapWorld roads_;
    RoadmapQuery plain_;
    Smoothing smoothing_;
};

}  // namespace

std::unique_ptr<AnyWorld> ask_roadmap(const QueryFlags& flags) {
    flags.planner.refuse_hierarchy_file();
    flags.planner.refuse_reach("not on roadmaps, where places off the net are joined to it");
    GridQuery words = flags.planner.query();
    words.agent = flags.unit.agent();
    refuse_blockers(flags.blockers.blockers());
    return std::make_unique<RoadWalkers>(flags, words);
}

}  // namespace fairlead::cli
