// Cylinders as baked files (.fl): kind CYLI of FORMAT.md.
//
//     Array<std::uint8_t> bytes;
//     Result<void> saved = save_cylinder(*tube, bytes);
//     Result<CylinderWorld> again = load_cylinder(bytes);
//
// The shape and one byte a column. What does not float needs no more, and so no file can hold what does. The bytes are
// a pure function of what is saved. Cost: linear, 3 ns a column.
#pragma once

#include <cstdint>
#include <span>

#include <fairlead/base/array.h>
#include <fairlead/base/result.h>
#include <fairlead/cylinder/cylinder.h>

namespace fairlead {

/// Errors: those of check_cylinder(), size_mismatch and out_of_range (cells), out_of_memory.
[[nodiscard]] Result<void> save_cylinder(const CylinderWorld& world, Array<std::uint8_t>& out);

/// Errors: those of BakedFile::open; baked_section; baked_value (index: the section, detail: the record that means
/// nothing); out_of_memory. Nothing is taken before all is checked.
[[nodiscard]] Result<CylinderWorld> load_cylinder(std::span<const std::uint8_t> bytes,
                                                  const Allocator& allocator = {});

}  // namespace fairlead
