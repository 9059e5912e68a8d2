// A query on a level mesh that brings its unit's table.
#pragma once

#include <fairlead/bridge/mesh_drive.h>

namespace fairlead {

inline MeshDriveQuery driven_by(const DriveTable& table, MeshDriveQuery query) {
    query.table = &table;
    return query;
}

}  // namespace fairlead
