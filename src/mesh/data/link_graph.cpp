#include "mesh/data/link_graph.h"

#include <algorithm>

namespace fairlead::mesh {

/// Numbers strong components and lays out their spans.
class LinkGraphBuilder {
  public:
    LinkGraphBuilder(LinkGraph& graph, const Allocator& allocator)
        : graph_(graph),
          at_(allocator),
          stack_(allocator),
          path_(allocator),
          found_(allocator),
          gaps_(allocator) {}

    [[nodiscard]] bool run() {
        const std::size_t nodes = graph_.nodes();
        if (!at_.resize(nodes) || !graph_.strong_.resize_uninitialized(nodes)) return false;
        for (std::uint32_t& strong : graph_.strong_) strong = kNone;
        graph_.span_first_.clear();
        graph_.spans_.clear();
        if (!graph_.span_first_.push_back(0)) return false;
        for (std::uint32_t node = 0; node < nodes; ++node) {
            if (at_[node].number == 0 && !walk(node)) return false;
        }
        return true;
    }

  private:
    using Span = LinkGraph::Span;
    struct At {
        std::uint32_t number = 0;  ///< in the order in which nodes are met, from 1; 0: not met
        std::uint32_t low = 0;     ///< the smallest of those that can be come to from it and are on the stack
        std::uint32_t next = 0;    ///< its step to be taken next
    };

    // Depth first, without recursion.
    [[nodiscard]] bool walk(std::uint32_t first) {
        if (!enter(first)) return false;
        while (!path_.empty()) {
            const std::uint32_t node = path_.back();
            At& at = at_[node];
            const std::span<const LinkStep> steps = graph_.out(node);
            if (at.next < steps.size()) {
                const std::uint32_t to = steps[at.next++].node;
                if (at_[to].number == 0) {
                    if (!enter(to)) return false;
                } else if (graph_.strong_[to] == kNone) {
                    at.low = std::min(at.low, at_[to].number);
                }
                continue;
            }
            path_.pop_back();
            if (!path_.empty()) at_[path_.back()].low = std::min(at_[path_.back()].low, at.low);
            if (at.low == at.number && !finish(node)) return false;
        }
        return true;
    }
    [[nodiscard]] bool enter(std::uint32_t node) {
        ++met_;
        at_[node] = {met_, met_, 0};
        return path_.push_back(node) && stack_.push_back(node);
    }

    // What is on the stack from `root` on is a strong component; all that can be come to from it is known.
    [[nodiscard]] bool finish(std::uint32_t root) {
        const auto strong = static_cast<std::uint32_t>(graph_.span_first_.size() - 1);
        std::size_t first = stack_.size();
        do graph_.strong_[stack_[--first]] = strong;
        while (stack_[first] != root);
        found_.clear();
        if (!found_.push_back({strong, strong, 1})) return false;
        for (std::size_t i = first; i < stack_.size(); ++i) {
            for (const LinkStep& step : graph_.out(stack_[i])) {
                const std::uint32_t to = graph_.strong_[step.node];
                for (std::uint32_t k = graph_.span_first_[to]; to != strong && k < graph_.span_first_[to + 1];
                     ++k) {
                    if (!found_.push_back(graph_.spans_[k])) return false;
                }
            }
        }
        while (stack_.size() > first) stack_.pop_back();
        join_spans();
        if (!drop_gaps()) return false;
        for (const Span& span : found_) {
            if (!graph_.spans_.push_back(span)) return false;
        }
        return graph_.span_first_.push_back(static_cast<std::uint32_t>(graph_.spans_.size()));
    }

    // Spans that touch become one, or are cut so that what is exact stays so.
    void join_spans() {
        const auto before = [](const Span& a, const Span& b) {
            return a.low != b.low ? a.low < b.low : a.exact != b.exact ? a.exact > b.exact : a.high > b.high;
        };
        std::sort(found_.begin(), found_.end(), before);  // total order: equal ones are the same
        std::size_t kept = 0;
        for (Span span : found_) {
            if (kept != 0 && span.high <= found_[kept - 1].high)
                continue;  // in the last one, which may be less exact
            if (kept != 0 && span.low <= found_[kept - 1].high + 1) {
                Span& last = found_[kept - 1];
                if (span.exact == last.exact) {
                    last.high = span.high;
                    continue;
                }
                // What lies before the last one, since it was cut, is in those before it.
                span.low = std::max(span.low, last.exact != 0 ? last.high + 1 : last.low);
                if (last.exact == 0 && span.low == last.low) --kept;
                if (last.exact == 0 && span.low > last.low) last.high = std::min(last.high, span.low - 1);
            }
            found_[kept++] = span;
        }
        while (found_.size() > kept) found_.pop_back();
    }

    // Of too many spans those become one, and inexact, between which the gaps are smallest.
    [[nodiscard]] bool drop_gaps() {
        if (found_.size() <= LinkGraph::kSpansMax) return true;
        gaps_.clear();
        for (std::uint32_t i = 1; i < found_.size(); ++i) {
            if (!gaps_.push_back(i)) return false;
        }
        const auto wider = [this](std::uint32_t a, std::uint32_t b) {
            const std::uint32_t gap_a = found_[a].low - found_[a - 1].high;
            const std::uint32_t gap_b = found_[b].low - found_[b - 1].high;
            return gap_a != gap_b ? gap_a > gap_b : a < b;
        };
        std::sort(gaps_.begin(), gaps_.end(), wider);  // total order: by number at last
        while (gaps_.size() >= LinkGraph::kSpansMax) gaps_.pop_back();
        std::sort(gaps_.begin(), gaps_.end());  // total order: numbers
        std::size_t kept = 0, gap = 0;
        for (std::uint32_t i = 0; i < found_.size(); ++i) {
            if (i == 0 || (gap < gaps_.size() && gaps_[gap] == i)) {
                gap += i == 0 ? 0 : 1;
                found_[kept++] = found_[i];
            } else {
                found_[kept - 1].high = found_[i].high;
                found_[kept - 1].exact = 0;
            }
        }
        while (found_.size() > kept) found_.pop_back();
        return true;
    }

    LinkGraph& graph_;
    Array<At> at_;                ///< by node
    Array<std::uint32_t> stack_;  ///< nodes whose strong component is not known yet
    Array<std::uint32_t> path_;
    Array<Span> found_;
    Array<std::uint32_t> gaps_;
    std::uint32_t met_ = 0;
};

std::uint32_t LinkGraph::find(std::uint32_t component) const {
    const std::uint32_t* at = std::lower_bound(components_.begin(), components_.end(), component);
    if (at == components_.end() || *at != component) return kNone;
    return static_cast<std::uint32_t>(at - components_.begin());
}

bool LinkGraph::build(std::span<const LinkArc> arcs) {
    kinds_ = 0;
    components_.clear();
    for (const LinkArc& arc : arcs) {
        kinds_ |= arc.kinds;
        if (!components_.push_back(arc.from) || !components_.push_back(arc.to)) return false;
    }
    std::sort(components_.begin(), components_.end());  // total order: numbers
    const auto kept =
        static_cast<std::size_t>(std::unique(components_.begin(), components_.end()) - components_.begin());
    while (components_.size() > kept) components_.pop_back();
    if (!out_first_.resize(0) || !in_first_.resize(0) || !out_first_.resize(kept + 1) ||
        !in_first_.resize(kept + 1) || !out_.resize_uninitialized(arcs.size()) ||
        !in_.resize_uninitialized(arcs.size()))
        return false;
    for (const LinkArc& arc : arcs) {
        ++out_first_[find(arc.from) + 1];
        ++in_first_[find(arc.to) + 1];
    }
    for (std::size_t i = 0; i < kept; ++i) {
        out_first_[i + 1] += out_first_[i];
        in_first_[i + 1] += in_first_[i];
    }
    // Filled from the back of each list; the firsts end up where they were.
    for (std::size_t i = arcs.size(); i-- > 0;) {
        const std::uint32_t from = find(arcs[i].from), to = find(arcs[i].to);
        out_[--out_first_[from + 1]] = {arcs[i].kinds, to};
        in_[--in_first_[to + 1]] = {arcs[i].kinds, from};
    }
    // Each first is now that of its node one place further on.
    for (std::size_t i = 0; i < kept; ++i) {
        out_first_[i] = out_first_[i + 1];
        in_first_[i] = in_first_[i + 1];
    }
    out_first_[kept] = in_first_[kept] = static_cast<std::uint32_t>(arcs.size());
    return LinkGraphBuilder(*this, components_.allocator()).run();
}

bool LinkGraph::assign(const LinkGraph& other) {
    kinds_ = other.kinds_;
    return components_.assign(other.components_.span()) && strong_.assign(other.strong_.span()) &&
           out_first_.assign(other.out_first_.span()) && in_first_.assign(other.in_first_.span()) &&
           span_first_.assign(other.span_first_.span()) && out_.assign(other.out_.span()) &&
           in_.assign(other.in_.span()) && spans_.assign(other.spans_.span());
}

std::size_t LinkGraph::bytes() const {
    return components_.bytes() + strong_.bytes() + out_first_.bytes() + in_first_.bytes() +
           span_first_.bytes() + out_.bytes() + in_.bytes() + spans_.bytes();
}

LinkVerdict LinkGraph::leads(std::uint32_t from, std::uint32_t to) const {
    const std::uint32_t a = strong_[from], b = strong_[to];
    if (a == b) return LinkVerdict::yes;
    if (b > a) return LinkVerdict::no;
    for (std::uint32_t i = span_first_[a]; i < span_first_[a + 1] && spans_[i].low <= b; ++i) {
        if (b <= spans_[i].high) return spans_[i].exact != 0 ? LinkVerdict::yes : LinkVerdict::unsure;
    }
    return LinkVerdict::no;
}

}  // namespace fairlead::mesh
