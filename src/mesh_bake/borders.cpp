// Unit edges of the label map, and the vertices where they meet.

#include "mesh_bake/borders.h"

#include <algorithm>

#include "base/no_memory.h"

namespace fairlead::bake {

namespace {

struct EdgeFinder {
    const CellBox& interior;
    const Floors& f;
    const Layers& layers;
    Borders& out;

    // A floor of the layer in the column over side d that cannot be stepped to: the two stand wall to wall.
    [[nodiscard]] std::uint32_t behind_wall(std::uint32_t floor, std::int32_t x, std::int32_t y,
                                            std::uint32_t d) const {
        const std::int32_t nx = x + kStepX[d];
        const std::int32_t ny = y + kStepY[d];
        if (nx < interior.x0 || nx >= interior.x1 || ny < interior.y0 || ny >= interior.y1) return kNone;
        const auto cell = static_cast<std::size_t>(ny - f.box.y0) * static_cast<std::size_t>(f.box.width()) +
                          static_cast<std::size_t>(nx - f.box.x0);
        for (std::uint32_t i = f.first[cell]; i < f.first[cell + 1]; ++i) {
            const std::uint32_t label = layers.label[i];
            if (is_label(label) && layer_of(label) == layer_of(layers.label[floor])) return i;
        }
        return kNone;
    }

    [[nodiscard]] bool add(std::uint32_t floor, std::int32_t x, std::int32_t y, std::uint32_t d,
                           std::uint32_t right, std::uint32_t other, bool open) {
        // From corner to corner, counter-clockwise round the column.
        constexpr int kFromX[4] = {1, 1, 0, 0};
        constexpr int kFromY[4] = {0, 1, 1, 0};
        const std::int64_t cx = x - interior.x0;
        const std::int64_t cy = y - interior.y0;
        UnitEdge edge;
        edge.from = static_cast<std::uint32_t>(out.corner(cx + kFromX[d], cy + kFromY[d]));
        edge.to =
            static_cast<std::uint32_t>(out.corner(cx + kFromX[(d + 1) & 3U], cy + kFromY[(d + 1) & 3U]));
        edge.left = layers.label[floor];
        edge.right = right;
        edge.floor = floor;
        edge.other = other;
        edge.side = static_cast<std::uint8_t>(d);
        edge.open = open;
        if (is_label(right) && right < edge.left) {
            std::swap(edge.from, edge.to);
            std::swap(edge.left, edge.right);
            std::swap(edge.floor, edge.other);
        }
        return out.edges.push_back(edge);
    }

    [[nodiscard]] bool add_side(std::uint32_t floor, std::int32_t x, std::int32_t y, std::uint32_t d) {
        const std::uint32_t next = f.link[4 * std::size_t{floor} + d];
        if (next == kNone) {
            const std::uint32_t behind = behind_wall(floor, x, y, d);
            if (behind == kNone) return add(floor, x, y, d, kWall, kNone, false);
            return d >= 2 ||
                   add(floor, x, y, d, layers.label[behind], behind, false);  // one edge for both columns
        }
        const std::uint32_t label = layers.label[next];
        if (label == kOutside) return add(floor, x, y, d, kBorder + d, kNone, true);
        if (label == layers.label[floor] || d >= 2) return true;
        return add(floor, x, y, d, label, next, true);
    }

    Result<void> run() {
        out.edges.clear();
        out.width = static_cast<std::int32_t>(interior.width());
        out.height = static_cast<std::int32_t>(interior.height());
        for (std::int32_t y = interior.y0; y < interior.y1; ++y) {
            const std::size_t row =
                static_cast<std::size_t>(y - f.box.y0) * static_cast<std::size_t>(f.box.width());
            const std::uint32_t last = f.first[row + static_cast<std::size_t>(interior.x1 - f.box.x0)];
            std::uint32_t floor = f.first[row + static_cast<std::size_t>(interior.x0 - f.box.x0)];
            for (; floor < last; ++floor) {
                const std::uint32_t label = layers.label[floor];
                if (!is_label(label)) continue;
                const std::uint32_t* links = &f.link[4 * std::size_t{floor}];
                for (std::uint32_t d = 0; d < 4; ++d) {
                    if (links[d] != kNone && layers.label[links[d]] == label) continue;
                    const std::int32_t x = f.box.x0 + static_cast<std::int32_t>(f.cell[floor] - row);
                    if (!add_side(floor, x, y, d)) return kNoMemory;
                }
            }
        }
        if (out.edges.size() >= 0x40000000U)
            return Error{ErrorCode::size_limit, Field::cell_size, 0x40000000};
        return {};
    }
};

struct EdgeJoiner {
    const Settings& settings;
    const CellBox& interior;
    const Floors& f;
    Borders& b;

    [[nodiscard]] bool count_ends() {
        const std::size_t corners = b.corner(0, b.height + 1);
        if (!b.vertex_of_corner.resize_uninitialized(corners + 1)) return false;
        std::fill(b.vertex_of_corner.begin(), b.vertex_of_corner.end(), 0U);
        for (const UnitEdge& e : b.edges) {
            ++b.vertex_of_corner[e.from];
            ++b.vertex_of_corner[e.to];
        }
        std::uint32_t sum = 0;
        for (std::uint32_t& n : b.vertex_of_corner) {
            const std::uint32_t here = n;
            n = sum;
            sum += here;
        }
        if (!b.ends.resize_uninitialized(sum)) return false;
        for (std::uint32_t i = 0; i < b.edges.size(); ++i) {
            b.ends[b.vertex_of_corner[b.edges[i].from]++] = 2 * i;
            b.ends[b.vertex_of_corner[b.edges[i].to]++] = 2 * i + 1;
        }
        return true;  // every entry is now where the next corner's ends begin
    }

    [[nodiscard]] const UnitEdge& edge_of(std::uint32_t end) const { return b.edges[end >> 1]; }

    // Whether the border goes straight through two ends, from the one that arrives to the one that leaves.
    [[nodiscard]] bool continues(std::uint32_t p, std::uint32_t q) const {
        if (((p ^ q) & 1U) == 0) return false;
        const UnitEdge& a = edge_of(p);
        const UnitEdge& c = edge_of(q);
        if (a.left != c.left || a.right != c.right || a.open != c.open) return false;
        return !is_border(a.right) || border_joined(settings, f, a.floor, c.floor, a.side);
    }

    [[nodiscard]] static bool bends(const UnitEdge& a, const UnitEdge& c) {
        const auto upright = [](const UnitEdge& e) { return (e.side & 1U) == 0; };
        return upright(a) != upright(c);
    }

    [[nodiscard]] bool make_vertex(std::int32_t x, std::int32_t y, std::uint32_t first, std::uint32_t count) {
        BorderVertex v;
        v.x = x;
        v.y = y;
        v.first = first;
        v.count = count;
        v.node = count != 2 || !continues(b.ends[first], b.ends[first + 1]);
        v.turn = v.node || bends(edge_of(b.ends[first]), edge_of(b.ends[first + 1]));
        if (v.turn) set_height(v);  // no other becomes a corner of a polygon
        const auto id = static_cast<std::uint32_t>(b.vertices.size());
        for (std::uint32_t i = first; i < first + count; ++i) {
            UnitEdge& e = b.edges[b.ends[i] >> 1];
            ((b.ends[i] & 1U) != 0 ? e.to : e.from) = id;
        }
        return b.vertices.push_back(v);
    }

    void set_height(BorderVertex& v) const {
        const CornerFloors around(f, interior, v, edge_of(b.ends[v.first]).floor);
        v.z = around.height(f);
        for (std::uint32_t i = v.first + 1; i < v.first + v.count; ++i) {
            const UnitEdge& e = edge_of(b.ends[i]);
            v.split = v.split || !around.holds(e.floor) || (e.other != kNone && !around.holds(e.other));
        }
    }

    // Ends at one corner belong to one vertex if they border on a common layer.
    [[nodiscard]] bool share_layer(const UnitEdge& a, const UnitEdge& c) const {
        const auto has = [](const UnitEdge& e, std::uint32_t layer) {
            return layer_of(e.left) == layer || (is_label(e.right) && layer_of(e.right) == layer);
        };
        return has(a, layer_of(c.left)) || (is_label(c.right) && has(a, layer_of(c.right)));
    }

    [[nodiscard]] bool make_vertices(std::int32_t x, std::int32_t y, std::uint32_t first,
                                     std::uint32_t last) {
        if (last - first == 2 && share_layer(edge_of(b.ends[first]), edge_of(b.ends[first + 1])))
            return make_vertex(x, y, first, 2);
        // Grow groups one after the other; ends of a group are moved together.
        while (first < last) {
            std::uint32_t end = first + 1;
            for (std::uint32_t i = first; i < end; ++i) {
                for (std::uint32_t j = end; j < last; ++j) {
                    if (!share_layer(edge_of(b.ends[i]), edge_of(b.ends[j]))) continue;
                    std::rotate(b.ends.begin() + end, b.ends.begin() + j, b.ends.begin() + j + 1);
                    ++end;
                }
            }
            if (!make_vertex(x, y, first, end - first)) return false;
            first = end;
        }
        return true;
    }

    Result<void> run() {
        if (!count_ends()) return kNoMemory;
        b.vertices.clear();
        std::uint32_t first = 0;
        std::size_t corner = 0;
        for (std::int32_t y = 0; y <= b.height; ++y) {
            for (std::int32_t x = 0; x <= b.width; ++x, ++corner) {
                const std::uint32_t last = b.vertex_of_corner[corner];
                b.vertex_of_corner[corner] = static_cast<std::uint32_t>(b.vertices.size());
                if (last != first && !make_vertices(x, y, first, last)) return kNoMemory;
                first = last;
            }
        }
        b.vertex_of_corner[corner] = static_cast<std::uint32_t>(b.vertices.size());
        return {};
    }
};

}  // namespace

CornerFloors::CornerFloors(const Floors& f, const CellBox& interior, const BorderVertex& v,
                           std::uint32_t floor) {
    floors[count++] = floor;
    const auto at_corner = [&](std::uint32_t i) {
        const std::int32_t dx = f.x_of(i) - interior.x0 - v.x;
        const std::int32_t dy = f.y_of(i) - interior.y0 - v.y;
        return (dx == 0 || dx == -1) && (dy == 0 || dy == -1);
    };
    for (std::uint32_t i = 0; i < count; ++i) {
        for (std::uint32_t d = 0; d < 4; ++d) {
            const std::uint32_t next = f.link[4 * std::size_t{floors[i]} + d];
            if (next != kNone && at_corner(next) && !holds(next) && count < 16) floors[count++] = next;
        }
    }
}

bool CornerFloors::holds(std::uint32_t floor) const {
    return std::find(floors, floors + count, floor) != floors + count;
}

double CornerFloors::height(const Floors& f) const {
    std::int64_t sum = 0;
    for (std::uint32_t i = 0; i < count; ++i) sum += f.z[floors[i]];
    return static_cast<double>(sum) / static_cast<double>(count);
}

Result<void> find_edges(const CellBox& interior, const Floors& floors, const Layers& layers, Borders& out) {
    EdgeFinder finder{interior, floors, layers, out};
    return finder.run();
}

Result<void> join_edges(const Settings& settings, const CellBox& interior, const Floors& floors,
                        Borders& out) {
    EdgeJoiner joiner{settings, interior, floors, out};
    return joiner.run();
}

}  // namespace fairlead::bake
