// Caller bugs. FAIRLEAD_ASSERT guards what a correct program never does: reading an empty Result, indexing
// past the end, using a snapshot after its release. Bad data and bad arguments are not bugs; they come back
// as an Error (error.h).
//
// The checks are on in every build type. In a kernel that runs per cell use FAIRLEAD_DEBUG_ASSERT, which is
// on only where NDEBUG is not defined.
#pragma once

#include <fairlead/base/platform.h>

namespace fairlead {

/// Called once for a failed assertion, with the text of the condition and its place. When it returns, the
/// program ends (std::abort). The pointers are to static storage.
struct AssertHandler {
    void (*failed)(const char* condition, const char* file, int line, void* user) = nullptr;
    void* user = nullptr;
};

/// Replaces the process-wide handler and returns the old one. The one piece of global state in the library:
/// an assertion must be reportable from anywhere. Not safe against a concurrent assertion failure.
AssertHandler set_assert_handler(AssertHandler handler);

namespace detail {
[[noreturn]] void assert_failed(const char* condition, const char* file, int line);
}  // namespace detail

}  // namespace fairlead

#define FAIRLEAD_ASSERT(condition)                                             \
    do {                                                                       \
        if (FAIRLEAD_UNLIKELY(!(condition))) {                                 \
            ::fairlead::detail::assert_failed(#condition, __FILE__, __LINE__); \
        }                                                                      \
    } while (false)

#if defined(NDEBUG)
#define FAIRLEAD_DEBUG_ASSERT(condition) ((void)0)
#else
#define FAIRLEAD_DEBUG_ASSERT(condition) FAIRLEAD_ASSERT(condition)
#endif
