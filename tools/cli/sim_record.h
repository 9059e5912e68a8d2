// A simulation written down: its plan, all files that it read, a digest every so many ticks. `replay` plays it again from this file alone.
//
// Bytes, all numbers little-endian: the letters "FLSIMRUN", a version of 4 bytes (1), then sections, each
//     0  4  kind     4  8  n, bytes of the body     12  n  body     12 + n  4  CRC-32C of kind, n and body, seeded with that of the
//     section before
// 1 plan     the program's version, world, terrain, heights, units, edits (texts: 4 bytes of length, then the bytes); 8 seconds,
//            8 rate (doubles), 8 budget, 1 no_avoid
// 2 file     its name and its bytes, unpacked: two texts, the second one with 8 bytes of length
// 3 digests  8 step, then 8 for the digest after each `step` ticks
// 4 end      8 ticks, 8 digest; the last section
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "cli/sim_play.h"

namespace fairlead::cli {

struct SimRecord {
    /// Of so many digests at most a record is made: longer runs have them further apart.
    static constexpr std::uint64_t kDigestsMax = 100000;
    /// For a run of so many ticks.
    [[nodiscard]] static std::uint64_t step_for(std::uint64_t ticks) {
        return (ticks + kDigestsMax - 1) / kDigestsMax;
    }

    std::string version;  ///< of the program that wrote it
    SimPlan plan;
    std::map<std::string, std::string> files;
    std::uint64_t step = 1;
    std::vector<std::uint64_t> digests;
    std::uint64_t ticks = 0;
    std::uint64_t digest = 0;  ///< at the end
};

[[nodiscard]] std::string save_sim_record(const SimRecord& record);
/// Fails with the file's name for what is no whole record.
[[nodiscard]] SimRecord load_sim_record(const std::string& path, const std::string& bytes);

}  // namespace fairlead::cli
