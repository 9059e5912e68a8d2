// Half body: the points of the half lattice where a registered disc wider than a tile fits, kept as lines of bits in rows
// and columns as cells are (state.h), brought up to date with every edit. Where an axis wraps the points on the seam are
// kept twice, on the first and on the last line; scans do not go across.
//
// Planes: the points that fit; two reach planes (reach.h), whose scans also end where a wall leaves a squeezed diagonal
// (half_jump.h). For R > 9, where gaps lead from point to point (half_gap.h), two more: *bridges*, the ends of doors that
// are open in the middle alone, unless the room on one side leads nowhere, having neither a corner that fits nor the end
// of another such door; and *stops*, points that fit beside a bridge: from them a gap may lead on.
//
// The connectivity index (connectivity.h) joins points and bridges that are neighbours, diagonal ones too. Up to R = 9 that is
// the truth. With gaps it joins all that is joined: a motion goes from room to room, the points or bridges of the doors it goes
// through are corners of the rooms. It may join a little more, where a bridge is a neighbour of a point it does not lead to; so
// only its "no" is used.
//
// What changes: a point depends on tiles nearer than the radius, a door too, and then one of its ends does; stops lie next
// to bridges, which depend on doors of the rooms beside. Cost: 12 dilations of a line (4 without gaps), 128 points at a
// time; all that follows only where a point or bridge differs from what it was.
#pragma once

#include "grid/editor.h"

namespace fairlead::grid {

/// Does a disc of this radius, in cells, have points worth keeping on this map? Not up to half a tile, where tiles' middles are the
/// whole truth.
[[nodiscard]] bool keeps_half(const StateData& state, double radius);

/// Reserves what derive_half needs, so that it does not run out of memory there. False: out of memory.
[[nodiscard]] bool gather_half_rows(EditorData& editor, const Body& body);

/// What an edit does to walls, as far as is known.
struct WallChange {
    bool closes = true;  ///< perhaps: makes free cells walls
    bool opens = true;
};

/// Brings everything of a half body of the editor's state up to date after the walls of `cells` changed, where they differ from what
/// they were. False: out of memory; the walls put back and a second call bring back what was.
[[nodiscard]] bool derive_half(EditorData& editor, const Body& body, const CellRect& cells,
                               WallChange change);

/// Derives a new half body on a layer.
[[nodiscard]] bool derive_half_layer(EditorData& editor, const Body& body, std::int32_t layer);

}  // namespace fairlead::grid
