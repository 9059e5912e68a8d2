#include <fairlead/formats/queries.h>

#include <gtest/gtest.h>

#include <fairlead/base/rng.h>

namespace fairlead::formats {
namespace {

TEST(Queries, Loads) {
    const auto rows = load_queries(
        "id,sx,sy,sz,sh,gx,gy,gz,gh\n0,157.5,225.5,,45.000000,90.5,144.5,7,\n\n-4,1,2,3,,4,5,,6\n");
    ASSERT_TRUE(rows.has_value());
    ASSERT_EQ(rows->size(), 2U);
    EXPECT_EQ((*rows)[0].id, 0);
    EXPECT_EQ((*rows)[0].start, (QueryPlace{{157.5, 225.5}, std::nullopt, 45.0}));
    EXPECT_EQ((*rows)[0].goal, (QueryPlace{{90.5, 144.5}, 7.0, std::nullopt}));
    EXPECT_EQ((*rows)[1].id, -4);
    EXPECT_EQ((*rows)[1].line, 4);
}

TEST(Queries, SavesWhatItLoaded) {
    Rng rng(3);
    std::vector<QueryRow> rows;
    for (int i = 0; i < 500; ++i) {
        QueryRow row{.id = i};
        for (QueryPlace* place : {&row.start, &row.goal}) {
            place->position = {rng.between(-1e5, 1e5), rng.between(-1.0, 1.0)};
            if (rng.below(2) == 0) place->z = rng.between(0.0, 9.0);
            if (rng.below(2) == 0) place->heading_deg = rng.between(-360.0, 360.0);
        }
        rows.push_back(row);
    }
    auto again = load_queries(save_queries(rows));
    ASSERT_TRUE(again.has_value());
    for (QueryRow& row : *again) row.line = 0;
    EXPECT_EQ(*again, rows);
}

}  // namespace
}  // namespace fairlead::formats
