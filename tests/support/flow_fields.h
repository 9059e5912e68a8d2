// Flow fields, filled to the end.
#pragma once

#include <cstdint>

#include <gtest/gtest.h>

#include <fairlead/grid/flow_field.h>

namespace fairlead::testing {

inline FlowField filled(const GridSnapshot& grid, const FlowQuery& query, std::uint64_t slice = UINT64_MAX) {
    FlowFill fill;
    EXPECT_TRUE(fill.begin(grid, query));
    while (fill.running()) fill.step(slice);
    FlowField field;
    EXPECT_TRUE(fill.take(field));
    return field;
}

}  // namespace fairlead::testing
