// Triangles of every kind for tests of voxels.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include <fairlead/base/rng.h>
#include <fairlead/raster/voxels.h>

#include "raster/voxel_oracle.h"

namespace fairlead::testing::voxel_models {

struct Model {
    std::vector<Vec3> vertices;
    std::vector<std::uint32_t> triangles;

    void add(Vec3 a, Vec3 b, Vec3 c) {
        for (const Vec3& p : {a, b, c}) {
            triangles.push_back(static_cast<std::uint32_t>(vertices.size()));
            vertices.push_back(p);
        }
    }
    [[nodiscard]] TriangleSoup soup() const { return {.vertices = vertices, .triangles = triangles}; }
    [[nodiscard]] std::vector<StepTriangle> steps(const VoxelFrame& frame) const {
        std::vector<StepTriangle> out;
        for (std::size_t i = 0; i + 2 < triangles.size(); i += 3) {
            StepTriangle t{};
            for (std::size_t k = 0; k < 3; ++k) t.corner[k] = to_steps(vertices[triangles[i + k]], frame);
            out.push_back(t);
        }
        return out;
    }
};

inline VoxelFrame frame_of(std::int32_t x, std::int32_t y, std::int32_t z) {
    VoxelFrame frame;
    frame.size[0] = x, frame.size[1] = y, frame.size[2] = z;
    return frame;
}

enum Kind {
    kAnywhere,
    kTiny,
    kSliver,
    kOnFaces,
    kUpright,
    kSegment,
    kPoint,
    kSmall,
    kDiagonal,
    kHuge,
    kKinds
};

// Corners in voxels. Coarse steps make corners, edges and planes fall on the faces, edges and corners of voxels.
inline void add_random(Rng& rng, Model& model, Kind kind, double side) {
    const double steps[] = {1.0, 2.0, 8.0, 8192.0};
    const double step = steps[rng.below(4)];
    const auto snap = [step](double v) { return std::floor(v * step) / step; };
    const auto place = [&](double reach) {
        return Vec3{snap(rng.between(-reach, reach)), snap(rng.between(-reach, reach)),
                    snap(rng.between(-reach, reach))};
    };
    const Vec3 at =
        Vec3{snap(rng.between(0.0, side)), snap(rng.between(0.0, side)), snap(rng.between(0.0, side))};
    Vec3 a = at, b = at, c = at;
    switch (kind) {
        case kAnywhere: b = at + place(side), c = at + place(side); break;
        case kTiny: b = at + place(0.7), c = at + place(0.7); break;
        case kSmall: b = at + place(2.2), c = at + place(2.2); break;
        case kSliver: b = at + place(side), c = b + (at - b) * 0.5 + place(0.1); break;
        case kOnFaces:
            b = at + place(5), c = at + place(5);
            (rng.below(3) == 0 ? b.x = c.x = a.x = std::floor(a.x)
                               : (rng.below(2) == 0 ? b.y = c.y = a.y = std::floor(a.y)
                                                    : b.z = c.z = a.z = std::floor(a.z)));
            break;
        case kUpright:
            b = at + place(4),
            c = rng.below(2) == 0 ? Vec3{b.x, b.y, at.z + 3.0} : Vec3{at.x, at.y + 2.5, at.z};
            break;
        case kSegment: b = at + place(3), c = rng.below(2) == 0 ? b : at + (b - at) * 2.0; break;
        case kPoint: break;
        case kDiagonal: {
            const double s = std::floor(rng.between(1.0, 4.0));
            b = at + Vec3{s, -s, 0}, c = at + Vec3{0, s, -s};
            break;
        }
        default: b = at + place(60000), c = at + place(60000); break;
    }
    model.add(a, b, c);
}

}  // namespace fairlead::testing::voxel_models
