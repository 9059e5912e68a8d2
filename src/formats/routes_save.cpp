#include <cmath>

#include <fairlead/formats/number.h>
#include <fairlead/formats/routes.h>
#include <fairlead/route/shape.h>

#include "formats/json_writer.h"

namespace fairlead::formats {

namespace {

void add(std::string& out, std::string_view key, double value) {
    append_json_key(out, key);
    append_number(out, value);
}

void add_integer(std::string& out, std::string_view key, std::int64_t value) {
    append_json_key(out, key);
    append_number(out, value);
}

void add_unsigned(std::string& out, std::string_view key, std::uint64_t value) {
    append_json_key(out, key);
    append_number(out, value);
}

void add_text(std::string& out, std::string_view key, std::string_view value) {
    append_json_key(out, key);
    append_json_string(out, value);
}

void add_hex(std::string& out, std::string_view key, std::uint64_t value) {
    constexpr char kHex[] = "0123456789abcdef";
    append_json_key(out, key);
    out += '"';
    for (int shift = 60; shift >= 0; shift -= 4) out += kHex[(value >> shift) & 15];
    out += '"';
}

void add_position(std::string& out, const Place& place) {
    add(out, "x", place.position.x);
    add(out, "y", place.position.y);
    add(out, "z", place.position.z);
}

void append_name(std::string& out, const RoadmapLeg& name) {
    if (!name.on_net) return;
    add_integer(out, "from", name.from.value);
    add_integer(out, "to", name.to.value);
    append_json_key(out, "edge");
    out += '{';
    add(out, "cost", name.edge.cost);
    if (name.edge.link) {
        append_json_key(out, "link");
        out += "true";
    }
    if (name.edge.kind != 0) add_integer(out, "kind", name.edge.kind);
    if (name.edge.flags != 0) add_integer(out, "flags", name.edge.flags);
    if (name.edge.label != 0) add_integer(out, "label", name.edge.label);
    out += '}';
}

void append_leg(std::string& out, const Leg& leg, const RoadmapLeg& name) {
    out += '{';
    add_text(out, "kind", leg_kind_name(leg.kind));
    add_position(out, leg.start);
    add_integer(out, "layer", leg.start.layer);
    add(out, "heading", leg.start.heading_rad);
    add(out, "length", leg.length);
    add(out, "rise", leg.rise);
    add(out, "curvature", leg.curvature);
    if (leg.kind == LegKind::turn) add(out, "turn", leg.turn_rad);
    if (leg.kind == LegKind::link) add_integer(out, "link", leg.link_id);
    add_text(out, "gear", gear_name(leg.gear));
    // append_number says null for what is not finite.
    add(out, "clearance", leg.clearance == kUnknown ? kNoBound : leg.clearance);
    if (leg.speed_max != kUnknown) add(out, "speed_max", leg.speed_max);
    append_name(out, name);
    out += '}';
}

void append_shape(std::string& out, const RouteShape& shape) {
    append_json_key(out, "shape");
    out += '{';
    add_integer(out, "turns", shape.turns);
    if (shape.cusps != 0) add_integer(out, "cusps", shape.cusps);
    add(out, "turned", shape.turned_rad);
    add(out, "straightness", shape.straightness);
    out += '}';
}

}  // namespace

void append_route(std::string& out, std::int64_t id, const Route& route, std::uint64_t ns,
                  std::string_view planner) {
    append_route(out, id, route, ns, planner, {});
}

void append_route(std::string& out, std::int64_t id, const Route& route, std::uint64_t ns,
                  std::string_view planner, std::span<const RoadmapLeg> names) {
    out += '{';
    add_integer(out, "id", id);
    add_text(out, "status", status_name(route.status));
    add(out, "length", route.length);
    add(out, "cost", route.cost);
    add(out, "line_cost", route.line_cost);
    add(out, "bound", route.bound);
    add_text(out, "planner", planner.empty() ? std::string_view(route.planner) : planner);
    add_unsigned(out, "revision", route.revision);
    append_json_key(out, "legs");
    out += '[';
    for (std::size_t i = 0; i < route.legs.size(); ++i) {
        if (i > 0) out += ',';
        append_leg(out, route.legs[i], i < names.size() ? names[i] : RoadmapLeg{});
    }
    out += ']';
    append_json_key(out, "end");
    out += '{';
    add_position(out, route.end);
    add(out, "heading", route.end.heading_rad);
    if (route.end.layer != 0) add_integer(out, "layer", route.end.layer);
    out += '}';
    append_json_key(out, "stats");
    out += '{';
    add_unsigned(out, "expanded", route.stats.expanded);
    add_unsigned(out, "generated", route.stats.generated);
    add_hex(out, "digest", route.stats.digest);
    add_unsigned(out, "ns", ns);
    out += '}';
    append_shape(out, route_shape(route));
    out += "}\n";
}

std::string save_routes(std::span<const RouteRecord> records) {
    std::string out;
    for (const RouteRecord& record : records)
        append_route(out, record.id, record.route, record.ns, record.planner);
    return out;
}

}  // namespace fairlead::formats
