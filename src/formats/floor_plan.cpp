#include <fairlead/formats/floor_plan.h>

#include <optional>
#include <span>

#include <fairlead/formats/number.h>

#include "formats/json_writer.h"
#include "formats/schema_reader.h"

namespace fairlead::formats {

namespace {

constexpr std::string_view kRuleNames[] = {"even_odd", "non_zero", "positive"};

std::optional<OutlineRule> rule_from_name(std::string_view name) {
    const unsigned i = key_index(name, kRuleNames);
    if (i == std::size(kRuleNames)) return std::nullopt;
    return static_cast<OutlineRule>(i);
}

class FloorPlanReader : SchemaReader {
  public:
    FloorPlanReader(std::string_view plan, const Limits& limits) : SchemaReader(plan, limits) {}

    Result<FloorPlan> read() {
        if (read_file()) return std::move(plan_);
        return error();
    }

  private:
    bool read_file() {
        if (!json_.open_object()) return false;
        const JsonReader::Place start = json_.place();
        std::uint64_t seen = 0;
        while (json_.next_key()) {
            if (!read_member(seen)) return false;
        }
        if (!json_.ok()) return false;
        return has(seen, 0) ? json_.finish() : json_.fail_at(ErrorCode::text_missing, start);
    }

    bool read_member(std::uint64_t& seen) {
        if (json_.key() == "floors") return json_.once(seen, 0) && read_list([&] { return read_floor(); });
        if (json_.key() == "title") return json_.once(seen, 1) && text(plan_.title, kTitleMax);
        return json_.unknown_key();
    }

    bool read_floor() {
        if (!json_.open_object()) return false;
        const JsonReader::Place start = json_.place();
        PlanFloor floor{.first_ring = static_cast<std::uint32_t>(plan_.ring_sizes.size())};
        std::uint64_t seen = 0;
        while (json_.next_key()) {
            const std::string_view key = json_.key();
            bool good = false;
            if (key == "rings") {
                good = json_.once(seen, 0) && read_list([&] { return read_ring(); });
            } else if (key == "z") {
                good = json_.once(seen, 1) && json_.read_number(floor.z, -kMeshSpan, kMeshSpan);
            } else if (key == "area") {
                std::int32_t area = 0;
                good = json_.once(seen, 2) && read_integer32(json_, area, 0, kAreasMax - 1);
                floor.area = static_cast<std::uint8_t>(area);
            } else if (key == "rule") {
                good = json_.once(seen, 3) && read_name(json_, floor.rule, rule_from_name);
            } else {
                good = json_.unknown_key();
            }
            if (!good) return false;
        }
        if (!json_.ok()) return false;
        if (!has(seen, 0)) return json_.fail_at(ErrorCode::text_missing, start);
        floor.rings = static_cast<std::uint32_t>(plan_.ring_sizes.size()) - floor.first_ring;
        return append(plan_.floors, floor);
    }

    bool read_ring() {
        if (!json_.open_array()) return false;
        const JsonReader::Place start = json_.place();
        const std::size_t first = plan_.points.size();
        while (json_.next_item()) {
            if (!read_point(plan_.points, kMeshSpan)) return false;
        }
        if (!json_.ok()) return false;
        const std::size_t count = plan_.points.size() - first;
        if (count < 3) return json_.fail_at(ErrorCode::text_value, start);
        return append(plan_.ring_sizes, static_cast<std::uint32_t>(count));
    }

    FloorPlan plan_;
};

/// The rings of a plan in turn.
class Rings {
  public:
    explicit Rings(const FloorPlan& plan) : sizes_(plan.ring_sizes), points_(plan.points) {}

    /// Of the next floor.
    OutlineQuery take(const PlanFloor& floor) {
        OutlineQuery out{.sizes = sizes_.subspan(floor.first_ring, floor.rings), .rule = floor.rule};
        std::size_t count = 0;
        for (const std::uint32_t size : out.sizes) count += size;
        out.points = points_.subspan(at_, count);
        at_ += count;
        return out;
    }

  private:
    std::span<const std::uint32_t> sizes_;
    std::span<const Vec2> points_;
    std::size_t at_ = 0;
};

}  // namespace

Result<FloorPlan> load_floor_plan(std::string_view text, const Limits& limits) {
    return guarded(text, limits, [&]() -> Result<FloorPlan> { return FloorPlanReader(text, limits).read(); });
}

std::string save_floor_plan(const FloorPlan& plan) {
    std::string out = "{";
    if (!plan.title.empty()) {
        append_json_key(out, "title");
        append_json_string(out, plan.title);
    }
    append_json_key(out, "floors");
    out += '[';
    Rings rings(plan);
    for (std::size_t i = 0; i < plan.floors.size(); ++i) {
        const PlanFloor& floor = plan.floors[i];
        out += i == 0 ? "\n{" : ",\n{";
        if (floor.z != 0.0) {
            append_json_key(out, "z");
            append_number(out, floor.z);
        }
        if (floor.area != 0) {
            append_json_key(out, "area");
            append_number(out, std::int64_t{floor.area});
        }
        if (floor.rule != OutlineRule::even_odd) {
            append_json_key(out, "rule");
            append_json_string(out, kRuleNames[static_cast<std::size_t>(floor.rule)]);
        }
        append_json_key(out, "rings");
        OutlineQuery outline = rings.take(floor);
        for (std::size_t k = 0; k < outline.sizes.size(); ++k) {
            out += k == 0 ? "[[" : ",\n[";
            append_points(out, outline.points.first(outline.sizes[k]));
            out += ']';
            outline.points = outline.points.subspan(outline.sizes[k]);
        }
        out += outline.sizes.empty() ? "[]}" : "]}";
    }
    out += "]}\n";
    return out;
}

Result<MeshFile> mesh_of(const FloorPlan& plan) {
    MeshFile out;
    Rings rings(plan);
    PolygonScratch scratch;
    OutlineMesh floor;
    for (std::size_t i = 0; i < plan.floors.size(); ++i) {
        const Result<void> done = outline_to_convex_into(rings.take(plan.floors[i]), scratch, floor);
        if (!done) return Error{done.error().code, static_cast<std::int64_t>(i), done.error().detail};
        const auto first = static_cast<std::uint32_t>(out.vertices.size());
        for (const Vec2& v : floor.vertices) out.vertices.push_back({v.x, v.y, plan.floors[i].z});
        for (const std::uint32_t corner : floor.corners) out.polygon_corners.push_back(first + corner);
        out.polygon_sizes.insert(out.polygon_sizes.end(), floor.sizes.begin(), floor.sizes.end());
        out.areas.resize(out.polygon_sizes.size(), plan.floors[i].area);
    }
    return out;
}

}  // namespace fairlead::formats
