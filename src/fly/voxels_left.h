// How far it is still to a place, from voxel to voxel: a search from there that goes on only as far as it is asked. A step that climbs or
// sinks costs no less than the unit needs for it at its steepest.
#pragma once

#include <cstdint>
#include <optional>

#include <fairlead/curve/airplane.h>
#include <fairlead/search/engine.h>

#include "volume/search/masks.h"

namespace fairlead::fly {

using volume::Masks;
using volume::StateData;

class VoxelsLeftSpace {
  public:
    VoxelsLeftSpace() = default;
    /// From `root`, which the unit flies to (`back`: comes from), toward `aim`.
    VoxelsLeftSpace(Masks& masks, const ClimbLimits& climb, bool back, Vec3 root, Vec3 aim);

    template <class Sink>
    void start(Sink& sink) {
        each_near(root_, [&](Voxel v, Vec3 away) { sink.add(number(v), cost_of(away), 0); });
    }
    template <class Sink>
    void expand(std::uint32_t state, Cost, std::uint32_t, Sink& sink) {
        const Voxel at = voxel(state);
        for (const Move& move : moves_) {
            const Voxel next{at.x + move.by.x, at.y + move.by.y, at.z + move.by.z};
            if (masks_->is_free(next)) sink.add(number(next), move.cost, 0);
        }
    }
    [[nodiscard]] Cost heuristic(std::uint32_t state) const;
    [[nodiscard]] bool is_goal(std::uint32_t) const { return false; }

    [[nodiscard]] std::uint32_t number(Voxel v) const {
        return static_cast<std::uint32_t>(v.x) +
               static_cast<std::uint32_t>(size_.x) *
                   (static_cast<std::uint32_t>(v.y) +
                    static_cast<std::uint32_t>(size_.y) * static_cast<std::uint32_t>(v.z));
    }
    [[nodiscard]] double to_world(Cost cost) const { return static_cast<double>(cost) / unit_; }
    [[nodiscard]] Masks& masks() const { return *masks_; }

  private:
    struct Move {
        Voxel by{};
        Cost cost = 0;
    };

    /// The free voxels where the body's middle is, or around it.
    template <class Visit>
    void each_near(Vec3 at, Visit visit) const {
        const Voxel own = volume::voxel_of(masks_->state(), at);
        for (std::int32_t i = 0; i < 27; ++i) {
            const Voxel v{own.x + i % 3 - 1, own.y + i / 3 % 3 - 1, own.z + i / 9 - 1};
            if (masks_->is_free(v) && (v == own || !masks_->is_free(own)))
                visit(v, volume::middle_of(v) - at);
        }
    }
    [[nodiscard]] Voxel voxel(std::uint32_t state) const;
    [[nodiscard]] Cost cost_of(Vec3 voxels) const;

    Masks* masks_ = nullptr;
    Voxel size_{};
    Vec3 root_{};
    Vec3 aim_{};
    double unit_ = 1.0;  ///< cost of a world unit
    Move moves_[26];
};

class VoxelsLeft {
  public:
    explicit VoxelsLeft(const Allocator& allocator) : open_(allocator), nodes_(allocator) {}
    VoxelsLeft(const VoxelsLeft&) = delete;
    VoxelsLeft& operator=(const VoxelsLeft&) = delete;

    [[nodiscard]] static bool serves(const StateData& state);
    void begin(Masks& masks, const ClimbLimits& climb, bool back, Vec3 root, Vec3 aim);
    /// World units, from a place in voxels; below 0: not known, it is out of reach or too far off the way.
    [[nodiscard]] double from(Vec3 at);
    [[nodiscard]] bool failed() const { return failed_; }

  private:
    using Engine = BestFirst<VoxelsLeftSpace, AStarKey, HeapOpen, HashedNodes>;

    VoxelsLeftSpace space_;
    HeapOpen open_;
    HashedNodes nodes_;
    std::optional<Engine> engine_;
    bool done_ = false;
    bool failed_ = false;
};

}  // namespace fairlead::fly
