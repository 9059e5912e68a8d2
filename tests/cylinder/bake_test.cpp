// From triangles to slices: what is solid, what floats, the same bytes whatever the order and the threads.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <fairlead/base/baked.h>
#include <fairlead/cylinder/lift.h>
#include <fairlead/cylinder/save_cylinder.h>
#include <fairlead/cylinder_bake/cylinder_bake.h>

#include "support/environment.h"
#include "support/test_allocator.h"
#include "support/tubes.h"

namespace fairlead::testing {
namespace {

constexpr double kTurn = 2.0 * std::numbers::pi;

std::vector<std::uint8_t> bytes_of(const CylinderWorld& world) {
    Array<std::uint8_t> bytes;
    EXPECT_TRUE(save_cylinder(world, bytes));
    return {bytes.begin(), bytes.end()};
}

// Every tile that holds a place well within an obstacle is solid; every one far from all of them is free.
void expect_as_formula(const Tube& tube, const CylinderWorld& world) {
    const Cylinder& s = world.shape;
    const double tile = s.cell_size();
    std::size_t column = 0;
    int solid_tiles = 0, free_tiles = 0;
    for (int y = 0; y < s.along; ++y) {
        for (int x = 0; x < s.around; ++x, ++column) {
            for (int slice = 0; slice < s.slices; ++slice) {
                bool well_inside = false, near = false;
                for (int k = 0; k < 27; ++k) {
                    const double part[3] = {(k % 3) * 0.5, (k / 3 % 3) * 0.5, (k / 9) * 0.5};
                    const double angle = (x + part[0]) / s.around * kTurn;
                    const double along = (y + part[1]) * tile;
                    const double r = s.radius - (slice + part[2]) * s.thickness;
                    const bool within_tile = (k % 3) == 1 && (k / 3 % 3) == 1 && (k / 9) == 1;
                    well_inside = well_inside || (within_tile && tube.inside(angle, along, r, 0.02));
                    near = near || tube.inside(angle, along, r, -0.6 * tile);
                }
                const bool solid = world.solid[column] > slice;
                ASSERT_TRUE(solid || !well_inside) << x << ' ' << y << ' ' << slice;
                ASSERT_TRUE(near || !solid) << x << ' ' << y << ' ' << slice;
                solid_tiles += well_inside ? 1 : 0;
                free_tiles += near ? 0 : 1;
            }
        }
    }
    EXPECT_GT(solid_tiles, 100);
    EXPECT_GT(free_tiles, 100);
}

TEST(CylinderBake, SolidWhereObstaclesAreAndNowhereElse) {
    for (int i = 0; i < 3; ++i) {
        Rng rng(static_cast<std::uint64_t>(7 + i));
        const Tube tube = random_tube(rng, 12);
        bake::CylinderReport report;
        const auto axis = static_cast<CylinderAxis>(i);
        const Vec3 origin{3.5 * i, -20.0 * i, 7.25 * i};
        const Triangles model = tube.triangles(axis, origin);
        const Result<CylinderWorld> world = bake::cylinder(
            model.soup(), {.axis = axis, .cell_size = 1.4, .slices = 7, .depth = 14.0}, &report);
        ASSERT_TRUE(world) << error_text(world.error()).c_str();
        EXPECT_NEAR(world->shape.radius, tube.radius, 1e-9 * tube.radius);
        EXPECT_NEAR(length(world->shape.origin - origin), 0.0, 1e-9 * tube.radius);
        EXPECT_EQ(report.free + report.filled + report.triangles.solid,
                  static_cast<std::int64_t>(world->shape.columns()) * 7);
        EXPECT_EQ(report.triangles.used + report.triangles.outside, model.triangles.size() / 3);
        expect_as_formula(tube, *world);
    }
}

// Conservative: no point of any triangle lies in a free tile. Triangles of any shape, on the wall, through the axis.
TEST(CylinderBake, EveryPointOfATriangleIsSolid) {
    int checked = 0;
    for (int i = 0; i < trials(40); ++i) {
        Rng rng(static_cast<std::uint64_t>(900 + i));
        Triangles model;
        const auto corner = [&] {
            const double x = rng.between(-9.0, 9.0), y = rng.between(-9.0, 9.0);
            return Vec3{x, y, rng.between(0.0, 20.0)};
        };
        const Vec3 a = corner(), b = corner();
        model.add(a, b, corner());
        model.add({0, 0, 0}, {0, 0, 0}, {0, 0, 20});  // the length of the tube
        bake::CylinderReport report;
        const bake::CylinderBakeOptions options{
            .cell_size = 0.5, .slices = 9, .give_centre = true, .radius = 10.0, .depth = 8.0};
        const Result<CylinderWorld> world = bake::cylinder(model.soup(), options, &report);
        // Most of them float: then what is met is all that there is to see, as columns of a closed model.
        const Vec3 c = model.vertices[2];
        Triangles closed = model;
        for (const auto& [p, q] : {std::pair{a, b}, std::pair{b, c}, std::pair{c, a}}) {
            // Down to the wall, along the radius.
            const auto down = [](Vec3 v) {
                const double r = std::max(std::hypot(v.x, v.y), 1e-6);
                return Vec3{v.x / r * 30.0, v.y / r * 30.0, v.z};
            };
            closed.quad(p, q, down(q), down(p));
        }
        const Result<CylinderWorld> shut = bake::cylinder(closed.soup(), options, &report);
        for (const Result<CylinderWorld>* baked : {&world, &shut}) {
            if (!*baked) continue;
            const Cylinder& s = (*baked)->shape;
            for (int k = 0; k < 400; ++k) {
                const double u = rng.unit(), v = rng.unit() * (1.0 - u);
                const Vec3 p = a + (b - a) * u + (c - a) * v;
                const double x = std::atan2(p.y, p.x) / kTurn * s.around, y = p.z / s.cell_size();
                const double deep = (s.radius - std::hypot(p.x, p.y)) / s.thickness;
                const auto near_face = [](double at) { return std::abs(at - std::round(at)) < 1e-3; };
                if (near_face(x) || near_face(y) || near_face(deep) || deep < 0.0 || deep > s.slices)
                    continue;
                const int column = (static_cast<int>(std::floor(x)) + s.around) % s.around;
                const int row = static_cast<int>(std::floor(y - (s.origin.z / s.cell_size())));
                ++checked;
                ASSERT_GT((*baked)->solid[static_cast<std::size_t>(row * s.around + column)],
                          static_cast<int>(std::floor(deep)))
                    << i << ' ' << column << ' ' << row;
            }
        }
    }
    EXPECT_GT(checked, all_trials() ? 300 : -1);
}

// A pylon's sides and top on faces: it fills its tiles and no others.
TEST(CylinderBake, WallsOnFacesCloseNoDoor) {
    Tube tube;
    tube.radius = 16.0;
    tube.length = kTurn;  // 4 tiles of 2 pi / 4 ... along
    tube.sides = 64;
    const double step = kTurn / 64;
    tube.pylons.push_back({4 * step, 8 * step, 1.0 * step * 16, 3.0 * step * 16, 4.0});
    bake::CylinderReport report;
    const Result<CylinderWorld> world =
        bake::cylinder(tube.triangles().soup(),
                       {.cell_size = step * 16, .slices = 4, .radius = 16.0, .depth = 8.0}, &report);
    ASSERT_TRUE(world) << error_text(world.error()).c_str();
    ASSERT_EQ(world->shape.around, 64);
    for (int y = 0; y < world->shape.along; ++y) {
        for (int x = 0; x < 64; ++x) {
            const int solid = world->solid[static_cast<std::size_t>(y * 64 + x)];
            // Its sides lie on the faces of 4 and 8 around and of 1 and 3 along; a face is of the tile behind it.
            // The top's chords dip into the third slice.
            const bool within = x >= 4 && x <= 8 && y >= 1 && y <= 3;
            EXPECT_EQ(solid > 0, within) << x << ' ' << y;
            EXPECT_LE(solid, 3) << x << ' ' << y;
            EXPECT_GE(solid, within && x < 8 && y < 3 ? 2 : 0) << x << ' ' << y;
        }
    }
}

TEST(CylinderBake, WhatFloatsIsRefusedWithItsPlace) {
    Tube tube;
    tube.pylons.push_back({1.0, 1.5, 5.0, 12.0, 6.0});
    Pylon floating{3.0, 3.4, 20.0, 26.0, 8.0};
    floating.base = 5.0;
    tube.pylons.push_back(floating);
    bake::CylinderReport report;
    const bake::CylinderBakeOptions options{.cell_size = 1.0, .slices = 10, .depth = 10.0};
    const Result<CylinderWorld> refused = bake::cylinder(tube.triangles().soup(), options, &report);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::incompatible);
    EXPECT_EQ(refused.error().field, Field::obstacles);
    EXPECT_GT(report.floating, 4);
    const Cell cell = report.floating_cell;
    EXPECT_EQ(refused.error().index,
              (cell.layer * report.shape.along + cell.y) * report.shape.around + cell.x);
    EXPECT_EQ(refused.error().detail, report.floating);
    // The place lies in the obstacle, give or take a tile.
    const Vec3 at = report.floating_at;
    const double angle = std::atan2(at.y, at.x), r = std::hypot(at.x, at.y);
    EXPECT_GT(angle, 3.0 - 0.06);
    EXPECT_LT(angle, 3.4 + 0.06);
    EXPECT_GT(at.z, 20.0 - 1.0);
    EXPECT_LT(at.z, 26.0 + 1.0);
    EXPECT_GT(r, 20.0 - 8.0 - 1.0);
    EXPECT_LT(r, 20.0 - 5.0 + 1.0);
    // Without it, or with it down on the wall, the tube is good.
    tube.pylons[1].base = 0.0;
    EXPECT_TRUE(bake::cylinder(tube.triangles().soup(), options));
    // A gap of less than a slice is none.
    tube.pylons[1].base = 0.5;
    EXPECT_TRUE(bake::cylinder(tube.triangles().soup(), options));
    // One that grows wider towards the axis has free space under its edges.
    tube.pylons[1] = {3.0, 3.4, 20.0, 26.0, 8.0, -2.0};
    EXPECT_FALSE(bake::cylinder(tube.triangles().soup(), options, &report));
    EXPECT_GT(report.floating, 0);
}

// A niche under a roof whose one opening is at the seam, on either side of it: one comes to it over the seam alone.
TEST(CylinderBake, OneComesOverTheSeam) {
    for (const double side : {1.0, -1.0}) {
        Tube tube;
        const auto add = [&](double from, double to, double along, double end, double base) {
            Pylon p{std::min(side * from, side * to), std::max(side * from, side * to), along, end, 8.0};
            p.base = base;
            tube.pylons.push_back(p);
        };
        add(0.0, 0.4, 10.0, 16.0, 4.0);  // the roof
        add(0.4, 0.6, 8.5, 17.5, 0.0);
        add(0.0, 0.6, 8.5, 10.0, 0.0);
        add(0.0, 0.6, 16.0, 17.5, 0.0);
        const bake::CylinderBakeOptions options{.cell_size = 0.5, .slices = 10, .depth = 10.0};
        bake::CylinderReport report;
        EXPECT_FALSE(bake::cylinder(tube.triangles().soup(), options, &report)) << side;
        EXPECT_GT(report.floating, 20);
        // Shut, it is inside.
        add(-0.1, 0.05, 8.5, 17.5, 0.0);
        EXPECT_TRUE(bake::cylinder(tube.triangles().soup(), options, &report)) << side;
        EXPECT_GT(report.filled, 20);
    }
}

void run_on_threads(void* user, std::size_t count, void (*job)(void*, std::size_t), void* context) {
    const auto threads = *static_cast<const std::size_t*>(user);
    std::vector<std::thread> all;
    for (std::size_t t = 0; t < threads; ++t) {
        all.emplace_back([=] {
            for (std::size_t i = threads - 1 - t; i < count; i += threads) job(context, i);
        });
    }
    for (std::thread& thread : all) thread.join();
}

TEST(CylinderBake, SameBytesForAnyOrderAndThreads) {
    for (int i = 0; i < trials(4); ++i) {
        Rng rng(static_cast<std::uint64_t>(40 + i));
        const Tube tube = random_tube(rng, 20, 12.0, 50.0);
        Triangles model = tube.triangles();
        bake::CylinderBakeOptions options{.cell_size = 0.8, .slices = 5};
        const Result<CylinderWorld> plain = bake::cylinder(model.soup(), options);
        ASSERT_TRUE(plain);
        const std::vector<std::uint8_t> bytes = bytes_of(*plain);
        std::size_t threads = 1 + rng.below(4);
        options.jobs = {run_on_threads, &threads};
        for (std::size_t t = model.triangles.size() / 3; t > 1; --t) {
            const std::size_t other = rng.below(static_cast<std::uint32_t>(t));
            for (std::size_t k = 0; k < 3; ++k)
                std::swap(model.triangles[3 * (t - 1) + k], model.triangles[3 * other + k]);
        }
        const Result<CylinderWorld> shuffled = bake::cylinder(model.soup(), options);
        ASSERT_TRUE(shuffled);
        EXPECT_EQ(bytes_of(*shuffled), bytes);
    }
}

TEST(CylinderBake, BadOptionsAndTriangles) {
    Tube tube;
    tube.pylons.push_back({1.0, 1.5, 5.0, 12.0, 6.0});
    Triangles model = tube.triangles();
    const auto refuse = [&](const bake::CylinderBakeOptions& options, ErrorCode code, Field field) {
        const Result<CylinderWorld> world = bake::cylinder(model.soup(), options);
        ASSERT_FALSE(world);
        EXPECT_EQ(world.error().code, code) << error_text(world.error()).c_str();
        EXPECT_EQ(world.error().field, field) << error_text(world.error()).c_str();
    };
    const double nan = std::nan("");
    refuse({.cell_size = 0.0}, ErrorCode::out_of_range, Field::cell_size);
    refuse({.cell_size = nan}, ErrorCode::not_finite, Field::cell_size);
    refuse({.cell_size = 30.0}, ErrorCode::out_of_range, Field::cell_size);
    refuse({.cell_size = 1e-3}, ErrorCode::size_limit, Field::width);
    refuse({.slices = 0}, ErrorCode::out_of_range, Field::layers);
    refuse({.slices = 65}, ErrorCode::out_of_range, Field::layers);
    refuse({.give_centre = true, .centre = {nan, 0, 0}}, ErrorCode::not_finite, Field::origin);
    refuse({.radius = -1.0}, ErrorCode::out_of_range, Field::radius_max);
    refuse({.radius = nan}, ErrorCode::not_finite, Field::radius_max);
    refuse({.depth = 20.0}, ErrorCode::out_of_range, Field::distance);
    refuse({.depth = nan}, ErrorCode::not_finite, Field::distance);
    model.vertices[0].x = nan;
    model.vertices[7].y = 1e13;
    model.triangles[3 * 5] = 1U << 30;
    bake::CylinderReport report;
    ASSERT_TRUE(bake::cylinder(model.soup(), {}, &report));
    EXPECT_EQ(report.triangles.not_finite, 1U);
    EXPECT_EQ(report.triangles.too_far, 1U);
    EXPECT_EQ(report.triangles.bad_index, 1U);
    EXPECT_EQ(report.triangles.first_bad, 0);
    refuse({.refuse_bad = true}, ErrorCode::not_finite, Field::none);
    model.triangles.pop_back();
    refuse({}, ErrorCode::size_mismatch, Field::triangles);
    model.triangles.clear();
    refuse({}, ErrorCode::size_zero, Field::triangles);
}

TEST(CylinderBake, StopsAndRunsOutOfMemory) {
    Tube tube;
    tube.pylons.push_back({1.0, 1.5, 5.0, 12.0, 6.0});
    const Triangles model = tube.triangles();
    bake::CylinderBakeOptions options{.cell_size = 8.0, .slices = 2};
    options.progress = {[](void*, std::size_t, std::size_t) { return false; }, nullptr};
    const Result<CylinderWorld> stopped = bake::cylinder(model.soup(), options);
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.error().code, ErrorCode::cancelled);

    // Bake, save, load, tiles: the n-th allocation fails, for every n.
    TestAllocator memory;
    options.progress = {};
    options.allocator = memory.allocator();
    bool whole = false;
    int failures = 0;
    for (std::int64_t n = 0; !whole; ++n) {
        memory.fail_after(n, false);
        const Result<CylinderWorld> world = bake::cylinder(model.soup(), options);
        Array<std::uint8_t> bytes(memory.allocator());
        Error error;
        if (!world) {
            error = world.error();
        } else if (const Result<void> saved = save_cylinder(*world, bytes); !saved) {
            error = saved.error();
        } else if (const auto loaded = load_cylinder(bytes.span(), memory.allocator()); !loaded) {
            error = loaded.error();
        } else if (const auto grid = make_cylinder_grid(*loaded, {.allocator = memory.allocator()}); !grid) {
            error = grid.error();
        } else {
            whole = true;
        }
        ASSERT_EQ(memory.feed(), !whole);
        failures += whole ? 0 : 1;
        ASSERT_TRUE(whole || error.code == ErrorCode::out_of_memory);
    }
    EXPECT_GT(failures, 20);
    EXPECT_EQ(memory.live_blocks, 0);
}

TEST(CylinderFile, SavedAndLoaded) {
    Rng rng(5);
    const Tube tube = random_tube(rng, 10);
    const Result<CylinderWorld> world = bake::cylinder(tube.triangles().soup());
    ASSERT_TRUE(world);
    std::vector<std::uint8_t> bytes = bytes_of(*world);
    const Result<CylinderWorld> again = load_cylinder(bytes);
    ASSERT_TRUE(again) << error_text(again.error()).c_str();
    EXPECT_EQ(again->shape, world->shape);
    EXPECT_EQ(bytes_of(*again), bytes);
    for (std::size_t cut = 0; cut < bytes.size(); cut += 37)
        EXPECT_FALSE(load_cylinder(std::span(bytes).first(cut)));
    const Result<BakedFile> file = BakedFile::open(bytes, {});
    ASSERT_TRUE(file);
    // Forged files, whose checksums are right: a column of more slices than there are, any bit of the shape.
    const auto refuses = [&](std::size_t at, std::uint8_t flip) {
        std::vector<std::uint8_t> forged = bytes;
        forged[at] = static_cast<std::uint8_t>(forged[at] ^ flip);
        EXPECT_TRUE(baked_reseal(forged)) << at;
        const Result<CylinderWorld> refused = load_cylinder(forged);
        return !refused && refused.error().code == ErrorCode::baked_value;
    };
    const BakedSection shape = file->section_at(0), columns = file->section_at(1);
    EXPECT_TRUE(refuses(static_cast<std::size_t>(columns.offset) + 11, 0x80));
    for (std::size_t i = 0; i < shape.size; ++i)
        EXPECT_TRUE(refuses(static_cast<std::size_t>(shape.offset) + i, 0x40)) << i;
}

}  // namespace
}  // namespace fairlead::testing
