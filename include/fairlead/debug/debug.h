// Umbrella of the debug module.
#pragma once

#include <fairlead/debug/block_view.h>
#include <fairlead/debug/blocks.h>
#include <fairlead/debug/draw.h>
#include <fairlead/debug/draw_drive.h>
#include <fairlead/debug/draw_explain.h>
#include <fairlead/debug/draw_mesh.h>
#include <fairlead/debug/draw_places.h>
#include <fairlead/debug/draw_roadmap.h>
#include <fairlead/debug/json.h>
#include <fairlead/debug/obj.h>
#include <fairlead/debug/palette.h>
#include <fairlead/debug/sink.h>
#include <fairlead/debug/svg.h>
#include <fairlead/debug/trace.h>
#include <fairlead/debug/view.h>
