#include <fairlead/formats/units.h>

#include <gtest/gtest.h>

namespace fairlead::formats {
namespace {

ErrorCode refused(std::string_view text) {
    const auto rows = load_units(text);
    return rows ? ErrorCode::count_ : rows.error().code;
}

TEST(Units, LoadsColumnsInAnyOrder) {
    const auto rows = load_units(
        "speed,id,gx,gy,x,y,h,facings,reverse,accel,start_s\n2.5,7,1,2,3,4,90,16,1,,0.5\n\n,8,1,2,3,4,,,,9,"
        "\r\n");
    ASSERT_TRUE(rows.has_value());
    ASSERT_EQ(rows->size(), 2u);
    const UnitRow& first = (*rows)[0];
    EXPECT_EQ(first.id, 7);
    EXPECT_EQ(first.speed, 2.5);
    EXPECT_EQ(first.start.position, (Vec2{3, 4}));
    EXPECT_EQ(first.goal.position, (Vec2{1, 2}));
    EXPECT_EQ(first.start.heading_deg, 90.0);
    EXPECT_FALSE(first.goal.heading_deg);
    EXPECT_EQ(first.facings, 16);
    EXPECT_TRUE(first.reverse);
    EXPECT_FALSE(first.accel);
    EXPECT_EQ(first.start_s, 0.5);
    EXPECT_EQ(first.line, 2);
    const UnitRow& second = (*rows)[1];
    EXPECT_EQ(second.speed, 1.5);
    EXPECT_EQ(second.accel, 9.0);
    EXPECT_EQ(second.radius, 0.0);
    EXPECT_EQ(second.line, 4);
}

TEST(Units, RefusesWithThePlace) {
    EXPECT_EQ(refused(""), ErrorCode::text_end);
    EXPECT_EQ(refused("id,x,y,gx,gy,wings\n"), ErrorCode::text_keyword);
    EXPECT_EQ(refused("id,x,y,gx,gy,x\n"), ErrorCode::text_duplicate);
    EXPECT_EQ(refused("id,x,y,gx\n"), ErrorCode::text_missing);
    EXPECT_EQ(refused("id,x,y,gx,gy\n1,2,3,4\n"), ErrorCode::text_end);
    EXPECT_EQ(refused("id,x,y,gx,gy\n1,2,3,4,5,6\n"), ErrorCode::text_extra);
    EXPECT_EQ(refused("id,x,y,gx,gy\n1,2,,4,5\n"), ErrorCode::text_number);
    EXPECT_EQ(refused("id,x,y,gx,gy\n1,2,nan,4,5\n"), ErrorCode::text_number);
    EXPECT_EQ(refused("id,x,y,gx,gy\n1,2,1e300,4,5\n"), ErrorCode::text_value);
    EXPECT_EQ(refused("id,x,y,gx,gy\n1,2,3,4,5\n1,2,3,4,5\n"), ErrorCode::text_duplicate);
    const std::string_view head = "id,x,y,gx,gy,";
    for (const char* bad : {"radius\n1,2,3,4,5,-1\n", "speed\n1,2,3,4,5,0\n", "accel\n1,2,3,4,5,-2\n",
                            "reverse\n1,2,3,4,5,2\n", "facings\n1,2,3,4,5,12\n", "climb\n1,2,3,4,5,90\n",
                            "layer\n1,2,3,4,5,64\n", "layer\n1,2,3,4,5,0.5\n", "start_s\n1,2,3,4,5,-1\n"}) {
        EXPECT_EQ(refused(std::string(head) + bad), ErrorCode::text_value) << bad;
    }
    const auto twice = load_units("id,x,y,gx,gy\n5,1,1,1,1\n6,1,1,1,1\n5,1,1,1,1\n");
    EXPECT_EQ(twice.error().index, 4);
}

}  // namespace
}  // namespace fairlead::formats
