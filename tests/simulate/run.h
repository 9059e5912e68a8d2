// Running drivers: seed after seed, in a process of their own, so that a crash or an endless loop is a finding as well.
// A finding is cut down to a small script by leaving out what is not needed for it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "simulate/driver.h"

namespace fairlead::simulate {

struct Finding {
    std::uint64_t seed = 0;
    std::string what;     ///< empty: none
    std::string drawn;    ///< the script as drawn
    std::string minimal;  ///< and cut down

    [[nodiscard]] std::string text(const Driver& driver) const;
};

struct Limits {
    double seconds = 1e9;  ///< of the clock; looked at between batches of operations
    bool shrink = true;    ///< cut a finding's script down
};

/// Plays the scripts of the seeds from `seed` on until `operations` are done, or to the first finding.
[[nodiscard]] Finding run_seeds(const Driver& driver, std::uint64_t seed, std::uint64_t operations,
                                Tally& tally, const Limits& limits = {});

/// Plays one script in a process of its own. Empty: no finding. A signal, a failed assertion and more than `seconds` of
/// processor time (ten times as many where sanitized) are findings.
[[nodiscard]] std::string play_apart(const Driver& driver, const Script& script, unsigned seconds = 60);

/// The smallest script found that `plays` to the same kind of finding as `script` does.
[[nodiscard]] Script shrink(const Script& script, const std::function<std::string(const Script&)>& plays);

/// "KIND" of a finding "step N: KIND: what".
[[nodiscard]] std::string kind_of(const std::string& finding);

}  // namespace fairlead::simulate
