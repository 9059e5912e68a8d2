// A loader keeps to Limits::memory_bytes whatever the bytes say. The test counts every block of the standard
// library's containers, so it replaces operator new; sanitizers have their own, so there it is left out. (The
// legs of routes are in an Array and are not seen here.)
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "fuzz/formats_drive.h"
#include "support/environment.h"
#include "support/sanitized.h"

#if !FAIRLEAD_SANITIZED

namespace {

// A head before each block remembers its size.
constexpr std::size_t kHead = alignof(std::max_align_t);
std::int64_t live = 0;
std::int64_t peak = 0;
std::int64_t fail_after = -1;  // calls left before operator new fails; -1: never

void* counted(std::size_t bytes) {
    if (fail_after == 0) throw std::bad_alloc();
    if (fail_after > 0) --fail_after;
    auto* block = static_cast<char*>(std::malloc(bytes + kHead));
    if (block == nullptr) throw std::bad_alloc();
    *reinterpret_cast<std::size_t*>(block) = bytes;
    live += static_cast<std::int64_t>(bytes);
    peak = live > peak ? live : peak;
    return block + kHead;
}

void uncounted(void* memory) {
    if (memory == nullptr) return;
    char* block = static_cast<char*>(memory) - kHead;
    live -= static_cast<std::int64_t>(*reinterpret_cast<std::size_t*>(block));
    std::free(block);
}

}  // namespace

void* operator new(std::size_t bytes) { return counted(bytes); }
void* operator new[](std::size_t bytes) { return counted(bytes); }
void operator delete(void* memory) noexcept { uncounted(memory); }
void operator delete[](void* memory) noexcept { uncounted(memory); }
void operator delete(void* memory, std::size_t) noexcept { uncounted(memory); }
void operator delete[](void* memory, std::size_t) noexcept { uncounted(memory); }

namespace fairlead {
namespace {

using namespace formats;

constexpr std::int64_t kSlack = 64 << 10;

std::string repeated(const std::string& head, const std::string& piece, const std::string& tail,
                     std::size_t bytes) {
    std::string text = head;
    while (text.size() + piece.size() + tail.size() < bytes) text += piece;
    return text + tail;
}

// Texts that ask for as much as they can for each byte of theirs.
struct Greedy {
    const char* name;
    std::string text;
    ErrorCode (*load)(std::string_view, const Limits&);
};

template <class T>
ErrorCode code_of(const Result<T>& result) {
    return result ? ErrorCode::count_ : result.error().code;
}

// `bytes` long each, about.
std::vector<Greedy> greedy_texts(std::size_t bytes) {
    std::string row(64, '.');
    row.push_back('\n');
    const std::string rows = repeated("", row, "", bytes);
    std::string map = "type octile\nheight ";
    std::string patches = "type patch\npatches 1\npatch 0\nheight ";
    for (std::string* text : {&map, &patches}) {
        text->append(std::to_string(rows.size() / 65)).append("\nwidth 64\nmap\n").append(rows);
    }
    return {
        {"tile_map", map, [](std::string_view t, const Limits& l) { return code_of(load_tile_map(t, l)); }},
        {"patches", patches, [](std::string_view t, const Limits& l) { return code_of(load_patches(t, l)); }},
        {"scenario", repeated("version 1\n", "0 a 1 1 0 0 0 0 0\n0 b 1 1 0 0 0 0 0\n", "", bytes),
         [](std::string_view t, const Limits& l) { return code_of(load_scenario(t, l)); }},
        {"voxel_scenario", repeated("version 1\na.3dmap\n", "0 0 0 0 0 0 0 0\n", "", bytes),
         [](std::string_view t, const Limits& l) { return code_of(load_voxel_scenario(t, l)); }},
        {"placements",
         repeated("version 2\nheight 1\nwidth 1\ncost 1 octile\npatch p\ncommands\n", "P 0 0 0 0\n", "",
                  bytes),
         [](std::string_view t, const Limits& l) { return code_of(load_scenario(t, l)); }},
        {"queries", repeated("id,sx,sy,sz,sh,gx,gy,gz,gh\n", "0,0,0,,,0,0,,\n", "", bytes),
         [](std::string_view t, const Limits& l) { return code_of(load_queries(t, l)); }},
        {"routes",
         repeated("", "{\"id\":0,\"status\":\"partial\",\"legs\":[],\"end\":{\"x\":0,\"y\":0}}\n", "", bytes),
         [](std::string_view t, const Limits& l) { return code_of(load_routes(t, l)); }},
        {"legs",
         repeated("{\"id\":0,\"status\":\"partial\",\"legs\":[{\"kind\":\"link\",\"x\":0,\"y\":0}",
                  ",{\"kind\":\"link\",\"x\":0,\"y\":0}", "],\"end\":{\"x\":0,\"y\":0}}\n", bytes),
         [](std::string_view t, const Limits& l) { return code_of(load_routes(t, l)); }},
        {"roadmap", repeated("{\"nodes\":[],\"walls\":[{\"line\":[[0,0]", ",[0,0]", "]}]}", bytes),
         [](std::string_view t, const Limits& l) { return code_of(load_roadmap(t, l)); }},
        {"links",
         repeated("{\"links\":[{\"id\":0,\"from\":[0,0,0],\"to\":[0,0,0]}",
                  ",{\"id\":0,\"from\":[0,0,0],\"to\":[0,0,0]}", "]}", bytes),
         [](std::string_view t, const Limits& l) { return code_of(load_links(t, l)); }},
        {"floor_plan", repeated("{\"floors\":[{\"rings\":[[[0,0]", ",[0,0]", "]]}]}", bytes),
         [](std::string_view t, const Limits& l) { return code_of(load_floor_plan(t, l)); }},
        {"edges",
         repeated("{\"nodes\":[],\"edges\":[{\"from\":1,\"to\":2}", ",{\"from\":1,\"to\":2}", "]}", bytes),
         [](std::string_view t, const Limits& l) { return code_of(load_roadmap(t, l)); }},
        {"mesh_vertices", repeated("mesh\n2\n2147483647 1\n", "0 0 0\n", "", bytes),
         [](std::string_view t, const Limits& l) { return code_of(load_polyanya_mesh(t, l)); }},
        {"mesh_polygons", repeated("mesh\n2\n3 1000000\n0 0 0\n1 0 0\n0 1 0\n", "3 0 1 2 0 0 0\n", "", bytes),
         [](std::string_view t, const Limits& l) { return code_of(load_polyanya_mesh(t, l)); }},
        {"obj_vertices", repeated("", "v 0 0 0\n", "", bytes),
         [](std::string_view t, const Limits& l) { return code_of(load_obj(t, {}, l)); }},
        {"obj_fan", repeated("v 0 0 0\nv 1 0 0\nv 0 1 0\nf", " 1 2 3", "\n", bytes),
         [](std::string_view t, const Limits& l) { return code_of(load_obj(t, {}, l)); }},
        {"gltf_nodes", repeated("{\"nodes\":[{}", ",{}", "]}", bytes),
         [](std::string_view t, const Limits& l) { return code_of(load_gltf(t, {}, l)); }},
        {"gltf_data",
         repeated("{\"buffers\":[{\"byteLength\":1,\"uri\":\"data:;base64,AAAA", "AAAA", "\"}]}", bytes),
         [](std::string_view t, const Limits& l) { return code_of(load_gltf(t, {}, l)); }},
        {"techniques", repeated("{\"map\":[\".\"],\"techniques\":[\"\"", ",\"\"", "],\"queries\":[]}", bytes),
         [](std::string_view t, const Limits& l) { return code_of(load_scene(t, l)); }},
        {"rows", repeated("{\"map\":[\".\"", ",\".\"", "],\"queries\":[]}", bytes < 60000 ? bytes : 60000),
         [](std::string_view t, const Limits& l) { return code_of(load_scene(t, l)); }},
        {"terrain",
         repeated("{\"map\":[\"A\"],\"legend\":{\"A\":1},\"queries\":[{\"start\":\"A\",\"goal\":\"A\"}",
                  ",{\"start\":\"A\",\"goal\":\"A\",\"terrain\":{}}", "]}", bytes),
         [](std::string_view t, const Limits& l) { return code_of(load_scene(t, l)); }},
    };
}

TEST(MemoryCap, HoldsForGreedyTexts) {
    for (const Greedy& greedy : greedy_texts(1 << 20)) {
        bool loaded = false;
        for (const std::uint64_t cap :
             {1U << 10, 1U << 14, 1U << 18, 1U << 20, 1U << 22, 1U << 24, 1U << 30}) {
            const std::int64_t before = live;
            peak = live;
            const ErrorCode code = greedy.load(greedy.text, {.text_bytes = 8 << 20, .memory_bytes = cap});
            EXPECT_LE(peak - before, static_cast<std::int64_t>(cap) + kSlack)
                << greedy.name << " cap " << cap;
            EXPECT_EQ(live, before) << greedy.name;
            if (cap == 1U << 10) {
                EXPECT_EQ(code, ErrorCode::size_limit) << greedy.name;
            }
            loaded = code != ErrorCode::size_limit;
        }
        EXPECT_TRUE(loaded) << greedy.name << " did not load under the largest cap";
    }
}

std::string file_bytes(const char* path) {
    std::ifstream file(testing::source_path(path), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

void put_word(std::string& bytes, std::size_t at, std::uint32_t word) {
    for (std::size_t i = 0; i < 4; ++i) bytes[at + i] = static_cast<char>(word >> (8 * i));
}

// A set of the same tile over and over, as it is and with every polygon to be mended: its memory is asked for before by what a
// byte of the file may take at most.
TEST(MemoryCap, DetourTilesTakeNoMoreThanIsAskedFor) {
    constexpr std::size_t kHead = 40, kPolygons = 100 + 7 * 12;
    std::string tile = file_bytes("tests/fuzz/corpus/detour/seed_tile.bin");
    const std::string head = file_bytes("tests/fuzz/corpus/detour/seed.bin").substr(0, kHead);
    ASSERT_GT(tile.size(), kPolygons);
    for (const bool mended : {false, true}) {
        if (mended) std::swap(tile[kPolygons + 4], tile[kPolygons + 6]);  // two corners of the first polygon
        for (const std::uint32_t tiles : {1U, 40U, 400U}) {
            std::string set = head;
            put_word(set, 8, tiles);
            for (std::uint32_t i = 0; i < tiles; ++i) {
                std::string reference(8, '\0');
                put_word(reference, 4, static_cast<std::uint32_t>(tile.size()));
                set += reference + tile;
            }
            const std::int64_t before = live;
            peak = live;
            const ErrorCode code = code_of(load_detour(set));
            EXPECT_TRUE(code == ErrorCode::count_ || (tiles > 1 && code == ErrorCode::incompatible))
                << error_name(code);
            EXPECT_LE(peak - before, 100 * static_cast<std::int64_t>(set.size()) + kSlack) << tiles;
            EXPECT_EQ(live, before);
        }
    }
}

TEST(MemoryCap, TextsPastTheLimitAreNotRead) {
    for (const Greedy& greedy : greedy_texts(1 << 20)) {
        const std::int64_t before = live;
        peak = live;
        EXPECT_EQ(greedy.load(greedy.text, {.text_bytes = greedy.text.size() - 1}), ErrorCode::size_limit)
            << greedy.name;
        EXPECT_EQ(peak, before);
    }
}

TEST(MemoryCap, ABombIsStoppedAtTheLimit) {
    const std::string path = testing::source_path("tests/fixtures/formats/gzip/bomb.gz");
    const std::int64_t before = live;
    peak = live;
    EXPECT_EQ(code_of(load_file(path, {.text_bytes = 1 << 20})), ErrorCode::size_limit);
    EXPECT_LE(peak - before, 4 * kSlack);  // before any memory is taken for what it would unpack to
    peak = live;
    const Result<std::string> whole = load_file(path);
    EXPECT_EQ(whole->size(), std::size_t{4} << 20);
    EXPECT_LE(peak - before, (4 << 20) + 4 * kSlack);
}

// Let the n-th allocation fail, for every n: an error, no leak, and the next load works.
TEST(MemoryCap, FailedAllocationsAreErrors) {
    for (const Greedy& greedy : greedy_texts(1 << 15)) {
        const Limits limits{.text_bytes = 8 << 20, .memory_bytes = 1 << 30};
        const ErrorCode usual = greedy.load(greedy.text, limits);
        for (int n = 0; n < 40; ++n) {
            const std::int64_t before = live;
            fail_after = n;
            const ErrorCode code = greedy.load(greedy.text, limits);
            const bool failed = fail_after == 0;
            fail_after = -1;
            EXPECT_EQ(live, before) << greedy.name;
            if (code == usual) continue;
            EXPECT_TRUE(failed);
            EXPECT_EQ(code, ErrorCode::out_of_memory) << greedy.name << " " << n;
        }
        EXPECT_EQ(greedy.load(greedy.text, limits), usual);
    }
}

}  // namespace
}  // namespace fairlead

#endif
