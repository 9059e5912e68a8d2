// Two doubles at a time, for kernels that solve a problem and its mirror image together: lanes_inc.h with two lanes.
#pragma once

#include <cmath>
#include <cstdint>

#include <fairlead/base/platform.h>
#include <fairlead/math/pose.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace fairlead::curve::two {
#define FAIRLEAD_LANES 2
#include "curve/lanes_inc.h"
#undef FAIRLEAD_LANES
}  // namespace fairlead::curve::two
