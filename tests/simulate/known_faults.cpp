#include "simulate/known_faults.h"

#include <vector>

namespace fairlead::simulate {

namespace {

bool has(const std::string& finding, const char* words) { return finding.find(words) != std::string::npos; }

bool later(const Step& step) { return step.verb == "repair" || step.verb == "revalidate"; }

const std::vector<KnownFault>& faults() {
    static const std::vector<KnownFault> kFaults = {
        {"FAULT-6: partial, a goal on another floor, another corner rule than the grid's",
         [](const Step& step, const std::string& finding) {
             return step.has("partial") && (has(finding, "ends on the wrong floor") ||
                                            has(finding, "status complete, expected unreachable"));
         }},
        {"FAULT-7: claims of clearance stay after edits nearby; a route without legs counts as legal",
         [](const Step& step, const std::string& finding) {
             return later(step) && (has(finding, "claims more clearance") || has(finding, "overlaps a wall"));
         }},
        {"units thinner than the contact slack pass blockers",
         [](const Step& step, const std::string& finding) {
             return step.number("radius") > 0 && step.number("radius") < 1e-6 &&
                    has(finding, "overlaps a blocker");
         }},
    };
    return kFaults;
}

}  // namespace

const char* known_fault(const Step& step, const std::string& finding) {
    for (const KnownFault& fault : faults()) {
        if (fault.explains(step, finding)) return fault.name;
    }
    return nullptr;
}

bool never_ends(const Step& step, bool wraps) {
    return step.verb == "explain" && wraps && step.number("radius") > 1e4;  // explain looks round every lap
}

}  // namespace fairlead::simulate
