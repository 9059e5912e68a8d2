// A motion of a body that turns against one obstacle: does it reach into it deeper than allowed, and if so where.
#pragma once

#include "verify/contact.h"
#include "verify/motion.h"

namespace fairlead::witness {

/// Does the body, somewhere on its motion, go deeper than `threshold` (> 0) into the obstacle, which is not grown? Closed
/// form; the only arithmetic that a verdict rests on (proof and error bound in verify.h). Bodies with a radius of more
/// than twice the threshold: exact. Others: true if it goes deeper, false if nowhere deeper than half of the threshold.
[[nodiscard]] bool goes_deeper(const Motion& motion, const RigidBody& body, const Obstacle& obstacle,
                               double threshold);

/// How deep the body is in the obstacle at the start of the motion: the smallest move that frees it; negative outside.
[[nodiscard]] double depth_at(const Motion& motion, const RigidBody& body, const Obstacle& obstacle);

/// Where between two distances a motion for which goes_deeper holds there begins to.
[[nodiscard]] double contact_begin(const Motion& motion, const RigidBody& body, const Obstacle& obstacle,
                                   double threshold, double from, double to);

/// The deepest moment of the contact that begins at `begin`. For reports; no verdict rests on it. Exact on straight
/// motions; on others a moment nearby may be deeper, where the contact deepens more than once.
[[nodiscard]] Contact rigid_contact(const Motion& motion, const RigidBody& body, const Obstacle& obstacle,
                                    double threshold, double begin);

}  // namespace fairlead::witness
