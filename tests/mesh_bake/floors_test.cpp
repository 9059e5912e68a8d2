// Floors, links and erosion beside their definitions.

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include <fairlead/base/rng.h>

#include "mesh_bake/floors.h"
#include "support/environment.h"

namespace fairlead {
namespace {

using bake::Floors;
using bake::Settings;
using bake::SolidRows;

Settings settings_of(std::int32_t height, std::int32_t climb, double radius) {
    Settings s;
    s.height = height;
    s.climb = climb;
    s.radius = radius;
    return s;
}

Floors floors_in(const SpanField& field, const Settings& settings) {
    const CellBox box = field.box();
    SolidRows rows{Allocator{}};
    rows.box = box;
    EXPECT_TRUE(rows.rows.resize(static_cast<std::size_t>(box.height())));
    for (std::int32_t y = box.y0; y < box.y1; ++y)
        rows.rows[static_cast<std::size_t>(y - box.y0)] = {field.row(y), field.upper()};
    Floors floors{Allocator{}};
    EXPECT_TRUE(bake::find_floors(rows, box, settings, floors));
    EXPECT_TRUE(bake::link_floors(settings, floors));
    return floors;
}

// Heights are large steps or none, so that which floors are beside a drop is plain: here by the definition, gap by gap.
TEST(Floors, AreThoseOfTheDefinition) {
    Rng rng(51);
    for (int round = 0; round < testing::trials(300); ++round) {
        const std::int32_t n = 6;
        const Settings settings = settings_of(rng.between(1, 5), rng.between(0, 4), 0.0);
        Result<SpanField> field = SpanField::make({0, 0, n, n});
        struct Solid {
            std::int32_t low, high;
            std::uint32_t area;
        };
        std::vector<std::vector<Solid>> columns(static_cast<std::size_t>(n * n));
        for (std::int32_t i = 0; i < n * n; ++i) {
            std::int32_t z = rng.between(0, 3);
            const std::uint32_t count = rng.below(4);
            for (std::uint32_t k = 0; k < count; ++k) {
                const std::int32_t low = z;
                const std::int32_t high = low + rng.between(1, 3);
                const std::uint32_t area = rng.below(3);
                columns[static_cast<std::size_t>(i)].push_back({low, high, area});
                ASSERT_TRUE(field->add_span(i % n, i / n, low, high, area));
                z = high + rng.between(1, 7);
            }
        }
        const Floors floors = floors_in(*field, settings);
        const auto column = [&](std::int32_t x, std::int32_t y) {
            if (x < 0 || y < 0 || x >= n || y >= n) return std::vector<Solid>{};
            return columns[static_cast<std::size_t>(y * n + x)];
        };
        const auto drop_beside = [&](std::int32_t x, std::int32_t y, std::int32_t z, std::int32_t ceiling) {
            for (int d = 0; d < 4; ++d) {
                const std::vector<Solid> other = column(x + bake::kStepX[d], y + bake::kStepY[d]);
                for (std::size_t k = 0; k <= other.size(); ++k) {  // the gap below solid k
                    const std::int32_t bottom = k == 0 ? -bake::kSky : other[k - 1].high;
                    const std::int32_t top = k == other.size() ? bake::kSky : other[k].low;
                    const bool room = std::min(top, ceiling) - std::max(bottom, z) >= settings.height;
                    if (room && bottom < z - settings.climb) return true;
                }
            }
            return false;
        };
        std::uint32_t at = 0;
        for (std::int32_t i = 0; i < n * n; ++i) {
            const std::vector<Solid>& solids = columns[static_cast<std::size_t>(i)];
            for (std::size_t k = 0; k < solids.size(); ++k) {
                std::uint32_t area = solids[k].area;
                if (area == 0 && k > 0 && solids[k - 1].area != 0 &&
                    solids[k].high - solids[k - 1].high <= settings.climb)
                    area = solids[k - 1].area;
                const std::int32_t ceiling = k + 1 < solids.size() ? solids[k + 1].low : bake::kSky;
                const bool walkable = area != 0 && ceiling - solids[k].high >= settings.height &&
                                      !drop_beside(i % n, i / n, solids[k].high, ceiling);
                if (!walkable) continue;
                ASSERT_LT(at, floors.size()) << round;
                ASSERT_EQ(floors.cell[at], static_cast<std::uint32_t>(i)) << round;
                ASSERT_EQ(floors.z[at], solids[k].high);
                ASSERT_EQ(floors.ceiling[at], ceiling);
                ASSERT_EQ(floors.area[at], area);
                ++at;
            }
        }
        ASSERT_EQ(at, floors.size());
        for (std::uint32_t i = 0; i < floors.size(); ++i) {
            for (std::uint32_t d = 0; d < 4; ++d) {
                const std::uint32_t other = floors.link[4 * std::size_t{i} + d];
                if (other == bake::kNone) continue;
                EXPECT_EQ(floors.link[4 * std::size_t{other} + (d ^ 2U)], i);
                EXPECT_EQ(floors.x_of(other), floors.x_of(i) + bake::kStepX[d]);
                EXPECT_EQ(floors.y_of(other), floors.y_of(i) + bake::kStepY[d]);
                EXPECT_LE(std::abs(floors.z[other] - floors.z[i]), settings.climb);
            }
        }
    }
}

TEST(Floors, ErosionIsTheDistanceOfSquares) {
    Rng rng(52);
    for (int round = 0; round < testing::trials(200); ++round) {
        const std::int32_t n = 24;
        const double radius = round % 4 == 0 ? round % 5 : rng.between(0.0, 6.0);
        const Settings settings = settings_of(5, 2, radius);
        Result<SpanField> field = SpanField::make({0, 0, n, n});
        std::vector<char> blocked(static_cast<std::size_t>(n * n), 0);
        for (std::int32_t i = 0; i < n * n; ++i) {
            const bool wall = rng.below(100) < 4;
            ASSERT_TRUE(field->add_span(i % n, i / n, 0, wall ? 50 : 1, wall ? 0 : 1));
            const bool rim =
                i % n == 0 || i / n == 0 || i % n == n - 1 || i / n == n - 1;  // a drop beside it
            blocked[static_cast<std::size_t>(i)] = wall || rim ? 1 : 0;
        }
        Floors floors = floors_in(*field, settings);
        ASSERT_TRUE(bake::erode_floors(settings, floors));
        std::vector<char> found(blocked.size(), 0);
        for (std::uint32_t i = 0; i < floors.size(); ++i) found[floors.cell[i]] = floors.area[i] != 0 ? 1 : 0;
        for (std::int32_t i = 0; i < n * n; ++i) {
            bool free = blocked[static_cast<std::size_t>(i)] == 0;
            for (std::int32_t j = 0; j < n * n && free; ++j) {
                if (blocked[static_cast<std::size_t>(j)] == 0) continue;
                const double dx = std::max(std::abs(i % n - j % n) - 1, 0);
                const double dy = std::max(std::abs(i / n - j / n) - 1, 0);
                free = dx * dx + dy * dy >= radius * radius;
            }
            ASSERT_EQ(found[static_cast<std::size_t>(i)], free ? 1 : 0)
                << round << ": " << i % n << ' ' << i / n << " radius " << radius;
        }
    }
}

}  // namespace
}  // namespace fairlead
