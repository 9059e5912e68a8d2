// A list of the pieces of walls nearest to a place, with room for so many.
#pragma once

#include <span>

#include <fairlead/crowd/crowd_world.h>

namespace fairlead::bridge {

class NearestPieces {
  public:
    NearestPieces(std::span<WallPiece> out, double reach) : out_(out), known_(reach) {}

    /// Drops the farthest one where there is no room.
    void add(const WallPiece& piece, double distance) {
        if (!(distance <= known_)) return;
        std::size_t at = count_;
        if (count_ == out_.size() || count_ == kWallPiecesMax) {
            at = farthest();
            if (!(distance < distances_[at])) {
                known_ = distance;
                return;
            }
            known_ = distances_[at];
        } else {
            ++count_;
        }
        out_[at] = piece;
        distances_[at] = distance;
    }

    [[nodiscard]] std::size_t count() const { return count_; }
    /// Up to which distance they are all there.
    [[nodiscard]] double known() const { return known_; }

  private:
    [[nodiscard]] std::size_t farthest() const {
        std::size_t at = 0;
        for (std::size_t i = 1; i < count_; ++i) {
            if (distances_[i] > distances_[at]) at = i;
        }
        return at;
    }

    std::span<WallPiece> out_;
    double distances_[kWallPiecesMax] = {};
    std::size_t count_ = 0;
    double known_;
};

}  // namespace fairlead::bridge
