#include <fairlead/base/error.h>

#include <cstddef>
#include <iterator>

namespace fairlead {

namespace {

struct ErrorRow {
    ErrorCode code;
    const char* name;
    const char* text;
};

constexpr ErrorRow kRows[] = {
    {ErrorCode::out_of_memory, "out_of_memory", "the allocator has no memory left"},
    {ErrorCode::size_zero, "size_zero", "a size or list that must not be empty is empty"},
    {ErrorCode::size_limit, "size_limit", "a size is larger than the limit"},
    {ErrorCode::size_mismatch, "size_mismatch", "a list has not the length that its partner needs"},
    {ErrorCode::not_finite, "not_finite", "a number is NaN or infinite"},
    {ErrorCode::out_of_range, "out_of_range", "a number is outside its documented range"},
    {ErrorCode::unknown_id, "unknown_id", "the id names nothing here"},
    {ErrorCode::duplicate_id, "duplicate_id", "the id is given twice"},
    {ErrorCode::incompatible, "incompatible", "these options exclude each other"},
    {ErrorCode::unsupported, "unsupported", "the planner cannot do what the query asks"},
    {ErrorCode::stale_revision, "stale_revision", "made for another revision of the world"},
    {ErrorCode::scratch_in_use, "scratch_in_use", "another search runs on this scratch"},
    {ErrorCode::nothing_to_take, "nothing_to_take", "the result of this search was taken before"},
    {ErrorCode::cancelled, "cancelled", "the caller said stop"},
    {ErrorCode::file_open, "file_open", "the file cannot be opened"},
    {ErrorCode::file_read, "file_read", "reading or writing the file failed part way"},
    {ErrorCode::text_end, "text_end", "the text ends too early"},
    {ErrorCode::text_keyword, "text_keyword", "another word was expected here"},
    {ErrorCode::text_number, "text_number", "a number was expected here"},
    {ErrorCode::text_character, "text_character", "the format does not know this character"},
    {ErrorCode::text_extra, "text_extra", "there is more text than the format allows"},
    {ErrorCode::text_value, "text_value", "the number is out of the range that the format allows"},
    {ErrorCode::text_missing, "text_missing", "something required is missing here"},
    {ErrorCode::text_duplicate, "text_duplicate", "the name or id is given twice in the text"},
    {ErrorCode::text_reference, "text_reference", "the text does not define this name or id"},
    {ErrorCode::text_type, "text_type", "a value of another kind was expected here"},
    {ErrorCode::file_packed, "file_packed", "the compressed data is damaged"},
    {ErrorCode::baked_length, "baked_length", "the baked file is cut short"},
    {ErrorCode::baked_magic, "baked_magic", "this is not a baked file of fairlead"},
    {ErrorCode::baked_version, "baked_version",
     "the baked file is of a version that this program does not read"},
    {ErrorCode::baked_size, "baked_size", "the baked file is not as long as it says"},
    {ErrorCode::baked_checksum, "baked_checksum", "the baked file is damaged: a checksum does not fit"},
    {ErrorCode::baked_kind, "baked_kind", "the baked file holds something else"},
    {ErrorCode::baked_section, "baked_section", "a section of the baked file lacks or lies in a wrong place"},
    {ErrorCode::baked_value, "baked_value", "a record of the baked file means nothing"},
    {ErrorCode::world_forgotten, "world_forgotten", "the world that was asked about is gone"},
};
static_assert(std::size(kRows) == static_cast<std::size_t>(ErrorCode::count_));

}  // namespace

ErrorText error_text(const Error& error) {
    ErrorText out;
    std::size_t at = 0;
    const auto put = [&](const char* text) {
        while (*text != '\0' && at + 1 < sizeof out.text) out.text[at++] = *text++;
    };
    if (error.field != Field::none) {
        put(field_name(error.field));
        if (error.index >= 0) {
            char digits[24];
            std::size_t first = sizeof digits - 1;
            digits[first] = '\0';
            for (std::int64_t left = error.index; first > 0; left /= 10) {
                digits[--first] = static_cast<char>('0' + left % 10);
                if (left < 10) break;
            }
            put("[");
            put(digits + first);
            put("]");
        }
        put(": ");
    }
    put(error_text(error.code));
    return out;
}

const char* error_text(ErrorCode code) {
    const auto i = static_cast<std::size_t>(code);
    return i < std::size(kRows) && kRows[i].code == code ? kRows[i].text : "unknown error";
}

const char* error_name(ErrorCode code) {
    const auto i = static_cast<std::size_t>(code);
    return i < std::size(kRows) && kRows[i].code == code ? kRows[i].name : "unknown";
}

}  // namespace fairlead
