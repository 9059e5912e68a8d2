// Detour's mesh of tiles as RecastDemo saves them (RecastBake::detour_set), for the peers that walk on it. Only where Recast is.
#pragma once

#ifdef FAIRLEAD_HAVE_RECAST

#include <string>

#include <DetourNavMesh.h>

namespace fairlead::bench {

struct DetourMesh {
    dtNavMesh* mesh = dtAllocNavMesh();
    DetourMesh() = default;
    DetourMesh(const DetourMesh&) = delete;
    DetourMesh& operator=(const DetourMesh&) = delete;
    ~DetourMesh() { dtFreeNavMesh(mesh); }
};

/// Throws where Detour does not take them.
void load_detour_set(const std::string& set, dtNavMesh& mesh);

}  // namespace fairlead::bench

#endif
