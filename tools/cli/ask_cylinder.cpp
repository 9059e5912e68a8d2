// Walkers in baked cylinders.

#include "cli/any_world.h"
#include "cli/cylinder_world.h"
#include "cli/failure.h"

namespace fairlead::cli {

namespace {

class TubeWalkers final : public AnyWorld {
  public:
    explicit TubeWalkers(const QueryFlags& flags)
        : plain_(plain_query(flags)), tube_(load_cylinder_world(flags.world, plain_.agent, plain_.corner)) {}

    void check(const AskedEnds& ends) const override { (void)ends_in_space(ends, "cylinders"); }
    Result<void> find(const AskedEnds& ends, Scratch& scratch, Answer& out, bool) const override {
        const auto [start, goal] = ends_in_space(ends, "cylinders");
        const Result<std::uint64_t> ns = tube_.solve(plain_, start, goal, scratch, out.route);
        if (!ns) return ns.error();
        out.ns = *ns;
        return {};
    }
    std::string error(const Error& error) const override { return query_error_text(error); }
    bool in_space() const override { return true; }
    void check_svg() const override { fail("--svg: not in this version: cylinders have no picture"); }
    void check_trace() const override { fail("--trace: not in this version: for cylinders"); }
    std::string svg(const AskedEnds&, const Answer&, bool) const override { return {}; }

  private:
    static GridQuery plain_query(const QueryFlags& flags) {
        GridQuery query = flags.planner.query();
        query.agent = flags.unit.agent();
        return query;
    }

    GridQuery plain_;
    CylinderTiles tube_;
};

}  // namespace

std::unique_ptr<AnyWorld> ask_cylinder(const QueryFlags& flags) {
    refuse_flat(flags, "not in cylinders", false);
    return std::make_unique<TubeWalkers>(flags);
}

}  // namespace fairlead::cli
