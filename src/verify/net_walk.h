// Where on a net of waypoints a route can be: every waypoint and edge at the place that it has come to. Several may lie
// there, and a route does not say which it means.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include <fairlead/roadmap/query.h>
#include <fairlead/roadmap/roadmap.h>

#include "verify/straight.h"

namespace fairlead::witness {

/// On a waypoint, or on an edge out of it between its ends.
struct NetSpot {
    static constexpr std::uint32_t kNoArc = UINT32_MAX;

    std::uint32_t slot = 0;
    std::uint32_t arc = kNoArc;  ///< which of the waypoint's
    double along = 0.0;          ///< distance along the edge

    [[nodiscard]] bool on_arc() const { return arc != kNoArc; }
};

/// Spots in the order in which they were found, each once.
class NetSpots {
  public:
    static constexpr std::size_t kMax = 256;

    void clear() { count_ = 0; }
    /// False: full.
    [[nodiscard]] bool add(const NetSpot& spot);
    [[nodiscard]] std::size_t size() const { return count_; }
    [[nodiscard]] const NetSpot& operator[](std::size_t i) const { return spots_[i]; }

  private:
    std::array<NetSpot, kMax> spots_{};
    std::size_t count_ = 0;
};

class NetWalk {
  public:
    /// `width`: of the body; roads that are known to be narrower are closed to it.
    NetWalk(const RoadmapState& roadmap, const EdgeFilter& filter, double width, const RoadmapScale& scale)
        : roadmap_(roadmap), filter_(filter), width_(width), scale_(scale) {}

    /// Looks for everything that lies at a place, without moving there. False: nothing does.
    [[nodiscard]] bool find(Vec3 at);
    /// Onto what was found there last.
    void land(Vec3 at) { (void)finish(at); }
    /// Straight along one edge, or staying where it is. False: no edge leads there, and the walk has not moved.
    [[nodiscard]] bool drive(Vec3 to);
    /// Over a link. False: as above.
    [[nodiscard]] bool pass_link(Vec3 to, std::uint32_t label);
    /// What of here lies at the place as well.
    void stay(Vec3 at);

    [[nodiscard]] bool anywhere() const { return here_.size() > 0; }
    /// A place had more spots than can be judged; no answer counts any more.
    [[nodiscard]] bool full() const { return full_; }

  private:
    [[nodiscard]] bool open(std::uint32_t slot, const RoadmapArc& arc) const;
    [[nodiscard]] Vec3 position(std::uint32_t slot) const { return roadmap_.node({slot}).position; }
    [[nodiscard]] bool is_at(std::uint32_t slot, Vec3 place) const;
    [[nodiscard]] bool lies_on(const NetSpot& spot, Vec3 place, double& along) const;
    void find_on_arcs(std::uint32_t slot, Vec3 from, Vec3 at);
    void add(NetSpots& spots, const NetSpot& spot) { full_ = !spots.add(spot) || full_; }
    void drive_from(const NetSpot& from, Vec3 to);
    void arrive(std::uint32_t slot, std::uint32_t arc, Vec3 to, double past);
    [[nodiscard]] bool finish(Vec3 to);
    void close(Vec3 at);

    const RoadmapState& roadmap_;
    const EdgeFilter& filter_;
    double width_;
    const RoadmapScale& scale_;
    NetSpots here_;
    NetSpots next_;
    bool full_ = false;
};

}  // namespace fairlead::witness
