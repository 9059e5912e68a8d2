// Part of drawing a trace: the sides of a level mesh that a search has looked through.
#pragma once

#include <span>

#include <fairlead/debug/draw.h>

namespace fairlead::debug {

void draw_sides(std::span<const TraceEvent> events, const Sink& sink, const TraceDraw& options);

}  // namespace fairlead::debug
