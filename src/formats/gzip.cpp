#include <algorithm>
#include <limits>

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

Result<std::string> unpack(std::string_view packed, std::size_t limit) {
    Inflater inflater;
    if (!inflater.ready()) return Error{ErrorCode::out_of_memory, -1, 0};
    z_stream& stream = inflater.stream();
    std::string out;
    std::size_t used = 0;
    std::size_t made = 0;
    while (true) {
        if (made == out.size()) {
            // One byte more than the limit, so that a text of exactly the limit is seen to end.
            if (made > limit) return size_error(limit);
            out.resize(std::min(std::max<std::size_t>(made * 2, 64 << 10), limit + 1));
        }
        const uInt in = clamp_to_uint(packed.size() - used);
        const uInt room = clamp_to_uint(out.size() - made);
        // zlib's interface takes a pointer to non-const bytes and does not write through it.
        stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data() + used));
        stream.avail_in = in;
        stream.next_out = reinterpret_cast<Bytef*>(out.data() + made);
        stream.avail_out = room;
        const int status = inflate(&stream, Z_NO_FLUSH);
        used += in - stream.avail_in;
        made += room - stream.avail_out;
        if (status == Z_MEM_ERROR) return Error{ErrorCode::out_of_memory, -1, 0};
        if (status == Z_STREAM_END) {
            if (used == packed.size()) break;
            inflateReset(&stream);  // the next member, or what claims to be one
        } else if (status != Z_OK && !(status == Z_BUF_ERROR && made == out.size())) {
            return Error{ErrorCode::file_packed, -1, static_cast<std::int64_t>(made)};
        }
    }
    if (made > limit) return size_error(limit);
    out.resize(made);
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
