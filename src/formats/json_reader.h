// A pull reader for JSON (RFC 8259): the caller asks for what it expects, and each answer comes with its
// place. Nothing is built in memory, so a hostile text costs no more than the caller keeps of it.
//
//     JsonReader json(text);
//     json.open_object();
//     while (json.next_key()) {
//         if (json.key() == "title") json.read(title, 200);
//         else json.unknown_key();
//     }
//     json.finish();
//     if (!json.ok()) return json.error();
//
// The first failure stays; every later call does nothing and returns false. Written here instead of taken
// from a package because a schema error must name its line and column, and a package's tree knows neither.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <fairlead/base/error.h>

namespace fairlead::formats {

class JsonReader {
  public:
    enum class Kind : std::uint8_t { object, array, string, number, boolean, null, none };
    static constexpr std::size_t kDepthMax = 64;

    /// Where a value or key starts.
    struct Place {
        std::int64_t line = 1;
        std::int64_t column = 1;
    };

    explicit JsonReader(std::string_view text, std::int64_t first_line = 1);

    /// The next value's kind, without reading it; none at the end, before a bracket that closes, and after a
    /// failure.
    [[nodiscard]] Kind peek();

    bool open_object();
    /// Steps to the next member and reads its key; false at the end of the object, which is then closed.
    bool next_key();
    [[nodiscard]] std::string_view key() const { return key_; }
    bool open_array();
    /// Steps to the next element; false at the end of the array, which is then closed.
    bool next_item();

    /// Text of at most `bytes_max` bytes, replacing `out`; text_extra if it is longer.
    bool read(std::string& out, std::size_t bytes_max);
    bool read(double& out);
    bool read(bool& out);
    /// Written without point and exponent; text_value outside of [low, high].
    bool read_integer(std::int64_t& out, std::int64_t low, std::int64_t high);
    bool read_unsigned(std::uint64_t& out);
    /// A finite number in [low, high]; text_value.
    bool read_number(double& out, double low, double high);
    bool read_null();
    /// Any value, checked.
    bool skip();
    /// Nothing but white space may follow; text_extra.
    bool finish();

    /// Of the last value or key that was read or opened.
    [[nodiscard]] Place place() const { return place_; }

    /// Records a failure at the last value or key. Returns false.
    bool fail(ErrorCode code) { return fail_at(code, place_); }
    bool fail_at(ErrorCode code, Place place);
    /// Records a failure at the next value.
    bool fail_next(ErrorCode code);
    /// For a key that the schema does not have. Keys that start with '_' are remarks and are passed over.
    bool unknown_key();
    /// Marks bit `which` of `seen`; text_duplicate if it was marked.
    bool once(std::uint64_t& seen, unsigned which);

    [[nodiscard]] bool ok() const { return ok_; }
    [[nodiscard]] const Error& error() const { return error_; }

  private:
    void skip_space();
    [[nodiscard]] Place here() const { return {line_, static_cast<std::int64_t>(at_ - line_start_) + 1}; }
    bool fail_here(ErrorCode code) { return fail_at(code, here()); }
    bool fail_here_or_end(ErrorCode code) {
        return fail_here(at_ < text_.size() ? code : ErrorCode::text_end);
    }
    bool expect(Kind kind);
    bool next_element(char close);
    bool open(Kind kind);
    bool read_string(std::string* out, std::size_t bytes_max);
    bool read_escape(char (&bytes)[4], std::size_t& count);
    bool read_hex4(std::uint32_t& out);
    bool check_utf8(std::size_t& count);
    bool read_number_text(std::string_view& out);
    bool read_word(std::string_view word);

    std::string_view text_;
    std::size_t at_ = 0;
    std::size_t line_start_ = 0;
    std::int64_t line_;
    Place place_{};
    std::string key_;
    std::size_t depth_ = 0;
    std::array<bool, kDepthMax> first_{};  // is the next element of that level its first?
    std::array<char, kDepthMax> close_{};  // the bracket that closes that level
    Error error_{};
    bool ok_ = true;
};

}  // namespace fairlead::formats
