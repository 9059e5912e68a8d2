#include <iterator>

#include <fairlead/formats/names.h>
#include <fairlead/formats/routes.h>

#include "formats/budget.h"
#include "formats/json_values.h"
#include "formats/text.h"

namespace fairlead::formats {

namespace {

constexpr std::int32_t kLayerMax = 63;

enum LegKey : unsigned {
    leg_kind,
    leg_x,
    leg_y,
    leg_z,
    leg_layer,
    leg_heading,
    leg_length,
    leg_rise,
    leg_curvature,
    leg_turn,
    leg_link,
    leg_gear,
    leg_clearance,
    leg_speed_max,
    leg_keys,
};
constexpr std::string_view kLegKeys[] = {"kind",    "x",      "y",         "z",         "layer",
                                         "heading", "length", "rise",      "curvature", "turn",
                                         "link",    "gear",   "clearance", "speed_max"};
static_assert(std::size(kLegKeys) == leg_keys);

enum RouteKey : unsigned {
    route_id,
    route_status,
    route_length,
    route_cost,
    route_line_cost,
    route_bound,
    route_planner,
    route_revision,
    route_legs,
    route_end,
    route_stats,
    route_keys,
};
constexpr std::string_view kRouteKeys[] = {"id",      "status",   "length", "cost", "line_cost", "bound",
                                           "planner", "revision", "legs",   "end",  "stats"};
static_assert(std::size(kRouteKeys) == route_keys);

bool read_finite(JsonReader& json, double& out) { return json.read_number(out, -kNumberMax, kNumberMax); }

// A number of at least 0, or null for "none".
bool read_or_null(JsonReader& json, double& out, double none) {
    if (json.peek() != JsonReader::Kind::null) return json.read_number(out, 0.0, kNumberMax);
    out = none;
    return json.read_null();
}

bool read_leg_value(JsonReader& json, unsigned key, Leg& leg) {
    switch (key) {
        case leg_kind: return read_name(json, leg.kind, leg_kind_from_name);
        case leg_x: return read_finite(json, leg.start.position.x);
        case leg_y: return read_finite(json, leg.start.position.y);
        case leg_z: return read_finite(json, leg.start.position.z);
        case leg_layer: return read_integer32(json, leg.start.layer, 0, kLayerMax);
        case leg_heading: return read_finite(json, leg.start.heading_rad);
        case leg_length: return json.read_number(leg.length, 0.0, kNumberMax);
        case leg_rise: return read_finite(json, leg.rise);
        case leg_curvature: return read_finite(json, leg.curvature);
        case leg_turn: return read_finite(json, leg.turn_rad);
        case leg_gear: return read_name(json, leg.gear, gear_from_name);
        case leg_clearance: return read_or_null(json, leg.clearance, kUnknown);
        case leg_speed_max: return read_or_null(json, leg.speed_max, kUnknown);
        case leg_link: {
            std::int64_t id = 0;
            if (!json.read_integer(id, 0, UINT32_MAX)) return false;
            leg.link_id = static_cast<std::uint32_t>(id);
            return true;
        }
        default: return json.skip();
    }
}

bool read_leg(JsonReader& json, Leg& leg) {
    if (!json.open_object()) return false;
    const JsonReader::Place place = json.place();
    std::uint64_t seen = 0;
    while (json.next_key()) {
        const unsigned key = key_index(json.key(), kLegKeys);
        if (key < leg_keys && !json.once(seen, key)) return false;
        if (!read_leg_value(json, key, leg)) return false;
    }
    if (!json.ok()) return false;
    const bool place_given = has(seen, leg_x) && has(seen, leg_y);
    const bool course_given = leg.kind == LegKind::link || (has(seen, leg_heading) && has(seen, leg_length));
    return (place_given && course_given) || json.fail_at(ErrorCode::text_missing, place);
}

// Array<Leg> doubles its room as a vector does; the old block counts until the new one holds the legs.
bool append_leg(Array<Leg>& legs, const Leg& leg, Budget& budget) {
    const std::size_t before = legs.bytes();
    if (legs.size() == legs.capacity()) {
        if (!budget.take((legs.capacity() * 2 + 8) * sizeof(Leg))) return false;
        budget.give_back(before);
    }
    return legs.push_back(leg);
}

bool read_end(JsonReader& json, Place& end) {
    if (!json.open_object()) return false;
    const JsonReader::Place place = json.place();
    Leg leg;  // an end has the keys of a leg's start
    std::uint64_t seen = 0;
    while (json.next_key()) {
        unsigned key = key_index(json.key(), kLegKeys);
        if (key != leg_x && key != leg_y && key != leg_z && key != leg_heading && key != leg_layer)
            key = leg_keys;
        if (key < leg_keys && !json.once(seen, key)) return false;
        if (!read_leg_value(json, key, leg)) return false;
    }
    if (!json.ok()) return false;
    end = leg.start;
    return (has(seen, leg_x) && has(seen, leg_y)) || json.fail_at(ErrorCode::text_missing, place);
}

bool read_stats(JsonReader& json, RouteRecord& record) {
    if (!json.open_object()) return false;
    std::uint64_t seen = 0;
    constexpr std::string_view kKeys[] = {"expanded", "generated", "digest", "ns"};
    SearchStats& stats = record.route.stats;
    while (json.next_key()) {
        const unsigned key = key_index(json.key(), kKeys);
        if (key < std::size(kKeys) && !json.once(seen, key)) return false;
        switch (key) {
            case 0: json.read_unsigned(stats.expanded); break;
            case 1: json.read_unsigned(stats.generated); break;
            case 2: read_hex(json, stats.digest); break;
            case 3: json.read_unsigned(record.ns); break;
            default: json.skip(); break;
        }
    }
    return json.ok();
}

// Reads one line. A spent budget is told apart from a failure of the text.
class RouteLine {
  public:
    RouteLine(std::string_view line, std::int64_t number, Budget& budget)
        : json_(line, number), budget_(&budget) {}

    Result<RouteRecord> read() {
        RouteRecord record;
        if (!read_object(record) || !json_.finish()) return spent_ ? budget_->spent() : json_.error();
        return record;
    }

  private:
    bool read_object(RouteRecord& record) {
        if (!json_.open_object()) return false;
        const JsonReader::Place place = json_.place();
        std::uint64_t seen = 0;
        while (json_.next_key()) {
            const unsigned key = key_index(json_.key(), kRouteKeys);
            if (key < route_keys && !json_.once(seen, key)) return false;
            if (!read_value(key, record)) return false;
        }
        if (!json_.ok()) return false;
        const PathStatus status = record.route.status;
        const bool travels = status == PathStatus::complete || status == PathStatus::partial;
        const bool whole = has(seen, route_id) && has(seen, route_status) &&
                           (!travels || (has(seen, route_legs) && has(seen, route_end)));
        if (!whole) return json_.fail_at(ErrorCode::text_missing, place);
        fill_in(seen, record.route);
        record.line_cost_told = has(seen, route_line_cost);
        return record.route.length <= kNumberMax || json_.fail_at(ErrorCode::text_value, place);
    }

    static void fill_in(std::uint64_t seen, Route& route) {
        if (!has(seen, route_length)) {
            route.length = 0.0;
            for (const Leg& leg : route.legs) route.length += leg.length;
        }
        if (!has(seen, route_cost)) route.cost = route.length;
        if (!has(seen, route_line_cost)) route.line_cost = route.cost;
    }

    bool read_value(unsigned key, RouteRecord& record) {
        Route& route = record.route;
        switch (key) {
            case route_id: return json_.read_integer(record.id, INT64_MIN, INT64_MAX);
            case route_status: return read_name(json_, route.status, status_from_name);
            case route_length: return json_.read_number(route.length, 0.0, kNumberMax);
            case route_cost: return read_or_null(json_, route.cost, kNoBound);
            case route_line_cost: return read_or_null(json_, route.line_cost, kNoBound);
            case route_bound: return read_or_null(json_, route.bound, kNoBound);
            case route_revision: return json_.read_unsigned(route.revision);
            case route_legs: return read_legs(route.legs);
            case route_end: return read_end(json_, route.end);
            case route_stats: return read_stats(json_, record);
            case route_planner:
                if (!json_.read(record.planner, kWordMax)) return false;
                return budget_->take(record.planner.size() + 32) || spend();
            default: return json_.skip();
        }
    }

    bool read_legs(Array<Leg>& legs) {
        if (!json_.open_array()) return false;
        while (json_.next_item()) {
            Leg leg;
            if (!read_leg(json_, leg)) return false;
            if (!append_leg(legs, leg, *budget_)) return spend();
        }
        return json_.ok();
    }

    bool spend() {
        spent_ = true;
        return false;
    }

    JsonReader json_;
    Budget* budget_;
    bool spent_ = false;
};

}  // namespace

Result<std::vector<RouteRecord>> load_routes(std::string_view text, const Limits& limits) {
    return guarded(text, limits, [&]() -> Result<std::vector<RouteRecord>> {
        Budget budget(limits);
        LineReader lines(text);
        std::vector<RouteRecord> records;
        while (lines.next_filled()) {
            Result<RouteRecord> record = RouteLine(without_tail(lines.line()), lines.number(), budget).read();
            if (!record) return record.error();
            record->line = lines.number();
            if (!budget.append(records, std::move(*record))) return budget.spent();
        }
        return records;
    });
}

}  // namespace fairlead::formats
