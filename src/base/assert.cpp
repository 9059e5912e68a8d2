#include <fairlead/base/assert.h>

#include <cstdlib>

namespace fairlead {

namespace {
AssertHandler g_handler;
}

AssertHandler set_assert_handler(AssertHandler handler) {
    const AssertHandler old = g_handler;
    g_handler = handler;
    return old;
}

namespace detail {

void assert_failed(const char* condition, const char* file, int line) {
    if (g_handler.failed != nullptr) g_handler.failed(condition, file, line, g_handler.user);
    std::abort();
}

}  // namespace detail

}  // namespace fairlead
