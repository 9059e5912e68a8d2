// Walkers who met at narrow places of a town and pressed against each other for good: each scene is two or three of the fifty of campaign
// `day`, some seconds before one of them was told `stuck`.
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include <fairlead/fleet/mesh_fleet.h>
#include <fairlead/mesh_bake/navmesh.h>

#include "support/environment.h"
#include "support/levels.h"

namespace fairlead::testing {
namespace {

constexpr double kMeetingStep = 1.0 / 60.0;

struct Trip {
    Vec2 from{};
    Vec2 to{};
};

struct Meeting {
    const char* what;
    std::vector<Trip> trips;
};

struct MeetingTown {
    explicit MeetingTown(const NavMesh& mesh) : port(mesh), fleet(*Fleet::make(port.port())) {
        FleetUnit unit;
        unit.agent.radius = mesh.state().agent_radius();
        unit.limits = SpeedLimits::only(1.5);
        unit.limits.accel_max = unit.limits.brake_max = unit.limits.lateral_accel_max = 6.0;
        kind = *fleet.add_kind(unit);
    }
    MeshFleet port;
    Fleet fleet;
    FleetKind kind{};
};

class MetWalkers : public ::testing::Test {
  protected:
    void SetUp() override {
        const std::string path = data_path("meshes/made/city_256.obj");
        if (path.empty()) GTEST_SKIP() << "no data";
        static const NavMesh mesh = *bake::navmesh(read_obj(path).soup());
        town_ = std::make_unique<MeetingTown>(mesh);
    }
    /// A minute in which nobody is stuck.
    void expect_they_pass(const Meeting& meeting) {
        Fleet& fleet = town_->fleet;
        std::vector<FleetId> ids;
        for (const Trip& trip : meeting.trips) {
            Place at;
            at.position = {trip.from.x, trip.from.y, 0.0};
            ids.push_back(*fleet.add(town_->kind, at));
        }
        for (std::size_t i = 0; i < ids.size(); ++i) {
            const Vec2 to = meeting.trips[i].to;
            ASSERT_TRUE(fleet.send(ids[i], Vec3{to.x, to.y, 0.0}));
        }
        bool stuck = false;
        for (int tick = 0; tick * kMeetingStep < 60.0 && !stuck; ++tick) {
            ASSERT_TRUE(fleet.update(kMeetingStep, {.units = 4000}));
            for (const FleetId id : ids) stuck = stuck || fleet.unit(id).state == FleetState::stuck;
        }
        EXPECT_FALSE(stuck) << meeting.what;
        for (const FleetId id : ids) EXPECT_TRUE(fleet.remove(id));
    }

  private:
    std::unique_ptr<MeetingTown> town_;
};

// Who had just come out of a place one unit wide counted as one in the open, and who was let in behind it pushed it back in.
TEST_F(MetWalkers, WhoComesOutIsNotPushedBack) {
    expect_they_pass({"1", {{{39.63, -184.89}, {35.14, -236.36}}, {{38.37, -188.72}, {47.30, -184.15}}}});
    expect_they_pass({"2", {{{195.39, -141.58}, {195.67, -189.60}}, {{195.37, -156.34}, {192.23, -1.58}}}});
    expect_they_pass({"3", {{{105.23, -198.94}, {58.68, -245.32}}, {{98.11, -201.22}, {254.45, -62.21}}}});
    expect_they_pass({"4", {{{199.38, -187.42}, {47.71, -62.37}}, {{193.83, -186.28}, {253.57, -223.71}}}});
    expect_they_pass({"5", {{{39.87, -154.80}, {198.38, -108.93}}, {{51.04, -152.17}, {18.67, -160.69}}}});
}

// A place for lanes with a neck in it through which two do not pass, and the way to its axis led back against those who followed.
TEST_F(MetWalkers, NecksOfLanesAreDoors) {
    expect_they_pass({"1", {{{164.53, -96.94}, {212.03, -123.50}}, {{170.86, -99.44}, {147.35, -89.45}}}});
    expect_they_pass({"2", {{{169.52, -99.31}, {147.35, -89.45}}, {{165.09, -96.87}, {218.71, -119.23}}}});
    expect_they_pass({"3", {{{162.55, -96.70}, {213.21, -131.20}}, {{153.71, -96.32}, {210.19, -128.48}}}});
    expect_they_pass({"4", {{{159.49, -96.39}, {193.17, -111.09}}, {{163.16, -96.73}, {239.68, -95.59}}}});
    expect_they_pass({"5", {{{108.66, -141.52}, {85.80, -13.62}}, {{104.14, -135.01}, {113.62, -147.71}}}});
}

// It stood in the mouth of the next place, one unit wide, without a turn there, for it was in a lane still.
TEST_F(MetWalkers, FromALaneIntoADoorOnlyInTurn) {
    expect_they_pass({"1",
                      {{{64.40, -176.12}, {154.34, -194.66}},
                       {{65.73, -181.74}, {30.36, -112.12}},
                       {{74.45, -182.74}, {59.25, -152.45}}}});
}

// Of two that go the same way round a bend the one ahead comes first.
TEST_F(MetWalkers, OneWayRoundABend) {
    expect_they_pass({"1",
                      {{{116.46, -139.33}, {56.77, -160.13}},
                       {{95.64, -162.83}, {164.31, -40.37}},
                       {{117.98, -134.72}, {18.33, -250.61}}}});
}

// A pushed one stepped aside against a wall, or against who pushed it.
TEST_F(MetWalkers, StepsAsideWhereThereIsRoom) {
    expect_they_pass({"1", {{{95.34, -117.51}, {188.07, -178.93}}, {{99.31, -124.94}, {67.59, -25.59}}}});
    expect_they_pass({"2", {{{39.68, -154.87}, {18.67, -160.69}}, {{40.00, -156.26}, {199.71, -194.53}}}});
}

// Alone: a corner that stands 1e-6 out into its line of sight is none to the look, but a wall to the unit.
TEST_F(MetWalkers, ACornerByARounding) {
    expect_they_pass({"1", {{{158.797, -126.165}, {72.507, -116.115}}}});
}

}  // namespace
}  // namespace fairlead::testing
