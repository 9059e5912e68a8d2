// Breadth first from one cell to those beside it: the square is swept over the surface, or, where no wall is near, walked.
#include "bridge/sheet_cells.h"

#include <fairlead/math/trig.h>

namespace fairlead::bridge {

namespace {

constexpr std::uint32_t kDropped = mesh::kNone - 1;  // a cell that is not to be taken up again
/// From the middle of a cell no point of it or of the cell beside it is farther, in cells.
constexpr double kTwoCells = 1.5811388300841898 + 1e-6;

}  // namespace

bool SheetCells::begin(const mesh::StateData& state, Vec2 origin, double cell_size, std::int32_t width,
                       std::int32_t height, double inset, std::uint64_t closed_areas) {
    state_ = &state;
    frame_ = {origin, cell_size, 1.0 / cell_size};
    width_ = width;
    height_ = height;
    const std::size_t cells = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
    if (!polygons_.resize(cells) || !queue_.reserve(cells)) return false;
    for (std::uint32_t& one : polygons_) one = mesh::kNone;
    const double half = 0.5 - inset;
    sweep_.begin(state, frame_, {{{-half, -half}, {half, half}}, 0.0}, {.closed = closed_areas});
    return true;
}

// Takes in the cells beside one that is on the sheet.
bool SheetCells::look_beside(std::uint32_t cell) {
    CurveWord ahead;
    ahead.segments[0] = {1.0, Steer::straight};
    ahead.count = 1;
    const Vec2 middle = middle_of(cell);
    const bool roomy = sweep_.room(polygons_[cell], middle, kTwoCells + 1e-3) >= kTwoCells;
    for (int turn = 0; turn < 4; ++turn) {
        const std::int32_t dx = turn == 0 ? 1 : (turn == 2 ? -1 : 0);
        const std::int32_t dy = turn == 1 ? 1 : (turn == 3 ? -1 : 0);
        const std::int32_t x = static_cast<std::int32_t>(cell) % width_ + dx;
        const std::int32_t y = static_cast<std::int32_t>(cell) / width_ + dy;
        if (x < 0 || y < 0 || x >= width_ || y >= height_) continue;
        const auto next = static_cast<std::uint32_t>(y * width_ + x);
        std::uint32_t under = polygons_[cell];
        bool slides = true;
        if (roomy) {
            sweep_.walk(under, middle, middle_of(next));
        } else {
            slides = sweep_.is_free(under, {middle, turn * kHalfPi}, 1.0, ahead);
        }
        const std::uint32_t known = polygons_[next];
        if (known == kDropped || (slides && known == under)) continue;
        if (known != mesh::kNone) {
            // A wall is between two cells of the sheet, or another floor has the one beside: a grid would not know.
            polygons_[cell] = kDropped;
            break;
        }
        if (!slides) continue;
        polygons_[next] = under;
        if (!queue_.push_back(next)) return false;
    }
    return true;
}

bool SheetCells::follow(std::uint32_t cell, std::uint32_t polygon) {
    if (polygons_[cell] != mesh::kNone) return true;
    if (!sweep_.is_free(polygon, {middle_of(cell), 0.0}, 1.0, CurveWord{})) return !sweep_.failed();
    polygons_[cell] = polygon;
    queue_.clear();
    if (!queue_.push_back(cell)) return false;
    for (std::size_t i = 0; i < queue_.size(); ++i) {
        if (!look_beside(queue_[i])) return false;
    }
    return !sweep_.failed();
}

void SheetCells::finish() {
    for (std::uint32_t& one : polygons_) {
        if (one == kDropped) one = mesh::kNone;
    }
}

}  // namespace fairlead::bridge
