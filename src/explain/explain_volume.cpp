// Why a point, a sphere or an upright capsule has no route through a volume.

#include <fairlead/explain/explain.h>

#include <algorithm>
#include <cmath>

#include <fairlead/volume/find_route.h>
#include <fairlead/volume/nearest_free.h>
#include <fairlead/volume/sight.h>

#include "explain/inquiry.h"
#include "explain/pocket.h"
#include "explain/tightest_place.h"
#include "explain/turning_helps.h"
#include "math/segment_space_box.h"
#include "volume/search/masks.h"
#include "volume/search/metric.h"
#include "volume/search/settle.h"
#include "volume/sight/check_unit.h"
#include "volume/sight/each_solid.h"

namespace fairlead {

namespace explaining {

namespace {

struct VolumeWork {
    explicit VolumeWork(const Allocator& a) : masks(a), pocket(a), line(a), radii(a), inner(a) {}
    volume::Masks masks;
    Pocket pocket;
    RouteLine line;
    Array<double> radii;
    Scratch inner;
};

using VolumeInquiry = InquiryOf<VolumeState, VolumeWork>;

constexpr double kFirm = 1.0 / 1024;     ///< sides: a radius so much above the one told has no route
constexpr double kTightStep = 1.0 / 64;  ///< sides: the tightest place is found to that
constexpr double kRadiiMost = 16.0;      ///< sides: of wider spheres no radii between voxels are tried
constexpr int kPlaceTrials = 8;

class VolumeExplainer {
  public:
    VolumeExplainer(VolumeInquiry& inquiry, const VolumeQuery& query, double accuracy)
        : in_(inquiry),
          space_(inquiry.world),
          data_(inquiry.world.data()),
          query_(query),
          half_(core_half_height(query.agent)),
          side_(volume::side_of(data_)),
          step_(accuracy * side_) {
        query_.partial = false;
    }

    // False: an error, in the inquiry.
    [[nodiscard]] bool look() {
        return ask_first(in_, query_, [&](PathStatus status) {
            query_.planner = VolumePlanner::any_angle;
            query_.expansions_max = UINT64_MAX;
            switch (status) {
                case PathStatus::unreachable: return look_at_space();
                case PathStatus::off_world: return tell_off_world();
                case PathStatus::start_blocked: return look_at_end(true);
                case PathStatus::goal_blocked: return look_at_end(false);
                default: in_.out.reason = ExplainReason::budget_spent; return true;
            }
        });
    }

  private:
    [[nodiscard]] std::size_t goal_count() const {
        return query_.goal.is_list() ? query_.goal.list.size() : 1;
    }
    [[nodiscard]] Spot goal_spot(std::size_t i) const {
        return query_.goal.is_list() ? query_.goal.list[i] : query_.goal.at;
    }

    [[nodiscard]] bool tell_off_world() {
        in_.out.reason = ExplainReason::off_world;
        const bool start = !data_.holds(data_.in_voxels(query_.start.position));
        in_.put_place(start ? query_.start.position : goal_spot(0).position);
        return true;
    }

    // ---- a blocked end -------------------------------------------------------------------------------------------

    // The nearest solid voxel, or what is outside of the bounds, that the body reaches into. A place in a solid voxel meets that one.
    void find_touched(Vec3 world) {
        const Vec3 p = data_.in_voxels(world), s = data_.scale;
        const double at[3] = {p.x, p.y, p.z}, unit[3] = {s.x, s.y, s.z};
        const std::int32_t size[3] = {data_.size.x, data_.size.y, data_.size.z};
        const Voxel own = volume::voxel_of(data_, p);
        in_.out.has_voxel = true;
        in_.out.voxel = own;
        if (!data_.is_free(own)) return;
        const double reach = std::min(query_.agent.radius, 64.0 * side_);
        double best = reach * reach;
        bool found = false;
        volume::VoxelRange range;
        for (int k = 0; k < 3; ++k) {
            const double half = k == 2 ? half_ : 0.0, grow = (reach + half) / unit[k] + 1e-6;
            range.cover(k, at[k] - grow, at[k] + grow, size[k]);
            for (const bool high : {false, true}) {
                const double gap = (high ? size[k] - at[k] : at[k]) * unit[k] - half;
                if (gap > 0.0 && gap * gap >= best) continue;
                best = gap > 0.0 ? gap * gap : 0.0;
                found = true;
                in_.out.voxel = own;
                std::int32_t* const axis[3] = {&in_.out.voxel.x, &in_.out.voxel.y, &in_.out.voxel.z};
                *axis[k] = high ? size[k] : -1;
            }
        }
        const Vec3 here{p.x * s.x, p.y * s.y, p.z * s.z};
        (void)volume::each_solid(data_, range, volume::EveryBrick{}, [&](Voxel v) {
            const double squared =
                volume::nearest_on_segment(here, here, volume::taller_box(s, v, half_)).squared;
            if (squared >= best) return false;
            best = squared;
            found = true;
            in_.out.voxel = v;
            return false;
        });
        in_.out.has_voxel = found;
    }

    // Of several goals the first one is looked at, of a region its middle.
    [[nodiscard]] bool look_at_end(bool start) {
        in_.out.reason = start ? ExplainReason::start_blocked : ExplainReason::goal_blocked;
        const Vec3 world = start ? query_.start.position : goal_spot(0).position;
        in_.put_place(world);
        find_touched(world);
        const double radius = query_.agent.radius;
        const double room = volume::room_at(data_, world, half_, std::max(radius, side_));
        in_.out.width = 2.0 * std::min(room, radius);
        if (!move_end(start, nullptr)) return false;
        if (radius == 0.0) return true;
        if (clearance_at(space_, world, side_) > 0.0) return shrink(room);
        in_.help(HelpKind::smaller_body).proof = Proof::none;
        return true;
    }

    // The nearest place where the body fits; `from`: that is connected to it.
    [[nodiscard]] bool move_end(bool start, const Spot* from) {
        const Spot end = start ? query_.start : goal_spot(0);
        VolumeFreeQuery near{.place = end, .agent = query_.agent};
        near.connected = from != nullptr;
        if (from != nullptr) near.from = *from;
        const Result<VolumeFree> spot = nearest_free(space_, near, in_.work.inner);
        if (!spot && spot.error().code == ErrorCode::out_of_range) return true;  // too far off to be measured
        if (!spot) return in_.fail(spot.error());
        const HelpKind kind = start ? HelpKind::move_start : HelpKind::move_goal;
        Help& help = in_.help(kind);
        help.proof = Proof::none;
        if (!spot->found) return true;
        help.has_place = true;
        help.place = {spot->position, 0.0, 0};
        help.value = spot->distance;
        VolumeQuery query = query_;
        query.reach = 0.0;
        if (start) {
            query.start = spot->position;
        } else {
            query.goal = spot->position;
        }
        return try_help(in_, kind, query, asker(in_));
    }

    // ---- no way between the ends -----------------------------------------------------------------------------------

    // Are there two parts of free space, or is the way between the ends too tight?
    [[nodiscard]] bool look_at_space() {
        volume::Masks& masks = in_.work.masks;
        const volume::Body body(data_, query_.agent);
        if (!masks.begin(data_, body)) return in_.no_memory();
        const volume::Settler settler(data_, masks, body, query_.reach);
        volume::WayEnd start, goal;
        Vec3 begins, ends;
        bool on_map = false, joined = false;
        if (!settler.settle(query_.start.position, start, begins, on_map)) return in_.no_memory();
        const std::uint32_t label = volume::label_of(data_, start.voxel);
        in_.work.pocket.begin(data_);
        if (!in_.work.pocket.add(false, start.voxel)) return in_.no_memory();
        for (std::size_t i = 0; i < goal_count() && !joined; ++i) {
            const Vec3 at = goal_spot(i).position;
            const bool within = query_.goal.kind == Goal::Kind::within;
            const Vec3 in = data_.in_voxels(at);
            joined = within && settler.nearest(in, query_.goal.range, &label, goal);
            if (joined) break;
            if (!settler.settle(at, goal, ends, on_map) &&
                !(within && settler.nearest(in, query_.goal.range, nullptr, goal)))
                continue;
            joined = volume::label_of(data_, goal.voxel) == label;
            if (!joined && !in_.work.pocket.add(true, goal.voxel)) return in_.no_memory();
        }
        if (masks.failed()) return in_.no_memory();
        // Smaller bodies are not to be moved elsewhere.
        if (query_.goal.kind == Goal::Kind::point) {
            if (!(begins == data_.in_voxels(query_.start.position))) query_.start = data_.in_world(begins);
            if (!(ends == data_.in_voxels(query_.goal.at.position))) query_.goal = data_.in_world(ends);
            query_.reach = 0.0;
        }
        return joined ? look_at_width() : tell_pocket();
    }

    [[nodiscard]] bool tell_pocket() {
        in_.out.reason = ExplainReason::sealed;
        const Pocket& pocket = in_.work.pocket;
        switch (in_.work.pocket.flood(in_.spending.expansions)) {
            case Answer::no_memory: return in_.no_memory();
            case Answer::yes: break;
            default: in_.out.reason = ExplainReason::budget_spent; return true;
        }
        in_.out.goal_side = pocket.goal_side();
        in_.out.area = pocket.voxels();
        in_.out.walls = pocket.walls();
        in_.out.pocket = pocket.box();
        if (!in_.work.masks.is_narrow() || query_.goal.kind != Goal::Kind::point) return true;
        return move_end(true, &query_.goal.at) && move_end(false, &query_.start);
    }

    [[nodiscard]] bool look_at_width() {
        in_.out.reason = ExplainReason::too_wide;
        // Through every free voxel fits half of one.
        return shrink(0.5 * side_) && tell_tightest();
    }

    // The largest radius with a route, or share of all sizes. A radius of `guess` likely has one.
    [[nodiscard]] bool shrink(double guess) {
        Help& out = in_.help(HelpKind::smaller_body);
        if (query_.agent.height > 0.0) {
            const double half_height = 0.5 * query_.agent.height;
            // Rounding must not make it thinner than any that is taken.
            const double least = volume::kThinnestCapsule * (1.0 + 1e-9) * side_ / query_.agent.radius;
            if (!(least < 1.0)) return true;
            const auto fits =
                with_unit(query_, asker(in_), [](Agent& agent, double f) { agent = scaled_agent(agent, f); });
            return bisect(least, 1.0, guess / half_height, step_ / half_height, 0.0, in_.spending, out, fits);
        }
        const auto fits = with_unit(query_, asker(in_), [](Agent& agent, double r) { agent.radius = r; });
        if (!bisect(0.0, query_.agent.radius, guess, step_, 0.0, in_.spending, out, fits)) return false;
        return out.proof != Proof::found || sharpen(out, fits);
    }

    // Radii at which a sphere just passes two voxels, by halving, then one a little larger than the one that did.
    template <class Fits>
    [[nodiscard]] bool sharpen(Help& out, const Fits& fits) {
        if (!list_radii(out.value, out.failed)) return in_.no_memory();
        const Array<double>& radii = in_.work.radii;
        bool more = true;
        for (std::size_t low = 0, high = radii.size(); low < high && more;) {
            const std::size_t i = low + (high - low) / 2;
            if (!try_value(radii[i], in_.spending, out, fits, more)) return false;
            (out.value == radii[i] ? low : high) = out.value == radii[i] ? i + 1 : i;
        }
        const double above = out.value + kFirm * side_;
        return above >= out.failed || try_value(above, in_.spending, out, fits, more);
    }

    // Half the distances between two voxels, from low to high.
    [[nodiscard]] bool list_radii(double low, double high) {
        Array<double>& radii = in_.work.radii;
        radii.clear();
        if (high > kRadiiMost * side_) return true;
        const auto most = [&](double unit) { return static_cast<std::int32_t>(2.0 * high / unit); };
        const Vec3 s = data_.scale;
        for (std::int32_t z = 0; z <= most(s.z); ++z) {
            for (std::int32_t y = 0; y <= most(s.y); ++y) {
                for (std::int32_t x = 0; x <= most(s.x); ++x) {
                    const double a = x * s.x, b = y * s.y, c = z * s.z;
                    const double radius = 0.5 * std::sqrt(a * a + b * b + c * c);
                    if (radius > low && radius < high && !radii.push_back(radius)) return false;
                }
            }
        }
        std::sort(radii.begin(), radii.end());  // total order
        double* const last = std::unique(radii.begin(), radii.end());
        while (radii.end() != last) radii.pop_back();
        return true;
    }

    // Where the route of the largest radius is too tight for the next one: between the last place on it that a sphere of that radius
    // gets to and the first that it does not.
    [[nodiscard]] bool tell_tightest() {
        const Help& help = in_.help(HelpKind::smaller_body);
        if (help.proof != Proof::found || in_.spending.empty()) return true;
        RouteLine& line = in_.work.line;
        if (!line.begin(help.route)) return in_.no_memory();
        double low = 0.0, high = line.length();
        VolumeQuery query = query_;
        if (query_.agent.height > 0.0)
            query.agent = scaled_agent(query_.agent, help.failed);
        else
            query.agent.radius = help.failed;
        query.reach = 0.0;
        query.start = line.point(0.0);
        Route route;
        for (int i = 0; i < kPlaceTrials && high - low > side_ && !in_.spending.empty(); ++i) {
            double along = 0.0;
            if (!find_standing(low, high, query.agent, along)) break;
            query.goal = line.point(along);
            const Outcome outcome = ask_more(in_, query, route);
            if (outcome == Outcome::error) return false;
            if (outcome == Outcome::spent) break;
            (outcome == Outcome::found ? low : high) = along;
        }
        // Of a capsule the room is told that one of this height has.
        const double wanted = (query_.agent.height > 0.0 ? query : query_).agent.radius;
        const RouteLine::Tight tight = line.tightest(space_, low, high, core_half_height(query.agent), wanted,
                                                     kTightStep * side_, in_.spending.expansions);
        if (tight.room >= wanted) return true;
        in_.put_place(tight.place);
        in_.out.width = 2.0 * tight.room;
        return true;
    }

    // A place on the line where the unit fits, as near the middle of a stretch as may be.
    [[nodiscard]] bool find_standing(double low, double high, const Agent& agent, double& along) const {
        constexpr int kParts = 32;
        for (int i = 0; i < kParts - 1; ++i) {
            const int part = kParts / 2 + (i % 2 == 0 ? -(i / 2) : i / 2 + 1);
            if (part <= 0 || part >= kParts) continue;
            along = low + (high - low) * part / kParts;
            if (fits(space_, in_.work.line.point(along), agent)) return true;
        }
        return false;
    }

    VolumeInquiry& in_;
    const VolumeState& space_;
    const volume::StateData& data_;
    VolumeQuery query_;
    double half_;  ///< of what stands between the round ends of a capsule
    double side_;
    double step_;
};

}  // namespace

}  // namespace explaining

Result<Explanation> explain(const VolumeState& volume, const VolumeQuery& query, Scratch& scratch,
                            const ExplainOptions& options) {
    using namespace explaining;
    return explain_by<VolumeInquiry>(volume, query.agent, scratch, options, [&](VolumeInquiry& inquiry) {
        inquiry.out.world = ExplainWorld::volume;
        return VolumeExplainer(inquiry, query, options.accuracy).look();
    });
}

}  // namespace fairlead
