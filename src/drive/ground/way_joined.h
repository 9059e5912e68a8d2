// Is there a way from a query's starts to its goal? In slices. Does some of DriveWork::starts reach a pose of the lattice from which
// the goal is reached at once: it will do itself, or it has a short curve to an exact goal? First by the cores; where they do not
// tell, by what the starts reach and what reaches such poses, in turn, until one of the two ends: the smaller one.
#pragma once

#include <cstdint>
#include <span>

#include "drive/map/map_data.h"

#include "drive/lattice/end_curves.h"
#include "drive/lattice/grid_lattice.h"
#include "drive/lattice/node_walk.h"

namespace fairlead::drive {

struct DriveWork;

/// The different answers of the cores about several poses: a handful.
class CoreAnswers {
  public:
    CoreAnswers() = default;
    explicit CoreAnswers(const MapData& map) : map_(&map) {}
    void add(const LatticePose& pose);
    /// Is there a way from one of them?
    [[nodiscard]] MapData::Joined joined_to(const LatticePose& pose) const;

  private:
    static constexpr int kMost = 16;
    const MapData* map_ = nullptr;
    CoreLinks answer_[kMost];
    int count_ = 0;
    bool too_many_ = false;
};

/// From what a closure has, over links, to poses on their other side. False: it has all of them.
[[nodiscard]] bool go_over(std::span<const LatticeLink> links, std::int32_t headings, PoseClosure& closure);

class WayJoined {
  public:
    /// Both must outlive it; DriveWork's starts and goal are filled.
    void begin(const MapData& map, DriveWork& work);
    /// Looks at a cell, or at a turn of what is reached. True: there is more to do.
    [[nodiscard]] bool step();
    /// After that.
    [[nodiscard]] bool joined() const { return joined_; }
    /// Out of memory.
    [[nodiscard]] bool failed() const { return failed_; }

  private:
    enum class Stage : std::uint8_t { starts, accepted, short_curves, all_words, grow, done };

    void add_starts();
    void walk_to(Stage stage, std::int32_t target);
    void next_target();
    [[nodiscard]] bool next_pose(LatticePose& at);
    void look_at(const LatticePose& at, MapData::Joined answer);
    [[nodiscard]] bool reaches_goal(const LatticePose& at) const;
    void begin_growing();
    void bar_cores();
    void grow();
    [[nodiscard]] bool short_curve(const LatticePose& at) const;
    [[nodiscard]] bool any_word(const LatticePose& at) const;

    const MapData* map_ = nullptr;
    DriveWork* work_ = nullptr;
    CoreAnswers starts_{};
    Stage stage_ = Stage::done;
    bool joined_ = false;
    bool failed_ = false;
    bool ahead_is_next_ = false;
    std::size_t start_ = 0;  // the next one whose answer is asked for
    std::int32_t target_ = 0;
    EndPose to_{};            // that target
    std::size_t listed_ = 0;  // poses with a free curve to a target
    NodeWalk walk_{};
    std::int32_t x_ = 0;
    std::int32_t y_ = 0;
    std::int32_t heading_ = 0;  // the next one at (x, y)
};

}  // namespace fairlead::drive
