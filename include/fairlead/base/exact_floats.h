// For code whose arithmetic decides routes and is compiled outside the library: the search engine with a space of
// your own (search/engine.h). Its results are the same on every compiler only without fast-math, and with
// -ffp-contract=off for that file (Visual C++: /fp:precise). The library's own objects are always built so; the rest
// of a game may use what flags it likes.
#pragma once

#include <cfloat>

#include <fairlead/base/platform.h>

#if defined(__FAST_MATH__) || defined(_M_FP_FAST)
#error "fairlead: results must be the same on every compiler; build this file without -ffast-math (/fp:fast)"
#endif

#if defined(FLT_EVAL_METHOD)
static_assert(FLT_EVAL_METHOD == 0,
              "fairlead: double arithmetic must round to double (on x86: use SSE2, not x87)");
#endif
