// Where a point can have come to: the free voxels that its way leads through, from one to the next over a face that
// they share. verify_volume.h says what that proves.
#pragma once

#include "verify/volume_boxes.h"
#include "verify/volume_near.h"

namespace fairlead::witness {

class VolumeWalk {
  public:
    VolumeWalk(const VolumeState& volume, const VolumeFrame& frame, BrickBudget& budget)
        : volume_(volume), frame_(frame), budget_(budget), near_(volume, frame, 0.0, budget) {}

    /// Follows a straight piece that starts where the last one ended; `room` is how far, on each axis, the voxels reach
    /// beyond their sides: above 0, far below a voxel. False: it cannot get to the end, only as far as reached().
    [[nodiscard]] bool pass(const Chord& chord, double room);
    /// A share of the last piece.
    [[nodiscard]] double reached() const { return reached_; }
    /// The same, if all voxels near the piece are free, which is quickly told; false: nothing is known, nothing has
    /// changed.
    [[nodiscard]] bool pass_freely(const Chord& chord, double room);

  private:
    static constexpr std::int32_t kSideMax = 7;  // voxels of a step on each axis
    static constexpr std::size_t kStepMax = 343;
    static constexpr std::size_t kEndsMax = 27;

    /// A free voxel near a step; shares of the step.
    struct Room {
        double low = 1.0;
        double high = 0.0;
        double arrive = 2.0;  ///< 2: not at all
    };
    struct Step {
        Lattice low{};
        Lattice side{};
        std::array<Room, kStepMax> rooms{};

        [[nodiscard]] std::size_t count() const {
            return static_cast<std::size_t>(side[0]) * static_cast<std::size_t>(side[1]) *
                   static_cast<std::size_t>(side[2]);
        }
    };

    [[nodiscard]] bool walk(const Chord& chord, double room);
    [[nodiscard]] bool lay_out(const Chord& chord, double room, Step& step) const;
    void fill(const Chord& chord, double room, Step& step);
    void enter(Step& step) const;
    static void spread(Step& step);
    [[nodiscard]] bool leave(const Step& step);
    [[nodiscard]] bool inside(const Triple& p, double room) const;

    const VolumeState& volume_;
    const VolumeFrame& frame_;
    BrickBudget& budget_;
    SolidNear near_;
    bool anywhere_ = true;                  ///< in all free voxels near the place
    std::array<Lattice, kEndsMax> ends_{};  ///< else in these
    std::size_t count_ = 0;
    double reached_ = 0.0;
};

}  // namespace fairlead::witness
