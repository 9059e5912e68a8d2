// What can come to the goal: the poses of the lattice from which there is a way, looked through backward from it. Where that ends
// without a pose that the search has come to, there is no way; a goal in a corner that a unit can leave and not enter is
// known like that after few poses, however large the level is.
//
// First the poses near the goal from which a curve leads to it, the same that the search would try; then breadth first over the
// primitives that end in a pose, driven back, which sweep what they sweep.
#pragma once

#include <fairlead/base/array.h>

#include "bridge/mesh_lattice.h"

namespace fairlead::bridge {

class MeshGoalSide {
  public:
    explicit MeshGoalSide(const Allocator& allocator)
        : queue_(allocator), marks_(allocator), into_(allocator), found_(allocator) {}

    enum class Progress : std::uint8_t { running, met, ended, no_memory };

    void reset() { stage_ = Stage::fresh; }
    /// A unit is a pose opened, or a place near the goal. met: the search has come to one of them.
    [[nodiscard]] Progress step(MeshLattice& lattice, const DriveTable& table, std::uint64_t budget);

  private:
    enum class Stage : std::uint8_t { fresh, seeds, search };
    [[nodiscard]] bool begin(MeshLattice& lattice, const DriveTable& table);
    [[nodiscard]] bool add_seeds(MeshLattice& lattice, const DriveTable& table);
    [[nodiscard]] bool open(MeshLattice& lattice, const DriveTable& table, std::uint32_t pose);
    [[nodiscard]] bool mark(const MeshLattice& lattice, std::uint32_t place, std::int32_t heading);
    [[nodiscard]] static bool is_met(const MeshLattice& lattice, std::uint32_t state);

    Stage stage_ = Stage::fresh;
    bool met_ = false;
    std::uint32_t headings_ = 0;
    std::int32_t rings_ = 0;
    std::int32_t seed_x_ = 0;  ///< cells from the goal's, in rows
    std::int32_t seed_y_ = 0;
    std::size_t next_ = 0;
    Array<std::uint32_t> queue_;  ///< place x headings + heading
    Array<std::uint8_t> marks_;   ///< of those
    Array<std::uint32_t> into_;   ///< primitives ordered by the heading that they end in
    std::uint32_t first_[kHeadingsMax + 1] = {};
    Array<std::uint32_t> found_;  ///< polygons
};

}  // namespace fairlead::bridge
