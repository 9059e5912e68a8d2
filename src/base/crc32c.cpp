#include <array>

#include <fairlead/base/bytes.h>

namespace fairlead {

namespace {

// Eight bytes at a time (Kounavis and Berry 2005): table k tells what a byte does k bytes later.
using Tables = std::array<std::array<std::uint32_t, 256>, 8>;

constexpr Tables make_tables() {
    constexpr std::uint32_t kPolynomial = 0x82f63b78;
    Tables out{};
    for (std::uint32_t i = 0; i < 256; ++i) {
        std::uint32_t crc = i;
        for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1U) != 0 ? kPolynomial : 0U);
        out[0][i] = crc;
    }
    for (std::size_t k = 1; k < 8; ++k) {
        for (std::size_t i = 0; i < 256; ++i) out[k][i] = (out[k - 1][i] >> 8) ^ out[0][out[k - 1][i] & 0xff];
    }
    return out;
}

constexpr Tables kTables = make_tables();

}  // namespace

std::uint32_t crc32c(std::span<const std::uint8_t> data, std::uint32_t seed) {
    std::uint32_t crc = ~seed;
    std::size_t i = 0;
    for (; i + 8 <= data.size(); i += 8) {
        std::uint32_t next = 0;
        for (std::size_t k = 0; k < 8; ++k) {
            const std::uint32_t byte = data[i + k] ^ (k < 4 ? (crc >> (8 * k)) & 0xff : 0U);
            next ^= kTables[7 - k][byte];
        }
        crc = next;
    }
    for (; i < data.size(); ++i) crc = (crc >> 8) ^ kTables[0][(crc ^ data[i]) & 0xff];
    return ~crc;
}

}  // namespace fairlead
