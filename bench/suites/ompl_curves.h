// The peer for curves: the Open Motion Planning Library's Dubins and Reeds-Shepp state spaces.
#pragma once

#include <memory>

#include <fairlead/math/pose.h>

namespace fairlead::bench {

/// False where OMPL was not there when this was built.
[[nodiscard]] bool has_ompl();

/// Lengths for turning radius 1. OMPL's Dubins ends the process on a few exact offsets of a lattice: ask it for random poses.
class OmplCurves {
  public:
    OmplCurves();
    OmplCurves(const OmplCurves&) = delete;
    OmplCurves& operator=(const OmplCurves&) = delete;
    ~OmplCurves();

    [[nodiscard]] double dubins(const Pose& from, const Pose& to);
    [[nodiscard]] double reeds_shepp(const Pose& from, const Pose& to);

  private:
    struct Spaces;
    std::unique_ptr<Spaces> spaces_;
};

}  // namespace fairlead::bench
