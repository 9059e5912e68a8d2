// Umbrella of the math module.
#pragma once

#include <fairlead/math/aabb.h>
#include <fairlead/math/contact.h>
#include <fairlead/math/convert.h>
#include <fairlead/math/pose.h>
#include <fairlead/math/predicates.h>
#include <fairlead/math/swept.h>
#include <fairlead/math/trig.h>
#include <fairlead/math/vec.h>
