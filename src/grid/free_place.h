// FreePlace: the nearest place where a body can be: cells' stand points, and for discs wider than a tile all points of the half
// lattice. Looked for in square rings around a point, outward, until no ring can hold a nearer one.
#pragma once

#include <cstdint>

#include "grid/general_space.h"

namespace fairlead::grid {

/// Who may be the answer, beside having room. Null: everybody.
using AcceptPlace = bool (*)(void* user, Vec2 place, std::int32_t layer);

class FreePlace {
  public:
    enum class Progress : std::uint8_t { running, found, none };

    /// Around `from`, which may lie off the map, on a layer of the map. Everything in cells; `cells` must outlive the walk. Only
    /// places at most `reach` away count.
    void begin(const CellQuery& cells, Vec2 from, std::int32_t layer, double reach,
               AcceptPlace accept = nullptr, void* user = nullptr);
    /// A ring at a time; 16 points are one unit of budget. Of places that are equally near the one of the lowest y, then of the
    /// lowest x, counts. None: there is none within reach.
    [[nodiscard]] Progress step(std::uint64_t& budget);
    /// Whatever it costs.
    [[nodiscard]] Progress run();
    [[nodiscard]] bool running() const { return running_; }
    /// What was found, on the map, and its distance across seams.
    [[nodiscard]] Vec2 place() const { return best_; }
    [[nodiscard]] double square() const { return best_square_; }

  private:
    void look_ring(std::int32_t k);
    void look(std::int32_t i, std::int32_t j);
    [[nodiscard]] bool has_room(Vec2 place) const;

    const CellQuery* cells_ = nullptr;
    Vec2 from_{};
    std::int32_t layer_ = 0;
    double square_max_ = 0.0;
    AcceptPlace accept_ = nullptr;
    void* user_ = nullptr;

    double step_ = 1.0;    ///< of the points looked at, in cells
    double offset_ = 0.5;  ///< of the first one
    /// The points looked at along one axis. Over a seam: half a lap to either side.
    struct Span {
        std::int32_t centre = 0;
        std::int32_t low = 0;
        std::int32_t high = 0;
        std::int32_t lap = 0;  ///< points of a lap; 0: the axis does not wrap
    };
    [[nodiscard]] Span span_around(double at, std::int32_t cells, bool wraps) const;

    Span along_x_{};
    Span along_y_{};
    std::int32_t ring_ = 0;
    std::int32_t ring_last_ = 0;
    bool running_ = false;
    bool found_ = false;
    Vec2 best_{};
    double best_square_ = 0.0;
};

}  // namespace fairlead::grid
