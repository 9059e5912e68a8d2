// Two spans that meet as one.
#pragma once

#include <algorithm>
#include <cstdint>

#include <fairlead/raster/span_field.h>

namespace fairlead::raster {

/// `span` with what reaches from `low` to `high`: the area is that of the top, the greater one if both reach it.
FAIRLEAD_INLINE void widen_span(Span& span, std::int32_t low, std::int32_t high, std::uint32_t area) {
    if (high > span.high) {
        span.high = high;
        span.area = static_cast<std::uint16_t>(area);
    } else if (high == span.high && area > span.area) {
        span.area = static_cast<std::uint16_t>(area);
    }
    span.low = std::min(span.low, low);
}

}  // namespace fairlead::raster
