// Numbers to and from little-endian bytes, whatever the machine, without pointer casts.
//
//     ByteWriter out(bytes);                 ByteReader in(bytes);
//     out.put(std::uint32_t{7});             const auto seven = in.get<std::uint32_t>();
//     if (out.failed()) ...                  if (in.failed()) ...        // read past the end: zeros from there on
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>

#include <fairlead/base/array.h>

namespace fairlead {

namespace bytes {
template <std::size_t N>
struct Bits;
template <>
struct Bits<1> {
    using Type = std::uint8_t;
};
template <>
struct Bits<2> {
    using Type = std::uint16_t;
};
template <>
struct Bits<4> {
    using Type = std::uint32_t;
};
template <>
struct Bits<8> {
    using Type = std::uint64_t;
};
/// Integers and doubles.
template <class T>
concept Number = (std::is_integral_v<T> && !std::is_same_v<T, bool>) || std::is_same_v<T, double>;
}  // namespace bytes

class ByteWriter {
  public:
    /// Appends.
    explicit ByteWriter(Array<std::uint8_t>& out) : out_(&out) {}

    template <bytes::Number T>
    void put(T value) {
        typename bytes::Bits<sizeof(T)>::Type word = 0;
        std::memcpy(&word, &value, sizeof word);
        for (std::size_t i = 0; i < sizeof(T); ++i)
            failed_ = failed_ || !out_->push_back(static_cast<std::uint8_t>(word >> (8 * i)));
    }
    [[nodiscard]] std::size_t size() const { return out_->size(); }
    /// Out of memory.
    [[nodiscard]] bool failed() const { return failed_; }

  private:
    Array<std::uint8_t>* out_;
    bool failed_ = false;
};

class ByteReader {
  public:
    ByteReader() = default;
    explicit ByteReader(std::span<const std::uint8_t> in) : in_(in) {}

    template <bytes::Number T>
    [[nodiscard]] T get() {
        using Word = typename bytes::Bits<sizeof(T)>::Type;
        Word word = 0;
        if (in_.size() < sizeof(T)) {
            failed_ = true;
            in_ = {};
            return T{};
        }
        for (std::size_t i = 0; i < sizeof(T); ++i)
            word = static_cast<Word>(word | static_cast<Word>(Word{in_[i]} << (8 * i)));
        in_ = in_.subspan(sizeof(T));
        T value{};
        std::memcpy(&value, &word, sizeof word);
        return value;
    }
    [[nodiscard]] std::size_t left() const { return in_.size(); }
    /// Something was asked for that is not there.
    [[nodiscard]] bool failed() const { return failed_; }

  private:
    std::span<const std::uint8_t> in_;
    bool failed_ = false;
};

/// CRC-32C (Castagnoli 1993), as iSCSI and ext4 have it; 1 to 2 ns a byte. Of several pieces: the first one's result is the
/// seed of the second.
[[nodiscard]] std::uint32_t crc32c(std::span<const std::uint8_t> data, std::uint32_t seed = 0);

}  // namespace fairlead
