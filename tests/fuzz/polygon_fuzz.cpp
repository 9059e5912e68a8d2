// libFuzzer target; README.md in this folder says how to build it. The bytes are points of one of several kinds (lattices,
// sizes far apart, nearly on lines) and segments between them; what must hold is in tests/polygon/*_check.h.
#include <fairlead/base/assert.h>
#include <fairlead/polygon/polygon.h>

#include <cmath>
#include <cstring>
#include <vector>

#include "polygon/convex_check.h"

namespace {

using namespace fairlead;

/// A point of the kind that `kind` says, from two numbers.
Vec2 point_of(int kind, std::int16_t x, std::int16_t y) {
    const Vec2 p{static_cast<double>(x), static_cast<double>(y)};
    switch (kind) {
        case 1: return p * (1.0 / 256);
        case 2: return {static_cast<double>(x % 16), static_cast<double>(y % 16)};
        case 3: return p * 0.1;
        case 4: return {std::ldexp(x & 0xff, (x >> 8) % 24), std::ldexp(y & 0xff, (y >> 8) % 24)};
        case 5: return {x % 4 + (x >> 8) * 1e-9, y % 4 + (y >> 8) * 1e-9};
        case 6: return {static_cast<double>(x % 4), (y % 256) * 1e-7};
        default: return p;
    }
}

void drive_polygon(const std::uint8_t* data, std::size_t size) {
    if (size < 2) return;
    std::vector<Vec2> points;
    std::vector<ConstraintSegment> segments;
    const int fineness = (data[0] >> 3) % 16;
    const TriangulateOptions options{.quantum = fineness % 4 == 0 ? 0.0 : std::ldexp(1.0, -fineness),
                                     .vertices_max = 3000};
    std::size_t at = 2;
    for (int left = data[1] % 28; left > 0 && at + 4 <= size; --left, at += 4) {
        std::int16_t pair[2];
        std::memcpy(pair, data + at, sizeof pair);
        points.push_back(point_of(data[0] & 7, pair[0], pair[1]));
    }
    const auto count = static_cast<std::uint32_t>(points.size());
    for (; count > 0 && at + 2 <= size && segments.size() < 24; at += 2) {
        segments.push_back({data[at] % count, data[at + 1] % count, 1U << (segments.size() % 4)});
    }
    static PolygonScratch scratch;
    static Triangulation mesh;
    static ConvexPolygons polygons;
    static Array<std::uint32_t> parity;
    const Result<void> made = triangulate_into(points, segments, options, scratch, mesh);
    if (!made) {
        FAIRLEAD_ASSERT(made.error().code == ErrorCode::out_of_range);  // too fine a quantum
        return;
    }
    FAIRLEAD_ASSERT(polygon_test::any_fault(mesh, points, segments, mesh.triangles() < 80).empty());
    FAIRLEAD_ASSERT(mesh.deviation <= 6 * mesh.quantum);
    FAIRLEAD_ASSERT(find_parity_into(mesh, segments, scratch, parity).has_value());
    for (std::uint32_t& region : parity) region = region == 0 ? kNoRegion : region;
    const MergeOptions merge{.keep_labels = data[0] & 3U, .drop_straight = (data[1] & 64) != 0};
    FAIRLEAD_ASSERT(merge_convex_into(mesh, parity.span(), merge, scratch, polygons).has_value());
    const std::string fault =
        polygon_test::convex_fault(polygon_test::shapes_of(mesh.vertices.span(), polygons));
    // Its areas are those of doubles: no judgement where coordinates are of very different size.
    FAIRLEAD_ASSERT(fault.empty() || fault == "runs around twice");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    drive_polygon(data, size);
    return 0;
}
