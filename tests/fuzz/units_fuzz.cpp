// libFuzzer target; README.md in this folder says how to build it.
#include "fuzz/formats_drive.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fairlead::testing::drive_units({reinterpret_cast<const char*>(data), size});
    return 0;
}
