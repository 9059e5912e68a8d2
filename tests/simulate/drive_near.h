// Where a turning unit is led that cannot come to its goal: judged by asking for each place that is nearer, alone.
#pragma once

#include <string>

#include <fairlead/drive/find_drive.h>

namespace fairlead::simulate {

/// Of a route that is partial: "" or what is wrong.
[[nodiscard]] std::string judge_nearest(const DriveMapState& map, const DriveQuery& query, const Route& route,
                                        Scratch& scratch);

}  // namespace fairlead::simulate
