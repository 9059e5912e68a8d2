// The triangles that a bake starts from.
#pragma once

#include <string>
#include <vector>

#include <fairlead/formats/triangles.h>

namespace fairlead::cli {

/// An OBJ or glTF file, and what lies beside it. `up`: "y" or "z"; fails for other words, and with the file's name for what is wrong in it.
[[nodiscard]] formats::TriangleFile load_level(const std::string& path, const std::string& text,
                                               const std::string& up,
                                               const std::vector<std::string>& areas = {});

}  // namespace fairlead::cli
