#include <fairlead/formats/scene.h>

#include <iterator>

#include "formats/scene_reader.h"
#include "formats/text.h"

namespace fairlead::formats {

GridQuery SceneQuery::grid_query() const {
    GridQuery query = plain;
    if (query.goal.is_list()) query.goal.list = SpotList(Borrowed<Vec2>(goal_points));
    query.blockers = blockers;
    query.terrain.factors = terrain;
    query.influence.cells = influence;
    return query;
}

GridOptions Scene::grid_options() const {
    GridOptions options;
    options.width = width;
    options.height = height;
    options.layers = layers;
    options.origin = origin;
    options.cell_size = cell_size;
    options.wrap_x = wrap_x;
    options.wrap_y = wrap_y;
    options.corner = corner;
    options.sizes = sizes;
    options.portals = portals;
    options.terrain_costs = terrain_costs;
    return options;
}

Result<Scene> load_scene(std::string_view text, const Limits& limits) {
    return guarded(text, limits, [&]() -> Result<Scene> { return SceneReader(text, limits).read(); });
}

Result<Scene> SceneReader::read() {
    const bool good =
        read_walk(&SceneReader::world_member) && finish_world() && read_walk(&SceneReader::query_member);
    if (good) return std::move(scene_);
    return spent_ ? budget_.spent() : json_.error();
}

// One walk over the outermost object.
bool SceneReader::read_walk(bool (SceneReader::*member)()) {
    json_ = JsonReader(text_);
    seen_ = 0;
    if (!json_.open_object()) return false;
    const JsonReader::Place start = json_.place();
    while (json_.next_key()) {
        if (!(this->*member)()) return false;
    }
    if (!json_.finish()) return false;
    constexpr std::uint64_t kRequired = 3;  // the rows and the queries
    return (seen_ & kRequired) == kRequired || json_.fail_at(ErrorCode::text_missing, start);
}

bool SceneReader::read_text(std::string& out, std::size_t bytes_max) {
    return json_.read(out, bytes_max) && (budget_.take(out.size() + 32) || spend());
}

bool SceneReader::read_numbers(double* out, std::size_t least, std::size_t most, std::size_t& count) {
    count = 0;
    if (!json_.open_array()) return false;
    const JsonReader::Place start = json_.place();
    while (json_.next_item()) {
        if (count == most) return json_.fail_next(ErrorCode::text_extra);
        if (!read_number(out[count++])) return false;
    }
    return json_.ok() && (count >= least || json_.fail_at(ErrorCode::text_missing, start));
}

// A key that is one letter.
bool SceneReader::read_letter_key(char& letter) {
    const std::string_view key = json_.key();
    if (key.size() != 1 || !is_letter(key[0])) return json_.fail(ErrorCode::text_character);
    letter = key[0];
    return true;
}

bool SceneReader::read_place(Vec2& point, std::int32_t& layer) {
    if (json_.peek() != JsonReader::Kind::string) {
        double numbers[3] = {0.0, 0.0, 0.0};
        std::size_t count = 0;
        if (!read_numbers(numbers, 2, 3, count)) return false;
        if (numbers[2] != 0.0 && !(numbers[2] > 0.0 && numbers[2] < scene_.layers)) {
            return json_.fail(ErrorCode::text_value);
        }
        point = {numbers[0], numbers[1]};
        layer = static_cast<std::int32_t>(numbers[2]);
        return layer == numbers[2] || json_.fail(ErrorCode::text_number);
    }
    std::string name;
    if (!json_.read(name, 1)) return false;
    const auto letter = static_cast<unsigned char>(name.empty() ? '\0' : name[0]);
    if (letter >= letter_count_.size() || letter_count_[letter] == 0)
        return json_.fail(ErrorCode::text_reference);
    if (letter_count_[letter] > 1) return json_.fail(ErrorCode::text_duplicate);
    const auto width = static_cast<std::size_t>(scene_.width);
    const auto height = static_cast<std::size_t>(scene_.height);
    const std::size_t cell = letter_cell_[letter];
    point.x = scene_.origin.x + (static_cast<double>(cell % width) + 0.5) * scene_.cell_size;
    point.y = scene_.origin.y + (static_cast<double>(cell / width % height) + 0.5) * scene_.cell_size;
    layer = static_cast<std::int32_t>(cell / (width * height));
    return true;
}

// [x0, y0, x1, y1] in cells, inside the map; the layer is the caller's.
bool SceneReader::read_rect(CellRect& rect) {
    std::int32_t* const sides[] = {&rect.low.x, &rect.low.y, &rect.high.x, &rect.high.y};
    std::size_t count = 0;
    if (!json_.open_array()) return false;
    const JsonReader::Place start = json_.place();
    while (json_.next_item()) {
        if (count == 4) return json_.fail_next(ErrorCode::text_extra);
        const std::int32_t most = count % 2 == 0 ? scene_.width : scene_.height;
        if (!read_integer32(json_, *sides[count++], 0, most)) return false;
    }
    if (!json_.ok()) return false;
    if (count < 4) return json_.fail_at(ErrorCode::text_missing, start);
    return !rect.empty() || json_.fail_at(ErrorCode::text_value, start);
}

}  // namespace fairlead::formats
