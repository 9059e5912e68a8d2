// Umbrella of the runtime: every public header of fairlead::fairlead. Written by `./run format`.
#pragma once

#include <fairlead/base/allocator.h>
#include <fairlead/base/array.h>
#include <fairlead/base/assert.h>
#include <fairlead/base/base.h>
#include <fairlead/base/digest.h>
#include <fairlead/base/error.h>
#include <fairlead/base/id.h>
#include <fairlead/base/platform.h>
#include <fairlead/base/result.h>
#include <fairlead/base/rng.h>

#include <fairlead/math/aabb.h>
#include <fairlead/math/math.h>
#include <fairlead/math/pose.h>
#include <fairlead/math/swept.h>
#include <fairlead/math/trig.h>
#include <fairlead/math/vec.h>

#include <fairlead/route/agent.h>
#include <fairlead/route/route.h>

#include <fairlead/grid/grid.h>
#include <fairlead/grid/query.h>
