// Umbrella of the polygon module.
#pragma once

#include <fairlead/polygon/merge_convex.h>
#include <fairlead/polygon/outline.h>
#include <fairlead/polygon/regions.h>
#include <fairlead/polygon/scratch.h>
#include <fairlead/polygon/triangulate.h>
