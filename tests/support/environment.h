// Where tests find files, and how long they may work.
#pragma once

#include <string>

#include <gtest/gtest.h>

namespace fairlead::testing {

/// A file of this repository, from its root: source_path("tests/golden/digests.txt").
std::string source_path(const std::string& relative);

/// A file of the published benchmark data, which is not part of the repository: FAIRLEAD_DATA, or
/// ../shared/data beside the repository's root. Empty when there is no such file. See FAIRLEAD_REQUIRE_DATA.
std::string data_path(const std::string& relative);

/// The command line program of this build; empty if it was not built.
std::string cli_path();

/// `full` in a release build; a part of it (FAIRLEAD_TEST_PERCENT in the environment, or a tenth in sanitizer
/// builds), at least 1. For the number of random trials.
int trials(int full);

/// True where trials() is all of it. How often something came up in random worlds is asked only then: a part of them may
/// hold too few.
bool all_trials();

}  // namespace fairlead::testing

/// Defines `variable` as the path of a benchmark file, or ends the test as skipped.
#define FAIRLEAD_REQUIRE_DATA(variable, relative)                          \
    const std::string variable = ::fairlead::testing::data_path(relative); \
    if (variable.empty()) GTEST_SKIP() << "skipped: no data (" << (relative) << ")"
