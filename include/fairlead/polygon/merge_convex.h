// placeholder
#pragma once
#include <fairlead/polygon/regions.h>
namespace fairlead { struct ConvexPolygons { explicit ConvexPolygons(const Allocator&) {} }; }
