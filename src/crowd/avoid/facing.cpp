// First the velocity of a unit that could go anywhere and change it at once: where it would like to go. Then the facing that serves this
// best,
// within what the hard planes allow along each. A facing is kept until another is clearly better: so a way between two
// facings becomes a few long legs, not a stair of steps. What cannot be reached in one step (limits of acceleration, of turning) is come
// nearer
// to: the unit slows down along its facing until it can turn, and turns facing by facing.
#include "crowd/avoid/facing.h"

#include <fairlead/math/trig.h>

#include "crowd/avoid/velocity_program.h"

namespace fairlead::crowd {

namespace {

constexpr double kTwoPiHere = 6.283185307179586476925;
constexpr double kAlongPlane = 1e-12;  // a cosine: so far off a plane's border counts as along it
constexpr double kKeeps = 0.65;        // of the angle between facings
constexpr double kTooSlow = 0.02;      // of the speed: so little says nothing about a facing
constexpr double kSoftWeight = 1.0;

/// How much more than another velocity it violates the soft planes.
double worst_violation(const FacingProgram& program, Vec2 u) {
    double worst = 0.0;
    for (std::size_t i = program.hard; i < program.planes.size(); ++i) {
        const double missing = program.planes[i].violation(u);
        if (missing > worst) worst = missing;
    }
    return worst;
}

struct Candidate {
    SpeedSpan speeds{};
    double cost = 0.0;
    bool open = false;
};

class Chooser {
  public:
    Chooser(const FacingProgram& program, Vec2 ideal)
        : program_(program), ideal_(ideal), allowed_(worst_violation(program, ideal)) {}

    [[nodiscard]] Vec2 direction(std::int32_t facing) const { return direction_of(program_.facings, facing); }
    /// `turn` facings to the left.
    [[nodiscard]] std::int32_t turned(std::int32_t turn) const {
        return (program_.facing + turn) & (program_.facings - 1);
    }
    [[nodiscard]] Candidate look(std::int32_t turn) const {
        Candidate out;
        const Vec2 along = direction(turned(turn));
        out.open = speeds_along(program_.planes.first(program_.hard), along, program_.speed_max, out.speeds);
        if (!out.open) return out;
        const Vec2 u = along * out.speeds.nearest(dot(ideal_, along));
        const double more = worst_violation(program_, u) - allowed_;
        out.cost = dot(u - ideal_, u - ideal_) + (more > 0.0 ? kSoftWeight * more * more : 0.0);
        return out;
    }
    /// Towards which facing it turns, counted from the present one to the left.
    [[nodiscard]] std::int32_t aim() const {
        const double size2 = dot(ideal_, ideal_);
        if (!(size2 > kTooSlow * kTooSlow * program_.speed_max * program_.speed_max)) return 0;
        const double keeps = math::sin(kKeeps * kTwoPiHere / program_.facings);
        const Candidate present = look(0);
        if (present.open && present.cost <= keeps * keeps * size2) return 0;
        std::int32_t best = 0;
        double least = present.open ? present.cost : size2;
        const std::int32_t half = program_.facings / 2;
        for (std::int32_t k = 1; k <= half; ++k) {
            for (const std::int32_t turn : {k, -k}) {
                const Candidate other = look(turn);
                if (!other.open || !(other.cost < least)) continue;
                least = other.cost;
                best = turn;
            }
        }
        return best;
    }
    /// A speed along a facing that can be reached in this step.
    [[nodiscard]] bool reach(std::int32_t turn, SpeedSpan& out) const {
        const Vec2 along = direction(turned(turn));
        SpeedSpan change;
        if (!speeds_along(program_.planes.first(program_.hard), along, program_.speed_max, out)) return false;
        if (!speeds_along(program_.reach, along, program_.speed_max, change)) return false;
        if (change.low > out.low) out.low = change.low;
        if (change.high < out.high) out.high = change.high;
        return out.low <= out.high;
    }

  private:
    const FacingProgram& program_;
    Vec2 ideal_;
    double allowed_;
};

}  // namespace

Vec2 direction_of(std::int32_t facings, std::int32_t facing) {
    const std::int32_t quarter = facings / 4;
    const std::int32_t rest = facing % quarter;
    Vec2 out = rest == 0 ? Vec2{1.0, 0.0} : math::direction(rest * (kTwoPiHere / facings));
    for (std::int32_t i = facing / quarter; i > 0; --i) out = {-out.y, out.x};
    return out;
}

bool speeds_along(std::span<const HalfPlane> planes, Vec2 direction, double speed_max, SpeedSpan& out) {
    out = {0.0, speed_max};
    for (const HalfPlane& plane : planes) {
        const double slope = dot(plane.normal, direction);
        if (slope > -kAlongPlane && slope < kAlongPlane) {
            if (plane.offset > kAlongPlane * speed_max) return false;
            continue;
        }
        const double at = plane.offset / slope;
        if (slope > 0.0) {
            if (at > out.low) out.low = at;
        } else if (at < out.high) {
            out.high = at;
        }
    }
    return out.low <= out.high;
}

bool choose_facing(const FacingProgram& program, Vec2 wanted, FacingChoice& out) {
    Vec2 ideal{};
    if (!solve({program.planes, program.hard, program.speed_max}, wanted, ideal)) return false;
    const Chooser chooser(program, ideal);
    const std::int32_t aim = chooser.aim();
    const std::int32_t side = aim < 0 ? -1 : 1;
    SpeedSpan speeds;
    for (std::int32_t k = aim * side < program.turns ? aim * side : program.turns; k > 0; --k) {
        if (!chooser.reach(side * k, speeds)) continue;
        out.facing = chooser.turned(side * k);
        out.speed = speeds.nearest(dot(ideal, chooser.direction(out.facing)));
        return true;
    }
    if (!chooser.reach(0, speeds)) return false;
    out.facing = program.facing;
    const bool slows = aim != 0 && program.turns > 0;
    out.speed = slows ? speeds.low : speeds.nearest(dot(ideal, chooser.direction(out.facing)));
    return true;
}

}  // namespace fairlead::crowd
