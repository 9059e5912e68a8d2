#include <iterator>
#include <limits>

#include <fairlead/formats/names.h>

#include "formats/scene_reader.h"

namespace fairlead::formats {

namespace {

constexpr std::size_t kCaptionMax = 4096;
constexpr std::size_t kGoalPointsMax = 65536;
constexpr double kHeadingMax = 1e6;
constexpr double kRadiusMax = 1e6;

enum QueryKey : unsigned {
    query_start,
    query_goal,
    query_name,
    query_caption,
    query_start_heading,
    query_goal_heading,
    query_agent,
    query_planner,
    query_options,
    query_terrain,
    query_blockers,
    query_influence,
    query_edits,
    query_expect,
    query_keys,
};
constexpr std::string_view kQueryKeys[] = {
    "start", "goal",    "name",    "caption", "start_heading_deg", "goal_heading_deg",
    "agent", "planner", "options", "terrain", "blockers",          "influence",
    "edits", "expect"};
static_assert(std::size(kQueryKeys) == query_keys);

std::optional<Goal::Kind> goal_kind_from_name(std::string_view name) {
    if (name == "within") return Goal::Kind::within;
    if (name == "adjacent") return Goal::Kind::adjacent;
    if (name == "in_sight") return Goal::Kind::in_sight;
    if (name == "any_of") return Goal::Kind::any_of;
    return std::nullopt;
}

bool read_neighbours(JsonReader& json, Neighbourhood& out) {
    std::int64_t count = 0;
    if (!json.read_integer(count, 4, 8)) return false;
    out = count == 4 ? Neighbourhood::four : Neighbourhood::eight;
    return count == 4 || count == 8 || json.fail(ErrorCode::text_value);
}

}  // namespace

bool SceneReader::query_member() {
    const std::string_view key = json_.key();
    seen_ |= 1;  // the rows were there in the first walk
    if (key == "queries") return json_.once(seen_, 1) && read_list([&] { return read_query(); });
    if (key == "areas") return read_list([&] { return read_area(); });
    if (key == "portals") return read_list([&] { return read_portal(); });
    return json_.skip();
}

bool SceneReader::read_query() {
    if (!json_.open_object()) return false;
    const JsonReader::Place start = json_.place();
    SceneQuery query;
    std::uint64_t seen = 0;
    while (json_.next_key()) {
        const unsigned key = key_index(json_.key(), kQueryKeys);
        if (key < query_keys && !json_.once(seen, key)) return false;
        if (!read_query_value(query, key)) return false;
    }
    if (!json_.ok()) return false;
    if (!has(seen, query_start) || !has(seen, query_goal))
        return json_.fail_at(ErrorCode::text_missing, start);
    return append(scene_.queries, std::move(query));
}

bool SceneReader::read_query_value(SceneQuery& query, unsigned key) {
    switch (key) {
        case query_start: return read_spot(query.plain.start);
        case query_goal: return read_goal(query);
        case query_name: return read_text(query.name, kWordMax);
        case query_caption: return read_text(query.caption, kCaptionMax);
        case query_start_heading:
            return json_.read_number(query.start_heading_deg.emplace(), -kHeadingMax, kHeadingMax);
        case query_goal_heading:
            return json_.read_number(query.goal_heading_deg.emplace(), -kHeadingMax, kHeadingMax);
        case query_agent: return read_agent(query.plain.agent);
        case query_planner: return read_planner(query);
        case query_options: return read_options(query);
        case query_terrain: return read_terrain(query);
        case query_blockers: return read_list([&] { return read_blocker(query); });
        case query_influence: return read_influence(query);
        case query_edits: return read_list([&] { return read_edit(query); });
        case query_expect: return read_expectation(query.expect);
        default: return json_.unknown_key();
    }
}

bool SceneReader::read_spot(Spot& spot) {
    Vec2 point;
    std::int32_t layer = 0;
    if (!read_place(point, layer)) return false;
    spot = Spot(point).on_layer(layer);
    return true;
}

bool SceneReader::read_goal(SceneQuery& query) {
    Goal& goal = query.plain.goal;
    if (json_.peek() != JsonReader::Kind::object) return read_spot(goal.at);
    return read_goal_object(query);
}

bool SceneReader::read_goal_object(SceneQuery& query) {
    constexpr std::string_view kKeys[] = {"kind", "at", "range", "points"};
    Goal& goal = query.plain.goal;
    if (!json_.open_object()) return false;
    const JsonReader::Place start = json_.place();
    std::uint64_t seen = 0;
    const auto read_point = [&] {
        Vec2 point;
        std::int32_t layer = 0;
        if (query.goal_points.size() == kGoalPointsMax) return json_.fail_next(ErrorCode::text_extra);
        if (!read_place(point, layer)) return false;
        if (!query.goal_points.empty() && layer != goal.at.layer) return json_.fail(ErrorCode::text_value);
        goal.at = goal.at.on_layer(layer);
        return append(query.goal_points, point);
    };
    while (json_.next_key()) {
        const unsigned key = key_index(json_.key(), kKeys);
        if (key < std::size(kKeys) && !json_.once(seen, key)) return false;
        const bool good = key == 0   ? read_name(json_, goal.kind, goal_kind_from_name)
                          : key == 1 ? read_spot(goal.at)
                          : key == 2 ? json_.read_number(goal.range, 0.0, kNumberMax)
                          : key == 3 ? read_list(read_point)
                                     : json_.unknown_key();
        if (!good) return false;
    }
    if (!json_.ok()) return false;
    const bool any_of = goal.kind == Goal::Kind::any_of;
    const bool ranged = goal.kind == Goal::Kind::within || goal.kind == Goal::Kind::in_sight;
    const bool complete =
        has(seen, 0) && (any_of ? !query.goal_points.empty() : has(seen, 1)) && (!ranged || has(seen, 2));
    if (!complete) return json_.fail_at(ErrorCode::text_missing, start);
    const bool spare = (any_of ? has(seen, 1) : has(seen, 3)) || (!ranged && has(seen, 2));
    return !spare || json_.fail_at(ErrorCode::text_extra, start);
}

// A length in tiles of the scene, into world units.
bool SceneReader::read_cells(double& length, double most) {
    if (!json_.read_number(length, 0.0, most)) return false;
    length *= scene_.cell_size;
    return true;
}

bool SceneReader::read_options(SceneQuery& query) {
    GridQuery& plain = query.plain;
    constexpr std::string_view kKeys[] = {"smoothing",      "corner",       "neighbours",   "heuristic",
                                          "epsilon",        "turn_penalty", "window_grows", "partial",
                                          "expansions_max", "headings",     "rings",        "reverse_penalty",
                                          "cusp_penalty"};
    if (!json_.open_object()) return false;
    std::uint64_t seen = 0;
    while (json_.next_key()) {
        const unsigned key = key_index(json_.key(), kKeys);
        if (key < std::size(kKeys) && !json_.once(seen, key)) return false;
        bool good = false;
        switch (key) {
            case 0: good = read_name(json_, plain.smoothing, smoothing_from_name); break;
            case 1: good = read_name(json_, plain.corner, corner_from_name); break;
            case 2: good = read_neighbours(json_, plain.neighbours); break;
            case 3: good = read_name(json_, plain.heuristic, heuristic_from_name); break;
            case 4: good = read_epsilon(query); break;
            case 5: good = read_cells(plain.turn_penalty, 1e6); break;
            case 6: good = json_.read(plain.window_grows); break;
            case 7: good = json_.read(plain.partial); break;
            case 8: good = json_.read_unsigned(plain.expansions_max); break;
            case 9: good = read_headings(query.drive); break;
            case 10: good = read_integer32(json_, query.drive.rings, 0, 3); break;
            case 11: good = json_.read_number(query.drive.reverse_penalty, 1.0, 1000.0); break;
            case 12: good = read_cells(query.drive.cusp_penalty, 1000.0); break;
            default: good = json_.unknown_key(); break;
        }
        if (!good) return false;
    }
    return json_.ok();
}

// The grid's own costs, changed where the query says so.
bool SceneReader::read_terrain(SceneQuery& query) {
    if (!budget_.reserve(query.terrain, 256)) return spend();
    query.terrain.assign(256, 1.0);
    std::array<bool, 256> given{};
    if (!json_.open_object()) return false;
    while (json_.next_key()) {
        char letter = '\0';
        std::int64_t cost = 0;
        if (!read_letter_key(letter)) return false;
        const std::int16_t tile = legend_[static_cast<unsigned char>(letter)];
        if (tile < 0) return json_.fail(ErrorCode::text_reference);
        if (tile == 0) return json_.fail(ErrorCode::text_value);  // a wall stays one
        const auto index = static_cast<std::size_t>(tile);
        if (given[index]) return json_.fail(ErrorCode::text_duplicate);
        given[index] = true;
        if (!json_.read_integer(cost, 0, kCostMax)) return false;
        const double own = scene_.terrain_costs.empty() ? tile : scene_.terrain_costs[index];
        query.terrain[index] = static_cast<double>(cost) / own;
    }
    return json_.ok();
}

bool SceneReader::read_blocker(SceneQuery& query) {
    constexpr std::string_view kKeys[] = {"at", "radius", "box", "layer"};
    if (!json_.open_object()) return false;
    const JsonReader::Place start = json_.place();
    Blocker blocker;
    std::uint64_t seen = 0;
    while (json_.next_key()) {
        const unsigned key = key_index(json_.key(), kKeys);
        if (key < std::size(kKeys) && !json_.once(seen, key)) return false;
        const JsonReader::Place key_place = json_.place();
        double box[4] = {0.0, 0.0, 0.0, 0.0};
        std::size_t count = 0;
        switch (key) {
            case 0:
                if (!read_place(blocker.centre, blocker.layer)) return false;
                break;
            case 1:
                if (!json_.read_number(blocker.radius, 0.0, kRadiusMax)) return false;
                break;
            case 2:
                if (!read_numbers(box, 4, 4, count)) return false;
                blocker.box = {{box[0], box[1]}, {box[2], box[3]}};
                if (blocker.box.empty()) return json_.fail_at(ErrorCode::text_value, key_place);
                break;
            case 3:
                if (!read_integer32(json_, blocker.layer, 0, scene_.layers - 1)) return false;
                break;
            default:
                if (!json_.unknown_key()) return false;
                break;
        }
    }
    if (!json_.ok()) return false;
    const bool disc = has(seen, 0) && has(seen, 1);
    if (!disc && !has(seen, 2)) return json_.fail_at(ErrorCode::text_missing, start);
    const bool spare = has(seen, 2) ? has(seen, 0) || has(seen, 1) : has(seen, 3);
    if (spare) return json_.fail_at(ErrorCode::text_extra, start);
    return append(query.blockers, blocker);
}

bool SceneReader::read_influence(SceneQuery& query) {
    constexpr std::string_view kKeys[] = {"map", "weight", "layers"};
    if (!json_.open_object()) return false;
    const JsonReader::Place start = json_.place();
    Rows rows;
    std::uint64_t seen = 0;
    while (json_.next_key()) {
        const unsigned key = key_index(json_.key(), kKeys);
        if (key < std::size(kKeys) && !json_.once(seen, key == 2 ? 0 : key)) return false;
        const bool good = key == 0   ? read_rows(rows)
                          : key == 1 ? read_integer32(json_, query.plain.influence.weight, 0, 1023)
                          : key == 2 ? read_layers(rows)
                                     : json_.unknown_key();
        if (!good) return false;
    }
    if (!json_.ok()) return false;
    if (!has(seen, 0)) return json_.fail_at(ErrorCode::text_missing, start);
    if (rows.width != scene_.width || rows.height != scene_.height || rows.layers != scene_.layers) {
        return json_.fail_at(ErrorCode::text_value, start);
    }
    if (!budget_.reserve(query.influence, rows.letters.size())) return spend();
    for (std::size_t i = 0; i < rows.letters.size(); ++i) {
        const char digit = rows.letters[i];
        if (digit < '0' || digit > '9') {
            JsonReader::Place place = rows.places[i / static_cast<std::size_t>(rows.width)];
            place.column += static_cast<std::int64_t>(i % static_cast<std::size_t>(rows.width));
            return json_.fail_at(ErrorCode::text_number, place);
        }
        query.influence.push_back(static_cast<std::uint8_t>(digit - '0'));
    }
    return true;
}

bool SceneReader::read_edit(SceneQuery& query) {
    constexpr std::string_view kKeys[] = {"rect", "tile", "layer"};
    if (!json_.open_object()) return false;
    const JsonReader::Place start = json_.place();
    SceneEdit edit;
    std::uint64_t seen = 0;
    while (json_.next_key()) {
        const unsigned key = key_index(json_.key(), kKeys);
        if (key < std::size(kKeys) && !json_.once(seen, key)) return false;
        if (key == 0) {
            if (!read_rect(edit.rect)) return false;
        } else if (key == 1) {
            std::string letter;
            if (!json_.read(letter, 1)) return false;
            const auto index = static_cast<unsigned char>(letter.empty() ? '\0' : letter[0]);
            if (index >= legend_.size() || legend_[index] < 0) return json_.fail(ErrorCode::text_reference);
            edit.tile = static_cast<std::uint8_t>(legend_[index]);
        } else if (key == 2) {
            if (!read_integer32(json_, edit.rect.layer, 0, scene_.layers - 1)) return false;
        } else if (!json_.unknown_key()) {
            return false;
        }
    }
    if (!json_.ok()) return false;
    if (!has(seen, 0) || !has(seen, 1)) return json_.fail_at(ErrorCode::text_missing, start);
    return append(query.edits, edit);
}

bool SceneReader::read_expectation(SceneExpectation& expect) {
    constexpr std::string_view kKeys[] = {"status", "length", "cost", "legs", "digest"};
    if (!json_.open_object()) return false;
    std::uint64_t seen = 0;
    while (json_.next_key()) {
        const unsigned key = key_index(json_.key(), kKeys);
        if (key < std::size(kKeys) && !json_.once(seen, key)) return false;
        bool good = false;
        switch (key) {
            case 0: good = read_name(json_, expect.status.emplace(), status_from_name); break;
            case 1: good = json_.read_number(expect.length.emplace(), 0.0, kNumberMax); break;
            case 2: good = json_.read_number(expect.cost.emplace(), 0.0, kNumberMax); break;
            case 3:
                good = json_.read_integer(expect.legs.emplace(), 0, std::numeric_limits<std::int32_t>::max());
                break;
            case 4: good = read_hex(json_, expect.digest.emplace()); break;
            default: good = json_.unknown_key(); break;
        }
        if (!good) return false;
    }
    return json_.ok();
}

}  // namespace fairlead::formats
