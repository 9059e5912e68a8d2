// Shortest ways from voxel to voxel, exact: over faces (6 neighbours), edges as well (18), corners as well (26). A step
// over an edge or a corner needs all voxels of the 2 x 2 x 1 or 2 x 2 x 2 block that it crosses: the rule of the
// published costs of the Warframe maps. Shares no code with the library.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "oracle/volume_dense.h"

namespace fairlead::oracle {

enum class VolumeSteps : std::uint8_t { faces, edges, corners };

/// faces + edges sqrt 2 + corners sqrt 3. Two different ones are never equal; for up to 10,000 of each long double
/// tells them apart.
struct VolumeCost {
    std::int32_t faces = 0;
    std::int32_t edges = 0;
    std::int32_t corners = 0;

    [[nodiscard]] long double value() const {
        return faces + edges * 1.41421356237309504880168872421L + corners * 1.73205080756887729352744634151L;
    }
    friend bool operator==(const VolumeCost&, const VolumeCost&) = default;
};

class VolumeGraph {
  public:
    explicit VolumeGraph(const VolumeDense& world, VolumeSteps steps = VolumeSteps::corners);

    /// Is the step from a free voxel to a neighbour allowed? `by` has -1, 0, 1 on each axis.
    [[nodiscard]] bool step_free(Voxel from, Voxel by) const;
    [[nodiscard]] const std::vector<Voxel>& steps() const { return moves_; }

    struct Way {
        VolumeCost cost{};
        std::vector<Voxel> voxels{};  ///< from the first to the last
    };
    /// A*; none: there is no way, or an end is solid.
    [[nodiscard]] std::optional<Way> shortest(Voxel from, Voxel to) const;
    /// Costs to all voxels by Dijkstra's algorithm; below 0: there is no way.
    [[nodiscard]] std::vector<long double> costs_from(Voxel from) const;

  private:
    [[nodiscard]] VolumeCost least(Voxel from, Voxel to) const;

    const VolumeDense& world_;
    VolumeSteps allowed_;
    std::vector<Voxel> moves_;
};

}  // namespace fairlead::oracle
