// Queries that take microseconds, asked of several contestants in turn.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include <fairlead/math/vec.h>

namespace fairlead::bench {

struct MeshPair {
    Vec3 start{};
    Vec3 goal{};
};

struct Asked {
    std::string name;
    std::function<void(const MeshPair&)> ask;
    double mean_us = 0.0;
    double p99_us = 0.0;
};

/// Fills in the times. Reading the clock costs a good part of a microsecond: so the mean is that of sixteen queries between
/// two readings, and for the 99th percentile each query is timed alone and the cost of an empty timing taken off. Of the rounds the
/// fastest counts for each slot; the contestants take turns at every sixteen queries.
void ask_in_turn(std::span<Asked> contestants, std::span<const MeshPair> pairs, int rounds);

}  // namespace fairlead::bench
