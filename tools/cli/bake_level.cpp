// The triangles that a bake starts from.

#include "cli/bake_level.h"

#include <filesystem>

#include <fmt/format.h>

#include <fairlead/formats/file.h>

#include "cli/failure.h"
#include "cli/limits.h"
#include "cli/world.h"

namespace fairlead::cli {

formats::TriangleFile load_level(const std::string& path, const std::string& text, const std::string& up,
                                 const std::vector<std::string>& areas) {
    if (up != "y" && up != "z") fail(fmt::format("--up: {} is not y or z", up));
    std::filesystem::path folder = std::filesystem::path(path).parent_path();
    formats::TriangleFileOptions reading{.up = up == "y" ? formats::UpAxis::y : formats::UpAxis::z,
                                         .area_names = areas};
    reading.load_beside = [](std::string_view uri, void* user) {
        return formats::load_file((*static_cast<std::filesystem::path*>(user) / uri).string(), file_limits());
    };
    reading.user = &folder;
    return formats::sniff_kind(text) == formats::FileKind::obj
               ? expect(path, text, formats::load_obj(text, reading, file_limits()))
               : expect(path, text, formats::load_gltf(text, reading, file_limits()));
}

}  // namespace fairlead::cli
