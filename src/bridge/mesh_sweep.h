// May a body be driven along a curve on the surface of a level mesh? Exact, against the walls of the sheet that it is on.
//
// The body moves along one line or arc of at most a quarter of a circle at a time. From the polygon under the axle the surface is
// followed over all sides that the swept body touches; a wall (or the border of a closed area) that it reaches into deeper than
// kSweepSlack stops it. If there is none, what was followed lies over the swept area like one sheet: that area has no holes,
// and no way along the surface within it ends at a wall. So floors above and below are never met, and the polygon under the end
// is known. (Where a polygon goes round the inner side of an arc to another floor, a move may be refused; none is allowed wrongly.)
//
// The test of a side is that of cells (drive/sweep.h), in the side's own frame: a wall is a box of no height to speak of behind
// it.
#pragma once

#include <cstdint>

#include <fairlead/curve/word.h>
#include <fairlead/route/agent.h>

#include "bridge/mesh_frame.h"
#include "bridge/mesh_prices.h"
#include "drive/body/pieces.h"
#include "drive/body/sweep.h"
#include "drive/curves/free_curve.h"
#include "mesh/surface/flood.h"

namespace fairlead::bridge {

class MeshSweep {
  public:
    explicit MeshSweep(const Allocator& allocator) : work_(allocator), cuts_(allocator) {}

    /// `body` in cells. The state must outlive the questions.
    void begin(const mesh::StateData& state, const MeshFrame& frame, const BodyCore& body,
               const MeshPrices& prices);
    [[nodiscard]] const MeshFrame& frame() const { return frame_; }
    [[nodiscard]] const mesh::StateData& state() const { return *state_; }
    [[nodiscard]] double reach() const { return reach_; }

    /// From a pose on `polygon` along a curve; radius in cells. `polygon` becomes that under the end; of several that meet there
    /// the one with the smallest number, so that a place on a sheet has one name.
    [[nodiscard]] bool is_free(std::uint32_t& polygon, const Pose& from, double radius,
                               const CurveWord& word);
    /// The same way for the axle alone, whatever walls are touched: for ways known to be free.
    [[nodiscard]] bool follow(std::uint32_t& polygon, const Pose& from, double radius, const CurveWord& word);
    /// From `at` (cells) straight to `to`, with nothing in the way.
    void walk(std::uint32_t& polygon, Vec2 at, Vec2 to);
    /// The distance to the nearest wall of the sheet, at most `most`. In cells.
    [[nodiscard]] double room(std::uint32_t polygon, Vec2 at, double most);

    /// What areas cost; see MeshPrices::even before asking.
    [[nodiscard]] const MeshPrices& prices() const { return prices_; }
    [[nodiscard]] double price(std::uint32_t polygon) const {
        const mesh::TileView& view = state_->tile_of(polygon);
        return prices_.of[view.polygons[state_->local(polygon)].area()];
    }
    /// Length times price along the axle's path; lengths in reverse count `reverse_penalty` times. Of a way that is free.
    [[nodiscard]] double priced_length(const drive::SheetPose& from, double radius, const CurveWord& word,
                                       double reverse_penalty);
    /// The distance to the nearest place of another price on the sheet, at most `most`. In cells.
    [[nodiscard]] double even_room(std::uint32_t polygon, Vec2 at, double most);

    /// Out of memory at some time since begin().
    [[nodiscard]] bool failed() const { return failed_; }

  private:
    [[nodiscard]] bool sweep(std::uint32_t& polygon, const drive::SweptSegment& piece, const BodyCore& body,
                             bool to_walls);
    [[nodiscard]] bool sweep_curve(std::uint32_t& polygon, const Pose& from, double radius,
                                   const CurveWord& word, const BodyCore& body, bool to_walls);
    template <class Stops, class Counts>
    [[nodiscard]] double room_until(std::uint32_t polygon, Vec2 at, double most, Stops stops, Counts counts);
    // mesh_price_cuts.cpp
    [[nodiscard]] double priced_part(std::uint32_t& polygon, const drive::SweptSegment& part);
    [[nodiscard]] bool find_cuts(const drive::SweptSegment& part);
    [[nodiscard]] double price_under(Vec2 place, double otherwise) const;
    [[nodiscard]] bool is_under(std::uint32_t polygon, Vec2 place) const;
    [[nodiscard]] bool name_place(std::uint32_t& polygon, Vec2 place) const;

    const mesh::StateData* state_ = nullptr;
    MeshFrame frame_{};
    BodyCore body_{};
    double reach_ = 0.0;
    MeshPrices prices_{};
    mesh::FloodWork work_;
    Array<double> cuts_;  ///< of a part, from 0 to 1
    bool failed_ = false;
};

}  // namespace fairlead::bridge
