// libFuzzer target; README.md in this folder says how to build it.
#include "fuzz/baked_mesh_drive.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static fairlead::testing::MeshDriveWork work;
    (void)fairlead::testing::baked_mesh({data, size}, work, 20);
    return 0;
}
