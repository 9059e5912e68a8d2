// The stages of a tile, told to BakeOptions::stages. Each does nothing without a hook.
#pragma once

#include "mesh_bake/borders.h"

namespace fairlead::bake {

void show_solid(const Settings& settings, const CellBox& interior, const SolidRows& solid);
/// Floors with links, before the erosion.
[[nodiscard]] Result<void> show_floors(const Settings& settings, const CellBox& interior,
                                       const Floors& floors);
void show_eroded(const Settings& settings, const CellBox& interior, const Floors& floors);
void show_layers(const Settings& settings, const CellBox& interior, const Floors& floors,
                 const Layers& layers);
void show_borders(const Settings& settings, const CellBox& interior, const Floors& floors,
                  const Borders& borders);
void show_straightened(const Settings& settings, const CellBox& interior, const Borders& borders,
                       const Array<Segment>& segments);

}  // namespace fairlead::bake
