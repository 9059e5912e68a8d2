#include "mesh_table/hub_order.h"

#include <algorithm>

#include "base/least_heap.h"
#include "base/run_jobs.h"
#include "mesh_table/line_search.h"

namespace fairlead::mesh {

namespace {

constexpr std::size_t kTreeNodesMax = std::size_t{1} << 21;
constexpr std::uint32_t kTreesAJob = 16;

struct TreeNode {
    std::uint32_t parent = kNone;  ///< kNone: the root, or not in the tree
    std::uint32_t child = kNone;   ///< the last one that was found
    std::uint32_t sibling = kNone;
    std::uint32_t size = 0;  ///< nodes that hang on it, itself included; 0: it is not there, or no more
};

/// A node that may be the next hub.
struct HubCandidate {
    std::uint64_t score = 0;
    std::uint64_t first = 0;  ///< the score before any hub was chosen
    std::uint32_t node = 0;
};

bool is_better(const HubCandidate& a, const HubCandidate& b) {
    if (a.score != b.score) return a.score > b.score;
    return a.first != b.first ? a.first > b.first : a.node < b.node;
}

class HubOrder {
  public:
    HubOrder(const LineGraph& graph, const Allocator& allocator)
        : graph_(graph),
          count_(graph.nodes()),
          nodes_(allocator),
          failed_(allocator),
          scores_(allocator),
          heap_(allocator),
          stack_(allocator) {}

    [[nodiscard]] WorkOutcome grow(const Jobs& jobs, const Progress& progress) {
        trees_ = static_cast<std::uint32_t>(
            std::clamp<std::size_t>(kTreeNodesMax / std::max(count_, 1U), 1, std::max(count_, 1U)));
        const std::size_t batches = (trees_ + kTreesAJob - 1) / kTreesAJob;
        if (!nodes_.resize_uninitialized(std::size_t{trees_} * count_) || !failed_.resize(batches) ||
            !scores_.resize(count_))
            return WorkOutcome::no_memory;
        const auto job = [](void* context, std::size_t batch) {
            static_cast<HubOrder*>(context)->grow_trees(batch);
        };
        run_jobs(jobs, batches, job, this);
        for (const std::uint8_t failed : failed_) {
            if (failed != 0) return WorkOutcome::no_memory;
        }
        if (progress.report != nullptr && !progress.report(progress.user, 0, 1))
            return WorkOutcome::cancelled;
        for (std::size_t i = 0; i < nodes_.size(); ++i) scores_[i % count_] += nodes_[i].size;
        return WorkOutcome::done;
    }

    /// False: out of memory.
    [[nodiscard]] bool choose(Array<std::uint32_t>& order) {
        for (std::uint32_t node = 0; node < count_; ++node) {
            if (!heap_.push({scores_[node], scores_[node], node})) return false;
        }
        while (!heap_.empty()) {
            HubCandidate best = heap_.least();
            if (best.score != scores_[best.node]) {  // it has lost some since
                best.score = scores_[best.node];
                heap_.replace_least(best);
                continue;
            }
            const std::uint32_t hub = best.node;
            heap_.pop();
            if (!order.push_back(hub)) return false;
            for (std::uint32_t tree = 0; tree < trees_; ++tree) {
                if (!cut(nodes_.data() + std::size_t{tree} * count_, hub)) return false;
            }
        }
        return true;
    }

  private:
    void grow_trees(std::size_t batch) {
        LineSearch search(nodes_.allocator());
        Array<std::uint32_t> settled(nodes_.allocator());
        if (!search.prepare(count_)) failed_[batch] = 1;
        const auto first = static_cast<std::uint32_t>(batch * kTreesAJob);
        for (std::uint32_t tree = first; tree < std::min(trees_, first + kTreesAJob); ++tree) {
            TreeNode* const nodes = nodes_.data() + std::size_t{tree} * count_;
            std::fill_n(nodes, count_, TreeNode{});
            settled.clear();
            const auto root = static_cast<std::uint32_t>(std::uint64_t{tree} * count_ / trees_);
            bool good = failed_[batch] == 0;
            const auto settle = [&](std::uint32_t node, double, std::uint32_t parent) {
                nodes[node].size = 1;
                if (node != root) {
                    nodes[node].parent = parent;
                    nodes[node].sibling = nodes[parent].child;
                    nodes[parent].child = node;
                }
                good = settled.push_back(node) && good;
                return good;
            };
            if (!good || !search.run(graph_, root, settle) || !good) {
                failed_[batch] = 1;
                return;
            }
            for (std::size_t i = settled.size(); i-- > 1;) {
                nodes[nodes[settled[i]].parent].size += nodes[settled[i]].size;
            }
        }
    }

    // Takes a node out of a tree, with everything that hangs on it.
    [[nodiscard]] bool cut(TreeNode* nodes, std::uint32_t hub) {
        const std::uint32_t lost = nodes[hub].size;
        if (lost == 0) return true;
        for (std::uint32_t up = nodes[hub].parent; up != kNone; up = nodes[up].parent) {
            nodes[up].size -= lost;
            scores_[up] -= lost;
        }
        stack_.clear();
        if (!stack_.push_back(hub)) return false;
        while (!stack_.empty()) {
            const std::uint32_t node = stack_.back();
            stack_.pop_back();
            if (nodes[node].size == 0) continue;
            scores_[node] -= nodes[node].size;
            nodes[node].size = 0;
            for (std::uint32_t child = nodes[node].child; child != kNone; child = nodes[child].sibling) {
                if (!stack_.push_back(child)) return false;
            }
        }
        return true;
    }

    const LineGraph& graph_;
    std::uint32_t count_ = 0;
    std::uint32_t trees_ = 0;
    Array<TreeNode> nodes_;        ///< of all trees
    Array<std::uint8_t> failed_;   ///< by job
    Array<std::uint64_t> scores_;  ///< by node: its sizes in all trees
    LeastHeap<HubCandidate, is_better> heap_;
    Array<std::uint32_t> stack_;
};

}  // namespace

WorkOutcome find_hub_order(const LineGraph& graph, const Jobs& jobs, const Progress& progress,
                           Array<std::uint32_t>& order) {
    order.clear();
    if (graph.nodes() == 0) return WorkOutcome::done;
    HubOrder work(graph, order.allocator());
    const WorkOutcome grown = work.grow(jobs, progress);
    if (grown != WorkOutcome::done) return grown;
    return work.choose(order) ? WorkOutcome::done : WorkOutcome::no_memory;
}

}  // namespace fairlead::mesh
