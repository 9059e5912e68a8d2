// TriangleFile: the triangles of a level as modelling programs save them, to be baked into a mesh or a volume.
//
//     Result<formats::TriangleFile> level = formats::load_obj(text, {.up = formats::UpAxis::y});
//     level->vertices, level->triangles                              // z up, as the library has it
//
// OBJ (Wavefront): `v` and `f` are read; a polygon becomes a fan of triangles from its first corner; indices may be
// negative, and may have texture and normal parts, which are not looked at. `g`, `o` and `usemtl` name what follows.
// Curves, lines and whatever else the format has are passed over. A line may go on behind a '\' at its end.
//
// glTF 2.0: binary (.glb) or JSON with its data inline (`data:` URIs) or in files that the caller loads. The default
// scene, else the first one, else all root nodes; transforms of nodes applied; triangles, strips and fans; indices of
// 8, 16, 32 bits or none. Meshes are named by their materials. Skins, morphs, sparse accessors and compression are not
// read; a file that requires an extension is refused.
//
// Read here, not with packages: tinyobjloader and tinygltf tell no line and column, take any amount of memory, and
// round numbers their own way. docs/decisions/0015-mesh-readers.md has the measurements.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <fairlead/base/result.h>
#include <fairlead/formats/limits.h>
#include <fairlead/math/vec.h>

namespace fairlead::formats {

/// Which way is up in the file. y: (x, y, z) becomes (x, -z, y), as most programs have it and glTF demands.
enum class UpAxis : std::uint8_t { y, z };

struct TriangleFile {
    std::vector<Vec3> vertices;
    std::vector<std::uint32_t> triangles;  ///< three vertices each, counter-clockwise seen from outside
    std::vector<std::uint8_t>
        areas;  ///< of each triangle: its place in TriangleFileOptions::area_names + 1; 0: none
    std::uint32_t degenerate = 0;  ///< triangles with a vertex twice, which are left out

    friend bool operator==(const TriangleFile&, const TriangleFile&) = default;
};

struct TriangleFileOptions {
    UpAxis up = UpAxis::y;
    /// Names of groups, objects or materials whose triangles get an area: the first gets 1. At most 63 count.
    std::vector<std::string> area_names{};
    /// glTF: loads a file that stands beside it; without it such files are errors (text_reference).
    Result<std::string> (*load_beside)(std::string_view uri, void* user) = nullptr;
    void* user = nullptr;
};

/// Errors: text_number, text_value (beyond kNumberMax; index 0), text_reference (an index that no vertex has), text_end
/// (a face of less than 3 corners, a vertex of less than 3 numbers), size_limit, out_of_memory.
[[nodiscard]] Result<TriangleFile> load_obj(std::string_view text, const TriangleFileOptions& options = {},
                                            const Limits& limits = {});

/// Errors: of JSON those of roadmap_file.h; text_reference (an index that nothing has, a range outside of its buffer, a
/// file that is not there, a node that is reached twice), text_value (a coordinate that is not finite or beyond
/// kNumberMax), text_type (an accessor of a kind that does not fit, sparse ones), text_keyword (a required extension);
/// file_packed (a .glb whose parts do not fit its length; base64 that is none; detail = the byte); size_limit,
/// out_of_memory. Lines of a .glb are those of its JSON part.
[[nodiscard]] Result<TriangleFile> load_gltf(std::string_view bytes, const TriangleFileOptions& options = {},
                                             const Limits& limits = {});

/// Reads back as the same triangles; areas as groups of the names. z up is written as options.up says.
[[nodiscard]] std::string save_obj(const TriangleFile& soup, const TriangleFileOptions& options = {});

}  // namespace fairlead::formats
