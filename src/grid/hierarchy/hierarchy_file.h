// A hierarchy's file, being read.
#pragma once

#include <span>

#include <fairlead/base/baked.h>
#include <fairlead/grid/save_hierarchy.h>

#include "base/section_loader.h"
#include "grid/editor.h"
#include "grid/hierarchy/stored_clusters.h"

namespace fairlead::grid {

inline constexpr std::uint16_t kHierarchyMajor = 1;
inline constexpr SectionKind kHierarchyOptions{four_letters("OPTS"), 16};
inline constexpr SectionKind kGroundSection{four_letters("GRND"), 1};
inline constexpr SectionKind kUpperSection{four_letters("UPPR"), 1};

/// What a file belongs to: hashes of the map's shape and sizes, and of their free cells.
struct HierarchyKey {
    std::uint64_t options = 0;
    std::uint64_t tiles = 0;

    [[nodiscard]] static HierarchyKey of(const StateData& state);
};

class HierarchyFile {
  public:
    /// Errors: those of Grid::load_hierarchy, but for what lies in the tables.
    [[nodiscard]] static Result<HierarchyFile> open(const GridState& grid,
                                                    std::span<const std::uint8_t> bytes);

    /// Of each registered size in turn, the last one last.
    [[nodiscard]] Result<void> load(EditorData& editor, const Body& body);

  private:
    explicit HierarchyFile(const StoredClusters& stored) : stored_(stored) {}

    StoredClusters stored_;
};

}  // namespace fairlead::grid
