#include <fairlead/formats/roadmap_file.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>

#include <fairlead/formats/number.h>

#include "formats/json_writer.h"
#include "formats/schema_reader.h"

namespace fairlead::formats {

namespace {

constexpr std::int64_t kIdMax = std::int64_t{1} << 53;
constexpr std::size_t kPathMax = 4096;
constexpr std::size_t kRoadsMax = 256;

// An edge as written, with the places of its two ids for messages.
struct WrittenEdge {
    std::int64_t from = -1;
    std::int64_t to = -1;
    JsonReader::Place from_place{};
    JsonReader::Place to_place{};
};

class RoadmapReader : SchemaReader {
  public:
    RoadmapReader(std::string_view roadmap, const Limits& limits) : SchemaReader(roadmap, limits) {}

    Result<RoadmapFile> read() {
        if (read_file() && resolve()) return std::move(file_);
        return error();
    }

  private:
    bool number(double& out) { return json_.read_number(out, -kNumberMax, kNumberMax); }

    // All that the type holds.
    template <class Number>
    bool whole(Number& out) {
        std::int64_t value = 0;
        if (!json_.read_integer(value, 0, std::numeric_limits<Number>::max())) return false;
        out = static_cast<Number>(value);
        return true;
    }

    bool read_file() {
        if (!json_.open_object()) return false;
        const JsonReader::Place start = json_.place();
        std::uint64_t seen = 0;
        while (json_.next_key()) {
            if (!read_member(seen)) return false;
        }
        if (!json_.ok()) return false;
        if ((seen & 1U) == 0) return json_.fail_at(ErrorCode::text_missing, start);
        return json_.finish();
    }

    bool read_member(std::uint64_t& seen) {
        const std::string_view key = json_.key();
        if (key == "nodes") return json_.once(seen, 0) && read_list([&] { return read_node(); });
        if (key == "edges") return json_.once(seen, 1) && read_list([&] { return read_edge(); });
        if (key == "walls") return json_.once(seen, 2) && read_list([&] { return read_wall(); });
        if (key == "map") return json_.once(seen, 3) && text(file_.map_file, kPathMax);
        if (key == "title") return json_.once(seen, 4) && text(file_.title, kTitleMax);
        if (key == "roads") return json_.once(seen, 5) && read_list([&] { return read_road(); });
        return json_.unknown_key();
    }

    bool read_road() {
        if (!json_.open_object()) return false;
        const JsonReader::Place start = json_.place();
        if (file_.roads.size() == kRoadsMax) return json_.fail_at(ErrorCode::size_limit, start);
        RoadKind road;
        std::uint64_t seen = 0;
        while (json_.next_key()) {
            const std::string_view key = json_.key();
            if (key == "width") {
                if (!json_.once(seen, 0) || !json_.read_number(road.width, 0.0, kNumberMax)) return false;
            } else if (key == "speed_max") {
                if (!json_.once(seen, 1) || !json_.read_number(road.speed_max, 0.0, kNumberMax)) return false;
                if (!(road.speed_max > 0.0)) return json_.fail_at(ErrorCode::text_value, json_.place());
            } else if (!json_.unknown_key()) {
                return false;
            }
        }
        return json_.ok() && append(file_.roads, road);
    }

    bool read_node() {
        if (!json_.open_object()) return false;
        const JsonReader::Place start = json_.place();
        RoadmapNode node;
        JsonReader::Place id_place;
        std::uint64_t seen = 0;
        while (json_.next_key()) {
            const std::string_view key = json_.key();
            if (key == "id") {
                if (!json_.once(seen, 0) || !json_.read_integer(node.id, 0, kIdMax)) return false;
                id_place = json_.place();
            } else if (key == "x") {
                if (!json_.once(seen, 1) || !number(node.position.x)) return false;
            } else if (key == "y") {
                if (!json_.once(seen, 2) || !number(node.position.y)) return false;
            } else if (key == "z") {
                if (!json_.once(seen, 3) || !number(node.position.z)) return false;
            } else if (!json_.unknown_key()) {
                return false;
            }
        }
        if (!json_.ok()) return false;
        if ((seen & 7U) != 7U) return json_.fail_at(ErrorCode::text_missing, start);
        return append(file_.nodes, node) && append(node_places_, id_place);
    }

    bool read_edge() {
        if (!json_.open_object()) return false;
        const JsonReader::Place start = json_.place();
        RoadmapEdge edge;
        WrittenEdge ids;
        std::uint64_t seen = 0;
        while (json_.next_key()) {
            const std::string_view key = json_.key();
            if (key == "from") {
                if (!json_.once(seen, 0) || !json_.read_integer(ids.from, 0, kIdMax)) return false;
                ids.from_place = json_.place();
            } else if (key == "to") {
                if (!json_.once(seen, 1) || !json_.read_integer(ids.to, 0, kIdMax)) return false;
                ids.to_place = json_.place();
            } else if (key == "cost") {
                if (!json_.once(seen, 2) || !json_.read_number(edge.cost, 0.0, kNumberMax)) return false;
            } else if (key == "one_way") {
                if (!json_.once(seen, 3) || !json_.read(edge.one_way)) return false;
            } else if (key == "link") {
                if (!json_.once(seen, 4) || !json_.read(edge.link)) return false;
            } else if (key == "kind") {
                if (!json_.once(seen, 5) || !whole(edge.kind)) return false;
            } else if (key == "flags") {
                if (!json_.once(seen, 6) || !whole(edge.flags)) return false;
            } else if (key == "label") {
                if (!json_.once(seen, 7) || !whole(edge.label)) return false;
            } else if (!json_.unknown_key()) {
                return false;
            }
        }
        if (!json_.ok()) return false;
        if ((seen & 3U) != 3U) return json_.fail_at(ErrorCode::text_missing, start);
        if (ids.from == ids.to) return json_.fail_at(ErrorCode::text_value, ids.to_place);
        return append(file_.edges, edge) && append(written_edges_, ids);
    }

    bool read_wall() {
        if (!json_.open_object()) return false;
        const JsonReader::Place start = json_.place();
        RoadmapWall wall{.first_point = static_cast<std::uint32_t>(file_.wall_points.size())};
        std::uint64_t seen = 0;
        while (json_.next_key()) {
            const bool polygon = json_.key() == "polygon";
            if (!polygon && json_.key() != "line") {
                if (!json_.unknown_key()) return false;
                continue;
            }
            wall.closed = polygon;
            if (!json_.once(seen, 0) || !read_list([&] { return read_point(file_.wall_points, kNumberMax); }))
                return false;
        }
        if (!json_.ok()) return false;
        if (seen == 0) return json_.fail_at(ErrorCode::text_missing, start);
        const std::size_t points = file_.wall_points.size() - wall.first_point;
        if (points < (wall.closed ? 3U : 2U)) return json_.fail_at(ErrorCode::text_value, start);
        wall.points = static_cast<std::uint32_t>(points);
        return append(file_.walls, wall);
    }

    // Ids to indices, once all nodes are known.
    bool resolve() {
        std::vector<WrittenId> refs;
        if (!budget_.reserve(refs, file_.nodes.size())) return spend();
        for (std::size_t i = 0; i < file_.nodes.size(); ++i)
            refs.push_back({file_.nodes[i].id, static_cast<std::uint32_t>(i), node_places_[i]});
        if (!differ(refs)) return false;
        const auto find = [&](std::int64_t id, std::uint32_t& index) {
            const auto at =
                std::lower_bound(refs.begin(), refs.end(), WrittenId{.id = id}, WrittenId::before);
            if (at == refs.end() || at->id != id) return false;
            index = at->index;
            return true;
        };
        for (std::size_t i = 0; i < file_.edges.size(); ++i) {
            const WrittenEdge& ids = written_edges_[i];
            if (!find(ids.from, file_.edges[i].from))
                return json_.fail_at(ErrorCode::text_reference, ids.from_place);
            if (!find(ids.to, file_.edges[i].to))
                return json_.fail_at(ErrorCode::text_reference, ids.to_place);
        }
        return true;
    }

    RoadmapFile file_;
    std::vector<JsonReader::Place> node_places_;
    std::vector<WrittenEdge> written_edges_;
};

void add_number(std::string& out, std::string_view key, double value) {
    append_json_key(out, key);
    append_number(out, value);
}

void add_whole(std::string& out, std::string_view key, std::uint32_t value) {
    if (value == 0) return;
    append_json_key(out, key);
    append_number(out, std::int64_t{value});
}

}  // namespace

Result<RoadmapFile> load_roadmap(std::string_view text, const Limits& limits) {
    return guarded(text, limits, [&]() -> Result<RoadmapFile> { return RoadmapReader(text, limits).read(); });
}

std::string save_roadmap(const RoadmapFile& roadmap) {
    std::string out = "{";
    if (!roadmap.title.empty()) {
        append_json_key(out, "title");
        append_json_string(out, roadmap.title);
    }
    append_json_key(out, "nodes");
    out += '[';
    for (std::size_t i = 0; i < roadmap.nodes.size(); ++i) {
        const RoadmapNode& node = roadmap.nodes[i];
        out += i == 0 ? "\n{" : ",\n{";
        append_json_key(out, "id");
        append_number(out, node.id);
        add_number(out, "x", node.position.x);
        add_number(out, "y", node.position.y);
        if (node.position.z != 0.0) add_number(out, "z", node.position.z);
        out += '}';
    }
    out += ']';
    append_json_key(out, "edges");
    out += '[';
    for (std::size_t i = 0; i < roadmap.edges.size(); ++i) {
        const RoadmapEdge& edge = roadmap.edges[i];
        out += i == 0 ? "\n{" : ",\n{";
        append_json_key(out, "from");
        append_number(out, roadmap.nodes[edge.from].id);
        append_json_key(out, "to");
        append_number(out, roadmap.nodes[edge.to].id);
        if (edge.cost != RoadmapEdge::kStraight) add_number(out, "cost", edge.cost);
        if (edge.one_way) {
            append_json_key(out, "one_way");
            out += "true";
        }
        if (edge.link) {
            append_json_key(out, "link");
            out += "true";
        }
        add_whole(out, "kind", edge.kind);
        add_whole(out, "flags", edge.flags);
        add_whole(out, "label", edge.label);
        out += '}';
    }
    out += ']';
    append_json_key(out, "walls");
    out += '[';
    for (std::size_t i = 0; i < roadmap.walls.size(); ++i) {
        const RoadmapWall& wall = roadmap.walls[i];
        out += i == 0 ? "\n{" : ",\n{";
        append_json_key(out, wall.closed ? "polygon" : "line");
        out += '[';
        append_points(out, std::span(roadmap.wall_points).subspan(wall.first_point, wall.points));
        out += "]}";
    }
    out += ']';
    if (!roadmap.roads.empty()) {
        append_json_key(out, "roads");
        out += '[';
        for (std::size_t i = 0; i < roadmap.roads.size(); ++i) {
            const RoadKind& road = roadmap.roads[i];
            out += i == 0 ? "\n{" : ",\n{";
            if (road.width != 0.0) add_number(out, "width", road.width);
            if (road.speed_max < kNoLimit) add_number(out, "speed_max", road.speed_max);
            out += '}';
        }
        out += ']';
    }
    if (!roadmap.map_file.empty()) {
        append_json_key(out, "map");
        append_json_string(out, roadmap.map_file);
    }
    out += "}\n";
    return out;
}

}  // namespace fairlead::formats
