// A result that a figure cannot do without.
#pragma once

#include <utility>

#include <fairlead/base/error.h>
#include <fairlead/base/result.h>

#include "gallery/figure.h"

namespace fairlead::gallery {

template <class T>
[[nodiscard]] T need(Result<T> result) {
    if (!result) throw DemoError{error_text(result.error()).c_str()};
    return std::move(*result);
}

inline void need(const Result<void>& result) {
    if (!result) throw DemoError{error_text(result.error()).c_str()};
}

}  // namespace fairlead::gallery
