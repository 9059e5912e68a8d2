// Which components can be come to from which, over links.
//
// The components that links join are nodes, numbered here in the order of their own numbers. Those from which one can come to each
// other are *strong* components (Tarjan 1972), numbered so that links between them lead to smaller numbers. What can be come to
// from one is kept as at most kSpansMax spans of such numbers; a span is exact, or holds numbers that cannot be come to as well.
// So "no" is certain, "yes" is certain within an exact span, and what is left is searched. Closing kinds of links only takes ways
// away: then "no" stays certain.
//
// Stephan Seufert, Avishek Anand, Srikanta Bedathur & Gerhard Weikum (2013), "FERRARI: Flexible and Efficient Reachability Range
// Assignment for Graph Indexing".
#pragma once

#include <cstdint>
#include <span>

#include <fairlead/base/array.h>

#include "mesh/data/tile.h"

namespace fairlead::mesh {

/// Links lead from one component to another.
struct LinkArc {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    std::uint64_t kinds = 0;

    friend bool operator==(const LinkArc&, const LinkArc&) = default;
};

/// One way along an arc, seen from one of its nodes.
struct LinkStep {
    std::uint64_t kinds = 0;
    std::uint32_t node = 0;  ///< the other one
};

enum class LinkVerdict : std::uint8_t { no, yes, unsure };

class LinkGraph {
  public:
    explicit LinkGraph(const Allocator& a)
        : components_(a),
          strong_(a),
          out_first_(a),
          in_first_(a),
          span_first_(a),
          out_(a),
          in_(a),
          spans_(a) {}

    static constexpr std::size_t kSpansMax = 16;

    /// From arcs in the order of from, to. Cost: 0.1 us an arc. False: out of memory.
    [[nodiscard]] bool build(std::span<const LinkArc> arcs);
    [[nodiscard]] bool assign(const LinkGraph& other);
    [[nodiscard]] std::size_t bytes() const;

    [[nodiscard]] std::size_t nodes() const { return components_.size(); }
    /// The kinds of all links.
    [[nodiscard]] std::uint64_t kinds() const { return kinds_; }
    [[nodiscard]] std::uint32_t component(std::uint32_t node) const { return components_[node]; }
    /// kNone: no link leads from or to the component.
    [[nodiscard]] std::uint32_t find(std::uint32_t component) const;
    [[nodiscard]] std::span<const LinkStep> out(std::uint32_t node) const {
        return out_.span().subspan(out_first_[node], out_first_[node + 1] - out_first_[node]);
    }
    [[nodiscard]] std::span<const LinkStep> in(std::uint32_t node) const {
        return in_.span().subspan(in_first_[node], in_first_[node + 1] - in_first_[node]);
    }
    /// Can one come from one node to the other if no kind is closed?
    [[nodiscard]] LinkVerdict leads(std::uint32_t from, std::uint32_t to) const;

  private:
    friend class LinkGraphBuilder;
    struct Span {
        std::uint32_t low = 0;
        std::uint32_t high = 0;
        std::uint32_t exact = 0;
    };

    std::uint64_t kinds_ = 0;
    Array<std::uint32_t> components_;  ///< by node, ascending
    Array<std::uint32_t> strong_;      ///< by node
    Array<std::uint32_t> out_first_;   ///< by node
    Array<std::uint32_t> in_first_;
    Array<std::uint32_t> span_first_;  ///< by strong component
    Array<LinkStep> out_;
    Array<LinkStep> in_;
    Array<Span> spans_;  ///< ascending, of one strong component apart from each other
};

}  // namespace fairlead::mesh
