// The PNG file format (ISO/IEC 15948), as much of it as a picture without transparency needs.
#include <zlib.h>

#include <cstdlib>

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

/// One row under a filter: 0 as it is, 1 less the pixel to the left, 2 less the pixel above.
[[nodiscard]] std::string filtered(const std::uint8_t* row, const std::uint8_t* above, std::size_t size,
                                   int filter) {
    std::string out(1, static_cast<char>(filter));
    for (std::size_t i = 0; i < size; ++i) {
        const std::uint8_t base = filter == 1                       ? (i >= 3 ? row[i - 3] : 0)
                                  : filter == 2 && above != nullptr ? above[i]
                                                                    : 0;
        out.push_back(static_cast<char>(row[i] - base));
    }
    return out;
}

[[nodiscard]] long weight(const std::string& row) {
    long sum = 0;
    for (std::size_t i = 1; i < row.size(); ++i) sum += std::abs(static_cast<signed char>(row[i]));
    return sum;
}

/// Flat drawings often shrink most without filters, shaded ones with the lightest filter of each row.
[[nodiscard]] std::string filter_rows(const Image& image, bool adaptive) {
    const std::size_t stride = 3 * static_cast<std::size_t>(image.width);
    std::string all;
    all.reserve((stride + 1) * static_cast<std::size_t>(image.height));
    for (int y = 0; y < image.height; ++y) {
        const std::uint8_t* row = image.pixels.data() + stride * static_cast<std::size_t>(y);
        const std::uint8_t* above = y == 0 ? nullptr : row - stride;
        std::string best = filtered(row, above, stride, 0);
        for (int filter = 1; adaptive && filter <= 2; ++filter) {
            std::string other = filtered(row, above, stride, filter);
            if (weight(other) < weight(best)) best = std::move(other);
        }
        all += best;
    }
    return all;
}

[[nodiscard]] std::string deflated(const std::string& data) {
    uLongf size = compressBound(static_cast<uLong>(data.size()));
    std::string out(size, '\0');
    const int status =
        compress2(reinterpret_cast<Bytef*>(out.data()), &size, reinterpret_cast<const Bytef*>(data.data()),
                  static_cast<uLong>(data.size()), 9);
    out.resize(status == Z_OK ? size : 0);
    return out;
}

}  // namespace

std::string encode_png(const Image& image) {
    std::string header;
    add_be32(header, static_cast<std::uint32_t>(image.width));
    add_be32(header, static_cast<std::uint32_t>(image.height));
    header += std::string{"\x08\x02\x00\x00\x00", 5};  // 8 bits, red green blue, no interlace

    std::string pixels = deflated(filter_rows(image, false));
    if (std::string other = deflated(filter_rows(image, true)); other.size() < pixels.size())
        pixels = std::move(other);

    std::string file = "\x89PNG\r\n\x1a\n";
    add_chunk(file, "IHDR", header);
    add_chunk(file, "IDAT", pixels);
    add_chunk(file, "IEND", {});
    return file;
}

}  // namespace fairlead::picture
