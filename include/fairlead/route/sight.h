// SightQuery: how a roadmap, and a unit on its way (motion/follower.h), ask the user's world about walls. A function and its
// context; no wall ever needs to be copied.
//
//     SightQuery over_town{[](Vec3 a, Vec3 b, double radius, void* user) {
//         return static_cast<Town*>(user)->can_walk(a, b, radius);
//     }, &town};
#pragma once

#include <fairlead/base/platform.h>
#include <fairlead/math/vec.h>

namespace fairlead {

struct SightQuery {
    /// May a disc of this radius move straight from a to b? a == b: may it stand there? Must give the same
    /// answer every time during one search. Flat worlds pass z = 0. Null: there are no walls to ask about.
    bool (*clear)(Vec3 a, Vec3 b, double radius, void* user) = nullptr;
    void* user = nullptr;
};

}  // namespace fairlead
