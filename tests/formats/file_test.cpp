#include <fairlead/formats/file.h>

#include <cerrno>
#include <filesystem>
#include <string>
#include <vector>

#if __has_include(<sys/resource.h>)
#include <csignal>

#include <sys/resource.h>
#endif

#include <gtest/gtest.h>

#include <fairlead/formats/tile_map.h>

#include "support/environment.h"

namespace fairlead::formats {
namespace {

std::string scratch_path(const std::string& name) {
    const auto folder = std::filesystem::path(::testing::TempDir()) / "fairlead_file_test";
    std::filesystem::create_directories(folder);
    return (folder / name).string();
}

TEST(File, SavesAndLoads) {
    const std::string path = scratch_path("saved.txt");
    for (const std::size_t size : {0U, 1U, 65535U, 65536U, 65537U, 300000U}) {
        std::string text(size, 'x');
        for (std::size_t i = 0; i < size; ++i) text[i] = static_cast<char>(i * 7);
        ASSERT_TRUE(save_file(path, text).has_value());
        const Result<std::string> again = load_file(path);
        ASSERT_TRUE(again.has_value());
        EXPECT_EQ(*again, text) << size;
        // A cap of exactly the size is enough; one less is not.
        EXPECT_TRUE(load_file(path, {.text_bytes = size}).has_value());
        if (size > 0) {
            const Error error = load_file(path, {.text_bytes = size - 1}).error();
            EXPECT_EQ(error, (Error{ErrorCode::size_limit, -1, static_cast<std::int64_t>(size) - 1}));
        }
    }
}

std::vector<std::string> names_in(const std::filesystem::path& folder) {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        names.push_back(entry.path().filename().string());
    return names;
}

// FAULT-11: a write that fails half-way destroyed what had been there.
TEST(File, AFailedWriteKeepsTheOldFile) {
#ifdef RLIMIT_FSIZE
    const auto folder = std::filesystem::path(scratch_path("atomic"));
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
    const std::string path = (folder / "kept.fl").string();
    const std::string old(5000, 'o');
    ASSERT_TRUE(save_file(path, old));
    const auto before = std::signal(SIGXFSZ, SIG_IGN);
    rlimit was{};
    ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &was), 0);
    const rlimit small{20000, was.rlim_max};
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
    const Result<void> done = save_file(path, std::string(300000, 'n'));
    const Result<void> fresh = save_file((folder / "fresh.fl").string(), std::string(300000, 'n'));
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &was), 0);
    std::signal(SIGXFSZ, before);
    EXPECT_EQ(done.error(), (Error{ErrorCode::file_read, -1, EFBIG}));
    EXPECT_EQ(fresh.error().code, ErrorCode::file_read);
    EXPECT_EQ(*load_file(path), old);
    EXPECT_EQ(names_in(folder), std::vector<std::string>{"kept.fl"});
#else
    GTEST_SKIP() << "no limits on files here";
#endif
}

TEST(File, ReplacesWhatIsThere) {
    const auto folder = std::filesystem::path(scratch_path("replaced"));
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
    const std::string path = (folder / "a.txt").string();
    ASSERT_TRUE(save_file(path, "long before"));
    std::filesystem::permissions(path,
                                 std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
    std::filesystem::create_symlink("a.txt", folder / "link.txt");
    // Another program's, ended half-way: it stays.
    ASSERT_TRUE(save_file((folder / "a.txt.part0").string(), "half"));
    ASSERT_TRUE(save_file((folder / "link.txt").string(), "now"));
    EXPECT_TRUE(std::filesystem::is_symlink(folder / "link.txt"));
    EXPECT_EQ(*load_file(path), "now");
    EXPECT_EQ(std::filesystem::status(path).permissions(),
              std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
    EXPECT_EQ(*load_file((folder / "a.txt.part0").string()), "half");
    EXPECT_EQ(names_in(folder).size(), 3U);
}

TEST(File, SaysWhyItCannot) {
    const Error missing = load_file("no/such/file.map").error();
    EXPECT_EQ(missing, (Error{ErrorCode::file_open, -1, ENOENT}));
    EXPECT_EQ(error_line("no/such/file.map", missing),
              "no/such/file.map: the file cannot be opened: No such file or directory");
    const Result<std::string> folder = load_file(testing::source_path("tests"));
    ASSERT_FALSE(folder.has_value());
    EXPECT_TRUE(folder.error().code == ErrorCode::file_read || folder.error().code == ErrorCode::file_open);
    EXPECT_EQ(save_file("no/such/folder/file", "x").error().code, ErrorCode::file_open);
    if (std::filesystem::exists("/dev/full")) {
        EXPECT_EQ(save_file("/dev/full", "x").error(), (Error{ErrorCode::file_read, -1, ENOSPC}));
    }
    if (std::filesystem::exists("/dev/zero")) {
        EXPECT_EQ(load_file("/dev/zero", {.text_bytes = 100000}).error().code, ErrorCode::size_limit);
    }
}

TEST(File, Unpacks) {
    const std::string root = testing::source_path("tests/fixtures/formats/gzip/");
    EXPECT_EQ(*load_file(root + "good.gz"), "type octile\n");
    EXPECT_EQ(*load_file(root + "good_two_members.gz"), "type octile\ntype octile\n");
    EXPECT_EQ(load_file(root + "cut.gz").error().code, ErrorCode::file_packed);
    // 4 MiB of zeros in 4 KiB.
    EXPECT_EQ(load_file(root + "bomb.gz").value().size(), std::size_t{4} << 20);
    EXPECT_TRUE(load_file(root + "bomb.gz", {.text_bytes = 4 << 20}).has_value());
    EXPECT_EQ(load_file(root + "bomb.gz", {.text_bytes = (4 << 20) - 1}).error().code, ErrorCode::size_limit);
    EXPECT_EQ(unpack_gzip("").error().code, ErrorCode::file_packed);
}

TEST(File, ErrorLinesQuoteTheText) {
    const std::string text = "type octile\nheight 1\nwidth 4\nmap\n..\xff.\n";
    EXPECT_EQ(error_line("a.map", load_tile_map(text).error(), text),
              "a.map:5:3: the format does not know this character: \"\\xff\"");
    EXPECT_EQ(error_line("a.map", load_tile_map(text).error()),
              "a.map:5:3: the format does not know this character");
    const std::string number = "type octile\nheight many\n";
    EXPECT_EQ(error_line("a.map", load_tile_map(number).error(), number),
              "a.map:2:8: a number was expected here: \"many\"");
    EXPECT_EQ(error_line("a.map", load_tile_map("", {.text_bytes = 0}).error()),
              "a.map:1:1: the text ends too early");
    EXPECT_EQ(error_line("a.map", load_tile_map("xx", {.text_bytes = 1}).error()),
              "a.map: a size is larger than the limit: 1");
    // A place that is not in the text is no reason to fall.
    EXPECT_EQ(error_line("f", {ErrorCode::text_value, 99, 99}, text),
              "f:99:99: the number is out of the range that the format allows");
    EXPECT_FALSE(error_line("f", {ErrorCode::text_value, -1, INT64_MIN}, text).empty());
}

TEST(File, KindIsReadFromTheContent) {
    const std::pair<const char*, FileKind> cases[] = {
        {"", FileKind::unknown},
        {"\n\n", FileKind::unknown},
        {"type octile\nheight 1\n", FileKind::tile_map},
        {"type octile\r\nheight 1\r\n", FileKind::tile_map},
        {"\xEF\xBB\xBFtype octile\n", FileKind::tile_map},
        {"type patch\npatches 1\n", FileKind::patches},
        {"type hex\n", FileKind::unknown},
        {"version 1\n0\ta.map\t1\n", FileKind::scenario},
        {"version 1.0", FileKind::scenario},
        {"version 2\nheight 3\n", FileKind::scenario},
        {"version 1\nA1.3dmap\n1 2 3\n", FileKind::scenario_3d},
        {"voxel 3 4 5\n", FileKind::voxel_map},
        {"mesh\n2\n", FileKind::polyanya_mesh},
        {"id,sx,sy,sz,sh,gx,gy,gz,gh\n", FileKind::queries},
        {"{\"title\": \"x\", \"nodes\": [", FileKind::roadmap},
        {"{\"nodes\":[],\"map\":\"a.map\"}", FileKind::roadmap},
        {"{\"map\":\"a.map\",\"nodes\":[]}", FileKind::roadmap},
        {" \n{\"title\": {\"nodes\": []}, \"map\": [\"..\"]}", FileKind::scene},
        {"{\"layers\": []}", FileKind::scene},
        {"{\"links\": [{\"id\": 1}]}", FileKind::links},
        {"{\"_made_by\": \"hand\", \"floors\": [", FileKind::floor_plan},
        {"{\"floors\": 3, \"links\": 4}", FileKind::unknown},
        {"{\"id\":1,\"status\":\"complete\"}\n{\"id\":2}", FileKind::routes},
        {"{\"id\":1}", FileKind::unknown},
        {"{", FileKind::unknown},
        {"\x1f\x8b\x08", FileKind::gzip},
    };
    for (const auto& [text, kind] : cases) EXPECT_EQ(kind_name(sniff_kind(text)), kind_name(kind)) << text;
}

}  // namespace
}  // namespace fairlead::formats
