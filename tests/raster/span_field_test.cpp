// The span field beside clipping in long double, column by column; spans beside a bitmap; order, boxes and lanes.

#include <fairlead/raster/span_field.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <vector>

#include <gtest/gtest.h>

#include <fairlead/base/rng.h>

#include "raster/row_piece.h"
#include "support/environment.h"
#include "support/test_allocator.h"

namespace fairlead {
namespace {

using Point = std::array<long double, 3>;
using Polygon = std::vector<Point>;

// Sutherland and Hodgman: the part with sign * (p[axis] - at) >= 0.
Polygon clip(const Polygon& in, int axis, long double at, int sign) {
    Polygon out;
    const auto side = [&](const Point& p) {
        return static_cast<long double>(sign) * (p[static_cast<std::size_t>(axis)] - at);
    };
    for (std::size_t i = 0; i < in.size(); ++i) {
        const Point& a = in[i];
        const Point& b = in[(i + 1) % in.size()];
        const long double da = side(a);
        const long double db = side(b);
        if (da >= 0) out.push_back(a);
        if ((da > 0 && db < 0) || (da < 0 && db > 0)) {
            const long double t = da / (da - db);
            Point p;
            for (std::size_t k = 0; k < 3; ++k) p[k] = a[k] + t * (b[k] - a[k]);
            p[static_cast<std::size_t>(axis)] = at;
            out.push_back(p);
        }
    }
    return out;
}

struct Expected {
    bool touched = false;  ///< by the closed column
    bool inside = false;   ///< by the half-open column
    long double low = 0;
    long double high = 0;
};

Expected expected(const GridTriangle& t, std::int32_t x, std::int32_t y) {
    Polygon polygon;
    for (std::size_t k = 0; k < 3; ++k) polygon.push_back({t.x[k], t.y[k], t.z[k]});
    polygon = clip(polygon, 0, x, 1);
    polygon = clip(polygon, 0, x + 1, -1);
    polygon = clip(polygon, 1, y, 1);
    polygon = clip(polygon, 1, y + 1, -1);
    Expected out;
    if (polygon.empty()) return out;
    out.touched = true;
    out.low = out.high = polygon[0][2];
    long double x_low = polygon[0][0];
    long double y_low = polygon[0][1];
    for (const Point& p : polygon) {
        out.low = std::min(out.low, p[2]);
        out.high = std::max(out.high, p[2]);
        x_low = std::min(x_low, p[0]);
        y_low = std::min(y_low, p[1]);
    }
    out.inside = x_low < x + 1 && y_low < y + 1;
    // A side that meets the column in one corner alone may miss it by rounding.
    bool corner = true;
    for (const Point& p : polygon)
        corner = corner && std::abs(p[0] - std::round(p[0])) < 1e-9L &&
                 std::abs(p[1] - std::round(p[1])) < 1e-9L && std::abs(p[0] - polygon[0][0]) < 1e-9L &&
                 std::abs(p[1] - polygon[0][1]) < 1e-9L;
    if (corner) out.inside = false;
    return out;
}

GridTriangle random_triangle(Rng& rng, double size, int kind) {
    GridTriangle t{};
    const double steps = kind % 3 == 0 ? 1.0 : (kind % 3 == 1 ? 4.0 : 16384.0);
    for (int k = 0; k < 3; ++k) {
        t.x[k] = std::floor(rng.between(0.0, size) * steps) / steps;
        t.y[k] = std::floor(rng.between(0.0, size) * steps) / steps;
        t.z[k] = std::floor(rng.between(-10.0, 10.0) * steps) / steps;
    }
    if (kind % 5 == 1) t.z[1] = t.z[2] = t.z[0];
    if (kind % 5 == 2) t.x[1] = t.x[2] = t.x[0];
    if (kind % 5 == 3) t.y[1] = t.y[2] = t.y[0];
    if (kind % 7 == 4) {
        t.x[2] = t.x[1];
        t.y[2] = t.y[1];
    }
    if (kind % 11 == 5) {
        for (double& x : t.x) x = std::floor(x / size * 16384.0) / 16384.0 + 3.0;  // a column
    }
    t.area = 1 + rng.below(3);
    return t;
}

struct Heights {
    std::int32_t low, high;
    std::uint32_t area;
    friend bool operator==(const Heights&, const Heights&) = default;
};

std::vector<Heights> spans_at(const SpanField& field, std::int32_t x, std::int32_t y) {
    std::vector<Heights> out;
    const Span* at = field.row(y) + (x - field.box().x0);
    if (at->high <= at->low) return out;
    for (;;) {
        out.push_back({at->low, at->high, at->area});
        if (at->above == 0) return out;
        at = field.upper() + at->above;
    }
}

bool equal_fields(const SpanField& a, const SpanField& b, const CellBox& box) {
    for (std::int32_t y = box.y0; y < box.y1; ++y) {
        for (std::int32_t x = box.x0; x < box.x1; ++x) {
            if (spans_at(a, x, y) != spans_at(b, x, y)) return false;
        }
    }
    return true;
}

TEST(SpanField, OneTriangleIsAsClippedColumnByColumn) {
    Rng rng(11);
    const CellBox box{-1, -1, 13, 13};
    const int rounds = testing::trials(4000);
    for (int round = 0; round < rounds; ++round) {
        const GridTriangle t = random_triangle(rng, round % 4 == 0 ? 2.0 : 12.0, round);
        Result<SpanField> field = SpanField::make(box);
        ASSERT_TRUE(field->add({&t, 1}));
        for (std::int32_t y = box.y0; y < box.y1; ++y) {
            for (std::int32_t x = box.x0; x < box.x1; ++x) {
                const Expected e = expected(t, x, y);
                const std::vector<Heights> found = spans_at(*field, x, y);
                if (found.empty()) {
                    ASSERT_FALSE(e.inside) << round << ": " << x << ' ' << y;
                    continue;
                }
                ASSERT_EQ(found.size(), 1U);
                ASSERT_TRUE(e.touched) << round << ": " << x << ' ' << y;
                EXPECT_EQ(found[0].area, t.area);
                const long double slack = 0x1p-10L + 1e-9L;
                const auto low = static_cast<long double>(found[0].low);
                const auto high = static_cast<long double>(found[0].high);
                ASSERT_LE(low, e.low + slack) << round;
                ASSERT_GE(high, e.high - slack) << round;
                // No wider than whole cell heights ask for.
                ASSERT_LT(high, e.high + 1) << round;
                const bool thin = found[0].high - found[0].low == 1;
                ASSERT_GT(low, e.low - (thin ? 2 : 1)) << round;
            }
        }
    }
}

TEST(SpanField, OrderAndSplittingDoNotCount) {
    Rng rng(12);
    const CellBox box{0, 0, 16, 16};
    for (int round = 0; round < testing::trials(60); ++round) {
        std::vector<GridTriangle> all;
        for (int i = 0; i < 60; ++i) all.push_back(random_triangle(rng, 16.0, i + round));
        Result<SpanField> field = SpanField::make(box);
        ASSERT_TRUE(field->add(all));
        std::vector<GridTriangle> other = all;
        for (auto i = static_cast<std::uint32_t>(other.size()); i > 1; --i)
            std::swap(other[i - 1], other[rng.below(i)]);
        Result<SpanField> shuffled = SpanField::make(box);
        ASSERT_TRUE(shuffled->add(std::span(other).first(20)));
        ASSERT_TRUE(shuffled->add(std::span(other).subspan(20)));
        EXPECT_TRUE(equal_fields(*field, *shuffled, box));
        // A part of the box holds the same columns.
        const CellBox part{3, 5, 11, 9};
        Result<SpanField> small = SpanField::make(part);
        ASSERT_TRUE(small->add(all));
        EXPECT_TRUE(equal_fields(*field, *small, part));
    }
}

TEST(SpanField, SpansAreTheUnionAndKeepTheTopArea) {
    Rng rng(13);
    for (int round = 0; round < testing::trials(3000); ++round) {
        Result<SpanField> field = SpanField::make({0, 0, 1, 1});
        std::array<bool, 64> solid{};
        std::vector<Heights> given;
        const std::uint32_t count = 1 + rng.below(14);
        for (std::uint32_t i = 0; i < count; ++i) {
            const std::int32_t low = rng.between(0, 60);
            const std::int32_t high = std::min(63, low + 1 + rng.between(0, round % 3 == 0 ? 20 : 3));
            const std::uint32_t area = rng.below(4);
            given.push_back({low, high, area});
            ASSERT_TRUE(field->add_span(0, 0, low, high, area));
            std::fill(solid.begin() + low, solid.begin() + high, true);
        }
        std::vector<Heights> wanted;
        for (std::int32_t z = 0; z < 64; ++z) {
            if (!solid[static_cast<std::size_t>(z)]) continue;
            Heights run{z, z, 0};
            while (solid[static_cast<std::size_t>(run.high)]) ++run.high;
            for (const Heights& g : given) {
                if (g.high == run.high) run.area = std::max(run.area, g.area);
            }
            wanted.push_back(run);
            z = run.high;
        }
        EXPECT_EQ(spans_at(*field, 0, 0), wanted);
    }
}

TEST(SpanField, LanesGiveTheBitsOfThePlainTwin) {
    Rng rng(14);
    for (int round = 0; round < testing::trials(20000); ++round) {
        raster::RowPiece piece{rng.between(-3.0, 30.0), rng.between(-9.0, 9.0), 0.0, rng.between(-9.0, 9.0)};
        piece.xb = piece.xa + (round % 5 == 0 ? 0.0 : rng.between(0.0, round % 3 == 0 ? 1.0 : 20.0));
        if (round % 7 == 0) piece.zb = piece.za;
        std::array<double, 64> low;
        std::array<double, 64> high;
        for (std::size_t i = 0; i < 64; ++i) {
            low[i] = rng.between(-9.0, 9.0);
            high[i] = rng.between(-9.0, 9.0);
        }
        std::array<double, 64> low2 = low;
        std::array<double, 64> high2 = high;
        const std::int64_t from =
            std::max<std::int64_t>(raster::whole_below(piece.xa), round % 2 == 0 ? -4 : 5);
        const std::int64_t to = std::min<std::int64_t>(raster::whole_below(piece.xb), round % 4 < 2 ? 59 : 9);
        raster::widen<true>(piece, {low.data(), high.data(), -4}, from, to);
        raster::widen<false>(piece, {low2.data(), high2.data(), -4}, from, to);
        ASSERT_EQ(std::memcmp(low.data(), low2.data(), sizeof low), 0) << round;
        ASSERT_EQ(std::memcmp(high.data(), high2.data(), sizeof high), 0) << round;
    }
}

TEST(SpanField, ShortRowsHaveTheBitsOfLongOnes) {
    Rng rng(16);
    for (int round = 0; round < testing::trials(20000); ++round) {
        std::array<raster::RowPiece, 5> pieces;
        for (raster::RowPiece& p : pieces) {
            const double steps = round % 3 == 0 ? 4.0 : 16384.0;
            const auto draw = [&] { return std::floor(rng.between(0.0, 3.999) * steps) / steps; };
            p = {draw(), rng.between(-9.0, 9.0), draw(), rng.between(-9.0, 9.0)};
            if (p.xb < p.xa) std::swap(p.xa, p.xb);
        }
        constexpr double kHigh = std::numeric_limits<double>::infinity();
        std::array<double, 4> low, low2, low3, high, high2, high3;
        low.fill(kHigh);
        high.fill(-kHigh);
        low2 = low3 = low;
        high2 = high3 = high;
        raster::widen_narrow(pieces.data(), 5, 0.0, low.data(), high.data());
        raster::widen_narrow_plain(pieces.data(), 5, 0.0, low2.data(), high2.data());
        for (const raster::RowPiece& p : pieces)
            raster::widen(p, {low3.data(), high3.data(), 0}, raster::whole_below(p.xa),
                          raster::whole_below(p.xb));
        ASSERT_EQ(low, low2) << round;
        ASSERT_EQ(low, low3) << round;
        ASSERT_EQ(high, high2) << round;
        ASSERT_EQ(high, high3) << round;
    }
}

TEST(SpanField, SizesAreChecked) {
    EXPECT_EQ(SpanField::make({0, 0, 0, 5}).error().code, ErrorCode::size_zero);
    EXPECT_EQ(SpanField::make({5, 0, 4, 5}).error().code, ErrorCode::size_zero);
    EXPECT_EQ(SpanField::make({0, 0, 1 << 20, 1 << 20}).error().code, ErrorCode::size_limit);
    EXPECT_EQ(SpanField::make({-2147483647, -2147483647, 2147483647, 2147483647}).error().code,
              ErrorCode::size_limit);
}

TEST(SpanField, AFailingAllocatorIsAnError) {
    Rng rng(15);
    std::vector<GridTriangle> all;
    for (int i = 0; i < 40; ++i) all.push_back(random_triangle(rng, 8.0, i));
    for (std::int64_t fail = 0;; ++fail) {
        testing::TestAllocator memory;
        memory.fail_from_call = fail;
        bool good = false;
        {
            Result<SpanField> field = SpanField::make({0, 0, 8, 8}, memory.allocator());
            if (field) {
                const Result<void> added = field->add(all);
                good = added.has_value();
                EXPECT_TRUE(good || added.error().code == ErrorCode::out_of_memory);
            } else {
                EXPECT_EQ(field.error().code, ErrorCode::out_of_memory);
            }
        }
        EXPECT_EQ(memory.live_blocks, 0);
        EXPECT_EQ(memory.live_bytes, 0);
        if (good) break;
        ASSERT_LT(fail, 100);
    }
}

}  // namespace
}  // namespace fairlead
