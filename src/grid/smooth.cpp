#include "grid/smooth.h"

#include <fairlead/math/swept.h>

namespace fairlead::grid {

Smoother::Smoother(const Allocator& allocator)
    : given_(allocator),
      along_(allocator),
      kept_(allocator),
      left_(allocator),
      right_(allocator),
      bends_(allocator),
      table_(allocator),
      puller_(allocator) {}

bool Smoother::begin(const Sight& sight, Smoothing method, std::span<const Vec2> points, bool shortest) {
    shortest_ = shortest;
    one_pass_ = false;
    sight_ = sight;
    units_ = 0;
    out_of_memory_ = false;
    method_ = method;
    stage_ = Stage::done;
    given_.clear();
    along_.clear();
    kept_.clear();
    if (!given_.reserve(points.size()) || !along_.reserve(points.size()) || !kept_.reserve(points.size())) {
        out_of_memory_ = true;
        return false;
    }
    for (const Vec2 p : points) {
        if (!given_.empty() && given_.back() == p) continue;
        const double before = given_.empty() ? 0.0 : along_.back() + way_cost(given_.back(), p);
        check(given_.push_back(p) && along_.push_back(before));
    }
    if (method == Smoothing::none || given_.size() < 3) {
        check(kept_.assign(given_.span()));
        return !out_of_memory_;
    }
    anchor_ = 0;
    keep(given_[0]);
    if (method == Smoothing::farthest_visible) {
        stage_ = Stage::farthest;
        current_ = given_.size() - 1;
    } else if (method == Smoothing::greedy_shortcut) {
        stage_ = Stage::greedy;
        current_ = 1;
    } else {
        begin_best();
    }
    return !out_of_memory_;
}

bool Smoother::begin_taut(const Sight& sight, std::span<const Vec2> points) {
    if (!begin(sight, Smoothing::none, points) || given_.size() < 3) return !out_of_memory_;
    kept_.clear();
    method_ = Smoothing::best;
    const std::size_t room = given_.size() + 16;
    if (!left_.reserve(room) || !right_.reserve(room) || !puller_.reserve(64)) {
        out_of_memory_ = true;
        return false;
    }
    begin_pass();
    return !out_of_memory_;
}

bool Smoother::step(std::uint64_t budget) {
    const std::uint64_t start = units_;
    while (stage_ != Stage::done && units_ - start < budget) {
        switch (stage_) {
            case Stage::greedy: step_greedy(); break;
            case Stage::farthest: step_farthest(); break;
            case Stage::pass: step_pass(); break;
            case Stage::pull: step_pull(); break;
            case Stage::table: step_table(); break;
            case Stage::tidy: step_tidy(); break;
            case Stage::done: break;
        }
        out_of_memory_ = out_of_memory_ || puller_.out_of_memory();
        if (out_of_memory_) {
            stage_ = Stage::done;
            kept_.clear();
        }
    }
    return stage_ != Stage::done;
}

bool Smoother::append_so_far(Array<Vec2>& points) const {
    const bool classic = stage_ == Stage::greedy || stage_ == Stage::farthest;
    // Not the end of what was there before: a portal straight up leads to the same point of another floor.
    const std::size_t before = points.size();
    const auto append = [&](Vec2 p) {
        return (points.size() > before && points.back() == p) || points.push_back(p);
    };
    // What has been kept; then, of the classics, the given points after it; of `best`, its bends.
    const bool keeps = classic || stage_ == Stage::tidy || stage_ == Stage::done;
    for (std::size_t i = 0; keeps && i < kept_.size(); ++i) {
        if (!append(kept_[i])) return false;
    }
    if (stage_ == Stage::done) return true;
    for (std::size_t i = anchor_ + 1; classic && i < given_.size(); ++i) {
        if (!append(given_[i])) return false;
    }
    if (classic) return true;
    for (std::size_t i = stage_ == Stage::tidy ? current_ : 0; i < left_.size(); ++i) {
        if (!append(left_[i].at)) return false;
    }
    for (std::size_t i = right_.size(); i-- > 0;) {
        if (!append(right_[i].at)) return false;
    }
    return true;
}

bool Smoother::shortcut(std::size_t from, std::size_t to) {
    ++units_;
    const Vec2 a = given_[from];
    const Vec2 b = given_[to];
    if (!sight_.can_sweep(a, b)) return false;
    // Straight on across equal terrain costs the same, up to rounding.
    return sight_.uniform() || sight_.cost(a, b) <= along_[to] - along_[from] + kCostSlack * along_[to];
}

void Smoother::keep(Vec2 p) {
    if (!kept_.push_back(p)) out_of_memory_ = true;
}

std::size_t heading_changes(std::span<const Vec2> points) {
    std::size_t changes = 0;
    for (std::size_t i = 2; i < points.size(); ++i) {
        const Vec2 a = points[i - 1] - points[i - 2];
        const Vec2 b = points[i] - points[i - 1];
        // In the same direction up to 1e-9 radians.
        const double side = cross(a, b);
        const bool straight = dot(a, b) > 0.0 && side * side <= 1e-18 * dot(a, a) * dot(b, b);
        if (!straight) ++changes;
    }
    return changes;
}

double polyline_length(std::span<const Vec2> points) {
    double sum = 0.0;
    for (std::size_t i = 1; i < points.size(); ++i) sum += distance(points[i - 1], points[i]);
    return sum;
}

double polyline_cost(const Sight& sight, std::span<const Vec2> points) {
    double sum = 0.0;
    for (std::size_t i = 1; i < points.size(); ++i) sum += sight.cost(points[i - 1], points[i]);
    return sum;
}

}  // namespace fairlead::grid
