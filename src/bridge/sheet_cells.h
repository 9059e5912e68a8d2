// A sheet of a level mesh as square cells: those that lie wholly on the surface, followed from cell to cell, so that a floor above or
// below does not count.
//
// A cell is on the sheet if the square slides to it from one that is. Where two floors of one sheet lie over each other, the one that is
// reached first has the cells; a cell beside which another floor has the next one, or a wall is between the two, is dropped: who goes from
// cell to cell would not know. So what keeps to the cells keeps to the surface.
#pragma once

#include <cstdint>

#include <fairlead/base/array.h>
#include <fairlead/math/vec.h>

#include "bridge/mesh_sweep.h"
#include "mesh/data/state.h"

namespace fairlead::bridge {

class SheetCells {
  public:
    explicit SheetCells(const Allocator& allocator)
        : sweep_(allocator), polygons_(allocator), queue_(allocator) {}

    /// No cell is known. `origin`: of cell (0, 0), from the mesh's. The state must outlive the cells. `inset`: by so much of its side a
    /// square is smaller than its cell; 0: squares that are flush with both walls of a corner may be refused. False: no memory.
    [[nodiscard]] bool begin(const mesh::StateData& state, Vec2 origin, double cell_size, std::int32_t width,
                             std::int32_t height, double inset, std::uint64_t closed_areas = 0);
    /// Takes in what hangs together with a cell (if that is on the sheet and not known); `polygon` is under its middle. False: no memory.
    [[nodiscard]] bool follow(std::uint32_t cell, std::uint32_t polygon);
    /// After the last follow().
    void finish();
    void drop(std::uint32_t cell) { polygons_[cell] = mesh::kNone; }

    [[nodiscard]] std::int32_t width() const { return width_; }
    [[nodiscard]] std::int32_t height() const { return height_; }
    [[nodiscard]] const MeshFrame& frame() const { return frame_; }
    [[nodiscard]] std::size_t size() const { return polygons_.size(); }
    /// Under the middle of a cell; mesh::kNone: it is not on the sheet.
    [[nodiscard]] std::uint32_t polygon(std::size_t cell) const { return polygons_[cell]; }
    [[nodiscard]] bool known(std::size_t cell) const { return polygons_[cell] != mesh::kNone; }
    [[nodiscard]] Vec2 middle_of(std::uint32_t cell) const {
        const auto n = static_cast<std::uint32_t>(width_);
        return {cell % n + 0.5, cell / n + 0.5};
    }

  private:
    [[nodiscard]] bool look_beside(std::uint32_t cell);

    const mesh::StateData* state_ = nullptr;
    MeshSweep sweep_;
    MeshFrame frame_{};
    std::int32_t width_ = 0;
    std::int32_t height_ = 0;
    Array<std::uint32_t> polygons_;
    Array<std::uint32_t> queue_;
};

}  // namespace fairlead::bridge
