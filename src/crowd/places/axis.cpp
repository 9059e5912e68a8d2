// Dijkstra's search over the points of the place, twice. The first finds how far from walls one can keep between all mouths; the second
// goes only where that holds, and a step costs the more the nearer the walls are. Then Douglas and Peucker's simplification (1973) of the
// ways that it finds. Whole numbers throughout.
#include "crowd/places/axis.h"

#include <algorithm>

namespace fairlead::crowd {

namespace {

enum AxisState : std::uint8_t { kOutside, kOpen, kClosed };

constexpr std::int32_t kStepX[8] = {1, 0, -1, 0, 1, -1, -1, 1};
constexpr std::int32_t kStepY[8] = {0, 1, 0, -1, 1, 1, -1, -1};
constexpr std::uint32_t kStepLength[8] = {5, 5, 5, 5, 7, 7, 7, 7};

/// The middle of a passage must be worth a way round in it: the square of how much nearer the walls are.
std::uint32_t axis_weight(std::uint32_t squared_distance, std::uint32_t most) {
    return 8 + 16 * most / (squared_distance + 1);
}

/// A corner is kept where it is more than one step off the line: twice the triangle against the line's length.
bool is_bend(const AxisPoint& a, const AxisPoint& b, const AxisPoint& p, std::int64_t& off) {
    const std::int64_t ux = b.x - a.x;
    const std::int64_t uy = b.y - a.y;
    const std::int64_t vx = p.x - a.x;
    const std::int64_t vy = p.y - a.y;
    const std::int64_t square = ux * ux + uy * uy;
    if (square == 0) {
        off = vx * vx + vy * vy;
        return off > 1;
    }
    off = ux * vy - uy * vx;
    off = off < 0 ? -off : off;
    return off * off > square;
}

}  // namespace

bool AxisTree::begin(const PointRect& box) {
    box_ = box;
    const std::size_t count = static_cast<std::size_t>(box.width()) * static_cast<std::size_t>(box.height());
    points_.clear();
    return points_.resize(count) && cost_.resize_uninitialized(count);
}

void AxisTree::allow(const PieceRun& run) {
    for (std::int32_t x = run.x0; x < run.x1; ++x) {
        points_[at(x, run.y)].state = kOpen;
        cost_[at(x, run.y)] = UINT64_MAX;
    }
}

void AxisTree::ease(const PlaceField& field, const PieceRun& mouth) {
    const std::int32_t square = field.limits.seed[0];
    std::int32_t reach = 0;
    while (reach * reach < square) ++reach;
    for (std::int32_t y = std::max(mouth.y - reach, box_.y0); y < std::min(mouth.y + reach + 1, box_.y1);
         ++y) {
        for (std::int32_t x = std::max(mouth.x0 - reach, box_.x0);
             x < std::min(mouth.x0 + reach + 1, box_.x1); ++x) {
            const std::int32_t dx = x - mouth.x0;
            const std::int32_t dy = y - mouth.y;
            if (dx * dx + dy * dy <= square) points_[at(x, y)].eased = 1;
        }
    }
}

bool AxisTree::before(const Entry& a, const Entry& b) {
    return a.cost < b.cost || (a.cost == b.cost && a.point < b.point);
}

/// From the root until all other mouths are reached. `widest`: the cost of a way is how near it comes to walls, and the result in
/// clearance_ the least D^2 on the ways; else only points with that or more are stepped on.
bool AxisTree::spread(const PlaceField& field, std::span<const PieceRun> mouths, bool widest) {
    heap_.clear();
    const auto most = static_cast<std::uint32_t>(field.limits.cap * field.limits.cap);
    const auto pair = static_cast<std::uint32_t>(field.limits.seed[0]);
    const auto near = [&](std::int32_t x, std::int32_t y) {
        const std::uint32_t square = field.distance[field.index(x, y)];
        return points_[at(x, y)].eased != 0 ? std::max(square, pair) : square;
    };
    const auto root = at(mouths[root_].x0, mouths[root_].y);
    cost_[root] = widest ? most - near(mouths[root_].x0, mouths[root_].y) : 0;
    if (!heap_.push({cost_[root], static_cast<std::uint32_t>(root)})) return false;
    const auto columns = static_cast<std::uint32_t>(box_.width());
    std::size_t left = mouths.size();
    std::size_t wide = 0;
    for (const PieceRun& mouth : mouths) wide += mouth.piece == 0 ? 1U : 0U;
    if (wide < 2) wide = mouths.size() + 1;  // then all count
    while (!heap_.empty() && left > 0) {
        const Entry best = heap_.least();
        heap_.pop();
        Point& point = points_[best.point];
        if (point.state == kClosed) continue;
        point.state = kClosed;
        if (widest) clearance_ = most - static_cast<std::uint32_t>(best.cost);
        const std::int32_t x = box_.x0 + static_cast<std::int32_t>(best.point % columns);
        const std::int32_t y = box_.y0 + static_cast<std::int32_t>(best.point / columns);
        for (const PieceRun& mouth : mouths) {
            if (mouth.x0 != x || mouth.y != y) continue;
            --left;
            if (mouth.piece == 0) --wide;
            if (widest && ((mouth.piece == 0 && wide == 0) || (left == 0 && wide > 0))) width_ = clearance_;
        }
        for (int step = 0; step < 8; ++step) {
            const std::int32_t nx = x + kStepX[step];
            const std::int32_t ny = y + kStepY[step];
            if (nx < box_.x0 || ny < box_.y0 || nx >= box_.x1 || ny >= box_.y1) continue;
            const std::size_t next = at(nx, ny);
            if (points_[next].state != kOpen) continue;
            const std::uint32_t there = near(nx, ny);
            if (!widest && there < clearance_) continue;
            const std::uint64_t length =
                std::uint64_t{kStepLength[step]} * (axis_weight(near(x, y), most) + axis_weight(there, most));
            const std::uint64_t cost =
                widest ? std::max<std::uint64_t>(best.cost, most - there) : best.cost + length;
            if (cost >= cost_[next]) continue;
            cost_[next] = cost;
            points_[next].from = static_cast<std::uint8_t>(step + 1);
            if (!heap_.push({cost, static_cast<std::uint32_t>(next)})) return false;
        }
    }
    return true;
}

void AxisTree::reopen() {
    for (std::size_t i = 0; i < points_.size(); ++i) {
        if (points_[i].state == kOutside) continue;
        points_[i] = {0, 0, kOpen, points_[i].eased};
        cost_[i] = UINT64_MAX;
    }
}

/// From a mouth down to the axis so far; parents come first.
bool AxisTree::add_way(const PieceRun& mouth) {
    chain_.clear();
    std::int32_t x = mouth.x0;
    std::int32_t y = mouth.y;
    if (points_[at(x, y)].state != kClosed) return true;
    while (points_[at(x, y)].node == 0) {
        const std::size_t here = at(x, y);
        if (!chain_.push_back(static_cast<std::uint32_t>(here))) return false;
        const std::uint8_t from = points_[here].from;
        if (from == 0) break;
        x -= kStepX[from - 1];
        y -= kStepY[from - 1];
    }
    std::uint32_t parent = points_[at(x, y)].node == 0 ? 0 : points_[at(x, y)].node - 1;
    const auto columns = static_cast<std::uint32_t>(box_.width());
    for (std::size_t i = chain_.size(); i-- > 0;) {
        const std::uint32_t point = chain_[i];
        const auto number = static_cast<std::uint32_t>(raw.size());
        if (!raw.push_back({.x = box_.x0 + static_cast<std::int32_t>(point % columns),
                            .y = box_.y0 + static_cast<std::int32_t>(point / columns),
                            .parent = parent})) {
            return false;
        }
        points_[point].node = number + 1;
        parent = number;
    }
    return true;
}

/// Ends and forks.
void AxisTree::mark_corners(std::span<const PieceRun> mouths) {
    raw[0].corner = true;
    for (std::size_t i = 1; i < raw.size(); ++i) {
        AxisPoint& parent = raw[raw[i].parent];
        if (++parent.mark > 1) parent.corner = true;
    }
    for (const PieceRun& mouth : mouths) {
        const std::uint32_t node = points_[at(mouth.x0, mouth.y)].node;
        if (node != 0) raw[node - 1].corner = true;
    }
}

/// Of the chain, whose ends are corners: marks the bends between them.
bool AxisTree::keep_bends() {
    stack_.clear();
    if (!stack_.push_back({0, static_cast<std::uint32_t>(chain_.size() - 1)})) return false;
    while (!stack_.empty()) {
        const Span span = stack_.back();
        stack_.pop_back();
        std::int64_t farthest = -1;
        std::uint32_t bend = 0;
        for (std::uint32_t i = span.low + 1; i < span.high; ++i) {
            std::int64_t off = 0;
            const bool bends = is_bend(raw[chain_[span.low]], raw[chain_[span.high]], raw[chain_[i]], off);
            if (!bends || off <= farthest) continue;
            farthest = off;
            bend = i;
        }
        if (farthest < 0) continue;
        raw[chain_[bend]].corner = true;
        if (!stack_.push_back({span.low, bend}) || !stack_.push_back({bend, span.high})) return false;
    }
    return true;
}

bool AxisTree::simplify() {
    // Bends are found between the corners that were there first.
    const std::size_t count = raw.size();
    for (std::size_t i = 1; i < count; ++i) raw[i].mark = raw[i].corner ? 1 : 0;
    raw[0].mark = 1;
    for (std::size_t i = 1; i < count; ++i) {
        if (raw[i].mark == 0) continue;
        chain_.clear();
        auto up = static_cast<std::uint32_t>(i);
        do {
            if (!chain_.push_back(up)) return false;
            up = raw[up].parent;
        } while (raw[up].mark == 0);
        if (!chain_.push_back(up) || !keep_bends()) return false;
    }
    for (std::size_t i = 0; i < count; ++i) {
        if (!raw[i].corner) continue;
        AxisPoint node = raw[i];
        std::uint32_t up = node.parent;
        while (!raw[up].corner) up = raw[up].parent;
        raw[i].mark = static_cast<std::uint32_t>(nodes.size());
        node.parent = raw[up].mark;
        if (!nodes.push_back(node)) return false;
    }
    return true;
}

bool AxisTree::make(const PlaceField& field, std::span<const PieceRun> mouths) {
    raw.clear();
    nodes.clear();
    of_mouth.clear();
    root_ = 0;
    while (root_ + 1 < mouths.size() && mouths[root_].piece != 0) ++root_;
    if (mouths[root_].piece != 0) root_ = 0;
    if (!spread(field, mouths, true)) return false;
    reopen();
    if (!spread(field, mouths, false)) return false;
    if (!add_way(mouths[root_])) return false;
    for (const PieceRun& mouth : mouths) {
        if (!add_way(mouth)) return false;
    }
    mark_corners(mouths);
    if (!simplify()) return false;
    for (const PieceRun& mouth : mouths) {
        const std::uint32_t node = points_[at(mouth.x0, mouth.y)].node;
        if (!of_mouth.push_back(node == 0 ? kNoPiece : raw[node - 1].mark)) return false;
    }
    return true;
}

}  // namespace fairlead::crowd
