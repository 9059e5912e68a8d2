// Technique B2: the shortest drive along a way of tiles, from the start on or from the goal back.
#pragma once

#include <cstdint>
#include <span>

#include <fairlead/base/array.h>
#include <fairlead/curve/word.h>
#include <fairlead/drive/hybrid.h>
#include <fairlead/drive/primitives.h>

#include "drive/body/leg_check.h"

namespace fairlead::drive {

class TileLine {
  public:
    explicit TileLine(const Allocator& allocator)
        : nodes_(allocator), chain_(allocator), window_(allocator) {}

    /// A pose on the way: tile and heading.
    struct LineSpot {
        std::int32_t tile = -1;
        std::int32_t heading = 0;
    };

    /// Looks from `start` on (`backward`: from `goal` back). Poses in world units. False: out of memory.
    [[nodiscard]] bool run(const MapData& map, const Pose& start, const Pose& goal,
                           std::span<const TileCell> tiles, std::int32_t ahead, bool backward);

    /// Forward: does it reach the goal's exact pose? chain() is then the way there.
    [[nodiscard]] bool arrives() const { return arrives_; }
    /// The tile farthest from where it began, with any heading; -1: none.
    [[nodiscard]] std::int32_t furthest() const { return furthest_; }
    [[nodiscard]] std::uint64_t expanded() const { return expanded_; }

    /// Forward: the spots up to the goal, or else to the furthest tile by the shortest way. Backward: from the furthest
    /// tile to the goal. In order of driving.
    [[nodiscard]] std::span<const LineSpot> chain() const { return chain_.span(); }
    [[nodiscard]] Pose pose(const LineSpot& spot) const;  ///< world units

    /// Appends the legs between spots i and k of the chain, i <= k.
    [[nodiscard]] bool append(std::size_t i, std::size_t k, Array<Leg>& legs) const;
    /// And from the exact start to spot 0, or from the last spot to the exact goal.
    [[nodiscard]] bool append_entry(Array<Leg>& legs) const;
    [[nodiscard]] bool append_exit(Array<Leg>& legs) const;

  private:
    struct Node {
        double length;           // from the start, or to the goal; infinite: not reached
        std::int32_t link;       // the node before (backward: after); -1: the exact pose
        std::int32_t primitive;  // of the move along that link, in all()
    };

    [[nodiscard]] Node& node(std::int32_t tile, std::int32_t heading) {
        return nodes_[static_cast<std::size_t>(tile * headings_ + heading)];
    }
    [[nodiscard]] const Node& node(const LineSpot& spot) const {
        return nodes_[static_cast<std::size_t>(spot.tile * headings_ + spot.heading)];
    }
    [[nodiscard]] std::int32_t last() const { return static_cast<std::int32_t>(tiles_.size()) - 1; }
    [[nodiscard]] bool free_curve(const LegCheck& check, const Pose& from, const Pose& to,
                                  CurveWord& word) const;
    void join_exact(const LegCheck& check, std::int32_t tile);
    void show_ahead(std::int32_t tile, bool shown);
    template <class Visit>
    void each_move(std::int32_t tile, std::int32_t heading, const Visit& visit);
    void spread_from(std::int32_t tile);
    void gather_at(std::int32_t tile);
    [[nodiscard]] std::int32_t find_exit(const LegCheck& check);
    [[nodiscard]] std::int32_t best_at(std::int32_t tile);
    [[nodiscard]] bool list_chain(std::int32_t from);

    const MapData* map_ = nullptr;
    Pose start_{};
    Pose goal_{};
    std::span<const TileCell> tiles_;
    std::int32_t headings_ = 8;
    std::int32_t ahead_ = 0;
    bool backward_ = false;
    bool arrives_ = false;
    std::int32_t furthest_ = -1;
    std::uint64_t expanded_ = 0;
    Array<Node> nodes_;
    Array<LineSpot> chain_;
    Array<std::int32_t> window_;  // around a tile: which of the tiles ahead lie where; -1: none
};

}  // namespace fairlead::drive
