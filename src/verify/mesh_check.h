// The order of all checks of one route over a level mesh. verify_mesh.h says what they are.
#pragma once

#include <cstddef>
#include <cstdint>

#include <fairlead/verify/verify_mesh.h>

#include "verify/mesh_sheet.h"

namespace fairlead::witness {

class MeshCheck {
  public:
    MeshCheck(const Route& route, const NavMeshState& mesh, const Agent& agent,
              const MeshVerifyOptions& options);
    MeshCheck(const MeshCheck&) = delete;
    MeshCheck& operator=(const MeshCheck&) = delete;

    [[nodiscard]] Violation run();

  private:
    [[nodiscard]] bool arguments_judged() const;
    [[nodiscard]] Violation check_legs();
    [[nodiscard]] Violation check_leg(std::size_t i);
    [[nodiscard]] Violation check_link(std::size_t i) const;
    [[nodiscard]] double off_link(const MeshLinkState& link, bool back, const Leg& leg,
                                  const Place& next) const;
    [[nodiscard]] Violation check_leg_end(std::size_t i, const Track& track) const;
    [[nodiscard]] Violation check_stand();
    [[nodiscard]] Violation sweep(std::int64_t index, const Leg& leg, const Track& track);
    [[nodiscard]] Violation sweep_piece(std::int64_t index, const Leg& leg, const Track& track, double from,
                                        double to);
    [[nodiscard]] Violation check_walls(std::int64_t index, const Leg& leg, double from, double radius,
                                        double slack);
    [[nodiscard]] Violation check_body(std::int64_t index, const Leg& leg, const MeshTrack& track,
                                       double from, double slack);
    [[nodiscard]] Violation check_heights(std::int64_t index, const Leg& leg);
    [[nodiscard]] Violation not_known(std::int64_t index, const Leg& leg) const;
    /// Tells how far the start is from the height of the nearest floor.
    double put_starts(const Place& place);

    [[nodiscard]] Track track_of(const Leg& leg) const;
    [[nodiscard]] double size_at(double distance) const;
    [[nodiscard]] double threshold(double size) const;
    [[nodiscard]] Violation report(ViolationKind kind, std::int64_t index, const Leg& leg, double begin,
                                   double worst, double depth) const;

    const Route& route_;
    const NavMeshState& mesh_;
    Agent agent_;
    const MeshVerifyOptions& options_;
    BodyCore body_{};  ///< what is compared with the mesh
    bool disc_ = true;
    bool judged_ = false;  ///< the arguments can be
    double extent_ = 0.0;  ///< of the mesh on the ground
    double slack_ = 0.0;
    MeshSheet sheet_;
    double unit_radius_ = 0.0;  ///< as given
    Array<PolygonId> here_;     ///< the polygons that the walk is in
    bool placed_ = false;       ///< they are known; else the next leg starts anew
    bool lost_ = false;         ///< there was no memory for them
};

}  // namespace fairlead::witness
