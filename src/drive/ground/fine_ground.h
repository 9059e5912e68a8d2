// A map as a lattice with a finer pitch sees it: each cell cut into pitch x pitch.
#pragma once

#include <fairlead/drive/drive_ground.h>

namespace fairlead::drive {

class FineGround {
  public:
    /// `pitch` 1 or 2. The ground must outlive it.
    FineGround(const DriveGround& ground, std::int32_t pitch) : ground_(ground), pitch_(pitch) {}

    /// Valid while this object stays where it is.
    [[nodiscard]] DriveGround rows() const;

  private:
    static void read_free(const void* user, std::int32_t y, std::span<std::uint64_t> row);
    static void read_costs(const void* user, std::int32_t y, std::span<std::uint16_t> row);
    static void read_roads(const void* user, std::int32_t y, std::span<std::uint8_t> row);

    const DriveGround& ground_;
    std::int32_t pitch_;
};

}  // namespace fairlead::drive
