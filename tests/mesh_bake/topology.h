// What is joined to what, in cells and in polygons, as the characters of their parts: two surfaces with the same list have the same number
// of parts, and the parts the same number of holes.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <numeric>
#include <vector>

#include <fairlead/mesh_bake/baked_mesh.h>

#include "mesh_bake/floors.h"

namespace fairlead::testing {

class Sets {
  public:
    explicit Sets(std::size_t count) : parent_(count) {
        std::iota(parent_.begin(), parent_.end(), std::size_t{0});
    }
    std::size_t find(std::size_t i) {
        while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
        return i;
    }
    void join(std::size_t a, std::size_t b) { parent_[find(a)] = find(b); }

  private:
    std::vector<std::size_t> parent_;
};

/// Faces that are polygons with corners numbered one after the other, glued along edges.
struct Glued {
    std::vector<std::size_t> first;  ///< corners of face i: first[i] .. first[i + 1]
    std::vector<std::size_t>
        twin;  ///< of the edge from a corner to the next: that corner on the other side, or none
    static constexpr std::size_t kNothing = static_cast<std::size_t>(-1);

    /// Euler's number of each part (vertices - edges + faces), sorted.
    [[nodiscard]] std::vector<long> characters() const {
        const std::size_t faces = first.size() - 1;
        const std::size_t corners = twin.size();
        Sets parts(faces);
        Sets vertices(corners);
        std::vector<std::size_t> face_of(corners);
        std::vector<std::size_t> next(corners);
        for (std::size_t f = 0; f < faces; ++f) {
            for (std::size_t c = first[f]; c < first[f + 1]; ++c) {
                face_of[c] = f;
                next[c] = c + 1 == first[f + 1] ? first[f] : c + 1;
            }
        }
        std::vector<long> sum(faces, 0);
        for (std::size_t c = 0; c < corners; ++c) {
            if (twin[c] == kNothing) continue;
            parts.join(face_of[c], face_of[twin[c]]);
            vertices.join(c, next[twin[c]]);
            vertices.join(next[c], twin[c]);
        }
        for (std::size_t f = 0; f < faces; ++f) ++sum[parts.find(f)];
        for (std::size_t c = 0; c < corners; ++c) {
            const std::size_t part = parts.find(face_of[c]);
            if (twin[c] == kNothing || twin[c] > c) --sum[part];
            if (vertices.find(c) == c) ++sum[part];
        }
        std::vector<long> out;
        for (std::size_t f = 0; f < faces; ++f) {
            if (parts.find(f) == f) out.push_back(sum[f]);
        }
        std::sort(out.begin(), out.end());
        return out;
    }
};

/// The floors that are left, glued along links. Parts with fewer than `least` floors are left out.
inline Glued glue(const bake::Floors& floors) {
    Glued out;
    std::vector<std::size_t> face(floors.size(), Glued::kNothing);
    out.first.push_back(0);
    for (std::uint32_t i = 0; i < floors.size(); ++i) {
        if (floors.area[i] == 0) continue;
        face[i] = out.first.size() - 1;
        out.first.push_back(out.first.back() + 4);
    }
    out.twin.assign(out.first.back(), Glued::kNothing);
    // Corner k of a square starts its side k: -y, +x, +y, -x.
    constexpr std::size_t kDirection[4] = {3, 0, 1, 2};
    for (std::uint32_t i = 0; i < floors.size(); ++i) {
        if (floors.area[i] == 0) continue;
        for (std::size_t k = 0; k < 4; ++k) {
            const std::uint32_t other = floors.link[4 * std::size_t{i} + kDirection[k]];
            if (other == bake::kNone) continue;
            out.twin[out.first[face[i]] + k] = out.first[face[other]] + (k + 2) % 4;
        }
    }
    return out;
}

/// Edges with the same vertices in the same direction, or in opposite ones where `across` does not say that they are one.
inline int count_wrong_numbers(const bake::BakedMesh& mesh) {
    int wrong = 0;
    for (const bake::BakedTile& tile : mesh.tiles) {
        std::map<std::array<std::uint32_t, 2>, std::array<std::uint32_t, 2>>
            seen;  // ends to polygon and across
        for (std::uint32_t p = 0; p < tile.polygon_count; ++p) {
            const bake::BakedPolygon& polygon = mesh.polygons[tile.first_polygon + p];
            for (std::uint32_t i = 0; i < polygon.count; ++i) {
                const auto at = [&](std::uint32_t k) {
                    return mesh.corners[tile.first_corner + polygon.first + k % polygon.count];
                };
                const std::uint32_t across = mesh.across[tile.first_corner + polygon.first + i];
                const auto back = seen.find({at(i + 1), at(i)});
                if (back != seen.end() && (back->second != std::array<std::uint32_t, 2>{across, p})) ++wrong;
                if (!seen.insert({{at(i), at(i + 1)}, {p, across}}).second) ++wrong;
            }
        }
    }
    return wrong;
}

/// The polygons of all tiles, glued along what `across` says, over borders of tiles by equal ends. Edges that lack their other side
/// are counted.
inline Glued glue(const bake::BakedMesh& mesh, int& faults) {
    Glued out;
    out.first.push_back(0);
    faults = 0;
    using End = std::array<double, 6>;
    std::map<End, std::size_t> open;
    const auto end_of = [](Vec3 a, Vec3 b) { return End{a.x, a.y, a.z, b.x, b.y, b.z}; };
    for (const bake::BakedTile& tile : mesh.tiles) {
        for (std::uint32_t p = 0; p < tile.polygon_count; ++p)
            out.first.push_back(out.first.back() + mesh.polygons[tile.first_polygon + p].count);
    }
    out.twin.assign(out.first.back(), Glued::kNothing);
    std::size_t face = 0;
    for (const bake::BakedTile& tile : mesh.tiles) {
        const std::size_t face_base = face;
        const auto vertex = [&](const bake::BakedPolygon& p, std::uint32_t i) {
            return mesh.corners[tile.first_corner + p.first + i % p.count];
        };
        for (std::uint32_t p = 0; p < tile.polygon_count; ++p, ++face) {
            const bake::BakedPolygon& polygon = mesh.polygons[tile.first_polygon + p];
            for (std::uint32_t i = 0; i < polygon.count; ++i) {
                const std::uint32_t across = mesh.across[tile.first_corner + polygon.first + i];
                std::size_t& twin = out.twin[out.first[face] + i];
                const std::uint32_t from = vertex(polygon, i);
                const std::uint32_t to = vertex(polygon, i + 1);
                if (across == bake::kAcrossWall) continue;
                if (bake::leads_to_tile(across)) {
                    const Vec3 a = mesh.vertices[tile.first_vertex + from];
                    const Vec3 b = mesh.vertices[tile.first_vertex + to];
                    const auto other = open.find(end_of(b, a));
                    if (other == open.end()) {
                        faults += open.emplace(end_of(a, b), out.first[face] + i).second ? 0 : 1;
                    } else {
                        twin = other->second;
                        out.twin[twin] = out.first[face] + i;
                        open.erase(other);
                    }
                    continue;
                }
                if (across >= tile.polygon_count) {
                    ++faults;
                    continue;
                }
                const bake::BakedPolygon& other = mesh.polygons[tile.first_polygon + across];
                bool found = false;
                for (std::uint32_t j = 0; j < other.count; ++j) {
                    if (vertex(other, j) != to || vertex(other, j + 1) != from) continue;
                    if (mesh.across[tile.first_corner + other.first + j] != p) continue;
                    twin = out.first[face_base + across] + j;
                    found = true;
                }
                faults += found ? 0 : 1;
            }
        }
    }
    faults += static_cast<int>(open.size()) + count_wrong_numbers(mesh);
    return out;
}

}  // namespace fairlead::testing
