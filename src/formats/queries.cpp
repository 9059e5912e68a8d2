#include <fairlead/formats/queries.h>

#include <fairlead/formats/number.h>

#include "formats/budget.h"
#include "formats/text.h"

namespace fairlead::formats {

namespace {

constexpr std::string_view kHeader = "id,sx,sy,sz,sh,gx,gy,gz,gh";

// Walks the fields of a line. The first failure stays.
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

QueryPlace read_place(FieldReader& fields) {
    QueryPlace place;
    place.position.x = fields.number();
    place.position.y = fields.number();
    place.z = fields.optional_number();
    place.heading_deg = fields.optional_number();
    return place;
}

void append_place(std::string& out, const QueryPlace& place) {
    out += ',';
    append_number(out, place.position.x);
    out += ',';
    append_number(out, place.position.y);
    for (const std::optional<double>& value : {place.z, place.heading_deg}) {
        out += ',';
        if (value) append_number(out, *value);
    }
}

}  // namespace

Result<std::vector<QueryRow>> load_queries(std::string_view text, const Limits& limits) {
    return guarded(text, limits, [&]() -> Result<std::vector<QueryRow>> {
        Budget budget(limits);
        LineReader lines(text);
        if (!lines.next()) return lines.error(ErrorCode::text_end);
        if (without_tail(lines.line()) != kHeader) return lines.error(ErrorCode::text_keyword);
        std::vector<QueryRow> rows;
        while (lines.next_filled()) {
            FieldReader fields(lines);
            QueryRow row;
            row.line = lines.number();
            row.id = fields.integer();
            row.start = read_place(fields);
            row.goal = read_place(fields);
            fields.end();
            if (!fields.ok()) return fields.error();
            if (!budget.append(rows, row)) return budget.spent();
        }
        return rows;
    });
}

std::string save_queries(std::span<const QueryRow> rows) {
    std::string out(kHeader);
    out += '\n';
    for (const QueryRow& row : rows) {
        append_number(out, row.id);
        append_place(out, row.start);
        append_place(out, row.goal);
        out += '\n';
    }
    return out;
}

}  // namespace fairlead::formats
