// Your engine's points and the library's: other types, floats, y up, left-handed.
//
//     using View = AxesView<Axes::y_up_left>;                              // Unity
//     const Vec3 here = View::to_world(transform.position);                // any type with x, y and z
//     const auto there = View::from_world<Vector3>(place.position);
//     const Vec3 corner = View::to_world(vertices + 3 * i);                // an array of floats
//
// The library's world is right-handed with z up: x and y span the ground. A view names yours; both ways are exact but for the rounding
// to float, and a point that goes there and back in doubles is the same bits (but for the sign of a zero). Directions convert as
// points do, so a heading does as well: from_world of {cos, sin, 0} of it. Angles turn the other way in left-handed worlds.
#pragma once

#include <cstdint>
#include <type_traits>

#include <fairlead/math/vec.h>

namespace fairlead {

/// Which way is up, and the hand: of the right one thumb, first and second finger are x, y and z.
enum class Axes : std::uint8_t {
    z_up_right,  ///< as the library has it; Blender, ROS, CryEngine
    z_up_left,   ///< (x, -y, z): Unreal
    y_up_right,  ///< (x, z, -y): Godot, three.js, OpenGL, glTF
    y_up_left,   ///< (x, z, y): Unity, Direct3D
};

namespace detail {

template <class Point>
concept HasXyz = requires(const Point& p) {
    static_cast<double>(p.x);
    static_cast<double>(p.y);
    static_cast<double>(p.z);
};

template <class Point>
[[nodiscard]] constexpr Vec3 read_xyz(const Point& p) {
    if constexpr (HasXyz<Point>) {
        return {static_cast<double>(p.x), static_cast<double>(p.y), static_cast<double>(p.z)};
    } else {
        return {static_cast<double>(p[0]), static_cast<double>(p[1]), static_cast<double>(p[2])};
    }
}

template <class Point>
constexpr void write_xyz(Vec3 v, Point& p) {
    if constexpr (HasXyz<Point>) {
        p.x = static_cast<decltype(p.x)>(v.x);
        p.y = static_cast<decltype(p.y)>(v.y);
        p.z = static_cast<decltype(p.z)>(v.z);
    } else {
        using Number = std::remove_cvref_t<decltype(p[0])>;
        p[0] = static_cast<Number>(v.x);
        p[1] = static_cast<Number>(v.y);
        p[2] = static_cast<Number>(v.z);
    }
}

}  // namespace detail

/// Points of a world with these axes. A point is anything with members x, y and z, or an array or pointer to three numbers.
template <Axes kAxes>
struct AxesView {
    template <class Point>
    [[nodiscard]] static constexpr Vec3 to_world(const Point& point) {
        const Vec3 p = detail::read_xyz(point);
        switch (kAxes) {
            case Axes::z_up_left: return {p.x, -p.y, p.z};
            case Axes::y_up_right: return {p.x, -p.z, p.y};
            case Axes::y_up_left: return {p.x, p.z, p.y};
            case Axes::z_up_right: break;
        }
        return p;
    }

    /// Into a point that is there: an array, or a type with more members.
    template <class Point>
    static constexpr void from_world(Vec3 p, Point&& point) {
        switch (kAxes) {
            case Axes::z_up_left: return detail::write_xyz({p.x, -p.y, p.z}, point);
            case Axes::y_up_right: return detail::write_xyz({p.x, p.z, -p.y}, point);
            case Axes::y_up_left: return detail::write_xyz({p.x, p.z, p.y}, point);
            case Axes::z_up_right: return detail::write_xyz(p, point);
        }
    }
    /// A new one.
    template <class Point>
    [[nodiscard]] static constexpr Point from_world(Vec3 p) {
        Point out{};
        from_world(p, out);
        return out;
    }
};

}  // namespace fairlead
