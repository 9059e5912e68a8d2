// The directed sides of the polygons of a mesh file, sorted: which polygon runs along from one vertex to another.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include <fairlead/formats/mesh_file.h>

namespace fairlead::formats {

struct MeshSide {
    std::uint64_t key;  ///< from vertex << 32 | to vertex
    std::uint32_t polygon;
    std::uint32_t corner;  ///< place of the from vertex in polygon_corners
};

class MeshSides {
  public:
    static constexpr std::uint32_t kNone = 0xffffffffU;

    [[nodiscard]] static std::uint64_t bytes(const MeshFile& mesh) {
        return std::uint64_t{mesh.polygon_corners.size()} * sizeof(MeshSide);
    }

    explicit MeshSides(const MeshFile& mesh) {
        sides_.reserve(mesh.polygon_corners.size());
        std::uint32_t first = 0;
        for (std::uint32_t p = 0; p < mesh.polygon_sizes.size(); ++p) {
            const std::uint32_t size = mesh.polygon_sizes[p];
            for (std::uint32_t i = 0; i < size; ++i) {
                const std::uint32_t to = mesh.polygon_corners[first + (i + 1 < size ? i + 1 : 0)];
                sides_.push_back({key(mesh.polygon_corners[first + i], to), p, first + i});
            }
            first += size;
        }
        const auto before = [](const MeshSide& a, const MeshSide& b) {
            return a.key != b.key ? a.key < b.key : a.corner < b.corner;
        };
        std::sort(sides_.begin(), sides_.end(), before);  // total order
    }

    /// The first one of several; null if no polygon has this side.
    [[nodiscard]] const MeshSide* find(std::uint32_t from, std::uint32_t to) const {
        const std::uint64_t wanted = key(from, to);
        const auto at = std::lower_bound(sides_.begin(), sides_.end(), wanted,
                                         [](const MeshSide& side, std::uint64_t k) { return side.key < k; });
        return at != sides_.end() && at->key == wanted ? &*at : nullptr;
    }
    /// kNone if no polygon has this side.
    [[nodiscard]] std::uint32_t polygon(std::uint32_t from, std::uint32_t to) const {
        const MeshSide* side = find(from, to);
        return side != nullptr ? side->polygon : kNone;
    }

  private:
    static std::uint64_t key(std::uint32_t from, std::uint32_t to) { return std::uint64_t{from} << 32 | to; }

    std::vector<MeshSide> sides_;
};

}  // namespace fairlead::formats
