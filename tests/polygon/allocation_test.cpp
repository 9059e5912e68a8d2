#include <fairlead/polygon/polygon.h>
#include <gtest/gtest.h>

#include <vector>

#include "mesh_check.h"
#include "support/environment.h"
#include "support/test_allocator.h"
#include "worlds.h"

namespace fairlead::polygon_test {
namespace {

using testing::TestAllocator;

struct Job {
    Rings rings;
    std::vector<SegmentSides> sides;
};

Job make_job(std::uint64_t seed) {
    Rng rng(seed);
    Job job{random_rings(rng, 12, 20, 40), {}};
    for (const std::uint32_t ring : job.rings.ring) job.sides.push_back({ring, kNoRegion});
    return job;
}

struct Outputs {
    explicit Outputs(const Allocator& a)
        : mesh(a), parity(a), winding(a), region(a), polygons(a), outline(a) {}
    Triangulation mesh;
    Array<std::uint32_t> parity;
    Array<std::int32_t> winding;
    Array<std::uint32_t> region;
    ConvexPolygons polygons;
    OutlineMesh outline;
};

/// Everything the module does; the first error.
ErrorCode run(const Job& job, PolygonScratch& scratch, Outputs& out) {
    const Rings& rings = job.rings;
    const Result<void> made =
        triangulate_into(rings.points, rings.segments, {.quantum = 0x1p-10}, scratch, out.mesh);
    if (!made) return made.error().code;
    const Result<RegionConflicts> parity = find_parity_into(out.mesh, rings.segments, scratch, out.parity);
    if (!parity) return parity.error().code;
    const Result<RegionConflicts> winding =
        find_winding_into(out.mesh, rings.segments, 7, scratch, out.winding);
    if (!winding) return winding.error().code;
    const Result<RegionConflicts> region = find_regions_into(out.mesh, job.sides, scratch, out.region);
    if (!region) return region.error().code;
    const Result<void> merged =
        merge_convex_into(out.mesh, out.parity.span(), {.corners_max = 8}, scratch, out.polygons);
    if (!merged) return merged.error().code;
    const Result<void> outline =
        outline_to_convex_into({.points = rings.points, .sizes = rings.sizes}, scratch, out.outline);
    return outline ? ErrorCode::count_ : outline.error().code;
}

TEST(PolygonAllocation, AWarmCallAllocatesNothing) {
    TestAllocator memory;
    {
        PolygonScratch scratch(memory.allocator());
        Outputs out(memory.allocator());
        for (std::uint64_t seed = 0; seed < 20; ++seed) {
            const Job job = make_job(seed);
            ASSERT_EQ(run(job, scratch, out), ErrorCode::count_);
            const std::int64_t calls = memory.calls;
            ASSERT_EQ(run(job, scratch, out), ErrorCode::count_);
            EXPECT_EQ(memory.calls, calls);
        }
        EXPECT_GT(memory.calls, 0);
        scratch.free_memory();
    }
    EXPECT_EQ(memory.live_blocks, 0);
    EXPECT_EQ(memory.live_bytes, 0);
}

TEST(PolygonAllocation, EveryAllocationMayFail) {
    const Job job = make_job(4);
    TestAllocator counter;
    {
        PolygonScratch scratch(counter.allocator());
        Outputs out(counter.allocator());
        ASSERT_EQ(run(job, scratch, out), ErrorCode::count_);
    }
    for (std::int64_t fail = 0; fail < counter.calls; ++fail) {
        TestAllocator memory;
        memory.fail_from_call = fail;
        {
            PolygonScratch scratch(memory.allocator());
            Outputs out(memory.allocator());
            ASSERT_EQ(run(job, scratch, out), ErrorCode::out_of_memory) << fail;
            memory.fail_from_call = -1;
            ASSERT_EQ(run(job, scratch, out), ErrorCode::count_) << fail;
            ASSERT_EQ(any_fault(out.mesh, job.rings.points, job.rings.segments, false), "");
        }
        ASSERT_EQ(memory.live_blocks, 0) << fail;
        ASSERT_EQ(memory.live_bytes, 0) << fail;
    }
}

TEST(PolygonAllocation, ScratchMoves) {
    TestAllocator memory;
    {
        PolygonScratch one(memory.allocator());
        Outputs out(memory.allocator());
        ASSERT_EQ(run(make_job(1), one, out), ErrorCode::count_);
        PolygonScratch two(std::move(one));
        const std::int64_t calls = memory.calls;
        ASSERT_EQ(run(make_job(1), two, out), ErrorCode::count_);
        EXPECT_EQ(memory.calls, calls);
        PolygonScratch three(memory.allocator());
        three = std::move(two);
        ASSERT_EQ(run(make_job(1), three, out), ErrorCode::count_);
        EXPECT_EQ(memory.calls, calls);
    }
    EXPECT_EQ(memory.live_blocks, 0);
}

}  // namespace
}  // namespace fairlead::polygon_test
