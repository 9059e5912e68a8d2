#include "suites/ompl_drive.h"

#ifdef FAIRLEAD_HAVE_OMPL

#include <ompl/base/PlannerTerminationCondition.h>
#include <ompl/base/objectives/PathLengthOptimizationObjective.h>
#include <ompl/base/spaces/DubinsStateSpace.h>
#include <ompl/base/spaces/ReedsSheppStateSpace.h>
#include <ompl/geometric/SimpleSetup.h>
#include <ompl/geometric/planners/rrt/RRT.h>
#include <ompl/geometric/planners/rrt/RRTConnect.h>
#include <ompl/geometric/planners/rrt/RRTstar.h>
#include <ompl/util/Console.h>
#include <ompl/util/RandomNumbers.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>

#include "measure/clock.h"

namespace fairlead::bench {

namespace {

namespace ob = ompl::base;
namespace og = ompl::geometric;
using State = ob::SE2StateSpace::StateType;

constexpr double kLookEvery = 0.1;
constexpr double kJudgeEvery = 0.01;

ob::StateSpacePtr space_of(const BenchWorld& world, const Agent& agent) {
    ob::StateSpacePtr space;
    if (agent.can_reverse) {
        space = std::make_shared<ob::ReedsSheppStateSpace>(agent.turning_radius);
    } else {
        space = std::make_shared<ob::DubinsStateSpace>(agent.turning_radius);
    }
    ob::RealVectorBounds bounds(2);
    bounds.setLow(0.0);
    bounds.setHigh(0, world.width);
    bounds.setHigh(1, world.height);
    space->as<ob::SE2StateSpace>()->setBounds(bounds);
    return space;
}

ob::PlannerPtr planner_of(const ob::SpaceInformationPtr& info, const Agent& agent, OmplPlanner which) {
    if (which == OmplPlanner::rrt_star) return std::make_shared<og::RRTstar>(info);
    if (agent.can_reverse) return std::make_shared<og::RRTConnect>(info);
    return std::make_shared<og::RRT>(info);
}

bool is_legal(const og::PathGeometric& path, const ob::SpaceInformationPtr& info) {
    State* at = info->allocState()->as<State>();
    bool legal = true;
    for (std::size_t i = 1; legal && i < path.getStateCount(); ++i) {
        const ob::State* from = path.getState(static_cast<unsigned>(i - 1));
        const ob::State* to = path.getState(static_cast<unsigned>(i));
        const int steps = 1 + static_cast<int>(info->distance(from, to) / kJudgeEvery);
        for (int k = 0; legal && k <= steps; ++k) {
            info->getStateSpace()->interpolate(from, to, static_cast<double>(k) / steps, at);
            legal = info->isValid(at);
        }
    }
    info->freeState(at);
    return legal;
}

OmplAnswer ask_here(const BenchWorld& world, const Agent& agent, const PosePair& pair, OmplPlanner planner,
                    double limit_ms) {
    ompl::msg::setLogLevel(ompl::msg::LOG_NONE);
    const ob::StateSpacePtr space = space_of(world, agent);
    og::SimpleSetup setup(space);
    const ob::SpaceInformationPtr info = setup.getSpaceInformation();
    setup.setStateValidityChecker([&](const ob::State* state) {
        const State* at = state->as<State>();
        return disc_is_free(world, agent.radius, {at->getX(), at->getY()});
    });
    info->setStateValidityCheckingResolution(kLookEvery / space->getMaximumExtent());
    setup.setOptimizationObjective(std::make_shared<ob::PathLengthOptimizationObjective>(info));
    setup.setPlanner(planner_of(info, agent, planner));
    ob::ScopedState<ob::SE2StateSpace> start(space);
    ob::ScopedState<ob::SE2StateSpace> goal(space);
    start->setXY(pair.start.position.x + 1.1e-6, pair.start.position.y - 0.7e-6);
    start->setYaw(pair.start.heading_rad + 1.3e-6);
    goal->setXY(pair.goal.position.x, pair.goal.position.y);
    goal->setYaw(pair.goal.heading_rad);
    start.enforceBounds();
    goal.enforceBounds();
    setup.setStartAndGoalStates(start, goal);

    const std::uint64_t before = measure::thread_ns();
    const auto limit = static_cast<std::uint64_t>(limit_ms * 1e6);
    setup.solve(ob::PlannerTerminationCondition([=] { return measure::thread_ns() - before > limit; }));
    OmplAnswer answer;
    answer.ns = measure::thread_ns() - before;
    answer.found = setup.haveExactSolutionPath();
    if (!answer.found) return answer;
    answer.length = setup.getSolutionPath().length();
    answer.legal = is_legal(setup.getSolutionPath(), info);
    return answer;
}

}  // namespace

// The package's Dubins curves abort the program for a few pairs of poses. So each query has a process of its own; if that
// aborts, nothing was found.
OmplAnswer ask_ompl(const BenchWorld& world, const Agent& agent, const PosePair& pair, OmplPlanner planner,
                    double limit_ms) {
    OmplAnswer answer;
    answer.ns = static_cast<std::uint64_t>(limit_ms * 1e6);
    int ends[2];
    if (pipe(ends) != 0) return answer;
    std::fflush(nullptr);
    const pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        close(STDERR_FILENO);
        const OmplAnswer found = ask_here(world, agent, pair, planner, limit_ms);
        const bool sent = write(ends[1], &found, sizeof found) == static_cast<ssize_t>(sizeof found);
        _exit(sent ? 0 : 1);
    }
    close(ends[1]);
    OmplAnswer found;
    if (child > 0 && read(ends[0], &found, sizeof found) == static_cast<ssize_t>(sizeof found))
        answer = found;
    close(ends[0]);
    if (child > 0) waitpid(child, nullptr, 0);
    return answer;
}

}  // namespace fairlead::bench

#else

namespace fairlead::bench {

OmplAnswer ask_ompl(const BenchWorld&, const Agent&, const PosePair&, OmplPlanner, double) { return {}; }

}  // namespace fairlead::bench

#endif
