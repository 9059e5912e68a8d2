// Stored clusters: what a file keeps of a hierarchy, and the proof of it when it is read.
//
// Kept is what is dear to make: of level 0 costs and next points, of upper levels costs and over which part they came about. What is cheap
// (entrances, points, parts) is made of the cells again, so that a file cannot lie about it. Each entry that is read must be a way: a
// chain of points that see each other and whose lengths add up to the cost, or two ways that are there already. So a forged file can
// make routes longer, but none illegal and no lookup endless.
#pragma once

#include <fairlead/base/bytes.h>

#include "grid/hierarchy/upper_cluster.h"

namespace fairlead::grid {

void put_stored(ByteWriter& out, const Cluster& cluster);
void put_stored(ByteWriter& out, const UpperCluster& cluster);

/// Reads the clusters in the order in which they were put; in place of making them. Once something is wrong nothing more is read.
class StoredClusters {
  public:
    StoredClusters(ByteReader ground, ByteReader upper) : ground_(ground), upper_(upper) {}

    /// Costs and next points into `s`, whose points are known. `crowded` as it was stored; then its points are cut to the entrances. False:
    /// wrong, or out of memory.
    [[nodiscard]] bool read_ground(const StateData& state, const Body& body, std::int32_t layer,
                                   std::size_t entrances, ClusterScratch& s, bool& crowded);
    /// Replaces the matrix and the links of `s`, which hold the direct costs alone, by the stored ones. False: wrong.
    [[nodiscard]] bool read_upper(std::size_t parts, std::size_t kept, ClusterScratch& s);

    [[nodiscard]] bool wrong() const { return wrong_; }
    /// What is wrong, or was read last, is of an upper level.
    [[nodiscard]] bool in_upper() const { return in_upper_; }
    /// Nothing is left to read.
    [[nodiscard]] bool at_end() const { return ground_.left() == 0 && upper_.left() == 0; }

  private:
    [[nodiscard]] bool fail() {
        wrong_ = true;
        return false;
    }
    [[nodiscard]] bool read_cell_ways(const StateData& state, const Body& body, std::int32_t layer,
                                      std::size_t entrances, ClusterScratch& s);
    [[nodiscard]] bool read_row(const ClusterSight& sight, std::size_t e, ClusterScratch& s);

    ByteReader ground_;
    ByteReader upper_;
    bool wrong_ = false;
    bool in_upper_ = false;
};

}  // namespace fairlead::grid
