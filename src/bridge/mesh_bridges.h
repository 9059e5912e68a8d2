// Ways through gaps that no pose of the lattice lies in: from a pose of it along the way of a point, corner by corner by free
// curves close round each, back to the first poses of the lattice beyond.
//
// Tried where a search is stuck: where it has opened many poses since it last came nearer to the goal. It may be that a unit
// does not get through what a point gets through, or that its lattice has no pose there; then the search goes on as it would.
// A bridge is one more move of the lattice, so it changes no bound.
//
// Source: shots at a pose ahead as in Hybrid A* (Dolgov, Thrun, Montemerlo and Diebel 2010), aimed at the corners of the taut way.
#pragma once

#include <cstdint>
#include <span>

#include <fairlead/base/array.h>
#include <fairlead/search/cost.h>

#include "drive/curves/smooth_curves.h"

namespace fairlead::bridge {

class MeshLattice;

/// A move of several curves.
struct MeshBridge {
    std::uint32_t from = 0;  ///< states
    std::uint32_t to = 0;
    Cost cost = 0;
    std::uint32_t first = 0;  ///< its curves, each with the pose that it begins in
    std::uint32_t count = 0;
};

class MeshBridges {
  public:
    explicit MeshBridges(const Allocator& allocator) : bridges_(allocator), curves_(allocator) {}

    void begin() {
        bridges_.clear();
        curves_.clear();
        nearest_ = kCostMax;
        stuck_ = 0;
        failed_ = false;
    }
    /// Told of every pose opened, with its lower bound over the surface. True: now is the time to try.
    [[nodiscard]] FAIRLEAD_INLINE bool is_time(Cost ground) {
        if (ground < nearest_) {
            nearest_ = ground;
            stuck_ = 0;
            return false;
        }
        ++stuck_;
        const std::uint32_t every = stuck_ < kOften ? kEvery : stuck_ < kSeldom ? 4 * kEvery : 16 * kEvery;
        return stuck_ >= kPatience && stuck_ % every == 0;
    }
    /// The bridges from a state, new ones.
    [[nodiscard]] std::span<const MeshBridge> find(MeshLattice& lattice, std::uint32_t state);
    /// The cheapest one that joins two states; null: none.
    [[nodiscard]] const MeshBridge* joining(std::uint32_t from, std::uint32_t to) const;
    [[nodiscard]] std::span<const drive::ChainPose> curves(const MeshBridge& bridge) const {
        return curves_.span().subspan(bridge.first, bridge.count);
    }
    [[nodiscard]] bool failed() const { return failed_; }

  private:
    static constexpr std::uint32_t kPatience = 48;
    static constexpr std::uint32_t kEvery = 8;
    static constexpr std::uint32_t kOften = 256;  ///< from there on less often, and again from
    static constexpr std::uint32_t kSeldom = 1024;
    static constexpr int kCornersMax = 6;  ///< of one bridge

    struct Trial;
    struct Beside {
        drive::SheetPose pose[9];
        int count = 0;
    };
    static void list_beside(const MeshLattice& lattice, const Trial& trial, std::size_t i, Beside& out);
    [[nodiscard]] bool go_round(MeshLattice& lattice, Trial& trial, std::size_t i);
    [[nodiscard]] bool land(MeshLattice& lattice, Trial& trial);
    void keep(MeshLattice& lattice, const Trial& trial, const drive::FreeCurve& last, std::uint32_t to);

    Array<MeshBridge> bridges_;
    Array<drive::ChainPose> curves_;
    Cost nearest_ = kCostMax;
    std::uint32_t stuck_ = 0;
    bool failed_ = false;
};

}  // namespace fairlead::bridge
