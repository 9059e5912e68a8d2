// Points and vectors. The world is right-handed, z up; x and y span the ground plane.
#pragma once

#include <cmath>

#include <fairlead/base/platform.h>

namespace fairlead {

struct Vec2 {
    double x = 0.0;
    double y = 0.0;

    friend constexpr Vec2 operator+(Vec2 a, Vec2 b) { return {a.x + b.x, a.y + b.y}; }
    friend constexpr Vec2 operator-(Vec2 a, Vec2 b) { return {a.x - b.x, a.y - b.y}; }
    friend constexpr Vec2 operator-(Vec2 a) { return {-a.x, -a.y}; }
    friend constexpr Vec2 operator*(Vec2 a, double s) { return {a.x * s, a.y * s}; }
    friend constexpr Vec2 operator*(double s, Vec2 a) { return {a.x * s, a.y * s}; }
    friend constexpr bool operator==(Vec2, Vec2) = default;
};

struct Vec3 {
    double x = 0.0;
    double y = 0.0;
    double z = 0.0;

    friend constexpr Vec3 operator+(Vec3 a, Vec3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
    friend constexpr Vec3 operator-(Vec3 a, Vec3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
    friend constexpr Vec3 operator*(Vec3 a, double s) { return {a.x * s, a.y * s, a.z * s}; }
    friend constexpr bool operator==(Vec3, Vec3) = default;
};

[[nodiscard]] FAIRLEAD_INLINE constexpr double dot(Vec2 a, Vec2 b) { return a.x * b.x + a.y * b.y; }
/// Positive when b lies to the left of a (counter-clockwise).
[[nodiscard]] FAIRLEAD_INLINE constexpr double cross(Vec2 a, Vec2 b) { return a.x * b.y - a.y * b.x; }
/// Square root of a sum of squares; correctly rounded square root, so the same everywhere. No guard against
/// overflow: coordinates are below 1e150.
[[nodiscard]] FAIRLEAD_INLINE double length(Vec2 a) { return std::sqrt(dot(a, a)); }
[[nodiscard]] FAIRLEAD_INLINE double distance(Vec2 a, Vec2 b) { return length(b - a); }
[[nodiscard]] FAIRLEAD_INLINE bool is_finite(Vec2 a) { return std::isfinite(a.x) && std::isfinite(a.y); }

[[nodiscard]] constexpr Vec2 ground(Vec3 a) { return {a.x, a.y}; }

}  // namespace fairlead
