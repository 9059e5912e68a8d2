#include "simulate/known_faults.h"

#include <vector>

namespace fairlead::simulate {

namespace {

const std::vector<KnownFault>& faults() {
    static const std::vector<KnownFault> kFaults = {};
    return kFaults;
}

}  // namespace

const char* known_fault(const Step& step, const std::string& finding) {
    for (const KnownFault& fault : faults()) {
        if (fault.explains(step, finding)) return fault.name;
    }
    return nullptr;
}

}  // namespace fairlead::simulate
