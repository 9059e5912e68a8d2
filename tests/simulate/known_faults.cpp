#include "simulate/known_faults.h"

#include <vector>

namespace fairlead::simulate {

namespace {

bool has(const std::string& finding, const char* words) { return finding.find(words) != std::string::npos; }

const std::vector<KnownFault>& faults() {
    static const std::vector<KnownFault> kFaults = {
        {"revalidate on meshes looks at legs one by one: two of them may join where the surface only touches "
         "itself",
         [](const Step& step, const std::string& finding) {
             return step.verb == "revalidate" && has(finding, "legal, but") &&
                    has(finding, "overlaps a wall, number");
         }},
        {"repair on roadmaps of a partial route goes on to its old end, which may be off the net by now",
         [](const Step& step, const std::string& finding) {
             return step.verb == "repair" && has(finding, "the net may not be left here");
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

}  // namespace fairlead::simulate
