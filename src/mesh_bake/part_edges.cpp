// Edges that have the same two vertices and are not the same edge are told apart by a vertex in the middle of one of them.
//
// Two layers that are joined in two places share vertices in both. The side of a bridge and a line on the ground under it may then run
// from vertex to vertex alike, and whoever joins polygons by the numbers of their vertices would step off the bridge.

#include <algorithm>

#include "base/no_memory.h"
#include "mesh_bake/tile.h"

namespace fairlead::bake {

namespace {

struct Half {
    std::uint64_t ends = 0;  ///< the lower vertex first
    std::uint32_t corner = 0;
    std::uint32_t polygon = 0;
};

struct EdgeParter {
    BakedMesh& out;
    const TileStart& start;
    Array<Half> halves;
    Array<std::uint32_t> middle;  ///< by corner: the vertex to put behind it, or kNone

    [[nodiscard]] std::uint32_t& corner(std::uint32_t i) { return out.corners[start.corner + i]; }
    [[nodiscard]] std::uint32_t across(std::uint32_t i) const { return out.across[start.corner + i]; }

    [[nodiscard]] bool gather() {
        if (!halves.resize_uninitialized(out.corners.size() - start.corner)) return false;
        for (std::size_t p = start.polygon; p < out.polygons.size(); ++p) {
            const BakedPolygon& polygon = out.polygons[p];
            for (std::uint32_t i = 0; i < polygon.count; ++i) {
                const std::uint32_t a = corner(polygon.first + i);
                const std::uint32_t b = corner(polygon.first + (i + 1 == polygon.count ? 0 : i + 1));
                const std::uint64_t low = std::min(a, b);
                halves[polygon.first + i] = {low << 32 | std::max(a, b), polygon.first + i,
                                             static_cast<std::uint32_t>(p - start.polygon)};
            }
        }
        const auto before = [](const Half& a, const Half& b) {
            return a.ends != b.ends ? a.ends < b.ends : a.corner < b.corner;
        };
        std::sort(halves.begin(), halves.end(), before);  // total order: a corner is there once
        return true;
    }

    [[nodiscard]] bool are_one(const Half& a, const Half& b) const {
        return across(a.corner) == b.polygon && across(b.corner) == a.polygon;
    }

    // The other half of halves[i] in first .. last; last for none.
    [[nodiscard]] std::size_t partner(std::size_t i, std::size_t first, std::size_t last) const {
        for (std::size_t j = first; j < last; ++j) {
            if (j != i && are_one(halves[i], halves[j])) return j;
        }
        return last;
    }

    [[nodiscard]] bool split(std::size_t i, std::size_t other, std::size_t last) {
        if (middle.empty()) {
            if (!middle.resize_uninitialized(halves.size())) return false;
            std::fill(middle.begin(), middle.end(), kNone);
        }
        const Vec3 a = out.vertices[start.vertex + static_cast<std::size_t>(halves[i].ends >> 32)];
        const Vec3 b = out.vertices[start.vertex + static_cast<std::size_t>(halves[i].ends & 0xffffffffU)];
        const auto id = static_cast<std::uint32_t>(out.vertices.size() - start.vertex);
        if (!out.vertices.push_back({0.5 * (a.x + b.x), 0.5 * (a.y + b.y), 0.5 * (a.z + b.z)})) return false;
        middle[halves[i].corner] = id;
        if (other != last) middle[halves[other].corner] = id;
        return true;
    }

    // One edge keeps its two vertices: one that leads to another tile if there is one, since that tile has it too.
    [[nodiscard]] bool part(std::size_t first, std::size_t last) {
        std::size_t kept = first;
        for (std::size_t i = first; i < last; ++i) {
            if (leads_to_tile(across(halves[i].corner))) kept = i;
        }
        const std::size_t kept_too = partner(kept, first, last);
        for (std::size_t i = first; i < last; ++i) {
            if (i == kept || i == kept_too || leads_to_tile(across(halves[i].corner))) continue;
            if (!middle.empty() && middle[halves[i].corner] != kNone) continue;
            if (!split(i, partner(i, first, last), last)) return false;
        }
        return true;
    }

    // The corners again, with the new vertices between them.
    [[nodiscard]] bool rebuild() {
        Array<std::uint32_t> corners(out.corners.allocator());
        Array<std::uint32_t> sides(out.corners.allocator());
        for (std::size_t p = start.polygon; p < out.polygons.size(); ++p) {
            BakedPolygon& polygon = out.polygons[p];
            const std::uint32_t old = polygon.first;
            const std::uint32_t count = polygon.count;
            polygon.first = static_cast<std::uint32_t>(corners.size());
            for (std::uint32_t i = old; i < old + count; ++i) {
                if (!corners.push_back(corner(i)) || !sides.push_back(across(i))) return false;
                if (middle[i] == kNone) continue;
                if (!corners.push_back(middle[i]) || !sides.push_back(across(i))) return false;
            }
            polygon.count = static_cast<std::uint32_t>(corners.size()) - polygon.first;
        }
        const std::size_t size = start.corner + corners.size();
        if (!out.corners.resize_uninitialized(size) || !out.across.resize_uninitialized(size)) return false;
        std::copy(corners.begin(), corners.end(), out.corners.begin() + start.corner);
        std::copy(sides.begin(), sides.end(), out.across.begin() + start.corner);
        return true;
    }

    [[nodiscard]] bool run() {
        if (!gather()) return false;
        for (std::size_t first = 0; first < halves.size();) {
            std::size_t last = first + 1;
            while (last < halves.size() && halves[last].ends == halves[first].ends) ++last;
            const bool one =
                last - first == 1 || (last - first == 2 && are_one(halves[first], halves[first + 1]));
            if (!one && !part(first, last)) return false;
            first = last;
        }
        return middle.empty() || rebuild();
    }
};

}  // namespace

Result<void> part_edges(const Settings& settings, const TileStart& start, BakedMesh& out) {
    EdgeParter parter{out, start, Array<Half>(settings.allocator), Array<std::uint32_t>(settings.allocator)};
    return parter.run() ? Result<void>{} : kNoMemory;
}

}  // namespace fairlead::bake
