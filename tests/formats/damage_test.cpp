// Damaged files: 10,000 variants of each format's seeds. Each must come back with a value that is well formed
// or with an error that has a place; the drivers check which. Run under the sanitizers too.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <fairlead/base/rng.h>

#include "fuzz/formats_drive.h"
#include "support/environment.h"

namespace fairlead {
namespace {

std::vector<std::string> seeds_of(const std::string& format) {
    std::vector<std::filesystem::path> paths;
    for (const char* root : {"tests/fuzz/corpus/", "tests/fixtures/formats/"}) {
        const std::string folder = testing::source_path(root + format);
        if (!std::filesystem::is_directory(folder)) continue;
        for (const auto& entry : std::filesystem::directory_iterator(folder)) {
            const std::string name = entry.path().filename().string();
            if (name.rfind("seed", 0) == 0 || name.rfind("good", 0) == 0) paths.push_back(entry.path());
        }
    }
    std::sort(paths.begin(), paths.end());
    std::vector<std::string> seeds;
    for (const auto& path : paths) {
        std::ifstream file(path, std::ios::binary);
        std::ostringstream bytes;
        bytes << file.rdbuf();
        seeds.push_back(bytes.str());
    }
    return seeds;
}

std::size_t place(Rng& rng, std::size_t size) { return rng.below(static_cast<std::uint32_t>(size) + 1); }

// A number in the text becomes another one: sizes and counts are where loaders fall.
void change_number(std::string& text, Rng& rng) {
    static const char* const kNumbers[] = {"0",          "-1",         "1",
                                           "16384",      "16385",      "65536",
                                           "2147483648", "4294967297", "18446744073709551616",
                                           "1e308",      "1e999",      "-0",
                                           "0.1",        "1e-400",     "999999999"};
    const std::size_t from = text.find_first_of("0123456789", place(rng, text.size()));
    if (from == std::string::npos) return;
    std::size_t end = from;
    while (end < text.size() && text[end] >= '0' && text[end] <= '9') ++end;
    text.replace(from, end - from, kNumbers[rng.below(std::size(kNumbers))]);
}

void damage_once(std::string& text, const std::string& other, Rng& rng) {
    static const char kBytes[] = "\0\xff\n\r\t ,:{}[]\"\\.@-+eE019#\x80";
    const std::size_t at = place(rng, text.size());
    switch (rng.below(9)) {
        case 0: text.resize(at); break;
        case 1: text.insert(at, 1, kBytes[rng.below(sizeof kBytes - 1)]); break;
        case 2:
            if (at < text.size()) text.erase(at, 1 + rng.below(8));
            break;
        case 3:
            if (at < text.size()) text[at] = static_cast<char>(text[at] ^ (1 << rng.below(8)));
            break;
        case 4:
            if (at < text.size()) text[at] = kBytes[rng.below(sizeof kBytes - 1)];
            break;
        case 5: {  // a piece twice
            const std::string piece = text.substr(at, 1 + rng.below(64));
            text.insert(place(rng, text.size()), piece);
            break;
        }
        case 6: text = text.substr(0, at) + other.substr(place(rng, other.size())); break;
        default: change_number(text, rng); break;
    }
}

class Damage : public ::testing::TestWithParam<testing::Driver> {};

TEST_P(Damage, ComesBackCleanly) {
    const std::vector<std::string> seeds = seeds_of(GetParam().name);
    ASSERT_FALSE(seeds.empty());
    Rng rng(20260101);
    const int variants = testing::trials(10000);
    int accepted = 0;
    for (int i = 0; i < variants; ++i) {
        std::string text = seeds[rng.below(static_cast<std::uint32_t>(seeds.size()))];
        const std::string& other = seeds[rng.below(static_cast<std::uint32_t>(seeds.size()))];
        for (std::uint32_t n = 1 + rng.below(3); n > 0; --n) damage_once(text, other, rng);
        accepted += GetParam().drive(text) ? 1 : 0;
    }
    EXPECT_LT(accepted, variants);  // damage that nobody notices would be none
}

INSTANTIATE_TEST_SUITE_P(Formats, Damage, ::testing::ValuesIn(testing::kDrivers),
                         [](const auto& driver) { return std::string(driver.param.name); });

// Every prefix of a good file, and every file with one byte changed to each of a few others.
TEST_P(Damage, PrefixesAndSingleBytes) {
    for (const std::string& seed : seeds_of(GetParam().name)) {
        if (seed.size() > 4096) continue;
        for (std::size_t size = 0; size < seed.size(); ++size)
            GetParam().drive(std::string_view(seed).substr(0, size));
        const std::size_t step =
            std::max<std::size_t>(1, 100 / static_cast<std::size_t>(testing::trials(100)));
        for (std::size_t i = 0; i < seed.size(); i += step) {
            for (const char c : {'\0', '\n', '"', '9', '\xff'}) {
                std::string text = seed;
                text[i] = c;
                GetParam().drive(text);
            }
        }
    }
}

}  // namespace
}  // namespace fairlead
