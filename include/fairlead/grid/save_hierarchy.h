// The hierarchy of a tile map as a baked file (.fl): kind HIER of FORMAT.md.
//
//     Array<std::uint8_t> bytes;
//     Result<void> saved = save_hierarchy(*land, bytes);
//
//     Result<Grid> land = Grid::make(options, tiles);            // the next time the game starts
//     Result<void> loaded = land->load_hierarchy(bytes);
//     if (!loaded && loaded.error().code == ErrorCode::incompatible) loaded = land->make_hierarchy(jobs);   // and save it again
//
// Saved is what is dear to make: what it costs to cross each cluster and which way. It belongs to the free cells of each registered size:
// hashes of them are in the header, and a file of other tiles, sizes or wraps is stale (incompatible; detail: HierarchyStale). The bytes
// are a pure function of tiles and sizes, the same on every machine.
//
// A load gives the hierarchy or an error, and never half of one. It proves that each entry is a way: a chain of straight legs that the
// unit can take, whose lengths add up. That it is the shortest is not proven: a forged file can make routes longer; none illegal, no
// goal unreachable, no search endless. `fairlead check` makes it anew and compares.
//
// Cost: linear in the file, 0.3 to 1 byte a cell and size.
#pragma once

#include <cstdint>

#include <fairlead/base/array.h>
#include <fairlead/base/result.h>
#include <fairlead/grid/grid.h>

namespace fairlead {

/// Why a file of a hierarchy is not of this grid (Error::detail).
enum class HierarchyStale : std::uint8_t {
    options,  ///< other width, height, layers, wraps or registered sizes
    tiles,    ///< other free cells
};

/// Errors: unsupported (the grid has no hierarchy); out_of_memory.
[[nodiscard]] Result<void> save_hierarchy(const GridState& grid, Array<std::uint8_t>& out);

}  // namespace fairlead
