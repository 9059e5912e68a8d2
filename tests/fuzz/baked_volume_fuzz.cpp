// libFuzzer target; README.md in this folder says how to build it.
#include "fuzz/baked_volume_drive.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    (void)fairlead::testing::baked_volume({data, size});
    return 0;
}
