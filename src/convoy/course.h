// What a unit drives: courses one after the other, each a curve driven by a profile of speed, or a stand.
#pragma once

#include <algorithm>

#include <fairlead/base/array.h>
#include <fairlead/curve/word.h>
#include <fairlead/math/pose.h>
#include <fairlead/route/speed_profile.h>

namespace fairlead::convoy {

/// Where a course ends: a pose of the lattice, or an exact one off it.
struct Stop {
    std::int32_t x = 0;
    std::int32_t y = 0;
    std::uint8_t heading = 0;
    std::uint8_t level = 0;
    Gear gear = Gear::forward;
    bool off = false;  ///< `at` alone counts
    Pose at{};         ///< world units
};

struct Course {
    double start = 0.0;
    double end = 0.0;
    Pose from{};       ///< world units
    CurveWord word{};  ///< in turning radii
    std::uint32_t first_knot = 0;
    std::uint32_t knots = 0;  ///< 0: it stands
    Stop last{};

    [[nodiscard]] bool stands() const { return knots == 0; }
};

/// Without gaps in time; after the last course it stands.
struct Plan {
    explicit Plan(const Allocator& allocator) : courses(allocator), knots(allocator) {}

    Array<Course> courses;
    Array<SpeedKnot> knots;

    void clear() {
        courses.clear();
        knots.clear();
    }
    /// The course under way at a time: the first that ends after it, or the last one.
    [[nodiscard]] std::size_t course_at(double time) const {
        std::size_t i = 0;
        while (i + 1 < courses.size() && courses[i].end <= time) ++i;
        return i;
    }
    [[nodiscard]] std::span<const SpeedKnot> knots_of(const Course& course) const {
        return knots.span().subspan(course.first_knot, course.knots);
    }
    [[nodiscard]] double end() const { return courses.empty() ? 0.0 : courses.back().end; }
    /// False: out of memory.
    [[nodiscard]] bool stand(const Stop& stop, double from, double until) {
        Course course;
        course.start = from;
        course.end = until;
        course.from = stop.at;
        course.last = stop;
        course.last.level = 0;
        return courses.push_back(course);
    }
    [[nodiscard]] bool drive(const Pose& from, const CurveWord& word, std::span<const SpeedKnot> profile,
                             double start, double end, const Stop& last) {
        Course course;
        course.start = start;
        course.end = end;
        course.from = from;
        course.word = word;
        course.first_knot = static_cast<std::uint32_t>(knots.size());
        course.knots = static_cast<std::uint32_t>(profile.size());
        course.last = last;
        for (const SpeedKnot& knot : profile) {
            if (!knots.push_back(knot)) return false;
        }
        return courses.push_back(course);
    }
    /// Courses first to before `last` of another plan.
    [[nodiscard]] bool append(const Plan& other, std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i) {
            const Course& course = other.courses[i];
            const auto at = static_cast<std::uint32_t>(knots.size());
            for (const SpeedKnot& knot : other.knots_of(course)) {
                if (!knots.push_back(knot)) return false;
            }
            if (!courses.push_back(course)) return false;
            courses.back().first_knot = at;
        }
        return true;
    }
};

/// A place and how it is driven there.
struct Moving {
    Pose pose{};
    double speed = 0.0;
    Gear gear = Gear::forward;
};

[[nodiscard]] Moving moving_at(const Plan& plan, const Course& course, double radius, double time);

}  // namespace fairlead::convoy
