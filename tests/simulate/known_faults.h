// Faults of the library that are known and not mended yet: the simulator goes on over them, so that it finds others.
// Empty is the aim. An entry leaves with the change that mends the fault; its script goes to tests/fixtures/simulate.
#pragma once

#include <string>

#include "simulate/script.h"

namespace fairlead::simulate {

struct KnownFault {
    const char* name;
    /// Is this finding, at this step of the script, that fault?
    bool (*explains)(const Step& step, const std::string& finding);
};

/// The name of the known fault that a finding is, null if it is news.
[[nodiscard]] const char* known_fault(const Step& step, const std::string& finding);

}  // namespace fairlead::simulate
