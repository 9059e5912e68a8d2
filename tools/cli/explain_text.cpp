// What explain found, as JSON and as text.

#include "cli/explain_text.h"

#include <span>

#include <fmt/format.h>

#include "cli/text.h"

namespace fairlead::cli {

namespace {

constexpr std::size_t kHelpKinds = static_cast<std::size_t>(HelpKind::count_);

std::string place_json(const Place& place, bool in_space) {
    if (in_space)
        return fmt::format("{{\"x\":{},\"y\":{},\"z\":{}}}", text_of(place.position.x),
                           text_of(place.position.y), text_of(place.position.z));
    return fmt::format("{{\"x\":{},\"y\":{},\"layer\":{}}}", text_of(place.position.x),
                       text_of(place.position.y), place.layer);
}

// The bits of some words, as numbers.
std::string bits_json(std::span<const std::uint64_t> words) {
    std::string bits;
    for (std::size_t k = 0; k < 64 * words.size(); ++k) {
        if (((words[k / 64] >> (k % 64)) & 1U) != 0) bits += fmt::format("{}{}", bits.empty() ? "" : ",", k);
    }
    return "[" + bits + "]";
}

// On a mesh areas and kinds of links, on a roadmap kinds and flags of edges.
std::string opened_json(const Help& help) {
    const std::uint64_t links[] = {help.links}, flags[] = {help.flags};
    std::string text = ",\"terrain\":" + bits_json(help.terrain);
    if (help.links != 0) text += ",\"links\":" + bits_json(links);
    if (help.flags != 0) text += ",\"flags\":" + bits_json(flags);
    return text;
}

// In space, or on the ground.
double way_length(const Route& route, bool in_space) { return in_space ? route.line_cost : route.length; }

// Numbers that say nothing are left out.
std::string help_json(HelpKind kind, const Help& help, bool in_space) {
    std::string text =
        fmt::format("{{\"help\":\"{}\",\"proof\":\"{}\"", help_name(kind), proof_name(help.proof));
    const bool found = help.proof == Proof::found;
    const bool sized = kind == HelpKind::smaller_body || kind == HelpKind::smaller_circle;
    const bool valued = sized || kind == HelpKind::goal_heading || kind == HelpKind::start_heading ||
                        kind == HelpKind::no_blockers;
    if (found && valued) text += ",\"value\":" + text_of(help.value);
    if (found && sized) text += ",\"failed\":" + text_of(help.failed);
    if (found && kind == HelpKind::open_terrain) text += opened_json(help);
    if (help.has_place)
        text += fmt::format(",\"place\":{},\"distance\":{}", place_json(help.place, in_space),
                            text_of(help.value));
    if (found) text += ",\"length\":" + text_of(way_length(help.route, in_space));
    return text + "}";
}

// What is there, as each world has it.
std::string where_json(const Explanation& why) {
    std::string text;
    if (why.has_voxel) text += fmt::format(",\"voxel\":[{},{},{}]", why.voxel.x, why.voxel.y, why.voxel.z);
    if (why.closed_area >= 0) text += fmt::format(",\"closed_area\":{}", why.closed_area);
    if (why.link >= 0) text += fmt::format(",\"link\":{}", why.link);
    if (why.has_edge) text += fmt::format(",\"edge\":[{},{}]", why.edge.from.value, why.edge.to.value);
    if (why.world == ExplainWorld::tiles)
        text += ",\"tile\":" + (why.cell.x >= 0 ? fmt::format("[{},{}]", why.cell.x, why.cell.y) : "null");
    return text;
}

std::string sealed_json(const Explanation& why) {
    const std::string text = fmt::format(",\"closed\":\"{}\"", why.goal_side ? "goal" : "start");
    switch (why.world) {
        case ExplainWorld::tiles: return text + fmt::format(",\"tiles\":{}", why.area);
        case ExplainWorld::mesh:
            return text + fmt::format(",\"polygons\":{},\"area\":{},\"one_way\":{}", why.area,
                                      text_of(why.ground_area), why.one_way);
        case ExplainWorld::roadmap:
            return text + fmt::format(",\"waypoints\":{},\"one_way\":{}", why.area, why.one_way);
        case ExplainWorld::volume: break;
    }
    const VoxelBox& box = why.pocket;
    return text + fmt::format(",\"voxels\":{},\"walls\":{},\"box\":[{},{},{},{},{},{}]", why.area, why.walls,
                              box.low.x, box.low.y, box.low.z, box.high.x, box.high.y, box.high.z);
}

}  // namespace

std::string explanation_json(const Explanation& why) {
    std::string helps;
    for (std::size_t i = 0; i < kHelpKinds; ++i) {
        if (why.helps[i].proof == Proof::not_asked) continue;
        helps +=
            (helps.empty() ? "" : ",") + help_json(static_cast<HelpKind>(i), why.helps[i], why.in_space());
    }
    std::string text = fmt::format("{{\"reason\":\"{}\",\"status\":\"{}\",\"text\":\"{}\"",
                                   reason_name(why.reason), status_name(why.status), why.text().c_str());
    text += ",\"place\":" + (why.has_place ? place_json(why.place, why.in_space()) : "null");
    text += ",\"width\":" + (why.width >= 0 ? text_of(why.width) : "null");
    text += where_json(why);
    if (why.reason == ExplainReason::sealed) text += sealed_json(why);
    return text +
           fmt::format(",\"helps\":[{}],\"expanded\":{},\"trials\":{}}}\n", helps, why.expanded, why.trials);
}

std::string explanation_text(const Explanation& why) {
    std::string text = fmt::format("{}\n", why.text().c_str());
    if (why.has_place && why.width >= 0) text += fmt::format("room there  {}\n", text_of(why.width));
    for (std::size_t i = 0; i < kHelpKinds; ++i) {
        const Help& help = why.helps[i];
        if (help.proof == Proof::not_asked) continue;
        text += fmt::format("{:15} {}", help_name(static_cast<HelpKind>(i)), proof_name(help.proof));
        if (help.proof == Proof::found)
            text += fmt::format(", a route of length {:.2f}", way_length(help.route, why.in_space()));
        if (help.has_place) text += fmt::format(", {:.2f} away", help.value);
        text += "\n";
    }
    return text + fmt::format("looked at  {} places and poses, {} queries\n", why.expanded, why.trials);
}

}  // namespace fairlead::cli
