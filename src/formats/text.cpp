#include "formats/text.h"

#include <cmath>

#include <fairlead/formats/number.h>

namespace fairlead::formats {

std::string_view without_mark(std::string_view text) {
    return text.substr(0, 3) == "\xEF\xBB\xBF" ? text.substr(3) : text;
}

std::string_view without_tail(std::string_view line) {
    std::size_t size = line.size();
    while (size > 0 && (is_blank(line[size - 1]) || line[size - 1] == '\0')) --size;
    return line.substr(0, size);
}

bool LineReader::next() {
    if (ended_) return false;
    ++number_;
    if (rest_.empty()) {
        line_ = {};
        ended_ = true;
        return false;
    }
    const std::size_t end = rest_.find('\n');
    line_ = rest_.substr(0, end);
    rest_ = end == std::string_view::npos ? std::string_view{} : rest_.substr(end + 1);
    if (!line_.empty() && line_.back() == '\r') line_.remove_suffix(1);
    return true;
}

bool LineReader::next_filled() {
    while (next()) {
        if (!without_tail(line_).empty()) return true;
    }
    return false;
}

WordReader::WordReader(const LineReader& lines)
    : line_(without_tail(lines.line())),
      number_(lines.number()),
      tabs_(line_.find('\t') != std::string_view::npos) {}

void WordReader::fail_at(ErrorCode code, std::size_t offset) {
    if (!error_) error_ = Error{code, number_, static_cast<std::int64_t>(offset) + 1};
}

void WordReader::fail(ErrorCode code) { fail_at(code, word_at_); }

void WordReader::skip_separators() {
    while (at_ < line_.size() && is_blank(line_[at_])) ++at_;
}

std::string_view WordReader::word() {
    if (error_) return {};
    skip_separators();
    word_at_ = at_;
    if (at_ == line_.size()) {
        fail_at(ErrorCode::text_end, at_);
        return {};
    }
    while (at_ < line_.size() && !separator(line_[at_])) ++at_;
    const std::string_view found = without_tail(line_.substr(word_at_, at_ - word_at_));
    if (found.empty()) fail_at(ErrorCode::text_end, word_at_);  // zeros alone are no word
    return found;
}

void WordReader::keyword(std::string_view expected) {
    if (word() != expected) fail(ErrorCode::text_keyword);
}

std::int64_t WordReader::integer(std::int64_t low, std::int64_t high) {
    const std::optional<std::int64_t> value = parse_integer(word());
    if (!value) {
        fail(ErrorCode::text_number);
    } else if (*value < low || *value > high) {
        fail(ErrorCode::text_value);
    }
    return ok() ? *value : low;
}

double WordReader::number(double low, double high, std::string_view* written) {
    const std::string_view text = word();
    const std::optional<double> value = parse_number(text);
    if (!value) {
        fail(ErrorCode::text_number);
    } else if (!(*value >= low && *value <= high)) {
        fail(ErrorCode::text_value);
    }
    if (written != nullptr) *written = text;
    return ok() ? *value : low;
}

void WordReader::end() {
    skip_separators();
    if (at_ < line_.size()) fail_at(ErrorCode::text_extra, at_);
}

}  // namespace fairlead::formats
