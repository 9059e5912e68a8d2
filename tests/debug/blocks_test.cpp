// Blocks and their isometric view, against rays through all boxes; what searches in volumes tell, against their counts.
#include <fairlead/debug/block_view.h>
#include <fairlead/debug/blocks.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <fairlead/base/rng.h>
#include <fairlead/debug/trace.h>
#include <fairlead/volume/find_route.h>

#include "debug/record.h"
#include "scenes/spaces.h"
#include "support/environment.h"

namespace fairlead::debug {
namespace {

using testing::all_trials;
using testing::Drawn;
using testing::Record;
using testing::trials;

Volume empty_volume(Voxel size) {
    Result<Volume> volume =
        Volume::make({.origin = {3.0, -2.0, 5.0}, .voxel_size = {0.5, 1.0, 2.0}, .size = size});
    EXPECT_TRUE(volume.has_value());
    return std::move(*volume);
}

Blocks make_blocks(const VolumeState& volume, const BlocksOptions& options = {}) {
    Result<Blocks> blocks = Blocks::make(volume, options);
    EXPECT_TRUE(blocks.has_value());
    return std::move(*blocks);
}

bool is_drawn(std::uint8_t paint) { return paint != BlockPaint::kNone && paint != BlockPaint::kCutAway; }

template <class Visit>
void each_block(Voxel size, const Visit& visit) {
    for (std::int32_t z = 0; z < size.z; ++z) {
        for (std::int32_t y = 0; y < size.y; ++y) {
            for (std::int32_t x = 0; x < size.x; ++x) visit(Voxel{x, y, z});
        }
    }
}

void paint_some(Rng& rng, Blocks& blocks) {
    const double share = rng.between(0.05, 0.7);
    const std::uint8_t paints[] = {BlockPaint::kSolid, BlockPaint::kSolid, BlockPaint::kCutAway,
                                   BlockPaint::kPath, BlockPaint::kHeat + 3};
    each_block(blocks.size(), [&](Voxel v) {
        if (rng.between(0.0, 1.0) > share) return;
        const auto which = static_cast<std::size_t>(rng.below(5));
        blocks.set(v, paints[which], static_cast<std::uint32_t>(rng.below(3)));
    });
}

// ---------------------------------------------------------------- the oracle: rays through boxes

/// Towards the eye, in blocks.
Vec3 to_eye(int quarter) {
    return {quarter == 2 || quarter == 3 ? -1.0 : 1.0, quarter == 1 || quarter == 2 ? -1.0 : 1.0, 1.0};
}

/// Where p + t d is inside of a block, and through which axis it leaves towards the eye.
bool cross(Vec3 p, Vec3 d, Voxel v, double& low, double& high, int& axis) {
    const double at[3] = {p.x, p.y, p.z}, by[3] = {d.x, d.y, d.z};
    const double box[3] = {1.0 * v.x, 1.0 * v.y, 1.0 * v.z};
    low = -1e300, high = 1e300;
    for (int k = 0; k < 3; ++k) {
        const double a = (box[k] - at[k]) / by[k], b = (box[k] + 1.0 - at[k]) / by[k];
        low = std::max(low, std::min(a, b));
        if (std::max(a, b) < high) high = std::max(a, b), axis = k;
    }
    return low < high;
}

struct Seen {
    std::uint8_t paint = BlockPaint::kNone;
    int axis = -1;
    friend bool operator<(const Seen& a, const Seen& b) {
        return std::pair{a.paint, a.axis} < std::pair{b.paint, b.axis};
    }
};

/// What stands first on the line through a place.
Seen first_seen(const Blocks& blocks, Vec3 p, Vec3 d) {
    Seen seen;
    double nearest = -1e300;
    each_block(blocks.size(), [&](Voxel v) {
        if (!is_drawn(blocks.paint_at(v))) return;
        double low = 0, high = 0;
        int axis = -1;
        if (!cross(p, d, v, low, high, axis) || high < nearest) return;
        nearest = high;
        Voxel before = v;
        (axis == 0   ? before.x
         : axis == 1 ? before.y
                     : before.z) += (axis == 0   ? d.x
                                     : axis == 1 ? d.y
                                                 : d.z) > 0
                                        ? 1
                                        : -1;
        const bool cut =
            blocks.paint_at(v) == BlockPaint::kSolid && blocks.paint_at(before) == BlockPaint::kCutAway;
        seen = {cut ? BlockPaint::kSection : blocks.paint_at(v), axis};
    });
    return seen;
}

bool is_behind_something(const Blocks& blocks, Vec3 p, Vec3 d) {
    bool found = false;
    each_block(blocks.size(), [&](Voxel v) {
        double low = 0, high = 0;
        int axis = -1;
        found = found || (is_drawn(blocks.paint_at(v)) && cross(p, d, v, low, high, axis) && high > 1e-7);
    });
    return found;
}

bool is_inside(const std::vector<Vec3>& ring, Vec2 p) {
    bool in = false;
    for (std::size_t i = 0; i < ring.size(); ++i) {
        const Vec3 a = ring[i], b = ring[(i + 1) % ring.size()];
        if ((a.y > p.y) != (b.y > p.y) && p.x < a.x + (b.x - a.x) * ((p.y - a.y) / (b.y - a.y))) in = !in;
    }
    return in;
}

Vec3 random_place(Rng& rng, Voxel size, double rim) {
    const double x = rng.between(-rim, size.x + rim);
    const double y = rng.between(-rim, size.y + rim);
    const double z = rng.between(-rim, size.z + rim);
    return {x, y, z};
}

Voxel random_size(Rng& rng) {
    const auto x = static_cast<std::int32_t>(rng.below(7)) + 1;
    const auto y = static_cast<std::int32_t>(rng.below(7)) + 1;
    const auto z = static_cast<std::int32_t>(rng.below(7)) + 1;
    return {x, y, z};
}

TEST(BlockView, EveryPlaceShowsWhatStandsFirst) {
    Rng rng(41);
    std::size_t hits = 0, misses = 0;
    for (int trial = 0; trial < trials(240); ++trial) {
        const Volume volume = empty_volume(random_size(rng));
        Blocks blocks = make_blocks(volume);
        paint_some(rng, blocks);
        const int quarter = trial % 4;
        const Result<BlockView> view = BlockView::make(blocks, {.quarter = quarter});
        ASSERT_TRUE(view.has_value());
        Record record;
        view->draw(record.sink());
        const std::vector<Drawn> faces = record.group("faces");
        std::map<Seen, Color> colors;
        for (int i = 0; i < 60; ++i) {
            const Vec3 p = random_place(rng, blocks.size(), 1.0);
            const Seen seen = first_seen(blocks, p, to_eye(quarter));
            const Vec2 at = view->map(blocks.in_world(p));
            std::size_t covers = 0, below = 0;
            Color color{};
            for (const Drawn& face : faces) {
                if (!is_inside(face.points, at)) continue;
                if (face.fill == faces.front().fill) {
                    ++below;
                } else {
                    ++covers;
                    color = face.fill.color;
                }
            }
            ASSERT_EQ(covers, seen.axis < 0 ? 0U : 1U) << trial;
            ASSERT_EQ(below, covers);
            (seen.axis < 0 ? misses : hits) += 1;
            if (seen.axis < 0) continue;
            const auto [known, fresh] = colors.emplace(seen, color);
            EXPECT_EQ(known->second, color) << "one look has one color";
            if (!fresh) continue;
            for (const auto& [other, with] : colors) EXPECT_TRUE(&with == &known->second || !(with == color));
        }
    }
    if (all_trials()) {
        EXPECT_GT(std::min(hits, misses), 2000U);
    }
}

TEST(BlockView, LinesAreSeenWhereNothingStandsBeforeThem) {
    Rng rng(42);
    std::size_t seen = 0, hidden = 0;
    for (int trial = 0; trial < trials(400); ++trial) {
        const Volume volume = empty_volume(random_size(rng));
        Blocks blocks = make_blocks(volume);
        paint_some(rng, blocks);
        const int quarter = trial % 4;
        const Result<BlockView> view = BlockView::make(blocks, {.quarter = quarter});
        ASSERT_TRUE(view.has_value());
        const Vec3 a = random_place(rng, blocks.size(), 2.0);
        Vec3 b = random_place(rng, blocks.size(), 2.0);
        if (trial % 5 == 1) b.z = a.z;
        if (trial % 5 == 2) b.x = a.x, b.y = a.y;
        const Vec3 ends[] = {blocks.in_world(a), blocks.in_world(b)};
        Record record;
        view->draw_line(ends, record.sink(), {.seen = {.width = 3}, .hidden = {.width = 1}, .casing = false});
        const Vec2 from = view->map(ends[0]), along = view->map(ends[1]) - from;
        if (!(length(along) > 1e-3)) continue;
        for (int i = 0; i < 40; ++i) {
            const double t = rng.between(0.0, 1.0);
            const Vec3 p = a + (b - a) * t;
            const bool behind = is_behind_something(blocks, p, to_eye(quarter));
            ASSERT_EQ(view->is_hidden(blocks.in_world(p)), behind);
            std::size_t pieces[2] = {0, 0};
            bool near_end = false;
            for (const Drawn& piece : record.group("line")) {
                const double t0 = dot(ground(piece.points[0]) - from, along) / dot(along, along);
                const double t1 = dot(ground(piece.points[1]) - from, along) / dot(along, along);
                near_end = near_end || std::fabs(t - t0) < 1e-6 || std::fabs(t - t1) < 1e-6;
                if (t0 < t && t < t1) ++pieces[piece.stroke.width < 2 ? 1 : 0];
            }
            if (near_end) continue;
            ASSERT_EQ(pieces[0], behind ? 0U : 1U) << trial;
            ASSERT_EQ(pieces[1], behind ? 1U : 0U) << trial;
            (behind ? hidden : seen) += 1;
        }
    }
    if (all_trials()) {
        EXPECT_GT(std::min(seen, hidden), 3000U);
    }
}

TEST(BlockView, FarAndBrokenPlacesAreLeftOut) {
    const Volume volume = empty_volume({4, 5, 6});
    const Blocks blocks = make_blocks(volume);
    const Result<BlockView> view = BlockView::make(blocks);
    ASSERT_TRUE(view.has_value());
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const Vec3 points[] = {
        {3, -2, 5}, {nan, 0, 0}, {1e300, 0, 0}, {4, 0, std::numeric_limits<double>::infinity()}, {3, -2, 5}};
    Record record;
    view->draw_line(points, record.sink(), {.shadow = true});
    EXPECT_TRUE(record.group("line").empty());
    EXPECT_FALSE(view->is_hidden(points[1]));
    EXPECT_FALSE(view->is_hidden(points[2]));
}

// Outward faces that close: what they hold is the volume of the blocks.
TEST(Blocks, FacesInSpaceCloseAroundThem) {
    Rng rng(43);
    for (int trial = 0; trial < trials(200); ++trial) {
        const Volume volume = empty_volume(random_size(rng));
        Blocks blocks = make_blocks(volume);
        paint_some(rng, blocks);
        std::size_t count = 0;
        each_block(blocks.size(), [&](Voxel v) { count += is_drawn(blocks.paint_at(v)) ? 1 : 0; });
        Record record;
        draw(blocks, record.sink());
        double six = 0.0;
        for (const Drawn& face : record.group("blocks")) {
            ASSERT_EQ(face.points.size(), 4U);
            for (std::size_t i = 1; i + 1 < 4; ++i)
                six += dot(face.points[0], cross(face.points[i], face.points[i + 1]));
        }
        EXPECT_NEAR(six / 6.0, static_cast<double>(count) * 0.5 * 1.0 * 2.0, 1e-9);
    }
}

TEST(Blocks, SolidVoxelsOfARegionAndCutAway) {
    const scenes::Space space = scenes::sealed_object();
    Result<Volume> volume = space.make();
    ASSERT_TRUE(volume.has_value());
    const VoxelBox region{{10, 12, 3}, {51, 45, 36}};
    for (const std::int32_t side : {1, 4}) {
        Blocks blocks = make_blocks(*volume, {.region = region, .side = side});
        paint_solid(blocks, *volume, space.shown);
        each_block(blocks.size(), [&](Voxel b) {
            std::size_t solid = 0, shown = 0;
            each_block({side, side, side}, [&](Voxel in) {
                const Voxel v{region.low.x + b.x * side + in.x, region.low.y + b.y * side + in.y,
                              region.low.z + b.z * side + in.z};
                if (!region.contains(v) && side == 1) return;
                if (!volume->state().in_bounds(v) || volume->state().is_free(v)) return;
                ++solid;
                shown += space.shown.contains(v) ? 1 : 0;
            });
            ASSERT_EQ(blocks.paint_at(b), shown > 0   ? BlockPaint::kSolid
                                          : solid > 0 ? BlockPaint::kCutAway
                                                      : BlockPaint::kNone);
        });
    }
    EXPECT_EQ(Blocks::make(*volume, {.side = 0}).error().code, ErrorCode::out_of_range);
    EXPECT_EQ(Blocks::make(*volume, {.region = {{70, 0, 0}, {80, 5, 5}}}).error().field, Field::box);
    const Volume huge = empty_volume({1 << 10, 1 << 10, 1 << 10});
    EXPECT_EQ(Blocks::make(huge).error().code, ErrorCode::size_limit);
    EXPECT_TRUE(Blocks::make(huge, {.side = 16}).has_value());
}

// ---------------------------------------------------------------- what searches tell

struct Told {
    Volume volume;
    Route route;
    Trace trace;
};

void ask(const scenes::Space& space, VolumePlanner planner, Told& told) {
    Scratch scratch;
    VolumeQuery query{.start = space.start, .goal = space.goal};
    query.planner = planner;
    Result<Route> route = find_route(told.volume, query, scratch, {.trace = told.trace.hook()});
    ASSERT_TRUE(route.has_value());
    ASSERT_EQ(route->status, PathStatus::complete);
    told.route = std::move(*route);
}

void expect_boxes(const Told& told, bool by_voxels) {
    EXPECT_EQ(told.trace.count(TraceKind::expand), told.route.stats.expanded);
    const Voxel size = told.volume.state().size();
    for (const TraceEvent& event : told.trace.events()) {
        ASSERT_TRUE(event.has_box());
        const double at[3] = {event.position.x, event.position.y, event.z};
        const double low[3] = {event.low.x, event.low.y, event.low.z},
                     high[3] = {event.high.x, event.high.y, event.high.z};
        const double sizes[3] = {1.0 * size.x, 1.0 * size.y, 1.0 * size.z};
        for (int k = 0; k < 3; ++k) {
            ASSERT_LE(low[k], at[k]);
            ASSERT_LE(at[k], high[k]);
            ASSERT_GE(low[k], 0.0);
            ASSERT_LE(high[k], sizes[k]);
            ASSERT_LE(high[k] - low[k], by_voxels ? 1.0 : 16.0);
        }
        if (!by_voxels) continue;
        ASSERT_TRUE(told.volume.state().is_free(told.volume.state().voxel_at({at[0], at[1], at[2]})));
    }
}

TEST(VolumeTrace, TellsEveryNodeWithItsBox) {
    bool guided = false;
    for (const scenes::Space& space :
         {scenes::asteroid_field(), scenes::tunnels(), scenes::sealed_object(), scenes::sea()}) {
        for (const VolumePlanner planner : {VolumePlanner::any_angle, VolumePlanner::astar}) {
            Result<Volume> volume = space.make();
            ASSERT_TRUE(volume.has_value());
            Told told{std::move(*volume), {}, Trace{}};
            ask(space, planner, told);
            expect_boxes(told, planner == VolumePlanner::astar);
            // All are painted, but cells of the guide.
            Blocks blocks = make_blocks(told.volume);
            std::uint64_t cells = 0;
            for (const TraceEvent& event : told.trace.events())
                cells += event.kind == TraceKind::expand && event.high.x - event.low.x > 8.0 ? 1 : 0;
            guided = guided || cells > 0;
            EXPECT_EQ(paint_searched(blocks, told.trace.events()) + cells, told.route.stats.expanded);
            EXPECT_LT(paint_searched(blocks, told.trace.events(), {.order_end = 20}), 20U);
        }
    }
    EXPECT_TRUE(guided);
}

TEST(VolumeTrace, JsonHasTheBoxes) {
    Trace trace;
    SearchEvent event{.kind = TraceEventKind::expanded};
    event.at.position = event.left = event.right = {1.5, 2.5, 3.5};
    event.low = {1, 2, 3};
    event.high = {2, 3, 4};
    trace.add(event);
    Array<char> text;
    ASSERT_TRUE(write_trace_json(trace.events(), text).has_value());
    const std::string json(text.begin(), text.size());
    EXPECT_NE(json.find("[1,1.5,2.5,1.5,2.5,0,[3.5,1,2,3,2,3,4]]"), std::string::npos) << json;
}

TEST(VolumeTrace, PathAndCounts) {
    const scenes::Space space = scenes::tunnels();
    Result<Volume> volume = space.make();
    ASSERT_TRUE(volume.has_value());
    Told told{std::move(*volume), {}, Trace{}};
    ask(space, VolumePlanner::astar, told);
    Blocks path = make_blocks(told.volume);
    paint_path(path, told.route);
    // Every place of the route lies in a block of it or on its side.
    for (std::size_t i = 0; i < told.route.legs.size(); ++i) {
        const Vec3 a = told.route.legs[i].start.position, b = leg_end(told.route, i).position;
        for (int k = 0; k <= 200; ++k) {
            const Vec3 p = a + (b - a) * (k / 200.0);
            bool found = false;
            for (int corner = 0; corner < 8; ++corner) {
                const auto at = [&](double v, int bit) {
                    return static_cast<std::int32_t>(std::floor(v + ((corner & bit) != 0 ? 1e-9 : -1e-9)));
                };
                found = found || path.paint_at({at(p.x, 1), at(p.y, 2), at(p.z, 4)}) == BlockPaint::kPath;
            }
            ASSERT_TRUE(found);
        }
    }
    std::size_t painted = 0;
    each_block(path.size(), [&](Voxel v) { painted += path.paint_at(v) == BlockPaint::kPath ? 1 : 0; });
    EXPECT_LT(static_cast<double>(painted), 3.0 * told.route.line_cost + 3.0);

    // Counted apart, by a map.
    std::map<std::vector<std::int32_t>, std::uint64_t> counts;
    for (const TraceEvent& event : told.trace.events()) {
        if (event.kind != TraceKind::expand) continue;
        ++counts[{static_cast<std::int32_t>(event.low.x) / 4, static_cast<std::int32_t>(event.low.y) / 4,
                  static_cast<std::int32_t>(event.low.z) / 4}];
    }
    std::uint64_t most = 0;
    for (const auto& [cube, count] : counts) most = std::max(most, count);
    Blocks heat = make_blocks(told.volume);
    EXPECT_EQ(paint_counts(heat, told.trace.events(), 4), most);
    std::map<std::uint64_t, std::uint8_t> paints;
    each_block(heat.size(), [&](Voxel v) {
        const auto found = counts.find({v.x / 4, v.y / 4, v.z / 4});
        ASSERT_EQ(heat.paint_at(v) != BlockPaint::kNone, found != counts.end());
        if (found == counts.end()) return;
        paints.emplace(found->second, heat.paint_at(v));
        ASSERT_EQ(paints[found->second], heat.paint_at(v));
    });
    std::uint8_t last = 0;
    for (const auto& [count, paint] : paints) {
        EXPECT_GE(paint, last);
        last = paint;
    }
    EXPECT_EQ(last, BlockPaint::kHeat + BlockPaint::kHeatPaints - 1);
    EXPECT_EQ(paints.begin()->second, BlockPaint::kHeat);
}

}  // namespace
}  // namespace fairlead::debug
