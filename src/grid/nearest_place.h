// The place nearest the goal of those that a search has expanded: where a partial route ends, and one whose budget is spent.
#pragma once

#include <cstdint>

namespace fairlead::grid {

class NearestPlace {
  public:
    void begin() { *this = {}; }
    /// `square`: of the distance to the goal as the crow flies. A place on the goal's floor comes before one on another; of equals
    /// the lowest state.
    void note(std::uint32_t state, bool on_floor, double square) {
        if (known() && !(before(on_floor, square, on_floor_, square_) ||
                         (on_floor == on_floor_ && square == square_ && state < state_)))
            return;
        state_ = state;
        on_floor_ = on_floor;
        square_ = square;
    }
    [[nodiscard]] bool known() const { return state_ != UINT32_MAX; }
    [[nodiscard]] std::uint32_t state() const { return state_; }
    [[nodiscard]] bool on_floor() const { return on_floor_; }
    /// Is it nearer than another?
    [[nodiscard]] bool before(const NearestPlace& other) const {
        return known() && (!other.known() || before(on_floor_, square_, other.on_floor_, other.square_));
    }

  private:
    [[nodiscard]] static bool before(bool floor, double square, bool other_floor, double other_square) {
        return floor != other_floor ? floor : square < other_square;
    }

    std::uint32_t state_ = UINT32_MAX;
    bool on_floor_ = false;
    double square_ = 0.0;
};

}  // namespace fairlead::grid
