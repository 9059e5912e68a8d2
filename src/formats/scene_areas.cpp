// A designer's areas: rectangles of cells with a name and a cost, each name a kind of terrain of its own.
#include <array>
#include <iterator>

#include "formats/scene_reader.h"
#include "formats/text.h"

namespace fairlead::formats {

// In the second walk: the tiles are there.
bool SceneReader::read_area() {
    constexpr std::string_view kKeys[] = {"name", "rect", "cost", "layer"};
    if (!json_.open_object()) return false;
    const JsonReader::Place start = json_.place();
    SceneArea area;
    CellRect rect;
    std::int64_t cost = 0;
    std::uint64_t seen = 0;
    while (json_.next_key()) {
        const unsigned key = key_index(json_.key(), kKeys);
        if (key < std::size(kKeys) && !json_.once(seen, key)) return false;
        bool good = true;
        switch (key) {
            case 0: good = read_text(area.name, kWordMax); break;
            case 1: good = read_rect(rect); break;
            case 2: good = json_.read_integer(cost, 1, kCostMax); break;
            case 3: good = read_integer32(json_, rect.layer, 0, scene_.layers - 1); break;
            default: return json_.unknown_key();
        }
        if (!good) return false;
    }
    if (!json_.ok()) return false;
    if (!has(seen, 0) || !has(seen, 1) || area.name.empty())
        return json_.fail_at(ErrorCode::text_missing, start);
    area.cost = static_cast<std::uint16_t>(cost);
    const SceneArea* known = find_area(area.name);
    if (known == nullptr) {
        if (cost == 0) return json_.fail_at(ErrorCode::text_missing, start);
        if (!add_area(area, start)) return false;
        known = &scene_.areas.back();
    } else if (cost != 0 && known->cost != area.cost) {
        return json_.fail_at(ErrorCode::text_value, start);  // one name, one cost
    }
    fill_area(rect, known->terrain);
    return true;
}

const SceneArea* SceneReader::find_area(std::string_view name) const {
    for (const SceneArea& area : scene_.areas) {
        if (area.name == name) return &area;
    }
    return nullptr;
}

// A kind of terrain that neither the map nor the legend uses, from 255 down.
bool SceneReader::add_area(SceneArea& area, const JsonReader::Place& place) {
    std::array<bool, 256> used{};
    for (const std::uint8_t tile : scene_.tiles) used[tile] = true;
    for (const std::int16_t tile : legend_) {
        if (tile >= 0) used[static_cast<std::size_t>(tile)] = true;
    }
    for (const SceneArea& other : scene_.areas) used[other.terrain] = true;
    std::size_t kind = 255;
    while (kind > 1 && used[kind]) --kind;
    if (kind <= 1) return json_.fail_at(ErrorCode::text_extra, place);
    area.terrain = static_cast<std::uint8_t>(kind);
    if (scene_.terrain_costs.empty()) {
        if (!budget_.reserve(scene_.terrain_costs, 256)) return spend();
        for (std::uint16_t tile = 0; tile < 256; ++tile) scene_.terrain_costs.push_back(tile);
    }
    scene_.terrain_costs[kind] = area.cost;
    return append(scene_.areas, area);
}

// Walls stay walls.
void SceneReader::fill_area(const CellRect& rect, std::uint8_t terrain) {
    const auto width = static_cast<std::size_t>(scene_.width);
    const std::size_t floor =
        static_cast<std::size_t>(rect.layer) * width * static_cast<std::size_t>(scene_.height);
    for (std::int32_t y = rect.low.y; y < rect.high.y; ++y) {
        for (std::int32_t x = rect.low.x; x < rect.high.x; ++x) {
            std::uint8_t& tile =
                scene_.tiles[floor + static_cast<std::size_t>(y) * width + static_cast<std::size_t>(x)];
            if (tile != 0) tile = terrain;
        }
    }
}

}  // namespace fairlead::formats
