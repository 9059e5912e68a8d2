// WORLD: the file that a command plans in. Its kind is read from the content.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include <fairlead/base/result.h>
#include <fairlead/formats/file.h>
#include <fairlead/formats/scenario.h>
#include <fairlead/formats/tile_map.h>
#include <fairlead/grid/grid.h>

namespace fairlead::cli {

enum class WorldKind : std::uint8_t { tiles, roadmap, mesh, volume, cylinder };

/// Of a file, by its content. What is no world is left to the tile maps' loader, which says so.
[[nodiscard]] WorldKind world_kind(const std::string& path);
/// The kind in the header of a baked file (base/baked.h); 0: the bytes are none.
[[nodiscard]] std::uint32_t baked_kind(std::string_view bytes);

/// A whole file; fails with its name and the reason. "-" is standard input.
[[nodiscard]] std::string read_file(const std::string& path);
/// "-" is standard output.
void write_file(const std::string& path, std::string_view text);

/// The same piece by piece. A file is only there after finish(); until then the old one is.
class FileOut {
  public:
    explicit FileOut(std::string path);
    void write(std::string_view text);
    void finish();

  private:
    void flush();

    std::string path_;
    std::optional<formats::FileWriter> file_{};
    std::string waiting_;
};

/// The value, or a failure that names the file, the place and the reason.
template <class T>
[[nodiscard]] T expect(const std::string& path, const std::string& text, Result<T>&& result);
[[noreturn]] void fail_file(const std::string& path, const Error& error, const std::string& text);

class WorldFlags {
  public:
    WorldFlags() = default;
    /// As if they had been given so.
    WorldFlags(std::string path, std::string terrain, std::string heights)
        : path_(std::move(path)), terrain_(std::move(terrain)), heights_(std::move(heights)) {}
    void add(CLI::App& app);
    [[nodiscard]] const std::string& path() const { return path_; }
    [[nodiscard]] formats::TileTable table() const;
    /// Of a .mesh file; empty: none.
    [[nodiscard]] const std::string& heights() const { return heights_; }
    [[nodiscard]] const std::string& terrain() const { return terrain_; }
    [[nodiscard]] bool has_terrain() const { return !terrain_.empty(); }
    /// Of level meshes: a bit for each.
    [[nodiscard]] std::uint64_t closed_areas() const;
    /// And kinds of links.
    [[nodiscard]] std::uint64_t closed_links() const;
    /// Fails if either was given: other worlds have none.
    void refuse_closed_parts() const;

  private:
    std::string path_;
    std::string terrain_;
    std::string heights_;
    std::string closed_areas_;
    std::string closed_links_;
};

/// The hierarchy of a tile map: none, made, or out of a file of `fairlead bake hierarchy`.
struct HierarchyChoice {
    bool wanted = false;
    std::string file;  ///< empty: it is made
};

/// --area: what a scene's named regions cost this unit.
class AreaFlags {
  public:
    void add(CLI::App& app);
    /// By terrain, for KindFilter::factors; empty without the flag. Fails on names that the scene does not have.
    [[nodiscard]] std::vector<double> factors(const WorldFlags& world) const;
    /// Fails if it was given; `where` for the message.
    void refuse(const char* where) const;

  private:
    std::vector<std::string> texts_;
};

/// The tile world of a file, with the unit's size registered and the corner rule of its queries; with a hierarchy of it if asked for.
[[nodiscard]] Grid load_grid(const WorldFlags& world, const Agent& agent, CornerRule corner,
                             const HierarchyChoice& hierarchy = {});
/// The same without flags: `terrain` as --terrain, empty: none.
[[nodiscard]] Grid load_tile_world(const std::string& path, const std::string& terrain, const Agent& agent);
/// And for points.
[[nodiscard]] Grid load_tiles(const std::string& path, const std::string& terrain);
/// The grid of a tile map.
[[nodiscard]] Grid load_map_grid(const std::string& path, const formats::TileTable& table, const Agent& agent,
                                 CornerRule corner);
[[nodiscard]] formats::TileMap load_map(const std::string& path, const formats::TileTable& table);

template <class T>
T expect(const std::string& path, const std::string& text, Result<T>&& result) {
    if (!result) fail_file(path, result.error(), text);
    return std::move(*result);
}

}  // namespace fairlead::cli
