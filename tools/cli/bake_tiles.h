// Tiles of a bake by their keys: which are as they were, and need no baking.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include <nlohmann/json.hpp>

#include <fairlead/mesh/save_mesh.h>
#include <fairlead/mesh_bake/bake.h>
#include <fairlead/mesh_bake/navmesh.h>

namespace fairlead::cli {

class TileFlags {
  public:
    void add(CLI::App& app);

    [[nodiscard]] bool lists() const { return lists_; }
    /// Fails if a flag was given.
    void refuse(const char* why) const;

    void print(std::span<const bake::TileKey> keys) const;
    [[nodiscard]] static nlohmann::ordered_json to_json(std::span<const bake::TileKey> keys);

    /// Tiles of --reuse with the same keys.
    class Kept {
      public:
        /// The other tiles; valid while this lives.
        [[nodiscard]] bake::TileFilter others();
        [[nodiscard]] std::span<const NavMeshTile> tiles() const { return tiles_; }

      private:
        friend class TileFlags;
        std::vector<MeshTileFile> files_;
        std::vector<NavMeshTile> tiles_;  ///< by y, then x
    };
    [[nodiscard]] Kept kept(std::span<const bake::TileKey> keys) const;

  private:
    std::string reuse_;
    bool lists_ = false;
};

}  // namespace fairlead::cli
