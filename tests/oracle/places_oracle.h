// Narrow places by their definition, the slow way: every point against every wall, floods, sets. Shares nothing with the finder.
#pragma once

#include <cstdint>
#include <set>
#include <vector>

namespace fairlead::oracle {

/// Corners of the cells of a raster; `walls` has width x height cells, row by row.
struct PlacesOracle {
    PlacesOracle(const std::vector<std::uint8_t>& walls, int width, int height, double radius, double margin,
                 double pocket);

    struct Place {
        bool token = true;
        std::set<int> points{};
        int mouths = 0;
        int mouths_to_tokens = 0;
        int pockets = 0;
        std::int64_t widest =
            0;  ///< squared distance to walls that can be kept from the first mouth to each other
    };

    std::vector<std::int64_t> distance{};  ///< squared, to the nearest wall, of every point
    std::vector<bool> stands{};
    std::vector<Place> tokens{};  ///< by first point
    std::vector<Place> lanes{};   ///< candidates: those with a mouth to a token may be too short
    std::vector<std::set<int>> rooms{};

    [[nodiscard]] int columns() const { return columns_; }

  private:
    struct Touch {
        std::set<int> rim{};  ///< points of the piece
        std::set<int> beyond{};
    };
    void measure(const std::vector<std::uint8_t>& walls, int width, int height);
    [[nodiscard]] std::vector<bool> reached(double disc, double radius) const;
    [[nodiscard]] std::vector<std::set<int>> floods(const std::vector<bool>& member) const;
    [[nodiscard]] std::vector<int> around(int point, int reach) const;
    [[nodiscard]] std::vector<Touch> touches(const std::set<int>& piece, const std::vector<int>& other) const;
    [[nodiscard]] std::int64_t keepable(const Place& place, const std::vector<Touch>& mouths) const;
    void find_tokens(const std::vector<bool>& pair, double least);
    void find_lanes(const std::vector<bool>& four);

    int columns_ = 0;
    int rows_ = 0;
};

}  // namespace fairlead::oracle
