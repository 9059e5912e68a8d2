// What a loader may use up. Every loader of this module takes a Limits and keeps to it whatever the bytes
// say.
//
//     Result<TileMap> map = formats::load_tile_map(text, {.text_bytes = 1 << 20});
//
// Promises of every `load_...` function of the module: any bytes give a value or an Error; the time is linear
// in the text (times the logarithm of the count where names are looked up); no exception leaves; a failed
// load has no effect. A text that is longer than `text_bytes` is refused before it is read, with
// ErrorCode::size_limit.
//
// Where an Error is about a text, index is the line and detail the column of the first byte that does not
// fit, both from 1. Columns count bytes. Lines end in LF or CR LF; a byte order mark (UTF-8) at the start is
// passed over.
#pragma once

#include <cstdint>

namespace fairlead::formats {

struct Limits {
    std::uint64_t text_bytes = std::uint64_t{512} << 20;  ///< longest text, after unpacking
    std::uint64_t memory_bytes = std::uint64_t{1}
                                 << 30;  ///< most heap memory that a load has in use at any moment;
                                         ///< the text itself and 64 KiB of buffers aside
};

/// Coordinates, lengths and costs in files are finite and no larger than this; text_value otherwise.
inline constexpr double kNumberMax = 1e12;

}  // namespace fairlead::formats
