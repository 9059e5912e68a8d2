// Baked files on the command line.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include <fairlead/base/error.h>
#include <fairlead/drive/drive_table.h>

namespace fairlead::cli {

[[nodiscard]] std::span<const std::uint8_t> bytes_of(const std::string& text);

/// The four letters of a kind or a section.
[[nodiscard]] std::string letters(std::uint32_t id);

/// What is wrong with a baked file, and where.
[[nodiscard]] std::string baked_error_text(const Error& error);

/// The same of Grid::load_hierarchy.
[[nodiscard]] std::string hierarchy_error_text(const Error& error);

/// Fails if the file is no table.
[[nodiscard]] DriveTable load_table(const std::string& path);

}  // namespace fairlead::cli
