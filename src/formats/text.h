// Lines and words of the line-based formats, with their places.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include <fairlead/base/error.h>
#include <fairlead/base/result.h>

namespace fairlead::formats {

[[nodiscard]] inline bool is_blank(char c) { return c == ' ' || c == '\t'; }
[[nodiscard]] inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
/// One that may stand for a tile: printed, and no blank.
[[nodiscard]] inline bool is_letter(char c) { return c > ' ' && c < '\x7f'; }

/// The text without its byte order mark.
[[nodiscard]] std::string_view without_mark(std::string_view text);

/// The view without blanks and NULs at its end, as some published files have them.
[[nodiscard]] std::string_view without_tail(std::string_view line);

/// Walks a text line by line.
class LineReader {
  public:
    explicit LineReader(std::string_view text) : rest_(without_mark(text)) {}

    /// Steps to the next line. False at the end of the text; line() is then empty and number() one past the
    /// last.
    bool next();
    /// Steps to the next line that holds more than blanks and NULs.
    bool next_filled();

    [[nodiscard]] std::string_view line() const { return line_; }
    [[nodiscard]] std::int64_t number() const { return number_; }
    /// Bytes behind the current line.
    [[nodiscard]] std::size_t left() const { return rest_.size(); }

    /// An Error at byte `offset` of the current line.
    [[nodiscard]] Error error(ErrorCode code, std::size_t offset = 0) const {
        return {code, number_, static_cast<std::int64_t>(offset) + 1};
    }

  private:
    std::string_view rest_;
    std::string_view line_;
    std::int64_t number_ = 0;
    bool ended_ = false;
};

/// Walks the words of a line, with checks of what they hold. The first failure stays; later calls do nothing.
///
/// Words are parted by runs of blanks; in a line with tabs by runs of tabs alone, so that names may hold
/// spaces.
class WordReader {
  public:
    explicit WordReader(const LineReader& lines);

    /// The next word; text_end when there is none.
    std::string_view word();
    /// The next word must be this one; text_keyword.
    void keyword(std::string_view expected);
    /// A whole number; text_number, and text_value outside of [low, high].
    std::int64_t integer(std::int64_t low, std::int64_t high);
    std::int32_t integer32(std::int32_t low, std::int32_t high) {
        return static_cast<std::int32_t>(integer(low, high));
    }
    /// A finite number; text_number, text_value. `written` gets the word as it stands there.
    double number(double low, double high, std::string_view* written = nullptr);
    /// Nothing may follow; text_extra.
    void end();

    /// Records a failure at the last word.
    void fail(ErrorCode code);
    [[nodiscard]] bool ok() const { return !error_.has_value(); }
    [[nodiscard]] const Error& error() const { return *error_; }

  private:
    void fail_at(ErrorCode code, std::size_t offset);
    [[nodiscard]] bool separator(char c) const { return c == '\t' || (!tabs_ && c == ' '); }
    void skip_separators();

    std::string_view line_;
    std::int64_t number_;
    std::size_t at_ = 0;
    std::size_t word_at_ = 0;
    bool tabs_;
    std::optional<Error> error_;
};

}  // namespace fairlead::formats
