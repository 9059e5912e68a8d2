// What a call gave, where an error would mean that the suite is wrong: it ends then, and says why.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

#include <fairlead/base/result.h>
#include <fairlead/formats/file.h>

namespace fairlead::bench {

template <class T>
[[nodiscard]] T need(Result<T>&& result) {
    if (!result) throw std::runtime_error(std::string{"a suite: "} + error_text(result.error()).c_str());
    return std::move(*result);
}
/// `what` it is about: a file, a level.
template <class T>
[[nodiscard]] T need(const std::string& what, Result<T>&& result) {
    if (!result) throw std::runtime_error(formats::error_line(what, result.error()));
    return std::move(*result);
}
inline void hold_true(const Result<void>& done) {
    if (!done) throw std::runtime_error(std::string{"a suite: "} + error_text(done.error()).c_str());
}

}  // namespace fairlead::bench
