// Drivers: a simulator of use, one driver a world. A driver draws a script of operations (make, load, edit, snapshot, query,
// slice, cancel, save, repair, destroy, ...) from dice, and plays it: each answer goes through verify, an oracle that shares
// no code with the planner, and a second run in other slices with fresh scratch memory, which must give the same bytes.
// What is played depends on the script alone, so a script is a reproduction. After the manner of TigerBeetle's VOPR.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "simulate/dice.h"
#include "simulate/script.h"

namespace fairlead::simulate {

/// What was done.
struct Tally {
    std::uint64_t scripts = 0;
    std::uint64_t operations = 0;
    std::uint64_t answers = 0;   ///< routes and the like
    std::uint64_t routes = 0;    ///< answers with a way
    std::uint64_t verified = 0;  ///< routes that verify looked at
    std::uint64_t judged = 0;    ///< answers that an oracle looked at
    std::uint64_t repeated = 0;  ///< answers asked a second time in slices
    std::uint64_t refused = 0;   ///< questions that gave an Error
    std::uint64_t starved = 0;   ///< questions and edits whose memory ran out

    void add(const Tally& other);
};

struct Driver {
    const char* name;
    Script (*draw)(Dice& dice, int operations);
    /// The first finding, as "step N: KIND: what", empty if there is none.
    std::string (*play)(const Script& script, Tally& tally);
};

[[nodiscard]] std::span<const Driver> drivers();
[[nodiscard]] const Driver* find_driver(const std::string& name);

/// Plays the steps of a script one by one to the first finding.
template <class Play>
[[nodiscard]] std::string play_steps(const Script& script, Tally& tally, Play play) {
    for (std::size_t i = 0; i < script.steps.size(); ++i) {
        ++tally.operations;
        const std::string problem = play(script.steps[i]);
        if (!problem.empty()) return "step " + std::to_string(i) + ": " + problem;
    }
    return "";
}

/// Most operations of one script. Small scripts find as much, and are read sooner.
inline constexpr int kScriptOperations = 40;

/// The script that a seed means.
[[nodiscard]] Script draw_script(const Driver& driver, std::uint64_t seed);

}  // namespace fairlead::simulate
