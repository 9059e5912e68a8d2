// The part of a glTF file that has to do with triangles, as it is written.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <fairlead/formats/triangles.h>

#include "formats/budget.h"
#include "formats/json_reader.h"

namespace fairlead::formats {

inline constexpr std::int64_t kGltfNone = -1;

struct GltfBuffer {
    JsonReader::Place place{};
    std::uint64_t length = 0;
    std::string data;        ///< unpacked from the URI, or loaded
    std::string_view bytes;  ///< of `data` or of the binary part
};

struct GltfView {
    JsonReader::Place place{};
    std::int64_t buffer = kGltfNone;
    std::uint64_t offset = 0, length = 0, stride = 0;  ///< stride 0: packed
};

struct GltfAccessor {
    JsonReader::Place place{};
    std::int64_t view = kGltfNone;
    std::uint64_t offset = 0, count = 0;
    std::int64_t component = 0;  ///< 5121 u8, 5123 u16, 5125 u32, 5126 float
    char type = '?';             ///< 'S'calar, '3' VEC3, '?' other
    bool sparse = false;
};

struct GltfPrimitive {
    JsonReader::Place place{};
    std::int64_t position = kGltfNone, indices = kGltfNone, material = kGltfNone;
    std::int64_t mode = 4;
};

struct GltfMesh {
    std::uint32_t first = 0, count = 0;  ///< of the primitives
};

using GltfMatrix = std::array<double, 16>;  ///< columns

struct GltfNode {
    JsonReader::Place place{};
    std::int64_t mesh = kGltfNone;
    std::uint32_t first_child = 0, children = 0;
    GltfMatrix matrix{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
};

struct GltfFile {
    std::vector<GltfBuffer> buffers;
    std::vector<GltfView> views;
    std::vector<GltfAccessor> accessors;
    std::vector<GltfPrimitive> primitives;
    std::vector<GltfMesh> meshes;
    std::vector<std::uint8_t> material_areas;
    std::vector<GltfNode> nodes;
    std::vector<std::int64_t> children;  ///< of all nodes
    std::vector<GltfMesh> scenes;        ///< ranges of scene_nodes
    std::vector<std::int64_t> scene_nodes;
    std::int64_t scene = kGltfNone;
    JsonReader::Place scene_place{};
};

/// Reads the JSON part. `binary` is that of a .glb; the file refers to it.
[[nodiscard]] Result<void> read_gltf(std::string_view json, std::string_view binary,
                                     const TriangleFileOptions& options, Budget& budget, GltfFile& file);

}  // namespace fairlead::formats
