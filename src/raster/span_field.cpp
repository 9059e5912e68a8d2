// Columns of spans: making, adding spans one by one.

#include <fairlead/raster/span_field.h>

#include <algorithm>

#include "base/no_memory.h"

namespace fairlead {

Result<SpanField> SpanField::make(const CellBox& box, const Allocator& allocator) {
    SpanField field;
    field.box_ = box;
    field.columns_ = Array<Span>(allocator);
    field.upper_ = Array<Span>(allocator);
    field.rows_ = Array<double>(allocator);
    if (box.empty()) return Error{ErrorCode::size_zero, 0, 0};
    if (box.width() > kSpanColumnsMax || box.height() > kSpanColumnsMax / box.width())
        return Error{ErrorCode::size_limit, 0, kSpanColumnsMax};
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

// The column is sorted and its spans are apart. The new one swallows all that it meets; what is left of them is their union.
bool SpanField::insert_among(Span& first, std::int32_t low, std::int32_t high, std::uint32_t area) {
    // Everything is done on a new span; `place` is the last span wholly below it, 0xffffffff for none.
    constexpr std::uint32_t kHead = 0xffffffffU;
    Span made{low, high, area, 0};
    std::uint32_t below = 0;
    bool any_below = false;
    std::uint32_t at = kHead;
    const auto span_at = [&](std::uint32_t i) -> Span& { return i == kHead ? first : upper_[i]; };
    while (span_at(at).high < low) {
        below = at;
        any_below = true;
        at = span_at(at).above;
        if (at == 0) break;
    }
    // Swallow what meets it.
    bool head_free = false;
    while (at != 0 && span_at(at).low <= made.high) {
        Span& old = span_at(at);
        if (old.high > made.high) {
            made.area = old.area;
        } else if (old.high == made.high) {
            made.area = std::max(made.area, old.area);
        }
        made.low = std::min(made.low, old.low);
        made.high = std::max(made.high, old.high);
        const std::uint32_t next = old.above;
        if (at == kHead) {
            head_free = true;
        } else {
            old.above = free_;
            free_ = at;
        }
        at = next;
    }
    made.above = at == kHead ? 0 : at;
    if (!any_below) {
        if (!head_free) {  // the head moves up
            const std::uint32_t place = take_upper();
            if (place == 0) return false;
            upper_[place] = first;
            made.above = place;
        }
        first = made;
        return true;
    }
    const std::uint32_t place = take_upper();
    if (place == 0) return false;
    upper_[place] = made;
    span_at(below).above = place;
    return true;
}

}  // namespace fairlead
