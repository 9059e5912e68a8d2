// The way that the lattice search found, as poses and curves.
#pragma once

#include "drive/lattice/lattice_query.h"

#include "drive/lattice/grid_lattice.h"

namespace fairlead::drive {

struct ChainPose;
struct DriveWork;

/// What each primitive costs, for a search; on terrain for each cell that it passes. False: out of memory.
[[nodiscard]] bool fill_steps(const MapData& map, const LatticeQuery& query, DriveWork& work);

/// What fill_steps found, for maps whose cells differ.
[[nodiscard]] StepCosts step_costs(const MapData& map, const DriveWork& work);

/// Fills DriveWork::chain from the search's nodes, in slices.
class ChainWork {
  public:
    /// To the node `last`. Both must outlive it. False: out of memory.
    [[nodiscard]] bool begin(const MapData& map, DriveWork& work, std::uint32_t last);
    /// Some of its poses. True: there are more.
    [[nodiscard]] bool step();
    /// Out of memory.
    [[nodiscard]] bool failed() const { return failed_; }

  private:
    [[nodiscard]] bool add_next();

    const MapData* map_ = nullptr;
    DriveWork* work_ = nullptr;
    std::size_t next_ = 0;  // of the path
    bool failed_ = false;
};

/// The same at once.
[[nodiscard]] bool fill_chain(const MapData& map, DriveWork& work, std::uint32_t last);

/// Which gear the unit starts in is free, and so is that of turns on the spot before it moves.
void free_first_gear(std::span<ChainPose> chain);

/// The curve from one lattice pose to another that is one move away.
[[nodiscard]] FreeCurve curve_between(const MapData& map, const CurveWorld& curves, const LatticePose& from,
                                      const LatticePose& to);

}  // namespace fairlead::drive
