// Which components can be come to over links: what tells that there is no way, without a search of the mesh.
#pragma once

#include <cstdint>

#include <fairlead/base/array.h>

#include "mesh/data/state.h"
#include "mesh/surface/surface.h"

namespace fairlead::mesh {

class LinkReach {
  public:
    explicit LinkReach(const Allocator& allocator)
        : stamps_(allocator), queue_(allocator), sides_{Side(allocator), Side(allocator)} {}

    /// For another query, with links of some kinds closed.
    void begin(std::uint64_t closed_kinds) {
        closed_ = closed_kinds;
        known_ = false;
        asked_ = 0;
    }
    /// Can one come from one component, the same for the whole query, to another? From what the state knows (link_graph.h); where
    /// that does not say, or kinds are closed that there are, by a search from both ends at once. Cost: 0.1 us; 5 ns more for each arc
    /// that is searched. False: out of memory.
    [[nodiscard]] bool ask(const StateData& state, std::uint32_t from, std::uint32_t to, bool& reached);
    /// All that can be come to. False: out of memory.
    [[nodiscard]] bool find(const StateData& state, std::uint32_t from);
    /// After find().
    [[nodiscard]] ComponentSet set() const { return {stamps_.data(), stamp_}; }

  private:
    static constexpr std::uint32_t kAskedMax = 8;  ///< for more goals all that can be come to is found

    struct Side {
        explicit Side(const Allocator& a) : stamps(a), queue(a) {}
        Array<std::uint32_t> stamps;  ///< by node
        Array<std::uint32_t> queue;
        std::size_t next = 0;
        std::size_t steps = 0;
    };
    [[nodiscard]] bool search(const LinkGraph& graph, std::uint32_t from, std::uint32_t to, bool& reached);
    [[nodiscard]] bool go_on(const LinkGraph& graph, int side, std::uint32_t wanted, bool& reached);

    std::uint64_t closed_ = 0;
    Array<std::uint32_t> stamps_;  ///< by component
    Array<std::uint32_t> queue_;
    Side sides_[2];  ///< from the start, from the goal
    std::uint32_t stamp_ = 0;
    std::uint32_t search_stamp_ = 0;
    std::uint32_t asked_ = 0;
    bool known_ = false;
};

}  // namespace fairlead::mesh
