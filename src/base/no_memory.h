// The error of a call that could not get its memory.
#pragma once

#include <fairlead/base/error.h>

namespace fairlead {

inline constexpr Error kNoMemory{ErrorCode::out_of_memory, -1, 0};

}  // namespace fairlead
