// How a table is made: what each corner sees (corner_view.h), the lines between corners, their labels (make_labels.h).
#pragma once

#include <fairlead/mesh/mesh_table.h>

#include "base/owned.h"
#include "mesh_table/corner_view.h"
#include "mesh_table/make_labels.h"

namespace fairlead::mesh {

class TableBuilder {
  public:
    TableBuilder(const StateData& state, const MeshTableOptions& options, TableData& out)
        : state_(state), options_(options), out_(out), fans_(options.allocator), groups_(options.allocator) {}

    [[nodiscard]] Result<void> build();

  private:
    /// What some corners, one behind the other, see.
    struct Group {
        explicit Group(const Allocator& allocator)
            : parts(allocator), part_counts(allocator), corners(allocator), corner_counts(allocator) {}
        Array<SeenPart> parts;
        Array<std::uint32_t> part_counts;  ///< by corner
        Array<std::uint32_t> corners;
        Array<std::uint32_t> corner_counts;  ///< by corner
        bool failed = false;                 ///< no memory
        bool too_large = false;
    };
    struct Round {
        TableBuilder* builder = nullptr;
        std::size_t first = 0;  ///< group
    };

    [[nodiscard]] bool find_fans();
    [[nodiscard]] Result<void> look_from_all();
    void look_from(Group& group, std::uint32_t first);
    [[nodiscard]] bool sort_sights();
    [[nodiscard]] bool join_lines(LineGraph& graph);
    [[nodiscard]] Result<void> label(const LineGraph& graph);
    [[nodiscard]] bool report(std::size_t done) const;
    [[nodiscard]] Error too_large() const;
    template <class Visit>
    void each_line(Visit visit) const;

    const StateData& state_;
    const MeshTableOptions& options_;
    TableData& out_;
    Array<CornerFan> fans_;
    Owned<Group> groups_;
};

}  // namespace fairlead::mesh
