#include "mesh/search/link_reach.h"

namespace fairlead::mesh {

bool LinkReach::ask(const StateData& state, std::uint32_t from, std::uint32_t to, bool& reached) {
    reached = from == to;
    const LinkGraph& graph = state.links.graph;
    const std::uint32_t a = graph.find(from), b = graph.find(to);
    if (reached || a == kNone || b == kNone) return true;
    const LinkVerdict verdict = graph.leads(a, b);
    if (verdict == LinkVerdict::no) return true;
    reached = verdict == LinkVerdict::yes && (closed_ & graph.kinds()) == 0;
    if (reached) return true;
    if (!known_ && ++asked_ <= kAskedMax) return search(graph, a, b, reached);
    if (!find(state, from)) return false;
    reached = stamps_[to] == stamp_;
    return true;
}

bool LinkReach::search(const LinkGraph& graph, std::uint32_t from, std::uint32_t to, bool& reached) {
    if (++search_stamp_ == 0) {
        for (Side& side : sides_) side.stamps.clear();
        search_stamp_ = 1;
    }
    const std::uint32_t ends[2] = {from, to};
    for (int i = 0; i < 2; ++i) {
        Side& side = sides_[i];
        if (side.stamps.size() < graph.nodes() && !side.stamps.resize(graph.nodes())) return false;
        side.queue.clear();
        side.next = side.steps = 0;
        side.stamps[ends[i]] = search_stamp_;
        if (!side.queue.push_back(ends[i])) return false;
    }
    reached = false;
    while (!reached && sides_[0].next < sides_[0].queue.size() && sides_[1].next < sides_[1].queue.size()) {
        const int side = sides_[0].steps <= sides_[1].steps ? 0 : 1;
        if (!go_on(graph, side, ends[1 - side], reached)) return false;
    }
    return true;
}

// One node further from one end, but not where no way leads on to the other one.
bool LinkReach::go_on(const LinkGraph& graph, int which, std::uint32_t wanted, bool& reached) {
    Side& side = sides_[which];
    const Side& other = sides_[1 - which];
    const std::uint32_t node = side.queue[side.next++];
    const std::span<const LinkStep> steps = which == 0 ? graph.out(node) : graph.in(node);
    side.steps += steps.size() + 1;
    for (const LinkStep& step : steps) {
        if ((step.kinds & ~closed_) == 0 || side.stamps[step.node] == search_stamp_) continue;
        side.stamps[step.node] = search_stamp_;
        if (other.stamps[step.node] == search_stamp_) {
            reached = true;
            return true;
        }
        const LinkVerdict on = which == 0 ? graph.leads(step.node, wanted) : graph.leads(wanted, step.node);
        if (on != LinkVerdict::no && !side.queue.push_back(step.node)) return false;
    }
    return true;
}

bool LinkReach::find(const StateData& state, std::uint32_t from) {
    if (known_) return true;
    known_ = true;
    if (++stamp_ == 0) {
        stamps_.clear();
        stamp_ = 1;
    }
    if (stamps_.size() < state.components.size() && !stamps_.resize(state.components.size())) return false;
    stamps_[from] = stamp_;
    queue_.clear();
    const LinkGraph& graph = state.links.graph;
    const std::uint32_t first = graph.find(from);
    if (first != kNone && !queue_.push_back(first)) return false;
    for (std::size_t i = 0; i < queue_.size(); ++i) {
        for (const LinkStep& step : graph.out(queue_[i])) {
            std::uint32_t& stamp = stamps_[graph.component(step.node)];
            if ((step.kinds & ~closed_) == 0 || stamp == stamp_) continue;
            stamp = stamp_;
            if (!queue_.push_back(step.node)) return false;
        }
    }
    return true;
}

}  // namespace fairlead::mesh
