// Labels by pruned searches from one node after the other, the most important one first.
#include "mesh_table/make_labels.h"

#include <algorithm>
#include <limits>

#include "mesh_table/line_search.h"

namespace fairlead::mesh {

namespace {

/// Ways that differ by less than this factor are equally short: without it, rounding makes hubs of many nodes on straight lines.
constexpr double kAsShort = 1.0 + 0x1p-48;
constexpr std::size_t kLabelReports = 64;

/// Labels that grow, each in a piece of one pool.
class LabelPool {
  public:
    explicit LabelPool(const Allocator& allocator) : pieces_(allocator), pool_(allocator) {}

    [[nodiscard]] bool prepare(std::uint32_t nodes) { return pieces_.resize(nodes); }
    [[nodiscard]] std::span<const HubEntry> of(std::uint32_t node) const {
        return pool_.span().subspan(pieces_[node].first, pieces_[node].count);
    }
    [[nodiscard]] bool add(std::uint32_t node, const HubEntry& entry) {
        Piece& piece = pieces_[node];
        if (piece.count == piece.room) {
            const std::uint32_t room = piece.room == 0 ? 4 : piece.room * 2;
            const std::size_t first = pool_.size();
            if (!pool_.resize_uninitialized(first + room)) return false;
            std::copy_n(pool_.data() + piece.first, piece.count, pool_.data() + first);
            piece.first = first;
            piece.room = room;
        }
        pool_[piece.first + piece.count++] = entry;
        ++entries_;
        return true;
    }
    [[nodiscard]] std::size_t entries() const { return entries_; }

  private:
    struct Piece {
        std::size_t first = 0;
        std::uint32_t count = 0;
        std::uint32_t room = 0;
    };
    Array<Piece> pieces_;
    Array<HubEntry> pool_;
    std::size_t entries_ = 0;
};

}  // namespace

WorkOutcome make_labels(const LineGraph& graph, std::span<const std::uint32_t> order,
                        const Progress& progress, HubLabels& out) {
    const Allocator& allocator = out.entries.allocator();
    const std::uint32_t nodes = graph.nodes();
    LabelPool pool(allocator);
    LineSearch search(allocator);
    Array<double> to_hub(allocator);  // of the root's own label
    if (!pool.prepare(nodes) || !search.prepare(nodes) || !to_hub.resize_uninitialized(nodes))
        return WorkOutcome::no_memory;
    std::fill(to_hub.begin(), to_hub.end(), std::numeric_limits<double>::infinity());
    for (std::uint32_t rank = 0; rank < nodes; ++rank) {
        const std::uint32_t root = order[rank];
        for (const HubEntry& entry : pool.of(root)) to_hub[entry.hub] = entry.far;
        bool good = true;
        const auto settle = [&](std::uint32_t node, double far, std::uint32_t parent) {
            const double known = far * kAsShort;
            for (const HubEntry& entry : pool.of(node)) {
                if (to_hub[entry.hub] + entry.far <= known) return false;
            }
            good = pool.add(node, {far, rank, parent}) && good;
            return good;
        };
        if (!search.run(graph, root, settle) || !good) return WorkOutcome::no_memory;
        for (const HubEntry& entry : pool.of(root))
            to_hub[entry.hub] = std::numeric_limits<double>::infinity();
        if (progress.report != nullptr && (rank + 1) % kLabelReports == 0 &&
            !progress.report(progress.user, rank + 1, nodes))
            return WorkOutcome::cancelled;
    }
    if (pool.entries() >= kNone) return WorkOutcome::too_large;
    if (!out.first.resize(nodes + std::size_t{1}) || !out.entries.reserve(pool.entries()))
        return WorkOutcome::no_memory;
    for (std::uint32_t node = 0; node < nodes; ++node) {
        for (const HubEntry& entry : pool.of(node)) {
            if (!out.entries.push_back(entry)) return WorkOutcome::no_memory;
        }
        out.first[node + 1] = static_cast<std::uint32_t>(out.entries.size());
    }
    return WorkOutcome::done;
}

}  // namespace fairlead::mesh
