#include "support/environment.h"
#include "support/sanitized.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

namespace fairlead::testing {

namespace {

#if FAIRLEAD_SANITIZED
constexpr int kPercentDefault = 10;
#else
constexpr int kPercentDefault = 100;
#endif

}  // namespace

std::string source_path(const std::string& relative) {
    return std::string(FAIRLEAD_SOURCE_DIR) + "/" + relative;
}

std::string data_path(const std::string& relative) {
    const char* root = std::getenv("FAIRLEAD_DATA");
    const std::string path = (root != nullptr ? root : source_path("../shared/data")) + "/" + relative;
    return std::filesystem::exists(path) ? path : std::string();
}

std::string cli_path() {
    if (const char* other = std::getenv("FAIRLEAD_CLI")) return other;
#if defined(FAIRLEAD_CLI)
    return FAIRLEAD_CLI;
#else
    return {};
#endif
}

int trials(int full) {
    const char* text = std::getenv("FAIRLEAD_TEST_PERCENT");
    const int percent = text != nullptr ? std::atoi(text) : kPercentDefault;
    return std::max(1, static_cast<int>(static_cast<long long>(full) * percent / 100));
}

bool all_trials() { return trials(100) >= 100; }

}  // namespace fairlead::testing
