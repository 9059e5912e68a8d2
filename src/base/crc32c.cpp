// Eight bytes at a time, by tables (Kounavis and Berry 2005). Where the processor has an instruction for it, three stretches at once,
// which do not wait for one another; what a stretch gives is then moved over those behind it by a table, for the checksum is linear
// (Gopal and others, Intel 2011). By tables three stretches at once are hardly faster than one.
#include <array>
#include <cstring>

#include <fairlead/base/bytes.h>
#include <fairlead/base/platform.h>

namespace fairlead {

namespace {

using Table = std::array<std::uint32_t, 256>;
using Tables = std::array<Table, 8>;

// Table k tells what a byte does k bytes later.
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

#if defined(FAIRLEAD_AVX2)
constexpr std::size_t kStretch = 1024;  ///< bytes

/// What becomes of each bit of a checksum over some zero bytes.
using Columns = std::array<std::uint32_t, 32>;

constexpr std::uint32_t apply(const Columns& columns, std::uint32_t crc) {
    std::uint32_t out = 0;
    for (std::size_t i = 0; i < 32; ++i) {
        if ((crc >> i & 1) != 0) out ^= columns[i];
    }
    return out;
}

constexpr Columns twice(const Columns& columns) {
    Columns out{};
    for (std::size_t i = 0; i < 32; ++i) out[i] = apply(columns, columns[i]);
    return out;
}

constexpr Columns over(std::size_t bytes) {  // a power of 2
    Columns out{};
    for (std::size_t i = 0; i < 32; ++i) {
        const std::uint32_t crc = 1U << i;
        out[i] = (crc >> 8) ^ kTables[0][crc & 0xff];
    }
    for (std::size_t n = 1; n < bytes; n *= 2) out = twice(out);
    return out;
}

using Moves = std::array<Table, 4>;

constexpr Moves make_moves(std::size_t bytes) {
    const Columns columns = over(bytes);
    Moves out{};
    for (std::size_t k = 0; k < 4; ++k) {
        for (std::uint32_t i = 0; i < 256; ++i) out[k][i] = apply(columns, i << (8 * k));
    }
    return out;
}

constexpr Moves kOverOne = make_moves(kStretch);
constexpr Moves kOverTwo = make_moves(2 * kStretch);

std::uint32_t moved(const Moves& moves, std::uint32_t crc) {
    return moves[0][crc & 0xff] ^ moves[1][crc >> 8 & 0xff] ^ moves[2][crc >> 16 & 0xff] ^
           moves[3][crc >> 24];
}

FAIRLEAD_AVX2_BEGIN
std::uint32_t eight(std::uint32_t crc, const std::uint8_t* bytes) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes, sizeof word);
    return static_cast<std::uint32_t>(FAIRLEAD_CRC32C(crc, word));
}
// Whole triples of stretches by the processor's own instruction; what is left stays.
std::uint32_t take_stretches(std::uint32_t crc, std::span<const std::uint8_t>& data) {
    const std::uint8_t* at = data.data();
    std::size_t left = data.size();
    for (; left >= 3 * kStretch; at += 3 * kStretch, left -= 3 * kStretch) {
        std::uint32_t second = 0, third = 0;
        for (std::size_t i = 0; i < kStretch; i += 8) {
            crc = eight(crc, at + i);
            second = eight(second, at + kStretch + i);
            third = eight(third, at + 2 * kStretch + i);
        }
        crc = moved(kOverTwo, crc) ^ moved(kOverOne, second) ^ third;
    }
    data = data.last(left);
    return crc;
}
FAIRLEAD_AVX2_END
#endif

}  // namespace

std::uint32_t crc32c(std::span<const std::uint8_t> data, std::uint32_t seed) {
    std::uint32_t crc = ~seed;
#if defined(FAIRLEAD_AVX2)
    if (detail::has_avx2()) crc = take_stretches(crc, data);
#endif
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
