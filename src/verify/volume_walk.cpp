// Each free voxel, grown by a little, holds one interval of a straight piece. The walk is in it from the moment it
// comes in to the interval's end, and may change to the voxel behind a face while it is in both. Where no solid voxel
// is near, that is everywhere.
#include "verify/volume_walk.h"

#include <cmath>

namespace fairlead::witness {

namespace {

constexpr double kNoArrival = 2.0;
constexpr double kStepVoxels = 4.0;

}  // namespace

bool VolumeWalk::inside(const Triple& p, double room) const {
    for (std::size_t k = 0; k < 3; ++k) {
        if (p[k] < -room || p[k] > frame_.extent[k] + room) return false;
    }
    return true;
}

bool VolumeWalk::pass_freely(const Chord& chord, double room) {
    if (!anywhere_ && count_ == 0) return false;
    if (!inside(chord.a, room) || !inside(chord.at(1.0), room)) return false;
    const double corner = 2.0 * room;  // at least the diagonal of what the box grows by
    const bool met = near_.each(chord, corner, [&](const Lattice&, const VoxelSides& box) {
        return !shares_within(chord, box, room).none();
    });
    if (met || budget_.spent()) return false;
    anywhere_ = true;
    reached_ = 1.0;
    return true;
}

bool VolumeWalk::pass(const Chord& chord, double room) {
    if (pass_freely(chord, room)) return true;
    double voxels = 0.0;
    for (std::size_t k = 0; k < 3; ++k) voxels = larger(voxels, std::fabs(chord.d[k]) / frame_.voxel[k]);
    const double steps = larger(1.0, std::ceil(voxels / kStepVoxels));
    if (steps == 1.0) return walk(chord, room);
    for (double i = 0.0; i < steps; i += 1.0) {
        const double from = i / steps;
        const double to = i + 1.0 < steps ? (i + 1.0) / steps : 1.0;
        const Chord part = chord.part(from, to);
        if (pass_freely(part, room) || walk(part, room)) continue;
        reached_ = from + reached_ * (to - from);
        return false;
    }
    reached_ = 1.0;
    return true;
}

bool VolumeWalk::walk(const Chord& chord, double room) {
    Step step;
    reached_ = 0.0;
    if (budget_.spent() || !lay_out(chord, room, step)) return false;
    fill(chord, room, step);
    enter(step);
    spread(step);
    return leave(step);
}

/// The voxels around a step. False: it is not a step.
bool VolumeWalk::lay_out(const Chord& chord, double room, Step& step) const {
    const Triple to = chord.at(1.0);
    for (std::size_t k = 0; k < 3; ++k) {
        const double low = std::floor((smaller(chord.a[k], to[k]) - room) / frame_.voxel[k]);
        const double high = std::floor((larger(chord.a[k], to[k]) + room) / frame_.voxel[k]);
        const double last = static_cast<double>(frame_.count[k]) - 1.0;
        const double from = larger(0.0, smaller(low, last));
        const double until = smaller(last, larger(high, 0.0));
        if (!(until - from < static_cast<double>(kSideMax))) return false;
        step.low[k] = static_cast<std::int32_t>(from);
        step.side[k] = static_cast<std::int32_t>(until - from) + 1;
    }
    return true;
}

void VolumeWalk::fill(const Chord& chord, double room, Step& step) {
    std::size_t i = 0;
    for (std::int32_t z = 0; z < step.side[2]; ++z) {
        for (std::int32_t y = 0; y < step.side[1]; ++y) {
            for (std::int32_t x = 0; x < step.side[0]; ++x, ++i) {
                const Lattice v{step.low[0] + x, step.low[1] + y, step.low[2] + z};
                if (!volume_.is_free({v[0], v[1], v[2]})) continue;
                const Shares shares = shares_within(chord, sides_of(frame_, v), room);
                step.rooms[i] = {shares.low, shares.high, kNoArrival};
            }
        }
    }
    const std::uint64_t bricks = step.count() / 64 + 1;
    budget_.left = budget_.left > bricks ? budget_.left - bricks : 0;
}

/// Where the last piece ended the step may start, whatever rounding says of it.
void VolumeWalk::enter(Step& step) const {
    if (anywhere_) {
        for (std::size_t i = 0; i < step.count(); ++i) {
            if (step.rooms[i].low <= 0.0 && step.rooms[i].high >= 0.0) step.rooms[i].arrive = 0.0;
        }
        return;
    }
    for (std::size_t e = 0; e < count_; ++e) {
        std::array<std::size_t, 3> at{};
        bool held = true;
        for (std::size_t k = 0; k < 3; ++k) {
            const std::int32_t off = ends_[e][k] - step.low[k];
            held = held && off >= 0 && off < step.side[k];
            at[k] = static_cast<std::size_t>(off < 0 ? 0 : off);
        }
        if (!held) continue;
        const auto wide = static_cast<std::size_t>(step.side[0]);
        const auto high = static_cast<std::size_t>(step.side[1]);
        Room& room = step.rooms[at[0] + wide * (at[1] + high * at[2])];
        room.arrive = 0.0;
        if (room.low > room.high || room.high < 0.0) room.high = 0.0;
        room.low = 0.0;
    }
}

void VolumeWalk::spread(Step& step) {
    const auto wide = static_cast<std::size_t>(step.side[0]);
    const auto high = static_cast<std::size_t>(step.side[1]);
    const std::size_t count = step.count();
    const auto flow = [&](std::size_t from, std::size_t to) {
        const Room& a = step.rooms[from];
        Room& b = step.rooms[to];
        const double when = larger(a.arrive, b.low);
        if (when > smaller(a.high, b.high) || when >= b.arrive) return false;
        b.arrive = when;
        return true;
    };
    for (bool changed = true; changed;) {
        changed = false;
        for (std::size_t i = 0; i < count; ++i) {
            const std::size_t x = i % wide;
            const std::size_t y = i / wide % high;
            const std::size_t strides[3] = {1, wide, wide * high};
            const bool more[3] = {x + 1 < wide, y + 1 < high, i + wide * high < count};
            for (std::size_t k = 0; k < 3; ++k) {
                if (!more[k]) continue;
                changed = flow(i, i + strides[k]) || changed;
                changed = flow(i + strides[k], i) || changed;
            }
        }
    }
}

bool VolumeWalk::leave(const Step& step) {
    anywhere_ = false;
    count_ = 0;
    const auto wide = static_cast<std::size_t>(step.side[0]);
    const auto high = static_cast<std::size_t>(step.side[1]);
    for (std::size_t i = 0; i < step.count(); ++i) {
        const Room& room = step.rooms[i];
        if (room.arrive > 1.0) continue;
        reached_ = larger(reached_, smaller(room.high, 1.0));
        if (room.high < 1.0 || count_ == kEndsMax) continue;
        const std::size_t x = i % wide;
        const std::size_t y = i / wide % high;
        const std::size_t z = i / (wide * high);
        ends_[count_++] = {step.low[0] + static_cast<std::int32_t>(x),
                           step.low[1] + static_cast<std::int32_t>(y),
                           step.low[2] + static_cast<std::int32_t>(z)};
    }
    return count_ > 0;
}

}  // namespace fairlead::witness
