// Runs of equal points, joined with those of the row before (connected components in two passes: Rosenfeld and Pfaltz 1966, on runs).
#include "crowd/places/pieces.h"

namespace fairlead::crowd {

bool Pieces::list_runs(const std::uint8_t* kinds, std::int32_t width, std::int32_t height) {
    runs.clear();
    rows.clear();
    pieces.clear();
    if (!rows.reserve(static_cast<std::size_t>(height) + 1)) return false;
    for (std::int32_t y = 0; y < height; ++y) {
        const std::uint8_t* row = kinds + static_cast<std::size_t>(y) * static_cast<std::size_t>(width);
        if (!rows.push_back(static_cast<std::uint32_t>(runs.size()))) return false;
        for (std::int32_t x = 0; x < width;) {
            const std::uint8_t kind = row[x];
            const std::int32_t begin = x;
            while (x < width && row[x] == kind) ++x;
            // Until number() has its say, a run keeps its kind in `piece`.
            if (kind != kNoKind && !runs.push_back({y, begin, x, kind})) return false;
        }
    }
    return rows.push_back(static_cast<std::uint32_t>(runs.size()));
}

void Pieces::join_rows() {
    for (std::size_t y = 1; y + 1 < rows.size(); ++y) {
        std::uint32_t below = rows[y - 1];
        for (std::uint32_t i = rows[y]; i < rows[y + 1]; ++i) {
            const PieceRun& run = runs[i];
            while (below < rows[y] && runs[below].x1 < run.x0) ++below;
            for (std::uint32_t k = below; k < rows[y] && runs[k].x0 <= run.x1; ++k) {
                if (runs[k].piece == run.piece) joined.join(k, i);
            }
        }
    }
}

bool Pieces::number() {
    for (std::uint32_t i = 0; i < runs.size(); ++i) {
        PieceRun& run = runs[i];
        const std::uint32_t first = joined.find(i);
        if (first == i) {
            const auto kind = static_cast<std::uint8_t>(run.piece);
            run.piece = static_cast<std::uint32_t>(pieces.size());
            if (!pieces.push_back({.kind = kind})) return false;
        } else {
            run.piece = runs[first].piece;  // numbered before: it is the smallest of its set
        }
        pieces[run.piece].points += static_cast<std::uint64_t>(run.x1 - run.x0);
    }
    return true;
}

bool Pieces::find(const std::uint8_t* kinds, std::int32_t width, std::int32_t height) {
    if (!list_runs(kinds, width, height) || !joined.begin(runs.size())) return false;
    join_rows();
    return number();
}

std::uint32_t Pieces::at(std::int32_t x, std::int32_t y) const {
    std::uint32_t low = rows[static_cast<std::size_t>(y)];
    std::uint32_t high = rows[static_cast<std::size_t>(y) + 1];
    while (low < high) {
        const std::uint32_t middle = low + (high - low) / 2;
        if (runs[middle].x1 <= x) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low == rows[static_cast<std::size_t>(y) + 1] || runs[low].x0 > x) return kNoPiece;
    return runs[low].piece;
}

}  // namespace fairlead::crowd
