// One bake for units of every radius, beside a bake for each of 1,000 random radii: about 4 minutes with the published levels.
//
// A bake for radius r is off by e = (2 x edge_error + 1.5) cells at most: borders of either bake may be edge_error cells off
// the cells' border, and the cells that the radius takes away end within 1.5 cells of it. So it lies between the surfaces
// for r + e and r - e: where the wider unit finds a way the bake has one, no longer than that; and where the bake has
// one, so has the narrower unit.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>
#include <utility>

#include <gtest/gtest.h>

#include <fairlead/mesh/find_route.h>
#include <fairlead/mesh/surface.h>
#include <fairlead/mesh_bake/navmesh.h>
#include <fairlead/verify/verify_mesh.h>

#include "support/environment.h"
#include "support/levels.h"

namespace fairlead {
namespace {

using testing::Level;
using testing::trials;

constexpr double kLeast = 0.3;
constexpr double kMost = 1.2;

struct Tally {
    int radii = 0;
    int queries = 0;
    int illegal = 0;
    int only_narrow = 0;  ///< a way for r - e, none in the bake for r
    double ratio_sum = 0.0;
    double ratio_least = 1e9;
    double ratio_most = 0.0;
    int ratios = 0;
    double narrow_most = 0.0;  ///< the narrower unit's way / the bake's
};

class OneLevel {
  public:
    explicit OneLevel(const char* name) {
        options_.cell_size = 0.125;
        options_.cell_height = 0.125;
        options_.edge_error = 0.5;
        options_.agent_radius = 0.0;
        error_ = (2.0 * options_.edge_error + 1.5) * options_.cell_size;
        const std::string path = testing::data_path(std::string("meshes/") + name + ".obj");
        if (path.empty()) return;
        level_ = testing::read_obj(path);
        Result<NavMesh> made =
            bake::navmesh(level_.soup(), options_, {.radius_max = kMost + error_, .landmarks = 0});
        if (made) any_.emplace(std::move(*made));
    }
    [[nodiscard]] bool ready() const { return any_.has_value(); }

    void compare(Rng& rng, Tally& tally) {
        const double radius = rng.between(kLeast, kMost);
        bake::BakeOptions own_options = options_;
        own_options.agent_radius = radius;
        const Result<NavMesh> own = bake::navmesh(level_.soup(), own_options, {.landmarks = 0});
        ASSERT_TRUE(own);
        if (own->state().polygons() == 0) return;
        ++tally.radii;
        for (int i = 0; i < 10; ++i) {
            const Vec3 from = roomy_point(*own, rng, radius), to = roomy_point(*own, rng, radius);
            if (!std::isnan(from.x) && !std::isnan(to.x)) ask(*own, from, to, radius, tally);
        }
    }

  private:
    // A point of the bake where the wider unit can stand; NaN: none was found.
    Vec3 roomy_point(const NavMesh& own, Rng& rng, double radius) {
        for (int i = 0; i < 20; ++i) {
            const Vec3 p = random_point(own, rng).position;
            const MeshPoint at = any_->state().nearest(p, {.across = 0.0, .above = 0.5, .below = 0.5});
            if (!at.polygon.valid()) continue;
            const Result<MeshWall> wall = find_wall(*any_, at, radius + error_, scratch_);
            if (wall && !wall->found) return at.position;
        }
        return {NAN, NAN, NAN};
    }

    Route route(const NavMesh& mesh, Vec3 from, Vec3 to, double radius) {
        const MeshQuery query{.start = from,
                              .goal = to,
                              .agent = {.radius = radius},
                              .reach = {.across = 1e-6, .above = 0.6, .below = 0.6}};
        Result<Route> found = find_route(mesh, query, scratch_);
        EXPECT_TRUE(found);
        return found ? std::move(*found) : Route{};
    }

    void ask(const NavMesh& own, Vec3 from, Vec3 to, double radius, Tally& tally) {
        ++tally.queries;
        const Route one = route(own, from, to, radius);
        const Route any = route(*any_, from, to, radius);
        const Route wide = route(*any_, from, to, radius + error_);
        const Route narrow = route(*any_, from, to, std::max(0.0, radius - error_));
        for (const auto& [way, room] : {std::pair{&any, radius}, std::pair{&wide, radius + error_},
                                        std::pair{&narrow, std::max(0.0, radius - error_)}}) {
            if (way->status != PathStatus::complete) continue;
            const Violation bad = verify(*way, *any_, {.radius = room});
            if (!bad) continue;
            ++tally.illegal;
            ADD_FAILURE() << "radius " << room << ", " << way->legs.size() << " legs: " << bad.text().c_str();
        }
        const auto complete = [](const Route& way) { return way.status == PathStatus::complete; };
        const auto where = [&] {
            return ::testing::Message() << "radius " << radius << " from " << from.x << " " << from.y << " "
                                        << from.z << " to " << to.x << " " << to.y << " " << to.z;
        };
        if (complete(wide)) {
            EXPECT_TRUE(complete(any)) << where();
            EXPECT_TRUE(complete(one)) << where();
            if (complete(one)) {
                EXPECT_LE(one.length, wide.length * (1.0 + 1e-9)) << where();
            }
        }
        if (complete(any)) {
            EXPECT_TRUE(complete(narrow)) << where();
        }
        if (complete(one)) {
            EXPECT_TRUE(complete(narrow)) << where();
            if (complete(narrow) && one.length > 0.0) {
                tally.narrow_most = std::max(tally.narrow_most, narrow.length / one.length);
            }
        } else if (complete(narrow)) {
            ++tally.only_narrow;
        }
        if (complete(one) && complete(any) && one.length > 1.0) {
            const double ratio = any.length / one.length;
            tally.ratio_sum += ratio;
            tally.ratio_least = std::min(tally.ratio_least, ratio);
            tally.ratio_most = std::max(tally.ratio_most, ratio);
            ++tally.ratios;
        }
    }

    bake::BakeOptions options_;
    double error_ = 0.0;
    Level level_;
    std::optional<NavMesh> any_;
    Scratch scratch_;
};

TEST(MeshRadii, LikeABakeForEach) {
    for (const char* name : {"recast/nav_test", "navcat/proto-level"}) {
        OneLevel level(name);
        if (!level.ready()) {
            std::printf("%s: not there\n", name);
            continue;
        }
        Tally tally;
        Rng rng(5010);
        for (int i = 0; i < trials(500) && !::testing::Test::HasFailure(); ++i) level.compare(rng, tally);
        std::printf(
            "%s: %d radii, %d queries, %d illegal; length / own bake's: mean %.5f, least %.5f, most %.5f; "
            "narrower / own bake's: at most %.5f; %d ways only for the narrower\n",
            name, tally.radii, tally.queries, tally.illegal, tally.ratio_sum / std::max(1, tally.ratios),
            tally.ratio_least, tally.ratio_most, tally.narrow_most, tally.only_narrow);
        EXPECT_GT(tally.ratios, 0);
    }
}

}  // namespace
}  // namespace fairlead
