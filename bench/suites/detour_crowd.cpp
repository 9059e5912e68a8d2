#include "suites/detour_crowd.h"

#ifdef FAIRLEAD_HAVE_RECAST

#include <stdexcept>

#include <DetourCrowd.h>
#include <DetourNavMeshQuery.h>

#include "suites/detour_set.h"

namespace fairlead::bench {

namespace {

/// RecastDemo's "high".
dtObstacleAvoidanceParams highest_quality(dtObstacleAvoidanceParams params) {
    params.velBias = 0.5F;
    params.adaptiveDivs = 7;
    params.adaptiveRings = 3;
    params.adaptiveDepth = 3;
    return params;
}

constexpr unsigned char kHighest = 3;

struct Swarm {
    dtCrowd* crowd = dtAllocCrowd();
    Swarm() = default;
    Swarm(const Swarm&) = delete;
    Swarm& operator=(const Swarm&) = delete;
    ~Swarm() { dtFreeCrowd(crowd); }
};

void to_detour(const Vec3& p, float* out) {
    out[0] = static_cast<float>(p.x);
    out[1] = static_cast<float>(p.z);
    out[2] = static_cast<float>(-p.y);
}

}  // namespace

struct DetourCrowd::Work {
    DetourMesh mesh;
    Swarm swarm;
    dtCrowdAgentParams params{};
    int units = 0;
};

DetourCrowd::DetourCrowd(const std::string& set, int units_max, const DetourCrowdUnits& units)
    : work_(std::make_unique<Work>()) {
    load_detour_set(set, *work_->mesh.mesh);
    dtCrowd& crowd = *work_->swarm.crowd;
    const auto radius = static_cast<float>(units.radius);
    if (!crowd.init(units_max, radius, work_->mesh.mesh))
        throw std::runtime_error("DetourCrowd does not take so many units");
    const dtObstacleAvoidanceParams params = highest_quality(*crowd.getObstacleAvoidanceParams(0));
    crowd.setObstacleAvoidanceParams(kHighest, &params);
    dtCrowdAgentParams& agent = work_->params;
    agent.radius = radius;
    agent.height = 2.0F;
    agent.maxAcceleration = static_cast<float>(units.accel);
    agent.maxSpeed = static_cast<float>(units.speed);
    agent.collisionQueryRange = radius * 12.0F;
    agent.pathOptimizationRange = radius * 30.0F;
    agent.separationWeight = 2.0F;
    agent.updateFlags = DT_CROWD_ANTICIPATE_TURNS | DT_CROWD_OBSTACLE_AVOIDANCE | DT_CROWD_SEPARATION |
                        DT_CROWD_OPTIMIZE_VIS | DT_CROWD_OPTIMIZE_TOPO;
    agent.obstacleAvoidanceType = kHighest;
}
DetourCrowd::~DetourCrowd() = default;

void DetourCrowd::add(const Vec3& at) {
    float place[3];
    to_detour(at, place);
    if (work_->swarm.crowd->addAgent(place, &work_->params) != work_->units)
        throw std::runtime_error("DetourCrowd does not take a unit");
    ++work_->units;
}

void DetourCrowd::send(int unit, const Vec3& goal) {
    dtCrowd& crowd = *work_->swarm.crowd;
    float place[3], nearest[3];
    to_detour(goal, place);
    dtPolyRef polygon = 0;
    crowd.getNavMeshQuery()->findNearestPoly(place, crowd.getQueryExtents(), crowd.getFilter(0), &polygon,
                                             nearest);
    if (polygon == 0 || !crowd.requestMoveTarget(unit, polygon, nearest))
        throw std::runtime_error("DetourCrowd does not take a goal");
}

void DetourCrowd::hold(bool held) {
    dtCrowdAgentParams params = work_->params;
    if (held) params.maxSpeed = 0.0F;
    for (int i = 0; i < work_->units; ++i) work_->swarm.crowd->updateAgentParameters(i, &params);
}

void DetourCrowd::update(double seconds) { work_->swarm.crowd->update(static_cast<float>(seconds), nullptr); }

bool DetourCrowd::has_stub(int unit) const {
    return work_->swarm.crowd->getAgent(unit)->targetState >= DT_CROWDAGENT_TARGET_VALID &&
           work_->swarm.crowd->getAgent(unit)->targetState != DT_CROWDAGENT_TARGET_REQUESTING;
}
bool DetourCrowd::has_path(int unit) const {
    return work_->swarm.crowd->getAgent(unit)->targetState == DT_CROWDAGENT_TARGET_VALID;
}
Vec3 DetourCrowd::position(int unit) const {
    const float* p = work_->swarm.crowd->getAgent(unit)->npos;
    return {static_cast<double>(p[0]), -static_cast<double>(p[2]), static_cast<double>(p[1])};
}

}  // namespace fairlead::bench

#else

namespace fairlead::bench {

struct DetourCrowd::Work {};
DetourCrowd::DetourCrowd(const std::string&, int, const DetourCrowdUnits&) {}
DetourCrowd::~DetourCrowd() = default;
void DetourCrowd::add(const Vec3&) {}
void DetourCrowd::send(int, const Vec3&) {}
void DetourCrowd::hold(bool) {}
void DetourCrowd::update(double) {}
bool DetourCrowd::has_stub(int) const { return false; }
bool DetourCrowd::has_path(int) const { return false; }
Vec3 DetourCrowd::position(int) const { return {}; }

}  // namespace fairlead::bench

#endif
