// Tells of trips that end stuck: where the unit and those near it are and go, in which narrow places, and where they were before.
#pragma once

#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <deque>
#include <vector>

#include <fairlead/fleet/fleet.h>

namespace fairlead::testing {

class StuckTeller {
  public:
    /// Of the first `most` trips, in a world, which must outlive it, for units of a radius.
    StuckTeller(const FleetPort& port, double radius, std::uint64_t most) : radius_(radius), most_(most) {
        if (most_ == 0) return;
        if (const Result<PlaceSheets> found = port.places({&radius_, 1}, port.user)) sheets_ = *found;
    }
    /// Each tick; it keeps one a second.
    void note(std::uint64_t tick, const Fleet& fleet, const std::vector<FleetId>& ids) {
        if (most_ == 0 || tick % kTicks != 0) return;
        std::vector<Vec3> now;
        for (const FleetId id : ids) now.push_back(fleet.unit(id).place.position);
        past_.push_back(std::move(now));
        if (past_.size() > kKept) past_.pop_front();
    }
    void tell(std::uint64_t tick, const Fleet& fleet, const std::vector<FleetId>& ids,
              const std::vector<Vec3>& goals, std::size_t stuck) {
        if (told_ >= most_) return;
        ++told_;
        std::printf("stuck at tick %" PRIu64 "\n", tick);
        tell_one(fleet, ids[stuck], goals[stuck], stuck);
        const Place here = fleet.unit(ids[stuck]).place;
        for (std::size_t i = 0; i < ids.size(); ++i) {
            const Vec3 apart = fleet.unit(ids[i]).place.position - here.position;
            if (i != stuck && length(ground(apart)) < kNear * radius_ && std::abs(apart.z) < 2.0)
                tell_one(fleet, ids[i], goals[i], i);
        }
        std::fflush(stdout);
    }

  private:
    static constexpr std::uint64_t kTicks = 60;
    static constexpr std::size_t kKept = 20;
    static constexpr double kNear = 8.0;  // radii

    void tell_one(const Fleet& fleet, FleetId id, Vec3 goal, std::size_t i) {
        const FleetView view = fleet.unit(id);
        const Vec3 at = view.place.position;
        std::printf("  unit %zu, %s, at %.3f %.3f %.3f, goes to %.3f %.3f %.3f, %.2f left; ", i,
                    fleet_state_name(view.state), at.x, at.y, at.z, goal.x, goal.y, goal.z, view.remaining);
        tell_place(view.place);
        std::printf("; before:");
        for (const std::vector<Vec3>& then : past_) std::printf(" (%.2f %.2f)", then[i].x, then[i].y);
        std::printf("\n");
    }
    void tell_place(const Place& at) const {
        const std::uint32_t floor =
            sheets_.floors.floor_of != nullptr ? sheets_.floors.floor_of(at, sheets_.floors.user) : 0;
        for (const PlaceSheet& sheet : sheets_.sheets) {
            const std::uint32_t place = sheet.places->place_at(ground(at.position));
            if (sheet.floor != floor || place == kNoPlace) continue;
            const NarrowPlace& narrow = sheet.places->places()[place];
            std::printf("in %s place %u, %.2f wide, %.2f long, %u mouths",
                        narrow.kind == PlaceKind::token ? "token" : "lane", place, narrow.width,
                        narrow.length, narrow.mouths);
            return;
        }
        std::printf("in the open");
    }

    double radius_;
    std::uint64_t most_;
    std::uint64_t told_ = 0;
    PlaceSheets sheets_{};
    std::deque<std::vector<Vec3>> past_{};
};

}  // namespace fairlead::testing
