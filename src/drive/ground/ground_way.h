// The shortest way on the ground between cells, by jump points (Harabor and Grastien 2011): steps, lengths and walls are those of
// GroundDistance, to the unit, at some hundred jumps in place of some hundred thousand cells.
//
// Rows and columns are scanned a word at a time (GroundPlane). Which steps are needed after another one says ground_turns.h.
#pragma once

#include <bit>
#include <cstdint>
#include <span>

#include <fairlead/search/engine.h>
#include <fairlead/search/node_store.h>
#include <fairlead/search/open_list.h>

#include "drive/ground/ground_plane.h"
#include "drive/ground/ground_turns.h"

namespace fairlead::drive {

struct GroundCell {
    std::int32_t x = 0;
    std::int32_t y = 0;

    friend bool operator==(const GroundCell&, const GroundCell&) = default;
};

/// Where a way may begin, and how far that is from what it really begins with.
struct GroundSource {
    GroundCell cell{};
    std::uint32_t distance = 0;
};

class JumpSpace {
  public:
    JumpSpace() = default;
    JumpSpace(const GroundPlane& plane, std::span<const GroundSource> from, GroundCell to)
        : plane_(plane), from_(from), to_(to) {}

    template <class Sink>
    void start(Sink& sink) {
        for (const GroundSource& source : from_)
            sink.add(state(source.cell), source.distance * kUnit, kAnyStep);
    }
    template <class Sink>
    void expand(std::uint32_t at, Cost, std::uint32_t came, Sink& sink) {
        const GroundCell from = cell(at);
        const std::uint32_t ring = plane_.rows.ring(from.x, from.y);
        std::uint32_t steps = came == kAnyStep ? ground_steps(ring, GroundCorner::closed)
                                               : ground_turns(came, ring, GroundCorner::closed);
        for (; steps != 0; steps &= steps - 1) {
            const auto d = static_cast<std::uint32_t>(std::countr_zero(steps));
            GroundCell to = from;
            const std::int32_t count = (d & 1U) != 0 ? jump_aslant(to, d) : jump_straight(to, d);
            if (count == 0) continue;
            const std::uint32_t each = (d & 1U) != 0 ? kGroundDiagonal : kGroundStraight;
            sink.add(state(to), static_cast<Cost>(count) * each * kUnit, d);
        }
    }
    [[nodiscard]] Cost heuristic(std::uint32_t at) const;
    [[nodiscard]] bool is_goal(std::uint32_t at) const { return at == state(to_); }

    [[nodiscard]] static GroundCell cell(std::uint32_t state) {
        return {static_cast<std::int32_t>(state & 0x3fffU), static_cast<std::int32_t>(state >> 14)};
    }
    [[nodiscard]] static std::uint32_t state(GroundCell at) {
        return (static_cast<std::uint32_t>(at.y) << 14) | static_cast<std::uint32_t>(at.x);
    }
    static constexpr Cost kUnit = Cost{1}
                                  << 20;  // a unit of GroundDistance: the list's ties are told apart then

  private:
    static constexpr std::uint32_t kAnyStep = 8;

    // How many steps to the next place where a way may turn, which `at` becomes; 0: there is none.
    [[nodiscard]] std::int32_t jump_straight(GroundCell& at, std::uint32_t d) const;
    [[nodiscard]] std::int32_t jump_aslant(GroundCell& at, std::uint32_t d) const;

    GroundPlane plane_;
    std::span<const GroundSource> from_;
    GroundCell to_{};
};

/// The first cell of a plane that is met from a free one, no farther than `reach` on both axes (at most 16). False: there is none.
[[nodiscard]] bool nearest_on_plane(const GroundBits& plane, const GroundBits& free, GroundCell from,
                                    std::int32_t reach, GroundCell& out);

/// In slices. Searched from the goal's cells, as the ground distance is grown.
class GroundWay {
  public:
    explicit GroundWay(const Allocator& allocator)
        : nodes_(allocator), open_(allocator), sources_(allocator), turns_(allocator) {}

    void clear() { sources_.clear(); }
    [[nodiscard]] bool add_goal(std::int32_t x, std::int32_t y, std::uint32_t distance) {
        return sources_.push_back({{x, y}, distance});
    }
    [[nodiscard]] std::size_t sources() const { return sources_.size(); }

    /// From any of the sources to a cell; corners are closed.
    void begin(const GroundPlane& plane, GroundCell to);
    /// A few jumps. True: there is more to do.
    [[nodiscard]] bool step();
    [[nodiscard]] bool failed() const { return failed_; }  ///< out of memory
    [[nodiscard]] bool found() const { return found_; }
    /// If found: in units of GroundDistance, and where it turns, the ends included, from a source to the cell.
    [[nodiscard]] std::uint32_t distance() const { return distance_; }
    [[nodiscard]] std::span<const GroundCell> turns() const { return turns_.span(); }

  private:
    using Engine = BestFirst<JumpSpace, AStarKey, HeapOpen, HashedNodes>;

    [[nodiscard]] bool list_turns();

    HashedNodes nodes_;
    HeapOpen open_;
    Array<GroundSource> sources_;
    Array<GroundCell> turns_;
    JumpSpace space_;
    Engine engine_{space_, open_, nodes_};
    std::uint32_t distance_ = 0;
    bool found_ = false;
    bool failed_ = false;
};

}  // namespace fairlead::drive
