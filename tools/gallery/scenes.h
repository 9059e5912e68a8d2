// The worlds of the gallery: the files of scenes/, loaded by name.
#pragma once

#include <string>

#include <fairlead/formats/scene.h>
#include <fairlead/grid/grid.h>

namespace fairlead::gallery {

/// A scene and the grid that it describes. Not movable: queries point into the scene.
struct World {
    formats::Scene scene;
    Grid grid;

    World(formats::Scene loaded, Grid made) : scene(std::move(loaded)), grid(std::move(made)) {}
    World(const World&) = delete;
    World& operator=(const World&) = delete;

    /// The query of that name; a DemoError if there is none.
    [[nodiscard]] const formats::SceneQuery& query(const std::string& name) const;
    /// The letter of a cell as the scene's file has it.
    [[nodiscard]] char letter(Cell cell) const;
};

/// Where scene files are looked for: `given`, or if that is empty the source tree that the program was built
/// from, or if that is gone ./scenes.
[[nodiscard]] std::string scene_directory(const std::string& given);

/// Where the live page is: `given`, or if that is empty the one that the preset wasm has built in the source tree, or "".
[[nodiscard]] std::string page_file(const std::string& given);

/// Loads <directory>/<name>.json. Throws DemoError with the file, the place and the reason.
[[nodiscard]] World load_world(const std::string& directory, const std::string& name);

}  // namespace fairlead::gallery
