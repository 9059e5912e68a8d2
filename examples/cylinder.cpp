// A ship in a tube: pylons on the wall, slices by depth, a route over the seam.
#include <cmath>
#include <cstdio>
#include <vector>

#include <fairlead/cylinder/lift.h>
#include <fairlead/cylinder_bake/cylinder_bake.h>
#include <fairlead/fairlead.h>

using namespace fairlead;

namespace {

struct Model {
    std::vector<Vec3> vertices;
    std::vector<std::uint32_t> triangles;

    static Vec3 at(double angle, double radius, double along) {
        return {along, radius * std::cos(angle), radius * std::sin(angle)};
    }
    void quad(Vec3 a, Vec3 b, Vec3 c, Vec3 d) {
        const auto first = static_cast<std::uint32_t>(vertices.size());
        vertices.insert(vertices.end(), {a, b, c, d});
        for (const std::uint32_t i : {0U, 1U, 2U, 0U, 2U, 3U}) triangles.push_back(first + i);
    }
    /// Two ends, two sides, a top; from the wall at radius 10 to `top`.
    void pylon(double angle0, double angle1, double along0, double along1, double top) {
        const auto side = [&](double a, double b, double c, double d) {
            quad(at(a, 10, b), at(c, 10, d), at(c, top, d), at(a, top, b));
        };
        side(angle0, along0, angle1, along0);
        side(angle0, along1, angle1, along1);
        side(angle0, along0, angle0, along1);
        side(angle1, along0, angle1, along1);
        quad(at(angle0, top, along0), at(angle1, top, along0), at(angle1, top, along1),
             at(angle0, top, along1));
    }
};

}  // namespace

int main() {
    Model model;  // a tube about x of radius 10 and length 30
    for (int i = 0; i < 48; ++i) {
        const double a = kTwoPi * i / 48, b = kTwoPi * (i + 1) / 48;
        model.quad(Model::at(a, 10, 0), Model::at(b, 10, 0), Model::at(b, 10, 30), Model::at(a, 10, 30));
    }
    for (int i = 0; i < 12; ++i) {  // a ring of pylons, low and high
        const double angle = 0.5 * i + 0.05;
        model.pylon(angle, angle + 0.4, 12, 15, i % 3 == 0 ? 8.2 : 6.3);
    }

    bake::CylinderReport report;
    const Result<CylinderWorld> tube =
        bake::cylinder({.vertices = model.vertices, .triangles = model.triangles},
                       {.axis = CylinderAxis::x, .cell_size = 0.5, .slices = 6}, &report);
    if (!tube) {
        std::printf("refused: %s\n", error_text(tube.error()).c_str());
        return 1;
    }
    const Result<Grid> tiles = make_cylinder_grid(*tube);
    if (!tiles) return 1;
    std::printf("%d slices of %d x %d tiles\n", tube->shape.slices, tube->shape.around, tube->shape.along);

    const Vec3 ship = Model::at(0.3, 9.5, 5), foe = Model::at(-0.3, 9.2, 25);
    Scratch scratch;
    const GridQuery query{.start = unroll(tube->shape, ship), .goal = unroll(tube->shape, foe)};
    const Result<Route> way = find_route(*tiles, query, scratch);
    if (!way || way->status != PathStatus::complete) return 1;

    Route flown;
    const LiftOptions ends{.start_radius = 9.5, .goal_radius = 9.2};
    if (!lift_route(tube->shape, *way, ends, flown)) return 1;
    std::printf("%.2f long in %zu legs\n", flown.line_cost, flown.legs.size());
    for (const Leg& leg : flown.legs) {
        const Vec3 p = leg.start.position;
        std::printf("  slice %d at %.2f, %.2f, %.2f\n", leg.start.layer, p.x, p.y, p.z);
    }

    // An obstacle that floats breaks the rule; the bake says where.
    model.quad(Model::at(2.0, 7, 20), Model::at(2.4, 7, 20), Model::at(2.4, 7, 23), Model::at(2.0, 7, 23));
    const Result<CylinderWorld> broken =
        bake::cylinder({.vertices = model.vertices, .triangles = model.triangles},
                       {.axis = CylinderAxis::x, .cell_size = 0.5, .slices = 6}, &report);
    if (broken) return 1;
    std::printf("floats at %.1f, %.1f, %.1f\n", report.floating_at.x, report.floating_at.y,
                report.floating_at.z);
    return 0;
}
