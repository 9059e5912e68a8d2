// Baked files on the command line: their bytes, their faults in words.
#include "cli/baked.h"

#include <utility>

#include <fmt/format.h>

#include <fairlead/base/baked.h>
#include <fairlead/grid/save_hierarchy.h>

#include "cli/failure.h"

namespace fairlead::cli {

std::string letters(std::uint32_t id) {
    std::string out;
    for (int i = 0; i < 4; ++i) {
        const auto c = static_cast<char>((id >> (8 * i)) & 0xff);
        out += c >= 32 && c < 127 ? c : '?';
    }
    return out;
}

std::span<const std::uint8_t> bytes_of(const std::string& text) {
    return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

std::string baked_error_text(const Error& error) {
    const std::string reason = error_text(error.code);
    switch (error.code) {
        case ErrorCode::baked_checksum:
            return fmt::format("{} ({})", reason,
                               error.index == -1   ? "header"
                               : error.index == -2 ? "table of sections"
                                                   : fmt::format("section {}", error.index));
        case ErrorCode::baked_section:
            return error.index >= 0 ? fmt::format("{} (section {})", reason, error.index) : reason;
        case ErrorCode::baked_value:
            return fmt::format("{} (section {}, record {})", reason, error.index, error.detail);
        case ErrorCode::baked_kind:
            return fmt::format("{} ({})", reason, letters(static_cast<std::uint32_t>(error.detail)));
        default: return reason;
    }
}

std::string hierarchy_error_text(const Error& error) {
    if (error.code != ErrorCode::incompatible) return baked_error_text(error);
    return error.detail == static_cast<std::int64_t>(HierarchyStale::tiles)
               ? "the hierarchy is of another map, or the map has changed; bake it anew"
               : "the hierarchy is of another unit, or of a map of another size";
}

DriveTable load_table(const std::string& path) {
    const std::string text = read_file(path);
    Result<DriveTable> table = DriveTable::load(bytes_of(text));
    if (!table) fail_at(path, baked_error_text(table.error()));
    return std::move(*table);
}

}  // namespace fairlead::cli
