#include "support/grid_compare.h"

#include <cstring>
#include <unordered_map>

#include "grid/connectivity.h"
#include "grid/hierarchy/clusters.h"
#include "grid/state.h"

namespace fairlead::testing {

namespace {

using grid::Body;
using grid::Lines;
using grid::LineShape;
using grid::StateData;

std::string at(const char* what, std::int32_t x, std::int32_t y, std::int32_t layer) {
    return std::string(what) + " differ at " + std::to_string(x) + ", " + std::to_string(y) + ", layer " +
           std::to_string(layer);
}

std::string compare_tiles(const GridState& a, const GridState& b) {
    for (std::int32_t layer = 0; layer < a.layers(); ++layer) {
        for (std::int32_t y = 0; y < a.height(); ++y) {
            for (std::int32_t x = 0; x < a.width(); ++x) {
                if (a.tile({x, y, layer}) != b.tile({x, y, layer})) return at("tiles", x, y, layer);
            }
        }
    }
    return a.free_cells() == b.free_cells() && a.uniform() == b.uniform() ? "" : "counts of cells differ";
}

// The guard words too. Past the end of a line the bodies' planes are walls; those of clearance are anything.
std::string compare_lines(const char* what, const Lines& a, const Lines& b, const LineShape& shape,
                          std::int32_t planes, std::int32_t layer) {
    for (std::int32_t y = 0; y < shape.lines; ++y) {
        for (std::int32_t plane = 0; plane < planes; ++plane) {
            const std::uint64_t* la = a.line(y) + plane * a.plane_stride;
            const std::uint64_t* lb = b.line(y) + plane * b.plane_stride;
            for (std::int32_t w = 0; w <= shape.words; ++w) {
                const std::int32_t inside = shape.length - w * 64;
                const bool any_tail = planes == grid::kClearancePlanes && w < shape.words && inside < 64;
                const std::uint64_t mask = any_tail ? (std::uint64_t{1} << inside) - 1 : ~std::uint64_t{0};
                if (((la[w] ^ lb[w]) & mask) != 0)
                    return at(what, w * 64, y, layer) + ", plane " + std::to_string(plane);
            }
        }
    }
    return "";
}

// The same partition of the free cells, whatever the components are called.
std::string compare_components(const StateData& a, const Body& body_a, const StateData& b,
                               const Body& body_b) {
    std::unordered_map<std::uint64_t, std::uint64_t> to_b;
    std::unordered_map<std::uint64_t, std::uint64_t> to_a;
    std::uint64_t last_a = 0;
    std::uint64_t last_b = 0;
    bool any = false;
    for (std::int32_t layer = 0; layer < a.layers; ++layer) {
        const Lines rows = body_a.half ? a.half_row_lines(body_a, layer) : a.row_lines(body_a, layer);
        for (std::int32_t y = 0; y < (body_a.half ? a.half_rows.lines : a.height); ++y) {
            for (std::int32_t x = 0; x < (body_a.half ? a.half_rows.length : a.width); ++x) {
                if (!rows.get(x, y)) continue;
                const std::uint64_t in_a = grid::component_of(a, body_a, x, y, layer);
                const std::uint64_t in_b = grid::component_of(b, body_b, x, y, layer);
                if (any && in_a == last_a && in_b == last_b) continue;
                any = true;
                last_a = in_a;
                last_b = in_b;
                const std::uint64_t mate = to_b.try_emplace(in_a, in_b).first->second;
                if (mate != in_b) return at("components (cut)", x, y, layer);
                if (to_a.try_emplace(in_b, in_a).first->second != in_a)
                    return at("components (joined)", x, y, layer);
            }
        }
    }
    return "";
}

std::size_t cluster_bytes(std::int32_t level, const std::uint64_t* chunk) {
    return level == 0 ? grid::Cluster::at(chunk).header->bytes : grid::UpperCluster::at(chunk).header->bytes;
}

std::string compare_clusters(const StateData& a, const Body& x, const StateData& b, const Body& y) {
    if (x.cluster_levels != y.cluster_levels) return "numbers of levels differ";
    for (std::int32_t level = 0; level < x.cluster_levels; ++level) {
        const std::uint32_t chunks = grid::cluster_chunks(a, level + 1) - grid::cluster_chunks(a, level);
        const std::uint32_t at_a = grid::ClusterGrid::of(a, x, level, 0).at;
        const std::uint32_t at_b = grid::ClusterGrid::of(b, y, level, 0).at;
        for (std::uint32_t i = 0; i < chunks; ++i) {
            const std::uint64_t* ca = a.chunks[at_a + i];
            const std::uint64_t* cb = b.chunks[at_b + i];
            const std::size_t bytes = cluster_bytes(level, ca);
            if (bytes != cluster_bytes(level, cb) || std::memcmp(ca, cb, bytes) != 0)
                return "cluster " + std::to_string(i) + " of level " + std::to_string(level) + " differs";
        }
    }
    return "";
}

std::string compare_bodies(const StateData& a, const StateData& b) {
    if (a.body_count != b.body_count) return "numbers of sizes differ";
    // The scans of jump points know no seams: their planes mean nothing on wrapped axes.
    const bool plain = !a.wrap_x && !a.wrap_y;
    const std::int32_t planes = plain ? grid::kBodyPlanes : 1;
    for (std::int32_t i = 0; i < a.body_count; ++i) {
        const Body& x = a.bodies[i];
        const Body& y = b.bodies[i];
        const std::string name = "size " + std::to_string(x.key) + ": ";
        if (x.key != y.key || x.free_cells != y.free_cells) return name + "numbers of free cells differ";
        if (plain && x.corners != y.corners) return name + "numbers of jump points differ";
        for (std::int32_t layer = 0; layer < a.layers; ++layer) {
            std::string problem =
                compare_lines("rows", a.row_lines(x, layer), b.row_lines(y, layer), a.rows, planes, layer);
            if (problem.empty()) {
                problem = compare_lines("columns", a.col_lines(x, layer), b.col_lines(y, layer), a.cols,
                                        planes, layer);
            }
            if (!problem.empty()) return name + problem;
        }
        std::string problem = compare_components(a, x, b, y);
        if (problem.empty()) problem = compare_clusters(a, x, b, y);
        if (!problem.empty()) return name + problem;
    }
    return "";
}

std::string compare_half_bodies(const StateData& a, const StateData& b) {
    if (a.half_count != b.half_count) return "numbers of sizes on the half lattice differ";
    for (std::int32_t i = 0; i < a.half_count; ++i) {
        const Body& x = a.half_bodies[i];
        const Body& y = b.half_bodies[i];
        const std::string name = "half size " + std::to_string(x.square) + ": ";
        if (x.square != y.square || x.planes != y.planes) return name + "sizes differ";
        for (std::int32_t layer = 0; layer < a.layers; ++layer) {
            std::string problem = compare_lines("rows", a.half_row_lines(x, layer),
                                                b.half_row_lines(y, layer), a.half_rows, x.planes, layer);
            if (problem.empty()) {
                problem = compare_lines("columns", a.half_col_lines(x, layer), b.half_col_lines(y, layer),
                                        a.half_cols, x.planes, layer);
            }
            if (!problem.empty()) return name + problem;
        }
        const std::string problem = compare_components(a, x, b, y);
        if (!problem.empty()) return name + problem;
    }
    return "";
}

}  // namespace

std::string grid_difference(const GridState& a, const GridState& b) {
    if (std::string problem = compare_tiles(a, b); !problem.empty()) return problem;
    const StateData& x = a.data();
    const StateData& y = b.data();
    for (std::int32_t layer = 0; layer < x.layers; ++layer) {
        std::string problem = compare_lines("clearances", x.clearance_lines(layer), y.clearance_lines(layer),
                                            x.rows, grid::kClearancePlanes, layer);
        if (!problem.empty()) return problem;
    }
    const std::string problem = compare_bodies(x, y);
    return problem.empty() ? compare_half_bodies(x, y) : problem;
}

std::string hierarchy_difference(const GridState& a, const GridState& b) {
    const StateData& x = a.data();
    const StateData& y = b.data();
    if (x.body_count != y.body_count) return "numbers of sizes differ";
    for (std::int32_t i = 0; i < x.body_count; ++i) {
        const std::string problem = compare_clusters(x, x.bodies[i], y, y.bodies[i]);
        if (!problem.empty()) return "size " + std::to_string(x.bodies[i].key) + ": " + problem;
    }
    return "";
}

}  // namespace fairlead::testing
