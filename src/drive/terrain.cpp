#include "drive/terrain.h"

namespace fairlead::drive {

double Terrain::cost_of(const CurveWord& word, const Pose& start, double radius,
                        double reverse_penalty) const {
    const SweptPieces pieces = place_pieces(start, radius, word);
    double sum = 0.0;
    for (int i = 0; i < pieces.count; ++i) {
        const SweptSegment& piece = pieces.piece[i];
        double cost = 0.0;
        if (uniform()) {
            cost = std::abs(piece.amount);
        } else {
            for_cells_along(
                piece, [&](std::int32_t x, std::int32_t y, double length) { cost += length * at(x, y); });
        }
        sum += piece.amount < 0.0 ? cost * reverse_penalty : cost;
    }
    return sum;
}

}  // namespace fairlead::drive
