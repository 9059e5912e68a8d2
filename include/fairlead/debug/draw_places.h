// Drawing narrow places into a sink: what belongs to them, axes and mouths, as the group "places" (with "areas", "axes", "mouths").
//
//     debug::SvgWriter svg({.bounds = debug::world_bounds(*town)});
//     debug::draw(*town, svg.sink());
//     debug::draw_places(*places, svg.sink());
//
// Token places are red, lanes blue. A mouth is a bar from wall to wall with an arrow outward. Nothing here allocates.
#pragma once

#include <fairlead/crowd/narrow_places.h>
#include <fairlead/debug/palette.h>
#include <fairlead/debug/sink.h>

namespace fairlead::debug {

struct PlacesDraw {
    bool areas = true;  ///< where centres may be
    bool axes = true;
    bool mouths = true;
    bool numbers = true;  ///< of places, beside the first corner of the axis
    Color token = palette::kWarning;
    Color lanes = palette::kRoute;
    double z = 0.0;
};

/// Reads every point of the raster once.
void draw_places(const NarrowPlaces& places, const Sink& sink, const PlacesDraw& options = {});

}  // namespace fairlead::debug
