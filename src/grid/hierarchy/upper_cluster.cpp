#include "grid/hierarchy/upper_cluster.h"

#include <algorithm>
#include <cstring>

#include "grid/hierarchy/stored_clusters.h"

namespace fairlead::grid {

namespace {

constexpr std::int32_t kSegment[kClusterLevels] = {64, 32, 128};

// ---- which nodes are kept ----------------------------------------------------------------------------------

// A node of the level below on a side, and what it joins.
struct SideNode {
    std::int32_t part = 0;  // of this cluster
    std::uint32_t id = 0;
    std::int32_t segment = 0;
    std::int32_t off = 0;  // from the segment's middle, in half cells
    std::int32_t inner = 0;
    std::int32_t outer = 0;

    [[nodiscard]] bool same(const SideNode& o) const {
        return segment == o.segment && inner == o.inner && outer == o.outer;
    }
};

// The clusters of the level below along a side, in rising order.
std::int32_t along_side(std::int32_t side, std::int32_t i) {
    switch (side) {
        case kWestSide: return i * kClusterFan;
        case kEastSide: return i * kClusterFan + kClusterFan - 1;
        case kSouthSide: return i;
        default: return (kClusterFan - 1) * kClusterFan + i;
    }
}

// The last column or row of clusters that is on the map: a cluster at the map's end has fewer than four.
std::int32_t on_side(const LowerParts& parts, std::int32_t side, std::int32_t i) {
    std::int32_t c = along_side(side, i);
    const std::int32_t step = side == kEastSide ? 1 : kClusterFan;
    if (side == kEastSide || side == kNorthSide) {
        for (std::int32_t k = 1; k < kClusterFan && !parts.inside(c); ++k) c -= step;
    }
    return c;
}

struct SideParts {
    const LowerParts* own = nullptr;
    const Array<std::uint16_t>* own_labels = nullptr;
    const LowerParts* other = nullptr;  // null: it is absent, each of its nodes is a component of its own
    const Array<std::uint16_t>* other_labels = nullptr;
    std::int32_t side = 0;
    std::int32_t segment = 64;
};

SideNode side_node_of(const SideParts& s, std::int32_t i, std::int32_t k) {
    const std::int32_t c = on_side(*s.own, s.side, i);
    const LowerCluster& lower = s.own->cluster(c);
    const std::int32_t node = lower.first[s.side] + k;
    SideNode made;
    made.part = s.own->part(c, node);
    made.id = lower.nodes[node].id;
    made.inner = (*s.own_labels)[static_cast<std::size_t>(made.part)];
    made.outer = -1 - i * 256 - k;
    if (s.other != nullptr) {
        const std::int32_t opposite = opposite_side(s.side);
        const std::int32_t beyond = on_side(*s.other, opposite, i);
        const std::int32_t twin = s.other->part(beyond, s.other->cluster(beyond).first[opposite] + k);
        made.outer = (*s.other_labels)[static_cast<std::size_t>(twin)];
    }
    const bool vertical = s.side == kWestSide || s.side == kEastSide;
    const std::int32_t at = vertical ? lower.nodes[node].y2 : lower.nodes[node].x2;
    made.segment = at / (2 * s.segment);
    const std::int32_t off = at - made.segment * 2 * s.segment - s.segment;
    made.off = off < 0 ? -off : off;
    return made;
}

// Appends the parts kept on a side to `kept`, in rising order. False: out of memory.
bool keep_side(const SideParts& s, Array<std::uint16_t>& kept) {
    constexpr std::int32_t kMost = 256;
    SideNode best[kMost];
    std::int32_t count = 0;
    for (std::int32_t i = 0; i < kClusterFan; ++i) {
        const std::int32_t c = on_side(*s.own, s.side, i);
        if (!s.own->inside(c)) continue;
        const LowerCluster& lower = s.own->cluster(c);
        for (std::int32_t k = 0; k < lower.first[s.side + 1] - lower.first[s.side]; ++k) {
            const SideNode made = side_node_of(s, i, k);
            std::int32_t at = 0;
            while (at < count && !best[at].same(made)) ++at;
            if (at == count && count < kMost) {
                best[count++] = made;
            } else if (at < count && made.off < best[at].off) {
                best[at] = made;
            }
        }
    }
    // In the order of the positions, which is that of the parts' numbers on a side.
    std::sort(best, best + count,  // total order
              [](const SideNode& a, const SideNode& b) { return a.id < b.id; });
    for (std::int32_t i = 0; i < count; ++i) {
        if (!kept.push_back(static_cast<std::uint16_t>(best[i].part))) return false;
    }
    return true;
}

// Places of portals are kept, all of them.
bool keep_places(const LowerParts& parts, Array<std::uint16_t>& kept) {
    for (std::int32_t c = 0; c < 16; ++c) {
        if (!parts.inside(c)) continue;
        const LowerCluster& lower = parts.cluster(c);
        for (std::int32_t i = lower.first[kPlaceSide]; i < lower.count; ++i) {
            if (!kept.push_back(static_cast<std::uint16_t>(parts.part(c, i)))) return false;
        }
    }
    return true;
}

// The parts kept on a side of a cluster whose own parts are known.
bool keep_of_side(const StateData& state, const Body& body, std::int32_t level, std::int32_t layer,
                  std::int32_t x, std::int32_t y, std::int32_t side, const LowerParts& own,
                  const Array<std::uint16_t>& own_labels, Array<std::uint16_t>& other_labels,
                  Array<std::uint16_t>& kept) {
    const ClusterGrid grid = ClusterGrid::of(state, body, level, layer);
    if (!cluster_beyond(state, grid, side, x, y)) return true;
    LowerParts other;
    SideParts parts{&own, &own_labels, nullptr, &other_labels, side, kSegment[level]};
    if (other.gather(state, body, level, layer, x, y)) {
        if (!other_labels.resize(static_cast<std::size_t>(other.count()))) return false;
        other.label(other_labels);
        parts.other = &other;
    }
    return keep_side(parts, kept);
}

// ---- costs -------------------------------------------------------------------------------------------------

// The parts in the order of the matrix: those kept, those on the two middle lines, the rest.
bool order_parts(const LowerParts& parts, std::size_t kept, ClusterScratch& s) {
    const auto count = static_cast<std::size_t>(parts.count());
    std::uint8_t rank[kPartsMax + 1];
    std::fill(rank, rank + count, std::uint8_t{2});
    for (std::int32_t c = 0; c < 16; ++c) {
        if (!parts.inside(c)) continue;
        const LowerCluster& lower = parts.cluster(c);
        const bool west_half = c % kClusterFan == 1;
        const bool south_half = c / kClusterFan == 1;
        for (std::int32_t i = 0; i < lower.count; ++i) {
            const std::int32_t side = lower.side_of(i);
            if ((west_half && side == kEastSide) || (south_half && side == kNorthSide))
                rank[parts.part(c, i)] = 1;
        }
    }
    for (std::size_t i = 0; i < kept; ++i) rank[s.order[i]] = 0;
    for (std::uint8_t r = 1; r <= 2; ++r) {
        for (std::size_t p = 0; p < count; ++p) {
            if (rank[p] == r && !s.order.push_back(static_cast<std::uint16_t>(p))) return false;
        }
    }
    return true;
}

// place[part] is its row.
bool fill_matrix(const LowerParts& parts, const std::uint8_t* place, ClusterScratch& s) {
    const auto count = static_cast<std::size_t>(parts.count());
    if (!s.matrix.resize(count * count) || !s.links.resize(count * count)) return false;
    for (float& cost : s.matrix) cost = kNoWayCost;
    for (std::int32_t& via : s.links) via = UpperCluster::kDirect;
    for (std::int32_t c = 0; c < 16; ++c) {
        if (!parts.inside(c)) continue;
        const LowerCluster& lower = parts.cluster(c);
        for (std::int32_t i = 0; i < lower.count; ++i) {
            for (std::int32_t j = 0; j < lower.count; ++j) {
                const std::uint32_t cost = i == j ? kNoCost : lower.cost(i, j);
                if (cost == kNoCost) continue;
                const std::size_t at = place[parts.part(c, i)] * count + place[parts.part(c, j)];
                if (static_cast<float>(cost) < s.matrix[at]) s.matrix[at] = static_cast<float>(cost);
            }
        }
    }
    return true;
}

void eliminate(std::size_t count, std::size_t kept, ClusterScratch& s) {
    float* costs = s.matrix.data();
    std::int32_t* via = s.links.data();
    for (std::size_t k = count; k-- > 0;) {
        const float* row_k = costs + k * count;
        const std::size_t end = k > kept ? k : kept;
        for (std::size_t i = 0; i < end; ++i) {
            const float to_k = costs[i * count + k];
            if (!(to_k < kNoWayCost) || i == k) continue;
            float* row = costs + i * count;
            std::int32_t* links = via + i * count;
            const auto name = static_cast<std::int32_t>(k);
            for (std::size_t j = 0; j < end; ++j) {
                const float sum = to_k + row_k[j];
                const bool better = sum < row[j];
                row[j] = better ? sum : row[j];
                links[j] = better ? name : links[j];
            }
        }
    }
}

// ---- the chunk ---------------------------------------------------------------------------------------------

struct UpperShape {
    std::size_t nodes = 0;
    std::size_t parts = 0;
    std::uint16_t first[5] = {};
};

bool write_upper(const UpperShape& shape, ClusterScratch& s) {
    const std::size_t bytes = UpperCluster::bytes_of(shape.nodes, shape.parts);
    s.words.clear();
    if (!s.words.resize((bytes + 7) / 8)) return false;
    for (std::uint64_t& word : s.words) word = 0;
    auto* header = reinterpret_cast<UpperCluster::Header*>(s.words.data());
    header->nodes = static_cast<std::uint16_t>(shape.nodes);
    header->parts = static_cast<std::uint16_t>(shape.parts);
    std::copy(shape.first, shape.first + 5, header->first);
    header->bytes = static_cast<std::uint32_t>(bytes);
    auto* nodes = reinterpret_cast<ClusterNode*>(header + 1);
    std::copy(s.nodes.begin(), s.nodes.begin() + shape.nodes, nodes);
    auto* costs = reinterpret_cast<std::uint32_t*>(nodes + shape.nodes);
    for (std::size_t i = 0; i < shape.nodes; ++i) {
        for (std::size_t j = 0; j < shape.nodes; ++j) {
            const float cost = s.matrix[i * shape.parts + j];
            *costs++ = cost < kNoWayCost && i != j ? static_cast<std::uint32_t>(cost) : kNoCost;
        }
    }
    auto* parts = reinterpret_cast<UpperCluster::Part*>(costs);
    std::copy(s.parts.begin(), s.parts.begin() + shape.parts, parts);
    auto* via = reinterpret_cast<std::uint8_t*>(parts + shape.parts);
    for (std::size_t i = 1; i < shape.parts; ++i) {
        for (std::size_t j = 0; j < i; ++j) *via++ = static_cast<std::uint8_t>(s.links[i * shape.parts + j]);
    }
    return true;
}

// Names of the parts in the order of the matrix, and what is known of the kept ones.
bool name_parts(const LowerParts& parts, const std::uint8_t* place, std::size_t kept, ClusterScratch& s) {
    const auto count = static_cast<std::size_t>(parts.count());
    if (!s.parts.resize(count) || !s.nodes.resize(kept)) return false;
    for (std::int32_t c = 15; c >= 0; --c) {  // the first name of a part is written last
        if (!parts.inside(c)) continue;
        for (std::int32_t i = 0; i < parts.cluster(c).count; ++i) {
            const std::size_t at = place[parts.part(c, i)];
            s.parts[at] = {static_cast<std::uint8_t>(c), static_cast<std::uint8_t>(i)};
            if (at < kept) s.nodes[at] = parts.cluster(c).nodes[i];
        }
    }
    return true;
}

}  // namespace

LowerCluster LowerCluster::at(const StateData& state, const Body& body, std::int32_t level,
                              std::int32_t layer, std::int32_t x, std::int32_t y) {
    const ClusterGrid grid = ClusterGrid::of(state, body, level, layer);
    LowerCluster lower;
    lower.chunk = state.chunks[grid.chunk(x, y)];
    lower.ground = level == 0;
    if (lower.ground) {
        const Cluster c = Cluster::at(lower.chunk);
        lower.nodes = c.nodes;
        lower.count = c.count();
        std::copy(c.header->first, c.header->first + 5, lower.first);
    } else {
        const UpperCluster c = UpperCluster::at(lower.chunk);
        lower.nodes = c.nodes;
        lower.count = c.count();
        lower.absent = c.absent();
        std::copy(c.header->first, c.header->first + 5, lower.first);
    }
    return lower;
}

bool LowerParts::gather(const StateData& state, const Body& body, std::int32_t level, std::int32_t layer,
                        std::int32_t x, std::int32_t y) {
    const ClusterGrid below = ClusterGrid::of(state, body, level - 1, layer);
    std::int32_t names = 0;
    count_ = 0;
    for (std::int32_t c = 0; c < 16; ++c) {
        const std::int32_t dx = c % kClusterFan, dy = c / kClusterFan;
        const std::int32_t at_x = x * kClusterFan + dx, at_y = y * kClusterFan + dy;
        first_[c] = names;
        inside_[c] = below.inside(at_x, at_y);
        if (!inside_[c]) continue;
        lower_[c] = LowerCluster::at(state, body, level - 1, layer, at_x, at_y);
        const LowerCluster& lower = lower_[c];
        if (lower.absent || names + lower.count > static_cast<std::int32_t>(2 * kPartsMax)) return false;
        names += lower.count;
        for (std::int32_t side = 0; side < 4; ++side) {
            // On a border inside the node has its number already.
            const std::int32_t before = side == kWestSide && dx > 0    ? c - 1
                                        : side == kSouthSide && dy > 0 ? c - kClusterFan
                                                                       : -1;
            for (std::int32_t i = lower.first[side]; i < lower.first[side + 1]; ++i) {
                const std::int32_t k = i - lower.first[side];
                std::int32_t number = count_;
                if (before >= 0) {
                    number = part(before, lower_[before].first[opposite_side(side)] + k);
                } else if (++count_ > static_cast<std::int32_t>(kPartsMax)) {
                    return false;
                }
                part_of_[first_[c] + i] = static_cast<std::uint8_t>(number);
            }
        }
        for (std::int32_t i = lower.first[kPlaceSide]; i < lower.count; ++i) {
            part_of_[first_[c] + i] = static_cast<std::uint8_t>(count_);
            if (++count_ > static_cast<std::int32_t>(kPartsMax)) return false;
        }
    }
    first_[16] = names;
    return true;
}

void LowerParts::label(Array<std::uint16_t>& labels) const {
    for (std::size_t i = 0; i < labels.size(); ++i) labels[i] = static_cast<std::uint16_t>(i);
    const auto root = [&](std::uint16_t a) {
        while (labels[a] != a) a = labels[a] = labels[labels[a]];
        return a;
    };
    for (std::int32_t c = 0; c < 16; ++c) {
        if (!inside_[c]) continue;
        for (std::int32_t i = 0; i < lower_[c].count; ++i) {
            for (std::int32_t j = 0; j < i; ++j) {
                if (lower_[c].cost(i, j) == kNoCost) continue;
                const std::uint16_t a = root(static_cast<std::uint16_t>(part(c, i)));
                const std::uint16_t b = root(static_cast<std::uint16_t>(part(c, j)));
                if (a < b) labels[b] = a;
                if (b < a) labels[a] = b;
            }
        }
    }
    for (std::size_t i = 0; i < labels.size(); ++i) labels[i] = root(static_cast<std::uint16_t>(i));
}

bool build_upper_cluster(const StateData& state, const Body& body, std::int32_t level, std::int32_t layer,
                         std::int32_t x, std::int32_t y, ClusterScratch& s, StoredClusters* stored) {
    LowerParts parts;
    UpperShape shape;
    if (!parts.gather(state, body, level, layer, x, y)) return write_upper(shape, s);
    shape.parts = static_cast<std::size_t>(parts.count());
    if (!s.labels.resize(shape.parts)) return false;
    parts.label(s.labels);
    s.order.clear();
    for (std::int32_t side = 0; side < 4; ++side) {
        shape.first[side] = static_cast<std::uint16_t>(s.order.size());
        if (!keep_of_side(state, body, level, layer, x, y, side, parts, s.labels, s.other_labels, s.order))
            return false;
    }
    shape.first[kPlaceSide] = static_cast<std::uint16_t>(s.order.size());
    if (!keep_places(parts, s.order)) return false;
    shape.nodes = s.order.size();
    if (!order_parts(parts, shape.nodes, s)) return false;
    std::uint8_t place[kPartsMax + 1] = {};
    for (std::size_t i = 0; i < shape.parts; ++i) place[s.order[i]] = static_cast<std::uint8_t>(i);
    if (!fill_matrix(parts, place, s) || !name_parts(parts, place, shape.nodes, s)) return false;
    if (stored == nullptr) {
        eliminate(shape.parts, shape.nodes, s);
    } else if (!stored->read_upper(shape.parts, shape.nodes, s)) {
        return false;
    }
    return write_upper(shape, s);
}

bool upper_side_holds(const StateData& state, const Body& body, std::int32_t level, std::int32_t layer,
                      std::int32_t x, std::int32_t y, std::int32_t side, ClusterScratch& s) {
    const ClusterGrid grid = ClusterGrid::of(state, body, level, layer);
    const UpperCluster cluster = UpperCluster::at(state.chunks[grid.chunk(x, y)]);
    LowerParts parts;
    if (!parts.gather(state, body, level, layer, x, y)) return cluster.absent();
    if (!s.labels.resize(static_cast<std::size_t>(parts.count()))) return false;
    parts.label(s.labels);
    s.order.clear();
    if (!keep_of_side(state, body, level, layer, x, y, side, parts, s.labels, s.other_labels, s.order))
        return false;
    const std::int32_t first = cluster.first(side);
    if (cluster.first(side + 1) - first != static_cast<std::int32_t>(s.order.size())) return false;
    for (std::size_t k = 0; k < s.order.size(); ++k) {
        // The part's number and the node's, by their names.
        const UpperCluster::Part name = cluster.parts[static_cast<std::size_t>(first) + k];
        if (parts.part(name.cluster, name.node) != s.order[k]) return false;
        if (parts.cluster(name.cluster).nodes[name.node].id !=
            cluster.nodes[static_cast<std::size_t>(first) + k].id)
            return false;
    }
    return true;
}

}  // namespace fairlead::grid
