#include <cmath>
#include <iterator>

#include <fairlead/formats/names.h>
#include <fairlead/formats/tile_map.h>

#include "formats/scene_reader.h"
#include "formats/text.h"

namespace fairlead::formats {

namespace {

constexpr std::size_t kSizesMax = 15;
constexpr std::size_t kPortalsMax = 1U << 20;
constexpr std::int32_t kLayersMax = 64;
constexpr std::int64_t kCellsMax = std::int64_t{1} << 31;
constexpr double kCellSizeMin = 1e-6;
constexpr double kCellSizeMax = 1e6;
constexpr double kPortalCostMin = 1e-6;
constexpr double kPortalCostMax = 1e6;

std::size_t at(char letter) { return static_cast<unsigned char>(letter); }

// The cell along one axis; -1 outside.
std::int32_t cell_along(double position, double origin, double cell_size, std::int32_t cells) {
    const double cell = std::floor((position - origin) / cell_size);
    return cell >= 0.0 && cell < cells ? static_cast<std::int32_t>(cell) : -1;
}

}  // namespace

bool SceneReader::world_member() {
    constexpr std::string_view kKeys[] = {"map",        "queries", "layers", "title",   "caption",
                                          "techniques", "legend",  "costs",  "origin",  "cell_size",
                                          "wrap",       "corner",  "sizes",  "portals", "areas"};
    unsigned key = key_index(json_.key(), kKeys);
    if (key == std::size(kKeys)) return json_.unknown_key();
    const bool layers = key == 2;
    if (layers) key = 0;  // one or the other
    if (!json_.once(seen_, key)) return false;
    double numbers[2] = {0.0, 0.0};
    std::size_t count = 0;
    switch (key) {
        case 0: return layers ? read_layers(map_) : read_rows(map_);
        case 3: return read_text(scene_.title, kTitleMax);
        case 4: return read_text(scene_.caption, kTitleMax);
        case 5:
            return read_list([&] {
                std::string technique;
                return read_text(technique, kWordMax) && append(scene_.techniques, std::move(technique));
            });
        case 6: return read_legend();
        case 7: return read_costs();
        case 8:
            if (!read_numbers(numbers, 2, 2, count)) return false;
            scene_.origin = {numbers[0], numbers[1]};
            return true;
        case 9: return json_.read_number(scene_.cell_size, kCellSizeMin, kCellSizeMax);
        case 10: return read_wrap();
        case 11: return read_name(json_, scene_.corner, corner_from_name);
        case 12: return read_sizes();
        default: return json_.skip();  // queries, portals and areas: the second walk reads them
    }
}

// One row: as long as the first, of letters.
bool SceneReader::read_row(Rows& rows) {
    std::string row;
    if (!json_.read(row, static_cast<std::size_t>(kMapSideMax))) return false;
    JsonReader::Place place = json_.place();
    ++place.column;  // behind the quote
    const auto at_column = [&](std::size_t x) {
        return JsonReader::Place{place.line, place.column + static_cast<std::int64_t>(x)};
    };
    const auto width = rows.width == 0 ? row.size() : static_cast<std::size_t>(rows.width);
    if (row.empty() || row.size() < width) return json_.fail_at(ErrorCode::text_end, at_column(row.size()));
    if (row.size() > width) return json_.fail_at(ErrorCode::text_extra, at_column(width));
    for (std::size_t x = 0; x < width; ++x) {
        if (!is_letter(row[x])) return json_.fail_at(ErrorCode::text_character, at_column(x));
    }
    // A string doubles its room as a vector does: three times its length covers the old and the new block.
    if (static_cast<std::int64_t>(rows.letters.size() + width) > kCellsMax)
        return json_.fail(ErrorCode::text_extra);
    if (!budget_.take(3 * std::uint64_t{width} + 32)) return spend();
    rows.width = static_cast<std::int32_t>(width);
    rows.letters += row;
    return append(rows.places, place);
}

bool SceneReader::read_rows(Rows& rows) {
    if (!json_.open_array()) return false;
    const JsonReader::Place start = json_.place();
    std::int32_t height = 0;
    while (json_.next_item()) {
        const bool full = height == (rows.layers == 0 ? kMapSideMax : rows.height);
        if (full) return json_.fail_next(ErrorCode::text_extra);
        if (!read_row(rows)) return false;
        ++height;
    }
    if (!json_.ok()) return false;
    if (height == 0 || (rows.layers > 0 && height < rows.height))
        return json_.fail_at(ErrorCode::text_missing, start);
    rows.height = height;
    ++rows.layers;
    return true;
}

bool SceneReader::read_layers(Rows& rows) {
    if (!json_.open_array()) return false;
    const JsonReader::Place start = json_.place();
    while (json_.next_item()) {
        if (rows.layers == kLayersMax) return json_.fail_next(ErrorCode::text_extra);
        if (!read_rows(rows)) return false;
    }
    return json_.ok() && (rows.layers > 0 || json_.fail_at(ErrorCode::text_missing, start));
}

bool SceneReader::read_legend() {
    legend_.fill(-1);
    std::array<bool, 128> given{};
    if (!json_.open_object()) return false;
    while (json_.next_key()) {
        char letter = '\0';
        std::int64_t tile = 0;
        if (!read_letter_key(letter)) return false;
        if (given[at(letter)]) return json_.fail(ErrorCode::text_duplicate);
        if (!json_.read_integer(tile, 0, 255)) return false;
        given[at(letter)] = true;
        legend_[at(letter)] = static_cast<std::int16_t>(tile);
    }
    return json_.ok();
}

bool SceneReader::read_costs() {
    if (!json_.open_object()) return false;
    while (json_.next_key()) {
        LetterCost cost{};
        cost.place = json_.place();
        if (!read_letter_key(cost.letter)) return false;
        for (const LetterCost& other : costs_) {
            if (other.letter == cost.letter) return json_.fail(ErrorCode::text_duplicate);
        }
        std::int64_t value = 0;
        if (!json_.read_integer(value, 1, kCostMax)) return false;
        cost.cost = static_cast<std::uint16_t>(value);
        if (!append(costs_, cost)) return false;
    }
    return json_.ok();
}

bool SceneReader::read_wrap() {
    std::string axes;
    if (!json_.read(axes, kWordMax)) return false;
    if (axes != "x" && axes != "y" && axes != "xy") return json_.fail(ErrorCode::text_keyword);
    scene_.wrap_x = axes != "y";
    scene_.wrap_y = axes != "x";
    return true;
}

bool SceneReader::read_sizes() {
    return read_list([&] {
        Agent agent;
        if (scene_.sizes.size() == kSizesMax) return json_.fail_next(ErrorCode::text_extra);
        return read_agent(agent) && append(scene_.sizes, agent);
    });
}

// Between the walks: letters to tiles, now that all of the world has been read.
bool SceneReader::finish_world() {
    scene_.width = map_.width;
    scene_.height = map_.height;
    scene_.layers = map_.layers;
    return place_tiles() && set_terrain_costs();
}

bool SceneReader::place_tiles() {
    constexpr struct {
        char letter;
        std::int16_t tile;
    } kAlways[] = {{'.', 1}, {'#', 0}, {'@', 0}};
    if (!has(seen_, 6)) legend_.fill(-1);
    for (const auto& usual : kAlways) {
        if (legend_[at(usual.letter)] < 0) legend_[at(usual.letter)] = usual.tile;
    }
    const std::size_t cells = map_.letters.size();
    if (!budget_.reserve(scene_.tiles, cells)) return spend();
    scene_.tiles.resize(cells);
    const auto width = static_cast<std::size_t>(map_.width);
    for (std::size_t i = 0; i < cells; ++i) {
        const std::size_t letter = at(map_.letters[i]);
        if (legend_[letter] < 0) {
            JsonReader::Place place = map_.places[i / width];
            place.column += static_cast<std::int64_t>(i % width);
            return json_.fail_at(ErrorCode::text_reference, place);
        }
        scene_.tiles[i] = static_cast<std::uint8_t>(legend_[letter]);
        ++letter_count_[letter];
        letter_cell_[letter] = i;
    }
    scene_.letters = std::move(map_.letters);
    return true;
}

bool SceneReader::set_terrain_costs() {
    if (costs_.empty()) return true;
    if (!budget_.reserve(scene_.terrain_costs, 256)) return spend();
    for (std::uint16_t tile = 0; tile < 256; ++tile) scene_.terrain_costs.push_back(tile);
    for (const LetterCost& cost : costs_) {
        if (legend_[at(cost.letter)] < 0) return json_.fail_at(ErrorCode::text_reference, cost.place);
        if (legend_[at(cost.letter)] == 0)
            return json_.fail_at(ErrorCode::text_value, cost.place);  // a wall has none
        scene_.terrain_costs[static_cast<std::size_t>(legend_[at(cost.letter)])] = cost.cost;
    }
    return true;
}

bool SceneReader::read_portal() {
    constexpr std::string_view kKeys[] = {"from", "to", "cost", "two_way"};
    if (!json_.open_object()) return false;
    const JsonReader::Place start = json_.place();
    Portal portal;
    std::uint64_t seen = 0;
    while (json_.next_key()) {
        const unsigned key = key_index(json_.key(), kKeys);
        if (key < std::size(kKeys) && !json_.once(seen, key)) return false;
        if (key < 2) {
            const JsonReader::Place place = json_.place();
            Cell& cell = key == 0 ? portal.from : portal.to;
            Vec2 point;
            if (!read_place(point, cell.layer)) return false;
            cell.x = cell_along(point.x, scene_.origin.x, scene_.cell_size, scene_.width);
            cell.y = cell_along(point.y, scene_.origin.y, scene_.cell_size, scene_.height);
            if (cell.x < 0 || cell.y < 0) return json_.fail_at(ErrorCode::text_value, place);
        } else {
            const bool good = key == 2   ? json_.read_number(portal.cost, kPortalCostMin, kPortalCostMax)
                              : key == 3 ? json_.read(portal.two_way)
                                         : json_.unknown_key();
            if (!good) return false;
        }
    }
    if (!json_.ok()) return false;
    if (!has(seen, 0) || !has(seen, 1)) return json_.fail_at(ErrorCode::text_missing, start);
    if (scene_.portals.size() == kPortalsMax) return json_.fail_at(ErrorCode::text_extra, start);
    return append(scene_.portals, portal);
}

}  // namespace fairlead::formats
