// What links mean to one query.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <span>

#include "mesh/data/links.h"

namespace fairlead::mesh {

struct LinkUse {
    std::uint64_t closed = 0;           ///< kinds
    std::span<const double> factors{};  ///< by kind; past its end: 1
    double price = 1.0;                 ///< of a length on the ground; costs are told in lengths
    double radius = 0.0;                ///< of the unit
    double room = 0.0;                  ///< what it needs beyond what the surface keeps from walls
    double slack = 0.0;

    [[nodiscard]] bool open(const LinkTable& table, const LinkPiece& piece) const {
        return !piece.against && (closed >> piece.kind & 1U) == 0 &&
               radius <= table.records[piece.record].link.radius_max;
    }
    /// In lengths.
    [[nodiscard]] double cost(const LinkPiece& piece) const {
        return piece.cost * (piece.kind < factors.size() ? factors[piece.kind] : 1.0) / price;
    }
    /// The least that costs are multiplied with.
    [[nodiscard]] double factor_least() const {
        double least = factors.size() < kLinkKindsMax ? 1.0 : 1e300;
        for (std::uint32_t kind = 0; kind < factors.size(); ++kind) {
            if ((closed >> kind & 1U) == 0 && factors[kind] < least) least = factors[kind];
        }
        return least / price;
    }
};

/// Gates narrower than this are shut for a unit that needs `room` beyond what the surface keeps from walls. Rounded up: what is not
/// shut has room.
[[nodiscard]] inline float least_gate(double room, double slack) {
    const double wanted = room > 0.0 ? 2.0 * (room - slack) : 0.0;
    const auto width = static_cast<float>(wanted);
    return double{width} < wanted ? std::nextafterf(width, std::numeric_limits<float>::infinity()) : width;
}

}  // namespace fairlead::mesh
