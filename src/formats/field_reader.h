// Walks the fields of a line that are parted by commas.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include <fairlead/formats/limits.h>
#include <fairlead/formats/number.h>

#include "formats/text.h"

namespace fairlead::formats {

/// The first failure stays.
class FieldReader {
  public:
    explicit FieldReader(const LineReader& lines) : lines_(&lines), line_(without_tail(lines.line())) {}

    std::string_view field() {
        if (at_ > line_.size()) {
            fail(ErrorCode::text_end, line_.size());
            return {};
        }
        const std::size_t comma = line_.find(',', at_);
        const std::size_t end = comma == std::string_view::npos ? line_.size() : comma;
        std::size_t from = at_;
        while (from < end && is_blank(line_[from])) ++from;
        field_at_ = from;
        at_ = end + 1;
        return without_tail(line_.substr(from, end - from));
    }

    std::int64_t integer() {
        const std::optional<std::int64_t> value = parse_integer(field());
        if (!value) fail(ErrorCode::text_number, field_at_);
        return value.value_or(0);
    }

    std::optional<double> optional_number() {
        const std::string_view text = field();
        if (text.empty()) return std::nullopt;
        const std::optional<double> value = parse_number(text);
        if (!value) {
            fail(ErrorCode::text_number, field_at_);
        } else if (!(*value >= -kNumberMax && *value <= kNumberMax)) {
            fail(ErrorCode::text_value, field_at_);
        }
        return value;
    }

    double number() {
        const std::optional<double> value = optional_number();
        if (!value) fail(ErrorCode::text_number, field_at_);
        return value.value_or(0.0);
    }

    void end() {
        if (at_ <= line_.size()) fail(ErrorCode::text_extra, at_ - 1);
    }

    /// Records a failure at the last field.
    void fail(ErrorCode code) { fail(code, field_at_); }
    [[nodiscard]] bool ok() const { return !error_.has_value(); }
    [[nodiscard]] const Error& error() const { return *error_; }

  private:
    void fail(ErrorCode code, std::size_t offset) {
        if (!error_) error_ = lines_->error(code, offset);
    }

    const LineReader* lines_;
    std::string_view line_;
    std::size_t at_ = 0;
    std::size_t field_at_ = 0;
    std::optional<Error> error_;
};

}  // namespace fairlead::formats
