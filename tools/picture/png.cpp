// The PNG file format (ISO/IEC 15948), as much of it as a picture without transparency needs.
#include <zlib.h>

#include "picture/raster.h"

namespace fairlead::picture {
namespace {

void add_be32(std::string& out, std::uint32_t value) {
    for (int shift = 24; shift >= 0; shift -= 8) out.push_back(static_cast<char>(value >> shift));
}

void add_chunk(std::string& out, std::string_view type, std::string_view data) {
    add_be32(out, static_cast<std::uint32_t>(data.size()));
    std::string body{type};
    body += data;
    out += body;
    add_be32(out, static_cast<std::uint32_t>(
                      crc32(0, reinterpret_cast<const Bytef*>(body.data()), static_cast<uInt>(body.size()))));
}

/// Rows as they are, each behind a zero for "no filter": flat drawings shrink most that way.
[[nodiscard]] std::string plain_rows(const Image& image) {
    const std::size_t stride = 3 * static_cast<std::size_t>(image.width);
    std::string all;
    all.reserve((stride + 1) * static_cast<std::size_t>(image.height));
    for (std::size_t y = 0; y < static_cast<std::size_t>(image.height); ++y) {
        all.push_back('\0');
        all.append(reinterpret_cast<const char*>(image.pixels.data() + stride * y), stride);
    }
    return all;
}

[[nodiscard]] std::string deflated(const std::string& data) {
    uLongf size = compressBound(static_cast<uLong>(data.size()));
    std::string out(size, '\0');
    const int status =
        compress2(reinterpret_cast<Bytef*>(out.data()), &size, reinterpret_cast<const Bytef*>(data.data()),
                  static_cast<uLong>(data.size()), 6);
    out.resize(status == Z_OK ? size : 0);
    return out;
}

}  // namespace

std::string encode_png(const Image& image) {
    std::string header;
    add_be32(header, static_cast<std::uint32_t>(image.width));
    add_be32(header, static_cast<std::uint32_t>(image.height));
    header += std::string{"\x08\x02\x00\x00\x00", 5};  // 8 bits, red green blue, no interlace

    std::string file = "\x89PNG\r\n\x1a\n";
    add_chunk(file, "IHDR", header);
    add_chunk(file, "IDAT", deflated(plain_rows(image)));
    add_chunk(file, "IEND", {});
    return file;
}

}  // namespace fairlead::picture
