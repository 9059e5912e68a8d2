// The suites that hold the articles' claims against measurement.
#pragma once

#include "suites/suite.h"
#include "suites/worlds.h"

namespace fairlead::bench {

void run_window(const SuiteOptions& options, Report& report);
void run_articles(const SuiteOptions& options, Report& report);

// Parts of `articles`, level_rules.cpp: how many ways a map offers; how wide corridors must be.
void measure_ways(const BenchWorld& world, Report& report);
void measure_level_rules(const SuiteOptions& options, Report& report);

}  // namespace fairlead::bench
