// Makes a chain of curves shorter: legal arcs, never dearer.
//
//   * join: of the poses along the chain, which to keep? The best over all pairs within a window, each pair joined by its
//     cheapest free curve (techniques P7, B1, B2: best over all, not the first that fits). Dynamic programming over (pose,
//     gear of arrival), so changes of gear are counted truly.
//   * pull: every pose that is left is turned and shifted sideways while that makes its two curves cheaper and they stay
//     free; so the chain comes to lie against the corners that it goes round. A step that helps is tried again, twice as
//     large, while it does: a pose that must slide by 50 cells takes a dozen trials. When no pose moves any more, steps are
//     halved. A pose is tried again with the same step only if it or one beside it has moved since: else it would not move.
//
// Links in the chain stay as they are, and so do the poses at their ends.
//
// Both are done twice, the second time with pairs farther apart: from each pose back until some in a row do not help. In slices: a
// unit is one pair or one trial, 0.2 to 2 us.
#pragma once

#include <cstdint>

#include <fairlead/base/array.h>

#include "drive/curves/free_curve.h"

namespace fairlead::drive {

/// A pose and the curve from it to the next one. The last one's curve is empty.
struct ChainPose {
    SheetPose pose{};
    FreeCurve next{};
};

class CurveSmoother {
  public:
    explicit CurveSmoother(const Allocator& allocator = {});

    /// `chain` is smoothed in place; it must stay where it is. False: out of memory.
    [[nodiscard]] bool begin(const CurveWorld& world, Array<ChainPose>& chain);
    /// Takes one from the budget for each trial. True: there is more to do. The chain is whole and legal whenever this returns, but
    /// for its costs of gear changes.
    [[nodiscard]] bool step(std::uint64_t& budget);
    [[nodiscard]] bool failed() const { return failed_; }

  private:
    enum class Stage : std::uint8_t { join, pull, done };

    // The best way to a pose that arrives in a gear.
    struct Best {
        double cost;
        std::uint32_t from;  // index and gear
        FreeCurve curve;
    };

    [[nodiscard]] bool begin_join();
    void join_next();
    void finish_join();
    void offer(std::uint32_t from, std::uint32_t to, const FreeCurve& curve);
    [[nodiscard]] double best_at(std::uint32_t pose) const;
    [[nodiscard]] Gear gear_at(std::uint32_t at) const;
    void set_cost(FreeCurve& curve, Gear before) const;
    void begin_pull();
    void pull_next();
    void end_pass();
    void end_trial(bool better);
    [[nodiscard]] SheetPose moved(const SheetPose& pose) const;
    [[nodiscard]] bool try_pose(std::uint32_t at, SheetPose pose);
    [[nodiscard]] bool connect(bool forward, const SheetPose& from, Gear gear, const SheetPose& to,
                               double limit, FreeCurve& out) const;

    const CurveWorld* world_ = nullptr;
    Array<ChainPose>* chain_ = nullptr;
    Stage stage_ = Stage::done;
    bool failed_ = false;
    std::uint32_t round_ = 0;

    Array<Best> best_;                // pose x 2 + gear
    Array<std::uint32_t> reversing_;  // curves before a pose that are not all forward
    std::uint32_t to_ = 0;
    std::uint32_t from_ = 0;
    std::uint32_t misses_ = 0;       // pairs in a row that do not help
    std::uint32_t behind_link_ = 0;  // the end of the last link before to_: nothing is joined across

    std::uint32_t at_ = 0;
    std::uint32_t trial_ = 0;   // 0, 1: shifted to the left, to the right; 2, 3: turned
    std::uint32_t passes_ = 0;  // with this step
    bool moved_ = false;        // some pose in this pass,
    bool moved_here_ = false;   // or this one
    Array<std::uint8_t> idle_;  // poses that no trial has moved, and nothing has changed beside them since
    double turn_step_ = 0.0;
    double side_step_ = 0.0;
};

}  // namespace fairlead::drive
