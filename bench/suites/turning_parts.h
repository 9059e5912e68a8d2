// The rest of the suite `turning`: preparing, edits, sealed poses, fields, speeds, roads.
#pragma once

#include "suites/suite.h"

namespace fairlead::bench {

void measure_turning_parts(const SuiteOptions& options, Report& report);

}  // namespace fairlead::bench
