#include <fairlead/formats/file.h>
#include <fairlead/formats/queries.h>

#include "formats/json_reader.h"
#include "formats/text.h"

namespace fairlead::formats {

namespace {

std::string_view first_word(std::string_view line) {
    const std::size_t from = line.find_first_not_of(" \t");
    if (from == std::string_view::npos) return {};
    const std::size_t end = line.find_first_of(" \t", from);
    return line.substr(from, end == std::string_view::npos ? end : end - from);
}

std::string_view second_word(std::string_view line) {
    const std::string_view first = first_word(line);
    return first.empty()
               ? first
               : first_word(line.substr(static_cast<std::size_t>(first.data() - line.data()) + first.size()));
}

// Words that an OBJ file may begin with: places, and what may come before them.
bool is_obj_word(std::string_view word) {
    for (const std::string_view known : {"v", "vn", "vt", "o", "g", "s", "mtllib", "usemtl"}) {
        if (word == known) return true;
    }
    return false;
}

bool is_obj(LineReader lines) {
    do {
        const std::string_view word = first_word(without_tail(lines.line()));
        if (word == "v") return true;
        if (word[0] != '#' && !is_obj_word(word)) return false;
    } while (lines.next_filled());
    return false;
}

bool ends_with(std::string_view text, std::string_view tail) {
    return text.size() >= tail.size() && text.substr(text.size() - tail.size()) == tail;
}

// The outermost keys; a roadmap's "map" is a name and a scene's holds rows.
FileKind json_kind(std::string_view text) {
    JsonReader json(text);
    bool id = false;
    bool status = false;
    json.open_object();
    while (json.next_key()) {
        const JsonReader::Kind value = json.peek();
        const std::string_view key = json.key();
        if (key == "nodes" && value == JsonReader::Kind::array) return FileKind::roadmap;
        if ((key == "map" || key == "layers") && value == JsonReader::Kind::array) return FileKind::scene;
        if (key == "links" && value == JsonReader::Kind::array) return FileKind::links;
        if (key == "floors" && value == JsonReader::Kind::array) return FileKind::floor_plan;
        if (key == "asset" && value == JsonReader::Kind::object) return FileKind::gltf;
        id = id || key == "id";
        status = status || key == "status";
        if (id && status) return FileKind::routes;
        json.skip();
    }
    return FileKind::unknown;
}

}  // namespace

FileKind sniff_kind(std::string_view bytes) {
    if (bytes.substr(0, 2) == "\x1f\x8b") return FileKind::gzip;
    for (const std::string_view magic : {"VAND", "TESM", "TEST"}) {  // tiles, sets, caches; little-endian
        if (bytes.substr(0, 4) == magic && bytes.size() > 8 && bytes.find('\0') < 16)
            return FileKind::detour_mesh;
    }
    if (bytes.substr(0, 4) == "glTF") return FileKind::gltf;
    const std::string_view text = without_mark(bytes);
    const std::size_t start = text.find_first_not_of(" \t\r\n");
    if (start != std::string_view::npos && text[start] == '{') return json_kind(text);

    LineReader lines(text);
    if (!lines.next_filled()) return FileKind::unknown;
    const std::string_view line = without_tail(lines.line());
    const std::string_view word = first_word(line);
    const std::string_view next = second_word(line);
    if (word == "type")
        return next == "octile" ? FileKind::tile_map
                                : (next == "patch" ? FileKind::patches : FileKind::unknown);
    if (is_obj(lines)) return FileKind::obj;
    if (word == "voxel") return FileKind::voxel_map;
    if (word == "mesh") return FileKind::polyanya_mesh;
    if (word.substr(0, 6) == "id,sx,") return FileKind::queries;
    if (word == "version") {
        const bool three = lines.next_filled() && ends_with(without_tail(lines.line()), ".3dmap");
        return three ? FileKind::scenario_3d : FileKind::scenario;
    }
    return FileKind::unknown;
}

const char* kind_name(FileKind kind) {
    switch (kind) {
        case FileKind::unknown: return "unknown";
        case FileKind::tile_map: return "tile map";
        case FileKind::patches: return "patch file";
        case FileKind::scenario: return "scenario";
        case FileKind::scenario_3d: return "3D scenario";
        case FileKind::voxel_map: return "voxel map";
        case FileKind::polyanya_mesh: return "navigation mesh";
        case FileKind::detour_mesh: return "Detour mesh";
        case FileKind::obj: return "OBJ file";
        case FileKind::gltf: return "glTF file";
        case FileKind::roadmap: return "roadmap";
        case FileKind::scene: return "scene";
        case FileKind::routes: return "routes";
        case FileKind::queries: return "queries";
        case FileKind::gzip: return "gzip";
        case FileKind::links: return "file of links";
        case FileKind::floor_plan: return "floor plan";
        case FileKind::count_: break;
    }
    return "unknown";
}

}  // namespace fairlead::formats
