// libFuzzer target; README.md in this folder says how to build it. The bytes are the dice of the simulator's driver.
#include "simulate/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return fairlead::simulate::fuzz_world("volume", data, size);
}
