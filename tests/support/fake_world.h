// A tile world for tests of the checker alone: a picture and a few numbers, none of the grid's code.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <fairlead/base/rng.h>
#include <fairlead/grid/grid.h>

namespace fairlead::testing {

class FakeWorld {
  public:
    /// All free.
    FakeWorld(std::int32_t wide, std::int32_t high, std::int32_t floors = 1)
        : width_(wide),
          height_(high),
          layers_(floors),
          tiles_(static_cast<std::size_t>(wide) * static_cast<std::size_t>(high) *
                     static_cast<std::size_t>(floors),
                 1) {}

    /// One floor, drawn with its last row (largest y) first, as on paper: '#' is a wall, a digit a terrain.
    explicit FakeWorld(const std::vector<std::string>& picture)
        : FakeWorld(static_cast<std::int32_t>(picture.front().size()),
                    static_cast<std::int32_t>(picture.size())) {
        for (std::int32_t y = 0; y < height_; ++y) {
            const std::string& line = picture[static_cast<std::size_t>(height_ - 1 - y)];
            for (std::int32_t x = 0; x < width_; ++x) {
                const char c = line[static_cast<std::size_t>(x)];
                set({x, y, 0}, c == '#' ? 0 : (c >= '1' && c <= '9' ? c - '0' : 1));
            }
        }
    }

    /// Each tile is a wall with this probability.
    static FakeWorld random(std::int32_t wide, std::int32_t high, double density, Rng& rng) {
        FakeWorld world(wide, high);
        for (std::uint8_t& tile : world.tiles_) tile = rng.unit() < density ? 0 : 1;
        return world;
    }

    void set(Cell cell, int tile) { tiles_[index(cell)] = static_cast<std::uint8_t>(tile); }

    [[nodiscard]] std::int32_t width() const { return width_; }
    [[nodiscard]] std::int32_t height() const { return height_; }
    [[nodiscard]] std::int32_t layers() const { return layers_; }
    [[nodiscard]] Vec2 origin() const { return at_origin; }
    [[nodiscard]] double cell_size() const { return size_of_cell; }
    [[nodiscard]] bool wrap_x() const { return wraps_x; }
    [[nodiscard]] bool wrap_y() const { return wraps_y; }
    [[nodiscard]] std::uint64_t revision() const { return revision_number; }
    [[nodiscard]] std::span<const Portal> portals() const { return portal_list; }
    [[nodiscard]] std::uint8_t tile(Cell cell) const {
        const bool inside = cell.x >= 0 && cell.x < width_ && cell.y >= 0 && cell.y < height_;
        return inside ? tiles_[index(cell)] : std::uint8_t{0};
    }
    [[nodiscard]] bool blocked(Cell cell) const { return tile(cell) == 0; }

    /// A position given in cells, in the world's units.
    [[nodiscard]] Vec2 place(Vec2 cells) const { return at_origin + cells * size_of_cell; }

    Vec2 at_origin{};
    double size_of_cell = 1.0;
    bool wraps_x = false;
    bool wraps_y = false;
    std::uint64_t revision_number = 0;
    std::vector<Portal> portal_list;

  private:
    [[nodiscard]] std::size_t index(Cell cell) const {
        const auto row = static_cast<std::size_t>(cell.layer) * static_cast<std::size_t>(height_) +
                         static_cast<std::size_t>(cell.y);
        return row * static_cast<std::size_t>(width_) + static_cast<std::size_t>(cell.x);
    }

    std::int32_t width_;
    std::int32_t height_;
    std::int32_t layers_;
    std::vector<std::uint8_t> tiles_;
};

}  // namespace fairlead::testing
