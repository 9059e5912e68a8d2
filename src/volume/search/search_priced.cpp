// SearchRun among prices (any_angle). The way found without a thought of them is the one to beat: the same search again, now by price
// (lazy_theta.h), below what that way costs; then bends are slid to where the way is cheapest (polish.h), and the cheaper one is kept.
#include <algorithm>

#include "base/no_memory.h"
#include "volume/search/search_run.h"

namespace fairlead::volume {

namespace {

constexpr double kWeightPriced = 1.3;
constexpr double kBeforePolish = 1.1;         ///< times what a way may cost that the polish may make the best
constexpr std::uint64_t kPricedMost = 10000;  ///< expansions

}  // namespace

double SearchRun::price_of(std::span<const Vec3> way) {
    double sum = 0.0;
    for (std::size_t i = 1; i < way.size(); ++i) sum += prices_.of_voxels(way[i - 1], way[i]);
    return sum;
}

// The way found without a thought of prices is one to beat. Where none are on it and none are below 1, nothing beats it.
void SearchRun::begin_priced() {
    priced_ = true;
    const double length = best_length_;
    best_length_ = price_of(best_.span());
    if (best_length_ <= length * prices_.least() * (1.0 + 1e-9)) return finish();
    if (!start_.on_lattice || !goal_.on_lattice) {
        better_ = false;
        return query_.smooth ? begin_long_polish(Stage::polish_priced) : finish();
    }
    ThetaTask task;
    task.masks = &masks_;
    task.body = &body_;
    task.start = start_;
    task.goal = goal_;
    task.weight = kWeightPriced;
    task.prices = &prices_;
    task.limit = kBeforePolish * best_length_;
    task.trace = trace_;
    used_ = 0;
    back_ = false;
    if (!theta_.begin(task)) return at_.fail(kNoMemory);
    at_.stage = Stage::priced;
}

void SearchRun::search_priced(std::uint64_t& budget) {
    const SearchProgress progress = step_theta(budget, kPricedMost);
    if (progress == SearchProgress::no_memory || masks_.failed()) return at_.fail(kNoMemory);
    if (progress == SearchProgress::running && used_ < kPricedMost) {
        if (at_.expansions_left() == 0) end_spent();
        return;
    }
    better_ = theta_.has_way();
    if (better_ && !theta_.list_way(way_)) return at_.fail(kNoMemory);
    leave_search();
    if (query_.smooth) return begin_long_polish(Stage::polish_priced);
    at_.stage = Stage::coarse;  // counted
    const double cost = better_ ? price_of(way_.span()) : best_length_;
    if (cost < best_length_) {
        best_length_ = cost;
        std::swap(best_, way_);
    }
    finish();
}

// Of the cheaper way; and of the one to beat, if that is the best.
void SearchRun::polish_priced(std::uint64_t& budget) {
    if (polisher_.step(budget)) return;
    if (polisher_.failed()) return at_.fail(kNoMemory);
    const double cost = polisher_.cost();
    const bool is_best = cost < best_length_;
    if (is_best) {
        best_length_ = cost;
        if (!best_.assign(polisher_.points().span())) return at_.fail(kNoMemory);
    }
    if (!better_ || is_best) return finish();
    better_ = false;
    begin_long_polish(Stage::polish_priced);
}

}  // namespace fairlead::volume
