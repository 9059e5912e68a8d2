// D* Lite over a binary heap that knows where its entries are.
#include "suites/dstar_lite.h"

#include <algorithm>
#include <cstdlib>

namespace fairlead::bench {

namespace {

constexpr std::int32_t kSteps[8][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}, {1, 1}, {-1, 1}, {-1, -1}, {1, -1}};

}  // namespace

DStarLite::DStarLite(std::int32_t width, std::int32_t height, Cell start, Cell goal)
    : width_(width),
      height_(height),
      start_(start.y * width + start.x),
      last_(start_),
      goal_(goal.y * width + goal.x),
      nodes_(static_cast<std::size_t>(width) * static_cast<std::size_t>(height)),
      blocked_(nodes_.size(), 0) {
    Node& node = nodes_[static_cast<std::size_t>(goal_)];
    node.rhs = 0;
    push(goal_, key_of(goal_));
}

std::int64_t DStarLite::heuristic(std::int32_t to) const {
    const std::int64_t dx = std::abs(to % width_ - start_ % width_);
    const std::int64_t dy = std::abs(to / width_ - start_ / width_);
    return kStraight * (std::max(dx, dy) - std::min(dx, dy)) + kDiagonal * std::min(dx, dy);
}

DStarLite::Key DStarLite::key_of(std::int32_t at) const {
    const Node& node = nodes_[static_cast<std::size_t>(at)];
    const std::int64_t least = std::min(node.g, node.rhs);
    return {std::min(kFar, least + heuristic(at) + moved_), least};
}

bool DStarLite::free(std::int32_t x, std::int32_t y) const {
    return x >= 0 && y >= 0 && x < width_ && y < height_ &&
           blocked_[static_cast<std::size_t>(y * width_ + x)] == 0;
}

// Steps go both ways at the same cost.
template <class Visit>
void DStarLite::each_neighbour(std::int32_t at, Visit visit) const {
    const std::int32_t x = at % width_, y = at / width_;
    if (!free(x, y)) return;
    for (const auto& step : kSteps) {
        const std::int32_t nx = x + step[0], ny = y + step[1];
        if (!free(nx, ny)) continue;
        const bool diagonal = step[0] != 0 && step[1] != 0;
        if (diagonal && (!free(nx, y) || !free(x, ny))) continue;
        visit(ny * width_ + nx, diagonal ? kDiagonal : kStraight);
    }
}

std::int64_t DStarLite::best_rhs(std::int32_t at) const {
    std::int64_t best = kFar;
    each_neighbour(at, [&](std::int32_t next, std::int64_t cost) {
        best = std::min(best, nodes_[static_cast<std::size_t>(next)].g + cost);
    });
    return std::min(best, kFar);
}

void DStarLite::move(Cell start) {
    start_ = index(start);
    moved_ += heuristic(last_);
    last_ = start_;
}

void DStarLite::set(Cell cell, bool blocked) {
    blocked_[static_cast<std::size_t>(index(cell))] = blocked ? 1 : 0;
    // The steps to and from it, and the diagonals past it.
    for (std::int32_t y = std::max(0, cell.y - 1); y <= std::min(height_ - 1, cell.y + 1); ++y) {
        for (std::int32_t x = std::max(0, cell.x - 1); x <= std::min(width_ - 1, cell.x + 1); ++x) {
            const std::int32_t at = y * width_ + x;
            if (at != goal_) nodes_[static_cast<std::size_t>(at)].rhs = best_rhs(at);
            update(at);
        }
    }
}

void DStarLite::update(std::int32_t at) {
    Node& node = nodes_[static_cast<std::size_t>(at)];
    if (node.g == node.rhs) {
        if (node.slot >= 0) remove(at);
        return;
    }
    push(at, key_of(at));
}

std::int64_t DStarLite::plan() {
    while (!heap_.empty()) {
        const std::int32_t at = heap_[0];
        Node& node = nodes_[static_cast<std::size_t>(at)];
        const Node& start = nodes_[static_cast<std::size_t>(start_)];
        if (!(node.key < key_of(start_)) && start.rhs <= start.g) break;
        ++expanded_;
        const Key now = key_of(at);
        if (node.key < now) {
            push(at, now);
        } else if (node.g > node.rhs) {
            node.g = node.rhs;
            remove(at);
            each_neighbour(at, [&](std::int32_t next, std::int64_t cost) {
                Node& other = nodes_[static_cast<std::size_t>(next)];
                if (next != goal_) other.rhs = std::min(other.rhs, cost + node.g);
                update(next);
            });
        } else {
            const std::int64_t old = node.g;
            node.g = kFar;
            const auto raise = [&](std::int32_t next, std::int64_t cost) {
                Node& other = nodes_[static_cast<std::size_t>(next)];
                if (next != goal_ && other.rhs == cost + old) other.rhs = best_rhs(next);
                update(next);
            };
            each_neighbour(at, raise);
            raise(at, 0);
        }
    }
    return nodes_[static_cast<std::size_t>(start_)].rhs;
}

void DStarLite::path(std::vector<Cell>& out) const {
    out.clear();
    std::int32_t at = start_;
    out.push_back({at % width_, at / width_, 0});
    while (at != goal_ && out.size() <= nodes_.size()) {
        std::int64_t best = kFar;
        std::int32_t to = at;
        each_neighbour(at, [&](std::int32_t next, std::int64_t cost) {
            const std::int64_t whole = nodes_[static_cast<std::size_t>(next)].g + cost;
            if (whole >= best) return;
            best = whole;
            to = next;
        });
        if (to == at) return;
        at = to;
        out.push_back({at % width_, at / width_, 0});
    }
}

std::size_t DStarLite::bytes() const {
    return nodes_.size() * sizeof(Node) + blocked_.size() + heap_.capacity() * sizeof(std::int32_t);
}

// ---- the heap ----------------------------------------------------------------------------------------------

void DStarLite::place(std::int32_t slot, std::int32_t at) {
    heap_[static_cast<std::size_t>(slot)] = at;
    nodes_[static_cast<std::size_t>(at)].slot = slot;
}

void DStarLite::sift_up(std::int32_t slot) {
    const std::int32_t at = heap_[static_cast<std::size_t>(slot)];
    const Key key = nodes_[static_cast<std::size_t>(at)].key;
    while (slot > 0) {
        const std::int32_t above = heap_[static_cast<std::size_t>((slot - 1) / 2)];
        if (!(key < nodes_[static_cast<std::size_t>(above)].key)) break;
        place(slot, above);
        slot = (slot - 1) / 2;
    }
    place(slot, at);
}

void DStarLite::sift_down(std::int32_t slot) {
    const std::int32_t at = heap_[static_cast<std::size_t>(slot)];
    const Key key = nodes_[static_cast<std::size_t>(at)].key;
    const auto count = static_cast<std::int32_t>(heap_.size());
    for (;;) {
        std::int32_t child = 2 * slot + 1;
        if (child >= count) break;
        const auto key_at = [&](std::int32_t i) {
            return nodes_[static_cast<std::size_t>(heap_[static_cast<std::size_t>(i)])].key;
        };
        if (child + 1 < count && key_at(child + 1) < key_at(child)) ++child;
        if (!(key_at(child) < key)) break;
        place(slot, heap_[static_cast<std::size_t>(child)]);
        slot = child;
    }
    place(slot, at);
}

void DStarLite::push(std::int32_t at, const Key& key) {
    Node& node = nodes_[static_cast<std::size_t>(at)];
    node.key = key;
    if (node.slot < 0) {
        heap_.push_back(at);
        node.slot = static_cast<std::int32_t>(heap_.size()) - 1;
    }
    sift_up(node.slot);
    sift_down(node.slot);
}

void DStarLite::remove(std::int32_t at) {
    const std::int32_t slot = nodes_[static_cast<std::size_t>(at)].slot;
    nodes_[static_cast<std::size_t>(at)].slot = -1;
    const std::int32_t last = heap_.back();
    heap_.pop_back();
    if (last == at) return;
    place(slot, last);
    sift_up(slot);
    sift_down(nodes_[static_cast<std::size_t>(last)].slot);
}

}  // namespace fairlead::bench
