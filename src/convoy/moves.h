// The steps of a SpeedTable with what the planner in space and time needs of them: the profile of speed, and where the discs of the
// body are at equal times.
#pragma once

#include <span>

#include <fairlead/base/array.h>
#include <fairlead/base/result.h>
#include <fairlead/drive/speed_table.h>
#include <fairlead/route/speed_profile.h>

#include "convoy/course.h"
#include "convoy/cover.h"

namespace fairlead::convoy {

/// From the middle of a cell of the lattice. World units.
struct Move {
    double seconds = 0.0;
    Vec2 middle{};       ///< of a circle about all its discs,
    double reach = 0.0;  ///< and its radius
    std::uint32_t first_knot = 0;
    std::uint32_t knots = 0;
    std::uint32_t first_sample = 0;
    std::uint32_t samples = 0;  ///< at least 2, the first at the start and the last at the end
    std::uint32_t primitive = 0;
    std::int16_t dx = 0;
    std::int16_t dy = 0;
    std::uint16_t repeat = 1;
    std::uint8_t to = 0;
    std::uint8_t level = 0;
    Gear gear = Gear::forward;
};

class MoveSet {
  public:
    explicit MoveSet(const Allocator& allocator)
        : moves_(allocator), first_(allocator), knots_(allocator), samples_(allocator) {}

    /// False: out of memory.
    [[nodiscard]] bool make(const SpeedTable& times, const Agent& body, double sample_seconds);

    [[nodiscard]] const SpeedTable& times() const { return *times_; }
    [[nodiscard]] const Cover& cover() const { return cover_; }
    [[nodiscard]] double radius() const { return times_->moves().options().agent.turning_radius; }
    /// What begins in a heading at a level.
    [[nodiscard]] std::span<const Move> from(std::int32_t heading, std::int32_t level) const {
        const auto i = static_cast<std::size_t>(heading * times_->levels() + level);
        return moves_.span().subspan(first_[i], first_[i + 1] - first_[i]);
    }
    [[nodiscard]] const Move& move(std::uint32_t i) const { return moves_[i]; }
    [[nodiscard]] std::uint32_t index(const Move& move) const {
        return static_cast<std::uint32_t>(&move - moves_.data());
    }
    [[nodiscard]] std::span<const SpeedKnot> knots(const Move& move) const {
        return knots_.span().subspan(move.first_knot, move.knots);
    }
    /// Centres of discs, seen from the middle of the first cell: those of one sample after the other.
    [[nodiscard]] const Vec2* samples(const Move& move) const { return samples_.data() + move.first_sample; }
    [[nodiscard]] CurveWord word(const Move& move) const;
    /// The least time from a level to a stand.
    [[nodiscard]] double stop_seconds(std::int32_t level) const { return stop_seconds_[level]; }
    /// The longest of all moves.
    [[nodiscard]] double longest() const { return longest_; }
    [[nodiscard]] double sample_seconds() const { return sample_seconds_; }

  private:
    [[nodiscard]] bool add(std::int32_t heading, std::int32_t level, const SpeedStep& step);
    [[nodiscard]] bool add_samples(std::int32_t heading, const CurveWord& word, Move& move);
    void find_stops();

    const SpeedTable* times_ = nullptr;
    Cover cover_{};
    double sample_seconds_ = 0.1;
    double stop_seconds_[kSpeedLevelsMax] = {};
    double longest_ = 0.0;
    Array<Move> moves_;
    Array<std::uint32_t> first_;
    Array<SpeedKnot> knots_;
    Array<Vec2> samples_;
};

/// Replaces `knots` by how a word is driven from a stand to a stand, with its changes of gear. False: out of memory.
[[nodiscard]] bool ramp_profile(const CurveWord& word, const SpeedTable& times, Array<SpeedKnot>& knots);

}  // namespace fairlead::convoy
