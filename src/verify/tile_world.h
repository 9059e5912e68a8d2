// The checker's view of a tile world: which cells are closed to a body.
#pragma once

#include <concepts>
#include <cstdint>
#include <span>

#include <fairlead/grid/grid.h>
#include <fairlead/grid/query.h>

namespace fairlead::witness {

/// What the checker reads of a tile world: GridState's own reading functions and no more, so that tests can
/// put up a world of their own.
template <class World>
concept TileWorld = requires(const World& world, Cell cell) {
    { world.width() } -> std::convertible_to<std::int32_t>;
    { world.height() } -> std::convertible_to<std::int32_t>;
    { world.layers() } -> std::convertible_to<std::int32_t>;
    { world.origin() } -> std::convertible_to<Vec2>;
    { world.cell_size() } -> std::convertible_to<double>;
    { world.wrap_x() } -> std::convertible_to<bool>;
    { world.wrap_y() } -> std::convertible_to<bool>;
    { world.revision() } -> std::convertible_to<std::uint64_t>;
    { world.portals() } -> std::convertible_to<std::span<const Portal>>;
    { world.blocked(cell) } -> std::convertible_to<bool>;
    { world.tile(cell) } -> std::convertible_to<std::uint8_t>;
};

/// Which cells of one layer are closed to the body.
template <TileWorld World>
class Walls {
  public:
    Walls(const World& world, const KindFilter& terrain)
        : world_(world),
          terrain_(terrain),
          width_(world.width()),
          height_(world.height()),
          wrap_x_(world.wrap_x()),
          wrap_y_(world.wrap_y()) {}

    [[nodiscard]] bool inside(std::int32_t x, std::int32_t y) const {
        return (wrap_x_ || (x >= 0 && x < width_)) && (wrap_y_ || (y >= 0 && y < height_));
    }
    /// The cell of the map that lies at (x, y); only for a place inside.
    [[nodiscard]] Cell cell(std::int32_t x, std::int32_t y, std::int32_t layer) const {
        return {wrap_x_ ? modulo(x, width_) : x, wrap_y_ ? modulo(y, height_) : y, layer};
    }
    [[nodiscard]] bool closed(std::int32_t x, std::int32_t y, std::int32_t layer) const {
        if (!inside(x, y)) return true;
        const Cell at = cell(x, y, layer);
        return world_.blocked(at) || !terrain_.open(world_.tile(at));
    }
    [[nodiscard]] bool wrap_x() const { return wrap_x_; }
    [[nodiscard]] bool wrap_y() const { return wrap_y_; }
    [[nodiscard]] std::int32_t width() const { return width_; }
    [[nodiscard]] std::int32_t height() const { return height_; }

  private:
    [[nodiscard]] static std::int32_t modulo(std::int32_t v, std::int32_t n) {
        const std::int32_t rest = v % n;
        return rest < 0 ? rest + n : rest;
    }

    const World& world_;
    KindFilter terrain_;
    std::int32_t width_;
    std::int32_t height_;
    bool wrap_x_;
    bool wrap_y_;
};

}  // namespace fairlead::witness
