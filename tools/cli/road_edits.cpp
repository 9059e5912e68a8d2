#include "cli/road_edits.h"

#include <algorithm>

#include <fmt/format.h>

#include "cli/failure.h"
#include "cli/roadmap_world.h"
#include "cli/text.h"

namespace fairlead::cli {

RoadEdits::RoadEdits(const std::string& path, Roadmap& roads) : roads_(roads), path_(path) {
    constexpr double kIdMax = 9007199254740992.0;  // 2^53, as in the file
    for (const EditLine& read : edit_lines(path, 5)) {
        Line line;
        line.line = read.number;
        line.at = to_number(read.where, read.fields[0]);
        if (read.fields[1] != "close" && read.fields[1] != "open")
            fail_at(read.where, "neither close nor open");
        line.close = read.fields[1] == "close";
        line.from = {to_whole(read.where, read.fields[2], 0.0, kIdMax)};
        line.to = {to_whole(read.where, read.fields[3], 0.0, kIdMax)};
        line.one_way = to_whole(read.where, read.fields[4], 0.0, 1.0) == 1;
        for (const WaypointId id : {line.from, line.to}) {
            if (!roads.state().find(id).valid()) fail_at(read.where, fmt::format("no waypoint {}", id.value));
        }
        lines_.push_back(line);
    }
    std::stable_sort(lines_.begin(), lines_.end(), [](const Line& a, const Line& b) { return a.at < b.at; });
}

std::vector<WaypointEdge> RoadEdits::edges_of(const Line& line) const {
    const RoadmapState& state = roads_.state();
    std::vector<WaypointEdge> edges;
    const auto add = [&](WaypointId from, WaypointId to) {
        const WaypointSlot target = state.find(to);
        for (const RoadmapArc& arc : state.arcs(state.find(from))) {
            if (!(arc.to == target)) continue;
            WaypointEdge edge{.from = from, .to = to};
            edge.cost = arc.straight ? kStraightCost : arc.cost;
            edge.one_way = true;
            edge.link = arc.link;
            edge.kind = arc.kind;
            edge.flags = arc.flags;
            edge.label = arc.label;
            edges.push_back(edge);
        }
    };
    add(line.from, line.to);
    if (!line.one_way) add(line.to, line.from);
    return edges;
}

void RoadEdits::close(const Line& line, const std::string& where) {
    const std::vector<WaypointEdge> edges = edges_of(line);
    if (edges.empty()) fail_at(where, "there is no such road");
    for (const WaypointEdge& edge : edges) {
        closed_.push_back(edge);
        const Result<void> done = roads_.remove_edge(edge);
        // of several with one label the first takes all away
        if (!done && done.error().code != ErrorCode::unknown_id)
            fail_at(where, roadmap_error_text(done.error()));
    }
}

void RoadEdits::open(const Line& line, const std::string& where) {
    const auto named = [&line](const WaypointEdge& edge) {
        const bool there = edge.from == line.from && edge.to == line.to;
        const bool back = edge.from == line.to && edge.to == line.from && !line.one_way;
        return there || back;
    };
    if (std::none_of(closed_.begin(), closed_.end(), named)) fail_at(where, "no such road was closed");
    for (const WaypointEdge& edge : closed_) {
        if (!named(edge)) continue;
        if (const Result<void> done = roads_.add_edge(edge); !done)
            fail_at(where, roadmap_error_text(done.error()));
    }
    std::erase_if(closed_, named);
}

bool RoadEdits::apply_until(double now) {
    bool changed = false;
    for (; next_ < lines_.size() && lines_[next_].at <= now; ++next_) {
        const Line& line = lines_[next_];
        const std::string where = fmt::format("{}:{}", path_, line.line);
        line.close ? close(line, where) : open(line, where);
        changed = true;
    }
    return changed;
}

}  // namespace fairlead::cli
