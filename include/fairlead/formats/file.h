// Files: reading whole ones under a cap, unpacking, telling what they hold, and saying what is wrong with
// them.
//
//     Result<std::string> text = formats::load_file("arena2.map.gz");
//     if (!text) return fail(formats::error_line("arena2.map.gz", text.error()));
//     Result<TileMap> map = formats::load_tile_map(*text);
//     if (!map) return fail(formats::error_line("arena2.map.gz", map.error(), *text));
//     // arena2.map.gz:7:3: the format does not know this character: "x"
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <fairlead/base/result.h>
#include <fairlead/formats/limits.h>

namespace fairlead::formats {

/// The whole file; gzip is recognised by its first bytes and unpacked. Errors: file_open, file_read,
/// file_packed, size_limit (longer than limits.text_bytes, packed or unpacked), out_of_memory. Has at most
/// three times limits.text_bytes in use; of a packed file at most three times its own length, and the text, for which memory
/// is taken once its length is known to be within the limit.
[[nodiscard]] Result<std::string> load_file(const std::string& path, const Limits& limits = {});

/// Writes or replaces a file. The text goes to a new file beside it (`path` and ".part0"), which takes its place in one step: a
/// failed write keeps the old file whole. Devices and pipes are written to as they are; links are followed. Errors: file_open,
/// file_read (detail = errno), out_of_memory.
Result<void> save_file(const std::string& path, std::string_view text);

/// The same piece by piece, for what does not fit in memory. Without finish() the file is as it was, and what was written is gone.
///
///     Result<FileWriter> out = FileWriter::open("track.jsonl");
///     while (more) out->write(line);                               // errors as above
///     out->finish();                                               // now it is there
class FileWriter {
  public:
    [[nodiscard]] static Result<FileWriter> open(const std::string& path);
    FileWriter(FileWriter&& other) noexcept;
    FileWriter& operator=(FileWriter&&) = delete;
    FileWriter(const FileWriter&) = delete;
    FileWriter& operator=(const FileWriter&) = delete;
    ~FileWriter();

    [[nodiscard]] Result<void> write(std::string_view text);
    /// Once, at the end; nothing can be written after it.
    [[nodiscard]] Result<void> finish();

  private:
    FileWriter() = default;

    void* file_ = nullptr;  ///< a FILE
    std::string target_;    ///< empty: a device or a pipe
    std::string beside_;
};

/// Unpacks gzip data: one or more members back to back, as RFC 1952 has it. Goes over the data twice: how long the text is and
/// whether the data is whole is known before memory is taken for it (but for 64 KiB). Errors: file_packed (damaged, cut, or
/// followed by other bytes), size_limit, out_of_memory.
[[nodiscard]] Result<std::string> unpack_gzip(std::string_view packed, const Limits& limits = {});

/// What a file holds, read from its first lines (JSON: from its outermost keys). Never from its name.
enum class FileKind : std::uint8_t {
    unknown,
    tile_map,       ///< `type octile`: tile_map.h
    patches,        ///< `type patch`: scenario.h
    scenario,       ///< `version 1` or `version 2`: scenario.h
    scenario_3d,    ///< `version 1`, then the name of a .3dmap: voxel_map.h
    voxel_map,      ///< `voxel X Y Z`: voxel_map.h
    polyanya_mesh,  ///< `mesh`, then a version: mesh_file.h
    detour_mesh,    ///< a Detour tile or a set of them: detour.h
    obj,            ///< Wavefront: `v` before anything else but names and comments: obj.h
    gltf,           ///< binary glTF, or JSON with "asset": gltf.h
    roadmap,        ///< JSON with "nodes": roadmap_file.h
    scene,          ///< JSON with "map" or "layers" holding rows: scene.h
    routes,         ///< JSON with "id" and "status", an object a line: routes.h
    queries,        ///< `id,sx,...`: queries.h
    gzip,           ///< packed; load_file never returns this
    links,          ///< JSON with "links": link_file.h
    floor_plan,     ///< JSON with "floors": floor_plan.h
    count_,
};

/// Says the kind; `unknown` for anything else. Linear at worst, reads a few bytes mostly. A file may still be
/// damaged further on: the loader says so.
[[nodiscard]] FileKind sniff_kind(std::string_view bytes);

/// "tile map", "scenario", ...: for messages. Never null.
[[nodiscard]] const char* kind_name(FileKind kind);

/// One line for a person, without a newline: the file, the place where there is one, the reason. With the
/// text that was loaded, a few bytes of it are quoted as they stand there.
[[nodiscard]] std::string error_line(std::string_view file, const Error& error, std::string_view text = {});

}  // namespace fairlead::formats
