// The header says what each field of a line is; a table says what each column may hold and where it goes.
#include <fairlead/formats/units.h>

#include <algorithm>
#include <iterator>

#include <fairlead/formats/number.h>

#include "formats/budget.h"
#include "formats/field_reader.h"
#include "formats/text.h"

namespace fairlead::formats {

namespace {

constexpr std::string_view kColumns[] = {"id",        "x",
                                         "y",         "z",
                                         "layer",     "h",
                                         "gx",        "gy",
                                         "gz",        "glayer",
                                         "gh",        "radius",
                                         "length",    "width",
                                         "speed",     "accel",
                                         "brake",     "lateral_accel",
                                         "turn_rate", "turning_radius",
                                         "reverse",   "climb",
                                         "facings",   "start_s"};

enum Column : std::uint8_t {
    c_id,
    c_x,
    c_y,
    c_z,
    c_layer,
    c_h,
    c_gx,
    c_gy,
    c_gz,
    c_glayer,
    c_gh,
    c_radius,
    c_length,
    c_width,
    c_speed,
    c_accel,
    c_brake,
    c_lateral,
    c_turn_rate,
    c_turning_radius,
    c_reverse,
    c_climb,
    c_facings,
    c_start
};

constexpr Column kNeeded[] = {c_id, c_x, c_y, c_gx, c_gy};
constexpr double kUnitLayerMax = 63.0;

Result<std::vector<Column>> read_header(const LineReader& lines) {
    std::vector<Column> columns;
    FieldReader fields(lines);
    const std::string_view line = without_tail(lines.line());
    const auto count = static_cast<std::size_t>(std::count(line.begin(), line.end(), ',')) + 1;
    for (std::size_t i = 0; i < count; ++i) {
        const std::string_view name = fields.field();
        const auto* found = std::find(std::begin(kColumns), std::end(kColumns), name);
        if (found == std::end(kColumns)) {
            fields.fail(ErrorCode::text_keyword);
            return fields.error();
        }
        const auto column = static_cast<Column>(found - std::begin(kColumns));
        if (std::find(columns.begin(), columns.end(), column) != columns.end()) {
            fields.fail(ErrorCode::text_duplicate);
            return fields.error();
        }
        columns.push_back(column);
    }
    for (const Column needed : kNeeded) {
        if (std::find(columns.begin(), columns.end(), needed) == columns.end()) {
            return lines.error(ErrorCode::text_missing);
        }
    }
    return columns;
}

/// One field, with the range that its column allows.
class UnitReader {
  public:
    explicit UnitReader(FieldReader& fields) : fields_(&fields) {}

    void into(double& value) { value = fields_->optional_number().value_or(value); }
    void needed(double& value) { value = fields_->number(); }
    void into(std::optional<double>& value) { value = fields_->optional_number(); }
    void at_least_zero(double& value) {
        into(value);
        refuse(!(value >= 0.0));
    }
    void above_zero(double& value) {
        into(value);
        refuse(!(value > 0.0));
    }
    void above_zero(std::optional<double>& value, double below = kNumberMax * 2.0) {
        into(value);
        refuse(value && !(*value > 0.0 && *value < below));
    }
    void whole(std::int32_t& value, double most) {
        double number = value;
        into(number);
        const bool good = number >= 0.0 && number <= most &&
                          number == static_cast<double>(static_cast<std::int32_t>(number));
        refuse(!good);
        if (good) value = static_cast<std::int32_t>(number);
    }
    void refuse(bool wrong) {
        if (wrong) fields_->fail(ErrorCode::text_value);
    }

  private:
    FieldReader* fields_;
};

void read_field(Column column, FieldReader& fields, UnitRow& row) {
    UnitReader read(fields);
    switch (column) {
        case c_id: row.id = fields.integer(); break;
        case c_x: read.needed(row.start.position.x); break;
        case c_y: read.needed(row.start.position.y); break;
        case c_z: read.into(row.start.z); break;
        case c_layer: read.whole(row.start.layer, kUnitLayerMax); break;
        case c_h: read.into(row.start.heading_deg); break;
        case c_gx: read.needed(row.goal.position.x); break;
        case c_gy: read.needed(row.goal.position.y); break;
        case c_gz: read.into(row.goal.z); break;
        case c_glayer: read.whole(row.goal.layer, kUnitLayerMax); break;
        case c_gh: read.into(row.goal.heading_deg); break;
        case c_radius: read.at_least_zero(row.radius); break;
        case c_length: read.at_least_zero(row.length); break;
        case c_width: read.at_least_zero(row.width); break;
        case c_speed: read.above_zero(row.speed); break;
        case c_accel: read.above_zero(row.accel); break;
        case c_brake: read.above_zero(row.brake); break;
        case c_lateral: read.above_zero(row.lateral_accel); break;
        case c_turn_rate: read.above_zero(row.turn_rate_deg); break;
        case c_turning_radius: read.at_least_zero(row.turning_radius); break;
        case c_reverse: {
            std::int32_t reverse = 0;
            read.whole(reverse, 1.0);
            row.reverse = reverse != 0;
            break;
        }
        case c_climb: read.above_zero(row.climb_deg, 90.0); break;
        case c_facings:
            read.whole(row.facings, 32.0);
            read.refuse(row.facings != 0 && row.facings != 8 && row.facings != 16 && row.facings != 32);
            break;
        case c_start: read.at_least_zero(row.start_s); break;
    }
}

/// The lines of ids that stand there twice are found by sorting.
Result<void> refuse_twice(const std::vector<UnitRow>& rows) {
    std::vector<std::pair<std::int64_t, std::int64_t>> ids;
    ids.reserve(rows.size());
    for (const UnitRow& row : rows) ids.emplace_back(row.id, row.line);
    std::sort(ids.begin(), ids.end());  // total order
    std::int64_t first = 0;
    for (std::size_t i = 1; i < ids.size(); ++i) {
        if (ids[i].first == ids[i - 1].first && (first == 0 || ids[i].second < first)) first = ids[i].second;
    }
    if (first != 0) return Error{ErrorCode::text_duplicate, first, 1};
    return {};
}

}  // namespace

Result<std::vector<UnitRow>> load_units(std::string_view text, const Limits& limits) {
    return guarded(text, limits, [&]() -> Result<std::vector<UnitRow>> {
        Budget budget(limits);
        LineReader lines(text);
        if (!lines.next_filled()) return lines.error(ErrorCode::text_end);
        const Result<std::vector<Column>> columns = read_header(lines);
        if (!columns) return columns.error();
        std::vector<UnitRow> rows;
        while (lines.next_filled()) {
            FieldReader fields(lines);
            UnitRow row;
            row.line = lines.number();
            for (const Column column : *columns) read_field(column, fields, row);
            fields.end();
            if (!fields.ok()) return fields.error();
            if (!budget.append(rows, row)) return budget.spent();
        }
        if (const Result<void> once = refuse_twice(rows); !once) return once.error();
        return rows;
    });
}

}  // namespace fairlead::formats
