// What a straight piece of a way costs among the prices of a query: its length x rate, exact between the places where it comes into a
// region or leaves one.
//
// Positions are world units from the volume's low corner, or voxels; prices of the latter are in sides (search/metric.h).
#pragma once

#include <cstdint>
#include <span>

#include <fairlead/base/array.h>
#include <fairlead/base/result.h>
#include <fairlead/volume/area.h>

#include "volume/sight/blockers.h"

namespace fairlead::volume {

/// Errors: not_finite, out_of_range (with the index), size_limit; Field::areas.
[[nodiscard]] Result<void> check_prices(const StateData& state, std::span<const VolumeArea> prices);

class Prices {
  public:
    explicit Prices(const Allocator& allocator) : tree_(allocator), spans_(allocator), shares_(allocator) {}

    /// Checked ones, which outlive it. False: out of memory.
    [[nodiscard]] bool begin(const StateData& state, std::span<const VolumeArea> prices);
    [[nodiscard]] bool empty() const { return prices_.empty(); }
    /// No rate is below the one or above the other, anywhere.
    [[nodiscard]] double least() const { return least_; }
    [[nodiscard]] double most() const { return most_; }

    /// World units.
    [[nodiscard]] double of_line(Vec3 from, Vec3 to);
    /// Voxels, in sides.
    [[nodiscard]] double of_voxels(Vec3 from, Vec3 to);
    /// Of the line asked last, the share where its dearest piece has its middle.
    [[nodiscard]] double dearest() const { return dearest_; }
    /// Is all of the box outside of all regions? World units; may say no.
    [[nodiscard]] bool is_free_of(const math::SpaceBox& box) const;

  private:
    /// The share of a line that lies in a region.
    struct Span {
        std::uint32_t price = 0;
        double from = 0.0;
        double to = 0.0;
    };
    [[nodiscard]] double rate_at(double share, Vec3 along) const;

    std::span<const VolumeArea> prices_{};
    BlockerTree tree_;
    Vec3 scale_{1, 1, 1};
    double side_ = 1.0;
    double least_ = 1.0;
    double most_ = 1.0;
    double dearest_ = 0.5;
    Array<Span> spans_;  ///< of the line at hand; there is room for all
    Array<double> shares_;
};

}  // namespace fairlead::volume
