// The tables of a document, made from the figures files. A table stands between two lines of comment:
//
//     <!-- figures tiles: mean -->
//     ...
//     <!-- end -->
//
// The first names a suite and one thing that it measures. The rows are the worlds, the columns the subjects; the command
// that measures them, the processor and the compiler stand below.
#pragma once

#include <string>

namespace fairlead::bench {

/// The text with its tables made anew from the files <folder>/<suite>.json. Throws std::runtime_error that names what is
/// wrong: a file that is missing or damaged, an unknown suite or measure, a comment without its end.
[[nodiscard]] std::string with_tables(const std::string& text, const std::string& folder);

}  // namespace fairlead::bench
