// What the library asks of a compiler. Every public header reaches this file, so a build that would
// change results stops here with a sentence instead of a wrong route.
#pragma once

#include <cfloat>
#include <climits>

#if defined(__FAST_MATH__)
#error "fairlead: results must be the same on every compiler; build without -ffast-math"
#endif

#if defined(FLT_EVAL_METHOD)
static_assert(FLT_EVAL_METHOD == 0,
              "fairlead: double arithmetic must round to double (on x86: use SSE2, not x87)");
#endif

static_assert(CHAR_BIT == 8, "fairlead: bytes have 8 bits");

#if defined(__GNUC__) || defined(__clang__)
#define FAIRLEAD_INLINE inline __attribute__((always_inline))
#define FAIRLEAD_NOINLINE __attribute__((noinline))
#define FAIRLEAD_LIKELY(condition) __builtin_expect(!!(condition), 1)
#define FAIRLEAD_UNLIKELY(condition) __builtin_expect(!!(condition), 0)
#define FAIRLEAD_PREFETCH(address) __builtin_prefetch(address)
#else
#define FAIRLEAD_INLINE inline
#define FAIRLEAD_NOINLINE
#define FAIRLEAD_LIKELY(condition) (condition)
#define FAIRLEAD_UNLIKELY(condition) (condition)
#define FAIRLEAD_PREFETCH(address) ((void)(address))
#endif
