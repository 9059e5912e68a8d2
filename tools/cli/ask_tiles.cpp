// Walkers on tile maps.

#include <fairlead/debug/draw.h>
#include <fairlead/grid/find_route.h>

#include "cli/any_world.h"
#include "cli/failure.h"
#include "cli/picture.h"

namespace fairlead::cli {

namespace {

class TileWalkers final : public AnyWorld {
  public:
    explicit TileWalkers(const QueryFlags& flags)
        : path_(flags.world.path()),
          seed_(flags.planner.seed()),
          blockers_(flags.blockers.blockers()),
          factors_(flags.areas.factors(flags.world)),
          plain_(plain_query(flags)),
          grid_(load_grid(flags.world, plain_.agent, plain_.corner, flags.planner.hierarchy())) {
        plain_.blockers = blockers_;
        plain_.terrain.factors = factors_;
    }

    void check(const AskedEnds& ends) const override {
        GoalList list;
        (void)query(ends, list);
    }
    Result<void> find(const AskedEnds& ends, Scratch& scratch, Answer& out, bool watched) const override {
        GoalList list;
        const Result<void> done = search_into(grid_, query(ends, list), scratch, out, watched);
        if (done && watched) debug::add_path(out.events, out.route);
        return done;
    }
    std::string error(const Error& error) const override { return query_error_text(error); }
    bool is_explained() const override { return true; }
    std::string svg(const AskedEnds& ends, const Answer& answer, bool y_up) const override {
        GoalList list;
        return make_svg({grid_, query(ends, list), answer.route, answer.events, y_up});
    }
    bool has_ways() const override { return true; }
    void show_ways(const AskedEnds& ends, const WaysFlags& ways, bool json) const override {
        GoalList list;
        ways.show(path_, grid_.state(), query(ends, list), seed_, json, query_error_text);
    }

  private:
    static GridQuery plain_query(const QueryFlags& flags) {
        GridQuery query = flags.planner.query();
        query.agent = flags.unit.agent();
        query.certify = flags.certify;
        return query;
    }
    [[nodiscard]] GridQuery query(const AskedEnds& ends, GoalList& list) const {
        GridQuery query = plain_;
        fill(query, ends, grid_, list);
        turns_in_units(query, grid_);
        return query;
    }

    std::string path_;
    std::uint64_t seed_;
    std::vector<Blocker> blockers_;
    std::vector<double> factors_;
    GridQuery plain_;
    Grid grid_;
};

}  // namespace

std::unique_ptr<AnyWorld> ask_tiles(const QueryFlags& flags) { return std::make_unique<TileWalkers>(flags); }

}  // namespace fairlead::cli
