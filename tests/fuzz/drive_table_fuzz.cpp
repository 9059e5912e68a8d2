// libFuzzer target; README.md in this folder says how to build it.
#include "fuzz/drive_table_drive.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static fairlead::Scratch scratch;
    (void)fairlead::testing::drive_table({data, size}, scratch);
    return 0;
}
