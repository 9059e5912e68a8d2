// The curves from a query's exact start to poses of the lattice around it, in slices: short ones, forward and in reverse; for
// units that pivot turn, line, turn; and where few of those are free all words, to poses a little farther away.
#pragma once

#include <cstdint>

#include "drive/lattice/lattice_query.h"

#include "drive/body/curve_check.h"
#include "drive/lattice/grid_lattice.h"
#include "drive/lattice/node_walk.h"
#include "drive/map/map_frame.h"

namespace fairlead::drive {

struct DriveWork;

/// What curves are made for, on a map.
[[nodiscard]] CurveWorld curves_for(const MapData& map, const LatticeQuery& query);

/// The exact poses, in cells, that a query may start in and that the body stands in, one at a time.
class StartPoses {
  public:
    StartPoses() = default;
    StartPoses(const MapData& map, const LatticeQuery& query)
        : map_(&map),
          exact_(MapFrame(map).in_cells(query.start, query.start_layer)),
          mask_(query.start_headings),
          blockers_(query.blockers) {}

    /// False: that was the last one.
    [[nodiscard]] bool next(Pose& pose) {
        const std::int32_t headings = map_->table().headings();
        while (next_ < (mask_ == 0 ? 1 : headings)) {
            const std::int32_t h = next_++;
            pose = exact_;
            if (mask_ != 0) {
                if (((mask_ >> h) & 1U) == 0) continue;
                pose.heading_rad = heading_rad(headings, h);
            }
            const BodyCore& body = map_->table().body();
            if (stands_free(map_->free_cells(), body, pose) && stands_clear_of(blockers_, body, pose))
                return true;
        }
        return false;
    }

  private:
    const MapData* map_ = nullptr;
    Pose exact_{};
    std::uint32_t mask_ = 0;
    const BlockerSweep* blockers_ = nullptr;
    std::int32_t next_ = 0;
};

class StartList {
  public:
    /// Empties DriveWork::starts. All three must outlive the list.
    void begin(const MapData& map, const LatticeQuery& query, DriveWork& work);
    /// The curves to one cell, or all words to one pose. True: there is more to do.
    [[nodiscard]] bool step();
    /// Out of memory.
    [[nodiscard]] bool failed() const { return failed_; }

  private:
    enum class Stage : std::uint8_t { pose, curves, turning, words, done };

    void next_pose();
    void add_curves();
    void add_turning();
    void add_words();
    void end_turning();
    [[nodiscard]] std::size_t count() const;
    [[nodiscard]] bool add_both(LatticePose at);
    [[nodiscard]] bool add_word(const LatticePose& at, const CurveWord& word);
    [[nodiscard]] bool add_turning_to(const LatticePose& at);
    [[nodiscard]] bool add_found(const LatticePose& at, const FreeCurve& curve);

    const MapData* map_ = nullptr;
    const LatticeQuery* query_ = nullptr;
    DriveWork* work_ = nullptr;
    CurveWorld curves_{};
    Stage stage_ = Stage::done;
    bool failed_ = false;
    StartPoses poses_{};
    Pose pose_{};
    Vec2 ahead_{};
    std::size_t before_ = 0;  // starts before this pose's
    std::size_t room_ = 0;    // no more starts than this
    NodeWalk walk_{};
    std::int32_t x_ = 0;  // words: the place, and
    std::int32_t y_ = 0;
    std::int32_t heading_ = 0;  // the next heading at it
};

}  // namespace fairlead::drive
