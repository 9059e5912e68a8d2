// CoverageRun: one question about coverage on its way, place by place.
#pragma once

#include <fairlead/roadmap/coverage.h>

#include "roadmap/nearest.h"
#include "roadmap/price.h"

namespace fairlead::roadmap {

class CoverageRun {
  public:
    explicit CoverageRun(const Allocator& allocator) : walk_(allocator) {}

    void begin(const RoadmapState& state, const CoverageQuery& query, std::span<const Vec3> places,
               std::span<Cover> cover);
    void begin(const RoadmapState& state, const CoverageQuery& query, const CoverageArea& area,
               std::span<Cover> cover);
    std::uint64_t step(std::uint64_t units);
    [[nodiscard]] bool running() const { return running_; }
    [[nodiscard]] Result<CoverageCount> take() const;

  private:
    void begin(const RoadmapState& state, const CoverageQuery& query, std::span<Cover> cover,
               std::uint64_t places);
    void fail(const Error& error);
    [[nodiscard]] Vec3 place(std::uint64_t index) const;
    [[nodiscard]] bool clear(Vec3 a, Vec3 b);
    void end_place(Cover found);
    void stand();
    void recall();
    void look();

    /// What is to be done next about the place at hand.
    enum class Stage : std::uint8_t { stand, recall, look };

    RoadmapState state_{};
    CoverageQuery query_{};
    Sight sight_{};
    std::span<const Vec3> places_{};
    CoverageArea area_{};
    bool listed_ = false;
    std::span<Cover> cover_{};
    bool running_ = false;
    bool failed_ = false;
    Error error_{};
    CoverageCount count_{};

    std::uint64_t index_ = 0;
    Stage stage_ = Stage::stand;
    Vec3 at_{};
    double slack_squared_ = 0.0;
    double range_ = 0.0;
    std::uint32_t seen_ = kNoSlot;  ///< the waypoint that a place before saw
    bool tested_any_ = false;
    Vec3 tested_{};  ///< the last position looked at: both directions of an edge are one
    NearestWalk walk_;
};

}  // namespace fairlead::roadmap
