#include <fairlead/formats/queries.h>

#include <fairlead/formats/number.h>

#include "formats/budget.h"
#include "formats/field_reader.h"
#include "formats/text.h"

namespace fairlead::formats {

namespace {

constexpr std::string_view kHeader = "id,sx,sy,sz,sh,gx,gy,gz,gh";

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
