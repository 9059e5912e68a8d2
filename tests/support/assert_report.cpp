// Linked into each test program: an assertion of the library that fails says which before the program ends.
#include <cstdio>

#include <fairlead/base/assert.h>

namespace fairlead::testing {
namespace {

void report(const char* condition, const char* file, int line, void* /*user*/) {
    std::fprintf(stderr, "assertion failed: %s\n  %s:%d\n", condition, file, line);
}

[[maybe_unused]] const AssertHandler g_before = set_assert_handler({.failed = report});

}  // namespace
}  // namespace fairlead::testing
