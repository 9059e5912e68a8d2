#include <algorithm>
#include <limits>
#include <span>

#include <zlib.h>

#include <fairlead/formats/file.h>

#include "formats/budget.h"

namespace fairlead::formats {

namespace {

// Owns the inflater's own memory (about 40 KiB).
class Inflater {
  public:
    Inflater() {
        constexpr int kGzipOnly = 16;
        ready_ = inflateInit2(&stream_, MAX_WBITS + kGzipOnly) == Z_OK;
    }
    Inflater(const Inflater&) = delete;
    Inflater& operator=(const Inflater&) = delete;
    ~Inflater() {
        if (ready_) inflateEnd(&stream_);
    }
    [[nodiscard]] bool ready() const { return ready_; }
    [[nodiscard]] z_stream& stream() { return stream_; }

  private:
    z_stream stream_{};
    bool ready_ = false;
};

uInt clamp_to_uint(std::size_t bytes) {
    return static_cast<uInt>(std::min<std::size_t>(bytes, std::numeric_limits<uInt>::max()));
}

Error size_error(std::size_t limit) { return {ErrorCode::size_limit, -1, static_cast<std::int64_t>(limit)}; }

// Unpacks all members. `room_for(made)` gives the place for what comes next, empty if there shall be no more.
template <class Room>
Result<std::size_t> inflate_all(std::string_view packed, Room room_for) {
    Inflater inflater;
    if (!inflater.ready()) return Error{ErrorCode::out_of_memory, -1, 0};
    z_stream& stream = inflater.stream();
    std::size_t used = 0;
    std::size_t made = 0;
    while (true) {
        const std::span<char> place = room_for(made);
        const uInt in = clamp_to_uint(packed.size() - used);
        const uInt room = clamp_to_uint(place.size());
        // zlib's interface takes a pointer to non-const bytes and does not write through it.
        stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data() + used));
        stream.avail_in = in;
        stream.next_out = reinterpret_cast<Bytef*>(place.data());
        stream.avail_out = room;
        const int status = inflate(&stream, Z_NO_FLUSH);
        used += in - stream.avail_in;
        made += room - stream.avail_out;
        if (status == Z_MEM_ERROR) return Error{ErrorCode::out_of_memory, -1, 0};
        if (status == Z_STREAM_END) {
            if (used == packed.size()) return made;
            inflateReset(&stream);  // the next member, or what claims to be one
        } else if (status != Z_OK && !(status == Z_BUF_ERROR && stream.avail_out == 0)) {
            return Error{ErrorCode::file_packed, -1, static_cast<std::int64_t>(made)};
        }
        if (place.empty()) return made;
    }
}

// How long the text is; one more than the limit if it is longer.
Result<std::size_t> unpacked_size(std::string_view packed, std::size_t limit) {
    constexpr std::size_t kBlock = 64 << 10;
    std::string block(kBlock, '\0');
    return inflate_all(packed, [&](std::size_t made) {
        return std::span<char>(block.data(), std::min(block.size(), limit + 1 - made));
    });
}

Result<std::string> unpack(std::string_view packed, std::size_t limit) {
    const Result<std::size_t> size = unpacked_size(packed, limit);
    if (!size) return size.error();
    if (*size > limit) return size_error(limit);
    std::string out(*size, '\0');
    const Result<std::size_t> made = inflate_all(
        packed, [&](std::size_t at) { return std::span<char>(out.data() + at, out.size() - at); });
    if (!made) return made.error();
    return out;
}

}  // namespace

Result<std::string> unpack_gzip(std::string_view packed, const Limits& limits) {
    return guarded(packed, limits, [&]() -> Result<std::string> {
        constexpr std::uint64_t kLargest = std::numeric_limits<std::ptrdiff_t>::max() / 4;
        return unpack(packed, static_cast<std::size_t>(std::min(limits.text_bytes, kLargest)));
    });
}

}  // namespace fairlead::formats
