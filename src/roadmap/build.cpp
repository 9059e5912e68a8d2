// Building the first revision. Waypoints get their slots along a Morton curve (Morton 1966), so that
// neighbours in space share chunks and the chunks' boxes are small; edges are sorted into rows.

#include <algorithm>

#include "base/no_memory.h"
#include "roadmap/editor.h"
#include "roadmap/walls.h"

namespace fairlead::roadmap {

namespace {

constexpr std::uint32_t kWallsMax = 1U << 24;
constexpr std::uint32_t kIdsFilled = 192;  ///< entries of a stretch at first: room to insert

struct Placed {
    std::uint64_t curve = 0;
    std::int64_t id = 0;
    std::uint32_t index = 0;  ///< in the options' nodes
    std::uint32_t slot = 0;
};

struct NewArc {
    RoadmapArc arc{};
    std::int64_t to_id = 0;
    std::uint32_t from = 0;
};

struct NewArrival {
    std::int64_t from_id = 0;
    std::uint32_t from = 0;
    std::uint32_t to = 0;
};

std::uint64_t spread(std::uint32_t x) {
    std::uint64_t z = x;
    z = (z | (z << 16)) & 0x0000ffff0000ffffULL;
    z = (z | (z << 8)) & 0x00ff00ff00ff00ffULL;
    z = (z | (z << 4)) & 0x0f0f0f0f0f0f0f0fULL;
    z = (z | (z << 2)) & 0x3333333333333333ULL;
    return (z | (z << 1)) & 0x5555555555555555ULL;
}

struct Builder {
    Builder(EditorData& e, const RoadmapOptions& o)
        : editor(e),
          options(o),
          by_id(e.allocator),
          arcs(e.allocator),
          arrivals(e.allocator),
          slot_of(e.allocator) {}

    EditorData& editor;
    const RoadmapOptions& options;
    Array<Placed> by_id;
    Array<NewArc> arcs;
    Array<NewArrival> arrivals;
    Array<std::uint32_t> slot_of;  ///< by index in the options' nodes

    [[nodiscard]] static Error at(const Error& error, std::size_t index) {
        return {error.code, static_cast<std::int64_t>(index), error.detail};
    }

    Result<void> run() {
        for (Result<void> (Builder::*part)() :
             {&Builder::check_sizes, &Builder::fill_roads, &Builder::place_nodes, &Builder::resolve_edges,
              &Builder::fill_chunks, &Builder::fill_ids, &Builder::fill_walls}) {
            const Result<void> done = (this->*part)();
            if (!done) return done;
        }
        return {};
    }

    Result<void> check_sizes() {
        if (options.nodes.size() > kWaypointsMax)
            return Error{ErrorCode::size_limit, kWaypointsMax, kWaypointsMax};
        const std::size_t nodes = options.nodes.size();
        std::uint64_t directions = 0;
        for (std::size_t i = 0; i < options.edges.size(); ++i) {
            directions += options.edges[i].one_way ? 1 : 2;
            if (directions > kArcsMax) {
                return Error{ErrorCode::size_limit, static_cast<std::int64_t>(nodes + i), kArcsMax};
            }
        }
        return {};
    }

    // Checks the waypoints, orders them along the curve and by id.
    Result<void> place_nodes() {
        const std::size_t count = options.nodes.size();
        if (!by_id.resize(count) || !slot_of.resize(count)) return kNoMemory;
        Box3 box;
        for (std::size_t i = 0; i < count; ++i) {
            const Result<void> checked = check_node(options.nodes[i]);
            if (!checked) return at(checked.error(), i);
            box.include(options.nodes[i].position);
        }
        for (std::size_t i = 0; i < count; ++i) {
            const Waypoint& node = options.nodes[i];
            by_id[i] = {curve_at(node.position, box), node.id.value, static_cast<std::uint32_t>(i), 0};
        }
        const auto along = [](const Placed& a, const Placed& b) {
            if (a.curve != b.curve) return a.curve < b.curve;
            return a.id != b.id ? a.id < b.id : a.index < b.index;
        };
        std::sort(by_id.begin(), by_id.end(), along);  // total order: by index at last
        for (std::size_t i = 0; i < count; ++i) by_id[i].slot = static_cast<std::uint32_t>(i);
        const auto before = [](const Placed& a, const Placed& b) {
            return a.id != b.id ? a.id < b.id : a.index < b.index;
        };
        std::sort(by_id.begin(), by_id.end(), before);  // total order: by index at last
        std::size_t second = count;
        for (std::size_t i = 0; i < count; ++i) {
            slot_of[by_id[i].index] = by_id[i].slot;
            if (i > 0 && by_id[i].id == by_id[i - 1].id && by_id[i].index < second) second = by_id[i].index;
        }
        if (second < count)
            return Error{ErrorCode::duplicate_id, static_cast<std::int64_t>(second),
                         options.nodes[second].id.value};
        return {};
    }

    static std::uint64_t curve_at(Vec3 p, const Box3& box) {
        const auto step = [](double value, double low, double high) {
            const double t = high > low ? (value - low) / (high - low) : 0.0;
            return static_cast<std::uint32_t>(t * 2147483647.0);
        };
        return spread(step(p.x, box.low.x, box.high.x)) | (spread(step(p.y, box.low.y, box.high.y)) << 1);
    }

    [[nodiscard]] const Placed* find(WaypointId id) const {
        const Placed* found =
            std::lower_bound(by_id.begin(), by_id.end(), id.value,
                             [](const Placed& a, std::int64_t value) { return a.id < value; });
        return found != by_id.end() && found->id == id.value ? found : nullptr;
    }

    Result<void> resolve_edges() {
        for (std::size_t i = 0; i < options.edges.size(); ++i) {
            const Result<void> done = resolve(options.edges[i]);
            if (!done) return at(done.error(), options.nodes.size() + i);
        }
        const auto before = [](const NewArc& a, const NewArc& b) {
            return a.from != b.from ? a.from < b.from : arc_before(a.arc, a.to_id, b.arc, b.to_id);
        };
        std::sort(arcs.begin(), arcs.end(), before);  // total order: arcs that tie are equal in every bit
        // Parallel arcs are neighbours now, so each arrival is met once.
        for (std::size_t i = 0; i < arcs.size(); ++i) {
            const NewArc& arc = arcs[i];
            if (i > 0 && arcs[i - 1].from == arc.from && arcs[i - 1].arc.to == arc.arc.to) continue;
            if (!arrivals.push_back({0, arc.from, arc.arc.to.value})) return kNoMemory;
        }
        Array<std::int64_t> ids(editor.allocator);
        if (!ids.resize(options.nodes.size())) return kNoMemory;
        for (const Placed& node : by_id) ids[node.slot] = node.id;
        for (NewArrival& arrival : arrivals) arrival.from_id = ids[arrival.from];
        const auto order = [](const NewArrival& a, const NewArrival& b) {
            return a.to != b.to ? a.to < b.to : a.from_id < b.from_id;
        };
        std::sort(arrivals.begin(), arrivals.end(), order);  // total order: each pair is there once
        return {};
    }

    Result<void> resolve(const WaypointEdge& edge) {
        const Result<void> checked = check_edge(edge, editor.draft->roads);
        if (!checked) return checked;
        const Placed* from = find(edge.from);
        const Placed* to = find(edge.to);
        if (from == nullptr) return Error{ErrorCode::unknown_id, -1, edge.from.value};
        if (to == nullptr) return Error{ErrorCode::unknown_id, -1, edge.to.value};
        const Result<double> cost =
            edge_cost(edge, options.nodes[from->index].position, options.nodes[to->index].position);
        if (!cost) return cost.error();
        const auto add = [&](const Placed& a, const Placed& b) {
            const bool straight = edge.cost == kStraightCost;
            const RoadmapArc arc{*cost, {b.slot}, edge.label, edge.flags, edge.kind, edge.link, straight};
            return arcs.push_back({arc, b.id, a.slot});
        };
        if (!add(*from, *to) || (!edge.one_way && !add(*to, *from))) return kNoMemory;
        return {};
    }

    Result<void> fill_chunks() {
        StateData& draft = *editor.draft;
        const auto nodes = static_cast<std::uint32_t>(options.nodes.size());
        const std::uint32_t chunks = (nodes + kChunkNodes - 1) >> kChunkShift;
        if (!draft.chunks.reserve(chunks) || !editor.touched.reserve(chunks)) return kNoMemory;
        std::size_t arc_at = 0;
        std::size_t arrival_at = 0;
        for (std::uint32_t place = 0; place < chunks; ++place) {
            const std::uint32_t end = (place + 1) << kChunkShift;
            std::size_t arc_end = arc_at;
            std::size_t arrival_end = arrival_at;
            while (arc_end < arcs.size() && arcs[arc_end].from < end) ++arc_end;
            while (arrival_end < arrivals.size() && arrivals[arrival_end].to < end) ++arrival_end;
            auto* chunk =
                editor.make_as<NodeChunk>(NodeChunk::bytes(arc_end - arc_at, arrival_end - arrival_at));
            if (chunk == nullptr || !draft.chunks.push_back(chunk)) return kNoMemory;  // reserved
            chunk->arc_total = static_cast<std::uint32_t>(arc_end - arc_at);
            chunk->in_total = static_cast<std::uint32_t>(arrival_end - arrival_at);
            for (std::size_t i = arc_at; i < arc_end; ++i) {
                chunk->arcs()[i - arc_at] = arcs[i].arc;
                ++chunk->nodes[arcs[i].from & (kChunkNodes - 1)].arc_count;
            }
            for (std::size_t i = arrival_at; i < arrival_end; ++i) {
                chunk->ins()[i - arrival_at] = {arrivals[i].from};
                ++chunk->nodes[arrivals[i].to & (kChunkNodes - 1)].in_count;
            }
            for (std::uint32_t i = 1; i < kChunkNodes; ++i) {
                chunk->nodes[i].arc_first = chunk->nodes[i - 1].arc_first + chunk->nodes[i - 1].arc_count;
                chunk->nodes[i].in_first = chunk->nodes[i - 1].in_first + chunk->nodes[i - 1].in_count;
            }
            arc_at = arc_end;
            arrival_at = arrival_end;
            if (!editor.touched.push_back(place)) return kNoMemory;  // reserved
        }
        for (const Placed& node : by_id) {
            NodeRecord& record = draft.chunks[node.slot >> kChunkShift]->nodes[node.slot & (kChunkNodes - 1)];
            record.id = node.id;
            record.position = options.nodes[node.index].position;
        }
        editor.reach_changed = nodes > 0;
        return {};
    }

    Result<void> fill_ids() {
        StateData& draft = *editor.draft;
        const std::size_t stretches = (by_id.size() + kIdsFilled - 1) / kIdsFilled;
        if (!draft.ids.reserve(stretches)) return kNoMemory;
        for (std::size_t i = 0; i < by_id.size(); ++i) {
            if (i % kIdsFilled == 0) {
                auto* made = editor.make_as<IdChunk>();
                if (made == nullptr || !draft.ids.push_back(made)) return kNoMemory;  // reserved
            }
            IdChunk& chunk = *draft.ids.back();
            chunk.entries[chunk.count++] = {by_id[i].id, by_id[i].slot, 0};
        }
        return {};
    }

    Result<void> fill_roads() {
        const std::size_t first =
            options.nodes.size() + options.edges.size() + options.walls.size() + options.wall_points.size();
        if (options.roads.empty()) return {};
        if (options.roads.size() > RoadSet::kKinds)
            return at({ErrorCode::size_limit, -1, RoadSet::kKinds}, first + RoadSet::kKinds);
        auto* made = editor.make_as<RoadSet>();
        if (made == nullptr) return kNoMemory;
        editor.draft->roads = made;
        for (std::size_t i = 0; i < options.roads.size(); ++i) {
            const RoadKind& road = options.roads[i];
            const Result<void> checked = check_road(road);
            if (!checked) return at(checked.error(), first + i);
            made->kinds[i] = road;
            made->widths = made->widths || road.width > 0.0;
            made->limits = made->limits || road.speed_max < kNoLimit;
        }
        return {};
    }

    Result<void> fill_walls() {
        const std::size_t first = options.nodes.size() + options.edges.size();
        if (options.walls.size() > kWallsMax)
            return at({ErrorCode::size_limit, -1, kWallsMax}, first + kWallsMax);
        for (std::size_t i = 0; i < options.walls.size(); ++i) {
            const RoadmapWall& wall = options.walls[i];
            if (wall.points < (wall.closed ? 3U : 2U)) {
                return at(
                    {ErrorCode::incompatible, -1, static_cast<std::int64_t>(RoadmapRule::too_few_points)},
                    first + i);
            }
            const std::uint64_t end = std::uint64_t{wall.first_point} + wall.points;
            if (end > options.wall_points.size()) {
                return at({ErrorCode::size_mismatch, -1, static_cast<std::int64_t>(end)}, first + i);
            }
        }
        for (std::size_t i = 0; i < options.wall_points.size(); ++i) {
            const Vec2 p = options.wall_points[i];
            const Result<void> checked = check_node({WaypointId{0}, {p.x, p.y, 0.0}});
            if (!checked) return at(checked.error(), first + options.walls.size() + i);
        }
        if (count_sides(options.walls) > kWallsMax) return at({ErrorCode::size_limit, -1, kWallsMax}, first);
        const auto sides = static_cast<std::size_t>(count_sides(options.walls));
        if (sides == 0) return {};
        const auto items = static_cast<std::uint32_t>((sides + kSidesPerItem - 1) / kSidesPerItem);
        const BoxTree tree = BoxTree::over(items);
        auto* made = editor.make_as<WallSet>(WallSet::bytes(sides, tree.size));
        if (made == nullptr) return kNoMemory;
        made->tree = tree;
        made->side_count = static_cast<std::uint32_t>(sides);
        build_walls(*made, options.walls, options.wall_points);
        editor.draft->walls = made;
        return {};
    }
};

}  // namespace

Result<void> build(EditorData& editor, const RoadmapOptions& options) {
    if (!editor.begin()) return kNoMemory;
    Result<void> done = Builder(editor, options).run();
    if (done && !settle(editor)) done = kNoMemory;
    if (!done) {
        editor.drop();
        return done;
    }
    editor.commit();
    return {};
}

}  // namespace fairlead::roadmap
