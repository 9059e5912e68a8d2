// Links fairlead::fairlead alone: what a stranger writes on the first day. Prints the route to the last bit, which no
// flag of the game may change.
#include <cstdio>

#include "town.h"

// Two kinds of buffers in one scratch are told apart by addresses, which some linkers fold.
struct Apples {
    explicit Apples(const fairlead::Allocator& allocator) : numbers(allocator) {}
    fairlead::Array<int> numbers;
};
struct Pears {
    explicit Pears(const fairlead::Allocator& allocator) : numbers(allocator) {}
    fairlead::Array<int> numbers;
};

int main() {
    Walk walk;
    if (!walk.arrives()) return 1;
    const void* const apples = walk.scratch.get<Apples>();
    const void* const pears = walk.scratch.get<Pears>();
    if (apples == pears || apples != walk.scratch.get<Apples>()) return 2;
    for (const fairlead::Leg& leg : walk.route->legs)
        std::printf("%a %a %a\n", leg.start.position.x, leg.start.position.y, leg.length);
    std::printf("fairlead %s: %016llx\n", fairlead::kVersion.text,
                static_cast<unsigned long long>(walk.route->stats.digest));
    return fairlead::kVersion.minor_number == FAIRLEAD_VERSION_MINOR ? 0 : 3;
}
