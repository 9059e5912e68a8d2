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
        case FileKind::roadmap: return "roadmap";
        case FileKind::scene: return "scene";
        case FileKind::routes: return "routes";
        case FileKind::queries: return "queries";
        case FileKind::gzip: return "gzip";
        case FileKind::count_: break;
    }
    return "unknown";
}

}  // namespace fairlead::formats
