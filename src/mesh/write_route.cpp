// From a finished search to a Route: the roots from the goal back to the start, the legs between them.
#include <fairlead/base/digest.h>
#include <fairlead/math/trig.h>

#include "base/no_memory.h"
#include "mesh/search_run.h"

namespace fairlead::mesh {

namespace {

constexpr std::uint32_t kStartRoot = 0;

struct LegWriter {
    Route& route;
    Vec3 at{};
    double heading = 0.0;

    /// A straight leg; nothing if it leads nowhere.
    [[nodiscard]] bool walk(Vec3 to) {
        const Vec2 along = ground(to) - ground(at);
        const double far = length(along);
        if (!(far > 0.0)) return true;
        heading = math::atan2(along.y, along.x);
        Leg leg;
        leg.start = {at, heading, 0};
        leg.length = far;
        leg.rise = to.z - at.z;
        route.length += far;
        at = to;
        return route.legs.push_back(leg);
    }
};

std::uint64_t digest_of(const Route& route, std::uint64_t search) {
    Digest digest;
    digest.add(search);
    for (const Leg& leg : route.legs) {
        digest.add(leg.start.position.x);
        digest.add(leg.start.position.y);
        digest.add(leg.start.position.z);
        digest.add(leg.length);
    }
    digest.add(route.end.position.x);
    digest.add(route.end.position.y);
    digest.add(route.end.position.z);
    return digest.value();
}

}  // namespace

bool SearchRun::write_legs(Route& route, const Target& target) {
    const auto in_world = [this](Vec2 p, double z) { return state_->origin + Vec3{p.x, p.y, z}; };
    chain_.clear();
    for (std::uint32_t root = space_.interval(target.interval).root; root != kStartRoot; root = space_.root(root).parent) {
        if (!chain_.push_back(root)) return false;
    }
    LegWriter legs{.route = route, .at = in_world(start_.position, start_.z)};
    for (std::size_t i = chain_.size(); i-- > 0;) {
        const Root& root = space_.root(chain_[i]);
        const double z = state_->tile_of(root.edge).tile->height(state_->local(root.edge));
        if (!legs.walk(in_world(root.at, z))) return false;
    }
    const Vec3 end = in_world(target.at.position, target.at.z);
    if (!legs.walk(end)) return false;
    // Where the goal is the last corner: that corner, at its height, which the last leg leads to.
    route.end = {legs.at, legs.heading, 0};
    return true;
}

Result<void> SearchRun::write(Route& route, PathStatus status, const Target* target) {
    route.clear();
    route.status = status;
    route.planner = planner_name(query_.planner);
    route.revision = state_->revision;
    const bool found = target != nullptr && target->interval != kNone;
    if (found && !write_legs(route, *target)) {
        route.clear();
        return kNoMemory;
    }
    if (found) route.bound = 1.0;
    route.cost = route.length;
    if (!engine_.has_value()) return {};
    route.stats.expanded = engine_->expanded();
    route.stats.generated = engine_->generated();
    route.stats.open_peak = engine_->open_peak();
    route.stats.digest = digest_of(route, engine_->digest());
    return {};
}

Result<void> SearchRun::take(Route& route) {
    FAIRLEAD_ASSERT(!running());
    if (failed_) {
        route.clear();
        return error_;
    }
    const bool found = best_ != kNone && (status_ == PathStatus::complete || status_ == PathStatus::partial);
    return write(route, status_, found ? &targets_[best_] : nullptr);
}

Result<void> SearchRun::take(Route& route, std::uint32_t goal) {
    FAIRLEAD_ASSERT(!running());
    if (failed_) {
        route.clear();
        return error_;
    }
    if (goal >= targets_.size()) return write(route, status_, nullptr);  // the start is nowhere, or it was cancelled
    const Target& target = targets_[goal];
    if (target.status == PathStatus::complete && target.interval == kNone) return write(route, status_, nullptr);
    return write(route, target.status, &target);
}

}  // namespace fairlead::mesh
