#include "drive/cost/terrain.h"

#include <limits>

#include "drive/cost/road_pieces.h"

namespace fairlead::drive {

namespace {

constexpr double kFactorMax = 1000.0;

bool good_factor(double factor) {
    return factor == kRoadForbidden || (factor >= 1.0 && factor <= kFactorMax);
}

std::uint32_t in_parts(double factor) {
    return factor == kRoadForbidden ? 0 : static_cast<std::uint32_t>(factor * RoadGround::kOne + 0.5);
}

}  // namespace

bool RoadGround::good(const RoadRules& rules) {
    return good_factor(rules.off_road) && good_factor(rules.against);
}

RoadGround RoadGround::with(const RoadRules& rules, const std::uint16_t* facings) {
    return {facings, in_parts(rules.off_road), in_parts(rules.against)};
}

double Terrain::cost_of(const CurveWord& word, const Pose& start, double radius,
                        double reverse_penalty) const {
    const SweptPieces pieces = place_pieces(start, radius, word);
    double sum = 0.0;
    for (int i = 0; i < pieces.count; ++i) {
        const SweptSegment& piece = pieces.piece[i];
        if (piece.amount == 0.0) continue;  // it stands, or turns on the spot
        double cost = 0.0;
        if (uniform()) {
            cost = std::abs(piece.amount);
        } else if (has_roads()) {
            cost = cost_on_roads(piece);
        } else {
            for_cells_along(
                piece, [&](std::int32_t x, std::int32_t y, double length) { cost += length * at(x, y); });
        }
        sum += piece.amount < 0.0 ? cost * reverse_penalty : cost;
    }
    return sum;
}

double Terrain::cost_on_roads(const SweptSegment& piece) const {
    double cost = 0.0;
    for_road_pieces(piece, [&](const RoadPiece& part) {
        const std::uint32_t times =
            on_road(part.x, part.y, part.over_x, part.over_y, static_cast<std::uint32_t>(part.facing));
        cost += times == 0 ? std::numeric_limits<double>::infinity()
                           : part.length * times * (1.0 / RoadGround::kOne);
    });
    return cost;
}

}  // namespace fairlead::drive
