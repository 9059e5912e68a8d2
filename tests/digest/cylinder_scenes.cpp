// Cylinders: tubes from triangles, their columns, routes over their slices and through space.
#include <algorithm>

#include <fairlead/base/rng.h>
#include <fairlead/cylinder/lift.h>
#include <fairlead/cylinder_bake/cylinder_bake.h>
#include <fairlead/grid/find_route.h>
#include <fairlead/math/trig.h>

#include "digest/digest_scene.h"
#include "digest/route_digest.h"

namespace {

using namespace fairlead;
using fairlead::testing::add_route;

struct TubeModel {
    Array<Vec3> vertices;
    Array<std::uint32_t> triangles;
    CylinderAxis axis = CylinderAxis::z;

    [[nodiscard]] Vec3 at(double angle, double radius, double along) const {
        const Vec2 p = math::direction(angle) * radius;
        if (axis == CylinderAxis::x) return {along, p.x, p.y};
        if (axis == CylinderAxis::y) return {p.y, along, p.x};
        return {p.x, p.y, along};
    }
    bool quad(Vec3 a, Vec3 b, Vec3 c, Vec3 d) {
        const auto first = static_cast<std::uint32_t>(vertices.size());
        bool fits = true;
        for (const Vec3& v : {a, b, c, d}) fits = fits && vertices.push_back(v);
        for (const std::uint32_t i : {0U, 1U, 2U, 0U, 2U, 3U}) fits = fits && triangles.push_back(first + i);
        return fits;
    }
    /// From the wall at radius 10, thinner towards its top.
    bool pylon(double angle, double wide, double along, double tall, double top) {
        const auto side = [&](double a, double b, double c, double d) {
            const double t = along + tall / 2, m = angle + wide / 2;
            const auto thin = [](double v, double middle) { return middle + (v - middle) * 0.75; };
            return quad(at(a, 10, b), at(c, 10, d), at(thin(c, m), top, thin(d, t)),
                        at(thin(a, m), top, thin(b, t)));
        };
        const double end = angle + wide, far = along + tall;
        const double in = 0.125 * wide, up = 0.125 * tall;
        return side(angle, along, end, along) && side(angle, far, end, far) &&
               side(angle, along, angle, far) && side(end, along, end, far) &&
               quad(at(angle + in, top, along + up), at(end - in, top, along + up),
                    at(end - in, top, far - up), at(angle + in, top, far - up));
    }
};

Vec3 random_place(Rng& rng, const TubeModel& model) {
    const double angle = rng.between(-4.0, 4.0);
    const double radius = rng.between(4.5, 10.0);
    return model.at(angle, radius, rng.between(-1.0, 21.0));
}

}  // namespace

FAIRLEAD_DIGEST_SCENE(cylinder_queries) {
    Rng rng(20261127);
    Scratch scratch;
    Route on_tiles, flown;
    for (int n = 0; n < 12; ++n) {
        TubeModel model;
        model.axis = static_cast<CylinderAxis>(n % 3);
        bool fits = true;
        for (int i = 0; i < 25; ++i) {
            const double angle = rng.between(0.0, 6.5);
            const double wide = rng.between(0.1, 0.6);
            const double along = rng.between(0.0, 17.0);
            const double tall = rng.between(0.3, 3.0);
            fits = fits && model.pylon(angle, wide, along, tall, rng.between(5.0, 9.5));
        }
        const bake::CylinderBakeOptions options{.axis = model.axis,
                                                .cell_size = 0.7,
                                                .slices = 5,
                                                .give_centre = true,
                                                .radius = 10.0,
                                                .depth = 6.0};
        bake::CylinderReport report;
        const Result<CylinderWorld> world = bake::cylinder(
            {.vertices = model.vertices.span(), .triangles = model.triangles.span()}, options, &report);
        digest.add(static_cast<std::uint64_t>(report.triangles.solid));
        digest.add(static_cast<std::uint64_t>(report.floating));
        if (!fits || !world) continue;
        for (const std::uint8_t solid : world->solid) digest.add(std::uint64_t{solid});
        const Result<Grid> tiles = make_cylinder_grid(*world);
        if (!tiles) return digest.add(std::uint64_t{1});
        for (int q = 0; q < 100; ++q) {
            const Vec3 from = random_place(rng, model), to = random_place(rng, model);
            GridQuery query{.start = unroll(world->shape, from), .goal = unroll(world->shape, to)};
            if (q % 4 == 0) query.agent = unrolled(world->shape, {.radius = 0.3});
            if (!find_route_into(tiles->state(), query, scratch, on_tiles))
                return digest.add(std::uint64_t{2});
            add_route(digest, on_tiles);
            if (!lift_route(world->shape, on_tiles, {}, flown)) return digest.add(std::uint64_t{3});
            add_route(digest, flown);
        }
    }
}
