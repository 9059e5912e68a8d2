#include "gallery/scenes.h"

#include <filesystem>

#include <fairlead/formats/file.h>

#include "gallery/figure.h"

namespace fairlead::gallery {

const formats::SceneQuery& World::query(const std::string& name) const {
    for (const formats::SceneQuery& query : scene.queries) {
        if (query.name == name) return query;
    }
    throw DemoError{"the scene \"" + scene.title + "\" has no query \"" + name + "\""};
}

char World::letter(Cell cell) const {
    const auto index = (static_cast<std::size_t>(cell.layer) * static_cast<std::size_t>(scene.height) +
                        static_cast<std::size_t>(cell.y)) *
                           static_cast<std::size_t>(scene.width) +
                       static_cast<std::size_t>(cell.x);
    return scene.letters.at(index);
}

std::string scene_directory(const std::string& given) {
    if (!given.empty()) return given;
#if defined(FAIRLEAD_SCENES_DIR)
    std::error_code ignored;
    if (std::filesystem::is_directory(FAIRLEAD_SCENES_DIR, ignored)) return FAIRLEAD_SCENES_DIR;
#endif
    return "scenes";
}

std::string page_file(const std::string& given) {
    if (!given.empty()) return given;
#if defined(FAIRLEAD_PAGE_FILE)
    std::error_code ignored;
    if (std::filesystem::is_regular_file(FAIRLEAD_PAGE_FILE, ignored)) return FAIRLEAD_PAGE_FILE;
#endif
    return "";
}

World load_world(const std::string& directory, const std::string& name) {
    const std::string path = directory + "/" + name + ".json";
    const Result<std::string> text = formats::load_file(path);
    if (!text) throw DemoError{formats::error_line(path, text.error())};
    Result<formats::Scene> scene = formats::load_scene(*text);
    if (!scene) throw DemoError{formats::error_line(path, scene.error(), *text)};
    Result<Grid> grid = Grid::make(scene->grid_options(), scene->tiles);
    if (!grid) throw DemoError{formats::error_line(path, grid.error())};
    return World{std::move(*scene), std::move(*grid)};
}

}  // namespace fairlead::gallery
