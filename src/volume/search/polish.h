// Pulls a way taut and slides its bends along what stops them, by sight alone. In slices: a unit is a test of sight.
//
// A bend between two neighbours may be moved towards a target as far as both stay in sight of it. Where a solid voxel stops it, the move
// ends just before the swept triangle meets one of the voxel's edges. Targets: the foot of the bend on the straight line between its
// neighbours; then, along each axis, the place at which the way over it is shortest, so that a bend slides along an edge. Then corners
// are cut.
//
// With prices no line is put in the place of others that cost less. Bends are moved part of the way to a target where all of it is dearer,
// and then tried along the axes, for the cheapest way need not be taut; and legs bulge to where a bend would make them cheaper.
//
// Source: our own, found by measurement (docs/performance.md); string pulling: Botea, Mueller and Schaeffer 2004.
#pragma once

#include <cstdint>

#include <fairlead/base/array.h>
#include <fairlead/math/vec.h>

#include "volume/search/metric.h"
#include "volume/sight/prices.h"
#include "volume/sight/walk.h"

namespace fairlead::volume {

class Polisher {
  public:
    explicit Polisher(const Allocator& allocator) : points_(allocator), next_(allocator) {}

    /// Takes over a way. `tests_base`, `tests_bend`: how many tests of sight it may take. `prices`: null where a way costs its length.
    /// False: out of memory.
    [[nodiscard]] bool begin(const StateData& state, const Body& body, Prices* prices, const Array<Vec3>& way,
                             std::uint32_t tests_base, std::uint32_t tests_bend);
    /// Works for about so many tests of sight; false: done, or out of memory.
    [[nodiscard]] bool step(std::uint64_t& budget);
    [[nodiscard]] bool failed() const { return failed_; }
    [[nodiscard]] const Array<Vec3>& points() const { return points_; }
    [[nodiscard]] Array<Vec3>& points() { return points_; }
    /// Of the way, sides; with prices what it costs.
    [[nodiscard]] double cost() const;

  private:
    enum class Stage : std::uint8_t { pull, bulge, sweep, chamfer, done };

    void pull();
    void bulge();
    void begin_sweep();
    [[nodiscard]] bool insert(std::size_t before, Vec3 place);
    void sweep();
    void chamfer();
    void end_sweep();
    [[nodiscard]] bool sees_from(Vec3 from, Vec3 to);
    [[nodiscard]] FAIRLEAD_INLINE double away(Vec3 a, Vec3 b) const { return metric_length(metric_, b - a); }
    [[nodiscard]] FAIRLEAD_INLINE double price(Vec3 from, Vec3 to) const {
        if (FAIRLEAD_UNLIKELY(prices_ != nullptr)) return prices_->of_voxels(from, to);
        return away(from, to);
    }
    /// Does the line cost no more than the way between two places of it? Without prices no line does.
    [[nodiscard]] bool is_cheaper(std::size_t from, std::size_t to) const {
        return prices_ == nullptr || is_cheaper_priced(from, to);
    }
    [[nodiscard]] bool is_cheaper_priced(std::size_t from, std::size_t to) const;
    [[nodiscard]] bool move_part(std::size_t bend, Vec3 target);
    void move_bend(Vec3 target) {
        (void)(prices_ == nullptr ? move_to(at_, target) : move_part(at_, target));
    }
    [[nodiscard]] Vec3 target_aside(std::size_t bend, int which) const;
    [[nodiscard]] bool move_to(std::size_t bend, Vec3 target);
    [[nodiscard]] double advance(Vec3 a, Vec3 p, Vec3 b, Vec3 target);
    [[nodiscard]] bool shorten(Vec3 to, Vec3 p, Vec3 target, const SightHit& hit, double& share);
    [[nodiscard]] Vec3 target_on(std::size_t bend, int axis) const;
    void drop(std::size_t bend);

    const StateData* state_ = nullptr;
    const Body* body_ = nullptr;
    Prices* prices_ = nullptr;
    Vec3 metric_{1, 1, 1};
    Array<Vec3> points_;
    Array<Vec3> next_;
    Stage stage_ = Stage::done;
    bool failed_ = false;
    std::uint64_t tests_ = 0;  ///< of sight so far
    std::uint64_t tests_max_ = 0;
    std::uint64_t tests_base_ = 0;
    std::uint64_t tests_bend_ = 0;
    double tolerance_ = 0.0;
    double straight_ = 0.0;
    double before_ = 0.0;  ///< length before this sweep
    int sweeps_ = 0;
    std::size_t at_ = 0;       ///< pull: the place that is looked from; else the bend
    std::size_t far_ = 0;      ///< pull: the last place that is known to be in sight
    std::size_t step_ = 0;     ///< pull: how far ahead the next test looks
    std::size_t ceiling_ = 0;  ///< pull: the first place known not to be in sight
    int target_ = 0;           ///< sweep: which of the bend's targets comes next
    int stopped_ = -1;         ///< the axis of the edge that stopped the last move
    int cut_ = 0;              ///< chamfer: which share comes next
};

}  // namespace fairlead::volume
