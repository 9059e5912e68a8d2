// What tests of the checker expect of a Violation.
#pragma once

#include <ostream>

#include <gtest/gtest.h>

#include <fairlead/verify/verify.h>

namespace fairlead {

/// For GoogleTest's messages.
inline void PrintTo(ViolationKind kind, std::ostream* out) { *out << violation_name(kind); }

}  // namespace fairlead

#define EXPECT_LEGAL(violation)                                      \
    do {                                                             \
        const ::fairlead::Violation legal_checked = (violation);     \
        EXPECT_FALSE(legal_checked) << legal_checked.text().c_str(); \
    } while (false)

#define EXPECT_KIND(violation, expected)                                                                  \
    do {                                                                                                  \
        const ::fairlead::Violation kind_checked = (violation);                                           \
        EXPECT_EQ(kind_checked.kind, ::fairlead::ViolationKind::expected) << kind_checked.text().c_str(); \
    } while (false)
