// EdgeMap: which motion primitives may be driven from which cell of a map, one bit each.
//
// Made from the map's free cells and a DriveTable: bit (cell, primitive) is set if no cell that the body sweeps is
// blocked. All of it is worked out 64 cells at a time: a primitive's swept cells are runs along rows, and one AND of
// the plane "so many free cells from here on" answers a run for 64 starts at once.
//
// On a map with roads a move that the road rules forbid is not free either: what is reached, and what is not, is known with
// the rules in force.
//
// An edit of the map remakes the rows within DriveTable::margin() of it (update).
//
// Cost: make is linear in rows x words x runs: 8 to 25 ms for 512 x 512, 16 headings. Memory: primitives / 8 bytes a
// cell (16 headings, radius 3: 60 to 90). No allocation in queries.
#pragma once

#include <cstdint>
#include <span>

#include <fairlead/base/array.h>
#include <fairlead/base/result.h>
#include <fairlead/drive/drive_ground.h>
#include <fairlead/drive/drive_table.h>
#include <fairlead/drive/road_rules.h>

namespace fairlead {

/// What road rules look at along a primitive, seen from the cell that it starts in: a piece of it in one cell, or on the
/// border of two.
struct RoadVisit {
    double length = 0.0;  ///< cells
    std::int16_t dx = 0;
    std::int16_t dy = 0;
    std::int8_t over_x = 0;  ///< from there to the other cell; 0, 0: there is none
    std::int8_t over_y = 0;
    std::uint8_t facing = 0;  ///< direction of travel: src/drive/cost/road_facings.h
};

class EdgeMap {
  public:
    /// The table must outlive the map. `roads` is read if the ground has some. Errors: size_zero, size_limit (16384 a side),
    /// out_of_range (index 1: a road rule), out_of_memory.
    [[nodiscard]] static Result<EdgeMap> make(const DriveGround& rows, const DriveTable& table,
                                              const Allocator& allocator = {}, const RoadRules& roads = {});

    /// After cells of rows low to high - 1 have changed. False: out of memory, the map as it was.
    [[nodiscard]] bool update(const DriveGround& rows, std::int32_t low, std::int32_t high);

    [[nodiscard]] const DriveTable& table() const { return *table_; }
    [[nodiscard]] std::int32_t width() const { return width_; }
    [[nodiscard]] std::int32_t height() const { return height_; }

    /// Words of the primitives and then of the headings' standing room, for 64 cells of a row: bit x % 64 of word i tells
    /// of primitive i.
    [[nodiscard]] FAIRLEAD_INLINE const std::uint64_t* column(std::int32_t x, std::int32_t y) const {
        return words_.data() +
               (static_cast<std::size_t>(y) * across_ + static_cast<std::size_t>(x >> 6)) * planes_;
    }
    [[nodiscard]] FAIRLEAD_INLINE bool may_drive(std::int32_t x, std::int32_t y,
                                                 std::size_t primitive) const {
        return ((column(x, y)[primitive] >> (x & 63)) & 1U) != 0;
    }
    /// The word that tells of standing room in a heading.
    [[nodiscard]] std::size_t room(std::int32_t heading) const {
        return table_->primitives().all().size() + static_cast<std::size_t>(heading);
    }
    [[nodiscard]] bool stands(std::int32_t x, std::int32_t y, std::int32_t heading) const {
        return may_drive(x, y, room(heading));
    }
    /// The ground has roads, and what they mean.
    [[nodiscard]] bool has_roads() const { return !first_road_visit_.empty(); }
    [[nodiscard]] const RoadRules& road_rules() const { return rules_; }
    /// There are moves that the road rules forbid.
    [[nodiscard]] bool road_forbids() const {
        return has_roads() && (rules_.off_road == kRoadForbidden || rules_.against == kRoadForbidden);
    }
    /// An edit changes what may be driven from cells so far around it, on either axis.
    [[nodiscard]] std::int32_t margin() const {
        return table_->margin() > road_margin_ ? table_->margin() : road_margin_;
    }
    /// Of primitive i, in order. Only with roads.
    [[nodiscard]] std::span<const RoadVisit> road_visits(std::size_t i) const {
        return road_visits_.span().subspan(first_road_visit_[i],
                                           first_road_visit_[i + 1] - first_road_visit_[i]);
    }
    [[nodiscard]] std::size_t bytes() const {
        return words_.bytes() + road_visits_.bytes() + first_road_visit_.bytes();
    }

    /// Nothing yet, for copy_from().
    explicit EdgeMap(const Allocator& allocator)
        : words_(allocator), road_visits_(allocator), first_road_visit_(allocator) {}
    /// False: out of memory, and it means nothing any more.
    [[nodiscard]] bool copy_from(const EdgeMap& other);

  private:
    [[nodiscard]] bool list_road_visits();
    [[nodiscard]] bool fill(const DriveGround& rows, std::int32_t low, std::int32_t high);
    template <class Planes, class Roads>
    void fill_row(const DriveGround& rows, std::int32_t y, Planes& planes, Roads* roads,
                  std::span<std::uint64_t> sum);
    template <class Roads>
    void keep_to_roads(std::int32_t y, std::size_t primitive, Roads& roads, std::span<std::uint64_t> sum);

    UsePointer<DriveTable> table_;
    std::int32_t width_ = 0;
    std::int32_t height_ = 0;
    std::size_t across_ = 0;  // words of a row
    std::size_t planes_ = 0;
    Array<std::uint64_t> words_;
    RoadRules rules_;
    Array<RoadVisit> road_visits_;
    Array<std::uint32_t> first_road_visit_;  // none: no roads
    std::int32_t road_margin_ = 0;           // no visit is farther from the start on either axis
};

}  // namespace fairlead
