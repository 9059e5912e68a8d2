// Reads a scene in two walks over the text: the world first, then what is said in terms of its letters.
#pragma once

#include <array>
#include <string>
#include <vector>

#include <fairlead/formats/scene.h>

#include "formats/budget.h"
#include "formats/json_values.h"

namespace fairlead::formats {

inline constexpr std::int64_t kCostMax = 1023;  ///< of a terrain

class SceneReader {
  public:
    SceneReader(std::string_view text, const Limits& limits) : text_(text), json_(text), budget_(limits) {}

    Result<Scene> read();

  private:
    /// Rows of one or more layers, row by row, with their places.
    struct Rows {
        std::int32_t width = 0;
        std::int32_t height = 0;
        std::int32_t layers = 0;
        std::string letters;
        std::vector<JsonReader::Place> places;  ///< of the first letter of each row
    };
    struct LetterCost {
        char letter;
        std::uint16_t cost;
        JsonReader::Place place;
    };

    // scene.cpp
    bool read_walk(bool (SceneReader::*member)());
    template <class Function>
    bool read_list(Function read_item) {
        if (!json_.open_array()) return false;
        while (json_.next_item()) {
            if (!read_item()) return false;
        }
        return json_.ok();
    }
    template <class T>
    bool append(std::vector<T>& list, T value) {
        return budget_.append(list, std::move(value)) || spend();
    }
    bool read_text(std::string& out, std::size_t bytes_max);
    bool read_number(double& out) { return json_.read_number(out, -kNumberMax, kNumberMax); }
    bool read_numbers(double* out, std::size_t least, std::size_t most, std::size_t& count);
    bool read_letter_key(char& letter);
    bool read_agent(Agent& agent);
    bool read_place(Vec2& point, std::int32_t& layer);
    bool read_spot(Spot& spot);
    bool read_cells(double& length, double most);
    bool read_rect(CellRect& rect);
    bool spend() {
        spent_ = true;
        return false;
    }

    // scene_world.cpp
    bool world_member();
    bool read_rows(Rows& rows);
    bool read_row(Rows& rows);
    bool read_layers(Rows& rows);
    bool read_legend();
    bool read_costs();
    bool read_wrap();
    bool read_sizes();
    bool finish_world();
    bool place_tiles();
    bool set_terrain_costs();
    bool read_portal();
    bool read_area();
    bool add_area(SceneArea& area, const JsonReader::Place& place);
    void fill_area(const CellRect& rect, std::uint8_t terrain);
    [[nodiscard]] const SceneArea* find_area(std::string_view name) const;

    // scene_query.cpp
    bool query_member();
    bool read_query();
    bool read_query_value(SceneQuery& query, unsigned key);
    bool read_goal(SceneQuery& query);
    bool read_goal_object(SceneQuery& query);
    bool read_options(SceneQuery& query);
    // scene_drive.cpp
    bool read_planner(SceneQuery& query);
    bool read_headings(SceneDrive& drive);
    bool read_epsilon(SceneQuery& query);
    bool read_terrain(SceneQuery& query);
    bool read_blocker(SceneQuery& query);
    bool read_influence(SceneQuery& query);
    bool read_edit(SceneQuery& query);
    bool read_expectation(SceneExpectation& expect);

    std::string_view text_;
    JsonReader json_;
    Budget budget_;
    bool spent_ = false;
    std::uint64_t seen_ = 0;

    Scene scene_;
    Rows map_;
    std::array<std::int16_t, 128> legend_{};  // -1: not in the legend
    std::vector<LetterCost> costs_;
    std::array<std::uint32_t, 128> letter_count_{};  // in the map
    std::array<std::size_t, 128> letter_cell_{};     // the last cell with the letter
};

}  // namespace fairlead::formats
