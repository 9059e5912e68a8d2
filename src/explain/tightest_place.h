// Where does a way through a volume come nearest to what is solid? Distances from a segment are found by halving: the room changes by no
// more than one moves, so that a half which cannot hold less than the least so far is left out.
#pragma once

#include <fairlead/base/array.h>
#include <fairlead/route/route.h>
#include <fairlead/volume/volume.h>

namespace fairlead::explaining {

/// The line of a route, measured along it.
class RouteLine {
  public:
    explicit RouteLine(const Allocator& allocator) : points_(allocator), at_(allocator) {}

    /// Straight legs. False: out of memory.
    [[nodiscard]] bool begin(const Route& route);
    [[nodiscard]] double length() const { return at_.empty() ? 0.0 : at_.back(); }
    [[nodiscard]] Vec3 point(double along) const;

    struct Tight {
        Vec3 place{};
        double room = 0.0;
    };
    /// Of the stretch from `low` to `high`, to `step`; room above `limit` does not count. What is solid is made taller by `half`, up and
    /// down. `budget` falls by the places looked at.
    [[nodiscard]] Tight tightest(const VolumeState& volume, double low, double high, double half,
                                 double limit, double step, std::uint64_t& budget) const;

  private:
    Array<Vec3> points_;
    Array<double> at_;
};

}  // namespace fairlead::explaining
