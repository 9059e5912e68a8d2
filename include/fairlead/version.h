// The version of these headers. Before 1.0 a minor version may change the interface; CHANGELOG.md says how.
#pragma once

#define FAIRLEAD_VERSION_MAJOR 0
#define FAIRLEAD_VERSION_MINOR 2
#define FAIRLEAD_VERSION_PATCH 0
#define FAIRLEAD_VERSION_TEXT "0.2.0"
/// For comparisons: #if FAIRLEAD_VERSION >= 200 (major x 10000 + minor x 100 + patch).
#define FAIRLEAD_VERSION \
    (FAIRLEAD_VERSION_MAJOR * 10000 + FAIRLEAD_VERSION_MINOR * 100 + FAIRLEAD_VERSION_PATCH)

namespace fairlead {

struct Version {
    int major_number = 0;
    int minor_number = 0;
    int patch_number = 0;
    const char* text = "";
};

inline constexpr Version kVersion{FAIRLEAD_VERSION_MAJOR, FAIRLEAD_VERSION_MINOR, FAIRLEAD_VERSION_PATCH,
                                  FAIRLEAD_VERSION_TEXT};

}  // namespace fairlead
