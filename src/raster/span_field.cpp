// Columns of spans: making, adding spans one by one.

#include <fairlead/raster/span_field.h>

#include <algorithm>

#include "base/no_memory.h"
#include "raster/widen_span.h"

namespace fairlead {

Result<SpanField> SpanField::make(const CellBox& box, const Allocator& allocator) {
    SpanField field;
    field.box_ = box;
    field.columns_ = Array<Span>(allocator);
    field.upper_ = Array<Span>(allocator);
    field.rows_ = Array<double>(allocator);
    if (box.empty()) return Error{ErrorCode::size_zero, Field::cell_size};
    if (box.width() > kSpanColumnsMax || box.height() > kSpanColumnsMax / box.width())
        return Error{ErrorCode::size_limit, Field::cell_size, kSpanColumnsMax};
    const auto width = static_cast<std::size_t>(box.width());
    if (!field.columns_.resize(width * static_cast<std::size_t>(box.height()))) return kNoMemory;
    if (!field.rows_.resize_uninitialized(2 * width)) return kNoMemory;
    if (!field.upper_.reserve(field.columns_.size() / 4 + 1) || !field.upper_.push_back({})) return kNoMemory;
    return field;
}

std::uint32_t SpanField::take_upper() {
    if (free_ != 0) {
        const std::uint32_t place = free_;
        free_ = upper_[place].above;
        return place;
    }
    if (upper_.size() >= 0xffffffffU || !upper_.push_back({})) return 0;
    return static_cast<std::uint32_t>(upper_.size() - 1);
}

// The column is sorted and its spans are apart. The new one grows the lowest that it meets, which then swallows those above.
bool SpanField::insert_among(Span& first, std::int32_t low, std::int32_t high, std::uint32_t area) {
    Span* meets = &first;
    if (first.high < low) {
        Span* below = &first;
        std::uint32_t next = first.above;
        while (next != 0 && upper_[next].high < low) {
            below = &upper_[next];
            next = below->above;
        }
        if (next == 0 || upper_[next].low > high) {
            const std::size_t from = below == &first ? 0 : static_cast<std::size_t>(below - upper_.data());
            const std::uint32_t place = take_upper();  // may move the others
            if (place == 0) return false;
            upper_[place] = {low, high, static_cast<std::uint16_t>(area), kDropUnknown, next};
            (from == 0 ? first : upper_[from]).above = place;
            return true;
        }
        meets = &upper_[next];
    } else if (high < first.low) {  // the head moves up
        const std::uint32_t place = take_upper();
        if (place == 0) return false;
        upper_[place] = first;
        first = {low, high, static_cast<std::uint16_t>(area), kDropUnknown, place};
        return true;
    }
    raster::widen_span(*meets, low, high, area);
    while (meets->above != 0 && upper_[meets->above].low <= meets->high) {
        const std::uint32_t place = meets->above;
        Span& swallowed = upper_[place];
        raster::widen_span(*meets, swallowed.low, swallowed.high, swallowed.area);
        meets->above = swallowed.above;
        swallowed.above = free_;
        free_ = place;
    }
    return true;
}

}  // namespace fairlead
