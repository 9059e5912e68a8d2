// A fuzzer's bytes as dice: the same drivers as in the simulator.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "simulate/driver.h"

namespace fairlead::simulate {

inline int fuzz_world(const char* world, const std::uint8_t* data, std::size_t size) {
    const Driver& driver = *find_driver(world);
    Dice dice(std::span<const std::uint8_t>(data, size));
    const Script script = driver.draw(dice, kScriptOperations);
    Tally tally;
    const std::string finding = driver.play(script, tally);
    if (finding.empty()) return 0;
    std::fprintf(stderr, "%s: %s\n%s", world, finding.c_str(), to_text(script).c_str());
    std::abort();
}

}  // namespace fairlead::simulate
