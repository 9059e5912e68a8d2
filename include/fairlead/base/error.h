// Bad data and bad arguments. An Error is a small value: a code with one meaning, the field that it is about, and two numbers
// that say where. It owns nothing and costs nothing to make. error_text() gives the sentence.
//
// Three kinds of wrong are never mixed: a caller's bug is an assertion (assert.h); bad data or a bad argument
// is an Error in a Result (result.h); an ordinary outcome such as "unreachable" is a PathStatus (route.h).
#pragma once

#include <cstdint>

#include <fairlead/base/field.h>
#include <fairlead/base/platform.h>

namespace fairlead {

/// One meaning each. `index` and `detail` of the Error are as stated behind the code; where a query or options are at fault
/// `field` names the field, and `index` counts in it where it is a list.
enum class ErrorCode : std::uint16_t {
    out_of_memory,  ///< the allocator gave nothing; detail = bytes asked for
    size_zero,      ///< a width, height, count or list that must not be empty is
    size_limit,     ///< a size is past the stated limit; detail = the limit
    size_mismatch,  ///< a list's length is not what its partner needs; detail = the length expected
    not_finite,     ///< NaN or infinite where a number is needed; index = which element
    out_of_range,  ///< a number is outside its documented range; index = which element, detail = value, truncated
    unknown_id,    ///< an id that names nothing; detail = the id
    duplicate_id,  ///< an id given twice; detail = the id, index = its second place
    incompatible,  ///< options that exclude each other; detail = which rule, as the function documents
    unsupported,  ///< the planner cannot do what the query asks; detail = which rule, as the function documents
    stale_revision,   ///< made for another revision of the world; detail = that revision
    scratch_in_use,   ///< a search runs on the scratch that was given; the search is unharmed
    nothing_to_take,  ///< the result of this search was taken before
    cancelled,        ///< the caller's progress said stop; nothing was changed or written
    file_open,        ///< the file cannot be opened for reading or writing; detail = errno
    file_read,        ///< reading or writing failed part way; detail = errno
    text_end,         ///< the text ends too early; index = line, detail = column
    text_keyword,     ///< another word was expected here; index = line, detail = column
    text_number,      ///< a number was expected here, or it does not fit; index = line, detail = column
    text_character,   ///< a character that the format does not know; index = line, detail = column
    text_extra,       ///< more text than the format allows; index = line, detail = column
    text_value,       ///< a number is out of the range that the format allows; index = line, detail = column
    text_missing,     ///< something required is not there; index = line, detail = column of what lacks it
    text_duplicate,   ///< a name or id given twice; index = line, detail = column of the second
    text_reference,   ///< a name or id that the file does not define; index = line, detail = column
    text_type,        ///< a value of another kind was expected here; index = line, detail = column
    file_packed,      ///< the compressed data is damaged; detail = bytes unpacked before the damage
    baked_length,     ///< the baked file is cut short; detail = bytes needed at least
    baked_magic,      ///< not a baked file of this library
    baked_version,    ///< made for another version; detail = the file's major version
    baked_size,       ///< the file is not as long as it says; detail = what it says
    baked_checksum,   ///< damaged; index = the section, -1 the header, -2 the table of sections
    baked_kind,       ///< a baked file of another kind; detail = that kind
    baked_section,    ///< a section lacks, or does not lie where it must; index = which, detail = its id
    baked_value,      ///< a record means nothing; index = the section, detail = the record
    world_forgotten,  ///< the world that was asked about is gone
    count_,           ///< not an error: the number of codes
};

/// What went wrong and where. 24 bytes, trivially copyable.
struct Error {
    ErrorCode code = ErrorCode::out_of_range;
    Field field =
        Field::none;  ///< of the query or options that were given; none: of a file, or of all together
    std::int64_t index = -1;  ///< which element or line (from 1), -1 where it has no meaning
    std::int64_t detail = 0;  ///< a value, limit or column (from 1), as the code documents

    constexpr Error() = default;
    constexpr Error(ErrorCode c, std::int64_t element = -1, std::int64_t value = 0)
        : code(c), index(element), detail(value) {}
    constexpr Error(ErrorCode c, Field f, std::int64_t value = 0) : code(c), field(f), detail(value) {}
    constexpr Error(ErrorCode c, Field f, std::int64_t element, std::int64_t value)
        : code(c), field(f), index(element), detail(value) {}

    friend bool operator==(const Error&, const Error&) = default;
};
static_assert(sizeof(Error) == 24);

/// A line of text by value.
struct ErrorText {
    char text[160] = {};
    [[nodiscard]] const char* c_str() const { return text; }
};

/// One plain English sentence without a full stop, with the field's name and the element's number where they are known:
/// "goal.list[3]: a number is NaN or infinite".
[[nodiscard]] ErrorText error_text(const Error& error);

/// The sentence of a code alone. Never null; unknown codes give "unknown error".
[[nodiscard]] const char* error_text(ErrorCode code);

/// The enumerator's name, for logs and JSON: "out_of_memory". Never null.
[[nodiscard]] const char* error_name(ErrorCode code);

}  // namespace fairlead
