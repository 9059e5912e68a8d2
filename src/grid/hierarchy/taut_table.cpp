#include "grid/hierarchy/taut_table.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "grid/block.h"
#include "grid/hierarchy/cluster_sight.h"
#include "grid/hierarchy/stored_clusters.h"
#include "grid/portals.h"

namespace fairlead::grid {

namespace {

constexpr std::uint16_t kFarPoint = Cluster::kNone;

struct Borders {
    BorderNodes side[4];
    std::uint32_t first_id[4];

    [[nodiscard]] std::size_t count() const {
        std::size_t all = 0;
        for (const BorderNodes& nodes : side) all += static_cast<std::size_t>(nodes.count);
        return all;
    }
};

std::uint32_t border_id(const ClusterGrid& grid, std::int32_t layer, std::int32_t x, std::int32_t y,
                        std::int32_t side) {
    const auto all = static_cast<std::uint32_t>(layer * grid.across * grid.down) + grid.index(x, y);
    return (all * 2 + (side == kNorthSide ? 1U : 0U)) * kBorderNodesMax;
}

Borders borders_of(const StateData& state, const Body& body, std::int32_t layer, std::int32_t x,
                   std::int32_t y) {
    const ClusterGrid grid = ClusterGrid::of(state, body, 0, layer);
    Borders borders;
    for (std::int32_t side = 0; side < 4; ++side) {
        std::int32_t owner_x = x, owner_y = y;
        const bool mine = side == kEastSide || side == kNorthSide;
        borders.first_id[side] = 0;
        if (!mine && !cluster_beyond(state, grid, side, owner_x, owner_y)) continue;
        const std::int32_t named = mine ? side : opposite_side(side);
        borders.side[side] = border_nodes(state, body, layer, owner_x, owner_y, named);
        borders.first_id[side] = border_id(grid, layer, owner_x, owner_y, named);
    }
    return borders;
}

Cluster::Point entrance_cell(const ClusterCells& cells, std::int32_t side, std::uint8_t at) {
    const auto last_x = static_cast<std::uint8_t>(cells.width - 1);
    const auto last_y = static_cast<std::uint8_t>(cells.height - 1);
    switch (side) {
        case kWestSide: return {0, at};
        case kSouthSide: return {at, 0};
        case kEastSide: return {last_x, at};
        default: return {at, last_y};
    }
}

ClusterNode entrance_node(const ClusterCells& cells, std::int32_t side, std::uint8_t at, std::uint32_t id) {
    const Cluster::Point p = entrance_cell(cells, side, at);
    const std::int32_t x2 = 2 * (cells.x + p.x) + 1 + side_dx(side);
    const std::int32_t y2 = 2 * (cells.y + p.y) + 1 + side_dy(side);
    return {id, static_cast<std::uint16_t>(x2), static_cast<std::uint16_t>(y2)};
}

bool add_point(ClusterScratch& s, Cluster::Point p, std::uint8_t corners) {
    return s.points.push_back(p) && s.corners.push_back(corners);
}

// The places of portals where the body can stand.
bool gather_places(const StateData& state, std::uint32_t square, ClusterScratch& s) {
    s.places.clear();
    if (state.portal_count == 0) return true;
    std::uint32_t number = 0;
    for (const PortalPlace& place : state.portal_tables->places_in(square, number)) {
        const auto x = static_cast<std::uint8_t>(place.cell % kClusterSide);
        const auto y = static_cast<std::uint8_t>(place.cell / kClusterSide);
        if (s.cells.free(x, y) && (!s.places.push_back(number) || !add_point(s, {x, y}, 0b1111)))
            return false;
        ++number;
    }
    return true;
}

// Entrances bend every way: what comes beyond them is not known here.
bool gather_points(const StateData& state, std::uint32_t square, const Borders& borders, ClusterScratch& s) {
    s.points.clear();
    s.corners.clear();
    for (std::int32_t side = 0; side < 4; ++side) {
        for (std::int32_t k = 0; k < borders.side[side].count; ++k) {
            if (!add_point(s, entrance_cell(s.cells, side, borders.side[side].at[k]), 0b1111)) return false;
        }
    }
    if (!gather_places(state, square, s)) return false;
    if (s.points.empty()) return true;
    for (std::int32_t y = 0; y < s.cells.height; ++y) {
        const CornerWords words = corner_words(s.cells, y);
        std::uint64_t any = words.way[0] | words.way[1] | words.way[2] | words.way[3];
        for (; any != 0; any &= any - 1) {
            const std::int32_t x = std::countr_zero(any);
            std::uint32_t corners = 0;
            for (std::uint32_t i = 0; i < 4; ++i)
                corners |= static_cast<std::uint32_t>((words.way[i] >> x) & 1U) << i;
            const Cluster::Point p{static_cast<std::uint8_t>(x), static_cast<std::uint8_t>(y)};
            if (!add_point(s, p, static_cast<std::uint8_t>(corners))) return false;
        }
    }
    return true;
}

// Each edge from both ends, in the order of the points.
bool gather_edges(const ClusterSight& sight, ClusterScratch& s) {
    s.edges.clear();
    s.first_edge.clear();
    const std::size_t count = s.points.size();
    for (std::size_t i = 0; i < count; ++i) {
        if (!s.first_edge.push_back(static_cast<std::uint32_t>(s.edges.size()))) return false;
        const Cluster::Point a = s.points[i];
        for (std::size_t j = i + 1; j < count; ++j) {
            const Cluster::Point b = s.points[j];
            const std::int32_t dx = b.x - a.x, dy = b.y - a.y;
            if (!bends_at(s.corners[i], dx, dy) || !bends_at(s.corners[j], dx, dy)) continue;
            if (!sight.sees(s.cells, a, b)) continue;
            const auto cost = static_cast<std::uint16_t>(taut_cost(dx, dy));
            if (!s.edges.push_back({cost, static_cast<std::uint8_t>(j), static_cast<std::uint8_t>(i)}))
                return false;
        }
    }
    const std::size_t half = s.edges.size();
    if (!s.edges.reserve(2 * half)) return false;
    for (std::size_t i = 0; i < half; ++i) {
        const ClusterScratch::Edge e = s.edges[i];
        if (!s.edges.push_back({e.cost, e.from, e.to})) return false;
    }
    return true;
}

// Counting sort by the end that an edge leaves from.
bool sort_edges(ClusterScratch& s) {
    const std::size_t count = s.points.size();
    if (!s.first_edge.resize(0) || !s.first_edge.resize(count + 1)) return false;
    for (std::uint32_t& first : s.first_edge) first = 0;
    for (const ClusterScratch::Edge& e : s.edges) ++s.first_edge[e.from];
    std::uint32_t sum = 0;
    for (std::size_t i = 0; i < count; ++i) {
        sum += s.first_edge[i];
        s.first_edge[i] = sum;
    }
    s.first_edge[count] = sum;
    const std::size_t size = s.edges.size();
    if (!s.queue.resize(size)) return false;
    for (std::size_t i = size; i-- > 0;) {
        const ClusterScratch::Edge e = s.edges[i];
        s.queue[--s.first_edge[e.from]] = (std::uint32_t{e.cost} << 16) | e.to;
    }
    for (std::size_t i = 0; i < size; ++i) {
        const std::uint32_t packed = s.queue[i];
        s.edges[i] = {static_cast<std::uint16_t>(packed >> 16), static_cast<std::uint8_t>(packed & 0xffU), 0};
    }
    return true;
}

// Dijkstra from entrance e over the points.
bool fill_row(ClusterScratch& s, std::size_t e) {
    const std::size_t count = s.points.size();
    std::uint16_t* costs = s.costs.data() + e * count;
    std::uint8_t* next = s.next.data() + e * count;
    std::fill(costs, costs + count, kFarPoint);
    std::fill(next, next + count, std::uint8_t{0});
    s.open.clear();
    costs[e] = 0;
    if (!s.open.push(static_cast<std::uint32_t>(e))) return false;
    while (!s.open.empty()) {
        const std::uint32_t top = s.open.least();
        s.open.pop();
        const std::uint32_t from = top & 0xffU;
        const std::uint32_t cost = top >> 8;
        if (cost != costs[from]) continue;
        for (std::uint32_t k = s.first_edge[from]; k < s.first_edge[from + 1]; ++k) {
            const ClusterScratch::Edge edge = s.edges[k];
            const std::uint32_t sum = cost + edge.cost;
            if (sum > costs[edge.to] || sum >= kFarPoint) continue;
            if (sum == costs[edge.to]) {
                // Two entrances in one cell must not name each other.
                if (edge.cost != 0 && from < next[edge.to]) next[edge.to] = static_cast<std::uint8_t>(from);
                continue;
            }
            costs[edge.to] = static_cast<std::uint16_t>(sum);
            next[edge.to] = static_cast<std::uint8_t>(from);
            if (!s.open.push((sum << 8) | edge.to)) return false;
        }
    }
    return true;
}

bool write_cluster(const Borders& borders, ClusterScratch& s, bool crowded) {
    const std::size_t points = s.points.size();
    const std::size_t entrances = borders.count() + s.places.size();
    const std::size_t bytes = Cluster::bytes_of(entrances, points, crowded);
    s.words.clear();
    if (!s.words.resize((bytes + 7) / 8)) return false;
    for (std::uint64_t& word : s.words) word = 0;
    auto* header = reinterpret_cast<Cluster::Header*>(s.words.data());
    header->points = static_cast<std::uint16_t>(points);
    header->entrances = static_cast<std::uint8_t>(entrances);
    header->crowded = crowded ? 1 : 0;
    header->bytes = static_cast<std::uint32_t>(bytes);
    auto* node = reinterpret_cast<ClusterNode*>(header + 1);
    std::uint8_t first = 0;
    for (std::int32_t side = 0; side < 4; ++side) {
        header->first[side] = first;
        for (std::int32_t k = 0; k < borders.side[side].count; ++k, ++first)
            *node++ = entrance_node(s.cells, side, borders.side[side].at[k],
                                    borders.first_id[side] + static_cast<std::uint32_t>(k));
    }
    header->first[kPlaceSide] = first;
    for (std::size_t i = 0; i < s.places.size(); ++i) {
        const Cluster::Point p = s.points[first + i];
        *node++ = {kPlaceBit | s.places[i], static_cast<std::uint16_t>(2 * (s.cells.x + p.x) + 1),
                   static_cast<std::uint16_t>(2 * (s.cells.y + p.y) + 1)};
    }
    auto* at = reinterpret_cast<std::uint8_t*>(node);
    const auto write = [&](const void* from, std::size_t size) {
        if (size != 0) std::memcpy(at, from, size);
        at += size;
    };
    write(s.costs.data(), entrances * points * 2);
    write(s.points.data(), points * 2);
    write(s.corners.data(), points);
    if (!crowded) write(s.next.data(), entrances * points);
    return true;
}

// Are entrances that the connectivity index joins inside the cluster joined by the table? If not (discs whose sweeps are not what their
// cells say), cells serve.
bool joins_all(const StateData& state, const Body& body, std::int32_t layer, const ClusterScratch& s,
               std::size_t entrances) {
    const BlockTree tree = BlockTree::of(state, body);
    const auto label = [&](std::size_t e) {
        return tree.leaf_label(s.cells.x + s.points[e].x, s.cells.y + s.points[e].y, layer);
    };
    for (std::size_t a = 1; a < entrances; ++a) {
        for (std::size_t b = 0; b < a; ++b) {
            if (s.costs[a * s.points.size() + b] == kFarPoint && label(a) == label(b)) return false;
        }
    }
    return true;
}

// Costs from entrance to entrance alone, over cells.
bool build_crowded(const Borders& borders, ClusterScratch& s) {
    const std::size_t count = borders.count() + s.places.size();
    if (!s.points.resize(count) || !s.corners.resize(count) || !s.costs.resize(count * count)) return false;
    for (std::size_t e = 0; e < count; ++e) {
        if (!s.field.fill(s.cells, s.points[e])) return false;
        for (std::size_t i = 0; i < count; ++i) s.costs[e * count + i] = s.field.cost(s.points[i]);
    }
    return write_cluster(borders, s, true);
}

}  // namespace

std::uint32_t taut_cost(std::int32_t dx, std::int32_t dy) {
    const auto square = static_cast<double>(dx * dx + dy * dy);
    return static_cast<std::uint32_t>(std::sqrt(square) * kStepCost + 0.5);
}

CornerWords corner_words(const ClusterCells& cells, std::int32_t y) {
    const std::uint64_t here = cells.rows[y];
    const std::uint64_t east = here & (here >> 1);  // free, and the next one too
    const std::uint64_t west = here & (here << 1);
    CornerWords words;
    if (y + 1 < cells.height) {
        const std::uint64_t above = cells.rows[y + 1];
        words.way[0] = east & above & ~(above >> 1);
        words.way[1] = west & above & ~(above << 1);
    }
    if (y > 0) {
        const std::uint64_t below = cells.rows[y - 1];
        words.way[2] = west & below & ~(below << 1);
        words.way[3] = east & below & ~(below >> 1);
    }
    return words;
}

void ClusterCells::gather(const StateData& state, const Body& body, std::int32_t layer,
                          std::int32_t cluster_x, std::int32_t cluster_y) {
    x = cluster_x * kClusterSide;
    y = cluster_y * kClusterSide;
    width = std::min(kClusterSide, state.width - x);
    height = std::min(kClusterSide, state.height - y);
    const Lines lines = state.row_lines(body, layer);
    for (std::int32_t i = 0; i < height; ++i) rows[i] = lines.line(y + i)[cluster_x];
    for (std::int32_t i = height; i < kClusterSide; ++i) rows[i] = 0;
}

ClusterSight::ClusterSight(const StateData& state, const Body& body, std::int32_t layer)
    : point_(body.key == kPointBody) {
    if (point_) return;
    SightWorld world;
    world.state = &state;
    world.layer = layer;
    world.corner = CornerRule::never;
    if (body.key < 0 || body.key == kCellBody) {
        // A square of one cell has the same key as discs up to half a cell, which it covers.
        world.footprint = body.key < 0 ? static_cast<std::int32_t>(-body.key) : 1;
        if (world.footprint % 2 == 0) offset_ = 0.0;
    } else {
        world.radius = 0.5 * std::sqrt(static_cast<double>(body.key));
    }
    sweep_ = Sight(world);
}

bool ClusterSight::sees(const ClusterCells& cells, Cluster::Point a, Cluster::Point b) const {
    if (!cluster_sees(cells.rows, a.x, a.y, b.x, b.y)) return false;
    if (point_ || a.x == b.x || a.y == b.y) return true;
    const Vec2 low{cells.x + offset_, cells.y + offset_};
    return sweep_.can_sweep(low + Vec2{static_cast<double>(a.x), static_cast<double>(a.y)},
                            low + Vec2{static_cast<double>(b.x), static_cast<double>(b.y)});
}

bool build_cluster(const StateData& state, const Body& body, std::int32_t layer, std::int32_t x,
                   std::int32_t y, ClusterScratch& s, StoredClusters* stored) {
    const Borders borders = borders_of(state, body, layer, x, y);
    s.cells.gather(state, body, layer, x, y);
    const ClusterGrid grid = ClusterGrid::of(state, body, 0, layer);
    const auto square = static_cast<std::uint32_t>(layer * grid.across * grid.down) + grid.index(x, y);
    if (!gather_points(state, square, borders, s)) return false;
    const std::size_t entrances = borders.count() + s.places.size();
    if (stored != nullptr) {
        bool crowded = false;
        return stored->read_ground(state, body, layer, entrances, s, crowded) &&
               write_cluster(borders, s, crowded);
    }
    if (s.points.size() > kClusterPointsMax) return build_crowded(borders, s);
    if (!gather_edges(ClusterSight(state, body, layer), s) || !sort_edges(s)) return false;
    if (!s.costs.resize(entrances * s.points.size()) || !s.next.resize(entrances * s.points.size()))
        return false;
    for (std::size_t e = 0; e < entrances; ++e) {
        if (!fill_row(s, e)) return false;
    }
    if (!joins_all(state, body, layer, s, entrances)) return build_crowded(borders, s);
    return write_cluster(borders, s, false);
}

}  // namespace fairlead::grid
