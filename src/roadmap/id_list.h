// The list of all ids of a roadmap, in order: short stretches (IdChunk), so that an edit copies one of them.
// A B+ tree of two levels, the upper one being the state's table of pointers. StateData::find reads it.
#pragma once

#include <cstdint>

#include "roadmap/editor.h"

namespace fairlead::roadmap {

/// Puts an id that is not there into the draft's list. False: out of memory.
[[nodiscard]] bool insert_id(EditorData& editor, std::int64_t id, std::uint32_t slot);

/// Takes an id that is there out of it. False: out of memory.
[[nodiscard]] bool remove_id(EditorData& editor, std::int64_t id);

}  // namespace fairlead::roadmap
