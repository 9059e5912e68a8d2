// The body of a unit as discs in a row, and how far a motion may be from the straight lines between its samples.
#pragma once

#include <fairlead/drive/speed_table.h>
#include <fairlead/math/trig.h>

namespace fairlead::convoy {

inline constexpr std::uint32_t kDiscsMax = 4;

/// World units. All discs of a body are equally large.
struct Cover {
    std::uint32_t discs = 1;
    double ahead[kDiscsMax] = {};  ///< of the axle
    double radius = 0.0;           ///< of each disc
    double reach = 0.0;            ///< from the axle to the farthest point of a disc
    double error = 0.0;            ///< between two samples
    double speed_max = 0.0;        ///< of a disc's centre

    /// Writes the centres.
    void place(const Pose& pose, Vec2* out) const {
        const Vec2 along = math::direction(pose.heading_rad);
        for (std::uint32_t i = 0; i < discs; ++i) out[i] = pose.position + along * ahead[i];
    }
};

[[nodiscard]] Cover cover_of(const SpeedTable& times, const Agent& body, double sample_seconds);

}  // namespace fairlead::convoy
