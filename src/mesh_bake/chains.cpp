// Chains of the label map: from node to node, and loops, reduced to their bends.

#include "mesh_bake/borders.h"

#include "base/no_memory.h"

namespace fairlead::bake {

namespace {

struct ChainTracer {
    Borders& b;

    // The edge that leaves a vertex inside of a chain.
    [[nodiscard]] std::uint32_t leaving(const BorderVertex& v) const {
        const std::uint32_t end = b.ends[v.first];
        return (end & 1U) == 0 ? end >> 1 : b.ends[v.first + 1] >> 1;
    }

    [[nodiscard]] bool trace(std::uint32_t start, bool loop) {
        Chain chain;
        const UnitEdge& begin = b.edges[start];
        chain.first = static_cast<std::uint32_t>(b.points.size());
        chain.left = begin.left;
        chain.right = begin.right;
        chain.open = begin.open;
        chain.loop = loop;
        const auto id = static_cast<std::uint32_t>(b.chains.size());
        if (!b.points.push_back(begin.from)) return false;
        if (loop) set_place(begin.from, id, 0);
        for (std::uint32_t edge = start;;) {
            b.edges[edge].chain = id;
            const std::uint32_t vertex = b.edges[edge].to;
            const BorderVertex& v = b.vertices[vertex];
            const bool last = v.node || vertex == begin.from;
            if (v.turn || last) {
                if (!last) set_place(vertex, id, static_cast<std::uint32_t>(b.points.size()) - chain.first);
                if (!b.points.push_back(vertex)) return false;
            }
            if (last) break;
            edge = leaving(v);
        }
        chain.count = static_cast<std::uint32_t>(b.points.size()) - chain.first;
        return b.chains.push_back(chain);
    }

    void set_place(std::uint32_t vertex, std::uint32_t chain, std::uint32_t place) {
        b.vertices[vertex].chain = chain;
        b.vertices[vertex].place = place;
    }

    Result<void> run() {
        b.chains.clear();
        b.points.clear();
        for (std::uint32_t i = 0; i < b.edges.size(); ++i) {
            if (b.vertices[b.edges[i].from].node && !trace(i, false)) return kNoMemory;
        }
        // What is left are loops; each starts at its first bend in the order of the vertices, which is by row.
        for (std::uint32_t i = 0; i < b.vertices.size(); ++i) {
            const BorderVertex& v = b.vertices[i];
            if (v.node || !v.turn) continue;
            const std::uint32_t edge = leaving(v);
            if (b.edges[edge].chain == kNone && !trace(edge, true)) return kNoMemory;
        }
        return {};
    }
};

}  // namespace

Result<void> trace_chains(Borders& out) {
    ChainTracer tracer{out};
    return tracer.run();
}

}  // namespace fairlead::bake
