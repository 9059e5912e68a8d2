// libFuzzer target; README.md in this folder says how to build it.
#include "fuzz/mesh_table_drive.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const fairlead::NavMesh level = fairlead::testing::fuzzed_level();
    static fairlead::Scratch scratch;
    (void)fairlead::testing::drive_mesh_table({data, size}, level, scratch);
    return 0;
}
