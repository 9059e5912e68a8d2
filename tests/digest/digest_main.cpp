// Runs every digest scene and prints "name digest", sorted by name. With names as arguments: only those.
// --list prints the names alone.
#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <vector>

#include "digest/digest_scene.h"

using fairlead::Digest;
using fairlead::testing::DigestScene;

int main(int argc, char** argv) {
    const bool list = argc == 2 && std::strcmp(argv[1], "--list") == 0;
    std::vector<const DigestScene*> scenes;
    for (const DigestScene* scene = DigestScene::first(); scene != nullptr; scene = scene->next) {
        const bool wanted = argc < 2 || list || std::any_of(argv + 1, argv + argc, [scene](const char* name) {
                                return std::strcmp(name, scene->name) == 0;
                            });
        if (wanted) scenes.push_back(scene);
    }
    std::sort(scenes.begin(), scenes.end(),
              [](const DigestScene* a, const DigestScene* b) { return std::strcmp(a->name, b->name) < 0; });
    for (const DigestScene* scene : scenes) {
        if (list) {
            std::printf("%s\n", scene->name);
            continue;
        }
        Digest digest;
        scene->run(digest);
        std::printf("%s %016" PRIx64 "\n", scene->name, digest.value());
    }
    return scenes.empty() ? 1 : 0;
}
