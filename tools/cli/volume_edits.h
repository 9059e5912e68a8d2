// Edits of a volume at given times: --edits of `sim`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <fairlead/volume/volume.h>

#include "cli/sim_edits.h"

namespace fairlead::cli {

/// Lines `t_s,add|remove,id,x0,y0,z0,x1,y1,z1`: while a box is there, all voxels that it overlaps are solid. Where it goes again they are
/// as the file has them, but for those of other boxes.
class VolumeEdits : public SimEdits {
  public:
    VolumeEdits(const std::string& path, Volume& volume);
    bool apply_until(double now) override;

  private:
    struct Box {
        std::int64_t id = 0;
        VoxelBox voxels{};
    };
    void apply(const BoxLine& line);
    [[nodiscard]] VoxelBox voxels_of(const BoxLine& line) const;
    [[nodiscard]] std::vector<VolumeEdit> without(const VoxelBox& gone) const;

    Volume& volume_;
    VolumeSnapshot file_;  ///< as it was read
    std::string path_;
    std::vector<BoxLine> lines_;
    std::vector<Box> boxes_;  ///< that are there
    std::size_t next_ = 0;
};

}  // namespace fairlead::cli
