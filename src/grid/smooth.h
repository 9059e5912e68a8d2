// Smoothing: from a tile route to a taut one. Works on points in cell units, in slices.
//
// All three methods keep the first and the last point, and every edge of the result is one that the body can
// sweep (sight.h). Cost is the integral of terrain cost along the edges, which is length on uniform cost.
//
//   * greedy_shortcut (technique P3) and farthest_visible (P4) are the classics, on the points as given: their
//     results are subsequences. They know no cost except that a shortcut dearer than what it cuts is not taken.
//   * best (the default): see smooth_best.cpp. Its bends lie anywhere the body may be, mostly at walls' corners.
//
// Work is counted in units: a sight test, or as much other work as 2 us allow. A step does not stop within one
// pull, which is 13 units at most in the tests, and some hundred at the very most.
//
// Spline rounding (P8) is not offered: a spline through the points leaves the swept ways and bends tighter
// than any stated radius. Units with a turning circle get arcs from the planners that know about them.
#pragma once

#include <cstdint>
#include <span>

#include <fairlead/base/array.h>
#include <fairlead/grid/query.h>

#include "grid/pull.h"
#include "grid/sight.h"

namespace fairlead::grid {

/// Rounding: a line counts as no dearer than the stretch in whose place it comes within this share of what the route costs up to
/// the stretch's end. More than that smoothing makes no stretch dearer.
inline constexpr double kCostSlack = 1e-13;

/// One smoothing run. Reuse one object: its buffers keep their memory.
class Smoother {
  public:
    explicit Smoother(const Allocator& allocator = {});

    /// `points`: the tile route, start and goal first and last, at least one; all cells or only those where
    /// it turns. Every consecutive pair must be one that the body can sweep. A route over portals is smoothed
    /// piece by piece. The world behind `sight` must outlive the run. `shortest`: no tile route is shorter,
    /// which saves `best` some tests. False: out of memory.
    [[nodiscard]] bool begin(const Sight& sight, Smoothing method, std::span<const Vec2> points,
                             bool shortest = false);

    /// The same for points of a taut way over clusters: `best` with one pass and no table.
    [[nodiscard]] bool begin_taut(const Sight& sight, std::span<const Vec2> points);

    /// Does about `budget` units of work: it stops at the first that makes it so many or more. True while there
    /// is more to do. Any slicing gives the same result.
    [[nodiscard]] bool step(std::uint64_t budget);

    /// After step() returned false: the kept points, first and last included, no two in a row equal. When
    /// memory ran out they are the points given to begin().
    [[nodiscard]] std::span<const Vec2> points() const { return kept_; }
    [[nodiscard]] bool out_of_memory() const { return out_of_memory_; }
    /// While there is more to do: appends the points of the route as it is now, every way of it free. False: out of memory.
    [[nodiscard]] bool append_so_far(Array<Vec2>& points) const;
    /// Units of work so far: at most units_limit(), the last step's overrun and 3 units a point aside.
    [[nodiscard]] std::uint64_t units() const { return units_; }
    /// What `best` may spend on this route; for the classics, n tests and n^2 / 2.
    [[nodiscard]] std::uint64_t units_limit() const;

  private:
    enum class Stage : std::uint8_t { greedy, farthest, pass, pull, table, tidy, done };

    /// A point of the route that is being pulled tight.
    struct Bend {
        Vec2 at{};
        double cost = 0.0;                ///< of the way from the point before
        bool taut = false;                ///< pulling it between its present neighbours gains nothing
        std::uint32_t given = kNotGiven;  ///< which of the given points it is
    };
    static constexpr std::uint32_t kNotGiven = UINT32_MAX;
    /// A point of the table over all pairs.
    struct Row {
        Vec2 at{};
        double along = 0.0;  ///< cost from the start along the route
        double best = 0.0;   ///< with shortcuts
        std::uint32_t from = 0;
    };

    [[nodiscard]] bool sweeps(Vec2 a, Vec2 b) {
        ++units_;
        return sight_.can_sweep(a, b);
    }
    void step_greedy();
    void step_farthest();
    void begin_best();
    void begin_pass();
    void step_pass();
    [[nodiscard]] bool drop_bends();
    void begin_pull();
    void step_pull();
    [[nodiscard]] bool replace_bend();
    void take_back();
    [[nodiscard]] bool pull_bend(const Bend& bend, const Bend& next);
    [[nodiscard]] double way_cost(Vec2 a, Vec2 b) const;
    [[nodiscard]] double cost_of_bends(Vec2 from, Vec2 to, double limit);
    void begin_table();
    void begin_row();
    void step_table();
    [[nodiscard]] double gain_min() const;
    [[nodiscard]] bool detours(const Row& from, const Row& to);
    [[nodiscard]] bool hopeful(const Row& from, const Row& to) const;
    [[nodiscard]] bool slips_through(std::size_t i) const;
    void finish_table();
    void finish_best();
    void begin_tidy();
    void begin_stretch(std::size_t from);
    void step_tidy();
    void note_start(std::span<const Bend> route);
    /// May the way between two of the given points be cut short?
    [[nodiscard]] bool shortcut(std::size_t from, std::size_t to);
    void keep(Vec2 p);
    void check(bool good) {
        if (!good) out_of_memory_ = true;
    }

    Sight sight_{};
    Array<Vec2> given_;    ///< the route without repetitions
    Array<double> along_;  ///< cost from the first point to each given one
    Array<Vec2> kept_;
    // best: the route is left_ from the start on, then right_ from its back on.
    Array<Bend> left_;
    Array<Bend> right_;
    Array<Vec2> bends_;  ///< in place of the bend that is pulled
    Array<Row> table_;
    Puller puller_;
    double spare_cost_ = 0.0;  ///< of the route to be pulled; then how much more the new one may cost
    double spare_length_ = 0.0;
    double stretch_spare_ = 0.0;   ///< the same of the stretch between two given points
    std::size_t stretch_end_ = 0;  ///< which bend is the second of them
    std::uint64_t units_ = 0;
    std::size_t anchor_ = 0;
    std::size_t current_ = 0;
    std::size_t reach_ = 0;  ///< how many points back the table looks
    bool shortest_ = false;
    bool one_pass_ = false;  ///< no table over all pairs
    bool opening_ = false;   ///< the table is that of the given points, not yet pulled
    Stage stage_ = Stage::done;
    Smoothing method_ = Smoothing::none;
    bool out_of_memory_ = false;
};

/// Number of places where the heading of the polyline changes (technique P1).
[[nodiscard]] std::size_t heading_changes(std::span<const Vec2> points);
[[nodiscard]] double polyline_length(std::span<const Vec2> points);
[[nodiscard]] double polyline_cost(const Sight& sight, std::span<const Vec2> points);

}  // namespace fairlead::grid
