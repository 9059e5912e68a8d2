// The polygons of a mesh in memory, as a file holds them: corners that polygons share over sides become one vertex.
#include <cmath>

#include <fairlead/formats/mesh_file.h>

namespace fairlead::formats {

namespace {

/// Corners of all polygons in turn, joined where sides are.
class CornerJoiner {
  public:
    explicit CornerJoiner(const NavMeshState& mesh) : mesh_(mesh) {
        for (std::uint32_t i = 0; i < mesh.polygons(); ++i) {
            const PolygonId polygon = mesh.polygon(i);
            ids_.push_back(polygon);
            firsts_.push_back(static_cast<std::uint32_t>(leader_.size()));
            for (std::uint32_t c = 0; c < mesh.corners(polygon); ++c)
                leader_.push_back(static_cast<std::uint32_t>(leader_.size()));
        }
        for (std::uint32_t i = 0; i < ids_.size(); ++i) {
            if (ids_[i].value >= number_of_.size()) number_of_.resize(ids_[i].value + 1);
            number_of_[ids_[i].value] = i;
        }
        for (std::uint32_t i = 0; i < ids_.size(); ++i) {
            for (std::uint32_t c = 0; c < mesh.corners(ids_[i]); ++c) join_side(i, c);
        }
    }

    [[nodiscard]] MeshFile file() {
        MeshFile out;
        std::vector<std::uint32_t> vertex_of(leader_.size(), UINT32_MAX);
        for (std::uint32_t i = 0; i < ids_.size(); ++i) {
            const std::uint32_t count = mesh_.corners(ids_[i]);
            out.polygon_sizes.push_back(count);
            out.areas.push_back(mesh_.area(ids_[i]));
            for (std::uint32_t c = 0; c < count; ++c) {
                std::uint32_t& vertex = vertex_of[find(firsts_[i] + c)];
                if (vertex == UINT32_MAX) {
                    vertex = static_cast<std::uint32_t>(out.vertices.size());
                    out.vertices.push_back(mesh_.corner(ids_[i], c));
                }
                out.polygon_corners.push_back(vertex);
            }
        }
        return out;
    }

  private:
    [[nodiscard]] std::uint32_t find(std::uint32_t corner) {
        while (leader_[corner] != corner) corner = leader_[corner] = leader_[leader_[corner]];
        return corner;
    }
    // The first corner leads, so numbers do not depend on the order of joining.
    void join(std::uint32_t a, std::uint32_t b) {
        a = find(a);
        b = find(b);
        if (a < b) leader_[b] = a;
        if (b < a) leader_[a] = b;
    }
    // The neighbour's side that runs the other way, with the same ends on the ground.
    void join_side(std::uint32_t i, std::uint32_t c) {
        const PolygonId other = mesh_.neighbour(ids_[i], c);
        if (!other.valid()) return;
        const auto after = [this](PolygonId p, std::uint32_t k) {
            return k + 1 < mesh_.corners(p) ? k + 1 : 0;
        };
        const std::uint32_t next = after(ids_[i], c), k = number_of_[other.value];
        const Vec2 a = ground(mesh_.corner(ids_[i], c)), b = ground(mesh_.corner(ids_[i], next));
        for (std::uint32_t d = 0; d < mesh_.corners(other); ++d) {
            if (!(mesh_.neighbour(other, d) == ids_[i])) continue;
            const std::uint32_t end = after(other, d);
            if (!(ground(mesh_.corner(other, d)) == b) || !(ground(mesh_.corner(other, end)) == a)) continue;
            join(firsts_[i] + c, firsts_[k] + end);
            join(firsts_[i] + next, firsts_[k] + d);
            return;
        }
    }

    const NavMeshState& mesh_;
    std::vector<PolygonId> ids_;
    std::vector<std::uint32_t> firsts_;     ///< by polygon: its first corner
    std::vector<std::uint32_t> leader_;     ///< by corner
    std::vector<std::uint32_t> number_of_;  ///< by polygon id
};

}  // namespace

MeshFile mesh_file_of(const NavMeshState& mesh) { return CornerJoiner(mesh).file(); }

}  // namespace fairlead::formats
