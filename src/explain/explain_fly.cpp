// Why a unit with a turning circle has no route through a volume.
//
// First what fits within its body, a sphere or an upright capsule that turns on the spot: where that has no way its reason is the unit's
// (explain_volume.cpp), and it is proven. Where it has one the unit cannot turn into it, or the search gave up before it found how: other
// headings, smaller circles and bodies are tried, each alone. A search that ended without a route counts as one that has none.

#include <fairlead/explain/explain.h>

#include <algorithm>
#include <cmath>

#include <fairlead/fly/find_fly.h>
#include <fairlead/math/trig.h>
#include <fairlead/volume/find_route.h>

#include "explain/turning_helps.h"
#include "fly/check_flier.h"
#include "volume/search/metric.h"

namespace fairlead {

namespace {

using namespace explaining;

struct FlyExplainWork {
    explicit FlyExplainWork(const Allocator&) {}
    Scratch inner;
};
using FlyInquiry = InquiryOf<VolumeState, FlyExplainWork>;

constexpr int kHeadings = 8;
constexpr double kLeastCircleInSpace = 0.25;  // voxels
constexpr std::int32_t kSpaceTrials = 20;     // of what fits within it

class FlyExplainer {
  public:
    FlyExplainer(FlyInquiry& inquiry, const FlyQuery& query, const ExplainOptions& options)
        : in_(inquiry),
          data_(inquiry.world.data()),
          out_(inquiry.out),
          query_(query),
          options_(options),
          side_(volume::side_of(data_)) {
        query_.partial = false;
    }

    // False: an error, in the inquiry.
    [[nodiscard]] bool look() {
        return ask_first(in_, query_, [&](PathStatus status) {
            query_.smooth = false;
            switch (status) {
                case PathStatus::off_world: return tell_off_world();
                case PathStatus::start_blocked: return look_at_end(true);
                case PathStatus::goal_blocked: return look_at_end(false);
                default: return in_.spending.empty() ? tell_spent() : look_at_space();
            }
        });
    }

  private:
    [[nodiscard]] const Spot& spot(bool start) const { return start ? query_.start : query_.goal.at; }
    // The search has no other end where there is no way: by then it has looked.
    [[nodiscard]] auto ask() {
        return [this](const FlyQuery& query, Route& route) {
            if (!fly::check_flying_body(data_, query.agent)) return Outcome::failed;  // made too thin
            const Outcome outcome = ask_more(in_, query, route);
            return outcome == Outcome::spent && in_.spending.expansions > 0 ? Outcome::failed : outcome;
        };
    }

    [[nodiscard]] bool tell_spent() {
        out_.reason = ExplainReason::budget_spent;
        return true;
    }
    [[nodiscard]] bool tell_off_world() {
        out_.reason = ExplainReason::off_world;
        const bool start = !data_.holds(data_.in_voxels(query_.start.position));
        out_.goal_side = !start;
        in_.put_place(spot(start).position, spot(start).heading_rad);
        return true;
    }

    // ---- a blocked end ---------------------------------------------------------------------------------------------

    [[nodiscard]] bool look_at_end(bool start) {
        out_.reason = start ? ExplainReason::start_blocked : ExplainReason::goal_blocked;
        out_.goal_side = !start;
        in_.put_place(spot(start).position, spot(start).heading_rad);
        return try_without_blockers() && try_headings(start) &&
               TurningHelps(in_, query_, options_.accuracy, ask()).shrink_body(0.0, 1.0);
    }

    // ---- no way between the ends -----------------------------------------------------------------------------------

    [[nodiscard]] bool look_at_space() {
        VolumeQuery within{.start = query_.start.position, .goal = query_.goal.at.position};
        within.agent = fly::body_within(data_, query_.agent);
        Explanation space;
        if (!explain_simpler(in_, within, options_, kSpaceTrials, space)) return false;
        if (space.reason == ExplainReason::none) return look_at_turning();
        return TurningHelps(in_, query_, options_.accuracy, ask()).shrink_body(0.0, 1.0);
    }

    [[nodiscard]] bool look_at_turning() {
        out_.reason = ExplainReason::turning;
        TurningHelps change(in_, query_, options_.accuracy, ask());
        return try_without_blockers() && try_headings(false) && try_headings(true) &&
               change.shrink_circle(kLeastCircleInSpace * side_, side_) && change.shrink_body(0.0, 1.0);
    }

    [[nodiscard]] bool try_without_blockers() {
        if (query_.blockers.empty()) return true;
        FlyQuery query = query_;
        query.blockers = {};
        if (!try_help(in_, HelpKind::no_blockers, query, ask())) return false;
        in_.help(HelpKind::no_blockers).value = -1.0;
        return true;
    }

    // A flyer's ends have headings: others are tried one by one, the nearest first.
    [[nodiscard]] bool try_headings(bool start) {
        const HelpKind kind = start ? HelpKind::start_heading : HelpKind::goal_heading;
        FlyQuery query = query_;
        Spot& end = start ? query.start : query.goal.at;
        const double own = end.heading_rad;
        for (int i = 1; i < kHeadings && in_.help(kind).proof != Proof::found; ++i) {
            const int turns = i % 2 == 1 ? (i + 1) / 2 : -(i / 2);
            end.heading_rad = math::wrap_pi(own + turns * (kTwoPi / kHeadings));
            if (!try_help(in_, kind, query, ask())) return false;
        }
        Help& help = in_.help(kind);
        if (help.proof == Proof::found) help.value = end.heading_rad;
        return true;
    }

    FlyInquiry& in_;
    const volume::StateData& data_;
    Explanation& out_;
    FlyQuery query_;
    const ExplainOptions& options_;
    double side_;
};

}  // namespace

Result<Explanation> explain(const VolumeState& volume, const FlyQuery& query, Scratch& scratch,
                            const ExplainOptions& options) {
    return explain_by<FlyInquiry>(volume, query.agent, scratch, options, [&](FlyInquiry& inquiry) {
        inquiry.out.world = ExplainWorld::volume;
        return FlyExplainer(inquiry, query, options).look();
    });
}

}  // namespace fairlead
