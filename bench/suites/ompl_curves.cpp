#include "suites/ompl_curves.h"

#ifdef FAIRLEAD_HAVE_OMPL

#include <ompl/base/spaces/DubinsStateSpace.h>
#include <ompl/base/spaces/ReedsSheppStateSpace.h>

namespace fairlead::bench {

using State = ompl::base::SE2StateSpace::StateType;

struct OmplCurves::Spaces {
    ompl::base::DubinsStateSpace dubins{1.0};
    ompl::base::ReedsSheppStateSpace reeds_shepp{1.0};
    State* from = dubins.allocState()->as<State>();
    State* to = dubins.allocState()->as<State>();

    Spaces() = default;
    Spaces(const Spaces&) = delete;
    Spaces& operator=(const Spaces&) = delete;
    ~Spaces() {
        dubins.freeState(from);
        dubins.freeState(to);
    }
    void set(const Pose& a, const Pose& b) const {
        from->setXY(a.position.x, a.position.y);
        from->setYaw(a.heading_rad);
        to->setXY(b.position.x, b.position.y);
        to->setYaw(b.heading_rad);
    }
};

bool has_ompl() { return true; }

OmplCurves::OmplCurves() : spaces_(std::make_unique<Spaces>()) {}
OmplCurves::~OmplCurves() = default;

double OmplCurves::dubins(const Pose& from, const Pose& to) {
    spaces_->set(from, to);
    return spaces_->dubins.distance(spaces_->from, spaces_->to);
}

double OmplCurves::reeds_shepp(const Pose& from, const Pose& to) {
    spaces_->set(from, to);
    return spaces_->reeds_shepp.distance(spaces_->from, spaces_->to);
}

}  // namespace fairlead::bench

#else

namespace fairlead::bench {

struct OmplCurves::Spaces {};

bool has_ompl() { return false; }
OmplCurves::OmplCurves() = default;
OmplCurves::~OmplCurves() = default;
double OmplCurves::dubins(const Pose&, const Pose&) { return 0.0; }
double OmplCurves::reeds_shepp(const Pose&, const Pose&) { return 0.0; }

}  // namespace fairlead::bench

#endif
