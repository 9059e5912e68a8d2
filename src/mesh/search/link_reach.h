// Which components can be come to over links: what tells that there is no way, without a search.
#pragma once

#include <cstdint>

#include <fairlead/base/array.h>

#include "mesh/data/state.h"
#include "mesh/surface/surface.h"

namespace fairlead::mesh {

class LinkReach {
  public:
    explicit LinkReach(const Allocator& allocator) : stamps_(allocator), queue_(allocator) {}

    /// For another query.
    void begin() { known_ = false; }
    /// Breadth first over the arcs between components, with links of some kinds closed; once for each query. Cost: 10 ns an arc
    /// that can be come to. False: out of memory.
    [[nodiscard]] bool find(const StateData& state, std::uint32_t from, std::uint64_t closed_kinds);
    /// After find().
    [[nodiscard]] bool holds(std::uint32_t component) const { return stamps_[component] == stamp_; }
    [[nodiscard]] ComponentSet set() const { return {stamps_.data(), stamp_}; }

  private:
    Array<std::uint32_t> stamps_;  ///< by component
    Array<std::uint32_t> queue_;
    std::uint32_t stamp_ = 0;
    bool known_ = false;
};

}  // namespace fairlead::mesh
