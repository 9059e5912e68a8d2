// Vectors' operators, and views of other engines' points.

#include <array>
#include <cmath>

#include <fairlead/base/rng.h>
#include <fairlead/math/convert.h>
#include <gtest/gtest.h>

namespace fairlead {
namespace {

struct Float3 {
    float x, y, z, w;
};

// The right hand's rule, as a determinant: of z up right-handed +1.
template <Axes kAxes>
double hand() {
    using View = AxesView<kAxes>;
    const Vec3 x = View::template from_world<Vec3>({1, 0, 0});
    const Vec3 y = View::template from_world<Vec3>({0, 1, 0});
    const Vec3 z = View::template from_world<Vec3>({0, 0, 1});
    return dot(cross(x, y), z);
}

template <Axes kAxes>
void expect_round_trip() {
    using View = AxesView<kAxes>;
    Rng rng(17);
    for (int i = 0; i < 1000; ++i) {
        const Vec3 p{rng.between(-1e6, 1e6), rng.between(-1e6, 1e6), rng.between(-1e6, 1e6)};
        EXPECT_EQ(View::to_world(View::template from_world<Vec3>(p)), p);
        const Float3 f{static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(p.z), 0};
        const auto back = View::template from_world<Float3>(View::to_world(f));
        EXPECT_EQ(back.x, f.x);
        EXPECT_EQ(back.y, f.y);
        EXPECT_EQ(back.z, f.z);
        float numbers[6] = {};
        View::from_world(View::to_world(f), numbers + 3);
        EXPECT_EQ(View::to_world(numbers + 3), View::to_world(f));
        const auto array = View::template from_world<std::array<double, 3>>(p);
        EXPECT_EQ(View::to_world(array), p);
    }
}

TEST(Convert, RoundTrip) {
    expect_round_trip<Axes::z_up_right>();
    expect_round_trip<Axes::z_up_left>();
    expect_round_trip<Axes::y_up_right>();
    expect_round_trip<Axes::y_up_left>();
}

TEST(Convert, HandsAndUp) {
    EXPECT_EQ(hand<Axes::z_up_right>(), 1.0);
    EXPECT_EQ(hand<Axes::z_up_left>(), -1.0);
    EXPECT_EQ(hand<Axes::y_up_right>(), 1.0);
    EXPECT_EQ(hand<Axes::y_up_left>(), -1.0);
    const Vec3 up{0, 0, 1};
    EXPECT_EQ(AxesView<Axes::z_up_left>::from_world<Vec3>(up), (Vec3{0, 0, 1}));
    EXPECT_EQ(AxesView<Axes::y_up_right>::from_world<Vec3>(up), (Vec3{0, 1, 0}));
    EXPECT_EQ(AxesView<Axes::y_up_left>::from_world<Vec3>(up), (Vec3{0, 1, 0}));
    // As the loaders of OBJ and glTF have it.
    EXPECT_EQ(AxesView<Axes::y_up_right>::to_world(Vec3{1, 2, 3}), (Vec3{1, -3, 2}));
    static_assert(AxesView<Axes::y_up_left>::to_world(Vec3{1, 2, 3}) == Vec3{1, 3, 2});
}

TEST(Vectors, Operators) {
    Vec2 a{1, 2};
    a += {3, 4};
    a -= {1, 1};
    a *= 4.0;
    a /= 2.0;
    EXPECT_EQ(a, (Vec2{6, 10}));
    EXPECT_EQ(a / 2.0, (Vec2{3, 5}));
    Vec3 b{1, 2, 3};
    b += {1, 1, 1};
    b -= {0, 1, 2};
    b *= 2.0;
    b /= 4.0;
    EXPECT_EQ(b, (Vec3{1, 1, 1}));
    EXPECT_EQ(-(2.0 * b) / 4.0, (Vec3{-0.5, -0.5, -0.5}));
    EXPECT_EQ(dot(Vec3{1, 2, 3}, Vec3{4, 5, 6}), 32.0);
    EXPECT_EQ(cross(Vec3{1, 0, 0}, Vec3{0, 1, 0}), (Vec3{0, 0, 1}));
    EXPECT_EQ(length(Vec3{2, 3, 6}), 7.0);
    EXPECT_EQ(distance(Vec3{1, 1, 1}, Vec3{3, 4, 7}), 7.0);
    EXPECT_EQ(normalized(Vec3{0, 0, -5}), (Vec3{0, 0, -1}));
    EXPECT_EQ(normalized(Vec2{}), Vec2{});
    EXPECT_TRUE(is_finite(Vec3{1, 2, 3}));
    EXPECT_FALSE(is_finite(Vec3{1, std::nan(""), 3}));
    static_assert(Vec2{1, 2} + Vec2{1, 1} == Vec2{2, 3} && dot(Vec3{1, 1, 1}, Vec3{1, 1, 1}) == 3.0);
}

}  // namespace
}  // namespace fairlead
