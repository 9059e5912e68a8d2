// Every rule of every format, by a hand-forged file that keeps it or breaks it:
// tests/fixtures/formats/expected.txt says which error each must give, and where.
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "fuzz/formats_drive.h"
#include "support/environment.h"

namespace fairlead {
namespace {

using namespace formats;

// The same caps as the drivers', so that a packed bomb is small.
Error load_error(const std::string& format, const std::string& text) {
    const auto error = [](const auto& result) {
        return result ? Error{ErrorCode::count_, 0, 0} : result.error();
    };
    const Limits limits = testing::kDriveLimits;
    if (format == "tile_map") return error(load_tile_map(text, limits));
    if (format == "tile_table") return error(load_tile_table(text));
    if (format == "patches") return error(load_patches(text, limits));
    if (format == "scenario") return error(load_scenario(text, limits));
    if (format == "queries") return error(load_queries(text, limits));
    if (format == "routes") return error(load_routes(text, limits));
    if (format == "roadmap") return error(load_roadmap(text, limits));
    if (format == "links") return error(load_links(text, limits));
    if (format == "floor_plan") return error(load_floor_plan(text, limits));
    if (format == "scene") return error(load_scene(text, limits));
    if (format == "mesh") return error(load_polyanya_mesh(text, limits));
    if (format == "obj") return error(load_obj(text, {}, limits));
    if (format == "gltf") return error(load_gltf(text, {}, limits));
    if (format == "voxel_map") return error(load_voxel_map(text, limits));
    if (format == "voxel_scenario") return error(load_voxel_scenario(text, limits));
    if (format == "gzip") return error(unpack_gzip(text, limits));
    ADD_FAILURE() << "no loader for " << format;
    return {};
}

std::string bytes_of(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream bytes;
    bytes << file.rdbuf();
    return bytes.str();
}

TEST(Fixtures, GiveTheStatedErrorAtTheStatedPlace) {
    const std::string root = testing::source_path("tests/fixtures/formats");
    std::ifstream list(root + "/expected.txt");
    ASSERT_TRUE(list.good());
    std::set<std::string> listed;
    std::string line;
    while (std::getline(list, line)) {
        if (line.empty() || line[0] == '#') continue;
        std::istringstream words(line);
        std::string path;
        std::string code;
        Error expected;
        words >> path >> code >> expected.index >> expected.detail;
        listed.insert(path);
        SCOPED_TRACE(path);
        ASSERT_TRUE(std::filesystem::exists(root + "/" + path));
        const std::string text = bytes_of(root + "/" + path);
        const Error found = load_error(path.substr(0, path.find('/')), text);
        if (code == "ok") {
            EXPECT_EQ(found.code, ErrorCode::count_) << error_line(path, found, text);
            continue;
        }
        EXPECT_EQ(error_name(found.code), code) << error_line(path, found, text);
        EXPECT_EQ(found.index, expected.index) << error_line(path, found, text);
        EXPECT_EQ(found.detail, expected.detail) << error_line(path, found, text);
    }
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
        const std::string path = std::filesystem::relative(entry.path(), root).generic_string();
        if (!entry.is_regular_file() || path == "expected.txt") continue;
        EXPECT_EQ(listed.count(path), 1U) << path << " is not in expected.txt";
    }
}

// What a loader accepts must also be well formed: the drivers assert it, on every file for every format.
TEST(Corpus, Replays) {
    int files = 0;
    for (const char* root : {"tests/fixtures/formats", "tests/fuzz/corpus"}) {
        for (const auto& entry : std::filesystem::recursive_directory_iterator(testing::source_path(root))) {
            if (!entry.is_regular_file()) continue;
            const std::string text = bytes_of(entry.path().string());
            for (const testing::Driver& driver : testing::kDrivers) driver.drive(text);
            ++files;
        }
    }
    EXPECT_GT(files, 150);
}

// The seeds of a format are for that format, so they load.
TEST(Corpus, SeedsAreGood) {
    for (const testing::Driver& driver : testing::kDrivers) {
        const std::string folder = testing::source_path(std::string("tests/fuzz/corpus/") + driver.name);
        ASSERT_TRUE(std::filesystem::is_directory(folder)) << folder;
        for (const auto& entry : std::filesystem::directory_iterator(folder)) {
            if (entry.path().filename().string().rfind("seed", 0) != 0) continue;
            EXPECT_TRUE(driver.drive(bytes_of(entry.path().string()))) << entry.path();
        }
    }
}

}  // namespace
}  // namespace fairlead
