// PoseRun: one query of a turning unit on its way, whatever the world: look at the ends, search, where the lattice has no path look
// beyond it, write the chain of curves, pull it taut, keep the best; and again with a smaller weight, if the planner is anytime.
//
// The world's own part is the class that derives from it. It has
//
//     void look_at_ends(std::uint64_t& budget);       stage `ends`; goes on with begin_search(weight), or ends
//     void begin_search(double weight);               stage `search`, from the start
//     void search(std::uint64_t& budget);             goes on with found(), end_without_path(), end_spent(true)
//     void search_beyond(std::uint64_t& budget);      stage `beyond`
//     void begin_chain(std::uint32_t node);           of the path to a node: stage `chain`, or at once and then pull_taut()
//     void write_chain(std::uint64_t& budget);        stage `chain`, then pull_taut()
//     bool fill_chain(std::uint32_t node);            the same at once. False: out of memory
//     bool takes_over();                              with the best path found: what comes next it has decided itself
//     std::uint32_t nearest_so_far() const;           the node of the best pose so far; kNoNode: none
//     double bound_of(double weight) const;           of the best path, after a search with this weight
//     SearchStats search_stats() const;               of the search that runs
//     const CurveWorld& curves() const;               what the chain's curves are made for
//     bool failed() const;                            out of memory
//
// A search with weight w that ends proves that the best path known costs at most w times the least: it found a cheaper one, or left out
// only what costs more by its reckoning, which is at most w times too high (Likhachev, Gordon and Thrun 2003).
#pragma once

#include <fairlead/drive/find_drive.h>

#include "base/no_memory.h"
#include "drive/curves/smooth_curves.h"
#include "search/run_state.h"

namespace fairlead::drive {

inline constexpr double kNoCost = 1e300;

/// What becomes of a query, kept in the caller's Scratch.
struct PathWork {
    explicit PathWork(const Allocator& allocator) : chain(allocator), best(allocator), smoother(allocator) {}

    Array<ChainPose> chain;   // the way found, in cells
    Array<ChainPose> best;    // the best way so far
    double best_cost = 0.0;   // cells; with no way known kNoCost
    double best_bound = 0.0;  // best_cost is at most this times the lattice's optimum
    bool so_far = false;      // it leads to the best pose so far, or to the place nearest the goal
    CurveSmoother smoother;
    SearchStats stats{};  // of the searches before this one

    void forget() {
        stats = {};
        chain.clear();
        best.clear();
        best_cost = kNoCost;
        so_far = false;
    }
};

enum class PoseStage : std::uint8_t { ends, search, beyond, chain, smooth, done };

/// What a query says of its search.
struct PoseAsk {
    DrivePlanner planner = DrivePlanner::weighted;
    double epsilon = 1.4;
    bool smooth = true;
    bool partial = false;
};

template <class World>
class PoseRun {
  public:
    [[nodiscard]] bool running() const { return at_.running(); }
    void work(std::uint64_t& budget) {
        switch (at_.stage) {
            case PoseStage::ends: return world().look_at_ends(budget);
            case PoseStage::search: return world().search(budget);
            case PoseStage::beyond: return world().search_beyond(budget);
            case PoseStage::chain: return world().write_chain(budget);
            case PoseStage::smooth: return smooth(budget);
            case PoseStage::done: return;
        }
    }
    /// Cancelled. What there is of a route is dropped, except for the anytime planner's best one.
    void give_up() {
        if (ask_.planner == DrivePlanner::anytime && knows_path()) return finish(PathStatus::complete);
        path_->best_cost = kNoCost;
        end_spent(false);
    }

    [[nodiscard]] std::uint64_t expansions_max() const { return at_.expansions_max(); }
    [[nodiscard]] bool has_route() const { return has_legs() || stays(); }
    [[nodiscard]] SearchStats stats() const {
        if (path_ == nullptr) return {};
        SearchStats sum = path_->stats;
        if (searching_) add_stats(sum, world().search_stats());
        return sum;
    }

  protected:
    /// `path` null: there was no memory for it.
    void begin(PathWork* path, std::uint64_t expansions_max) {
        at_.begin(PoseStage::ends, expansions_max);
        path_ = path;
        searching_ = false;
        leads_to_ = PathStatus::complete;
        path != nullptr ? path->forget() : at_.fail(kNoMemory);
    }
    void begin_searching() {
        at_.stage = PoseStage::search;
        searching_ = true;
        world().begin_search(weight_);
    }
    void begin_first_search() {
        weight_ = ask_.planner == DrivePlanner::lattice ? 1.0 : ask_.epsilon;
        begin_searching();
    }
    /// The search that runs is over.
    void leave_search() {
        if (searching_) add_stats(path_->stats, world().search_stats());
        searching_ = false;
    }
    void finish(PathStatus status) {
        leave_search();
        at_.finish(status);
    }

    /// A path to a node.
    void found(std::uint32_t node) {
        leave_search();
        world().begin_chain(node);
    }
    /// The chain is written.
    void pull_taut() {
        at_.stage = PoseStage::smooth;
        if (!ask_.smooth) return keep_best();
        if (!path_->smoother.begin(world().curves(), path_->chain)) at_.fail(kNoMemory);
    }
    /// The search with this weight is over, and there is none cheaper than the best path known, if one is.
    void end_search() {
        path_->best_bound = world().bound_of(weight_);
        if (world().takes_over()) return;
        finish(PathStatus::complete);
        if (ask_.planner != DrivePlanner::anytime || weight_ <= 1.0 || !knows_path()) return;
        weight_ = weight_ > 1.05 ? 0.5 * (weight_ + 1.0) : 1.0;
        begin_searching();
    }
    /// The budget is spent, or the call cancelled: what is left is the best path, or, if that is asked for, that to the best pose so far.
    void end_spent(bool smooths) {
        if (smooths && knows_path()) return finish(PathStatus::complete);
        path_->best.clear();
        lead_to(ask_.partial ? world().nearest_so_far() : kNoNode, PathStatus::budget_spent, smooths);
    }
    /// Ends with the path to the best pose that there is. kNoNode: none is better than the start.
    void lead_to(std::uint32_t node, PathStatus status, bool smooths) {
        finish(status);
        leads_to_ = status;
        path_->so_far = node != kNoNode;
        if (!path_->so_far) return;
        if (smooths) return world().begin_chain(node);
        world().fill_chain(node) ? keep_best() : at_.fail(kNoMemory);
    }

    /// So far.
    [[nodiscard]] PathStatus status() const { return at_.running() ? PathStatus::budget_spent : at_.status; }
    /// A route to the goal is known. Of the anytime planner perhaps not yet the last one.
    [[nodiscard]] bool knows_path() const { return path_->best_cost < kNoCost; }
    [[nodiscard]] bool has_best() const {
        return path_ != nullptr && !at_.failed() && !path_->so_far && knows_path();
    }
    /// One to write.
    [[nodiscard]] bool has_legs() const { return has_best() || leads_so_far(); }
    /// There is none, but a path to the best pose so far.
    [[nodiscard]] bool leads_so_far() const {
        return path_ != nullptr && !at_.failed() && !at_.running() && path_->so_far && !path_->best.empty();
    }
    /// No place is nearer to the goal than that where the unit is.
    [[nodiscard]] bool stays() const {
        return path_ != nullptr && !at_.running() && !at_.failed() && !has_legs() &&
               at_.status == PathStatus::partial;
    }

    RunState<PoseStage> at_;
    PoseAsk ask_{};
    PathWork* path_ = nullptr;
    PathStatus leads_to_ = PathStatus::complete;  ///< the status of a route that has come where it leads

  private:
    [[nodiscard]] World& world() { return static_cast<World&>(*this); }
    [[nodiscard]] const World& world() const { return static_cast<const World&>(*this); }

    void smooth(std::uint64_t& budget) {
        if (path_->smoother.step(budget)) return;
        path_->smoother.failed() || world().failed() ? at_.fail(kNoMemory) : keep_best();
    }
    void keep_best() {
        double cost = 0.0;
        for (const ChainPose& pose : path_->chain) cost += pose.next.cost;
        if (cost < path_->best_cost) {
            path_->best_cost = cost;
            if (!path_->best.assign(path_->chain.span())) return at_.fail(kNoMemory);
        }
        path_->so_far ? at_.finish(leads_to_) : end_search();
    }

    double weight_ = 1.0;
    bool searching_ = false;
};

}  // namespace fairlead::drive
