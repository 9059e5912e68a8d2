// The suites that hold the articles' claims against measurement.
#pragma once

#include "suites/suite.h"

namespace fairlead::bench {

void run_window(const SuiteOptions& options, Report& report);
void run_articles(const SuiteOptions& options, Report& report);

}  // namespace fairlead::bench
