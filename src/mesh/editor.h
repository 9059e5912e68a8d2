// EditorData: the owner's side of a mesh.
#pragma once

#include "base/revisions.h"
#include "mesh/state.h"
#include "mesh/tile_builder.h"

namespace fairlead::mesh {

struct EditorData {
    explicit EditorData(const Allocator& allocator) : revisions(allocator), builder(allocator) {}

    Revisions<StateData> revisions;
    TileBuilder builder;
};

}  // namespace fairlead::mesh
