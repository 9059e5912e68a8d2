// Umbrella of the base module.
#pragma once

#include <fairlead/base/allocator.h>
#include <fairlead/base/array.h>
#include <fairlead/base/assert.h>
#include <fairlead/base/baked.h>
#include <fairlead/base/borrowed.h>
#include <fairlead/base/bytes.h>
#include <fairlead/base/digest.h>
#include <fairlead/base/error.h>
#include <fairlead/base/field.h>
#include <fairlead/base/id.h>
#include <fairlead/base/jobs.h>
#include <fairlead/base/platform.h>
#include <fairlead/base/result.h>
#include <fairlead/base/rng.h>
#include <fairlead/base/snapshot.h>
#include <fairlead/base/use_count.h>
