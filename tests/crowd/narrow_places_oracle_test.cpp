// Narrow places of small random rasters against their definition, computed the slow way; and repairs against finding anew.
#include <cmath>
#include <map>

#include <gtest/gtest.h>

#include <fairlead/crowd/narrow_places.h>

#include "oracle/places_oracle.h"
#include "support/environment.h"
#include "support/raster_walls.h"

namespace fairlead::testing {
namespace {

using oracle::PlacesOracle;

constexpr std::int32_t kWidth = 58;
constexpr std::int32_t kHeight = 44;

struct Tally {
    int tokens = 0;
    int lanes = 0;
    int lanes_at_tokens = 0;
    int pockets = 0;
    int forks = 0;
    int rooms = 0;
};

void expect_place(const NarrowPlaces& places, std::uint32_t number, const PlacesOracle::Place& wanted,
                  const PlacesOracle& oracle) {
    const NarrowPlace& place = places.places()[number];
    EXPECT_EQ(place.mouths, static_cast<std::uint32_t>(wanted.mouths));
    EXPECT_EQ(place.pockets, static_cast<std::uint32_t>(wanted.pockets));
    EXPECT_NEAR(place.centre_space, static_cast<double>(wanted.points.size()), 1e-9);
    // How narrow it becomes at a token place is not the lanes' affair.
    const double widest = 2.0 * std::sqrt(static_cast<double>(wanted.widest));
    EXPECT_GE(place.width, widest - 1e-9);
    if (wanted.mouths_to_tokens == 0) {
        EXPECT_NEAR(place.width, widest, 1e-9);
    }
    for (const int p : wanted.points) {
        const Vec2 at{1.0 * (p % oracle.columns()), 1.0 * (p / oracle.columns())};
        ASSERT_EQ(places.place_at(at), number) << at.x << ' ' << at.y;
    }
    // The axis leads from every mouth to every other through the place, as far from walls as it says.
    Array<PlaceNode> axis;
    double longest = 0.0;
    for (std::uint32_t a = 0; a < place.mouths; ++a) {
        for (std::uint32_t b = 0; b < place.mouths; ++b) {
            ASSERT_TRUE(places.axis(number, a, b, axis));
            EXPECT_EQ(axis[0].at, places.mouths(number)[a].middle);
            EXPECT_EQ(axis.back().at, places.mouths(number)[b].middle);
            double length = 0.0;
            for (std::size_t i = 1; i < axis.size(); ++i) length += distance(axis[i - 1].at, axis[i].at);
            longest = std::max(longest, length);
        }
    }
    EXPECT_NEAR(place.length, longest, 3.0);  // ends may be half a step off the lattice
    for (const PlaceMouth& mouth : places.mouths(number)) {
        EXPECT_NEAR(length(mouth.outward), 1.0, 1e-12);
        EXPECT_GE(mouth.half_width, places.radius() - 1e-9);
    }
    for (std::uint32_t i = place.node; i < place.node + place.nodes; ++i) {
        const PlaceNode& node = places.nodes()[i];
        EXPECT_TRUE(node.parent < i || i == place.node);
        if (wanted.mouths_to_tokens > 0) continue;
        EXPECT_GE(node.clearance, 0.5 * place.width - 1e-9);
    }
}

void expect_equal(const NarrowPlaces& places, const PlacesOracle& oracle, Tally& tally) {
    std::uint32_t number = 0;
    for (const PlacesOracle::Place& wanted : oracle.tokens) {
        ASSERT_LT(number, places.places().size());
        ASSERT_EQ(places.places()[number].kind, PlaceKind::token);
        expect_place(places, number++, wanted, oracle);
        ++tally.tokens;
        tally.pockets += wanted.pockets;
        tally.forks += wanted.mouths > 2 ? 1 : 0;
    }
    for (const PlacesOracle::Place& wanted : oracle.lanes) {
        const int first = *wanted.points.begin();
        const Vec2 at{1.0 * (first % oracle.columns()), 1.0 * (first / oracle.columns())};
        if (places.place_at(at) == kNoPlace) {
            EXPECT_GT(wanted.mouths_to_tokens, 0);  // too short: the oracle has no lengths
            continue;
        }
        ASSERT_LT(number, places.places().size());
        const NarrowPlace& place = places.places()[number];
        ASSERT_EQ(place.kind, PlaceKind::lanes);
        if (wanted.mouths_to_tokens > 0) {
            EXPECT_GE(place.length, 4.0 * places.radius());
            ++tally.lanes_at_tokens;
        }
        std::uint32_t at_tokens = 0;
        for (const PlaceMouth& mouth : places.mouths(number)) at_tokens += mouth.beyond != kNoPlace ? 1U : 0U;
        EXPECT_EQ(at_tokens, static_cast<std::uint32_t>(wanted.mouths_to_tokens));
        expect_place(places, number++, wanted, oracle);
        ++tally.lanes;
    }
    EXPECT_EQ(number, places.places().size());
    ASSERT_EQ(places.rooms().size(), oracle.rooms.size());
    for (std::size_t i = 0; i < oracle.rooms.size(); ++i) {
        EXPECT_NEAR(places.rooms()[i].centre_space, static_cast<double>(oracle.rooms[i].size()), 1e-9);
        ++tally.rooms;
    }
}

/// Points in the open have no place; those in none of the oracle's sets are in the open.
void expect_rest_open(const NarrowPlaces& places, const PlacesOracle& oracle) {
    std::map<std::uint32_t, std::size_t> seen;
    for (int p = 0; p < static_cast<int>(oracle.stands.size()); ++p) {
        if (!oracle.stands[static_cast<std::size_t>(p)]) continue;
        const std::uint32_t place =
            places.place_at({1.0 * (p % oracle.columns()), 1.0 * (p / oracle.columns())});
        if (place != kNoPlace) ++seen[place];
    }
    for (const auto& [place, count] : seen) {
        EXPECT_NEAR(places.places()[place].centre_space, static_cast<double>(count), 1e-9);
    }
}

TEST(NarrowPlacesOracle, RandomRastersAreAsDefined) {
    Rng rng(2401);
    Tally tally;
    PlaceFinder finder;
    for (int trial = 0; trial < trials(100); ++trial) {
        SCOPED_TRACE(trial);
        RasterWalls walls = random_walls(rng, kWidth, kHeight);
        const double radius = trial % 3 == 0 ? 2.0 : rng.between(2.0, 3.0);
        const double pocket = rng.below(3) == 0 ? 4.0 : 12.0;
        const Result<NarrowPlaces> places = finder.find(
            {.width = kWidth, .height = kHeight, .radius = radius, .pocket = pocket}, walls.rows());
        ASSERT_TRUE(places.has_value());
        const PlacesOracle oracle(walls.cells, kWidth, kHeight, radius, 1.02, pocket);
        expect_equal(*places, oracle, tally);
        expect_rest_open(*places, oracle);
        if (HasFailure()) return;
    }
    if (!all_trials()) return;
    EXPECT_GT(tally.tokens, 40);
    EXPECT_GT(tally.lanes, 40);
    EXPECT_GT(tally.lanes_at_tokens, 5);
    EXPECT_GT(tally.pockets, 5);
    EXPECT_GT(tally.forks, 3);
    EXPECT_GT(tally.rooms, 50);
}

TEST(NarrowPlacesOracle, ARepairIsAsFoundAnew) {
    Rng rng(2402);
    int changed = 0;
    for (int trial = 0; trial < trials(40); ++trial) {
        SCOPED_TRACE(trial);
        RasterWalls walls = random_walls(rng, 150, 110);
        const PlacesOptions options{.origin = {-3.0, 7.0},
                                    .cell = 0.25,
                                    .width = 150,
                                    .height = 110,
                                    .radius = rng.between(0.5, 1.0)};
        PlaceFinder mended;
        Result<NarrowPlaces> before = mended.find(options, walls.rows());
        ASSERT_TRUE(before.has_value());
        for (int edit = 0; edit < 6; ++edit) {
            const RasterRect rect = random_rect(rng, 150, 110, edit == 0 ? 60 : 9);
            walls.fill(rect, static_cast<std::uint8_t>(rng.below(2)));
            const Result<NarrowPlaces> after = mended.repair(rect, walls.rows());
            ASSERT_TRUE(after.has_value());
            PlaceFinder fresh;
            const Result<NarrowPlaces> anew = fresh.find(options, walls.rows());
            ASSERT_TRUE(anew.has_value());
            ASSERT_TRUE(*after == *anew) << edit;
            EXPECT_EQ(after->digest(), anew->digest());
            changed += *after == *before ? 0 : 1;
            before = fresh.find(options, walls.rows());
        }
    }
    if (all_trials()) {
        EXPECT_GT(changed, 60);
    }
}

}  // namespace
}  // namespace fairlead::testing
