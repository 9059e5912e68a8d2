// A digest scene: a fixed piece of work whose digest must be the same on every toolchain. Write one in any
// tests/digest/*.cpp; it is found by itself:
//
//     FAIRLEAD_DIGEST_SCENE(grid_rooms) {
//         ... do the work ...
//         digest.add(route.cost);
//     }
//
// then add its line to tests/golden/digests.txt (the test prints it). No exceptions, no run-time types, no
// files and no packages here: the program is also built without them, and for WebAssembly. A trap: arguments
// of one call are evaluated in any order, so draw at most one random number per call (braces keep the order).
#pragma once

#include <fairlead/base/digest.h>

namespace fairlead::testing {

/// A scene and its link in the list of all scenes. The order of the list depends on the linker, so the main
/// program sorts by name.
struct DigestScene {
    const char* name;
    void (*run)(Digest& digest);
    DigestScene* next;

    DigestScene(const char* scene_name, void (*scene_run)(Digest&))
        : name(scene_name), run(scene_run), next(first()) {
        first() = this;
    }
    static DigestScene*& first() {
        static DigestScene* head = nullptr;
        return head;
    }
};

}  // namespace fairlead::testing

#define FAIRLEAD_DIGEST_SCENE(name)                                                                \
    static void digest_scene_##name(::fairlead::Digest& digest);                                   \
    static ::fairlead::testing::DigestScene digest_scene_entry_##name(#name, digest_scene_##name); \
    static void digest_scene_##name([[maybe_unused]] ::fairlead::Digest& digest)
