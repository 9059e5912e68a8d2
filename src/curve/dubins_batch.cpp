// Many Dubins distances: two pairs at a time, or four where the processor has AVX2. The results are the same to the last bit.
#include <fairlead/curve/dubins.h>

#include <cstring>

#include "curve/frame.h"

#if defined(FAIRLEAD_AVX2)
#include <immintrin.h>
#endif

namespace fairlead {

namespace curve::two {
// clang-format off
#define FAIRLEAD_LANES 2
#include "curve/dubins_inc.h"
#include "curve/dubins_batch_inc.h"
#undef FAIRLEAD_LANES
// clang-format on
}  // namespace curve::two

#if defined(FAIRLEAD_AVX2)
FAIRLEAD_AVX2_BEGIN
namespace curve::four {
// clang-format off
#define FAIRLEAD_LANES 4
#include "curve/lanes_inc.h"
#include "curve/dubins_inc.h"
#include "curve/dubins_batch_inc.h"
#undef FAIRLEAD_LANES
// clang-format on
}  // namespace curve::four
FAIRLEAD_AVX2_END
#endif

void dubins_distances(std::span<const Pose> from, std::span<const Pose> to, double radius,
                      std::span<double> distances) {
    FAIRLEAD_ASSERT(from.size() == to.size() && from.size() == distances.size());
    FAIRLEAD_ASSERT(radius > 0.0 && radius <= kCurveRadiusMax);
#if defined(FAIRLEAD_AVX2)
    if (detail::has_avx2())
        return curve::four::distances(from.data(), to.data(), radius, distances.data(), from.size());
#endif
    curve::two::distances(from.data(), to.data(), radius, distances.data(), from.size());
}

}  // namespace fairlead
