// What the four methods of round_corners.h share: their memory in the Scratch, and how a stretch is written and measured.
#pragma once

#include <cstdint>
#include <span>

#include <fairlead/curve/word.h>
#include <fairlead/drive/round_corners.h>

#include "drive/body/leg_check.h"
#include "drive/ground/tile_way.h"

namespace fairlead::drive {

/// back_up: one heading at one waypoint.
struct BackNode {
    Pose pose{};
    double length = 0.0;  ///< of the whole way to it; infinite: none
    std::int32_t from = -1;
    CurveWord word{};
};

struct CornerWork {
    explicit CornerWork(const Allocator& allocator)
        : tiles(allocator),
          runs(allocator),
          way(allocator),
          steps(allocator),
          banned(allocator),
          banned_steps(allocator),
          nodes(allocator) {}

    TileWay tiles;
    Array<CellRun> runs;
    Array<Vec2> way;
    Array<TileStep> steps;  // the first step of each stretch of `way`
    Array<BannedStretch> banned;
    Array<TileStep> banned_steps;
    Array<BackNode> nodes;
};

/// Where a stretch has to end.
struct StretchGoal {
    Vec2 to{};
    bool fixed = false;  ///< in this heading
    double heading_rad = 0.0;
};

inline constexpr int kStretchWords = 6;

/// The curves from a pose, forward, the shortest first.
[[nodiscard]] int stretch_words(const Pose& from, const StretchGoal& goal, double radius,
                                std::span<CurveWord, kStretchWords> words);

/// Writes stretches to the end of a RoundedCorners.
class CornerPen {
  public:
    CornerPen(const MapData& map, const CornerQuery& query, CornerWork& work, RoundedCorners& out);

    [[nodiscard]] const LegCheck& check() const { return check_; }
    [[nodiscard]] const Pose& at() const { return at_; }
    [[nodiscard]] double radius() const { return radius_; }
    /// Where the stretch to the i-th of these waypoints ends.
    [[nodiscard]] StretchGoal goal(std::span<const Vec2> way, std::size_t i) const;
    /// Back to the start, nothing written.
    void restart();

    /// A curve that is known to be free, and one that is measured. False: out of memory.
    [[nodiscard]] bool write_free(const CurveWord& word, double radius, Vec2 to);
    [[nodiscard]] bool write_measured(const CurveWord& word, double radius, Vec2 to);
    /// The next stretch begins exactly here, where the last one ends up to rounding.
    void settle(const Pose& at) { at_ = at; }
    /// Status unreachable, no legs.
    void fail(std::size_t stretch);
    /// Status complete, sums and ends.
    void finish();

  private:
    [[nodiscard]] bool count_clipped(const CurveWord& word, double radius, CornerStretch& stretch);
    void measure_overlap(const CurveWord& word, double radius, CornerStretch& stretch) const;

    const MapData& map_;
    const CornerQuery& query_;
    CornerWork& work_;
    RoundedCorners& out_;
    LegCheck check_;
    Pose at_;
    double radius_;
};

enum class CornerDone : std::uint8_t { yes, no_memory, bad_way };

/// The methods. The pen is at the start; the way's last place is the goal.
[[nodiscard]] CornerDone ignore_walls(CornerPen& pen, std::span<const Vec2> way);
[[nodiscard]] CornerDone tighter(CornerPen& pen, std::span<const Vec2> way, double radius_min);
[[nodiscard]] CornerDone back_up(CornerPen& pen, std::span<const Vec2> way, CornerWork& work);
[[nodiscard]] CornerDone search_again(CornerPen& pen, const CornerQuery& query, CornerWork& work,
                                      RoundedCorners& out);

}  // namespace fairlead::drive
