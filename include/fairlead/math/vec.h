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
    friend constexpr Vec2 operator/(Vec2 a, double s) { return {a.x / s, a.y / s}; }
    constexpr Vec2& operator+=(Vec2 b) { return *this = *this + b; }
    constexpr Vec2& operator-=(Vec2 b) { return *this = *this - b; }
    constexpr Vec2& operator*=(double s) { return *this = *this * s; }
    constexpr Vec2& operator/=(double s) { return *this = *this / s; }
    friend constexpr bool operator==(Vec2, Vec2) = default;
};

struct Vec3 {
    double x = 0.0;
    double y = 0.0;
    double z = 0.0;

    friend constexpr Vec3 operator+(Vec3 a, Vec3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
    friend constexpr Vec3 operator-(Vec3 a, Vec3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
    friend constexpr Vec3 operator-(Vec3 a) { return {-a.x, -a.y, -a.z}; }
    friend constexpr Vec3 operator*(Vec3 a, double s) { return {a.x * s, a.y * s, a.z * s}; }
    friend constexpr Vec3 operator*(double s, Vec3 a) { return {a.x * s, a.y * s, a.z * s}; }
    friend constexpr Vec3 operator/(Vec3 a, double s) { return {a.x / s, a.y / s, a.z / s}; }
    constexpr Vec3& operator+=(Vec3 b) { return *this = *this + b; }
    constexpr Vec3& operator-=(Vec3 b) { return *this = *this - b; }
    constexpr Vec3& operator*=(double s) { return *this = *this * s; }
    constexpr Vec3& operator/=(double s) { return *this = *this / s; }
    friend constexpr bool operator==(Vec3, Vec3) = default;
};

[[nodiscard]] FAIRLEAD_INLINE constexpr double dot(Vec2 a, Vec2 b) { return a.x * b.x + a.y * b.y; }
[[nodiscard]] FAIRLEAD_INLINE constexpr double dot(Vec3 a, Vec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
/// Positive when b lies to the left of a (counter-clockwise).
[[nodiscard]] FAIRLEAD_INLINE constexpr double cross(Vec2 a, Vec2 b) { return a.x * b.y - a.y * b.x; }
/// At right angles to both; a, b and it turn as x, y and z do.
[[nodiscard]] FAIRLEAD_INLINE constexpr Vec3 cross(Vec3 a, Vec3 b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
/// Square root of a sum of squares; correctly rounded square root, so the same everywhere. No guard against
/// overflow: coordinates are below 1e150.
[[nodiscard]] FAIRLEAD_INLINE double length(Vec2 a) { return std::sqrt(dot(a, a)); }
[[nodiscard]] FAIRLEAD_INLINE double length(Vec3 a) { return std::sqrt(dot(a, a)); }
[[nodiscard]] FAIRLEAD_INLINE double distance(Vec2 a, Vec2 b) { return length(b - a); }
[[nodiscard]] FAIRLEAD_INLINE double distance(Vec3 a, Vec3 b) { return length(b - a); }
/// Of length 1 the same way; zero stays zero.
[[nodiscard]] FAIRLEAD_INLINE Vec2 normalized(Vec2 a) { return a == Vec2{} ? a : a / length(a); }
[[nodiscard]] FAIRLEAD_INLINE Vec3 normalized(Vec3 a) { return a == Vec3{} ? a : a / length(a); }
[[nodiscard]] FAIRLEAD_INLINE bool is_finite(Vec2 a) { return std::isfinite(a.x) && std::isfinite(a.y); }
[[nodiscard]] FAIRLEAD_INLINE bool is_finite(Vec3 a) {
    return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z);
}

[[nodiscard]] constexpr Vec2 ground(Vec3 a) { return {a.x, a.y}; }

}  // namespace fairlead
