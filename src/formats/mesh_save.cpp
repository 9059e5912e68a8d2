#include <initializer_list>

#include <fairlead/formats/mesh_file.h>
#include <fairlead/formats/number.h>

#include "formats/mesh_sides.h"

namespace fairlead::formats {

namespace {

// What lies around each vertex, counter-clockwise; -1 between polygons that do not share a side there.
class VertexFans {
  public:
    VertexFans(const MeshFile& mesh, const MeshSides& sides)
        : mesh_(mesh), sides_(sides), ring_(mesh.polygon_corners.size()) {
        std::uint32_t first = 0;
        for (std::uint32_t p = 0; p < mesh.polygon_sizes.size(); ++p) {
            const std::uint32_t size = mesh.polygon_sizes[p];
            for (std::uint32_t i = 0; i < size; ++i)
                ring_[first + i] = {p, first + (i > 0 ? i : size) - 1, first + (i + 1 < size ? i + 1 : 0)};
            first += size;
        }
        corners_at_.resize(mesh.vertices.size());
        for (std::uint32_t c = 0; c < ring_.size(); ++c) corners_at_[mesh.polygon_corners[c]].push_back(c);
        used_.resize(ring_.size());
    }

    void list(std::uint32_t vertex, std::vector<std::int64_t>& out) {
        out.clear();
        for (const std::uint32_t corner : corners_at_[vertex]) {  // fans begin beside a wall
            if (sides_.find(vertex_at(ring_[corner].next), vertex) == nullptr) {
                walk(vertex, corner, out);
                out.push_back(-1);
            }
        }
        for (const std::uint32_t corner : corners_at_[vertex]) {  // or have no end
            if (!used_[corner]) walk(vertex, corner, out);
        }
    }

  private:
    struct Corner {
        std::uint32_t polygon = 0, previous = 0, next = 0;
    };

    [[nodiscard]] std::uint32_t vertex_at(std::uint32_t corner) const {
        return mesh_.polygon_corners[corner];
    }

    void walk(std::uint32_t vertex, std::uint32_t corner, std::vector<std::int64_t>& out) {
        while (!used_[corner]) {
            used_[corner] = true;
            out.push_back(ring_[corner].polygon);
            const MeshSide* side = sides_.find(vertex, vertex_at(ring_[corner].previous));
            if (side == nullptr) return;
            corner = side->corner;
        }
    }

    const MeshFile& mesh_;
    const MeshSides& sides_;
    std::vector<Corner> ring_;
    std::vector<std::vector<std::uint32_t>> corners_at_;
    std::vector<bool> used_;
};

void append_numbers(std::string& out, std::initializer_list<double> numbers, char between) {
    bool first = true;
    for (const double number : numbers) {
        if (!first) out += between;
        first = false;
        append_number(out, number);
    }
}

void append_entry(std::string& out, std::int64_t value) {
    out += ' ';
    append_number(out, value);
}

}  // namespace

std::string save_polyanya_mesh(const MeshFile& mesh) {
    const MeshSides sides(mesh);
    VertexFans fans(mesh, sides);
    std::string out = "mesh\n2\n";
    append_number(out, static_cast<std::uint64_t>(mesh.vertices.size()));
    append_entry(out, static_cast<std::int64_t>(mesh.polygon_sizes.size()));
    out += '\n';
    std::vector<std::int64_t> around;
    for (std::uint32_t v = 0; v < mesh.vertices.size(); ++v) {
        append_numbers(out, {mesh.vertices[v].x, mesh.vertices[v].y}, ' ');
        fans.list(v, around);
        append_entry(out, static_cast<std::int64_t>(around.size()));
        for (const std::int64_t polygon : around) append_entry(out, polygon);
        out += '\n';
    }
    const std::uint32_t* ring = mesh.polygon_corners.data();
    for (const std::uint32_t size : mesh.polygon_sizes) {
        append_number(out, std::uint64_t{size});
        for (std::uint32_t i = 0; i < size; ++i) append_entry(out, ring[i]);
        for (std::uint32_t i = 0; i < size; ++i) {
            const std::uint32_t across = sides.polygon(ring[i], ring[i > 0 ? i - 1 : size - 1]);
            append_entry(out, across == MeshSides::kNone ? -1 : std::int64_t{across});
        }
        out += '\n';
        ring += size;
    }
    return out;
}

std::string save_heights(const MeshFile& mesh) {
    std::string out = "# x,y,height of each vertex\n";
    for (const Vec3& vertex : mesh.vertices) {
        append_numbers(out, {vertex.x, vertex.y, vertex.z}, ',');
        out += '\n';
    }
    return out;
}

std::string save_mesh_obj(const MeshFile& mesh) {
    std::string out;
    for (const Vec3& vertex : mesh.vertices) {
        out += "v ";
        append_numbers(out, {vertex.x, vertex.z, 0.0 - vertex.y}, ' ');
        out += '\n';
    }
    const std::uint32_t* ring = mesh.polygon_corners.data();
    int area = -1;
    for (std::size_t p = 0; p < mesh.polygon_sizes.size(); ++p) {
        const int own = mesh.areas.empty() ? 0 : mesh.areas[p];
        if (own != area && !mesh.areas.empty()) {
            out += "g area_";
            append_number(out, std::int64_t{own});
            out += '\n';
        }
        area = own;
        out += 'f';
        for (std::uint32_t i = 0; i < mesh.polygon_sizes[p]; ++i)
            append_entry(out, std::int64_t{ring[i]} + 1);
        out += '\n';
        ring += mesh.polygon_sizes[p];
    }
    return out;
}

}  // namespace fairlead::formats
